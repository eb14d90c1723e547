"""What the server does besides drawing pages: it starts and ends the supervisor, and says how it is."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config
from streamlit.cli_util import open_browser
from streamlit.web.server import server_util

from dashboard import context
from dashboard.ending import end_when_asked
from dashboard.middleware import RequestGuard
from dashboard.text import show_message

SAFE_WITHIN_S = 4.0
"""How long ending the server waits for calls in flight, in seconds: within 5 s all is in a safe state."""

SWITCH_INTERVAL_S = 0.0001
"""How long a thread that computes keeps the interpreter while others wait, in seconds. A page asks for it anew after
each row of the index and each look at a file, thousands of times; by Python's own 5 ms, a run that computes in this
process would slow pages tenfold."""

_REPETITIVE = ("langmarl.store.local", "langmarl.store.index.index")

_log = logging.getLogger(__name__)


class OnceOnly(logging.Filter):
    """Lets a message through the first time: a damaged run is met again at every look at the folder."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message is new."""
        message = record.getMessage()
        is_new = message not in self._seen
        self._seen.add(message)
        return is_new


@asynccontextmanager
async def lifespan(_app: object) -> AsyncGenerator[dict[str, Any], None]:
    """From the server's start to its end: runs of dead servers are picked up, and our own are brought to safety."""
    for name in _REPETITIVE:
        logging.getLogger(name).addFilter(OnceOnly())
    await asyncio.to_thread(context.supervisor)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    end_when_asked(close_supervisors)
    if not config.get_option("server.headless"):
        open_browser(server_util.get_url(server_util.get_display_address(config.get_option("server.address"))))
    try:
        yield {}
    finally:
        await asyncio.to_thread(close_supervisors)


def close_supervisors() -> list[str]:
    """Bring all work of this process to a safe state; the runs that are still busy with a call."""
    busy = [run_id for each in context.existing_supervisors() for run_id in each.close(SAFE_WITHIN_S)]
    if busy:
        _log.warning("ended during a call: %s; what was finished is kept, and they can be resumed", ", ".join(busy))
    return busy


def report_script_error(error: Exception) -> bool:
    """A fault in a page, told without its text: that may quote what a model wrote. The log has the rest."""
    _log.error("a page failed", exc_info=error)
    show_message(
        f"This page failed: {type(error).__name__}.",
        "error",
        remedy="Reload the page. The terminal in which the dashboard was started shows what happened.",
    )
    return True


async def _health(_request: Request) -> JSONResponse:
    working = context.existing_supervisors()
    return JSONResponse(
        {
            "status": "ok",
            "running": sum(len(each.running()) for each in working),
            "queued": sum(len(each.positions()) for each in working),
        }
    )


ROUTES = [Route("/health", _health)]
MIDDLEWARE = [Middleware(RequestGuard)]


def is_drawing() -> bool:
    """Whether Streamlit runs the entry script for a page; else the script was imported to start the server."""
    return st.runtime.scriptrunner.get_script_run_ctx(suppress_warning=True) is not None
