"""Critics: who earned or lost an episode's outcome."""

from langmarl.critic.base import Assessment, BaseCritic
from langmarl.critic.centralized import CentralizedCritic

__all__ = ["Assessment", "BaseCritic", "CentralizedCritic"]
