"""Does training help on questions it has not seen? Held-out F1 and EM on real HotPotQA, before and after.

Trains two agents with the offline model (no key, no network) for each seed, under ``central_credit`` and
``central_global``, and plays the same held-out questions under every checkpoint. Differences are paired by question,
with a bootstrap interval: at 30 questions an interval is about ± 0.15 wide.

Usage: python benchmarks/learning_hotpotqa.py [--data FILE] [--seeds 1 2 3] [--iterations 6] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from langmarl import LanguageTaskConfig, make_trainer

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LANGMARL_SHARED_DATA", ROOT.parent / "shared/data"))
DATA = SHARED / "hotpotqa/hotpot_dev_distractor_sample100.json"


def measure(data: Path, seed: int, paradigm: str, iterations: int, episodes: int, folder: str) -> dict[str, Any]:
    """One training run, with its held-out scores by checkpoint."""
    config = LanguageTaskConfig(
        exp_name=f"hotpotqa_{paradigm}_{seed}",
        experiment_dir=folder,
        benchmark_path=str(data),
        train_test_split=0.7,
        paradigm=paradigm,
        seed=seed,
        num_iterations=iterations,
        trajectories_per_iteration=episodes,
        eval_tasks=30,
        llm="offline",
        log_level="ERROR",
    )
    metrics = make_trainer(config).train()
    evaluations = metrics["evaluations"]
    first, last = evaluations[0], evaluations[-1]
    gains = [after - before for before, after in zip(first["rewards"], last["rewards"], strict=True)]
    low, high = bootstrap_interval(gains)
    return {
        "seed": seed,
        "paradigm": paradigm,
        "held_out_f1": [row["avg_reward"] for row in evaluations],
        "held_out_em": [row["metrics"]["em"] for row in evaluations],
        "training_f1": [row["avg_reward"] for row in metrics["iterations"]],
        "gain": statistics.fmean(gains),
        "gain_interval_95": [low, high],
        "best_checkpoint": metrics["best_checkpoint"],
        "seconds": sum(row["duration_s"] for row in metrics["iterations"]),
        "tokens": metrics["totals"]["total_tokens"],
    }


def bootstrap_interval(values: list[float], draws: int = 10_000) -> tuple[float, float]:
    """95 % interval of the mean, by resampling with replacement (percentiles; a fixed seed)."""
    resample = random.Random(0)
    means = sorted(statistics.fmean(resample.choices(values, k=len(values))) for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws)]


def main() -> None:
    """Print one row a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="a HotPotQA JSON file")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--iterations", type=int, default=6)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if not options.data.exists():
        sys.exit(f"{options.data} is not there; name a HotPotQA JSON file with --data")
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            measure(options.data, seed, paradigm, options.iterations, options.episodes, folder)
            for paradigm in ("central_credit", "central_global")
            for seed in options.seeds
        ]
    if options.json:
        print(json.dumps({"benchmark": "learning_hotpotqa", "runs": runs}))
        return
    print(
        f"{'paradigm':<16}{'seed':>5}{'F1 before':>11}{'F1 after':>10}{'gain':>8}  {'95 % interval':<18}{'EM after':>9}"
    )
    for run in runs:
        low, high = run["gain_interval_95"]
        print(
            f"{run['paradigm']:<16}{run['seed']:>5}{run['held_out_f1'][0]:>11.3f}{run['held_out_f1'][-1]:>10.3f}"
            f"{run['gain']:>8.3f}  [{low:+.3f}, {high:+.3f}]  {run['held_out_em'][-1]:>9.3f}"
        )


if __name__ == "__main__":
    main()
