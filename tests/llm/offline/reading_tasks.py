"""Small reading tasks, and policies around an instruction, for tests of the offline reader."""

from __future__ import annotations

from langmarl.llm.offline.model import complete
from langmarl.prompts.sections import wrap

MUSEUM_QUESTION = "In which town was the founder of the Harrow Museum born?"
PASSAGES = {
    "Harrow Bridge": "Harrow Bridge was built of oak in 1803. A toll was taken there until the town bought it.",
    "Harrow Museum": "The Harrow Museum is a museum of clocks and barometers. It was founded in 1911 by Edith Vale.",
    "Edith Vale": "Edith Vale (1870–1944) was a clockmaker and collector. "
    "She was born in Tolsey, where her father kept a ferry. Vale never sold a clock that she could repair.",
    "Marlow Museum": "The Marlow Museum shows farm tools. It opened in 1954 in a disused brewery.",
}
HARBOUR = "The harbour of Penmoor was dredged in 1921. Its lamps burn gas."


def task(question: str = MUSEUM_QUESTION, passages: dict[str, str] = PASSAGES) -> str:
    """A task as the environment renders it."""
    shown = "\n\n".join(f"[{number}] {title}\n{text}" for number, (title, text) in enumerate(passages.items(), 1))
    return f"Question: {question}\n\nPassages:\n{shown}"


FIRST = (
    "You are Agent 1 of 2, speaking first, in a team that answers questions from passages. "
    "Agent 2 speaks after you and sees your message."
)
LAST = (
    "You are Agent 2 of 2, speaking last, in a team that answers questions from passages. "
    "You see the message of Agent 1. Your message is the team's answer."
)


def say(base: str, learned: str, task_text: str, earlier: str | None = None) -> str:
    """What the actor replies under ``base`` and ``learned``, asked as the environment asks it."""
    policy = f"{base}\n\n# Learned instructions\n{learned}" if learned else base
    user = task_text
    if earlier is not None:
        user += "\n\nMessages so far:\n\n" + wrap("message", earlier, agent="agent_1")
    body = {"model": "offline", "messages": [{"role": "system", "content": policy}, {"role": "user", "content": user}]}
    return complete(body).text
