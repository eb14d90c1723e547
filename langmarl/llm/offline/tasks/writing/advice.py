"""What the critic tells an agent about each fault, in several wordings; the sign of the fault is put before it.

Advice to plan names the agent by its turn (``{who}``), as a critic does who sees the whole team: in a note for the team
as a whole it must not send the last agent planning.
"""

from __future__ import annotations

ADVICE: dict[str, tuple[str, ...]] = {
    "cover": (
        "This agent should work through the requirements one after another and answer each of them in the text.",
        "It should tick off every point of the brief before it sends its message.",
        "It should make sure that everything asked for is mentioned.",
    ),
    "details": (
        "This agent should be specific: names, numbers and dates should stand in the text as the brief gives them.",
        "It should state the exact facts, such as who, when and how much, where it was vague.",
        "The particulars of the brief should be copied into the text; the agent should avoid being vague.",
    ),
    "limit": (
        "This agent should stay within the length that is allowed and cut what can be spared.",
        "It should count its words and keep to the limit.",
        "The text should be kept shorter, so that it does not exceed the word limit.",
    ),
    "frame": (
        "This agent should open with a greeting and finish with a closing line and a name.",
        "A salutation at the top and a sign-off at the bottom should be there.",
        "It should greet the reader first and say goodbye properly at the end.",
    ),
    "tone": (
        "This agent should match the tone that the brief asks for.",
        "It should choose a voice that suits the wish of the client, warm or formal as the case may be.",
        "The register should be the one that was requested.",
    ),
    "reader": (
        "This agent should speak to the reader directly.",
        "It should address its readers as you.",
        "The text should talk to the audience in the second person.",
    ),
    "action": (
        "This agent should end with what the reader should do.",
        "It should close on a clear request, the next step for whoever reads it.",
        "The final sentence should be a call to action.",
    ),
    "example": (
        "This agent should illustrate the matter with a concrete case.",
        "It should give an example that one can picture.",
        "An instance from life should be included.",
    ),
    "format": (
        "This agent should keep to the form that is asked for and avoid what the brief forbids.",
        "It should follow the prescribed layout and avoid what the brief rules out.",
        "The requested format should be respected, prohibitions included.",
    ),
    "only_text": (
        "This agent should send the text alone, without any preamble.",
        "It should leave out remarks about its own draft and offers of changes.",
        "No introduction is needed; the message should consist of nothing but the text.",
    ),
    "no_repeat": (
        "This agent should say everything once.",
        "It should not repeat what has been said.",
        "Repetition should be avoided.",
    ),
    "no_filler": (
        "This agent should drop the filler.",
        "It should avoid stock phrases and general remarks.",
        "Platitudes should be left out, for they tell the reader nothing.",
    ),
    "build": (
        "This agent should build on what its teammate laid out.",
        "It should take up the points of the earlier message, all of them.",
        "The outline of the agent before it should be followed to the end.",
    ),
    "outline": (
        "{who} should list what the brief requires, one line for each point, rather than muse about the task.",
        "{who} should set out the requirements as a list that the next agent can work from.",
        "{who} should hand over an outline, with one line for every demand of the brief.",
    ),
    "plan_first": (
        "This agent should list all requirements for itself before it writes.",
        "It should make an outline first and work from that.",
        "It should begin with a plan of everything that has to be said.",
    ),
    "plan_details": (
        "{who} should copy the names, dates and numbers into its list.",
        "{who} should give the facts with each point: who, where, when and how many, as precise as in the brief.",
        "{who} should pass on the particulars; a plan should mention names and numbers in full.",
    ),
}

PRAISE: dict[str, tuple[str, ...]] = {
    "writer": (
        "A complete text that does what was asked. The agent should keep writing like this.",
        "The text is in order: all that the brief wants is there. The agent should go on in the same way.",
    ),
    "planner": (
        "A useful plan: the writer had all it needed. {who} should go on listing the requirements like this.",
        "The groundwork was complete. {who} should keep handing over such an outline.",
    ),
}
