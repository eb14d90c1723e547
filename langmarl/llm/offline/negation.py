"""Where in a clause a negation holds.

Each word of a clause gets a polarity, 1 or -1: the product of the negations whose scope it lies in. So "never omit the
source" is positive at "source", "quote rather than paraphrase" negative at "paraphrase" only, and "an explanation is
not needed" negative at "explanation".
"""

from __future__ import annotations

from dataclasses import dataclass

from langmarl.llm.offline.words import stem, word_set


def _stemmed(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(stem(word) for word in item.split()) for item in text.strip().split("|"))


# Negate what follows, to the end of their scope. Verbs match in every form.
_FORWARD = _stemmed(
    "not|never|no|without|avoid|omit|skip|drop|exclude|refrain from|refrain|resist|forgo|forget|neglect|fail to|"
    "leave out|leave off|leave away|leave aside|cut out|cut away|remove|delete|strip|strip away|strip out|spare|ditch|"
    "discard|withhold|hold back|hold off|hold back from|hold off from|hold off on|keep from|keep away from|"
    "steer clear of|stay away from|stay clear of|stay off|do away with|dispense with|get rid of|free of|free from|"
    "devoid of|clear of|minus|sans|abandon|ban|forbid|prohibit|prevent|disallow|decline to|desist from|shun|eschew|"
    "rather than|instead of|in place of|in lieu of|as opposed to|less|fewer|hesitate|afraid|shy|reluctant|miss|"
    "overlook|ignore|disregard|lose sight of|none|hardly|rarely|seldom|nobody|throw away|throw out|"
    "quit|cease|suppress|trim away|trim off|get away from|lay off|nix|put off|postpone|abstain from|abstain|"
    "do without|go without|against|beware|beware of|reject|refuse|refuse to|no room for|no place for|give up|"
    "give up on|beat|trump|outweigh"
)

# Negate the whole segment they stand in: "explanations are unnecessary".
_WHOLE = _stemmed(
    "unnecessary|needless|unneeded|forbidden|unwelcome|pointless|unwanted|undesirable|prohibited|banned|useless|"
    "superfluous|redundant|out of place|off limits|off the table|wasteful|harmful|discouraged|unhelpful|inadvisable|"
    "disallowed|taboo|a mistake|a bad idea|inappropriate|uncalled for|optional|counterproductive|frowned upon|"
    "hurts|costs points|loses points|lowers the score|hurt the score|wrong|a waste|a decoy|a trap|be no use|worthless|"
    "lose accuracy|lose precision|inaccurate|imprecise|lossy|misleading|unreliable|be irrelevant|be immaterial|"
    "be beside the point|"
    "make no difference|neither here nor there|"
    "lose points|lose marks|cost marks|score zero|score nothing|earn nothing|be bad|no good|"
    "penalise|penalize|punish|a fault|an error|a nuisance|a no no|get in the way|only get in the way|be noise|"
    "a distraction|"
    "unimportant|help nobody|of no interest|of no use|do more harm than good|backfire|not the point"
)

# Verb and particle with the object between them: "leave the explanation out", "keep quotes to yourself".
_PARTED = tuple(
    (stem(verb), tuple(stem(word) for word in particle.split()))
    for verbs, particles in (
        ("leave", "out|off|away|aside|for later|unsaid"),
        ("keep", "out|out of|to yourself|to a minimum|away"),
        ("cut|take|strip|edit|rule|throw|toss|put|set|lay|push", "out|away|aside|off"),
        ("hold", "back|off"),
    )
    for verb in verbs.split("|")
    for particle in particles.split("|")
)

# Stand between two things, so that they never say anything of a subject before them.
_BETWEEN = _stemmed("rather than|instead of|in place of|in lieu of|as opposed to")

# Begin a description of a thing: "whatever is forbidden".
_RELATIVE = frozenset(stem(word) for word in "whatever what which that anything everything all who".split())

# End every negation before them: "do not summarise but quote", "do not answer until you have quoted".
_BREAKERS = frozenset(stem(word) for word in "but instead until unless except before".split())

# "more X than Y", "prefer X over Y": what comes after the second word is what is not wanted.
_PREFERENCE = frozenset(
    stem(word) for word in "prefer better rather sooner favour favor choose pick value more".split()
)
_AGAINST = frozenset({"than", "over"})

_EXCESS = word_set("too overly excessively unduly needlessly unnecessarily")
_BE = frozenset({"be", "get", "become"})
_OUTCOME = frozenset(
    stem(word)
    for word in "needed required wanted welcome necessary allowed helpful useful appropriate permitted acceptable "
    "desired included added given used written expected okay ok fine good part belong "
    "appear come occur arise happen exist count help matter do suffice work enough".split()
)
_AUXILIARY = word_set("do should must can will would may need shall could might be have ought")
_DETERMINERS = word_set("a an the too more any your one")
_NO_SUBJECT = word_set("you i we they agent agents he she to please and so then but or")
_PLACEHOLDER = word_set("it also quit rather ther that so and but then just simp real complet entire think")
_LONGEST = 4


@dataclass(slots=True)
class Reading:
    """The polarity of each word of a segment, and the one in force at its end."""

    polarities: list[int]
    final: int


