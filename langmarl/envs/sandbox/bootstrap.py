"""How a guest program starts in a sandbox where this package does not exist."""

from __future__ import annotations

import marshal
from functools import cache
from importlib.resources import files

from langmarl.envs.sandbox.interpreter import running_interpreter

_GUEST = "langmarl.envs.sandbox.guest"
_OPTIONS = ("-s", "-S", "-P", "-B")

_BOOT = """
import marshal, sys
for name, code in marshal.loads(bytes.fromhex({code!r})):
    module = sys.modules[name] = type(sys)(name)
    exec(code, module.__dict__)
module.main(*{arguments!r})
"""


def boot_command(program: str, channels: tuple[int, ...], cpu_s: int, user: int) -> list[str]:
    """The command that runs ``guest.<program>.main(channels, cpu_s, user)`` in a bare interpreter.

    The modules travel inside the command, compiled once here by the interpreter that will load them; compiling them in
    each sandbox would take longer than most checks.
    """
    boot = _BOOT.format(code=_compiled(program), arguments=(channels, cpu_s, user))
    return [str(running_interpreter().executable), *_OPTIONS, "-c", boot]


@cache
def _compiled(program: str) -> str:
    names = ("values", "confinement", program)
    sources = {name: files(_GUEST).joinpath(f"{name}.py").read_text(encoding="utf-8") for name in names}
    modules = [(f"{_GUEST}.{name}", compile(text, f"<{name}>", "exec")) for name, text in sources.items()]
    return marshal.dumps(modules).hex()
