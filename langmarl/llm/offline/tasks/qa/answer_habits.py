"""Habits of answering, and the words by which instructions speak of them."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Cue, Habit, concept, phrases, wording
from langmarl.llm.offline.tasks.qa.vocabulary import FEW, IN_SENTENCES, KIND, MATE, ONLY, TITLE, YES_NO_WORDS
from langmarl.llm.offline.thesaurus import ANSWER, CHECK, EXPLANATION, LONG, QUOTE, SENTENCE, SHORT

TERM = wording(
    """
    name; names; phrase; term; entity; span; noun; word; words; date; number; figure; fact; value; string; fragment;
    item; year; label; what was asked; what is asked for; thing asked for; answer itself
    """
)
SAY = wording(
    """
    answer; reply; respond; write; say; state; give; output; return; form; speak; put; wrap; message; use; submit;
    finish; end; deliver; present; produce; formulate; compose
    """
)
_SPELLED_OUT = phrases("write out", "copy out", "pull out")
_QUOTING = QUOTE | concept("evidence passage passages proof support supporting")
_NOT_SHORT = YES_NO_WORDS | concept("titles") | phrases("short of", "cut short", "in short")
_AROUND = concept("around surround surrounding else extra append adding add wrapping wrap")
SHORT_ANSWER = Habit(
    "short",
    "The answer is the bare name, date or phrase instead of a long sentence; an agent that does not answer "
    "quotes less.",
    (
        Cue((SHORT,), unless=_NOT_SHORT),
        Cue((FEW,), unless=_NOT_SHORT | QUOTE),
        Cue(
            (TERM, ONLY),
            near=6,
            unless=_NOT_SHORT
            | MATE
            | concept("question question's title titles first passage passages link links sentences quote quotes"),
        ),
        Cue(
            (
                concept("answer", "answer only", "reply only"),
                phrases("answer only", "reply only", "and only", "answer and only", "only with"),
            ),
            near=6,
            unless=_NOT_SHORT
            | concept("from when after evidence passage quoted if based supported once last quotes what"),
        ),
        Cue(
            (ONLY, ANSWER),
            near=3,
            unless=_NOT_SHORT
            | wording(
                """
                repeat; echo; question; from; when; after; evidence; passage; passages; quoted; if; base; based;
                supported; once; last; quotes; quote; what; first; leave
                """
            ),
        ),
        Cue((LONG,), -1, unless=concept("name names title quote quotes quoting sentences question passage passages")),
        Cue((IN_SENTENCES,), -1, unless=_QUOTING - _SPELLED_OUT),
        Cue(
            (
                wording(
                    """
                    justify; defend; motivate; substantiate; argue for; account for; explain; make a case for; argue;
                    elaborate on; expand on; comment on; give reasons for; give your reasons for; reasons for
                    """
                ),
                concept("choice answer decision conclusion pick verdict reply response result position"),
            ),
            -1,
            near=6,
        ),
        Cue((SENTENCE, SAY), -1, unless=_QUOTING | concept("title found")),
        Cue((EXPLANATION,), -1, unless=concept("quote evidence passage passages sentence")),
        Cue(
            (_AROUND, concept("answer name phrase date it words reply response")),
            -1,
            near=6,
            unless=concept("title passage source evidence quote where"),
        ),
        Cue(
            (concept("words word"), concept("one two three four five six few handful couple")),
            near=4,
            unless=_NOT_SHORT | _QUOTING | MATE,
        ),
        Cue((concept("words"), concept("extra more additional further surplus unneeded spare")), -1, near=3),
        Cue(
            (
                concept("limit restrict confine reduce boil trim cut shorten strip pare keep"),
                concept("name phrase date span term word words answer"),
            ),
            near=7,
            unless=_NOT_SHORT | _QUOTING | MATE | concept("kind type last until from back yourself"),
        ),
    ),
    hints=(
        Cue(
            (
                wording(
                    """
                telegram; lone; barest; essence; kernel; nub; key term; skeleton; headline; label; small; tiny;
                little; lean; economical; sparing; space; breath; clipped; condense; compress; squeeze; exact
                match; exact matches; as is; plainly; by itself
                """
                ),
                concept("answer reply response message output name phrase term fact word words"),
            ),
            near=10,
        ),
        Cue((concept("telegram barest lone economical clipped sparing"),)),
        Cue((concept("expansive expand expansively embroider discursive talkative chatter essay story eloquent"),), -1),
        Cue(
            (concept("sentence sentences prose"), concept("answer reply response write message output form")),
            -1,
            near=10,
        ),
        Cue(
            (
                concept("words chatter decoration ornament framing flourish"),
                concept("around needless superfluous surplus unnecessary besides"),
            ),
            -1,
            near=8,
        ),
    ),
)

_FIT = wording(
    """
    match; fit; fits; suit; suits; correspond; agree; right; same; appropriate; proper; expected; suitable; conform;
    meet; satisfy; accord; determine; identify; decide; notice; work; figure; consider; look; note; return; give;
    answer; pick; choose; check; respect; tell; ask; think; make; read; see; respond; supply; reply; establish;
    recognise; recognize; watch; mind
    """
)
# "A person's name to a question about a place": the wrong kind.
_THINGS_ASKED = ("person", "people", "place", "city", "town", "country", "date", "year", "number", "amount")
_SAME_KIND = ({"person", "people"}, {"place", "city", "town", "country"}, {"date", "year"}, {"number", "amount"})
_MISFIT = frozenset(
    f"{given}{form} {link} {asked}"
    for given in _THINGS_ASKED
    for asked in _THINGS_ASKED
    if not any({given, asked} <= kind for kind in _SAME_KIND)
    for form in ("", " name")
    for link in (
        "to question about", "for question about", "to question that asks for", "when question asks for",
        "when question is about", "if question is about", "when asked for", "when asked about", "where question wants",
        "when question wants", "if question asks for", "for", "in place of", "to question asking for", "in answer to",
        "where", "when it wants", "where is asked", "when it asks for", "instead of",
    )
)  # fmt: skip

_MISFIT |= frozenset(
    f"question about {asked} with {form}{given}"
    for given in _THINGS_ASKED
    for asked in _THINGS_ASKED
    if not any({given, asked} <= kind for kind in _SAME_KIND)
    for form in ("", "name of ")
)
MATCH_KIND = Habit(
    "match_kind",
    "The answer is of the kind asked for (person, date, place, number, thing of the kind named), not the first name in "
    "the evidence.",
    (
        Cue(
            (
                concept("number date person place name year city"),
                concept("requested wanted asked required sought"),
            ),
            near=8,
            unless=ONLY | concept("agent teammate"),
        ),
        Cue(
            (_FIT, KIND),
            near=9,
            unless=phrases("kind of question", "type of question", "what kind of source") | concept("tone"),
        ),
        Cue(
            (KIND, concept("question answer")),
            near=8,
            unless=phrases("kind of question", "type of question") | concept("tone"),
        ),
        Cue(
            (
                wording(
                    """
                    how many; who question; who questions; what year; if it asks; if question asks; asks who; asks
                    when; asks where; question is who; for who; to who; for when; to when; in which year; who means;
                    when means; where means
                    """
                ),
            ),
            unless=concept("agent teammate"),
        ),
        Cue(
            (concept("person people someone human"), concept("who whom whose")),
            near=9,
            unless=concept("agent speaks answers teammate speaker"),
        ),
        Cue(
            (concept("person people someone human"), concept("place city country location date number thing")),
            near=6,
            unless=concept("agent teammate"),
            ordered=True,
        ),
        Cue(
            (
                _MISFIT,
                concept("answer reply respond return give offer use put say write do name be"),
                concept("question asked asks wants place city country date year number amount person"),
            ),
            -1,
            near=9,
        ),
        Cue(
            (concept("date year time"), concept("place city country location number")),
            near=6,
            unless=concept("only just bare quote") | ONLY,
        ),
        Cue(
            (
                concept("date person place number city year name country"),
                phrases("question about", "questions about", "asks about", "asked about", "asks for", "asking for"),
            ),
            near=9,
        ),
        Cue((concept("date year time day"), concept("when")), near=7, unless=concept("agent speak finding found")),
        Cue((concept("place city country town location"), concept("where")), near=7),
    ),
    hints=(
        Cue((concept("type kind sort category class"),)),
        Cue(
            (
                concept("date place person city number year name country"),
                concept("question asked asks wanted wants when where who"),
            ),
            near=10,
        ),
        Cue((concept("suit suits fit fits match correspond agree"), concept("question asked")), near=8),
    ),
)

_AT_LENGTH = IN_SENTENCES | wording(
    """
    at length; in detail; full sentence; whole sentence; complete sentence; reasons; explanation; explain; elaborate;
    more than a word; more than one word; more than yesno
    """
)
YES_NO = Habit(
    "yes_no",
    "A question that can be answered with yes or no is answered with that word alone.",
    (
        Cue((SAY, YES_NO_WORDS), near=14),
        Cue((YES_NO_WORDS,)),
        Cue(
            (
                phrases(
                    "one word",
                    "single word",
                    "that word",
                    "word alone",
                    "bare word",
                    "lone word",
                    "just word",
                    "mere word",
                    "word only",
                    "confirm",
                    "deny",
                    "a word",
                ),
                YES_NO_WORDS,
            ),
            near=14,
        ),
        Cue((_AT_LENGTH, YES_NO_WORDS), -1, near=14),
    ),
)

_ECHO = wording(
    """
    repeat; echo; parrot; restate; copy; reuse; mirror; recycle; duplicate; rehash; hand back; give back; throw
    back; send back; say back; feed back
    """
)
_IN_QUESTION = wording(
    """
    already in question; words of question; from question; in question; question already; part of question; stands
    in question; named in question; appears in question; question itself; question mentions; question says; question
    names; question's own words; question's words; question contains; wording of question; question gives; mentioned
    in question; question back; given in question; question's wording
    """
)
_SUPPORT = concept(
    "evidence passage passages text quote quotes support supported source sources sentence sentences quoted "
    "wording back backed"
)
CHECK_ANSWER = Habit(
    "check",
    "A candidate that the question itself already says is passed over, and a teammate's guess is not taken "
    "over unseen.",
    (
        Cue(
            (CHECK, ANSWER | concept("candidate choice name guess pick finding it")),
            near=9,
            unless=KIND | YES_NO_WORDS | concept("title titles every both second link"),
        ),
        Cue((CHECK, concept("anything everything")), near=8, unless=KIND),
        Cue(
            (CHECK, _SUPPORT),
            near=9,
            unless=KIND
            | concept("every all each title titles both second link passage's")
            | phrases("each passage", "second passage"),
        ),
        Cue(
            (
                concept("compare match hold set measure weigh test"),
                ANSWER,
                concept("evidence passage passages quote quotes text"),
            ),
            near=10,
            unless=concept("title short"),
        ),
        Cue((_ECHO, _IN_QUESTION | concept("question question's asked")), -1, near=7),
        Cue(
            (concept("answer pick give return use choose offer propose reply respond"), _IN_QUESTION),
            -1,
            near=9,
            unless=_ECHO | KIND,
        ),
        Cue(
            (concept("blindly unseen unchecked unverified uncritically", "at face value", "on faith", "on trust"),), -1
        ),
    ),
    hints=(
        Cue(
            (
                concept("verify check recheck confirm validate certain certainty sure prove support"),
                concept("answer it evidence result reply"),
            ),
            near=10,
        ),
        Cue(
            (
                concept("question"),
                concept("answer"),
                concept("repeat occur occurs appear appears stand stands contain name names words same already"),
            ),
            -1,
            near=14,
            only=-1,
        ),
        Cue(
            (
                wording(
                    """
                pass over; skip over; rule out; cross out; strike out; set aside
                """
                ),
                concept("question"),
            ),
            near=14,
        ),
    ),
)

ADMIT = Habit(
    "admit",
    "Where the evidence shares nothing with the question, the reader says that the answer is unknown instead "
    "of guessing.",
    (
        Cue((concept("unknown unanswerable undetermined ignorance admit concede confess"),)),
        Cue(
            (
                concept("say admit state write report declare confess acknowledge flag own"),
                wording(
                    """
                    tell; know; sure; missing; lack; lacking; silent; insufficient; unsure; absent; uncertain; can
                    not find; not there
                    """
                ),
            ),
            near=9,
            unless=TITLE,
        ),
        Cue(
            (
                concept("guess bluff invent fabricate speculate", "make up", "making up"),
                wording(
                    """
                    missing; lack; lacking; silent; insufficient; unsure; absent; unknown; nothing; evidence;
                    support; up; know; found
                    """
                ),
            ),
            -1,
            near=10,
        ),
    ),
    hints=(
        Cue((concept("unknown unsure uncertain"),)),
        Cue((wording("make up; made up; invent; fabricate; bluff"),), -1),
    ),
)

_FULL = wording(
    """
    full name; full names; complete name; complete names; whole name; whole names; first and last name; full title;
    full form; fullest form; complete form; name in full; names in full; surname too; longest form; first name and
    surname; entire name; complete title; last name too; spell out names; given name and surname; forename and
    surname; names out in full; names fully; name fully; first names as well as surnames; first name and last; first
    name as well; spell names out
    """
)
FULL_NAME = Habit(
    "full_name",
    "A name is given in the fullest form that the passages have.",
    (
        Cue((_FULL,)),
        Cue(
            (
                concept("spell write give state put use"),
                concept("name names"),
                concept("completely fully complete entire unabbreviated", "in full"),
            ),
            near=8,
        ),
        Cue(
            (
                wording(
                    """
                    abbreviate; shorten; shortened; abbreviated; initials; nickname; surname; surnames; last name;
                    partial name
                    """
                ),
                concept("name names people person person's title use give only just say write"),
            ),
            -1,
            near=8,
            unless=_FULL,
        ),
        Cue((concept("", "first name", "given name", "christian name") | concept("forename"),), unless=ONLY | _FULL),
        Cue((concept("", "first name", "given name") | concept("forename"), ONLY), -1, near=6, unless=_FULL),
        Cue(
            (
                concept("surname surnames", "last name", "family name", "first name", "partial name"),
                concept("enough suffice suffices plenty alone", "will do", "would do", "is fine", "is all"),
            ),
            -1,
            near=6,
        ),
    ),
    hints=(
        Cue((concept("full whole complete entire long unabridged"), concept("name names")), near=4),
        Cue((concept("short shortened partial abbreviated clipped"), concept("name names")), -1, near=4),
    ),
)
