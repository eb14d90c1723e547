"""What went wrong with a call that is finished, in lines for the log."""

from __future__ import annotations

from langmarl.store.journal import CallKey, CallRecord


def troubles_of(record: CallRecord) -> list[str]:
    """One line for each request that was sent again, for a repair, a reply that was cut off, and a final failure."""
    call = describe(record.key)
    lines = [
        f"{call}: sent again after {retry['kind']}{_status(retry['status'])}: {retry['message']}"
        for retry in record.retries
    ]
    if record.key.attempt > 0:
        lines.append(f"{call}: asked once more, since the answer before could not be used")
    if record.reply is not None and record.reply["finish_reason"] == "length":
        lines.append(f"{call}: the reply was cut off at its token limit")
    if record.error is not None:
        lines.append(f"{call}: failed for good ({record.error['kind']}): {record.error['message']}")
    return lines


def describe(key: CallKey) -> str:
    """Which call this was, for people."""
    place = f"checkpoint {key.iteration}" if key.phase == "eval" else f"iteration {key.iteration}"
    episode = f", episode {key.episode}" if key.episode is not None else ""
    agent = f", {key.agent}" if key.agent else ""
    return f"{key.role} call ({place}{episode}{agent})"


def _status(status: object) -> str:
    return f" ({status})" if status else ""
