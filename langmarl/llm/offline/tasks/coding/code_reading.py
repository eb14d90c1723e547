"""Reading a message that should hold a function: is it code, whose function is it, and which known piece is it?"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass

from langmarl.llm.offline.tasks.coding.request import Request
from langmarl.llm.offline.tasks.coding.snippet import FORESIGHT, Foresight, Snippet
from langmarl.llm.offline.tasks.coding.synthesis import candidates
from langmarl.syntax import syntax_tree

_BLOCK = re.compile(r"^[ \t]*```[ \t]*(?:python|py|python3)?[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)

_REST = "rest_of_a_function"


@dataclass(frozen=True, slots=True)
class Written:
    """What a message holds.

    Attributes:
        fenced: Whether the code stands in a block.
        parses: Whether it is Python, as a whole function or as the rest of one.
        names: The functions it defines.
        prints: Whether the function prints and never gives anything back.
        body: The function's body in a normal form, for comparison; empty where there is none.
    """

    fenced: bool
    parses: bool
    names: tuple[str, ...]
    prints: bool
    body: str


def read_code(message: str) -> Written:
    """What ``message`` holds; nothing of it is executed."""
    blocks = _BLOCK.findall(message)
    code = blocks[-1] if blocks else message
    tree = _parsed(code)
    if tree is None:
        return Written(bool(blocks), False, (), False, "")
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    body = functions[-1].body
    names = tuple(function.name for function in functions if function.name != _REST)
    returns = any(isinstance(node, ast.Return) and node.value is not None for part in body for node in ast.walk(part))
    prints = any(_is_print(node) for part in body for node in ast.walk(part))
    return Written(bool(blocks), True, names, prints and not returns, _normal(body))


def _parsed(code: str) -> ast.Module | None:
    """The syntax tree of a function, or of the rest of one put under a header of our own."""
    rest = f"def {_REST}():\n{textwrap.indent(textwrap.dedent(code), '    ')}"
    for source in (code, rest):
        tree = syntax_tree(source)
        if tree is not None and any(isinstance(node, ast.FunctionDef) for node in tree.body):
            return tree
    return None


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _normal(body: list[ast.stmt]) -> str:
    """The statements without docstring, spacing and comments; a printed result counts as a returned one."""
    lines = [ast.unparse(node) for node in body if not _is_docstring(node)]
    return re.sub(r"^print\((.*)\)$", r"return \1", "\n".join(lines), flags=re.MULTILINE)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A known piece of code, and the special inputs its author thought of."""

    snippet: Snippet
    foresight: Foresight


def recognise(request: Request, body: str) -> Recognised | None:
    """The piece of the library that ``body`` (in normal form) is, or None where it is something else."""
    for snippet in candidates(request):
        for foresight in _ALL:
            if normal_body(request, snippet, foresight) == body:
                return Recognised(snippet, foresight)
    return None


def normal_body(request: Request, snippet: Snippet, foresight: Foresight) -> str:
    """``snippet`` as a body for ``request``, in normal form."""
    tree = _parsed(snippet.body(request.parameters, request.returns, foresight))
    return _normal(tree.body[-1].body) if tree is not None and isinstance(tree.body[-1], ast.FunctionDef) else ""


# The least foresight first: where two give the same code, its author is credited with no more than it shows.
_ALL = tuple(
    Foresight(**{name: bool(bits >> place & 1) for place, name in enumerate(FORESIGHT)})
    for bits in range(2 ** len(FORESIGHT))
)
