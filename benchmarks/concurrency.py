"""How close an iteration comes to the least time that its calls allow.

With W calls at once, L seconds a call, K episodes, N agents and B calls before aggregation, no scheduler beats
L × max(N + 4, ⌈B ÷ W⌉ + 2⌈N ÷ W⌉). Where W is a little larger than K that floor cannot be reached, since the K
rollouts leave workers idle that nothing else can use yet; so the schedule is played through on paper as well, with
calls of exactly L seconds and no overhead (``paper_s``). A server in a process of its own answers after a fixed
latency. Beside the iteration, a bare client is measured that makes the same number of calls, W at a time, and nothing
else: what is lost there is the server's and the HTTP client's doing, not the scheduler's.

Usage: python benchmarks/concurrency.py [--latency-ms 200] [--repeats 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import math
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from langmarl import LanguageTaskConfig, LLMClient, LLMConfig, make_trainer

AGENTS = 2
CASES = [(20, 5), (20, 10), (20, 25), (10, 40), (8, 3)]
"""Episodes K and workers W."""


def floor_of(episodes: int, workers: int, latency_s: float) -> float:
    """The least time of an iteration under ``central_credit``, in seconds."""
    before_aggregation = 2 * episodes * AGENTS + episodes
    return latency_s * max(AGENTS + 4, math.ceil(before_aggregation / workers) + 2 * math.ceil(AGENTS / workers))


def paper_rounds(episodes: int, workers: int) -> int:
    """Rounds of equally long calls that the precedence of calls needs, judging first and gradients last."""
    acted, judging, gradients, done, rounds = [0] * episodes, 0, 0, 0, 0
    while done < episodes * AGENTS:
        free = workers
        judged = min(judging, free)
        free -= judged
        playing = sorted((n for n in range(episodes) if acted[n] < AGENTS), key=lambda n: -acted[n])[:free]
        free -= len(playing)
        noted = min(gradients, free)
        for number in playing:
            acted[number] += 1
        judging += sum(acted[number] == AGENTS for number in playing) - judged
        gradients += judged * AGENTS - noted
        done += noted
        rounds += 1
    return rounds + 2 * math.ceil(AGENTS / workers)


def iteration_seconds(model: LLMConfig, episodes: int, workers: int, folder: str, name: str) -> float:
    """One training iteration, timed from inside (start-up left out)."""
    config = LanguageTaskConfig(
        exp_name=name,
        experiment_dir=folder,
        num_iterations=1,
        trajectories_per_iteration=episodes,
        max_workers=workers,
        llm=model,
        log_level="ERROR",
    )
    return float(make_trainer(config).train()["iterations"][0]["duration_s"])


def bare_client_seconds(model: LLMConfig, episodes: int, workers: int) -> float:
    """The same calls in the same ideal order, made by a bare client: all that can be parallel, then the chain."""
    client = LLMClient(model)
    calls = 2 * episodes * AGENTS + episodes
    started = time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda number: client.chat("You are a test.", f"Call {number}"), range(calls)))
        for _ in ("aggregate", "update"):
            list(pool.map(lambda number: client.chat("You are a test.", f"Call {number}"), range(AGENTS)))
    return time.monotonic() - started


def start_server(latency_ms: float) -> tuple[subprocess.Popen[bytes], str]:
    """``langmarl serve-offline`` on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "langmarl", "serve-offline", "--port", str(port), "--latency-ms", str(latency_ms)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/stats", timeout=5).close()
            return process, f"http://127.0.0.1:{port}/v1"
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def main() -> None:
    """Print one row a case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency-ms", type=float, default=200.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    process, base_url = start_server(options.latency_ms)
    model = LLMConfig(name="stand-in", model_string="offline", base_url=base_url, api_key_env_var=None)
    rows: list[dict[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for episodes, workers in CASES:
                times = [
                    iteration_seconds(model, episodes, workers, folder, f"k{episodes}_w{workers}_{repeat}")
                    for repeat in range(options.repeats)
                ]
                bare = [bare_client_seconds(model, episodes, workers) for _ in range(options.repeats)]
                least = floor_of(episodes, workers, options.latency_ms / 1000)
                rows.append(
                    {
                        "episodes": episodes,
                        "workers": workers,
                        "floor_s": least,
                        "paper_s": paper_rounds(episodes, workers) * options.latency_ms / 1000,
                        "iteration_s": statistics.median(times),
                        "bare_client_s": statistics.median(bare),
                        "over_floor": statistics.median(times) / least,
                        "bare_over_floor": statistics.median(bare) / least,
                    }
                )
    finally:
        process.terminate()
        process.wait()
    if options.json:
        print(json.dumps({"benchmark": "concurrency", "latency_ms": options.latency_ms, "cases": rows}))
        return
    print(f"{'K':>4}{'W':>4}{'floor s':>10}{'paper s':>10}{'iteration s':>13}{'× floor':>9}{'bare client × floor':>21}")
    for row in rows:
        print(
            f"{row['episodes']:>4}{row['workers']:>4}{row['floor_s']:>10.2f}{row['paper_s']:>10.2f}{row['iteration_s']:>13.2f}"
            f"{row['over_floor']:>9.3f}{row['bare_over_floor']:>21.3f}"
        )


if __name__ == "__main__":
    main()
