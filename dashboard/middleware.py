"""What every request passes before Streamlit sees it."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config


class HostGuard:
    """Refuses requests whose ``Host`` is not in ``server.allowedHosts``.

    A foreign page can point a name of its own at this machine (DNS rebinding) and so read what the server answers.
    Streamlit itself looks at the host of websockets only; this looks at every request.

    Args:
        app: What is guarded.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 400 to a foreign host, and hand everything else on."""
        if scope["type"] == "http" and not is_allowed(_host_of(scope), config.get_option("server.allowedHosts")):
            await PlainTextResponse("This server does not answer under that name.\n", 400)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def is_allowed(host: str, allowed: list[str]) -> bool:
    """Whether a ``Host`` header, with or without a port, names one of ``allowed``; all do where that is empty.

    As Streamlit reads them: ``*`` is any host, ``*.example.com`` any below ``example.com``.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    patterns = [pattern.strip().lower().rstrip(".") for pattern in allowed]
    return not patterns or (bool(name) and any(_fits(name, pattern) for pattern in patterns))


def _fits(name: str, pattern: str) -> bool:
    return pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:]))


def _host_of(scope: Scope) -> str:
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return hosts[0].decode("latin-1") if len(hosts) == 1 else ""
