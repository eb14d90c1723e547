"""Reading a writing brief: what is asked for, and by which demands a text can be checked.

A brief is a writing task and a list of requirements in words. Each requirement is read by the rules below into one or
several demands. Rules are tried in order and use up the words they match; what is left over is something to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from langmarl.llm.offline.tasks.writing.points import Point, read_points
from langmarl.llm.offline.words import tokenize

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        tokenize(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty"
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}

TONES = {
    "friendly": "friendly kind welcoming amicable approachable",
    "warm": "warm heartfelt affectionate loving tender grateful personal",
    "cheerful": "cheerful upbeat lively festive enthusiastic happy joyful encouraging inviting motivating",
    "formal": "formal professional official businesslike",
    "polite": "polite courteous respectful tactful",
    "calm": "calm reassuring soothing neutral plain factual objective sober matter-of-fact",
}
TONE_OF_WORD = {word: tone for tone, words in TONES.items() for word in words.split()}


class Kind(StrEnum):
    """What a demand is about."""

    LENGTH = "length"
    GREETING = "greeting"
    CLOSING = "closing"
    SIGNATURE = "signature"
    TONE = "tone"
    READER = "reader"
    ACTION = "action"
    EXAMPLE = "example"
    LAYOUT = "layout"
    BAN = "ban"
    APOLOGY = "apology"
    THANKS = "thanks"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that a text can meet or miss.

    Attributes:
        kind: What it is about.
        subject: The thing itself: a tone, a layout, a forbidden mark or topic, a unit of length, a name to sign with.
        low: Smallest number allowed (length), else 0.
        high: Largest number allowed (length), or the sentence by which it must have come (apology); None where open.
        points: What must be said (content).
    """

    kind: Kind
    subject: str = ""
    low: int = 0
    high: int | None = None
    points: tuple[Point, ...] = ()

    @property
    def restrains(self) -> bool:
        """Whether saying nothing at all would meet it: limits, bans and sober tones."""
        no_floor = self.kind is Kind.LENGTH and self.low == 0
        return no_floor or self.kind is Kind.BAN or (self.kind is Kind.TONE and self.subject == "calm")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement in the brief's own words, and what it was read as (at least one demand)."""

    words: str
    demands: tuple[Demand, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """A writing task and its requirements."""

    prompt: str
    requirements: tuple[Requirement, ...]

    def demands(self, *kinds: Kind) -> list[Demand]:
        """Every demand of these kinds, in the brief's order; all of them where no kind is given."""
        found = [demand for requirement in self.requirements for demand in requirement.demands]
        return [demand for demand in found if not kinds or demand.kind in kinds]


_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+(?P<item>\S.*)$")


@lru_cache(maxsize=1024)
def read_brief(text: str) -> Brief:
    """Read a rendered writing task: ``Writing task: …``, then ``Requirements:`` and one bullet each.

    A brief without bullets is all prompt and no requirements.
    """
    prompt: list[str] = []
    requirements: list[Requirement] = []
    for line in text.strip().splitlines():
        bullet = _BULLET.match(line)
        if bullet:
            requirements.append(read_requirement(bullet["item"].strip()))
        elif line.strip() and not re.match(r"requirements?\s*:?\s*$", line.strip(), re.IGNORECASE):
            prompt.append(line.strip())
    task = re.sub(r"^writing task:\s*", "", " ".join(prompt), flags=re.IGNORECASE)
    return Brief(task, tuple(requirements))


def read_requirement(words: str) -> Requirement:
    """Read one requirement in words."""
    rest = words
    demands: list[Demand] = []
    for pattern, make in _RULES:
        demands.extend(make(match) for match in pattern.finditer(rest))
        rest = pattern.sub(" ", rest)
    rest = _without_joints(rest)
    if rest and (not demands or _speaks_of_content(rest)):
        demands.append(Demand(Kind.CONTENT, rest, points=read_points(rest)))
    return Requirement(words, tuple(demands))


def number(text: str) -> int:
    """The value of ``12``, ``1,200`` or ``twelve``."""
    return NUMBER_WORDS[text.lower()] if text.lower() in NUMBER_WORDS else int(text.replace(",", ""))


def _without_joints(text: str) -> str:
    """``text`` without the conjunctions and commas that rules have left dangling."""
    text = re.sub(r"\s+", " ", text).strip(" ,;")
    text = text if text.endswith(".m.") else text.rstrip(".")
    text = re.sub(r"^(?:and|but|then|with|in|also|please)\b[ ,]*", "", text, flags=re.IGNORECASE)
    return re.sub(r"[ ,]*\b(?:and|but|then|with|in|an?)$", "", text, flags=re.IGNORECASE).strip(" ,;")


_CONTENT_VERB = re.compile(
    r"(?:mention|include|name|state|give|say|explain|tell|note|describe|add|offer|invite|ask|list|point out|provide|"
    r"refer|remind|announce|specify|use|show|inform|report|for)\b",
    re.IGNORECASE,
)


def _speaks_of_content(rest: str) -> bool:
    return bool(_CONTENT_VERB.match(rest)) and len(rest.split()) > 1


_N = r"(\d[\d,]*|" + "|".join(NUMBER_WORDS) + r")"
_UNIT = r"[- ]?(?P<unit>words?|sentences?|lines?|verses?|paragraphs?|characters?)"
_END = r"(?:end|ends|finish|finishes|close|closes|conclude|concludes)"
_BEGIN = r"(?:begin|begins|start|starts|open|opens)"
_MANNER = "tone|style|voice|language|register|manner|mood"
_TONE_WORDS = "|".join(sorted(TONE_OF_WORD, key=len, reverse=True))


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower().rstrip("s")
    return "line" if unit == "verse" else unit


def _most(match: re.Match[str]) -> Demand:
    return Demand(Kind.LENGTH, _unit(match), high=number(match["high"]))


def _fewer(match: re.Match[str]) -> Demand:
    return Demand(Kind.LENGTH, _unit(match), high=number(match["high"]) - 1)


def _least(match: re.Match[str]) -> Demand:
    return Demand(Kind.LENGTH, _unit(match), low=number(match["low"]))


def _range(match: re.Match[str]) -> Demand:
    return Demand(Kind.LENGTH, _unit(match), number(match["low"]), number(match["high"]))


def _about(match: re.Match[str]) -> Demand:
    middle = number(match["low"])
    return Demand(Kind.LENGTH, _unit(match), round(middle * 0.8), round(middle * 1.2))


def _exactly(match: re.Match[str]) -> Demand:
    return Demand(Kind.LENGTH, _unit(match), number(match["low"]), number(match["low"]))


def _tone(match: re.Match[str]) -> Demand:
    return Demand(Kind.TONE, TONE_OF_WORD[match["tone"].lower()])


def _layout(match: re.Match[str]) -> Demand:
    word = match["layout"].lower()
    for layout, signs in _LAYOUTS.items():
        if re.search(signs, word):
            return Demand(Kind.LAYOUT, layout)
    return Demand(Kind.LAYOUT, "list")


_LAYOUTS = {"subject": "subject", "title": "title|headline|heading", "steps": "step|numbered", "question": "question"}


def _plain(kind: Kind) -> Callable[[re.Match[str]], Demand]:
    return lambda match: Demand(kind)


def _apology(match: re.Match[str]) -> Demand:
    place = match["place"]
    return Demand(Kind.APOLOGY, high=number(place) if place else (1 if match["first"] else None))


def _rule(pattern: str, make: Callable[[re.Match[str]], Demand]) -> tuple[re.Pattern[str], Callable[..., Demand]]:
    return re.compile(pattern, re.IGNORECASE), make


_RULES = (
    # Bans come first, so that "do not use the word grey" is not read as something to mention.
    _rule(
        r"\b(?:no|without(?: any)?|avoid|do not use|don't use|never use)(?: any)? "
        r"(?P<mark>exclamation|question) (?:marks?|points?)",
        lambda match: Demand(Kind.BAN, "!" if match["mark"].lower() == "exclamation" else "?"),
    ),
    _rule(
        r"\b(?:do not|don't|never|avoid|without|no)(?: use| using)?(?: of)? the words? "
        r"[\"'\u201c\u2018]?(?P<word>[\w-]+)[\"'\u201d\u2019]?",
        lambda match: Demand(Kind.BAN, f"word {match['word'].lower()}"),
    ),
    _rule(
        r"\b(?:do not|don't|never|avoid|without) (?P<what>blam\w+|accus\w+|mak\w+ excuses|excuses)[^;.,]*",
        lambda match: Demand(Kind.BAN, "excuses" if "excuse" in match["what"].lower() else "blame"),
    ),
    _rule(
        r"\b(?:do not|don't|never|avoid|without) (?:mention(?:ing)?|nam(?:e|ing)|includ(?:e|ing)|talk(?:ing)? about|"
        r"refer(?:ring)? to|say(?:ing)?) (?P<what>[^;.]+)",
        lambda match: Demand(Kind.BAN, f"topic {match['what'].strip()}"),
    ),
    # Length.
    _rule(rf"\b(?:between|from) (?P<low>{_N}) (?:and|to) (?P<high>{_N}){_UNIT}(?: long)?", _range),
    _rule(rf"\b(?P<low>{_N})(?: ?[-\u2013] ?| to )(?P<high>{_N}){_UNIT}(?: long)?", _range),
    _rule(
        r"\b(?:at most|no more than|not more than|maximum(?: of)?|max\.?|up to|do not exceed|not exceeding|within|"
        rf"no longer than|limit(?:ed)? to)(?: the)? (?P<high>{_N}){_UNIT}(?: long)?",
        _most,
    ),
    _rule(rf"\b(?:under|fewer than|less than|below|shorter than) (?P<high>{_N}){_UNIT}(?: long)?", _fewer),
    _rule(rf"\b(?:at least|no fewer than|no less than|minimum(?: of)?) (?P<low>{_N}){_UNIT}(?: long)?", _least),
    _rule(rf"\b(?:about|around|roughly|approximately) (?P<low>{_N}){_UNIT}(?: long)?", _about),
    _rule(rf"\b(?:exactly|precisely) (?P<low>{_N}){_UNIT}(?: long)?", _exactly),
    _rule(rf"^(?:in |use |write )?(?P<low>{_N}){_UNIT}(?: long| only)?$", _exactly),
    # Layout.
    _rule(
        rf"\b(?:(?:include|use|add|give|write|give it|put|{_BEGIN})(?: with| as| in)? )?(?:an? |the )?"
        r"(?:short |clear |fitting )?"
        r"(?P<layout>subject line|title|headline|heading|numbered (?:list|steps?)|bullet(?:ed)? (?:list|points?)|"
        r"bullets|question)\b(?! mark)(?: (?:to|for) the reader)?",
        _layout,
    ),
    # Beginning and end.
    _rule(
        rf"\b{_END} with (?:a |an |the )?(?:clear )?(?:call to action|what (?:the )?\w+ (?:should|can|must|could) do"
        r"(?: next)?|next steps?|request|appeal|invitation to \w+)|\b(?:include |add )?(?:a )?call to action",
        _plain(Kind.ACTION),
    ),
    _rule(
        rf"\b(?:(?:{_BEGIN} with|include|add|use|have) )?(?:an? |the )?(?:\w+ )?(?:greeting|salutation)|"
        r"\bgreet(?: the)? \w+",
        _plain(Kind.GREETING),
    ),
    _rule(r"\bsign(?:ed)?(?: it| off)? (?:as|with|by) (?P<name>[^;.]+)", lambda m: Demand(Kind.SIGNATURE, m["name"])),
    _rule(
        rf"\b(?:{_END} with |add |include |use )?(?:an? |the )?(?:\w+ )?"
        r"(?:sign-?off|closing(?: line| phrase| formula)?|complimentary close|signature|farewell line)\b|"
        rf"\b{_END} (?:politely|warmly|formally|kindly)",
        _plain(Kind.CLOSING),
    ),
    # Address, apology, thanks, example.
    _rule(
        r"(?<!the )(?<!an )(?<!mail )\b(?:address|speak to|talk to) (?:the )?(?:readers?|audience|\w+)"
        r"(?: (?:as|with) [\"'\u201c]?you[\"'\u201d]?| directly)?(?: in the second person)?",
        _plain(Kind.READER),
    ),
    _rule(
        r"\b(?:apologi[sz]e|say sorry|express regret|include an apology)(?: in the (?P<first>first) "
        rf"(?:(?P<place>{_N}) )?sentences?)?",
        _apology,
    ),
    _rule(r"\b(?:thank (?:the )?\w+|say thank you|express (?:thanks|gratitude))", _plain(Kind.THANKS)),
    _rule(
        r"\b(?:give |include |add |offer |use |with )?(?:an? |one |at least one )?(?:concrete |specific |real )?"
        r"examples?(?: of (?P<of>[^;.]+))?",
        lambda match: Demand(Kind.EXAMPLE, match["of"] or ""),
    ),
    # Tone.
    _rule(
        r"\b(?:(?:use|in|keep|write in|with|be|sound)(?: (?:an?|the|it))? )?"
        rf"(?P<tone>{_TONE_WORDS})(?:(?: and|,) (?=(?:{_TONE_WORDS})\b)| (?:in )?(?:{_MANNER})\b)",
        _tone,
    ),
    _rule(rf"\b(?:{_MANNER})(?: should be| must be| is|:) (?P<tone>{_TONE_WORDS})\b", _tone),
    _rule(rf"^(?:be|sound|keep it|stay|remain|make it)? ?(?P<tone>{_TONE_WORDS})$", _tone),
)
