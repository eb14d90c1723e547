"""The tables of the index of runs."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column
from sqlmodel import Field, SQLModel


class RunRow(SQLModel, table=True):
    """One run, as a list of runs shows it."""

    __tablename__ = "runs"

    scope: str = Field(primary_key=True)
    """Whose runs these are: empty in an experiment folder's own database, the folder's path in a shared one."""
    run_id: str = Field(primary_key=True)
    exp_name: str = Field(index=True)
    env: str
    task_type: str | None = None
    paradigm: str | None = None
    models: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """Role (actor, critic, optimizer, judge) → model."""
    state: str = Field(index=True)
    """The effective state when the row was written."""
    reason: str | None = None
    iterations_done: int = 0
    num_iterations: int | None = None
    first_reward: float | None = None
    """Mean reward of the first finished iteration."""
    best_reward: float | None = None
    """Highest mean reward of any finished iteration."""
    last_reward: float | None = None
    """Mean reward of the last finished iteration."""
    best_checkpoint: int | None = None
    total_tokens: int = Field(default=0, sa_column=Column(BigInteger, nullable=False))
    cost_usd: float | None = None
    """US dollars; None where it is unknown."""
    created_at: str
    """ISO 8601."""
    created_ns: int = Field(sa_column=Column(BigInteger, nullable=False, index=True))
    """The order of creation."""
    updated_at: str
    """Since when it is in its state, ISO 8601."""
    path: str
    """The run directory, absolute."""
    stamp: str
    """Of the files that the row was made from: while it is the same, so is the row."""


class IterationRow(SQLModel, table=True):
    """One finished iteration of one run."""

    __tablename__ = "iterations"

    scope: str = Field(primary_key=True)
    run_id: str = Field(primary_key=True)
    iteration: int = Field(primary_key=True)
    num_episodes: int | None = None
    avg_reward: float | None = None
    min_reward: float | None = None
    max_reward: float | None = None
    input_tokens: int | None = Field(default=None, sa_column=Column(BigInteger))
    output_tokens: int | None = Field(default=None, sa_column=Column(BigInteger))
    total_tokens: int | None = Field(default=None, sa_column=Column(BigInteger))
    cost_usd: float | None = None
    """US dollars; None where it is unknown."""
