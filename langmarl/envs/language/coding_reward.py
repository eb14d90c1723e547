"""Programs by running their tests in the sandbox."""

from __future__ import annotations

import ast
import re
import textwrap

from langmarl.envs.language.formats import Task
from langmarl.envs.language.reward import LanguageReward, Score
from langmarl.envs.sandbox import check_program
from langmarl.errors import LangMARLError
from langmarl.syntax import UNREAD, syntax_tree

BLOCK = re.compile(
    r"^[ \t]*```[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<code>.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE
)
FUTURE_IMPORT = re.compile(r"^from __future__ import .*\n?", re.MULTILINE)


class CodingReward(LanguageReward):
    """1 where the program passes the task's tests in the sandbox, else 0.

    Args:
        timeout_s: Seconds that the program may take over all its tests.
    """

    rule = (
        "only the last message counts. The program in its last Python block is run against tests that the agents "
        "do not see. The reward is 1 where it passes them all in time, and else 0."
    )

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s

    def score(self, task: Task, message: str) -> Score:
        """Details: ``outcome`` and ``reason`` of the verdict, ``predicted`` (the code taken from the message).

        Raises:
            LangMARLError: The task's own tests are broken, or the sandbox is; the episode is lost.
            UserMistake: There is no sandbox on this machine.
        """
        code = extract_code(message)
        verdict = check_program(
            assemble_program(task["prompt"], task["entry_point"], code),
            task["entry_point"],
            task["tests"],
            timeout_s=self._timeout_s,
            prelude=task["prompt"],
        )
        if verdict.outcome == "broken_tests":
            raise LangMARLError(f"the tests of task {task['id']} cannot be passed: {verdict.reason}")
        details = {"outcome": verdict.outcome, "reason": verdict.reason, "predicted": code}
        return Score(float(verdict.passed), details)


def extract_code(message: str) -> str:
    """The last Python block, else the last unlabelled one, else the whole message.

    A block that never closes runs to the end of the message.
    """
    blocks = [(match["language"].lower(), match["code"]) for match in BLOCK.finditer(message)]
    for labels in ({"python", "py", "python3"}, {""}):
        labelled = [code for language, code in blocks if language in labels]
        if labelled:
            return labelled[-1]
    return message


def assemble_program(prompt: str, entry_point: str, code: str) -> str:
    """A whole program of the task's prompt and the code, which is the function itself or the rest of it.

    Where the code defines the function, only what stands before it in the prompt is kept (imports, helpers). Else the
    code goes on where the prompt ends, indented if it is not.
    """
    if _defines(code, entry_point):
        preamble = re.split(rf"^(?=(?:async )?def {re.escape(entry_point)}\b)", prompt, maxsplit=1, flags=re.MULTILINE)
        before = preamble[0] if len(preamble) > 1 else ""
        return _future_first(f"{before.rstrip()}\n\n\n{code.strip()}\n" if before.strip() else f"{code.strip()}\n")
    head = prompt if prompt.endswith("\n") else f"{prompt}\n"
    sources = [f"{head}{body.rstrip()}\n" for body in _bodies(code)]
    return next(filter(_compiles, sources), sources[0])


def _bodies(code: str) -> list[str]:
    """Readings of a completion, the likeliest first: models drop its indentation, or that of its first line only."""
    body = code.strip("\r\n")
    indented = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return [body, indented] if body[:1].isspace() else [indented, f"    {body}"]


def _defines(code: str, name: str) -> bool:
    """Whether the code gives ``name`` a meaning at its top level; a syntax error further down does not matter."""
    tree = syntax_tree(code.strip())
    if tree is None:
        return re.search(rf"^(?:async )?def {re.escape(name)}\b", code, re.MULTILINE) is not None
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    defined = {node.name for node in tree.body if isinstance(node, definitions)}
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return name in defined | assigned


def _compiles(source: str) -> bool:
    try:
        compile(source, UNREAD, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _future_first(source: str) -> str:
    """Python takes ``from __future__`` imports at the very top only."""
    futures = FUTURE_IMPORT.findall(source)
    if not futures:
        return source
    return "".join(f"{line.rstrip()}\n" for line in futures) + FUTURE_IMPORT.sub("", source)
