"""Whether a rewritten policy may replace the old one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from langmarl.policy import Policy, same_in_substance

_SHORTEST_TELLTALE = 5  # characters; shorter answers ("yes", "1984") stand in innocent sentences too


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a new policy was refused.

    Attributes:
        reason: One sentence.
        worth_retrying: Whether being told the reason may help the model.
    """

    reason: str
    worth_retrying: bool = False


def refusal_of(old: str, new: str, *, limit: int, references: Iterable[str] = ()) -> Refusal | None:
    """Why ``new`` may not replace ``old``; None where it may.

    Args:
        old: The policy's present text.
        new: The proposed text.
        limit: Longest learned part, in characters.
        references: Reference answers of this iteration's tasks: a policy must not carry answers.
    """
    before, after = Policy.parse(old), Policy.parse(new)
    if after.base != before.base:
        return Refusal("it changes the fixed base of the policy")
    if not after.learned:
        return Refusal("it is empty")
    if same_in_substance(before.learned, after.learned):
        return Refusal("it says the same as the present policy")
    if len(after.learned) > limit:
        return Refusal(f"it has {len(after.learned)} characters; at most {limit} are allowed", worth_retrying=True)
    leaked = _leaked(after.learned, before.text, references)
    if leaked is not None:
        return Refusal(f"it holds the answer of one task ({leaked!r}); write only what carries over", True)
    return None


def _leaked(learned: str, before: str, references: Iterable[str]) -> str | None:
    """The first reference answer that the new text holds as whole words and the old text did not."""
    text, known = _words(learned), _words(before)
    for reference in references:
        words = _words(reference)
        # Everyday lower-case words ("both", "increase") are advice as often as they are answers.
        telling = len(words.strip()) >= _SHORTEST_TELLTALE and (" " in words.strip() or reference != reference.lower())
        if telling and words in text and words not in known:
            return reference
    return None


def _words(text: str) -> str:
    """Casefolded words, each with a space on either side."""
    found = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(found)} "
