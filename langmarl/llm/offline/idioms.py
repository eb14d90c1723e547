"""Set phrases that would mislead a word-by-word reading, rewritten into plainer words before anything is split."""

from __future__ import annotations

import re

_EXCEPT = r"(?:but|except(?: for)?|besides|other than|beyond|more than|in addition to|apart from|aside from|save)"

_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[\u2018\u2019\u02bc]", "'"),
        (r"\b(?:e\.g|i\.e|etc|cf|vs)\.", " "),
        (r"\bcan't\b|\bcannot\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"n't\b", " not"),
        (r"\b(you|we|they|i)'(re|ve|ll|d|m)\b", r"\1"),
        (r"\b(it|that|there|what|who|here)'s\b", r"\1 is"),
        (r"\bdont\b", "do not"),
        # An answer, not a negation.
        (r"\byes[\"']?(?:\s*/\s*|-(?:or|and)-|\s*,?\s+(?:or|and)\s+)(?:a )?[\"']?no\b[\"']?", "yesno"),
        (r"\b(?:a (?:plain |simple |bare )?|[\"'])no\b(?=[\"']|\s*[.,;]|$)", "yesno"),
        # Emphasis that holds a negation but negates nothing.
        (r"\b(?:no matter (?:what|how|who|which|where)?|without (?:fail|exception|doubt|question)|no doubt)\b", " "),
        (r"\b(?:whether or not|if not|if so|not to mention)\b", " "),
        (r"\bno less than\b|\bnot less than\b|\bno fewer than\b", "at least"),
        (r"\bno later than\b", "by"),
        # "nothing but X" and its kin mean "only X".
        (r"\b(?:no|not|never) (?:be )?(?:more|longer|further|greater) than\b|\bnot exceed(?:ing)?\b", "at most"),
        (rf"\b(?:not|never) (?:to )?(\w+) (?:down |out )?any(?:thing|one)(?: else)? {_EXCEPT}\b", r"\1 only"),
        (rf"\b(?:nothing|none|no (?:other )?\w+)(?: else)? {_EXCEPT}\b", "only"),
        (
            r"\b(?:and |but )?not (?:a|one|a single) (?:single )?(?:word|syllable|letter|bit) "
            r"(?:more|extra|beyond that|else)\b",
            "only",
        ),
        (
            r",? (?:full stop|period|end of story|(?:and )?that is (?:it|all)|and stop there)(?=\s*(?:[.!;]|$))",
            " only",
        ),
        (r"\bnothing (?:else|more|further|extra|besides)\b", "only"),
        (r"\bno (?:more|less|further)(?=\s*(?:[.,;!]|$))", "only"),
        (r"\b(?:not|never) (?:\w+ ){1,2}(?:anything|any) (?:else|more|further)\b", "only"),
        (
            r"\b(?:strip|remove|drop|cut|omit|leave out|delete|skip|lose)(?: away| out)? "
            r"(?:everything|anything|all)(?: else)?(?: \w+){0,4}? (?:except|but|besides)(?: for)?\b",
            "only",
        ),
        (r"\bnot (?:even )?bother (?:to|with|about)\b|\bnot (?:even )?bother\b", "not"),
        (r"\bwhere ((?:\w+ ){1,4}?)(?:left off|stopped|ended|broke off)\b", r"from \1"),
        (r"\bnothing (?=about|of|on|regarding|concerning|as to)", "not "),
        (r"\banything but\b", "not"),
        (r"\bnot until\b", "only after"),
    )
)

_NOT_ONLY = re.compile(r"\b(?:do |does |should |must )?not (?:only|just|merely|simply|solely)\b")
_GOES_ON = re.compile(r"\b(?:but|also|as well)\b")


def plain(line: str) -> str:
    """``line`` in lower case, contractions opened and set phrases rewritten."""
    text = line.lower()
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return _not_only(text)


def _not_only(text: str) -> str:
    """ "Not only A but also B" asks for both; a bare "do not just A" tells you that A will not do."""
    found = _NOT_ONLY.search(text)
    if found is None:
        return text
    sentence_end = re.search(r"[.!?;\n]", text[found.end() :])
    end = found.end() + (sentence_end.start() if sentence_end else len(text))
    rest = text[found.end() : end]
    if _GOES_ON.search(rest):
        return text[: found.start()] + re.sub(r"\bbut\b", "and", rest) + _not_only(text[end:])
    return text[: found.start()] + "do not" + rest + _not_only(text[end:])
