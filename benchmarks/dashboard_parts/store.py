"""An experiment folder as it looks after months of work, written through the store's own writer, not trained.

What the episodes, the critic's answers and the notes say comes from one short real run with the offline model; here it
is written again and again under other numbers.
"""

from __future__ import annotations

import json
import math
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from langmarl.collector import IterationOutcome
from langmarl.collector.outcome import PolicyUpdate
from langmarl.config import BaseConfig, load_config
from langmarl.policy import Policy
from langmarl.store import CallKey, CallRecord, Index, LocalStore, Metrics, RunDirectory, StateName
from langmarl.trainer import make_trainer
from langmarl.trainer.identity import fingerprint_of
from langmarl.trainer.stats import iteration_stats
from langmarl.trajectory import Trajectory
from langmarl.usage import Role, Usage, total

ROOT = Path(__file__).resolve().parents[2]
AGENTS = ("agent_1", "agent_2")
READY = "ready.json"
"""Written last: a folder without it is not complete."""

_ROLE_CALLS: dict[Role, int] = {"actor": 2, "critic": 1, "gradient": 2}
_USED = {"input_tokens": 640, "output_tokens": 58, "cost_usd": 0.00031}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is written.

    Attributes:
        runs: Runs in the index, the long one included.
        iterations: Finished iterations of the long run.
        episodes: Episodes of each of them.
    """

    runs: int
    iterations: int
    episodes: int


@dataclass(frozen=True, slots=True)
class WrittenStore:
    """What was written.

    Attributes:
        folder: The experiment folder.
        long_run: The id of the long run, which can go on.
        training_runs: The ids of two runs that train for as long as one likes once they are resumed.
    """

    folder: Path
    long_run: str
    training_runs: list[str]


@dataclass(frozen=True, slots=True)
class Material:
    """What a real run said, to be said again."""

    trajectories: list[Trajectory]
    evaluations: list[dict[str, Any]]
    notes: dict[str, list[dict[str, Any]]]
    merged: dict[str, list[str]]
    bases: dict[str, Policy]


def written_store(folder: Path, size: Size, report: Callable[[str], None]) -> WrittenStore:
    """The store in ``folder``; written where it is not there yet, which takes some minutes.

    Args:
        folder: The experiment folder.
        size: How much to write; a folder of another size is refused.
        report: Told how far it is.
    """
    ready = folder / READY
    wanted = {"runs": size.runs, "iterations": size.iterations, "episodes": size.episodes}
    if not ready.is_file():
        if folder.exists() and any(folder.iterdir()):
            raise SystemExit(f"{folder} is not empty and holds no finished store; name another folder or delete it.")
        folder.mkdir(parents=True, exist_ok=True)
        written = _write_all(folder, size, report)
        ready.write_text(json.dumps({**wanted, **written}), encoding="utf-8")
    found = json.loads(ready.read_text(encoding="utf-8"))
    if {name: found[name] for name in wanted} != wanted:
        raise SystemExit(f"{folder} holds a store of another size; name another folder or delete it.")
    return WrittenStore(folder, found["long_run"], found["training_runs"])


def commit_next_iteration(run: RunDirectory, episodes: int) -> int:
    """Finish one more iteration of the long run, as the trainer does; which one. This process owns the run."""
    iteration = run.iterations_done()
    material = _material_of(run)
    _write_episodes(run, material, iteration, episodes)
    run.commit_iteration(iteration, _policies(material, iteration + 1), _stats(material, iteration, episodes))
    Index(run.path.parent).try_update_run(run)
    return iteration


def _write_all(folder: Path, size: Size, report: Callable[[str], None]) -> dict[str, Any]:
    material = _train_material()
    for number in range(size.runs - 3):
        _write_small_run(folder, material, number)
        if number % 100 == 99:
            report(f"{number + 1} of {size.runs} runs")
    training = [_write_training_run(folder, number) for number in (1, 2)]
    long_run = _write_long_run(folder, material, size, report)
    Index(folder).reconcile()
    return {"long_run": long_run, "training_runs": training}


def _config(**settings: Any) -> BaseConfig:
    return load_config(ROOT / "configs" / "quickstart.json", {"log_level": "ERROR", **settings})


def _create(folder: Path, config: BaseConfig) -> RunDirectory:
    return RunDirectory.create(folder, config, fingerprint_of(config, make_trainer(config).env))


def _train_material() -> Material:
    with tempfile.TemporaryDirectory(prefix="langmarl-benchmark-") as folder:
        config = _config(experiment_dir=folder, num_iterations=3)
        run_id = make_trainer(config).train()["run_id"]
        return _material_of(LocalStore(folder).run(run_id))


def _material_of(run: RunDirectory) -> Material:
    """What the first three iterations of a run said."""
    iterations = run.trajectories.iterations()[:3]
    trajectories = [each for number in iterations for each in run.trajectories.load(number, 16)]
    per_iteration = len(trajectories) // len(iterations)
    return Material(
        trajectories=trajectories,
        evaluations=[
            each for number in iterations for each in list(run.evaluations.load(number).values())[:per_iteration]
        ],
        notes={
            agent: [
                each
                for number in iterations
                for each in list(run.gradients.load(number, agent).values())[:per_iteration]
            ]
            for agent in AGENTS
        },
        merged={
            agent: [str((run.gradients.get_merged(number, agent) or {}).get("note")) for number in iterations]
            for agent in AGENTS
        },
        bases={agent: Policy.parse(text) for agent, text in run.checkpoints.get_policies(0).items()},
    )


# The small runs ------------------------------------------------------------------------------------------------


_ENDINGS: list[tuple[StateName, str | None]] = [
    ("completed", None),
    ("completed", None),
    ("completed", None),
    ("stopped", "asked to stop"),
    ("budget_reached", "the limit of $5.00 is reached"),
    ("failed", "12 of 16 episodes of iteration 3 failed"),
]


def _write_small_run(folder: Path, material: Material, number: int) -> None:
    chance = random.Random(number)
    planned = chance.choice((5, 10, 20, 30))
    config = _config(
        exp_name=f"{chance.choice(('hotpotqa', 'gsm8k', 'humaneval', 'letters'))}_{number % 23:02d}",
        num_iterations=planned,
        paradigm=chance.choice(("central_credit", "central_global")),
        seed=number,
        task_type=chance.choice(("qa", "math", "coding", "writing")),
    )
    run = _create(folder, config)
    state, reason = _ENDINGS[number % len(_ENDINGS)]
    done = planned if state == "completed" else chance.randrange(1, planned)
    rows = [_stats(material, iteration, 16, seed=number) | {"iteration": iteration} for iteration in range(done)]
    with run.acquire():
        run.checkpoints.save_policies(0, _policies(material, 0))
        run.checkpoints.save_policies(done, _policies(material, done))
        run.metrics.replace(_metrics(rows))
        run.write_state(state, reason)


def _write_training_run(folder: Path, number: int) -> str:
    """A run of the quickstart that has not begun and will not end soon."""
    run = _create(folder, _config(exp_name=f"training_{number}", num_iterations=100_000, seed=number))
    with run.acquire():
        run.write_state("stopped", "asked to stop", "Resume it to go on.")
    return run.run_id


# The long run --------------------------------------------------------------------------------------------------


def _write_long_run(folder: Path, material: Material, size: Size, report: Callable[[str], None]) -> str:
    config = _config(
        exp_name="long", num_iterations=size.iterations + 100, trajectories_per_iteration=size.episodes, seed=7
    )
    run = _create(folder, config)
    rows = []
    with run.acquire():
        for iteration in range(size.iterations):
            _write_episodes(run, material, iteration, size.episodes)
            stats = _stats(material, iteration, size.episodes) | {"iteration": iteration}
            run.checkpoints.save_policies(iteration, _policies(material, iteration), rows[-1] if rows else None)
            rows.append(stats)
            if iteration % 50 == 49:
                report(f"{iteration + 1} of {size.iterations} iterations")
        run.checkpoints.save_policies(size.iterations, _policies(material, size.iterations), rows[-1])
        run.metrics.replace(_metrics(rows))
        run.layout.log.write_text("2026-01-01T00:00:00.000+00:00 INFO     written by a benchmark\n", encoding="utf-8")
        run.write_state("stopped", "asked to stop", "Resume it to go on.")
    return run.run_id


def _write_episodes(run: RunDirectory, material: Material, iteration: int, episodes: int) -> None:
    """Everything that one iteration leaves beside its checkpoint and its figures."""
    played = _played(material, iteration, episodes)
    run.tasks.save(iteration, [trajectory.task for trajectory in played])
    for number, trajectory in enumerate(played):
        run.trajectories.save(iteration, number, trajectory)
        run.evaluations.save(iteration, number, _evaluation(material, iteration, number, trajectory.reward))
        for agent in AGENTS:
            note = _cycled(material.notes[agent], iteration * episodes + number)
            run.gradients.save(iteration, agent, number, {**note, "episode": number})
        for role, calls in _ROLE_CALLS.items():
            for turn in range(calls):
                run.journal.append(_call(role, iteration, number, AGENTS[turn]))
    before, after = _policies(material, iteration), _policies(material, iteration + 1)
    for agent in AGENTS:
        merged = {
            "note": _cycled(material.merged[agent], iteration),
            "problem": None,
            "episodes": list(range(episodes)),
        }
        run.gradients.save_merged(iteration, agent, merged)
        update = PolicyUpdate(agent, after[agent], None if after[agent] != before[agent] else "unchanged", after[agent])
        run.gradients.save_update(iteration, agent, update.to_dict())


def _played(material: Material, iteration: int, episodes: int, seed: int = 0) -> list[Trajectory]:
    """Episodes whose rewards scatter around a curve that rises and levels off."""
    chance = random.Random(f"{seed}/{iteration}")
    expected = 0.15 + 0.6 * (1 - math.exp(-(iteration + 1) / 40)) + 0.03 * math.sin(iteration / 30)
    return [
        replace(
            _cycled(material.trajectories, iteration * episodes + number),
            reward=min(1.0, max(0.0, chance.gauss(expected, 0.25))),
        )
        for number in range(episodes)
    ]


def _evaluation(material: Material, iteration: int, number: int, reward: float) -> dict[str, Any]:
    """A critic's answer whose credits go with the reward."""
    said = _cycled(material.evaluations, iteration + number)
    chance = random.Random(f"credit/{iteration}/{number}")
    credits = {agent: min(1.0, max(-1.0, 2 * reward - 1 + chance.gauss(0, 0.3))) for agent in AGENTS}
    per_agent = {
        agent: {**(said["per_agent"][agent] or {"feedback": "", "evidence": []}), "credit": round(credits[agent], 2)}
        for agent in AGENTS
    }
    return {**said, "per_agent": per_agent}


