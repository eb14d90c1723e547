"""What the benchmark does: everything that can be turned, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from langmarl import LLMConfig

PRESETS = {
    "0.5b": "local-qwen2.5-coder-0.5b",
    "1.5b": "local-qwen2.5-coder-1.5b",
    "offline": "offline",
}
"""Models by the name that ``--model`` takes; ``offline`` is no language model and tries the program itself."""

DISTRACTORS = 2
"""Passages beside the gold ones. All ten would take a small model on a small machine five times as long to read."""

QUESTIONS_SEED = 0
"""Chooses the distractors and the order of the passages; the same for every run."""

HELD_OUT = 30
"""The first so many questions of the file never train."""

RESAMPLES = 10_000

ACTOR_TOKENS = 256
"""Longest message. The whole message is compared with a short answer: a longer one has lost already."""

REFERENCE = {
    "agent_1": (
        "From the passages, quote the one or two sentences that matter for the question, word for word, each with its "
        "passage's title. Do not answer the question and do not explain: the next agent answers."
    ),
    "agent_2": (
        "Read the question, and the sentences that Agent 1 has quoted. Reply with the answer only: at most five words, "
        "spelled as in the passage, or yes or no where the question asks for that. No sentence, no explanation."
    ),
}
"""Learned parts written by hand, on top of the environment's base policies: what training might come to."""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One training run."""

    paradigm: str
    seed: int

    @property
    def name(self) -> str:
        """For progress lines and tables."""
        return f"{self.paradigm} seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Settings:
    """One start of the benchmark.

    Attributes:
        model: A name in :data:`PRESETS`.
        runs: In the order in which they are trained.
        iterations: Of each run.
        episodes: Of each iteration.
        questions: Held-out questions that checkpoints are evaluated on, at most :data:`HELD_OUT`.
        size: Goes into the runs' names, so that a short run is never taken for the start of a long one.
    """

    model: str
    runs: list[TrainingRun] = field(default_factory=list)
    iterations: int = 6
    episodes: int = 10
    questions: int = HELD_OUT
    size: str = "full"

    @classmethod
    def full(cls, model: str, seeds: list[int]) -> Settings:
        """Every seed under ``central_credit``, the first one also under ``central_global``."""
        runs = [TrainingRun("central_credit", seed) for seed in seeds]
        return cls(model, [*runs, TrainingRun("central_global", seeds[0])])

    @classmethod
    def quick(cls, model: str, seed: int) -> Settings:
        """A look at whether everything works; its figures say nothing about learning."""
        return cls(model, [TrainingRun("central_credit", seed)], iterations=2, episodes=4, questions=8, size="quick")

    def models(self) -> dict[str, LLMConfig]:
        """The same model in every role, at temperature 0."""
        preset = PRESETS[self.model]
        return {
            "llm": LLMConfig.from_preset(preset, temperature=0),
            "actor_llm": LLMConfig.from_preset(preset, temperature=0, max_tokens=ACTOR_TOKENS),
        }
