"""Words that make a tone of voice, and words that break it."""

from __future__ import annotations

from dataclasses import dataclass

_SLANG = ("hey", "guys", "gonna", "wanna", "awesome", "cool", "super", "yeah", "lol", "folks", "cheers", "no worries")
_STIFF = (
    "hereby", "shall", "failure to", "pursuant", "comply", "strictly", "at your earliest", "aforementioned",
    "be advised", "mandatory", "non-compliance", "penalt\\w+",
)  # fmt: skip
_HARSH = ("stupid", "ridiculous", "immediately", "you have failed", "nonsense", "shut up", "idiot\\w*", "or else")
_KIND = (
    "thank\\w*", "glad", "happy", "happily", "welcome", "please", "kind\\w*", "warm\\w*", "hope", "wonderful", "lovely",
    "hello", "hi", "enjoy\\w*", "delight\\w*", "looking forward", "look forward", "cheer\\w*", "smil\\w+", "love",
    "appreciat\\w+", "grateful", "dear", "sweet\\w*", "gentle", "heart\\w*", "pleasure", "pleased", "best wishes",
    "see you", "all the best", "miss", "joy\\w*", "treasure\\w*", "hug", "together", "don't worry", "patience",
)  # fmt: skip
_GAY = (
    *_KIND, "fun", "celebrat\\w+", "sing", "music", "sunshine", "bright\\w*", "great", "laugh\\w*", "surpris\\w+",
    "can't wait", "every", "can help", "make a difference", "exciting", "excited", "party",
)  # fmt: skip
_POLITE = (
    "please", "thank\\w*", "kind\\w*", "would", "appreciat\\w+", "sorry", "apologi\\w+", "grateful", "could you",
    "may we", "if you", "regards", "sincerely", "respectfully", "dear", "your understanding", "invite", "happy to",
)  # fmt: skip
_CORRECT = (
    "dear", "sincerely", "regards", "would", "kindly", "respectfully", "apologi\\w+", "please", "faithfully",
    "we are writing", "i am writing", "on behalf of", "request\\w*", "inform\\w*", "regret\\w*", "should you",
    "gratitude", "consider\\w*", "assure", "inconvenience", "appreciat\\w+", "offer",
)  # fmt: skip
_LOUD = (
    "amazing", "fantastic", "incredible", "terribl\\w+", "horribl\\w+", "panic\\w*", "urgent\\w*", "disaster\\w*",
    "love", "hate", "awful", "unbelievable", "deadly", "wow", "shocking", "catastroph\\w+",
)  # fmt: skip
_CONTRACTION = r"\w+(?:n't|'re|'ll|'ve|'m)|(?:it|that|let|here|there)'s"


@dataclass(frozen=True, slots=True)
class Tone:
    """Words that make a tone, how many different ones are enough, and words that break it."""

    makes: tuple[str, ...]
    enough: int
    breaks: tuple[str, ...]
    shouting_breaks: bool


TONES = {
    "friendly": Tone(_KIND, 2, _STIFF + _HARSH, False),
    "warm": Tone(_KIND, 2, _STIFF + _HARSH, False),
    "cheerful": Tone(_GAY, 2, _STIFF + _HARSH, False),
    "polite": Tone(_POLITE, 2, _HARSH + _STIFF + ("hey", "guys", "gonna"), False),
    "formal": Tone(_CORRECT, 2, (*_SLANG, *_HARSH, "hi", _CONTRACTION), True),
    "calm": Tone((), 0, _LOUD + _HARSH + _SLANG, True),
}
