"""Scoring by a judge model: the reward of writing tasks, and of every task type where no checker is wanted."""

from __future__ import annotations

from dataclasses import dataclass

from langmarl.config import BaseConfig
from langmarl.envs.language.formats import Task
from langmarl.envs.language.rendering import render_task
from langmarl.envs.language.reward import LanguageReward, Score
from langmarl.errors import ModelCallError
from langmarl.llm import JsonSchema, LLMClient, Reply, finite_number, parse_object
from langmarl.prompts import load_templates, wrap

JUDGEMENT = JsonSchema(
    "judgement",
    {
        "type": "object",
        "properties": {
            "score": {"type": "number", "description": "From 0 to 1."},
            "reasons": {"type": "string"},
        },
        "required": ["score", "reasons"],
        "additionalProperties": False,
    },
)
ANSWER_FORMAT = (
    'Answer with one JSON object and nothing else:\n{"score": <number from 0 to 1>, "reasons": "<a sentence or two>"}'
)
UNVERIFIED_REQUIREMENTS = {
    "qa": ("Gives the right answer to the question, going by the passages", "Gives it briefly"),
    "math": ("The final answer is right", "The final answer can be told from the working"),
    "coding": ("The function does what its docstring says, also at the edges",),
}
"""What the judge is told to look for where a task brings no requirements of its own."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's answer.

    Attributes:
        score: In [0, 1].
        reasons: In the judge's words.
    """

    score: float
    reasons: str


class JudgeReward(LanguageReward):
    """A model reads the brief and the message and gives the score.

    The judge sees the task as the agents saw it, and no reference answer.

    Args:
        config: Gives the judge's model and the folder of prompt templates.
    """

    rule = (
        "only the last message counts. A judge that sees the task and the message, and no reference answer, scores "
        "from 0 to 1 how well the message meets the requirements."
    )

    def __init__(self, config: BaseConfig) -> None:
        self._templates = load_templates(config.prompts_dir)
        self._client = LLMClient(config.get_judge_llm(), role="judge")

    def score(self, task: Task, message: str) -> Score:
        """Details: ``judge_score`` and ``judge_reasons``. An empty message is worth 0 without a call.

        Raises:
            ModelCallError: The judge's call failed for good, or neither its answer nor a second one could be read.
        """
        if not message.strip():
            return Score(0.0, {"judge_score": 0.0, "judge_reasons": "the message is empty"})
        prompt = self._templates.fill(
            "judge",
            brief=wrap("brief", render_brief(task)),
            text=wrap("text", message),
            answer_format=ANSWER_FORMAT,
        )
        for attempt in (0, 1):
            reply = self._client.complete(prompt.system, prompt.user, schema=JUDGEMENT, attempt=attempt)
            judgement = _usable(reply)
            if judgement is not None:
                return Score(judgement.score, {"judge_score": judgement.score, "judge_reasons": judgement.reasons})
        raise ModelCallError(
            "the judge's answer could not be read, nor could a second one; the episode has no score",
            "Its replies are in the journal of calls (role judge). Name a stronger judge_llm, or raise its max_tokens.",
        )


def render_brief(task: Task) -> str:
    """What the work is measured by: the task as the agents saw it, with requirements."""
    requirements = UNVERIFIED_REQUIREMENTS.get(task["task_type"])
    if requirements is None:
        return render_task(task)
    return f"{render_task(task)}\n\nRequirements:\n" + "\n".join(f"- {requirement}" for requirement in requirements)


def read_judgement(text: str) -> Judgement | None:
    """A judgement from a reply: JSON, perhaps with words around it or slightly broken; None where it is unusable.

    A score outside [0, 1] is unusable: 8 may mean 8 of 10 or of 100. What was cut off is not mended into half a
    judgement.
    """
    data = parse_object(text)
    if data is None:
        return None
    score, reasons = finite_number(data.get("score")), data.get("reasons")
    if score is None or not 0 <= score <= 1:
        return None
    return Judgement(score, reasons.strip() if isinstance(reasons, str) else "")


def _usable(reply: Reply) -> Judgement | None:
    return None if reply.truncated else read_judgement(reply.text)
