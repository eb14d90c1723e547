"""The dashboard's server as a process whose time and memory can be read."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_S = 120


class MeasuredServer(AbstractContextManager["MeasuredServer"]):
    """Serves an experiment folder while the block lasts.

    Args:
        experiments: The folder.
    """

    def __init__(self, experiments: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self._experiments = experiments
        self._folder = tempfile.TemporaryDirectory(prefix="langmarl-benchmark-")

    def __enter__(self) -> Self:
        command = [sys.executable, "-P", "-m", "dashboard", "--no-browser", "--port", self.url.rsplit(":", 1)[1]]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LANGMARL_EXPERIMENTS": str(self._experiments),
            "LANGMARL_CONFIG_HOME": self._folder.name,
        }
        self._process = subprocess.Popen(command, env=environment, cwd=self._folder.name, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + _PATIENCE_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the dashboard's server did not start")
            time.sleep(0.1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=60)
        self._folder.cleanup()

    def resident_mib(self) -> float:
        """Memory that the process has in RAM now."""
        return self._status("VmRSS:") / 1024

    def peak_mib(self) -> float:
        """The most that it ever had."""
        return self._status("VmHWM:") / 1024

    def cpu_s(self) -> float:
        """Seconds of a processor that it has used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _status(self, name: str) -> int:
        lines = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name))

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/health", timeout=5).close()
        except OSError:
            return False
        return True
