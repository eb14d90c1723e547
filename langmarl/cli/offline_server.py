"""``langmarl serve-offline``."""

from __future__ import annotations

import contextlib
import socket
from typing import Annotated

import typer

from langmarl.cli.options import number, whole_number
from langmarl.cli.printing import say
from langmarl.errors import UserMistake


def serve_offline(
    port: Annotated[
        int, typer.Option("--port", "-p", parser=whole_number(0, 65535), metavar="PORT", help="0 takes a free one.")
    ] = 8765,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    latency_ms: Annotated[
        float, typer.Option("--latency-ms", parser=number(0), metavar="MS", help="Milliseconds that a call takes.")
    ] = 0.0,
    fault_rate: Annotated[
        float,
        typer.Option("--fault-rate", parser=number(0, 1), metavar="SHARE", help="Share of calls that fail on purpose."),
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", parser=whole_number(0), metavar="N", help="Seed of the faults.")] = 0,
) -> None:
    """Serve the built-in offline model over HTTP.

    For trying out a config, and for load tests. It is a rule-based program, not an LLM. A config uses it with the
    base_url that is printed.
    """
    from langmarl.llm.offline.server import serve  # a web server, which no other command needs

    free = _free_port(host, port)
    address = f"[{host}]" if ":" in host else host
    say("The offline model (a rule-based program, not an LLM) is served. Ctrl-C ends it. In a config:")
    say(f'  "llm": {{"model_string": "offline", "base_url": "http://{address}:{free}/v1", "api_key_env_var": null}}')
    with contextlib.suppress(KeyboardInterrupt):
        serve(host, free, latency_ms, fault_rate, seed)


def _free_port(host: str, port: int) -> int:
    """``port``, or a free one for 0, after making sure that it can be listened on.

    Raises:
        UserMistake: The address is taken, or not of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            return int(trial.getsockname()[1])
    except (OSError, UnicodeError) as error:
        raise UserMistake(
            f"port {port} of {host} cannot be listened on: {error}.", "Name another with --port or --host."
        ) from error
