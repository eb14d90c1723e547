"""What the agents of a language task are told: their role, the task, and what was said before them."""

from __future__ import annotations

from collections.abc import Sequence

from langmarl.envs.language.formats import Task
from langmarl.prompts.sections import wrap
from langmarl.trajectory import Step

TEAM_PURPOSE = {
    "qa": "answers questions from passages",
    "math": "solves mathematical problems",
    "coding": "completes Python functions",
    "writing": "writes texts to order",
}


def render_task(task: Task) -> str:
    """The task as every agent and the critic see it; it holds nothing of the answer."""
    match task["task_type"]:
        case "qa":
            return _with_passages(f"Question: {task['question']}", task["context"])
        case "math":
            return f"Problem: {task['problem']}"
        case "coding":
            return f"Complete this Python function:\n\n```python\n{task['prompt']}\n```"
        case _:
            requirements = "\n".join(f"- {requirement}" for requirement in task["requirements"])
            brief = f"Writing task: {task['prompt']}"
            return f"{brief}\n\nRequirements:\n{requirements}" if requirements else brief


def render_observation(task: Task, messages: Sequence[Step]) -> str:
    """The task, and the messages of those who spoke before, oldest first."""
    if not messages:
        return render_task(task)
    said = "\n".join(wrap("message", step.action, agent=step.agent_id) for step in messages)
    return f"{render_task(task)}\n\nMessages so far:\n\n{said}"


def base_policy(task_type: str, number: int, count: int) -> str:
    """The fixed part of the policy of agent ``number`` of ``count``: role and protocol, no advice."""
    team = f"a team that {TEAM_PURPOSE[task_type]}"
    final = "Your message is the team's answer."
    if count == 1:
        return f"You are the only agent of {team}. {final}"
    place = f"You are Agent {number} of {count}"
    if number == 1:
        return f"{place}, speaking first, in {team}. {_after(2, count)}"
    heard = f"You see {'the message' if number == 2 else 'the messages'} of {_names(1, number - 1)}."
    if number == count:
        return f"{place}, speaking last, in {team}. {heard} {final}"
    return f"{place} in {team}. {heard} {_after(number + 1, count)}"


def _with_passages(question: str, context: list[list[object]]) -> str:
    if not context:
        return question
    passages = [f"[{number}] {title}\n{_joined(sentences)}" for number, (title, sentences) in enumerate(context, 1)]
    return "\n\n".join([f"{question}\n\nPassages:", *passages]).replace("Passages:\n\n", "Passages:\n", 1)


def _joined(sentences: object) -> str:
    """One text of a passage's sentences; the published ones bring their own leading spaces, others may not."""
    text = ""
    for sentence in sentences if isinstance(sentences, list) else []:
        apart = not text or text[-1].isspace() or sentence[:1].isspace()
        text += sentence if apart else f" {sentence}"
    return text.strip()


def _names(first: int, last: int) -> str:
    names = [f"Agent {number}" for number in range(first, last + 1)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _after(first: int, last: int) -> str:
    """Who speaks after an agent and so sees its message."""
    speak, see = ("speaks", "sees") if first == last else ("speak", "see")
    return f"{_names(first, last)} {speak} after you and {see} your message."
