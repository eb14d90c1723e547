"""A real HTTP server on loopback that answers chat completions as a script says."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One response; ``cut`` sends only that many bytes of the body, ``drop`` closes without any response."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    drop: bool = False


@dataclass(frozen=True)
class Received:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


def json_answer(payload: object, status: int = 200, **headers: str) -> Answer:
    return Answer(
        status, json.dumps(payload).encode(), {name.replace("_", "-"): value for name, value in headers.items()}
    )


def completion(text: str = "hello", *, finish_reason: str = "stop", usage: dict[str, Any] | None = None) -> Answer:
    payload: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}],
    }
    payload["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110} if usage is None else usage
    return json_answer(payload)


def error(status: int, message: str, **fields: Any) -> Answer:
    return json_answer({"error": {"message": message, **fields}}, status)


Responder = Callable[[Received], Answer]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


_numbers = itertools.count()


class ScriptedServer:
    """Gives the scripted answers in order, then ``otherwise`` for ever; records every request."""

    def __init__(self) -> None:
        self.script: list[Answer | Responder] = []
        self.otherwise: Answer | Responder = completion()
        self.received: list[Received] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self._number = next(_numbers)
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        # The number keeps clients from reusing a connection to an earlier server that had the same port.
        return f"http://127.0.0.1:{self._server.server_port}/{self._number}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.received]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _next(self, request: Received) -> Answer:
        with self._lock:
            self.received.append(request)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            answer = self.script.pop(0) if self.script else self.otherwise
        try:
            return answer if isinstance(answer, Answer) else answer(request)
        finally:
            with self._lock:
                self.in_flight -= 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.casefold(): value for name, value in self.headers.items()}
                answer = server._next(Received(self.path, headers, json.loads(content)))
                if answer.drop:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body[: answer.cut])
                self.close_connection = answer.cut is not None

            def log_message(self, format: str, *args: Any) -> None:
                """Keep the test's output clean."""

        return Handler
