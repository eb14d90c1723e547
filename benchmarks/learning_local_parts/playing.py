"""Training and held-out evaluation, both as ordinary runs in the store: so both resume where they stopped."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.learning_local_parts.questions import QuestionFiles
from benchmarks.learning_local_parts.settings import Settings, TrainingRun
from langmarl import Callback, LanguageTaskConfig, LocalStore, Progress, make_trainer, register_env
from langmarl.cli.signals import graceful_stop
from langmarl.envs.language import LanguageEnvironment
from langmarl.envs.language.formats import Task, load_benchmark
from langmarl.store import RunDirectory

Report = Callable[[str], None]


class Stopped(Exception):
    """A run was asked to stop before it was finished."""


@register_env("held_out_only")
class HeldOutOnly(LanguageEnvironment):
    """Every question of the file is held out, in the file's order; nothing is trained on it."""

    def held_out_tasks(self, n: int) -> list[Task]:
        """The first ``n`` questions of the file."""
        assert isinstance(self.config, LanguageTaskConfig)
        return load_benchmark(self.config.task_type, self.config.benchmark_path).tasks[: max(n, 0)]


class Player:
    """Trains and evaluates in one store; what is finished there already is read, not played again.

    Args:
        store: The folder of the runs.
        files: Where the questions are.
        settings: What to play.
        report: Told what happens, a line at a time.
    """

    def __init__(self, store: Path, files: QuestionFiles, settings: Settings, report: Report) -> None:
        self._store = store
        self._files = files
        self._settings = settings
        self._report = report

    def train(self, run: TrainingRun) -> RunDirectory:
        """The training run, finished.

        Raises:
            Stopped: It was asked to stop; the next call goes on.
            UserMistake: The model cannot be used.
            RunFailed: Most episodes of an iteration failed.
        """
        chosen = self._settings
        config = LanguageTaskConfig(
            exp_name=f"{chosen.model}_{chosen.size}_{run.paradigm}_{run.seed}",
            experiment_dir=str(self._store),
            benchmark_path=str(self._files.training),
            train_test_split=1,
            paradigm=run.paradigm,
            seed=run.seed,
            num_iterations=chosen.iterations,
            trajectories_per_iteration=chosen.episodes,
            max_workers=1,  # calls one after another, so that their seconds add up
            **chosen.models(),
        )
        return self._run(config, run.name)

    def evaluate(self, learned: Mapping[str, str], name: str) -> RunDirectory:
        """A run that holds the evaluation of policies as that of its checkpoint 0.

        Policies of the same text are played once, however many checkpoints have them.

        Args:
            learned: The policies' learned parts by agent; empty for a bare one.
            name: For the progress lines.

        Raises:
            Stopped, UserMistake, RunFailed: As :meth:`train`.
        """
        start = {agent: text for agent, text in learned.items() if text}
        exp_name = f"{self._settings.model}_held_out_{self._digest(start)}"
        known = LocalStore(self._store).newest(exp_name)
        if known is not None and known.metrics.has_evaluation(0):
            return known
        config = LanguageTaskConfig(
            env="held_out_only",
            exp_name=exp_name,
            experiment_dir=str(self._store),
            benchmark_path=str(self._files.held_out),
            eval_tasks=self._settings.questions,
            initial_policies=start or None,
            max_workers=1,
            **self._settings.models(),
        )
        return self._run(config, f"evaluation of {name}", _EndAfterEvaluation())

    def _run(self, config: LanguageTaskConfig, name: str, *callbacks: Callback) -> RunDirectory:
        trainer = make_trainer(config, callbacks=[_ProgressLines(name, self._report), *callbacks])
        trainer.log_to_console = False
        with graceful_stop(trainer.request_stop):
            ended = trainer.train()
        if ended["state"] != "completed":
            raise Stopped(f"{name}: {ended['state']}, {ended['reason']}")
        return LocalStore(self._store).run(ended["run_id"])

    def _digest(self, start: Mapping[str, str]) -> str:
        """Names an evaluation by what its result follows from."""
        content = [dict(start), self._settings.questions, self._files.held_out.read_text(encoding="utf-8")]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


class _EndAfterEvaluation(Callback):
    """Ends a run before its first iteration, when checkpoint 0 is evaluated."""

    def on_evaluation(self, checkpoint: int, result: Mapping[str, Any], trainer: Any) -> None:
        """Enough."""
        trainer.stop("evaluated; there is nothing to train")


class _ProgressLines(Callback):
    """A line for each episode, and one for each iteration."""

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._episodes = -1
        self._began = time.monotonic()

    def on_progress(self, progress: Progress, trainer: Any) -> None:
        """How many episodes have ended."""
        if progress.episodes == self._episodes:
            return
        self._episodes = progress.episodes
        where = f", iteration {progress.iteration}" if progress.phase == "train" else ""
        self._say(f"{where}: {progress.episodes} of {progress.episodes_total} episodes")

    def on_iteration_end(self, iteration: int, stats: Mapping[str, Any], trainer: Any) -> None:
        """What the iteration came to."""
        refused = "; ".join(f"{agent}'s update refused: {why}" for agent, why in stats["refusals"].items())
        self._say(f", iteration {iteration} done: F1 {stats['avg_reward']:.3f}{'; ' if refused else ''}{refused}")

    def _say(self, words: str) -> None:
        self._report(f"{time.monotonic() - self._began:7.0f} s  {self._name}{words}")
