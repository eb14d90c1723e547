"""Python's own parser, for text of unknown origin; nothing of it is ever executed."""

from __future__ import annotations

import ast
import threading
import warnings

UNREAD = "<text to read>"
"""File name under which texts are parsed."""
# The compiler's remarks on them are no news for the user; a filter of this name disturbs no other code.
warnings.filterwarnings("ignore", module=UNREAD)

_TRIES = 5

_lock = threading.Lock()


def syntax_tree(source: str) -> ast.Module | None:
    """The syntax tree of ``source``, or None where it is not Python (or too deep for the parser). Thread-safe.

    CPython 3.11 and 3.12 count the parser's depth in one place for all threads: two at work at once make each other
    fail with a ``SystemError`` that says nothing about the text. The lock keeps ours apart; code that is not ours may
    still come between, hence the further tries.

    Raises:
        SystemError: It came between each time.
    """
    for remaining in reversed(range(_TRIES)):
        try:
            with _lock:
                return ast.parse(source, UNREAD)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        except SystemError:
            if not remaining:
                raise
    return None


def expression(source: str) -> ast.expr | None:
    """The one expression that ``source`` consists of, or None where it is anything else; raises as above."""
    tree = syntax_tree(source.strip())
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    return tree.body[0].value
