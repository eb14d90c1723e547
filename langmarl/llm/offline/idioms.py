"""Set phrases that would mislead a word-by-word reading, rewritten into plainer words before anything is split."""

from __future__ import annotations

import re

_EXCEPT = r"(?:but|except(?: for)?|besides|other than|beyond|more than|in addition to|apart from|aside from|save)"

_BEING = r"is|are|be|goes|gets|may be|must be|should be|is to be|can be|will be"
_LACKING = (
    r"missing|left out|left behind|left unsaid|forgotten|lost|omitted|overlooked|skipped|dropped|neglected|lacking"
)

_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[\u2018\u2019\u02bc]", "'"),
        (r"\b(?:e\.g|i\.e|etc|cf|vs)\.", " "),
        (r",? and so (?:on|forth)\b", " "),
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
        # Two negations that make a demand: "nothing may be missing".
        (rf"\b(?:nothing|none)((?: [\w']+){{0,6}}?) (?:{_BEING}) (?:{_LACKING})\b", r"everything\1 is there"),
        (rf"\bno (?:single )?([\w']+(?: [\w']+){{0,6}}?) (?:{_BEING}) (?:{_LACKING})\b", r"every \1 is there"),
        # "Strip X down to Y" takes nothing away from Y.
        (
            r"\b(?:strip|cut|trim|pare|boil|whittle)(ped|ting|ping|ming|ing|ling|s|d|med)? "
            r"((?:\w+ ){0,4}?)down to\b",
            r"reduce \2to",
        ),
        (r"\b(?:drop|dip)(s|ped|ping)? (?=below|under|to (?:zero|nothing))", "fall "),
        (
            r"(?<!has )(?<!have )\b(?:there is |you have |i see |we see )?"
            r"no (?:need|call|reason|cause|point|use|obligation|requirement|"
            r"sense|necessity)(?: for you| at all| whatsoever)? (?:to|in)\b",
            "do not",
        ),
        # Permission in the words of a refusal.
        (
            r"\b(?:there is |i see |there would be )?(?:no harm in|nothing wrong with|nothing against|no objection to|"
            r"no problem with|no shame in|no harm done by)\b",
            "allow",
        ),
        (r"\b(?:does|would|will|can) (?:not (?:hurt|harm)|no harm)(?: at all)? to\b", "may well"),
        (r"\b(?:is|are) (?:no|not a|not any) (?:problem|issue|crime|sin|disaster|drawback)\b", "is fine"),
        # "Leave names and dates out".
        (
            r"\b(leav(?:e|es|ing)|cut(?:s|ting)?|tak(?:e|es|ing)|throw(?:s|ing)?|strip(?:s|ping)?) "
            r"((?:[\w']+ ){1,4}(?:and|or) (?:[\w']+ ){1,4}?)(out|aside|away|off)\b(?! of)",
            r"\1 \3 \2",
        ),
        # Verbs in a row and verbs with the object inside.
        (r"\b(?:go|come|try) (?:ahead )?and (?=[a-z])", ""),
        (r"\b(hand|give|pass|send) (it|them|that|(?:the|your|its|their|a) \w+) back\b", r"\1 back \2"),
        (r"\b(?:walk|talk|take|lead|guide)(?:s|ing)? (?!the text|all|every)(?:\w+ ){1,2}through\b", "walk through"),
        # "Jot down, as bullets, what …": a short aside between a verb and its object.
        (r", ((?:as|in|with) (?:\w+ ?){1,3}), (?=(?:everything|anything|all|what|whatever|the|each|every)\b)", r" \1 "),
        (
            r"\b(?:the )?(passage|text|article|author|source|document)(?:s|'s|s')? own (?:words|wording|phrasing)\b",
            r"exact words of the \1",
        ),
        (r"\b(?:somebody|someone) else(?:'s)?\b", "another teammate's"),
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
        (
            r"\bnothing (?:around|beside|alongside|attached to|added to|wrapped (?:a)?round|on either side of)"
            r"(?: (?:it|that|them|this))?(?=\s*(?:[.,;!]|$))",
            "only",
        ),
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
        # "Round nothing" and "do the sums over".
        (
            r"(^|[.;:!?] )(?!(?:is|are|there|leave|with|for|but|and|or|if|add|that) )(\w+) nothing\b",
            r"\1do not \2 anything",
        ),
        (r"\bdo ((?:every|each|all|the|your|it|them|any)(?: \w+){0,3}?) over\b", r"do over \1"),
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
    return text[: found.start()] + "do not only" + rest + _not_only(text[end:])
