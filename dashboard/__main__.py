"""``python -m dashboard``: the server, in this process. ``langmarl dashboard`` starts it."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence

from dashboard.settings import server_settings


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until a signal ends it, then leave."""
    parser = argparse.ArgumentParser(prog="python -m dashboard", description="Serve LangMARL's dashboard.")
    parser.add_argument("--host", help="Address to listen on; by default only this machine's own.")
    parser.add_argument("--public-name", help="Name of a proxy in front of the server, as browsers know it.")
    parser.add_argument("--port", type=int, help="Port; by default 8501, or the next one that is free.")
    parser.add_argument("--no-browser", action="store_true", help="Do not open a browser.")
    options = parser.parse_args(arguments)
    settings = server_settings(
        options.host, options.port, public_name=options.public_name, open_browser=not options.no_browser
    )

    from dashboard.app import app  # after the arguments were understood: it takes a second

    with contextlib.suppress(KeyboardInterrupt):
        app.run(config=settings)


if __name__ == "__main__":
    main()
