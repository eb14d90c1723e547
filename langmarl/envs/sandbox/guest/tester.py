"""The program of the second sandbox: executes the tests, with a stand-in for the function they test.

The code under test never runs here; it is passed on as text. The verdict leaves through a descriptor that only
this process holds.
"""

from __future__ import annotations

import builtins

from langmarl.envs.sandbox.guest.confinement import confine
from langmarl.envs.sandbox.guest.values import MalformedError, NotPlainError, TooLargeError, receive, send

TYPE_CHECKING = False  # not typing's own: importing `typing` takes longer than the check
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

TESTS = "<tests>"
_REPR_CHARS = 120
ENDS_LOOPS = (StopIteration, StopAsyncIteration)
"""Raised inside `map`, these would end the tests' loop as if it were done."""
_NO_RESULT = "the program wrote something else into the channel of its results"
_REASON_CHARS = 600


class Unusable(BaseException):
    """The candidate is beyond use: gone, or answering with what is no plain value.

    Not an `Exception`, so that tests which expect one do not take it for theirs.
    """

    def __init__(self, outcome: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome, self.reason = outcome, reason


class Candidate:
    """Calls the function in the other sandbox; arguments and results are copies.

    Attributes:
        failure: Why no verdict but a failure is possible any more, whatever the tests make of it.
        error: The exception that the last call raised.
        last_call: The last call and what came of it, in words.
    """

    def __init__(self, requests: int, replies: int, name: str) -> None:
        self._requests, self._replies = requests, replies
        self.__name__ = name
        self.failure: Unusable | None = None
        self.error: Exception | None = None
        self.last_call = ""

    def wait_until_ready(self) -> bool:
        """Whether the other sandbox came up; nothing of the program has run by then."""
        try:
            return bool(receive(self._replies) == ("ready",))
        except (EOFError, MalformedError):
            return False

    def load(self, source: str, seed: int | None) -> None:
        """Have the program executed. Raises `Unusable` where it fails."""
        try:
            self._ask((source, self.__name__, seed))
        except Exception as error:
            raise self._fail("invalid_program", f"the program does not load: {describe(error)}") from None
        except Unusable as failure:
            if failure.outcome == "not_plain":
                raise self._fail("invalid_program", failure.reason) from None
            raise

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function under test."""
        if self.failure:
            raise self.failure
        self.error = None
        shown = [brief(value) for value in args] + [f"{key}={brief(value)}" for key, value in kwargs.items()]
        call = f"{self.__name__}({', '.join(shown)})"
        self.last_call = f"{call} did not return"
        try:
            result = self._ask((list(args), kwargs))
        except Exception as error:
            self.error = error
            self.last_call = f"{call} raised {describe(error)}"
            raise
        self.last_call = f"{call} returned {brief(result)}"
        return result

    def _ask(self, request: tuple[Any, ...]) -> Any:
        try:
            send(self._requests, request)
            reply = receive(self._replies)
        except TooLargeError as error:  # tests hand results on as arguments; the fault may be the program's
            raise self._fail("not_plain", f"an argument of the tests: {error}") from None
        except NotPlainError as error:
            raise self._fail("broken_tests", f"an argument of the tests is not a plain value: {error}") from None
        except (EOFError, OSError):
            raise self._fail("crashed", "the program ended before the tests did") from None
        except MalformedError:
            raise self._fail("crashed", _NO_RESULT) from None
        except MemoryError:
            raise self._fail("not_plain", "a result is too large") from None
        match reply:
            case ("returned", value):
                return value
            case ("raised", [*names], tuple(args), str(text)):
                raise self._exception(names, args, text)
            case ("unusable", str(reason)):
                raise self._fail("not_plain", reason)
            case _:
                raise self._fail("crashed", _NO_RESULT)

    def _exception(self, names: list[Any], args: tuple[Any, ...], text: str) -> BaseException:
        """The nearest built-in exception; one that is no `Exception` (``SystemExit``) or ends loops is a failure."""
        for name in names:
            kind = getattr(builtins, name, None) if isinstance(name, str) else None
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                continue
            if kind in ENDS_LOOPS:
                break
            try:
                return kind(*args)
            except Exception:
                continue  # it takes other arguments; every exception has a base that takes any
        return self._fail("raised", f"the program raised {brief(names[0]) if names else 'nothing'}: {text}")

    def _fail(self, outcome: str, reason: str) -> Unusable:
        self.failure = Unusable(outcome, reason)
        return self.failure


def main(channels: tuple[int, int, int, int], cpu_s: int, user: int) -> None:
    """Judge one program.

    Frame in: ``(prelude, source, entry_point, tests)``. Frames out: ``("started", ok)`` once both sandboxes are up,
    then ``(outcome, reason)``.
    """
    jobs, verdicts, requests, replies = confine(channels, cpu_s, user)
    prelude, source, entry_point, tests = receive(jobs)
    candidate = Candidate(requests, replies, entry_point)
    started = candidate.wait_until_ready()
    send(verdicts, ("started", started))
    if started:
        outcome, reason = judge(candidate, prelude, source, tests)
        send(verdicts, (outcome, reason[:_REASON_CHARS]))


def judge(candidate: Candidate, prelude: str, source: str, tests: str) -> tuple[str, str]:
    """Outcome and reason. A failure of the candidate stands, even where the tests swallowed it."""
    try:
        candidate.load(source, seed_for(source))
        outcome, reason = _run_tests(candidate, prelude, tests)
    except Unusable as failure:
        return failure.outcome, failure.reason
    if candidate.failure:
        return candidate.failure.outcome, candidate.failure.reason
    return outcome, reason


def seed_for(source: str) -> int | None:
    """The seed of `random`, so that the same program gets the same verdict twice; None where it is not used."""
    return 0 if "random" in source else None


def _run_tests(candidate: Candidate, prelude: str, tests: str) -> tuple[str, str]:
    if seed_for(tests) is not None:
        import random

        random.seed(seed_for(tests))
    namespace: dict[str, Any] = {"__name__": "tests"}
    try:
        exec(_compile_prelude(prelude), namespace)
        namespace[candidate.__name__] = candidate
        exec(compile(tests, TESTS, "exec"), namespace)
    except (Exception, SystemExit) as error:
        if candidate.last_call and isinstance(error, Exception):  # tests that call the function by its name right away
            return _outcome(error, candidate), _explain(error, candidate, tests)
        return "broken_tests", f"the tests do not load: {describe(error)}"
    if "check" not in namespace:
        return "broken_tests", "the tests do not define check(candidate)"
    try:
        namespace["check"](candidate)
    except Exception as error:
        return _outcome(error, candidate), _explain(error, candidate, tests)
    except SystemExit:
        return "broken_tests", "the tests end their own process"
    return "passed", "all tests passed"


def _compile_prelude(prelude: str) -> CodeType:
    """The prelude may stop where the program is to go on; one that is no Python at all defines nothing."""
    for text in (prelude, f"{prelude}\n    pass\n"):
        try:
            return compile(text, "<prelude>", "exec")
        except (SyntaxError, ValueError):
            continue
    return compile("", "<prelude>", "exec")


def _outcome(error: Exception, candidate: Candidate) -> str:
    if error is candidate.error:
        return "raised"
    return "broken_tests" if isinstance(error, NameError) else "wrong_answer"


def _explain(error: Exception, candidate: Candidate, tests: str) -> str:
    line = _failed_line(error, tests)
    what = "failed" if type(error) is AssertionError else f"raised {describe(error)}"
    parts = [f"`{line}` {what}" if line else what]
    if candidate.last_call and error is not candidate.error:
        parts.append(candidate.last_call)
    return "; ".join(parts)


def _failed_line(error: Exception, tests: str) -> str:
    number, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == TESTS:
            number = step.tb_lineno
        step = step.tb_next
    lines = tests.split("\n")
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def describe(error: BaseException) -> str:
    """Name and text of an exception that somebody else defined."""
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def brief(value: object) -> str:
    """A value as Python writes it, cut to a line."""
    try:
        text = repr(value)
    except Exception:  # an int of more than 4300 digits has no decimal form
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= _REPR_CHARS else text[: _REPR_CHARS - 1] + "…"
