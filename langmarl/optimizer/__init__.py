"""Optimizers: from the critic's words to new policies."""

from langmarl.optimizer.acceptance import Refusal, refusal_of
from langmarl.optimizer.base import BaseOptimizer, Note, UnusableReply
from langmarl.optimizer.policy_gradient import PolicyGradientOptimizer

__all__ = ["BaseOptimizer", "Note", "PolicyGradientOptimizer", "Refusal", "UnusableReply", "refusal_of"]
