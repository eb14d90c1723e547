"""A real server, in a process of its own, and the real command."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLANTED_KEY = "sk-planted-4f9b1c7d2e"


class Server:
    """``langmarl serve-offline`` on a free port."""

    def __init__(self, *options):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "langmarl", "serve-offline", "--port", str(self.port), *options],
            env=clean_environment(),
        )
        self._wait_until_it_answers()

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/stats", timeout=10) as reply:
            return json.load(reply)

    def reset(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/stats/reset", method="POST")
        urllib.request.urlopen(request, timeout=10).close()

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)

    def _wait_until_it_answers(self):
        for _ in range(200):
            try:
                self.stats()
                return
            except OSError:
                assert self.process.poll() is None, "the server ended"
                time.sleep(0.1)
        raise AssertionError("the server did not answer")


def clean_environment(**extra):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "LANGMARL_NO_DOTENV": "1", "PYTHONPATH": str(ROOT), **extra}


class Command:
    """The ``langmarl`` command in a folder of its own, trained against a server."""

    def __init__(self, folder, base_url, **settings):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        model = {"name": "stand-in", "model_string": "offline", "base_url": base_url, "api_key_env_var": "PLANTED_KEY"}
        config = {
            "exp_name": "endtoend",
            "experiment_dir": str(folder / "experiments"),
            "num_iterations": 2,
            "trajectories_per_iteration": 6,
            "max_workers": 4,
            "seed": 5,
            "llm": model,
            **settings,
        }
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    def start(self, *options, **extra):
        return subprocess.Popen(
            [sys.executable, "-m", "langmarl", "train", "config.json", "--json", *options],
            cwd=self.folder,
            env=clean_environment(PLANTED_KEY=PLANTED_KEY, **extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *options, **extra):
        process = self.start(*options, **extra)
        output, errors = process.communicate(timeout=110)
        return Finished(process.returncode, json.loads(output), errors)

    def run_directory(self):
        (directory,) = (self.folder / "experiments").glob("endtoend_*")
        return directory


class Finished:
    def __init__(self, exit_code, summary, errors):
        self.exit_code = exit_code
        self.summary = summary
        self.errors = errors


@pytest.fixture(scope="session")
def server():
    running = Server("--latency-ms", "10")
    yield running
    running.close()


@pytest.fixture(scope="session")
def faulty_server():
    running = Server("--latency-ms", "20", "--fault-rate", "0.1", "--seed", "3")
    yield running
    running.close()
