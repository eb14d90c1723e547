"""A policy: the text of one agent's system prompt, made of a fixed base and a learned part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from langmarl.errors import ConfigError, Fault, nearest

LEARNED_HEADING = "# Learned instructions"
"""The line that parts the fixed base from what training wrote."""

_SEPARATOR = re.compile(rf"(?:\A|\n+){re.escape(LEARNED_HEADING)}[ \t]*\n?")


@dataclass(frozen=True, slots=True)
class Policy:
    """One agent's policy.

    Attributes:
        base: Role and protocol; the same in every checkpoint.
        learned: What training has written so far; empty at the start.
    """

    base: str
    learned: str = ""

    @property
    def text(self) -> str:
        """The system prompt: the base, then the learned part under its heading."""
        if not self.learned:
            return self.base
        return f"{self.base}\n\n{LEARNED_HEADING}\n{self.learned}"

    @classmethod
    def parse(cls, text: str) -> Policy:
        """Read a policy's text; without the heading, all of it is base."""
        parts = _SEPARATOR.split(text, maxsplit=1)
        return cls(base=parts[0], learned=parts[1].strip()) if len(parts) == 2 else cls(base=text)

    def with_learned(self, learned: str) -> Policy:
        """The same base with another learned part."""
        return Policy(self.base, learned.strip())


def initial_policies(bases: Mapping[str, str], given: Mapping[str, str] | None) -> dict[str, str]:
    """The policies that training starts from, as text by agent.

    Args:
        bases: The environment's base policy of every agent.
        given: ``initial_policies`` of the config. A text with the heading "# Learned instructions" replaces the
            whole policy; any other text becomes the learned part on top of the environment's base.

    Raises:
        ConfigError: ``given`` names an agent that the environment does not have.
    """
    unknown = [agent for agent in given or {} if agent not in bases]
    if unknown:
        raise ConfigError(
            Fault(
                f"initial_policies.{agent}",
                f"there is no such agent; known: {', '.join(bases)}.",
                nearest(agent, bases),
            )
            for agent in unknown
        )
    policies = {agent: Policy.parse(base) for agent, base in bases.items()}
    for agent, text in (given or {}).items():
        whole = Policy.parse(text)
        policies[agent] = whole if whole.learned else policies[agent].with_learned(text)
    return {agent: policy.text for agent, policy in policies.items()}


def same_in_substance(one: str, other: str) -> bool:
    """Whether two texts differ only in case, spacing, bullets or punctuation."""
    return _substance(one) == _substance(other)


def _substance(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
