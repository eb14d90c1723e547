"""What the shell is told when a command ends."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit status of ``langmarl``."""

    COMPLETED = 0
    USER_MISTAKE = 2
    FAILED = 3
    BUDGET_REACHED = 4
    STOPPED = 130


OF_STATE = {
    "completed": ExitCode.COMPLETED,
    "budget_reached": ExitCode.BUDGET_REACHED,
    "stopped": ExitCode.STOPPED,
}
"""The exit code of a run that ended in good order, by its state."""
