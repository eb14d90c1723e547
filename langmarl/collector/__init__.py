"""Collecting an iteration: episodes with their credits, and what is learned from them."""

from langmarl.collector.evaluation import evaluate_checkpoint
from langmarl.collector.iteration import IterationCollector, Listeners, Reversion, UpdateRule
from langmarl.collector.learning import Learner
from langmarl.collector.outcome import (
    Episode,
    IterationOutcome,
    IterationPlan,
    PlannedEpisode,
    PolicyUpdate,
    Progress,
)
from langmarl.collector.records import IterationRecords
from langmarl.collector.rollouts import EnvironmentPool, EpisodePlayer
from langmarl.collector.schedule import Schedule

__all__ = [
    "EnvironmentPool",
    "Episode",
    "EpisodePlayer",
    "IterationCollector",
    "IterationOutcome",
    "IterationPlan",
    "IterationRecords",
    "Learner",
    "Listeners",
    "PlannedEpisode",
    "PolicyUpdate",
    "Progress",
    "Reversion",
    "Schedule",
    "UpdateRule",
    "evaluate_checkpoint",
]
