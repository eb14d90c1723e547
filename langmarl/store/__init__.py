"""What a run leaves on disk: the run directory is the truth, the index is made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langmarl.store.assessments import EvaluationStore, GradientStore
from langmarl.store.checkpoints import PolicyCheckpoint
from langmarl.store.episodes import FailedEpisode, TrajectoryStore
from langmarl.store.fingerprint import Fingerprint
from langmarl.store.journal import CallJournal, CallKey, CallRecord
from langmarl.store.layout import TEAM
from langmarl.store.local import LATEST, FoundRun, LocalStore
from langmarl.store.manifest import Manifest, SetAside
from langmarl.store.metrics import Metrics, MetricsFile
from langmarl.store.ownership import Owner
from langmarl.store.run_directory import RunDirectory
from langmarl.store.run_log import RunLogger
from langmarl.store.state import STATES, RunState, StateName
from langmarl.store.tasks import TaskStore

if TYPE_CHECKING:
    from langmarl.store.index import Index

__all__ = [
    "LATEST",
    "STATES",
    "TEAM",
    "CallJournal",
    "CallKey",
    "CallRecord",
    "EvaluationStore",
    "FailedEpisode",
    "Fingerprint",
    "FoundRun",
    "GradientStore",
    "Index",
    "LocalStore",
    "Manifest",
    "Metrics",
    "MetricsFile",
    "Owner",
    "PolicyCheckpoint",
    "RunDirectory",
    "RunLogger",
    "RunState",
    "SetAside",
    "StateName",
    "TaskStore",
    "TrajectoryStore",
]


def __getattr__(name: str) -> Any:
    # SQLAlchemy takes longer to import than the rest together; only who uses the index pays for it.
    if name == "Index":
        from langmarl.store.index import Index

        return Index
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
