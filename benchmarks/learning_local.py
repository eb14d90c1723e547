"""Does training help a small real language model? Held-out F1 and EM on HotPotQA, before and after.

The model runs in this process (llama.cpp; no key, no network once its file is there: ``langmarl models pull``), in
every role, at temperature 0. Two agents in turn start without any instruction but their place in the team. Of each
question they see the gold passages and two others. The file's first 30 questions are held out, the others train:
``central_credit`` with every seed and ``central_global`` with the first, 6 iterations of 10 episodes each.

Reported are the first and the last checkpoint, and the one whose training episodes scored best, on the held-out
questions, with 95 % bootstrap intervals over questions; the difference last - first is paired by question. Beside
them stand two policies written by hand. At 30 questions an interval is about ± 0.16 wide: a smaller difference says
nothing.

This takes hours. Everything is kept in --store, as ordinary LangMARL runs: after Ctrl-C, or a crash, the same command
goes on, and what is finished is not computed again.

Usage: python benchmarks/learning_local.py DATA [--model 0.5b|1.5b] [--store FOLDER] [--seeds 1 2 3] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.learning_local_parts.figures import (
    Scores,
    best_in_training,
    evaluation_figures,
    mean_scores,
    scores_of,
    training_figures,
)
from benchmarks.learning_local_parts.intervals import Estimate
from benchmarks.learning_local_parts.playing import Player, Stopped
from benchmarks.learning_local_parts.questions import write_questions
from benchmarks.learning_local_parts.settings import (
    DISTRACTORS,
    HELD_OUT,
    PRESETS,
    QUESTIONS_SEED,
    REFERENCE,
    Settings,
    TrainingRun,
)
from langmarl import LangMARLError, Policy, UserMistake
from langmarl.store import RunDirectory

STORE = Path("experiments/learning_local")
NOTE = "At 30 questions an interval is about ± 0.16 wide; a difference smaller than that says nothing."
_MISTAKE, _FAILED, _INTERRUPTED = 2, 1, 130


@dataclass(frozen=True, slots=True)
class Measured:
    """One training run and its evaluations, by which checkpoint it was: first, last, best_in_training."""

    run: TrainingRun
    trained: RunDirectory
    checkpoints: dict[str, int]
    evaluations: dict[str, RunDirectory]

    def scores(self, which: str) -> Scores:
        """The held-out scores of one of its checkpoints."""
        return scores_of(self.evaluations[which])

    def figures(self) -> dict[str, Any]:
        """Plain JSON values."""
        held_out = {
            which: {"checkpoint": number, **self.scores(which).figures()} for which, number in self.checkpoints.items()
        }
        return {
            "paradigm": self.run.paradigm,
            "seed": self.run.seed,
            **held_out,
            "last_minus_first": self.scores("last").gain_over(self.scores("first")),
            **training_figures(self.trained),
        }


def measure(data: Path, store: Path, settings: Settings) -> dict[str, Any]:
    """Every figure; plays what is not in the store yet."""
    files = write_questions(data, store / "questions", held_out=HELD_OUT, distractors=DISTRACTORS, seed=QUESTIONS_SEED)
    player = Player(store, files, settings, _report)
    runs = [measured(player, run) for run in settings.runs]
    by_hand = player.evaluate(REFERENCE, "the policies written by hand")
    credit = [each for each in runs if each.run.paradigm == "central_credit"]
    first, last = (mean_scores([each.scores(which) for each in credit]) for which in ("first", "last"))
    return {
        "benchmark": "learning_local",
        "model": PRESETS[settings.model],
        "iterations": settings.iterations,
        "episodes": settings.episodes,
        "held_out_questions": settings.questions,
        "note": NOTE,
        "runs": [each.figures() for each in runs],
        "central_credit_over_seeds": {
            "first": first.figures(),
            "last": last.figures(),
            "last_minus_first": last.gain_over(first),
        },
        "written_by_hand": scores_of(by_hand).figures(),
        "evaluations": evaluation_figures([by_hand, *(run for each in runs for run in each.evaluations.values())]),
    }


def measured(player: Player, run: TrainingRun) -> Measured:
    """Train, and play the held-out questions under the first, the last and the best checkpoint."""
    trained = player.train(run)
    checkpoints = {"first": 0, "last": trained.iterations_done(), "best_in_training": best_in_training(trained)}
    evaluations = {}
    for which, number in checkpoints.items():
        policies = trained.checkpoints.get_policies(number)
        learned = {agent: Policy.parse(text).learned for agent, text in policies.items()}
        evaluations[which] = player.evaluate(learned, f"{run.name}, checkpoint {number}")
    return Measured(run, trained, checkpoints, evaluations)


def print_table(figures: dict[str, Any]) -> None:
    """A row for each run, then what it cost."""
    print(f"{figures['model']}, {figures['held_out_questions']} held-out questions. {figures['note']}")
    _print_scores("", "F1", "EM")
    for run in figures["runs"]:
        print(f"{run['paradigm']} seed {run['seed']}")
        for which in ("first", "last", "best_in_training"):
            row = run[which]
            _print_scores(f"  checkpoint {row['checkpoint']} ({which.replace('_', ' ')})", row["f1"], row["em"])
        _print_scores("  last - first", run["last_minus_first"]["f1"], run["last_minus_first"]["em"])
        training = " ".join(f"{value:.3f}" for value in run["training_f1"])
        print(f"  training F1 {training}; {_cost(run)}")
    print("central_credit, mean of its seeds")
    over_seeds = figures["central_credit_over_seeds"]
    for name, row in over_seeds.items():
        _print_scores(f"  {name.replace('_minus_', ' - ')}", row["f1"], row["em"])
    _print_scores("policies written by hand", figures["written_by_hand"]["f1"], figures["written_by_hand"]["em"])
    print(f"evaluations: {_cost(figures['evaluations'])}")


def _print_scores(name: str, *cells: str | dict[str, float]) -> None:
    words = [cell if isinstance(cell, str) else str(Estimate(**cell)) for cell in cells]
    print(f"{name:36}" + "".join(f"{each:26}" for each in words).rstrip())


def _cost(figures: dict[str, Any]) -> str:
    tokens = ", ".join(
        f"{role} {each['input']:,} in {each['output']:,} out" for role, each in figures["tokens_by_role"].items()
    )
    return f"{figures['seconds']:,.0f} s, {figures['seconds_an_episode']:.1f} s an episode; tokens: {tokens}"


def main() -> int:
    """Measure, print; the exit code is 2 where something is missing that the user can bring."""
    options = _options()
    settings = (
        Settings.quick(options.model, options.seeds[0])
        if options.quick
        else Settings.full(options.model, options.seeds)
    )
    try:
        figures = measure(options.data, options.store, settings)
    except LangMARLError as error:
        _report(str(error))
        return _MISTAKE if isinstance(error, UserMistake) else _FAILED
    except (Stopped, KeyboardInterrupt) as stopped:
        _report(f"{stopped or 'interrupted'}. The same command goes on from here.")
        return _INTERRUPTED
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print_table(figures)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="HotPotQA's own JSON file")
    parser.add_argument("--model", choices=PRESETS, default="0.5b", help="offline: no language model, to try this")
    parser.add_argument("--store", type=Path, default=STORE, help=f"where everything is kept (default: {STORE})")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--quick", action="store_true", help="one seed, 2 iterations of 4 episodes, 8 questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


def _report(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
