"""The dashboard's server for a browser: with an experiment folder, a working directory and a home of its own."""

import os
import signal

from tests.dashboard.serving import Serving


class Dashboard(Serving):
    """Serves while the block lasts; can be killed and started again at the same address.

    Args:
        folder: An empty folder; the server works in it.
        command: What starts it, without the port; None: the package's own way.
        environment: More of the environment.
    """

    def __init__(self, folder, command=None, environment=None):
        home = {"LANGMARL_CONFIG_HOME": str(folder / "home"), "HOME": str(folder / "home")}
        self.experiments = folder / "experiments"
        super().__init__(self.experiments, command, {**home, **(environment or {})}, folder)

    @property
    def origin(self):
        """Host and port, as in an address."""
        return f"127.0.0.1:{self.port}"

    def url(self, path="/"):
        """The address of a page."""
        return f"http://{self.origin}{path}"

    def kill(self):
        """End the process without a warning, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=30)

    def terminate(self):
        """Ask the process to end, and wait until it has; its exit code."""
        self.process.terminate()
        self.process.communicate(timeout=60)
        return self.process.returncode

    def restart(self):
        """Start it again after its end."""
        assert self.process.poll() is not None
        return self.__enter__()

    def run_ids(self):
        """The directories of runs, oldest first."""
        folders = self.experiments.glob("*/run.json") if self.experiments.is_dir() else ()
        return [path.parent.name for path in sorted(folders, key=os.path.getmtime)]
