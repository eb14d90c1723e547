"""The dashboard's server, in a process of its own."""

import json
import os
import socket
import subprocess
import sys
import urllib.request

from tests.dashboard.conftest import ROOT
from tests.dashboard.waiting import wait_for


class Serving:
    """Serves on a free port while the block lasts.

    Args:
        experiments: The experiment folder.
        command: What starts it, without the port.
        environment: More of the environment.
        cwd: The working directory; by default a folder that has nothing to do with the project.
    """

    def __init__(self, experiments, command=None, environment=None, cwd=None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = command or [sys.executable, "-P", "-m", "dashboard", "--no-browser"]
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT", "COV", "PYTEST"))
        }
        self.environment = {
            **kept,
            "PYTHONPATH": str(ROOT),
            "LANGMARL_NO_DOTENV": "1",
            "LANGMARL_EXPERIMENTS": str(experiments),
            **(environment or {}),
        }
        self.cwd = cwd or experiments.parent
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [*self.command, "--port", str(self.port)],
            env=self.environment,
            cwd=self.cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        wait_for(self._answers, "the dashboard answers")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)

    def get(self, path, host=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if host is not None:
            request.add_header("Host", host)
        return urllib.request.urlopen(request, timeout=20)

    def get_json(self, path):
        with self.get(path) as answer:
            return json.load(answer)

    def _answers(self):
        assert self.process.poll() is None, self.process.stdout.read()
        try:
            self.get("/health").close()
        except OSError:
            return False
        return True

    def stall(self, path):
        """A connection whose other end has asked for ``path`` and then reads nothing, as a machine that sleeps."""
        sleeper = socket.socket()
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(("127.0.0.1", self.port))
        sleeper.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        sleeper.recv(1)
        return sleeper
