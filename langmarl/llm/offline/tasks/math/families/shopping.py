"""Prices, change, savings, and percentages that go up or down."""

from __future__ import annotations

import re
from collections.abc import Callable

from langmarl.llm.offline.tasks.math.families.pattern import find, value
from langmarl.llm.offline.tasks.math.numerals import NUMBER, number
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step
from langmarl.llm.offline.tasks.math.statement import asked_unit
from langmarl.llm.offline.tasks.math.units import unit_named

_MONEY = r"(dollars?|cents?)"
_DOWN = r"(?:reduced|discount|cheaper|off|falls?|drops?|shrinks?|loses|decreases?)"
_UP = r"(?:grows?|rises?|increases?|added|more|tip|raised|goes up|interest)"


def _percent_change(text: str) -> Plan | None:
    percent = find(r"#\s?(?:%|percent)", text)
    if percent is None or find(r"how many percent|what percent|what fraction", text):
        return None
    base = re.search(rf"(?<![\w.])({NUMBER})(?! ?(?:%|percent))(?:\s+(?:dollars|people|\w+))?", _without(text, percent))
    down, up = find(_DOWN, text), find(_UP, text)
    if base is None or (down is None and up is None):
        return None
    sign = "-" if down is not None else "+"
    givens = (Quantity("before", number(base.group(1))), Quantity("percentage", value(percent, 1)))
    change = Step("the change", "{before} * {percentage} / 100")
    if find(r"by how (?:much|many)|how (?:big|large) is the|how much is the (?:discount|tip)", text):
        return Plan(givens, (change,))
    return Plan(givens, (change, Step("after the change", f"{{before}} {sign} {{the change}}")))


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " + text[found.end() :]


def _fall_in_percent(text: str) -> Plan | None:
    found = find(rf"from # ?{_MONEY}? ?to # ?{_MONEY}?\b.*?(?:by )?(?:what|how many) percent", text)
    if found is None or not value(found, 1):
        return None
    before, after = value(found, 1), value(found, 3)
    difference = "{before} - {after}" if before > after else "{after} - {before}"
    steps = (Step("the difference", difference), Step("the percentage", "{the difference} * 100 / {before}"))
    return Plan((Quantity("before", before), Quantity("after", after)), steps)


def _part_in_percent(text: str) -> Plan | None:
    found = find(r"of # (\w+), # .*?what percent", text)
    if found is None or not value(found, 1):
        return None
    givens = (Quantity("whole", value(found, 1)), Quantity("part", value(found, 3)))
    return Plan(givens, (Step("the percentage", "{part} * 100 / {whole}"),))


def _fraction_left(text: str) -> Plan | None:
    found = find(r"# of (?:the|its|his|her|their) # .*?what fraction (.*)$", text)
    if found is None or not value(found, 2):
        return None
    givens = (Quantity("done", value(found, 1)), Quantity("whole", value(found, 2)))
    if find(r"still|left|remain|yet", found.group(3)) is None:
        return Plan(givens, (Step("the fraction", "{done} / {whole}"),), as_fraction=True)
    steps = (Step("what is left", "{whole} - {done}"), Step("the fraction", "{what is left} / {whole}"))
    return Plan(givens, steps, as_fraction=True)


def _change(text: str) -> Plan | None:
    bought = find(rf"\bbuys? # (?:\w+ )+?(?:at|for|costing) # {_MONEY} (?:each|apiece|a piece)", text)
    paid = find(rf"(?:pays with (?:a |an )?|has |with )# {_MONEY}", text)
    if bought is None or paid is None:
        return None
    into = asked_unit(text) or unit_named(paid.group(2))
    givens = (
        Quantity("pieces", value(bought, 1)),
        Quantity("price", value(bought, 2), unit_named(bought.group(3)), into),
        Quantity("paid", value(paid, 1), unit_named(paid.group(2)), into),
    )
    return Plan(givens, (Step("the cost", "{pieces} * {price}"), Step("what is left", "{paid} - {the cost}")))


def _two_prices(text: str) -> Plan | None:
    prices = _prices(text)
    question = re.search(rf"({NUMBER}) (\w+) and ({NUMBER}) (\w+)", text.split(". ")[-1])
    if len(prices) != 2 or question is None:
        return None
    givens = (
        Quantity(f"price of {prices[0][0]}", number(prices[0][1])),
        Quantity(f"price of {prices[1][0]}", number(prices[1][1])),
        Quantity(question.group(2), number(question.group(1))),
        Quantity(question.group(4), number(question.group(3))),
    )
    names = [f"{{{item.name}}}" for item in givens]
    return Plan(givens, (Step("the total", f"{names[2]} * {names[0]} + {names[3]} * {names[1]}"),))


def _prices(text: str) -> list[tuple[str, str]]:
    """What each thing costs: ``12 dollars for an adult`` or ``a pen costs 2 dollars``, as (thing, price)."""
    by_buyer = re.findall(rf"({NUMBER}) dollars for (?:an? |each )(\w+)", text)
    if by_buyer:
        return [(name, price) for price, name in by_buyer]
    return re.findall(rf"\b[Aa]n? (\w+) (?:costs )?({NUMBER}) dollars", text)


def _price_of_many(text: str) -> Plan | None:
    price = find(rf"\bcosts? # {_MONEY}(?: each)?\.", text)
    many = find(rf"how (?:many {_MONEY}|much) do(?:es)? # ", text)
    if price is None or many is None:
        return None
    into = unit_named(many.group(1) or price.group(2))
    givens = (
        Quantity("price", value(price, 1), unit_named(price.group(2)), into),
        Quantity("pieces", value(many, 2)),
    )
    return Plan(givens, (Step("the cost", "{price} * {pieces}"),))


def _savings(text: str) -> Plan | None:
    found = find(
        rf"(?:saves|earns|puts aside) # {_MONEY} (?:a|each|every|per) (\w+).*?\bcosts? # {_MONEY}.*?how many", text
    )
    if found is None or not value(found, 1):
        return None
    givens = (Quantity(f"a {found.group(3)}", value(found, 1)), Quantity("goal", value(found, 4)))
    return Plan(givens, (Step(f"the {found.group(3)}s", f"{{goal}} / {{a {found.group(3)}}}"),))


SHOPPING: tuple[Callable[[str], Plan | None], ...] = (
    _fall_in_percent,
    _part_in_percent,
    _fraction_left,
    _percent_change,
    _change,
    _two_prices,
    _price_of_many,
    _savings,
)
"""Readers of this family."""
