"""A real HTTP server on loopback in the hub's place, which serves one small file, well or badly."""

from __future__ import annotations

import hashlib
import random
import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langmarl.llm.local.catalog import Downloadable

CONTENT = b"GGUF" + random.Random(7).randbytes(400_000)
"""Larger than what the system keeps on the way, so that a break is in the middle."""

TINY = Downloadable(
    name="tiny-coder",
    repository="someone/Tiny-Coder-GGUF",
    file="tiny-coder-q4_k_m.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    size_bytes=len(CONTENT),
    licence="MIT",
)


@dataclass(frozen=True)
class Received:
    """One request as it arrived; header names in lower case."""

    path: str
    headers: dict[str, str]

    @property
    def range(self) -> str | None:
        return self.headers.get("range")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is what some tests are about."""


class Hub:
    """Serves ``content`` at every path.

    Attributes:
        content: The file as it is here.
        statuses: Answered instead of the file, one a request, in order.
        drops: After so many bytes of the body the connection is dropped, one a request, in order; 0 drops it before
            the response.
        ignores_range: Answer every request with the whole file.
        answers_ranges_from: Continue there, whatever is asked for; None: where it is asked to.
        hides_size: Send no length; the body ends with the connection.
        redirects: Answer with a redirect to the file under another path first.
        stalls_after: Send so many bytes, and then nothing until :meth:`close`; None: all.
    """

    def __init__(self, content: bytes = CONTENT) -> None:
        self.content = content
        self.statuses: list[int] = []
        self.drops: list[int] = []
        self.ignores_range = False
        self.answers_ranges_from: int | None = None
        self.hides_size = False
        self.redirects = False
        self.stalls_after: int | None = None
        self.received: list[Received] = []
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def ranges(self) -> list[str | None]:
        """What each request asked for."""
        return [request.range for request in self.received]

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub.received.append(
                    Received(self.path, {name.casefold(): value for name, value in self.headers.items()})
                )
                if hub.redirects and not self.path.startswith("/cdn"):
                    self._head(302, {"Location": f"{hub.address}/cdn{self.path}", "Content-Length": "0"})
                elif hub.statuses:
                    self._head(hub.statuses.pop(0), {"Content-Length": "0"})
                else:
                    self._serve(hub.drops.pop(0) if hub.drops else None)

            def _serve(self, drop: int | None) -> None:
                if drop == 0:
                    self._break_off()
                    return
                size, start = len(hub.content), 0
                asked = self.headers["Range"]
                if asked and not hub.ignores_range:
                    start = int(asked.removeprefix("bytes=").removesuffix("-"))
                    if start >= size:
                        self._head(416, {"Content-Range": f"bytes */{size}", "Content-Length": "0"})
                        return
                    start = start if hub.answers_ranges_from is None else hub.answers_ranges_from
                    self._head(206, {"Content-Range": f"bytes {start}-{size - 1}/{size}", **self._length(size - start)})
                else:
                    self._head(200, self._length(size))
                body = hub.content[start:]
                self.wfile.write(body[: hub.stalls_after][:drop])
                if hub.stalls_after is not None:
                    hub._closing.wait()
                if drop is not None:
                    self._break_off()

            def _length(self, size: int) -> dict[str, str]:
                return {"Connection": "close"} if hub.hides_size else {"Content-Length": str(size)}

            def _head(self, status: int, headers: dict[str, str]) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def _break_off(self) -> None:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
