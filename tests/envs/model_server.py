"""A model on loopback that answers as a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langmarl.config import LLMConfig


@dataclass
class Said:
    """One answer of the model."""

    text: str
    finish_reason: str = "stop"
    status: int = 200


Answer = Callable[[str, str], "Said | str"]


@dataclass
class ModelServer:
    """Where the model is, and what it was asked: (system, user) of each request in order of arrival."""

    config: LLMConfig
    asked: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[dict] = field(default_factory=list)


@contextmanager
def model_server(answer: Answer) -> Iterator[ModelServer]:
    """Serve chat completions; ``answer(system, user)`` gives the text."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.model = ModelServer(  # type: ignore[attr-defined]
        LLMConfig(name="test", model_string="test", base_url=url, api_key_env_var=None, max_retries=0)
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.model  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            system, user = (message["content"] for message in body["messages"])
            self.server.model.asked.append((system, user))  # type: ignore[attr-defined]
            self.server.model.bodies.append(body)  # type: ignore[attr-defined]
            said = answer(system, user)
            said = Said(said) if isinstance(said, str) else said
            reply = json.dumps(_completion(said) if said.status == 200 else {"error": {"message": said.text}}).encode()
            self.send_response(said.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            """Tests have no use for an access log."""

    return Handler


def _completion(said: Said) -> dict:
    choice = {"index": 0, "finish_reason": said.finish_reason, "message": {"role": "assistant", "content": said.text}}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "test", "choices": [choice], "usage": usage}
