"""The offline model over HTTP: for trying out a config against an endpoint, and for load tests.

``POST …/chat/completions`` and ``GET …/models`` as OpenAI has them; ``GET /stats`` tells what the server saw and
delivered, ``POST /stats/reset`` starts the count again. Latency is waited out without holding up other requests; the
computing is done in a few threads.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from langmarl.llm.offline.faults import Fault, FaultPlan, spoil, wants_json
from langmarl.llm.offline.http_api import ApiReply, RequestError, check, completion_reply, error_body, handle
from langmarl.llm.offline.model import complete
from langmarl.llm.offline.tally import Tally

_THREADS = 4
_MOST_QUEUED = 2048

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


def create_app(
    latency_ms: float = 0.0, fault_rate: float = 0.0, seed: int = 0, *, retry_after_s: float = 1.0
) -> Starlette:
    """The ASGI application.

    Args:
        latency_ms: How long every chat request takes at least, in milliseconds.
        fault_rate: Share of chat requests that fail, from 0 to 1; see ``faults``.
        seed: For the faults.
        retry_after_s: What a 429 says in ``Retry-After``, in seconds.
    """
    desk = _Desk(latency_ms / 1000, FaultPlan(fault_rate, seed), retry_after_s)
    every = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    async def stats(_: Request) -> Response:
        return JSONResponse(desk.tally.snapshot())

    async def reset(_: Request) -> Response:
        desk.tally.reset()
        return JSONResponse(desk.tally.snapshot())

    routes = [
        Route("/stats", stats, methods=["GET"]),
        Route("/stats/reset", reset, methods=["POST"]),
        Route("/{path:path}", desk.answer, methods=every),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    return Starlette(routes=routes, lifespan=lifespan)


def serve(
    host: str = "127.0.0.1", port: int = 8765, latency_ms: float = 0.0, fault_rate: float = 0.0, seed: int = 0
) -> None:
    """Serve until interrupted; see ``create_app``. Ctrl-C ends it cleanly."""
    app = create_app(latency_ms, fault_rate, seed)
    # Dropped connections are made on purpose; uvicorn would report each as an error of the application.
    uvicorn.run(app, host=host, port=port, log_level="critical", access_log=False, backlog=_MOST_QUEUED)


class _Desk:
    """Takes chat requests, waits, fails on purpose, answers."""

    def __init__(self, latency_s: float, plan: FaultPlan, retry_after_s: float) -> None:
        self.tally = Tally()
        self._latency_s = latency_s
        self._plan = plan
        self._retry_after_s = retry_after_s
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="offline-model")

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=False)

    async def answer(self, request: Request) -> Response:
        """Answer any request that is not about the statistics."""
        content = await request.body()
        path = request.url.path
        if not (request.method == "POST" and path.endswith("/chat/completions")):
            return _json(handle(request.method, path, content))
        self.tally.request()
        try:
            body = check(content)
        except RequestError as refused:
            self.tally.reject()
            return _json(refused.reply)
        return await self._answer_chat(body)

    async def _answer_chat(self, body: dict[str, Any]) -> Response:
        fault = self._plan.draw(json_wanted=wants_json(body))
        loop = asyncio.get_running_loop()
        due = loop.time() + self._latency_s
        if fault is not None:
            self.tally.fault(fault)
        if fault in ("rate_limit", "server_error"):
            await asyncio.sleep(due - loop.time())
            return self._refusal(fault)
        completion = await loop.run_in_executor(self._pool, complete, body)
        await asyncio.sleep(max(0.0, due - loop.time()))
        if fault in ("cut", "prose"):
            completion = spoil(completion, fault)
        reply = completion_reply(body, completion)
        if fault in ("dropped", "broken_body"):
            return _Spoiled(reply, fault)
        self.tally.deliver(completion)
        return _json(reply)

    def _refusal(self, fault: Fault) -> Response:
        if fault == "rate_limit":
            refusal = error_body("Rate limit reached for this model.", "requests", code="rate_limit_exceeded")
            return JSONResponse(refusal, 429, {"Retry-After": f"{self._retry_after_s:g}"})
        return JSONResponse(error_body("The server had an error while processing your request.", "server_error"), 500)


class _Spoiled(Response):
    """A reply that never arrives whole: the connection is dropped half-way, or the body is half a JSON text."""

    def __init__(self, reply: ApiReply, fault: Fault) -> None:
        super().__init__(media_type="application/json")
        self._whole = json.dumps(reply.body, ensure_ascii=False).encode()
        self._dropped = fault == "dropped"

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        half = self._whole[: len(self._whole) // 2]
        announced = self._whole if self._dropped else half
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(announced)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # Where more was announced than is sent, the server closes the connection when this returns.
        await send({"type": "http.response.body", "body": half, "more_body": self._dropped})


def _json(reply: ApiReply) -> Response:
    return JSONResponse(reply.body, reply.status)