def read_polarity(words: list[str], carried: int = 1) -> Reading:
    """Polarity of each of ``words`` (a segment's words in lower case); ``carried`` is in force at its start."""
    stems = [stem(word) for word in words]
    signs = [1] * len(stems)
    current = carried
    index = 0
    while index < len(stems):
        size = _phrase_at(stems, index, _FORWARD) or _stops_doing(words, index)
        if size:
            for offset in range(size):
                signs[index + offset] = current
            current = -current
            if _is_passive(stems, index, size):
                _flip(signs, 0, index)
            index += size
            continue
        if stems[index] in _BREAKERS:
            current = 1
        elif (stems[index] in _AGAINST and _PREFERENCE & set(stems[:index])) or stems[index] in ("nor", "neither"):
            current = -1
        signs[index] = current
        index += 1
    _apply_whole(stems, signs)
    _apply_parted(words, stems, signs)
    _apply_excess(words, signs)
    return Reading(signs, current)


def starts_negation(words: list[str]) -> bool:
    """Whether a negation stands at the start of ``words``."""
    return bool(words) and _phrase_at([stem(word) for word in words], 0, _FORWARD) > 0


def _stops_doing(words: list[str], index: int) -> int:
    """1 where "stop" means leaving off ("stop explaining"), 0 for a place to stop at."""
    stopping = stem(words[index]) == "stop" and index + 1 < len(words)
    return int(stopping and words[index + 1].endswith("ing"))


def _phrase_at(stems: list[str], index: int, phrases: frozenset[tuple[str, ...]]) -> int:
    """Length of the longest of ``phrases`` that starts at ``index``; 0 where none does."""
    for size in range(min(_LONGEST, len(stems) - index), 0, -1):
        if tuple(stems[index : index + size]) in phrases:
            return size
    return 0


def _is_passive(stems: list[str], index: int, size: int) -> bool:
    """Whether the negation at ``index`` is said of what stands before it ("explanations should not be added")."""
    subject = [word for word in stems[:index] if word not in _AUXILIARY]
    if not subject or subject[0] in _NO_SUBJECT:
        return False
    if subject[0] in _BE or _describes(stems[:index]) or tuple(stems[index : index + size]) in _BETWEEN:
        return False
    after = stems[index + size : index + size + 3]
    if stems[index] in ("not", "never", "hard", "rar", "seldom"):
        if stems[index - 1] == "need" or after[:2] in (["have", "to"], ["need", "to"]):
            return True
        spoken = stems[index - 1] in _AUXILIARY or (bool(after) and after[0] in _OUTCOME)
        return spoken and _says_outcome(stems[index - 1], after)
    return any(word in _BE for word in stems[max(0, index - 2) : index])


def _says_outcome(auxiliary: str, after: list[str]) -> bool:
    """Whether the words after "not" say what becomes of the subject ("be added", "needed") and name no new object."""
    if not after:
        return False
    rest = after[1:] if after[0] in _BE else after
    passive = after[0] in _BE or auxiliary in _BE
    return bool(rest) and (rest[0] in _OUTCOME or (passive and rest[0] not in _DETERMINERS))


def _apply_whole(stems: list[str], signs: list[int]) -> None:
    for index in range(len(stems)):
        size = _phrase_at(stems, index, _WHOLE)
        if size:
            if _describes(stems[:index]):
                continue
            forward = stems[index + size : index + size + 1] == ["to"] and _without_subject(stems[:index])
            _flip(signs, index + size if forward else 0, len(signs))
            return


def _describes(stems: list[str]) -> bool:
    """Whether the words before "forbidden" make it a description of an object ("avoid whatever is forbidden")."""
    place = len(stems) - 1
    while place > 0 and (stems[place] in _BE or stems[place] in _AUXILIARY):
        place -= 1
    return place > 0 and stems[place] in _RELATIVE


def _without_subject(stems: list[str]) -> bool:
    """Whether nothing stands before "is unnecessary to …" but a placeholder ("it would also be")."""
    return all(word in _AUXILIARY or word in _BE or word in _PLACEHOLDER for word in stems)


def _apply_parted(words: list[str], stems: list[str], signs: list[int]) -> None:
    for index, word in enumerate(stems):
        if words[index + 1 : index + 2] and words[index + 1].endswith("ing") and word == "keep":
            continue
        for verb, particle in _PARTED:
            if word != verb:
                continue
            for end in range(index + 2, min(index + 8, len(stems) - len(particle) + 1)):
                if tuple(stems[end : end + len(particle)]) == particle:
                    _flip(signs, index + 1, end)
                    return


def _apply_excess(words: list[str], signs: list[int]) -> None:
    """ "Too long" is bad, and so is "not too long": what is in excess is never wanted."""
    for index, word in enumerate(words[:-1]):
        if word in _EXCESS:
            reach = 2 if words[index + 1] in ("much", "many") else 1
            signs[index + 1 : index + 1 + reach] = [-1] * len(signs[index + 1 : index + 1 + reach])


def _flip(signs: list[int], start: int, end: int) -> None:
    for index in range(start, end):
        signs[index] = -signs[index]
