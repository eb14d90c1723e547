"""The charts of the Live page. They are drawn anew only when there is a new iteration, and not while paused.

Streamlit takes a chart whose data changed off the page and draws another one, which leaves a gap for a moment. So the
new chart is drawn behind the old one, which goes away only with the next look, when the new one is ready.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dashboard.charts import cost, reward, throughput, tokens
from dashboard.queries.live import RunPlan, RunSeries, RunView
from dashboard.text import show_message

_ALL = "all"
_WINDOWS: dict[str, int | None] = {_ALL: None, "last 500": 500, "last 100": 100, "last 25": 25}
_PAUSED = "live.paused-series"
_NO_LOGO = {"displaylogo": False}

_COST_UNKNOWN = (
    "What this run costs is unknown: a model it uses has no price. The Models page shows which prices are known; "
    "a config may give its own."
)


_ON_PAGE = "live.charts-on-page"
_FRAME = "live-chart-frame"
_BEHIND = f"""<style>
[class*="st-key-{_FRAME}"] {{ position: relative; }}
[class*="st-key-{_FRAME}"] > :nth-child(2) {{ position: absolute; inset: 0 0 auto 0; visibility: hidden; }}
</style>"""
"""A frame shows the first of its charts; a second one is there to be drawn."""


class FinishedFigure(go.Figure):
    """A figure that does not change any more: what Streamlit asks of it at every look is made once."""

    @cached_property
    def _plain(self) -> dict[str, Any]:
        return super().to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Plain values; not to be changed."""
        return self._plain


@dataclass(frozen=True)
class Drawing:
    """A chart, or words where there is nothing to draw.

    Attributes:
        title: Stands above it.
        figure: The chart; None where there is nothing to draw.
        words: What the chart shows, for those who cannot see it; without a chart, why there is none.
    """

    title: str
    figure: FinishedFigure | None
    words: str

    @classmethod
    def of(cls, title: str, figure: go.Figure, words: str) -> Drawing:
        """A chart that is finished."""
        return cls(title, FinishedFigure(figure), words)

    @cached_property
    def version(self) -> str:
        """Differs where the chart does."""
        return (
            f"{zlib.crc32((self.figure.to_json() + self.words).encode('utf-8', 'replace')):08x}" if self.figure else ""
        )


@dataclass(frozen=True, slots=True)
class _Choice:
    window: int | None
    spread: reward.Spread
    with_episodes: bool
    paused: bool


def begin_charts() -> None:
    """Once for each time the page is drawn as a whole, before :func:`show_charts`."""
    st.html(_BEHIND)
    st.session_state[_ON_PAGE] = {}


def show_charts(view: RunView) -> None:
    """What to see, and the charts."""
    if not len(view.series):
        if view.is_active:
            show_message("The charts begin when the first iteration is finished.", "info")
        return
    choice = _choose(len(view.series))
    series = _series_to_draw(view, choice.paused)
    drawings = _drawings(series, view.plan, choice.window, choice.spread, choice.with_episodes)
    _show(drawings[0], "reward")
    left, right = st.columns(2)
    for place, (name, drawing) in enumerate(zip(("tokens", "cost", "rate", "incidents"), drawings[1:], strict=True)):
        with (left, right)[place % 2]:
            _show(drawing, name)


def _choose(iterations: int) -> _Choice:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="live-chart-choices"):
        window = _choose_window(iterations)
        spread = st.segmented_control(
            "Spread of episodes",
            reward.SPREADS,
            default="range",
            required=True,
            format_func=reward.SPREAD_NAMES.__getitem__,
            key="live-spread",
            persist_state="session",
        )
        with_episodes = st.toggle("Episodes", key="live-each-episode", persist_state="session")
        paused = st.toggle(
            "Pause",
            key="live-pause",
            help="Keep the charts, and how you zoomed into them, as they are; new data would draw them anew.",
        )
    return _Choice(_WINDOWS.get(window or _ALL), spread or "range", with_episodes, paused)


def _choose_window(iterations: int) -> str | None:
    windows = [name for name, count in _WINDOWS.items() if count is None or count < iterations]
    if len(windows) == 1:
        return _ALL
    return st.segmented_control(
        "Iterations", windows, default=_ALL, required=True, key="live-window", persist_state="session"
    )


def _series_to_draw(view: RunView, paused: bool) -> RunSeries:
    """The present figures; while paused those of the moment when the pause began."""
    run_id, kept = st.session_state.get(_PAUSED, (None, view.series))
    if not paused:
        st.session_state.pop(_PAUSED, None)
        return view.series
    if run_id != view.run_id:
        kept = view.series
        st.session_state[_PAUSED] = (view.run_id, kept)
    return kept


@lru_cache(maxsize=16)
def _drawings(
    series: RunSeries, plan: RunPlan, window: int | None, spread: reward.Spread, with_episodes: bool
) -> tuple[Drawing, ...]:
    """Every chart, in the page's order; made once for the same data and choices, whoever looks."""
    shown = series.last(window)
    return (
        Drawing.of(
            "Reward",
            reward.reward_figure(shown, spread=spread, with_episodes=with_episodes, paradigm=plan.paradigm),
            reward.reward_summary(shown),
        ),
        Drawing.of("Tokens by role", tokens.tokens_figure(shown), tokens.tokens_summary(shown)),
        _spent(shown, plan),
        Drawing.of("Throughput", throughput.throughput_figure(shown), throughput.throughput_summary(shown)),
        _incidents(shown),
    )


def _spent(shown: RunSeries, plan: RunPlan) -> Drawing:
    """Dollars against their budget; tokens where only they have a budget, or where the models cost nothing."""
    spent = shown.spent_usd()
    if plan.max_cost_usd is None and (plan.max_total_tokens is not None or not spent.any()):
        figure = cost.token_budget_figure(shown, plan.max_total_tokens)
        return Drawing.of("Tokens so far", figure, cost.token_budget_summary(shown, plan.max_total_tokens))
    if not cost.cost_is_known(shown):
        return Drawing("Cost", None, _COST_UNKNOWN)
    return Drawing.of("Cost", cost.cost_figure(shown, plan.max_cost_usd), cost.cost_summary(shown, plan.max_cost_usd))


def _incidents(shown: RunSeries) -> Drawing:
    if not throughput.has_incidents(shown):
        return Drawing(
            "Trouble with calls", None, "No retries, errors, truncated replies or repairs in these iterations."
        )
    return Drawing.of("Trouble with calls", throughput.incidents_figure(shown), throughput.incidents_summary(shown))


def _show(drawing: Drawing, name: str) -> None:
    st.subheader(drawing.title, anchor=False)
    on_page: dict[str, Drawing] = st.session_state[_ON_PAGE]
    old = on_page.pop(name, None)
    if drawing.figure is None:
        show_message(drawing.words, "info")
        return
    with st.container(key=f"{_FRAME}-{name}"):
        if old is not None and old.version != drawing.version:
            _draw(old, name)
        _draw(drawing, name)
    on_page[name] = drawing


def _draw(drawing: Drawing, name: str) -> None:
    st.plotly_chart(
        drawing.figure,
        key=f"live-chart-{name}-{drawing.version}",
        theme="streamlit",
        config=_NO_LOGO,
        alt=drawing.words,
    )
