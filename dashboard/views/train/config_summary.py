"""A config in a few lines, so that one sees what is about to start."""

from __future__ import annotations

import streamlit as st

from dashboard.preflight import models_in_use
from dashboard.text import markup, plain_line
from langmarl.config import BaseConfig


def draw_summary(config: BaseConfig) -> None:
    """Draw what a config is about."""
    task = getattr(config, "task_type", None)
    facts = {
        "Experiment": config.exp_name,
        "Task": f"{config.env}, {task}" if task else config.env,
        "Method": config.paradigm,
        "Size": f"{config.num_agents} agents, {config.num_iterations} iterations of "
        f"{config.trajectories_per_iteration} episodes",
        "Models": "; ".join(f"{used.model.name}: {', '.join(used.roles)}" for used in models_in_use(config)),
    }
    rows = "".join(
        f'<div style="opacity:0.7;">{markup(name)}</div><div style="overflow-wrap:anywhere;">'
        f"{markup(plain_line(value, 300))}</div>"
        for name, value in facts.items()
    )
    style = "display:grid;grid-template-columns:max-content 1fr;column-gap:1rem;row-gap:0.15rem;"
    st.html(f'<div class="langmarl-config" style="{style}">{rows}</div>')