def _policies(material: Material, checkpoint: int) -> dict[str, str]:
    """Up to 20 instructions, of which each checkpoint has other words than the one before."""
    texts = {}
    for agent, base in material.bases.items():
        lines = [
            f"- Instruction {checkpoint // 20 + (place < checkpoint % 20)}.{place}: before you answer, read passage "
            f"{1 + (checkpoint + place) % 10} again and say which sentence of it holds what {agent} needs."
            for place in range(min(checkpoint, 20))
        ]
        texts[agent] = base.with_learned("\n".join(lines)).text if lines else base.text
    return texts


def _stats(material: Material, iteration: int, episodes: int, seed: int = 0) -> dict[str, Any]:
    played = _played(material, iteration, episodes, seed)
    roles = {role: _usage(calls * episodes) for role, calls in _ROLE_CALLS.items()}
    roles |= {"aggregate": _usage(2), "update": _usage(2)}
    outcome = IterationOutcome(played, {}, unparsed_answers=0, unusable_notes=0)
    return iteration_stats(iteration, "central_credit", outcome, roles, {"offline": total(roles.values())}, 4.2)


def _metrics(rows: list[dict[str, Any]]) -> Metrics:
    used = total(Usage.from_dict(usage) for row in rows for usage in row["usage_by_role"].values())
    best = max(rows, key=lambda row: float(row["avg_reward"]))
    totals = {**used.to_dict(), "train": used.to_dict(), "eval": Usage().to_dict()}
    return Metrics(iterations=rows, best_checkpoint=best["iteration"], totals=totals)


def _call(role: Role, iteration: int, episode: int, agent: str) -> CallRecord:
    return CallRecord(
        key=CallKey("train", role, iteration, episode, None if role == "critic" else agent, 0, 0),
        digest=f"{role}-{iteration}-{episode}-{agent}",
        model="offline",
        endpoint="offline://in-process",
        request={},
        reply={"text": "", "finish_reason": "stop"},
        error=None,
        usage=_usage(1),
        started_at="2026-01-01T00:00:00.000+00:00",
        duration_s=0.4,
    )


def _usage(calls: int) -> Usage:
    return Usage(calls=calls, **{name: value * calls for name, value in _USED.items()})


def _cycled(values: list[Any], place: int) -> Any:
    return values[place % len(values)]
