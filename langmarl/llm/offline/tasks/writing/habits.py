"""What instructions can change in a writer, and the words by which they speak of it."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Cue, Habit, concept

_WANTED = concept(
    "requirement requirements demand demands bullet bullets point points item items criterion criteria condition "
    "conditions brief checklist wish wishes request requests specification spec",
    "what is asked", "everything asked", "all that is asked", "what the task asks", "what the client asks",
    "asked for", "has to be said", "must be said", "needs to be said", "has to say", "what is wanted",
)  # fmt: skip
_COVER = concept(
    "cover fulfil fulfill satisfy meet answer include mention tick handle treat serve deliver honour honor address "
    "complete incorporate respond work reflect contain bother worry care",
    "go through", "work through", "tick off", "take care", "deal with", "attend to", "check off", "see to",
    "run through",
    "make sure", "do justice",
)  # fmt: skip
_PASS_OVER = concept("ignore overlook neglect skip omit disregard drop", "leave out", "pass over", "leave aside")
_NEGLECT = concept("ignore overlook neglect disregard")
_DETAIL = concept(
    "name names number numbers date dates figure figures fact facts price prices place places time times weekday "
    "particulars specifics quantity amount detail details data thing things person people",
    "proper name", "exact words",
)  # fmt: skip
_STATE = concept(
    "name give state copy mention include use keep quote spell carry put transfer bring write list provide cite supply "
    "preserve work take pass hand record",
    "spell out", "write out", "carry over", "hand on", "pass on",
)  # fmt: skip
_SPECIFIC = concept("specific specifically precise precisely concrete concretely exact exactly definite")
_VAGUE = concept("vague vaguely abstract abstractly unspecific imprecise", "in general terms", "in generalities")

_KEEP_TO = concept(
    "keep stay respect observe obey count trim cut shorten remain hold follow honour honor mind watch heed stop "
    "fit bother worry care",
    "stick to", "keep to", "adhere to", "abide by",
)  # fmt: skip
_LIMIT = concept(
    "limit limits maximum cap ceiling length",
    "word count", "number of words", "words allowed", "allowed words", "so many words", "allowed number",
)  # fmt: skip
_EXCEED = concept("exceed overrun overstep overshoot surpass", "go over", "go beyond", "run over", "run past")
_SHORT = concept("short brief briefly concise concisely succinct succinctly terse compact tight crisp lean shorter")
_AT_LENGTH = concept("long lengthy wordy verbose ramble rambling longer", "at length", "more words", "many words")

_GREETING = concept("greeting greet salutation hello", "opening formula", "dear reader")
_CLOSING = concept(
    "signature goodbye farewell signoff valediction",
    "sign off", "closing line", "closing formula", "closing phrase", "complimentary close", "kind regards", "sign it",
    "sign the", "closing words",
)  # fmt: skip
_ADD = concept("add include end finish begin start open put use write frame have need want need", "round off")

_TONE = concept("tone register mood manner voice", "way of speaking", "style of address")
_MANNERS = concept("friendly formal polite politely warm warmly cheerful courteous kind kindly gentle")
_SOUND = concept("sound be stay keep remain write speak become")

_META = concept(
    "preamble preface introduction introduce intro comment comments commentary remark remarks meta disclaimer announce "
    "announcement chatter aside asides chitchat banter pleasantries wrapper wrapping",
    "chit chat", "small talk around",
    "about the draft", "about your draft", "about your work", "draft itself", "introductory phrase",
    "talk about yourself", "about yourself", "lead in", "offer of changes",
    "offer changes", "offer to change", "ask whether changes", "suggest changes", "address the client",
    "speak to client",
)  # fmt: skip
_ONLY = concept("only just solely alone purely nothing", "by itself", "and that is all")
_TEXT = concept("text letter piece message poem result", "finished text", "final text", "text itself")
_AT_ONCE = concept("straight directly immediately", "right away", "at once", "straight away", "straight in")
_FIRST_WORD = concept(
    "", "first word of piece", "first word of text", "first line of text", "first line of piece", "with text itself",
    "with piece itself", "first word to last", "last word of piece", "last word of text", "first sentence of text",
    "first sentence of piece", "with the text", "with the piece",
)  # fmt: skip
_BEGIN = concept("begin start open go come get jump dive")

_TEAMMATE = concept(
    "teammate teammates partner colleague predecessor others earlier previous preceding prior",
    "team mate", "first agent", "agent 1", "first speaker", "other agent", "before you", "already there",
    "already listed", "so far", "came before", "fellow agent", "first writer",
)  # fmt: skip
_OUTLINE = concept("outline plan checklist skeleton sketch structure groundwork", "list of points", "point list")
_BUILD = concept(
    "build follow rely base draw expand flesh continue adopt incorporate work turn pick take use develop heed",
    "build on", "work from", "pick up", "carry over", "flesh out", "go by", "stick to", "make use",
)  # fmt: skip
_ALONE = concept("scratch", "start over", "start afresh", "by yourself", "all alone")

# Word order matters here: "list the requirements" plans, "the requirements listed above" does not. So these
# are phrases.
_LISTING = concept(
    "",
    *(
        f"{verb} {which} {what}".replace("  ", " ")
        for verb in (
            "list", "enumerate", "outline", "itemise", "itemize", "jot down", "extract", "collect", "gather", "sketch",
            "set out", "write down", "lay out", "break down", "draw up", "map out", "pull out", "put down", "plan out",
        )
        for which in ("", "each", "every", "all", "all of")
        for what in (
            "requirement", "demand", "point", "item", "criterion", "condition", "brief", "wish", "what", "everything",
            "text", "things",
        )
    ),
    "into bullet points", "into bullets", "as bullet points", "into a list", "into points", "into items",
    "in note form", "as an outline", "as a plan", "as a checklist",
)  # fmt: skip
_PLANNING = concept(
    "",
    *(
        f"{verb} {kind} {plan}".replace("  ", " ")
        for verb in (
            "make", "give", "produce", "prepare", "provide", "supply", "send", "deliver", "hand over", "hand on",
            "offer",
            "create", "draft", "present", "post", "draw up", "start with", "begin with", "open with", "come up with",
            "set up", "put together", "write", "sketch", "compile",
        )
        for kind in ("", "short", "clear", "plain", "simple", "complete", "detailed", "full", "brief", "numbered",
                     "bulleted", "rough", "quick", "itemised", "itemized", "written", "working")
        for plan in ("outline", "plan", "checklist", "skeleton", "sketch", "bullet points", "bullet list", "list",
                     "bullets", "blueprint", "road map", "roadmap", "scaffold")
    ),
)  # fmt: skip
_NOTING = concept(
    "list enumerate itemise itemize outline jot", "set out", "note down", "write down", "put down", "set down",
    "lay out", "draw up", "collect", "gather",
)  # fmt: skip
_CONTENTS = concept(
    "", "must say", "has to say", "must contain", "has to contain", "must hold", "must mention", "has to mention",
    "should say", "should contain", "must do", "has to do", "must be said", "has to be said", "needs to be said",
    "must cover", "has to cover", "must include", "needs to say", "ought to say", "belongs in", "goes into",
)  # fmt: skip
_DRAFTING = concept(
    "", "draft the text", "write the text", "write the text yourself", "draft a text", "do the writing",
    "compose the text", "write a full text", "write the whole text", "draft the whole text", "write the letter",
)  # fmt: skip

_REPEAT = concept(
    "repeat repetition repetitions repetitive restate duplicate reiterate echo rehash recap recapitulate revisit",
    "come back to", "go back to", "return to", "circle back", "get back to", "come round to", "come around to",
    "say twice", "same thing twice", "over again", "say again", "say the same", "twice over", "same sentence",
)  # fmt: skip
_SAY = concept("say state mention make put write tell use")
_ONCE = concept("once", "one time", "a single time")
_TWICE = concept("twice", "two times", "more than once", "over and over", "time and again")
_STATEMENT = concept("say make tell state mention write put point thing sentence idea remark message")
_AS_SOON_AS = concept("", "once you", "once it", "once they", "once all", "once every", "once the", "once there")

_FILLER = concept(
    "filler padding pad waffle cliche clich\u00e9 platitude platitudes boilerplate generality generalities commonplace "
    "commonplaces fluff empty hollow verbiage truism truisms banality banalities",
    "stock phrase", "set phrase", "general remark", "general remarks", "small talk", "idle talk", "hot air",
    "stock phrases", "general statement", "general statements",
)  # fmt: skip
_CUT = concept("cut purge eliminate axe kill go weed trim prune erase")
_RELEVANT = concept("relevant substance substantial", "to the point", "on topic", "stick to the subject")

_END = concept("end close finish conclude last final finally ending finale")
_NEXT = concept(
    "invitation request appeal act",
    "what to do", "should do", "must do", "can do", "next step", "next steps", "call to action", "do next", "has to do",
    "needs to do", "is to do", "expected to do", "want the reader to do", "asked to do", "clear request",
)  # fmt: skip
_CALL = concept(
    "",
    "call to action",
    "what they should do",
    "what they have to do",
    "what to do next",
    "what the reader should do",
    "what reader has to do",
    "what readers should do",
)

_LAYOUT = concept(
    "layout format formatting shape title headline",
    "bulleted list", "bullet list", "numbered list", "numbered steps", "subject line", "number of lines",
    "required form",
    "requested form", "outer form", "form asked", "form the brief asks", "prescribed form", "form that is asked",
)  # fmt: skip
_HEED = concept(
    "obey respect observe heed follow honour honor mind keep set use match give lay apply choose write put stick",
    "keep to", "stick to", "lay out", "adhere to",
)  # fmt: skip
_BANNED = concept(
    "forbid forbids forbidden ban bans banned prohibit prohibited prohibition prohibitions disallowed unwanted "
    "restriction restrictions don'ts",
    "ruled out", "must not", "not allowed", "does not want", "not wanted", "no nos",
)  # fmt: skip
_SHUN = concept(
    "avoid omit", "leave out", "stay away", "keep out", "keep away", "steer clear", "refrain from", "do without"
)
_MARKS = concept("exclamation", "exclamation mark", "exclamation marks", "exclamation point", "forbidden word")

_ADDRESS = concept("address speak talk turn directly write")
_READER = concept("reader readers audience recipient addressee addressees")
_AS_YOU = concept("", "address as you", "say you", "word you", "call them you", "reader as you", "second person")

_EXAMPLE = concept("example examples illustration illustrate instance anecdote scene", "real case", "concrete case")

# "Do not bother with X" reaches a cue as "do not X".
_DO = concept("do")
_SAYING = concept("list repeat quote copy outline mention announce enumerate restate recite name write discuss state")

HABITS: tuple[Habit, ...] = (
    Habit(
        "cover",
        "Makes the points that the requirements ask for, one by one (as many as it can keep in mind without an "
        "outline: "
        "two); untold, it only names the topic.",
        (
            Cue((_COVER, _WANTED)),
            Cue((_PASS_OVER, _WANTED), sign=-1, near=8),
            Cue((_WANTED, _DO), near=4, unless=_SAYING),
            Cue((_WANTED, concept("each every all everything", "one by one", "in turn", "point by point")), near=6),
            Cue((concept("", "one by one", "point by point", "item by item", "one after another"),)),
        ),
    ),
    Habit(
        "details",
        "Gives the names, numbers, dates and places of the brief; untold, it only says that there is something to say.",
        (
            Cue((_STATE, _DETAIL), near=9),
            Cue((_PASS_OVER, _DETAIL), sign=-1, near=8),
            Cue((_SOUND, _SPECIFIC), near=3),
            Cue((_SPECIFIC, _DETAIL), near=6),
            Cue((_VAGUE,), sign=-1),
        ),
    ),
    Habit(
        "limit",
        "Keeps to the number of words the brief allows and leaves out the most dispensable sentences; untold, "
        "it runs on.",
        (
            Cue((_KEEP_TO, _LIMIT), near=10),
            Cue((_EXCEED, _LIMIT), sign=-1, near=10),
            Cue((_PASS_OVER, _LIMIT), sign=-1, near=8),
            Cue((_LIMIT, _DO), near=5),
            Cue((concept("be keep stay make write remain"), _SHORT), near=3),
            Cue((_AT_LENGTH,), sign=-1),
            Cue((concept("", "at most", "not more than", "within the words"), concept("words")), near=6),
        ),
    ),
    Habit(
        "frame",
        "Opens with a greeting and ends with a closing line and a signature where the text is addressed to somebody.",
        (Cue((_GREETING,)), Cue((_CLOSING,)), Cue((_ADD, concept("closing")), near=5)),
    ),
    Habit(
        "tone",
        "Takes on the tone the brief asks for, thanks and apologises where wanted; told not to, it strikes the "
        "opposite.",
        (Cue((_TONE,)), Cue((_SOUND, _MANNERS), near=6)),
    ),
    Habit(
        "only_text",
        "Gives the text and nothing else; untold, it announces a draft and offers changes.",
        (
            Cue((_META,), sign=-1),
            Cue((_CUT, _META), near=6),
            Cue((_ONLY, _TEXT), near=8),
            Cue((_BEGIN, _AT_ONCE), near=4),
            Cue((_BEGIN, _FIRST_WORD), near=6),
        ),
    ),
    Habit(
        "build",
        "Makes the points that earlier messages list, with the details given there; untold, it works from the "
        "brief alone.",
        (
            Cue((_BUILD, _TEAMMATE), near=10),
            Cue((_BUILD, _OUTLINE), near=9),
            Cue((_PASS_OVER, _TEAMMATE), sign=-1, near=8),
            Cue((_PASS_OVER, _OUTLINE), sign=-1, near=8),
            Cue((_ALONE,), sign=-1),
        ),
    ),
    Habit(
        "outline",
        "Lists what the text has to say and do, one line a requirement, in place of a text; untold, the first "
        "agent muses, "
        "and told not to, it writes a draft. An agent that works alone plans silently and forgets no point.",
        (
            Cue((_LISTING,)),
            Cue((_PLANNING,)),
            Cue((_NOTING, _CONTENTS), near=9),
            Cue((_DRAFTING,), sign=-1),
        ),
    ),
    Habit(
        "no_repeat",
        "Says each thing once; untold, it comes back to its opening sentence at the end.",
        (
            Cue((_REPEAT,), sign=-1),
            Cue((_CUT, _REPEAT), near=6),
            Cue((_TWICE, _STATEMENT), sign=-1, near=7),
            Cue((_SAY, _ONCE), near=6, unless=_AS_SOON_AS),
        ),
    ),
    Habit(
        "no_filler",
        "Leaves out stock phrases and general remarks.",
        (Cue((_FILLER,), sign=-1), Cue((_CUT, _FILLER), near=6), Cue((_RELEVANT,))),
    ),
    Habit(
        "action",
        "Ends with what the reader should do, where the text speaks to somebody.",
        (Cue((_END, _NEXT), near=10), Cue((_CALL,))),
    ),
    Habit(
        "format",
        "Keeps to the form asked for (title, subject line, list, numbered steps, number of lines, a question) "
        "and to the "
        "bans (marks, words and topics not wanted).",
        (
            Cue((_HEED, _LAYOUT), near=9),
            Cue((_PASS_OVER, _LAYOUT), sign=-1, near=8),
            Cue((_HEED, _BANNED), near=9),
            Cue((_SHUN, _BANNED), near=9),
            Cue((_NEGLECT, _BANNED), sign=-1, near=8),
            Cue((_MARKS,), sign=-1),
        ),
    ),
    Habit(
        "reader",
        "Speaks to the reader as you.",
        (Cue((_ADDRESS, _READER), near=6), Cue((_PASS_OVER, _READER), sign=-1, near=5), Cue((_AS_YOU,))),
    ),
    Habit(
        "example",
        "Gives a concrete example where the brief wants one.",
        (Cue((_EXAMPLE,)),),
    ),
)
