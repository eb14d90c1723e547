"""What the critic says to a reader: for each habit, what was seen, what should change, and what should stay."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """Words about one habit.

    Attributes:
        seen: What the agent did, as the critic may put it.
        advice: What it should do; variants of one thought.
        keep: The same thought where the agent already does it.
    """

    seen: tuple[str, ...]
    advice: tuple[str, ...]
    keep: str


LESSONS: dict[str, Lesson] = {
    "quote": Lesson(
        (
            "The message only hinted at what the passages say, so nobody could check it.",
            "You passed on an impression of the passages, and the words that mattered were lost.",
            "Nothing in this message could be used, because it summed up a passage instead of showing it.",
        ),
        (
            "You should quote the exact sentences that hold the evidence.",
            "You should quote the sentences with the evidence word for word, not sum them up.",
            "This agent should quote the exact sentences that bear on the question.",
            "It should give the evidence in exact sentences, quoted from the passages.",
        ),
        "Keep quoting the exact sentences that hold the evidence.",
    ),
    "source": Lesson(
        (
            "The quotes came without a hint of where they stand, so it stayed open who 'he' or 'it' is.",
            "The quoted sentences speak of 'it' and 'she', and nobody could tell whom they mean.",
        ),
        (
            "You should name the passage that each quote comes from.",
            "You should give the title of the passage with each quote.",
            "This agent should name the title of the passage each quote comes from.",
        ),
        "Keep naming the passage that each quote comes from.",
    ),
    "read_all": Lesson(
        (
            "You settled for a passage that happens to share words with the question and is about something else.",
            "The evidence came from a passage beside the point, while a better one went unread.",
            "The message rests on a passage that does not help.",
        ),
        (
            "You should read every passage and start from the most relevant one.",
            "You should weigh all the passages and start from the one most relevant to the question.",
            "This agent should read every passage and pick the most relevant one to start from.",
        ),
        "Keep weighing every passage and starting from the most relevant one.",
    ),
    "follow_link": Lesson(
        (
            "You stopped after one passage, and the answer stands in another.",
            "The first half of the trail was found, and then nobody went on.",
            "One passage was brought up; what it points to was never opened.",
        ),
        (
            "You should follow the linking name from the first passage into the second passage.",
            "You should go on from the first passage and follow the name that links it to a second passage.",
            "This agent should follow the name that links the first passage to the second passage.",
        ),
        "Keep following the linking name into the second passage.",
    ),
    "compare": Lesson(
        (
            "The question sets two things against each other, and only one was looked at.",
            "Two things were to be compared, and the message deals with them as if they were one.",
        ),
        (
            "When the question compares two things, you should look up both and compare them.",
            "You should look up both things and compare them when the question is about two.",
            "This agent should compare both things when a question is about two, and look up each.",
        ),
        "Keep looking up both things and comparing them when the question compares two.",
    ),
    "defer": Lesson(
        (
            "Your guess led the team astray before the evidence was in.",
            "You put forward a guess, and it was wrong and was taken over.",
            "A hasty guess stood in your message, and it pulled the answer the wrong way.",
        ),
        (
            "You should not guess the answer, and should leave the answer to the last agent.",
            "You should leave the answer to the last agent and not guess it.",
            "This agent should not offer a guess at the answer; it should leave the answer to the last agent.",
        ),
        "Keep leaving the answer to the last agent.",
    ),
    "short": Lesson(
        (
            "The answer was buried in a long sentence, and every extra word cost points.",
            "Around the answer stood so many words that little of it counted.",
            "The message went on and on where a name or a date was asked for.",
        ),
        (
            "You should answer with the bare name or phrase only.",
            "You should keep the answer to the bare name or phrase, without a sentence around it.",
            "This agent should answer with the bare name or phrase and nothing else.",
            "It should keep its answer to the bare name or phrase only.",
        ),
        "Keep the answer to the bare name or phrase.",
    ),
    "use_evidence": Lesson(
        (
            "Your teammate had quoted the answer, and you searched on your own and came back with something else.",
            "The evidence lay on the table and was passed over.",
            "You began anew, although the sentences that decide it had been quoted to you.",
        ),
        (
            "You should use the evidence that your teammate quoted instead of starting over.",
            "You should take the answer from the evidence in your teammate's message instead of starting over.",
            "This agent should use its teammate's evidence instead of starting over.",
        ),
        "Keep using the evidence that your teammate quoted.",
    ),
    "match_kind": Lesson(
        (
            "What you answered is not the sort of thing that was wanted.",
            "The evidence was there, but you picked the wrong words out of it.",
            "The answer named something that stands near the right words and is something else.",
        ),
        (
            "You should give the kind of answer that the question asks for: a person for who, a date for when, "
            "a place for where.",
            "The answer should be of the kind that the question asks for, such as a person, a date or a place.",
            "You should first tell what kind of answer the question asks for, and give an answer of that kind.",
        ),
        "Keep giving the kind of answer that the question asks for.",
    ),
    "yes_no": Lesson(
        (
            "The question wanted a yes or a no and got neither.",
            "A plain yes or no would have done, and you wrote something else.",
        ),
        (
            "You should answer a question that can be answered with yes or no with that one word.",
            "When the question can be answered with yes or no, you should answer with that one word.",
        ),
        "Keep answering yes-or-no questions with that one word.",
    ),
    "check": Lesson(
        (
            "You handed the question's own words back as the answer.",
            "The answer you gave already stands in the question.",
            "You took over a guess from an earlier message, and it was wrong.",
        ),
        (
            "You should check the answer against the evidence, and not repeat words of the question.",
            "You should not repeat words of the question as the answer, and should check the answer against the "
            "evidence.",
        ),
        "Keep checking the answer against the evidence.",
    ),
}

PRAISE_EVIDENCE: tuple[str, ...] = (
    "This message held what was needed.",
    "The evidence you brought up carried the answer.",
    "Good work: the deciding sentences were there for everyone to see.",
)
PRAISE_ANSWER: tuple[str, ...] = (
    "The answer was right and in the right form.",
    "You read the answer off correctly.",
    "Nothing to find fault with in this answer.",
)
NOT_TO_BLAME: tuple[str, ...] = (
    "With what was brought up, nobody could have answered this.",
    "The answer was lost before it was your turn.",
    "You had little to work with here.",
)
LEFT_OVER: tuple[str, ...] = (
    "The work was done as the policy asks, and the answer was missed all the same.",
    "The habits were sound here; this one was simply hard.",
)
