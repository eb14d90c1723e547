"""Sentences that the offline writer has at hand. None of them belongs to a particular brief."""

from __future__ import annotations

PREAMBLES = (
    "Sure! Here is a draft of the text:",
    "Of course! Here is a first version of the text:",
    "Certainly. Here is my attempt at the text:",
)
REMARKS = (
    "Let me know if you would like any changes!",
    "I hope this text helps. Feel free to adjust it.",
    "Let me know if you would like a different version.",
)
FILLER = (
    "In today's fast-paced world, this is a subject of great importance for everybody!",
    "There are many aspects to consider, and each of them plays an important role in one way or another.",
    "As we all know, good communication is the key to success!",
    "It goes without saying that everyone has their own view on such matters, and that is perfectly fine.",
    "When it comes to something like this, there is always a little more to say about it than one would think "
    "at first.",
    "Needless to say, there are many things that could be added here, from the beginning to the end.",
    "It is also worth mentioning that all sorts of things can happen between today and tomorrow.",
)
SPARE = (
    "Everything else stays as it has been until now.",
    "If a question comes up, a short call is the quickest way to an answer.",
    "More will follow as soon as there is something new to report.",
    "A printed copy can be had on the spot, and it may be kept for later.",
    "It has been tried out with care, in dry weather and in rain.",
)
"""True of nearly anything; for briefs that ask for more words than there is to say."""

MUSINGS = (
    "There are many ways to approach this. One could begin with the mood, or with the people who will read it, or "
    "somewhere else altogether. I am not sure yet what matters most, so let us see where it goes.",
    "Interesting task. I would think about the general feeling first. A good text has a beginning, a middle and "
    "an end, and it should leave an impression. I am sure something fitting will come to mind.",
    "My first thought is that it could go in several directions. It depends on many things. Perhaps something simple "
    "would do, or perhaps something more unusual.",
)

IN_TONE = {
    "friendly": ("We are glad to hear from you at any time, and we thank you for your kindness.",),
    "warm": ("Thank you from the bottom of our hearts; it has made us very happy.",),
    "cheerful": ("We are looking forward to it, and every one of you is welcome to share the fun.",),
    "polite": ("We would be grateful for your kind understanding.",),
    "formal": ("We would respectfully request your kind consideration of this matter.",),
    "calm": (),
}
AGAINST_TONE = {
    "friendly": "Failure to comply with the above shall have consequences.",
    "warm": "Failure to comply with the above shall have consequences.",
    "cheerful": "Failure to comply with the above shall have consequences.",
    "polite": "Deal with it immediately, or else!",
    "formal": "Hey guys, no worries, it's gonna be awesome!",
    "calm": "This is absolutely terrible, so panic is only natural!",
}

TO_READER = (
    "You will find all that you need in these lines, and you can keep them with your papers.",
    "You can rely on this, and your questions are answered at any time.",
)
QUESTION = "Is there anything that you would like to know beforehand?"
CALLS = (
    "Please get in touch today and tell us what you think.",
    "Please take a minute today and let us have your answer.",
)
APOLOGY = "We are sorry about this and would like to apologise."
THANKS = "Thank you for your help."

EXAMPLES = (
    "For example, only last Tuesday it came up three times before lunch.",
    "For example, last Thursday two neighbours spoke of it at the baker's counter.",
)
THINGS = {
    "carry": "two crates of apples and a sack of potatoes",
    "hold": "two crates of apples and a sack of potatoes",
    "see": "a pair of swallows on the fence",
    "hear": "a woodpecker in the old oak",
    "eat": "a slice of rye bread with cheese",
}
THING = "the first one that we tried ourselves"

FORMAL_CLOSING = "Yours sincerely,"
KIND_CLOSING = "Kind regards,"
WARM_CLOSING = "With love and best wishes,"

VERSE_LINES = (
    "the morning takes its time",
    "and nobody is in a hurry",
    "a door stands open somewhere",
    "the light comes late and stays",
    "we listen for a while",
)
LINE_ENDINGS = ("in the quiet", "by the open gate", "before the day is done", "a little way off")
WARM_LINE = "with love and thanks, from heart to heart"
