"""Habits of finding evidence and handing it on, and the words by which instructions speak of them."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Cue, Habit, concept, phrases, wording
from langmarl.llm.offline.tasks.qa.vocabulary import FEW, IN_SENTENCES, KIND, MATE, ONLY, TITLE, YES_NO_WORDS
from langmarl.llm.offline.thesaurus import EXPLANATION, LONG, PARAPHRASE, QUOTE, SENTENCE, SHORT

EVIDENCE = wording(
    """
    evidence; proof; support; quote; quotes; quotation; quotations; citation; citations; excerpt; excerpts; finding;
    findings; fact; facts; passage; passages; text; sentence; sentences; line; lines; source; material; clue; clues;
    statement; statements
    """
)
PASSAGE = concept(
    "passage passages text texts paragraph paragraphs article articles document documents page entry source"
)
QUOTED_BY = frozenset(
    f"{who} {verb}"
    for who in (
        "teammate",
        "partner",
        "colleague",
        "agent 1",
        "agent one",
        "first agent",
        "previous agent",
        "other agent",
        "first speaker",
        "previous speaker",
        "peer",
        "predecessor",
        "companion",
        "message",
        "messages",
        "agent before",
        "team mate",
    )
    for verb in (
        *(
            f"{auxiliary}{verb}".strip()
            for verb in (
                "sends",
                "sent",
                "supplied",
                "provided",
                "passed",
                "handed",
                "gave",
                "given",
                "brings",
                "found",
                "gathered",
                "collected",
                "shared",
                "offered",
                "left",
                "prepared",
                "put",
                "dug",
                "selected",
                "picked",
                "reported",
                "listed",
                "pasted",
                "wrote",
            )
            for auxiliary in ("", "has ", "have ", "had ", "already ", "has already ", "have already ", "had already ")
        ),
        "quote",
        "has quoted",
        "had quoted",
        "have quoted",
        "cited",
        "has cited",
        "excerpts",
        "copied",
        "has copied",
        "already quoted",
        "already cited",
    )
)
FOUND_BEFORE = wording(
    """
    has been quoted; was quoted; been found; been quoted; were quoted; already quoted; already found; has been said;
    already said; handed to you; passed on to you; passed to you; you are given; you were given; what it found; what
    they found; they found; was found; were found; have been found; you were handed; you have been handed; were
    passed; you received; you have received; what was found; you were sent; put in front of you; laid before you;
    has been gathered; been handed; was handed; were handed; is handed; was passed on; been passed on; done reading
    for you; evidence given; quotes given; quoted evidence; evidence quoted; earlier evidence; evidence so far; what
    you are handed; was brought up; brought up earlier; evidence already; quotes already; given to you; earlier
    findings; been gathered; work already; already there; quotes provided; evidence provided; been brought up;
    evidence above; quotes above; earlier quotes; quotes you receive; evidence you receive; previous findings;
    already on the table; already been; you have been given; quotes in front of you; quotes you got; evidence you
    got; sent to you; evidence you are; quotes you are; already gathered; already collected; already provided
    """
)
FOUND_BEFORE |= frozenset(
    f"{what} {verb}"
    for what in ("they", "it", "he", "she", "agent 1", "agent one")
    for verb in (
        "wrote", "reported", "supplied", "gathered", "collected", "brought", "dug up", "provided", "sent", "gave",
        "passed on", "handed", "listed", "has written", "have written", "has reported", "turned up", "came up with",
        "left", "put together", "discovered", "uncovered", "pasted", "wrote down", "has sent", "sends", "have sent",
        "has found", "have found",
    )
)  # fmt: skip
_QUOTE_AS_THING = wording(
    """
    quotes your; quotes without; quotes are; quotes really; quotes say; quotes support; quotes back; quotes in
    message; excerpts in message; excerpts in message above; from excerpts; quotes that; whether quotes; quotes
    which; all quotes you; quotes already; quotes show; excerpts that; quotations that; each quote; every quote; of
    quote; of quotes; which quote; with quote; your quotes; quote comes; quotes come; with each quote; for quote;
    beside quote; after quote; before quote; quote came; quotes came; quote is from; quotes are from; quote was
    taken; any quote; with quotes; next to quote; quote stands; all quotes; per quote; quote belongs; of quotation;
    each citation; each quotation; against quotes; against quote; in quotes; from quotes; quotes you
    """
)
_SHOW = wording(
    """
    copy; give; bring; show; present; list; report; include; provide; supply; pass; hand; point; pull; write; set;
    lay; state; mention; surface; share; put; deliver; offer; furnish; reproduce
    """
)
QUOTED = Habit(
    "quote",
    "Exact sentences of the passages are quoted instead of a vague summary; an answerer puts them beside its answer.",
    (
        Cue(
            (QUOTE,),
            unless=_QUOTE_AS_THING
            | QUOTED_BY
            | FOUND_BEFORE
            | IN_SENTENCES
            | concept("rely trust")
            | phrases("of question", "from question", "in full name", "name in full", "names in full")
            | concept("title titles"),
        ),
        Cue(
            (concept("supporting supportive backing corroborating proving"), SENTENCE | concept("line lines")),
            near=2,
            unless=QUOTED_BY | FOUND_BEFORE | concept("title titles read find best pick every all choose"),
        ),
        Cue(
            (QUOTE, concept("sentence sentences line lines evidence words passage passages text wording")),
            near=8,
            unless=QUOTED_BY | FOUND_BEFORE | _QUOTE_AS_THING | concept("rely title titles") | phrases("of question"),
        ),
        Cue(
            (_SHOW, EVIDENCE),
            near=6,
            unless=QUOTED_BY
            | FOUND_BEFORE
            | concept("rely use trust start question")
            | _QUOTE_AS_THING
            | concept("title titles number answer from check full complete")
            | IN_SENTENCES
            | phrases("which passage", "what passage", "name of passage", "second passage"),
            ordered=True,
        ),
        Cue(
            (
                _SHOW,
                wording(
                    """
                    full sentence; complete sentence; whole sentence; full sentences; complete sentences; whole
                    sentences
                    """
                ),
                concept("passage passages text evidence source"),
            ),
            near=12,
        ),
        Cue((PARAPHRASE,), -1, unless=MATE | phrases("of question", "question in")),
        Cue(
            (
                wording(
                    """
                    vague; vaguely; vagueness; generality; generalities; impression; impressions; loosely; hint;
                    hints; gloss; generalise; generalize
                    """
                ),
            ),
            -1,
        ),
    ),
    hints=(
        Cue((QUOTE,)),
        Cue(
            (
                wording(
                    """
                as printed; as written; exactly; word by word; letter by letter; unchanged; original; quotation
                marks
                """
                ),
                concept("sentence sentences evidence passage passages text line lines words"),
            ),
            near=10,
        ),
        Cue((concept("sentence sentences line lines"), concept("evidence passage passages text proof")), near=8),
    ),
)

_NAMING = wording(
    """
    name; mention; give; say; state; tell; include; add; note; label; tag; mark; attach; cite; attribute; credit;
    identify; indicate; put; write; quote; specify; point; list; head; preface; show; record; let; keep; provide;
    supply; report; reveal; make; with; prefix; precede; accompany; begin; start; reference; know
    """
)
SOURCE = Habit(
    "source",
    "Each quote or answer names the passage it comes from, so that whoever reads on knows what a pronoun stands for.",
    (
        Cue((TITLE, _NAMING), near=10, unless=concept("link linking follow how many") | KIND),
        Cue(
            (concept("source sources provenance origin attribution"), _NAMING),
            near=8,
            unless=concept("follow link only stick") | KIND,
        ),
        Cue((TITLE, concept("care matter interest interested curious bother important count")), near=9, unless=KIND),
        Cue((phrases("give credit", "credit to", "credit passage", "credit source", "credit article"), PASSAGE)),
        Cue((concept("title titles heading headings"),), unless=phrases("of question") | concept("named") | KIND),
        Cue((concept("attribute reference referencing attribution"), EVIDENCE), near=8),
        Cue((concept("anonymous unattributed unsourced unlabelled unlabeled"),), -1),
    ),
    hints=(
        Cue((concept("source sources origin provenance title titles reference references"),)),
        Cue(
            (concept("name names"), concept("passage passages article articles document documents")),
            near=6,
            unless=concept("link follow second"),
        ),
    ),
)

_LINK = wording(
    """
    second; link; links; linking; linked; bridge; bridging; connection; connecting; connected; chain; hop; hops;
    trail; pointer; thread; lead; leads; second passage; other passage; next passage; another passage; two passages;
    both passages; next step; second step; second article; other article; second text; own passage; own article; own
    entry; second source; second document; another article; next article; further passage; related passage; passage
    two; one about; to another; shared name; common name; name in common; joint name; other end; other passages;
    related passages; another text; another document; following passage
    """
)
_FOLLOW = wording(
    """
    follow; pursue; trace; chase; track; move; proceed; continue; jump; hop; step; look; open; read; find; search;
    go; turn; consult; carry; hunt; use; connect; chain; bridge; combine; link; need; take; visit; check; dig; pick;
    trail; bring; explore; pull; retrieve; seek; fetch; get; join; make; quote; walk; travel; cross-reference; lead;
    leads
    """
)
_MENTIONED = wording(
    """
    that name; names mentioned; name mentioned; mentioned name; named there; it mentions; it names; person
    mentioned; they mention; passage mentions; its own passage; passage about; article about; entity named; thing
    mentioned; is mentioned; are mentioned; names you find; name you find; named in it; mentioned in it; mentioned
    in first; named in first; points to; points at; talks about; speaks of; devoted to; refers to; leads to; name it
    contains; first passage mentions; first passage names; mentions another; names another; entity it names; name in
    first passage; names in first passage; name that appears; mentions someone; passage names;
    names that turn up; name that turns up; names that come up; name that comes up; names that crop up; names that
    appear; names that occur; name that occurs; name you meet; names you meet; names you come across; name you come
    across; name you run into; names you run into; on the way; along the way; point you to; points you to; lead you
    to; leads you to; refers you to; refer you to; sends you to; send you to; directs you to; hints at; person
    article; person's article; person's passage; person's page; name's passage; name's article; their own article
    """
)
_INTERMEDIATE = wording(
    """
    intermediate; intermediary; in middle; middle entity; middle name; middleman; go between; in between; missing link;
    stepping stone; half way; halfway; middle term; middle person; bridging; bridge; connecting; middle
    """
)
FOLLOW_LINK = Habit(
    "follow_link",
    "After the first passage the reader goes on to the passage of a name that it mentions.",
    (
        Cue(
            (_FOLLOW, _LINK),
            near=9,
            unless=MATE | concept("message comparison compare compares items candidates speaker agent time"),
        ),
        Cue((_FOLLOW, _MENTIONED), near=12),
        Cue((_FOLLOW | concept("resolve identify determine establish"), _INTERMEDIATE), near=14, unless=MATE),
        Cue(
            (
                _FOLLOW,
                concept("mentions names mentioned named introduces refers"),
                phrases(
                    "that one",
                    "it too",
                    "that too",
                    "it as well",
                    "that page",
                    "that article",
                    "that passage",
                    "its article",
                    "its passage",
                    "its page",
                    "article of its own",
                    "passage of its own",
                    "page of its own",
                    "entry of its own",
                    "own article",
                    "own passage",
                    "own page",
                    "own entry",
                    "their article",
                    "their passage",
                    "their page",
                    "passage on it",
                    "passage on them",
                ),
            ),
            near=24,
            ordered=True,
        ),
        Cue(
            (
                wording(
                    """
                    look up; open; visit; turn to; go to; look for; go on to; search for; find out about; read up on
                    """
                ),
                concept("mentions mentioned names named refers points introduces"),
                PASSAGE,
            ),
            near=12,
        ),
        Cue(
            (
                concept("stop halt settle rest finish content satisfied end stay remain quit stick"),
                wording(
                    """
                    first passage; one passage; single passage; first text; first article; one article; one text;
                    first document; first one; one document; passage one; first paragraph; first page
                    """
                ),
            ),
            -1,
            near=7,
        ),
        Cue(
            (
                phrases(
                    "one passage", "single passage", "first passage alone", "one text", "one article", "passage alone"
                ),
                concept("only alone enough confine limit restrict suffice content just stick within"),
            ),
            -1,
            near=7,
        ),
    ),
    hints=(
        Cue(
            (
                wording(
                    """
                step further; one further; further than first; beyond first passage; beyond first; past first
                passage; dots; references; another passage; another one; other passage; next passage; second
                passage; a second; linked; link; bridge; connection; connections; connect; chain; hop; two
                passages; both passages; mentions; leads to; where it leads; where that leads
                """
                ),
            )
        ),
        Cue((concept("further onward onwards beyond deeper"), PASSAGE), near=8),
    ),
)

_READING = wording(
    """
    read; scan; search; look; check; go; weigh; compare; consider; survey; examine; skim; review; study; browse;
    choose; pick; select; rank; find; comb; sift; cover; inspect; judge; screen; locate; through
    """
)
_BEST = wording(
    """
    relevant; relevance; promising; best passage; best match; best fit; best fits; fits best; matches best; match
    best; most overlap; shares most; share most; most in common; right passage; most useful; strongest match;
    closest match; best matching; most closely; fits question best; best suited; most to do with; bears most; most
    related; best text; best article; suits question; matches question; fits question; closest passage; deals with
    question; is about question; about same thing as question; really about; actually about; answers question; bears
    on question; bear on question; best covers; covers best; most fitting; suits best; closest to question; passages
    best
    """
)
_FIRST_COME = wording(
    """
    first passage; first text; first article; first paragraph; first match; first document; first hit; first thing;
    top passage; opening passage; first one; whatever comes first; passage on top; comes first; come first; on top
    of list; first in list; first that
    """
)
READ_ALL = Habit(
    "read_all",
    "The reader weighs every passage and starts from the one that covers the question best, not from the first that "
    "shares words.",
    (
        Cue(
            (_READING, concept("all every everything ten")),
            near=5,
            unless=concept("title titles name label cite quote both item items agent sentence message quotes")
            | MATE
            | FOUND_BEFORE,
        ),
        Cue(
            (
                _READING,
                wording(
                    """
                    complete set; whole set; full set; entire set; whole lot; complete list; whole list; full list;
                    one by one; one after another; from start to finish; without exception
                    """
                ),
            ),
            near=8,
        ),
        Cue(
            (concept("all every each whole entire ten"), PASSAGE),
            near=4,
            unless=concept("title titles name label cite quote sentence"),
        ),
        Cue((concept("unread unopened unexamined unconsidered unseen"), PASSAGE), -1),
        Cue((_BEST,), unless=concept("sentence sentences answer quote evidence when") | KIND),
        Cue(
            (
                wording(
                    """
                    take; grab; settle; pick; use; seize; latch; jump; stop; accept; choose; go; trust; rely; start;
                    content; satisfied; works; fine; will do
                    """
                ),
                _FIRST_COME,
            ),
            -1,
            near=12,
            unless=concept("link links linking second follow next mentions names on further beyond past than") | MATE,
        ),
    ),
    hints=(
        Cue(
            (
                wording(
                    """
                overlap; overlaps; the lot; irrelevant; beside the point; right passage; distractor;
                distractors; every passage; all passages; full set; whole set; best passage; most promising
                """
                ),
            )
        ),
        Cue((concept("relevant relevance"),)),
        Cue((concept("every all each"), PASSAGE), near=8),
    ),
)

_USE = wording(
    """
    use; rely; build; base; start; work; read; consult; take; draw; lean; reuse; trust; follow; ground; pick; adopt;
    heed; exploit; consider; employ; continue; begin; depend; answer; go; stick; rest; derive; get; look; listen;
    accept; respect; anchor; stem; find; keep; profit; benefit; apply; extract; reach; make; treat; settle; believe;
    act; judge; let; come
    """
)
_START_OVER = wording(
    """
    scratch; anew; afresh; redo; restart; start over; start again; from beginning; own search; search again; search
    yourself; begin again; read everything again; repeat search; all over again; reread everything; own reading;
    over again; search passages again; read passages again; reread passages; search passages yourself; repeat work;
    go back to passages; ground zero; square one; own research; search for yourself; look for yourself; independent
    search; read all again; search of your own; reading of your own; search passages anew
    """
)
USE_EVIDENCE = Habit(
    "use_evidence",
    "The agent works from the evidence in earlier messages instead of starting its own search.",
    (
        Cue(
            (_USE, MATE | FOUND_BEFORE),
            near=10,
            unless=phrases("on to teammate", "for teammate") | concept("guess leave wait"),
        ),
        Cue(
            (
                _USE,
                concept("evidence quotes excerpts citations"),
                concept("message messages agent earlier previous already gathered provided"),
            ),
            near=10,
            unless=concept("leave"),
        ),
        Cue(
            (concept("evidence quotes findings work words notes contribution result results excerpts"), MATE),
            near=5,
            unless=concept("compare leave for") | phrases("on to", "so that"),
        ),
        Cue(
            (concept("source basis foundation", "starting point"), MATE | FOUND_BEFORE),
            near=8,
            unless=concept("title titles"),
        ),
        Cue(
            (concept("search read look hunt reading job work"), concept("again anew afresh twice", "second time")),
            -1,
            near=6,
        ),
        Cue(
            (
                concept("redo repeat duplicate"),
                concept("reading search work job research effort"),
                MATE | FOUND_BEFORE,
            ),
            -1,
        ),
        Cue((_START_OVER,), -1),
        Cue(
            (
                MATE | concept("message messages"),
                concept(
                    "ignore disregard overlook discount neglect", "pass over", "pay no attention", "take no notice"
                ),
            ),
            near=7,
        ),
        Cue(
            (concept("independently", "on your own", "by yourself", "yourself alone"),),
            -1,
            unless=concept("answer name guess decide"),
        ),
    ),
    hints=(
        Cue((MATE | FOUND_BEFORE, concept("evidence quotes findings use rely trust start")), near=12),
        Cue((concept("evidence quotes"), concept("above earlier collected given gathered supplied provided")), near=8),
        Cue(
            (
                wording(
                    """
                build on; carry on from; continue from; pick up from; take over from; rest on; leave off
                """
                ),
            )
        ),
    ),
)

_COMPARING = wording(
    """
    compare; comparison; comparisons; contrast; weigh up; weigh against; set against;
    hold against; versus; alternatives; side by side; against other; against each
    other; against one another
    """
)
_TWO = concept("both two each either", "one and other")
_ITEM = concept(
    "item items candidate candidates option options thing things subject subjects entity entities side sides "
    "choices alternatives"
)
_LOOK_UP = wording(
    """
    look; find; read; check; compare; quote; gather; get; collect; bring; weigh; consider; examine; cover; report;
    fetch; list; place; research; investigate; note; contrast; cite; search; open; study; facts; dates
    """
)
_BIGGER = frozenset(
    f"which {subject}{degree}"
    for subject in ("is ", "one is ", "of them is ", "of two is ", "was ", "one was ", "came ", "comes ", "has ", "")
    for degree in (
        "bigger", "larger", "older", "younger", "earlier", "later", "longer", "taller", "higher", "first", "greater",
        "more", "smaller", "shorter", "newer", "further", "deeper", "heavier",
    )
) - {"which first", "which is first", "which more"}  # fmt: skip
COMPARE = Habit(
    "compare",
    "For a question about two things the reader looks up both and compares their dates, numbers or traits.",
    (
        Cue(
            (_COMPARING,),
            unless=concept("passages evidence draft")
            | _BIGGER
            | phrases("against question", "with question", "to question", "with evidence"),
        ),
        Cue((_COMPARING, _TWO), near=12),
        Cue((concept("see tell decide determine judge find work settle check establish conclude"), _BIGGER), near=6),
        Cue((_BIGGER,)),
        Cue((_LOOK_UP, _TWO, _ITEM), near=12, unless=concept("passages sentences agents words")),
        Cue(
            (_LOOK_UP, concept("both", "each of", "each one", "either one", "one and other")),
            near=7,
            unless=concept("passage passages sentence sentences agent agents hop hops words name title titles source"),
        ),
        Cue(
            (concept("evidence information facts data dates findings"), concept("both two each")),
            near=5,
            unless=concept("passage passages sentence sentences hops agents teammate"),
        ),
        Cue(
            (
                _LOOK_UP,
                wording(
                    """
                    only one; just one; one side; one item; first item; one of two; one of them; one alone
                    """
                ),
            ),
            -1,
            near=7,
            unless=concept("passage sentence passages word answer"),
        ),
    ),
    hints=(
        Cue((concept("both"), concept("candidates options items things sides two one other")), near=10),
        Cue(
            (concept("older younger earlier later larger longer taller comparison"), concept("both two each")), near=12
        ),
        Cue((concept("both"), concept("look check find collect gather quote bring cover examine")), near=6),
    ),
)

_COMMIT = concept("answer guess conclude conclusion solve decide commit verdict decision answering final", "final word")
_LATER = wording(
    """
    last; final; next; teammate; partner; colleague; other; others; later; end; whoever; second; agent 2; agent two;
    speaks last; agent 3; for later; after you; follows you; agent after
    """
)
_PROPOSE = wording(
    """
    answer question; answer it; answer yourself; give answer; state answer; propose answer; offer answer; offer
    guess; make guess; give guess; provide answer; suggest answer; attempt answer; announce answer; venture guess;
    venture answer; include answer; draw conclusion; draw conclusions; reveal answer; try to answer; put forward
    answer; propose solution; jump to answer; guess answer; guess at; write answer; present answer; name answer; say
    answer; tell answer; share answer; blurt out; answer question yourself; commit to answer; settle on answer; say
    what answer; say what you think; offer conclusion; give conclusion; offer opinion; give opinion; jump to
    conclusion; make guesses; answer too
    """
)
_OWN_ANSWER = wording(
    """
    your answer; own answer; your guess; own guess; final answer; an answer; any answer; a guess; any guess; any
    guesses; guesses; own conclusion; own verdict; your verdict; your conclusion; any conclusion; a verdict; a
    conclusion; think answer is; what answer is; what answer might; an opinion; your opinion; answer at all; answer
    at this; answer right; own opinion; guesses of your own; guesswork; one who answers; one to answer; one
    answering; answer slip; your view; your hunch; a hunch; any hint of answer; your theory; the answer; the
    solution; answering yourself; yourself answer; answer away; the answering; your job to answer; conclusions;
    conclusions of your own; job to answer; place to answer; up to you to answer
    """
)
_ABOUT_FORM = (
    SENTENCE
    | LONG
    | SHORT
    | KIND
    | ONLY
    | EXPLANATION
    | YES_NO_WORDS
    | FEW
    | wording(
        """
        name; phrase; scratch; unless; words; how; until; as; with; both; check; verify; repeat; support; supported;
        title; source; date; unknown; evidence; quote; quotes; before; in; based
        """
    )
)
DEFER = Habit(
    "defer",
    "An agent that does not speak last keeps its guess to itself and leaves the answer to the last.",
    (
        Cue(
            (concept("business concern affair job task turn role"), concept("answer answering answers conclusion")),
            -1,
            near=8,
            unless=FEW | concept("last final teammate"),
        ),
        Cue(
            (
                concept("leave let hand pass defer entrust wait reserve save delegate yield allow trust relinquish"),
                _COMMIT,
                _LATER,
            ),
            near=9,
            unless=FEW | SENTENCE | concept("name phrase evidence quote"),
        ),
        Cue(
            (
                concept("leave let hand pass entrust delegate wait"),
                wording(
                    """
                    answering; deciding; concluding; guessing; the answer; the answering; the deciding; the verdict;
                    the conclusion; the final answer
                    """
                ),
            ),
            near=4,
            unless=FEW | SENTENCE | concept("name phrase bare short"),
        ),
        Cue(
            (_COMMIT | phrases("giving answer"), concept("job task business part role duty turn"), _LATER),
            near=10,
            unless=FEW,
        ),
        Cue(
            (
                _COMMIT,
                wording(
                    """
                    yet; early; prematurely; premature; soon; too; first; before; yourself; this stage; this point;
                    right away; straight away
                    """
                ),
            ),
            -1,
            near=7,
            unless=_ABOUT_FORM | concept("last final question passage"),
        ),
        Cue((_PROPOSE,), -1, unless=_ABOUT_FORM | MATE | concept("last missing lack")),
        Cue(
            (_OWN_ANSWER,),
            -1,
            unless=_ABOUT_FORM | MATE | concept("last missing lack contain stand hold find"),
            only=-1,
        ),
        Cue(
            (concept("guess guessing speculate speculation conclude solve"),),
            -1,
            unless=_ABOUT_FORM | MATE | concept("last missing lack unsure know found"),
        ),
    ),
    hints=(
        Cue(
            (
                wording(
                    """
                speculate; speculation; solution; guess; guesses; guessing; conclude; conclusion; verdict;
                opinion
                """
                ),
            ),
            -1,
        ),
        Cue(
            (concept("answer answering answers"), concept("last others later teammate partner final until end")),
            -1,
            near=10,
            only=-1,
        ),
        Cue(
            (
                wording(
                    """
                withhold; hold back; hold off; keep back; reserve; save; wait
                """
                ),
                concept("answer answers answering"),
            ),
            near=8,
        ),
    ),
)
