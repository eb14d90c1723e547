"""HotPotQA's official answer metrics.

After hotpot_evaluate_v1.py of the benchmark's authors (Yang et al., 2018, https://arxiv.org/abs/1809.09600).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

from langmarl.envs.language.formats import Task
from langmarl.envs.language.reward import LanguageReward, Score

CLOSED_ANSWERS = frozenset({"yes", "no", "noanswer"})
PUNCTUATION = str.maketrans("", "", string.punctuation)


class QAReward(LanguageReward):
    """The whole message against the reference answer: the reward is F1; exact match is reported beside it."""

    rule = (
        "only the last message counts. Its words are compared with the reference answer, which is a name, a date, "
        "a few words, or yes or no. The reward is 1 where the last message is that answer and nothing else. Every "
        "other word in it, true or not, lowers the reward: a whole sentence around the right answer earns less than "
        "half, and around yes or no nothing."
    )

    def score(self, task: Task, message: str) -> Score:
        """F1 in [0, 1]; details ``em`` (0 or 1), ``f1``, ``reason`` (in words) and ``predicted``."""
        answer = task["answer"]
        f1 = f1_score(message, answer)
        details = {"em": exact_match(message, answer), "f1": f1, "reason": in_words(message, answer)}
        return Score(f1, {**details, "predicted": message.strip()})


def normalize_answer(text: str) -> str:
    """Lower case, then without ASCII punctuation, then without a, an, the, then with single spaces."""
    bare = text.lower().translate(PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def exact_match(prediction: str, answer: str) -> float:
    """1.0 where both are the same after normalisation, else 0.0."""
    return float(normalize_answer(prediction) == normalize_answer(answer))


def f1_score(prediction: str, answer: str) -> float:
    """Harmonic mean of precision and recall over the words in common, each counted as often as it is in both.

    Yes, no and noanswer are all or nothing: a longer text that holds the word gets 0. So do two empty texts, which
    have no word in common.
    """
    predicted, expected = normalize_answer(prediction), normalize_answer(answer)
    if predicted != expected and (predicted in CLOSED_ANSWERS or expected in CLOSED_ANSWERS):
        return 0.0
    words, expected_words = predicted.split(), expected.split()
    common = _in_common(words, expected_words)
    if common == 0:
        return 0.0
    precision, recall = common / len(words), common / len(expected_words)
    return 2 * precision * recall / (precision + recall)


def in_words(prediction: str, answer: str) -> str:
    """Why F1 is what it is: one sentence, without a word of either text.

    A critic that only reads a number seldom finds out that a right answer was lost among other words.
    """
    said, reference = normalize_answer(prediction), normalize_answer(answer)
    if said == reference:
        return "the final message is the reference answer and nothing else"
    if said in CLOSED_ANSWERS or reference in CLOSED_ANSWERS:
        return "yes and no count only where they are the whole message, and it is something else"
    words, expected = said.split(), reference.split()
    common = _in_common(words, expected)
    if common == 0:
        return "the final message has no word of the reference answer"
    found = "every word" if common == len(expected) else f"{common} of the {len(expected)} words"
    return (
        f"the final message has {found} of the reference answer{_beside(len(words) - common, len(expected) - common)}"
    )


def _beside(others: int, missing: int) -> str:
    if others == 0:
        return "" if missing else ", in another order"
    words = "1 other word" if others == 1 else f"{others} other words"
    return f", and {words}: every word that is not in the reference answer lowers the score"


def _in_common(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words both have, each counted as often as it is in both."""
    return (Counter(words) & Counter(others)).total()
