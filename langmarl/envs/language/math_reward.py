"""Mathematical answers by equivalence."""

from __future__ import annotations

from typing import Any

from langmarl.envs.language.formats import Task
from langmarl.envs.language.math_answers import candidates, written_alike
from langmarl.envs.language.math_equivalence import Comparison, MathWorker, shared_worker
from langmarl.envs.language.reward import LanguageReward, Score


class MathReward(LanguageReward):
    """1 where the message's answer equals the reference, else 0.

    The answer is what the last box holds, else the last expression (see ``math_answers.candidates``). The same
    spelling is equal; otherwise math-verify decides.

    Args:
        worker: Where math-verify runs; None for the one that this Python process shares.
    """

    rule = (
        "only the last message counts. The reward is 1 where its answer, the content of its last \\boxed{}, else its "
        "last expression, is equal to the reference answer, and else 0."
    )

    def __init__(self, worker: MathWorker | None = None) -> None:
        self._worker = worker or shared_worker()

    def score(self, task: Task, message: str) -> Score:
        """Details: ``predicted`` (None where nothing was read), ``unparsed``, and ``timed_out`` where it did."""
        comparison = self._compare(task["answer"], message)
        details: dict[str, Any] = {
            "predicted": comparison.read,
            "unparsed": comparison.outcome == "unparsed",
            "reason": comparison.outcome,
        }
        return Score(float(comparison.outcome == "equal"), details)

    def _compare(self, answer: str, message: str) -> Comparison:
        found = candidates(message)
        for candidate in found:
            if candidate.form != "prose" and written_alike(answer, candidate.text):
                return Comparison("equal", candidate.text)
            if candidate.form != "words":
                break  # a later candidate counts only if this one cannot be read
        return self._worker.compare(answer, found) if found else Comparison("unparsed")
