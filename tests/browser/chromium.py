"""Chromium, and a page in it that remembers everything it asked the network for."""

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

EXECUTABLE = Path(os.environ.get("LANGMARL_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium")
PATIENCE_MS = 1000 * int(os.environ.get("LANGMARL_BROWSER_PATIENCE_S") or 45)
"""How long an expectation may take: a limit that only a fault reaches, also on a busy machine."""

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",  # nothing leaves this machine
]


def unavailable(reason):
    """No browser: a reason to skip on a person's machine, a fault where all tests must run."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def launch(playwright):
    """Chromium without a window."""
    if not EXECUTABLE.is_file():
        unavailable(f"there is no Chromium at {EXECUTABLE}; on Debian or Ubuntu: sudo apt-get install chromium")
    return playwright.chromium.launch(executable_path=EXECUTABLE, headless=True, args=_ARGUMENTS)


_LATE_HOVER = "reading '_hoverlayer'"
"""Plotly's complaint about a mouse that is over a chart at the moment when another one takes its place. Harmless."""


class Traffic:
    """What the pages of one browser context asked for, and what went wrong in them.

    Args:
        context: A new browser context; an empty profile.
    """

    def __init__(self, context):
        self.requested = []
        self.page_errors = []
        context.on("request", lambda request: self.requested.append(request.url))
        context.on("page", self._listen)

    def _listen(self, page):
        page.on("pageerror", self._keep)
        page.on("websocket", lambda socket: self.requested.append(socket.url))

    def _keep(self, error):
        if _LATE_HOVER not in str(error):
            self.page_errors.append(str(error))

    def foreign(self, *origins):
        """Requests to any other host and port than these."""
        return [url for url in self.requested if not _is_own(url, origins)]


def _is_own(url, origins):
    address = urlsplit(url)
    return address.scheme in ("data", "blob", "about") or address.netloc in origins
