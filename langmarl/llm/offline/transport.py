"""The offline model as an HTTP transport: requests are answered inside this process, and no socket is opened."""

from __future__ import annotations

import httpx2

from langmarl.llm.offline.http_api import handle
from langmarl.llm.offline.turns import TURNS


class OfflineTransport(httpx2.BaseTransport):
    """Answers ``POST …/chat/completions`` and ``GET …/models`` as a server would. Stateless; threads may share it."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer ``request``; a bad one gets the same 4xx that a server would send."""
        content = request.read()
        with TURNS.turn():
            reply = handle(request.method, request.url.path, content)
        return httpx2.Response(reply.status, json=reply.body, request=request)
