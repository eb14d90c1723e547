"""Text as somebody would write it who wants a page to run a script, load a picture, or become a link."""

import threading
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MEGABYTE = 1_000_000


class Beacon(AbstractContextManager):
    """A server at a foreign address that must never be asked for anything."""

    def __init__(self):
        self.seen = seen = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_HEAD = do_OPTIONS = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def payload(beacon, name, *, line_breaks=True):
    """One of every kind of attack; each asks the beacon for another address.

    Args:
        beacon: Who must see nothing.
        name: Tells where the text stood.
        line_breaks: Whether parts stand on lines of their own, as in running text.
    """
    at = f"http://{beacon.origin}/{name}"
    parts = [
        f"<script>window.__pwned='{name}'</script>",
        f"<img src='{at}-html.png' onerror=\"window.__pwned='{name}'\">",
        f"<svg onload=\"window.__pwned='{name}'\"></svg>",
        f"<style>@import url('{at}-style.css');</style><link rel=stylesheet href='{at}-link.css'>",
        f"<iframe src='{at}-frame'></iframe><a href=\"javascript:window.__pwned='{name}'\">anchor</a>",
        f"![picture]({at}-markdown.png)",
        f"![picture](http:&#47;&#47;{beacon.origin}&#47;{name}-entity.png)",
        f"[link]({at}-click)",
        f"{at}-bare",
        rf"$\href{{{at}-tex}}{{x}}$ $$\includegraphics{{{at}-tex.png}}$$ $e^{{i\pi}}$",
        ":red[loud] :material/skull: # heading",
        "‮gnp.cod\x1b[31m\x00",
    ]
    return ("\n\n" if line_breaks else " ").join(parts)


def dangerous_file_name(beacon, name):
    """As much of the same as fits into the name of a directory."""
    return f"$x$ <img src=x onerror=window.__pwned=1> ![p](http:&#47;&#47;{beacon.origin}&#47;{name}.png)"
