"""The forecast of a run: four figures, and on demand what they are made of."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from dashboard import context
from dashboard.forecast import ASSUMPTIONS, Forecast, Range, RoleForecast, forecast
from dashboard.formats import UNKNOWN, dollars, duration, tokens
from dashboard.queries.measured_calls import measured_profiles
from dashboard.text import markup, plain_line, show_message, show_text
from langmarl.config import BaseConfig
from langmarl.errors import LangMARLError


def forecast_of(config: BaseConfig) -> Forecast:
    """The forecast of a config, from the runs of the experiment folder where they tell something."""
    measured = {}
    if context.experiments_dir().is_dir():  # looking must not make it
        try:
            measured = measured_profiles(context.reconciled_index(), config)
        except LangMARLError:
            measured = {}  # without an index there are still the assumptions
    return forecast(config, measured)


def draw_forecast(config: BaseConfig, place: str) -> Forecast:
    """Draw the forecast of a sound config.

    Args:
        config: The config.
        place: The page, for the keys of widgets.

    Returns:
        What was drawn.
    """
    found = forecast_of(config)
    figures = {
        "Model calls": _span(found.calls, lambda value: f"{math.ceil(value):,}"),
        "Tokens": _span(found.tokens, lambda value: tokens(round(value))),
        "Cost": UNKNOWN if found.cost_usd is None else _span(found.cost_usd, dollars),
        "Time": _span(found.seconds, duration),
    }
    with st.container(key=f"{place}-forecast"):
        st.caption("Expected for the whole run")
        _draw_figures(figures)
        _show_remarks(config, found)
        with st.expander("By role, and what it rests on", key=f"{place}-forecast-details"):
            st.dataframe([_row(part) for part in found.roles], hide_index=True, width="stretch")
            show_text(_basis(found))
    return found


def _draw_figures(figures: dict[str, str]) -> None:
    cells = "".join(
        f'<div><div style="font-size:0.85rem;opacity:0.7;">{markup(name)}</div><div>{markup(value)}</div></div>'
        for name, value in figures.items()
    )
    style = "display:grid;grid-template-columns:1fr 1fr;gap:0.6rem 1rem;"
    st.html(f'<div class="langmarl-figures" style="{style}">{cells}</div>')


def _show_remarks(config: BaseConfig, found: Forecast) -> None:
    if found.unpriced:
        names = ", ".join(plain_line(name, 60) for name in found.unpriced)
        show_message(
            f"The price of {names} is unknown, so the cost is.",
            "warning",
            remedy="Set the model's two prices, or a limit on tokens.",
        )
    over = _over_budget(config, found)
    if over:
        show_message(over, "warning", remedy="The run would stop there; it can be resumed with a higher limit.")
    if not found.is_exact:
        st.caption("Assumes one call an agent in each episode; in this environment there may be more.")


def _over_budget(config: BaseConfig, found: Forecast) -> str:
    cost, most = found.cost_usd, config.max_cost_usd
    if most is not None and cost is not None and cost.high > most:
        return f"{'Will' if cost.low > most else 'May'} reach its limit of {dollars(most)}."
    limit = config.max_total_tokens
    if limit is not None and found.tokens.high > limit:
        return f"{'Will' if found.tokens.low > limit else 'May'} reach its limit of {limit:,} tokens."
    return ""


def _row(part: RoleForecast) -> dict[str, str]:
    each = part.profile
    return {
        "Role": part.role,
        "Model": plain_line(part.model),
        "Calls": _span(part.calls, lambda value: f"{math.ceil(value):,}"),
        "Tokens in": _span(part.input_tokens, lambda value: tokens(round(value))),
        "Tokens out": _span(part.output_tokens, lambda value: tokens(round(value))),
        "Cost": UNKNOWN if part.cost_usd is None else _span(part.cost_usd, dollars),
        "A call takes": _span(each.seconds, duration),
        "Basis": f"{each.measured_calls:,} calls measured" if each.measured_calls else "assumed",
    }


def _basis(found: Forecast) -> str:
    measured = [part for part in found.roles if part.profile.measured_calls]
    lines = []
    if measured:
        lines.append(
            "Measured: the first and the last iteration of up to five earlier runs with the same model on the same "
            "kind of task, 15 % wider at either end."
        )
    if len(measured) < len(found.roles):
        lines.append(ASSUMPTIONS)
    return "\n".join(lines)


def _span(found: Range, shown: Callable[[float], str]) -> str:
    low, high = shown(found.low), shown(found.high)
    return low if low == high else f"{low} – {high}"
