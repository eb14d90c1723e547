"""How far a run is: queued, running, or ended for one of five reasons."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from langmarl.errors import UserMistake
from langmarl.store.atomic import read_json, write_json
from langmarl.store.clock import now_iso
from langmarl.store.layout import RunLayout
from langmarl.store.ownership import live_owner, read_owner
from langmarl.store.progress import has_all_iterations
from langmarl.store.schema import DamagedFileError

StateName = Literal["queued", "running", "completed", "stopped", "budget_reached", "failed", "interrupted"]
STATES: tuple[StateName, ...] = get_args(StateName)

_GO_ON = "Start it again with the same command; it goes on."

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run.

    Attributes:
        state: One of :data:`STATES`; every one but ``completed`` can be resumed.
        reason: Why it is in that state, in one sentence; None where there is nothing to say.
        remedy: What to do next; None where nothing is to be done.
        updated_at: Since when, ISO 8601.
    """

    state: StateName
    reason: str | None
    remedy: str | None
    updated_at: str


def write_state(layout: RunLayout, state: StateName, reason: str | None = None, remedy: str | None = None) -> RunState:
    """Put the run into ``state``, durably.

    Raises:
        ValueError: There is no such state.
    """
    if state not in STATES:
        raise ValueError(f"unknown state {state!r}; known: {', '.join(STATES)}")
    value = RunState(state, reason, remedy, now_iso())
    write_json(layout.state, asdict(value), durable=True)
    return value


def stored_state(layout: RunLayout) -> RunState:
    """The state as last written, which may be older than its process's death.

    Where ``state.json`` is missing or damaged it is worked out from the run's other files; the reason says so.

    Raises:
        UserMistake: ``state.json`` is from a newer LangMARL.
    """
    try:
        return _read(layout)
    except DamagedFileError as error:
        return _worked_out(layout, error.message, is_owned=live_owner(layout) is not None)


def restore_state(layout: RunLayout) -> None:
    """Write ``state.json`` again where it is missing or damaged; for the run's owner, before it says more.

    Raises:
        UserMistake: As :func:`stored_state`.
    """
    try:
        _read(layout)
    except DamagedFileError as error:
        value = _worked_out(layout, error.message, is_owned=False)
        _log.warning("%s By the run's other files it is %s.", error.message, value.state)
        write_state(layout, value.state, value.reason, value.remedy)


def _read(layout: RunLayout) -> RunState:
    try:
        data = read_json(layout.state)
    except FileNotFoundError:
        raise DamagedFileError(f"{layout.state} is missing.") from None
    state = data.get("state")
    if state not in STATES:
        raise DamagedFileError(f"{layout.state} is damaged: {state!r} is no state (known: {', '.join(STATES)}).")
    return RunState(state, data.get("reason"), data.get("remedy"), str(data.get("updated_at", "")))


def _worked_out(layout: RunLayout, problem: str, *, is_owned: bool) -> RunState:
    """What the state must be by the run's other files."""
    changed_at = datetime.fromtimestamp(layout.root.stat().st_mtime, UTC).isoformat(timespec="milliseconds")
    if is_owned:
        return RunState("running", problem, None, changed_at)
    with contextlib.suppress(UserMistake, OSError):  # what else is damaged is told by who needs it
        if has_all_iterations(layout):
            return RunState("completed", problem, None, changed_at)
    return RunState("interrupted", problem, _GO_ON, changed_at)


def effective_state(layout: RunLayout) -> RunState:
    """The state as it is now: a run that is ``running`` without a live owner is ``interrupted``.

    Raises:
        UserMistake: As :func:`stored_state`.
    """
    stored = stored_state(layout)
    if stored.state != "running" or live_owner(layout) is not None:
        return stored
    # Its process may have ended in good order between the two looks: then the file says how.
    stored = stored_state(layout)
    if stored.state != "running":
        return stored
    owner = read_owner(layout)
    who = f"its {owner} is gone" if owner else "no process is running it"
    last_seen = owner.heartbeat_at if owner else stored.updated_at
    return RunState("interrupted", f"{who}.", _GO_ON, last_seen)
