"""What instructions can change in how the offline model does mathematics."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Cue, Habit, concept

_ANSWER = concept("answer result solution", "final number", "final value", "final figure", "final total")
_WORK = concept(
    "working workings calculation calculations computation quantity quantities reasoning derivation "
    "intermediate equation "
    "equations data steps givens",
    "how you got there",
    "how you get there",
    "how you arrived",
    "how you found",
    "how you came to",
    "how it comes about",
    "what you did",
    "what you do",
    "path to",
    "way to the answer",
    "route to the answer",
    "each step",
    "every step",
    "the steps",
    "what you compute",
    "all numbers",
    "the numbers",
    "each number",
    "given numbers",
    "every number",
    "each value",
    "all values",
    "the values",
    "first step",
    "the figures",
    "partial results",
)
_OTHERS = concept(
    "teammate teammates colleague colleagues partner partners predecessor others peer peers agent agents",
    "earlier message",
    "previous message",
    "first message",
    "earlier messages",
    "earlier working",
    "earlier steps",
    "what came before",
    "has been written",
    "was written",
    "already written",
    "has been worked out",
    "messages so far",
    "previous working",
    "earlier work",
    "previous work",
    "working above",
    "steps above",
    "stands above",
    "conversation so far",
    "previous speaker",
    "earlier speaker",
    "has been said",
    "has been found",
    "already found",
    "already worked out",
    "already done",
    "earlier results",
    "previous results",
)
_SUMS = concept(
    "arithmetic sum sums calculation calculations computation computations multiplication addition subtraction product "
    "products math maths operation operations step steps working workings result results answer number numbers figure "
    "figures value values",
)

BOX = Habit(
    "box",
    "Closes with the final answer alone in \\boxed{}; otherwise the answer is buried in a sentence with other numbers.",
    (
        Cue((concept("box boxed boxing boxes"),)),
        Cue(
            (
                concept(
                    "alone",
                    "by itself",
                    "own line",
                    "single line",
                    "separate line",
                    "last line",
                    "final line",
                    "nothing else",
                    "nothing after",
                    "clearly marked",
                    "set off",
                ),
                _ANSWER,
            ),
            near=8,
        ),
        Cue((concept("mark highlight isolate frame framed"), _ANSWER), near=6),
        Cue(
            (concept("end finish close conclude"), _ANSWER, concept("only just alone clear clearly single bare plain")),
            near=8,
        ),
        Cue((concept("prose sentence sentences", "running text"), _ANSWER), sign=-1, near=8),
        Cue((concept("bury buried hide hidden lose"), _ANSWER), sign=-1, near=6),
        Cue((concept("", "numbers after", "remark after", "remarks after", "anything after", "text after"),), sign=-1),
    ),
)

WORKINGS = Habit(
    "workings",
    "Writes out the quantities and the steps with their values, so that others can build on them; otherwise a first "
    "speaker stays vague and a last one keeps a single step in the head.",
    (
        Cue(
            (
                concept(
                    "write show list state lay note record document spell detail jot explain see tell describe present",
                    "set down",
                    "set out",
                    "put down",
                    "put on paper",
                ),
                _WORK,
            ),
            near=8,
        ),
        Cue((concept("explicit explicitly visible"), _WORK), near=8),
        Cue(
            (
                concept("extract identify collect gather"),
                concept("quantity quantities numbers figures givens values data"),
            ),
            near=8,
        ),
        Cue((concept("stepwise", "step by step", "one step at a time", "line by line"),)),
        Cue((concept("share hand pass"), concept("working workings calculation calculations")), near=6),
        Cue((concept("vague general", "general plan", "generalities"),), sign=-1),
        Cue((concept("mentally", "in your head", "in the head", "mental arithmetic"),), sign=-1),
        Cue((concept("working workings steps"), concept("yourself hidden private secret")), sign=-1, near=6),
    ),
)

UNITS = Habit(
    "units",
    "Converts every quantity to the unit the calculation needs before using it; otherwise numbers "
    "are taken as they stand.",
    (
        Cue((concept("unit units"),)),
        Cue((concept("convert conversion conversions"),)),
        Cue(
            (
                concept("turn change express translate bring match"),
                concept(
                    "minutes hours seconds metres centimetres kilometres grams kilograms cents dollars measurements "
                    "measure measures scale litres days weeks lengths weights"
                ),
            ),
            near=8,
        ),
        Cue(
            (
                concept("", "as they stand", "face value", "as they are", "as given"),
                concept(
                    "numbers quantity quantities figures measurements minutes hours seconds metres centimetres "
                    "kilometres grams kilograms cents dollars measures lengths weights"
                ),
            ),
            sign=-1,
            near=8,
        ),
    ),
)

PRECEDENCE = Habit(
    "precedence",
    "Powers before products before sums; otherwise operations are done from left to right.",
    (
        Cue(
            (
                concept(
                    "precedence pemdas bodmas bidmas",
                    "order of operations",
                    "operation order",
                    "rank of the operations",
                ),
            )
        ),
        Cue(
            (
                concept("order", "right order", "correct order", "proper order"),
                concept("operations operators operation"),
            ),
            near=6,
        ),
        Cue(
            (
                concept("multiply multiplication multiplications products division divisions divide powers exponents"),
                concept("before first ahead precede"),
                concept(
                    "add addition additions subtract subtraction subtractions sums differences first",
                    "before anything",
                    "before everything",
                    "before all",
                    "before the rest",
                    "before any",
                ),
            ),
            near=10,
        ),
        Cue(
            (
                concept("add addition additions adding subtract subtraction sums"),
                concept("last after"),
                concept("multiply multiplication products division powers"),
            ),
            near=10,
        ),
        Cue(
            (
                concept(
                    "",
                    "left to right",
                    "in the order written",
                    "order in which they stand",
                    "order they appear",
                    "order they are written",
                ),
            ),
            sign=-1,
        ),
    ),
)

EXACT = Habit(
    "exact",
    "Keeps fractions as fractions in lowest terms; otherwise every value is rounded to two decimals.",
    (
        Cue(
            (
                concept(
                    "unrounded",
                    "exact value",
                    "exact values",
                    "exact answer",
                    "exact answers",
                    "exact result",
                    "stay exact",
                    "exact form",
                    "full precision",
                    "exact fraction",
                    "exact fractions",
                    "exact numbers",
                    "be exact",
                    "keep exact",
                    "remain exact",
                ),
            )
        ),
        Cue(
            (
                concept("fraction fractions"),
                concept(
                    "keep leave give express write use answer form stay report prefer state lowest "
                    "simple simplest simplify "
                    "reduce reduced proper exact irreducible common"
                ),
            ),
            near=8,
        ),
        Cue(
            (
                concept("keep leave give express write state report show"),
                concept("quotient quotients ratio ratios division divisions", "divided by", "one number over"),
                concept(
                    "fraction fractions ratio ratios exact", "whole numbers", "undivided", "as they are", "one over"
                ),
            ),
            near=10,
        ),
        Cue(
            (concept("simplify reduce cancel"), concept("fraction fractions answer result ratio lowest fully")), near=8
        ),
        Cue((concept("", "lowest terms", "simplest form", "simplest terms", "reduced form", "cancel down"),)),
        Cue(
            (
                concept(
                    "round rounded decimal decimals approximate approximation approximations approximately",
                    "decimal places",
                ),
            ),
            sign=-1,
        ),
    ),
)

FINISH = Habit(
    "finish",
    "Carries on to the quantity the question asks for; otherwise stops at the first result. It takes paper: without "
    "`workings`, one's own or a teammate's taken over, it changes nothing.",
    (
        Cue(
            (
                concept(
                    "asked",
                    "what the question asks",
                    "what the problem asks",
                    "question asks for",
                    "problem asks for",
                    "question wants",
                    "question really asks",
                    "is wanted",
                    "being asked",
                    "actual question",
                    "what was wanted",
                ),
                concept(
                    "answer find give reach report return carry continue go compare match check make give sure until"
                ),
            ),
            near=12,
        ),
        Cue(
            (
                concept("answer"),
                concept("", "the question", "the actual question"),
                concept("asked really actually exactly itself"),
            ),
            near=8,
        ),
        Cue(
            (
                concept("complete finish carry continue go proceed follow do perform take reach"),
                concept(
                    "",
                    "last step",
                    "final step",
                    "remaining step",
                    "remaining steps",
                    "second step",
                    "all steps",
                    "all the steps",
                    "every step",
                    "next step",
                    "steps that remain",
                    "to the end",
                    "through to",
                    "whole calculation",
                    "further step",
                    "until the end",
                ),
            ),
            near=8,
        ),
        Cue(
            (
                concept("compare check ask see make match read look hold consider decide"),
                concept(
                    "",
                    "what they want",
                    "what they ask",
                    "what they are after",
                    "what is wanted",
                    "what is asked",
                    "what was asked",
                    "what the question wants",
                    "really what",
                    "what is sought",
                    "last sentence again",
                ),
            ),
            near=12,
        ),
        Cue(
            (concept("", "keep going", "press on", "go all the way", "carry on until", "go on until", "work on until"),)
        ),
        Cue((concept("read look"), concept("question problem sentence"), concept("again twice once-more")), near=6),
        Cue(
            (
                concept(
                    "reread",
                    "read the question again",
                    "back to the question",
                    "look again at the question",
                    "return to the question",
                    "read the question twice",
                ),
            )
        ),
        Cue(
            (
                concept("stop halt settle", "stop short"),
                concept("intermediate first halfway partial early partway half middle soon"),
            ),
            sign=-1,
            near=6,
        ),
        Cue(
            (concept("intermediate partial"), concept("", "as the answer", "final answer", "as the result")),
            sign=-1,
            near=8,
        ),
    ),
)

CHECK = Habit(
    "check",
    "Does every sum a second time and puts it right; otherwise carries and borrows get lost, one's "
    "own and a teammate's.",
    (
        Cue(
            (
                concept(
                    "check verify confirm proofread audit redo rework retrace repeat revisit reexamine reconsider "
                    "inspect test",
                    "go over",
                    "work out again",
                    "do again",
                    "do over",
                    "go through again",
                    "look over",
                    "run through again",
                ),
                _SUMS,
            ),
            near=6,
        ),
        Cue((concept("recheck recompute recalculate reverify doublecheck", "double check", "cross check"),)),
        Cue((concept("twice", "second time", "once more"), _SUMS), near=8),
        Cue(
            (
                concept("", "go through", "run through", "work through", "go back over", "look at"),
                _SUMS,
                concept("again", "another time", "afterwards"),
            ),
            near=8,
        ),
        Cue(
            (
                concept("careful carefully accurate accurately accuracy attention"),
                concept("arithmetic carry carries carrying borrow borrowing borrows sums"),
            ),
            near=6,
        ),
        Cue(
            (
                concept(
                    "carries borrows slips",
                    "arithmetic slip",
                    "arithmetic error",
                    "arithmetic errors",
                    "arithmetic mistakes",
                ),
                concept("mind track look catch find watch correct fix guard"),
            ),
            near=6,
        ),
        Cue((concept("lose drop forget"), concept("carry carries borrow borrows")), sign=-1, near=5),
        Cue((concept("", "arithmetic slip", "arithmetic slips", "arithmetic error", "arithmetic errors"),), sign=-1),
    ),
)

SMALL_CASES = Habit(
    "small_cases",
    "Tries a counting rule on a few small cases before using it; otherwise it is off by one or counts pairs twice.",
    (
        Cue(
            (
                concept("small smaller tiny simple simpler few"),
                concept("case cases example examples instance instances terms version", "first terms"),
            ),
            near=5,
        ),
        Cue((concept("test try"), concept("rule rules formula formulas pattern")), near=6),
        Cue(
            (
                concept("watch beware check mind guard look attention care think consider"),
                concept(
                    "fencepost endpoints",
                    "off by one",
                    "one too many",
                    "one too few",
                    "fence post",
                    "both ends",
                    "end points",
                    "double counting",
                    "counted twice",
                    "count twice",
                ),
            ),
            near=10,
        ),
        # "Never be off by one": to speak against the mistake is to speak for the habit.
        Cue((concept("", "off by one", "double counting", "count twice", "one too many", "one too few"),), sign=-1),
    ),
)

TEAMMATE = Habit(
    "teammate",
    "Takes over what a teammate has already worked out and goes on from there; otherwise starts from nothing.",
    (
        Cue(
            (
                concept(
                    "use build rely start trust follow adopt reuse base begin proceed draw copy "
                    "respect accept continue",
                    "take over",
                    "carry on from",
                    "pick up",
                    "go on from",
                    "take from",
                    "work from",
                ),
                _OTHERS,
            ),
            near=10,
        ),
        Cue((concept("", "from scratch", "by yourself", "start over", "from nothing"),), sign=-1),
        Cue((concept("independently"),), sign=-1),
        Cue((concept("ignore disregard overlook"), _OTHERS), sign=-1, near=8),
    ),
)

HABITS = (BOX, WORKINGS, UNITS, PRECEDENCE, EXACT, FINISH, CHECK, SMALL_CASES, TEAMMATE)
"""Everything an instruction can change in mathematics."""
