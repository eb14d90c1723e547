"""What instructions can change in how the offline model writes programs."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Cue, Habit, concept

_CODE = concept("code function program solution implementation python source definition answer")
_INPUT = concept(
    "input inputs list lists string strings text texts sequence argument arguments case cases value "
    "values data collection"
)
_OTHERS = concept(
    "teammate teammates colleague colleagues partner partners predecessor others other peer peers agent agents",
    "earlier message",
    "previous message",
    "first message",
    "earlier messages",
    "messages so far",
    "what came before",
    "has been said",
    "has been listed",
    "has been noted",
    "was listed",
    "was noted",
    "previous speaker",
    "earlier speaker",
    "earlier notes",
    "previous notes",
    "listed cases",
    "cases listed",
    "listed above",
    "the notes",
    "the plan",
    "conversation so far",
)

FENCE = Habit(
    "fence",
    "Answers with the code alone in a ```python block; otherwise anything longer than one line is wrapped in remarks.",
    (
        Cue(
            (
                concept(
                    "fence fenced fences backticks codeblock",
                    "code block",
                    "python block",
                    "code fence",
                    "block of code",
                    "code cell",
                    "triple backticks",
                    "markdown block",
                ),
            )
        ),
        Cue(
            (
                concept("only alone just", "nothing else", "by itself", "nothing but"),
                concept("code function program", "source code"),
            ),
            near=6,
        ),
        Cue(
            (
                concept(
                    "prose explanation explanations explain commentary remark remarks chatter "
                    "comment comments discussion "
                    "introduction preamble",
                    "text around",
                    "words around",
                    "text before",
                    "text after",
                ),
            ),
            sign=-1,
        ),
    ),
)

SIGNATURE = Habit(
    "signature",
    "Keeps the given function name; otherwise a long name is shortened.",
    (
        Cue((concept("signature header"),)),
        Cue(
            (
                concept("name names"),
                concept(
                    "keep preserve same exact exactly given original leave use unchanged retain requested match "
                    "stick respect required",
                    "as given",
                    "as it is",
                ),
            ),
            near=6,
        ),
        Cue(
            (
                concept(
                    "rename renaming abbreviate shorten alter change invent",
                    "different name",
                    "another name",
                    "new name",
                    "own name",
                ),
                concept("name names function parameter parameters it"),
            ),
            sign=-1,
            near=6,
        ),
        Cue((concept("rename renaming"),), sign=-1),
    ),
)

RETURNS = Habit(
    "returns",
    'Gives the result back with return; otherwise it is printed unless the docstring says "return".',
    (
        Cue(
            (
                concept("return returning returns"),
                concept(
                    "value result results answer it output print printing function instead statement always data",
                    "what it computes",
                ),
            ),
            near=8,
        ),
        Cue((concept("print printing prints printed"),), sign=-1),
        Cue(
            (
                concept("", "hand back", "give back", "pass back", "send back", "hand over"),
                concept("result value answer output it them number list outcome"),
            ),
            near=6,
        ),
    ),
)

EXAMPLES = Habit(
    "examples",
    "Runs candidates on the docstring's examples and takes the first that satisfies them all; otherwise takes what the "
    "name suggests. A first speaker notes the examples and the approach that fits them.",
    (
        Cue(
            (
                concept(
                    "example examples doctest doctests sample samples",
                    "sample calls",
                    "expected outputs",
                    "expected results",
                ),
                concept(
                    "check run test try verify match satisfy work trace walk compare follow agree "
                    "pass reproduce go look read "
                    "use against confirm validate list note write copy every each all fit with study"
                ),
            ),
            near=10,
        ),
        Cue(
            (
                concept("check run test try verify compare hold validate match measure"),
                concept("against"),
                concept("example examples doctest doctests sample samples"),
            ),
            near=10,
        ),
        Cue((concept("example examples doctest doctests"), concept("docstring description prompt task given")), near=8),
        Cue(
            (
                concept("docstring description specification"),
                concept("whole entire carefully closely full fully every read"),
            ),
            near=6,
        ),
        Cue((concept("ignore disregard skip overlook"), concept("example examples doctest doctests")), sign=-1, near=6),
        Cue(
            (concept("name"), concept("", "go by", "goes by", "rely on", "guess from", "judge by", "trust")),
            sign=-1,
            near=4,
        ),
    ),
)

EDGE_CASES = Habit(
    "edge_cases",
    "A first speaker lists the special inputs to think of; a last one handles all of them.",
    (
        Cue(
            (
                concept("edge corner boundary special unusual tricky extreme borderline odd"),
                concept("case cases input inputs condition conditions situation situations value values"),
            ),
            near=4,
        ),
        Cue(
            (
                concept(
                    "pitfalls traps gotchas",
                    "what could go wrong",
                    "what can go wrong",
                    "where it could break",
                    "unusual inputs",
                ),
            )
        ),
    ),
)

EMPTY = Habit(
    "empty",
    "Handles a list or text with nothing in it.",
    (
        Cue(
            (
                concept(
                    "empty emptiness blank zero-length",
                    "no elements",
                    "no items",
                    "without elements",
                    "nothing in it",
                    "zero length",
                    "length zero",
                    "no input",
                    "nothing at all",
                    "zero elements",
                    "zero items",
                ),
            )
        ),
        Cue((concept("guard protect safeguard defend"), concept("empty blank")), near=5),
    ),
)

NEGATIVES = Habit(
    "negatives",
    "Handles numbers below zero (and the least numbers a definition allows).",
    (
        Cue((concept("negative negatives minus", "below zero", "less than zero", "smaller than zero", "under zero"),)),
        Cue((concept("sign signs"), concept("number numbers value values")), near=6),
        Cue((concept("guard protect safeguard defend"), concept("negative negatives")), near=5),
    ),
)

DUPLICATES = Habit(
    "duplicates",
    "Handles items that occur more than once.",
    (
        Cue(
            (
                concept(
                    "duplicate duplicates duplicated repeat repeats repeated repetition repetitions",
                    "more than once",
                    "same value twice",
                    "equal values",
                    "equal items",
                    "equal elements",
                    "occur twice",
                    "appear twice",
                    "turn up twice",
                    "come twice",
                    "come up twice",
                    "same item",
                    "same element",
                    "same number",
                    "same entry",
                    "several times",
                    "identical items",
                    "identical values",
                    "ties",
                ),
                _INPUT
                | concept(
                    "item items number numbers element elements entry entries handle "
                    "consider cover account think remember mind watch and or allow"
                ),
            ),
            near=10,
        ),
        Cue((concept("duplicates"),)),
    ),
)

TEAMMATE = Habit(
    "teammate",
    "Writes what the teammates' notes ask for: handles the cases they list and takes the approach they name.",
    (
        Cue(
            (
                concept(
                    "use follow handle cover respect implement adopt consider read address apply "
                    "heed rely build take account "
                    "include work consult honour accept",
                    "build on",
                    "make use",
                    "act on",
                    "stick to",
                    "take up",
                ),
                _OTHERS,
            ),
            near=10,
        ),
        Cue((concept("ignore disregard overlook"), _OTHERS), sign=-1, near=8),
        Cue((concept("independently", "by yourself", "from scratch"),), sign=-1),
    ),
)

HABITS = (FENCE, SIGNATURE, RETURNS, EXAMPLES, EDGE_CASES, EMPTY, NEGATIVES, DUPLICATES, TEAMMATE)
"""Everything an instruction can change in coding."""
