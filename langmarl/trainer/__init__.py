"""Training: the loop, and what it needs around it."""

from langmarl.trainer.launch import make_trainer, train
from langmarl.trainer.monte_carlo import MonteCarloTrainer

__all__ = ["MonteCarloTrainer", "make_trainer", "train"]
