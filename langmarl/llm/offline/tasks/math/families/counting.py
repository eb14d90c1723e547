"""Counting: sequences, ranges, pairs, posts and gaps, choices, chances, ratios."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from langmarl.llm.offline.tasks.math.families.pattern import find, list_of_numbers, value
from langmarl.llm.offline.tasks.math.numerals import number, numbers_in
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step

_NTH = r"#(?:st|nd|rd|th) term"


def _arithmetic_term(text: str) -> Plan | None:
    place = find(_NTH, text)
    rule = find(r"(?:starts? (?:at|with)|first term (?:is|of)?) ?#.*?(?:common )?difference (?:of |is )?#", text)
    if place is None or rule is None:
        return None
    return _nth_term(rule.group(1), rule.group(2), place.group(1))


def _listed_sequence(text: str) -> Plan | None:
    place = find(_NTH, text)
    listed = find(r"(?:sequence|begins|terms?) (?:begins |is |starts |with )?((?:\d+, ){2,}(?:\d+)?)", text)
    if place is None or listed is None:
        return None
    terms = list_of_numbers(listed.group(1))
    gaps = {later - earlier for earlier, later in pairwise(terms)}
    return _nth_term(str(terms[0]), str(gaps.pop()), place.group(1)) if len(gaps) == 1 else None


def _nth_term(start: str, difference: str, place: str) -> Plan:
    givens = (
        Quantity("first term", number(start)),
        Quantity("difference", number(difference)),
        Quantity("place", number(place)),
    )
    rule = "{first term} + {difference} * ({place} - 1)"
    return Plan(givens, (Step("the term", rule, hasty="{first term} + ({difference} * {place})"),))


def _geometric_term(text: str) -> Plan | None:
    place = find(_NTH, text)
    rule = find(r"(?:starts? (?:at|with)|first term (?:is|of)?) ?#.*?(?:common )?ratio (?:of |is )?#", text)
    if place is None or rule is None:
        return None
    givens = (
        Quantity("first term", value(rule, 1)),
        Quantity("ratio", value(rule, 2)),
        Quantity("place", value(place, 1)),
    )
    rule_text = "{first term} * ({ratio} ^ ({place} - 1))"
    return Plan(givens, (Step("the term", rule_text, hasty="{first term} * ({ratio} ^ {place})"),))


def _sum_of_terms(text: str) -> Plan | None:
    found = find(r"sum of the first # terms of the (?:arithmetic )?(?:sequence|series) ((?:\d+, ){2,}(?:\d+)?)", text)
    if found is None:
        return None
    terms = list_of_numbers(found.group(2))
    givens = (
        Quantity("first term", terms[0]),
        Quantity("difference", terms[1] - terms[0]),
        Quantity("number of terms", value(found, 1)),
    )
    last = Step(
        "the last term",
        "{first term} + ({difference} * ({number of terms} - 1))",
        hasty="{first term} + ({difference} * {number of terms})",
    )
    return Plan(givens, (last, Step("the sum", "({first term} + {the last term}) * {number of terms} / 2")))


def _multiples_in_range(text: str) -> Plan | None:
    found = find(r"multiples of # (?:are there )?(?:from|between) # (?:to|and) #", text)
    if found is None or not value(found, 1):
        return None
    givens = (
        Quantity("step", value(found, 1)),
        Quantity("lower end", value(found, 2)),
        Quantity("upper end", value(found, 3)),
    )
    count = "floor({upper end} / {step}) - floor(({lower end} - 1) / {step})"
    return Plan(givens, (Step("how many there are", count),))


def _numbers_in_range(text: str) -> Plan | None:
    found = find(
        r"how many (?:whole numbers|integers|numbers|pages)\b.*? "
        r"(?:from|between) (?:page )?# (?:to|and|through) (?:page )?#",
        text,
    )
    if found is None:
        return None
    givens = (Quantity("first", value(found, 1)), Quantity("last", value(found, 2)))
    return Plan(givens, (Step("how many there are", "{last} - {first} + 1", hasty="{last} - {first}"),))


def _handshakes(text: str) -> Plan | None:
    people = find(r"# (?:people|friends|players|guests|teams|children|men|women)", text)
    if people is None or find(r"(?:shakes? hands?|handshakes?|plays? .*?once .*?every other|each pair)", text) is None:
        return None
    pairs = Step("the pairs", "{people} * ({people} - 1) / 2", hasty="{people} * ({people} - 1)")
    return Plan((Quantity("people", value(people, 1)),), (pairs,))


def _posts(text: str) -> Plan | None:
    found = find(r"# ?~ long.*?every # ?~.*?(?:each end|both ends)", text)
    if found is None or not value(found, 3):
        return None
    givens = (Quantity("length", value(found, 1), found.group(2)), Quantity("gap", value(found, 3), found.group(4)))
    return Plan(givens, (Step("the posts", "{length} / {gap} + 1", hasty="{length} / {gap}"),))


def _choices(text: str) -> Plan | None:
    if find(r"how many (?:different )?(?:[\w-]+ )?(?:meals|outfits|combinations|choices|pairs|ways)", text) is None:
        return None
    counts = numbers_in(text.split("How many")[0].split("how many")[0])
    if len(counts) < 2 or find(r"(?:offers|has|owns|there are|with|choose from|choice of)", text) is None:
        return None
    givens = tuple(Quantity(f"choice {place}", count) for place, count in enumerate(counts, start=1))
    product = " * ".join(f"{{{item.name}}}" for item in givens)
    return Plan(givens, (Step("the combinations", product),))


def _arrangements(text: str) -> Plan | None:
    found = find(
        r"how many (?:different )?(?:ways|orders).*?\b# \w+.*?(?:arranged|ordered|lined up|in a row|in a line)", text
    )
    if found is None:
        return None
    return Plan((Quantity("things", value(found, 1)),), (Step("the arrangements", "{things}!"),))


def _chance(text: str) -> Plan | None:
    wanted = find(
        r"probability (?:that it is|of (?:drawing|picking|getting|choosing)|that the \w+ is)(?: an?)? ?(\w+)", text
    )
    if wanted is None:
        return None
    before = text[: wanted.start()]
    favourable = find(rf"# {wanted.group(1)}", before)
    listed = find(r"(?:holds|contains|has|there are|with) (.*?)(?:, and \w+ (?:is|are)|\. |$)", before)
    if favourable is None or listed is None:
        return None
    counts = numbers_in(listed.group(1))
    everything = Step("everything in it", f"sum({', '.join(str(item) for item in counts)})")
    chance = Step("the probability", "{favourable} / {everything in it}")
    return Plan((Quantity("favourable", value(favourable, 1)),), (everything, chance), as_fraction=True)


def _share_in_ratio(text: str) -> Plan | None:
    found = find(
        r"(\w+) and (\w+) (?:share|divide|split) # "
        r".*?ratio (?:of )?# ?(?::|to) ?#.*?how (?:many|much) .*?(?:does|will) (\w+)",
        text,
    )
    if found is None:
        return None
    first, second = value(found, 4), value(found, 5)
    parts = second if found.group(6).lower() == found.group(2).lower() else first
    givens = (
        Quantity("the total", value(found, 3)),
        Quantity("all parts", first + second),
        Quantity("the share's parts", parts),
    )
    return Plan(
        givens, (Step("one part", "{the total} / {all parts}"), Step("the share", "{one part} * {the share's parts}"))
    )


def _other_side_of_ratio(text: str) -> Plan | None:
    found = find(r"ratio of (\w+) to (\w+) .*?is # ?(?::|to) ?#.*?# (\w+).*?how many (\w+)", text)
    if found is None or not value(found, 3) or not value(found, 4):
        return None
    known, wanted = found.group(6).lower(), found.group(7).lower()
    sides = {found.group(1).lower(): value(found, 3), found.group(2).lower(): value(found, 4)}
    if known not in sides or wanted not in sides:
        return None
    givens = (
        Quantity(known, value(found, 5)),
        Quantity(f"parts of {known}", sides[known]),
        Quantity(f"parts of {wanted}", sides[wanted]),
    )
    return Plan(givens, (Step(wanted, f"{{{known}}} / {{parts of {known}}} * {{parts of {wanted}}}"),))


COUNTING: tuple[Callable[[str], Plan | None], ...] = (
    _geometric_term,
    _arithmetic_term,
    _listed_sequence,
    _sum_of_terms,
    _multiples_in_range,
    _numbers_in_range,
    _handshakes,
    _posts,
    _choices,
    _arrangements,
    _chance,
    _share_in_ratio,
    _other_side_of_ratio,
)
"""Readers of this family."""
