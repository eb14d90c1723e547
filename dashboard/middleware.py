"""What every request passes before Streamlit sees it."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

_FOREIGN_HOST = "This server does not answer under that name.\n"
_FOREIGN_ORIGIN = "This server does not answer to pages of other origins.\n"


class RequestGuard:
    """Refuses what a foreign web page may send: another ``Host``, or the ``Origin`` of another page.

    A page can point a name of its own at this machine (DNS rebinding) and so read what the server answers. Streamlit
    itself looks at the host of websockets only, and lets pages of any other port of this machine open one; here a page
    must come from the very address that it asks, whatever it asks for.

    Args:
        app: What is guarded.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse foreign requests (400, 403 for a websocket), and hand everything else on."""
        refusal = _why_refused(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(refusal, 400)(scope, receive, send)


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


def is_same_origin(origin: str, host: str) -> bool:
    """Whether an ``Origin`` header names the host and port that the request was sent to."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() != ""


def _why_refused(scope: Scope) -> str | None:
    host = _only(scope, b"host") or ""
    if not is_allowed(host, config.get_option("server.allowedHosts")):
        return _FOREIGN_HOST
    origin = _only(scope, b"origin")
    return None if origin is None or is_same_origin(origin, host) else _FOREIGN_ORIGIN


def _fits(name: str, pattern: str) -> bool:
    return pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:]))


def _only(scope: Scope, name: bytes) -> str | None:
    """A header's value; None where it is not there, and nothing that can be allowed where it is there twice."""
    values = [value for each, value in scope["headers"] if each == name]
    if not values:
        return None
    return values[0].decode("latin-1") if len(values) == 1 else ""
