import tomllib

import plotly.graph_objects as go
import pytest

from dashboard.settings import settings_file
from dashboard.theme import COLORWAY, agent_color, figure_layout, paradigm_color, role_color, translucent

LIGHT, DARK = "#ffffff", "#0e1117"
ROLES = ["actor", "critic", "gradient", "aggregate", "update", "judge"]


def luminance(color):
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("color", COLORWAY)
@pytest.mark.parametrize("background", [LIGHT, DARK])
def test_every_colour_stands_out_from_both_backgrounds(color, background):
    assert contrast(color, background) >= 3


def test_an_agent_has_one_colour_and_its_neighbours_have_others():
    colors = [agent_color(f"agent_{number}") for number in range(1, 8)]
    assert len(set(colors)) == 7
    assert agent_color("agent_3") == colors[2]


def test_names_without_a_number_have_a_colour_too():
    assert agent_color("chef") == agent_color("chef")
    assert agent_color("chef") in COLORWAY


def test_roles_and_paradigms_are_told_apart():
    assert len({role_color(role) for role in ROLES}) == len(ROLES)
    assert paradigm_color("central_credit") != paradigm_color("central_global")
    assert role_color("new") in COLORWAY
    assert paradigm_color(None) in COLORWAY


def test_a_figure_gets_axis_titles_our_colours_and_no_background_of_its_own():
    figure = figure_layout(go.Figure(), "iteration", "reward")
    assert figure.layout.xaxis.title.text == "iteration"
    assert figure.layout.yaxis.title.text == "reward"
    assert list(figure.layout.colorway) == list(COLORWAY)
    assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"


def test_translucent_keeps_the_colour():
    assert translucent("#0072B2", 0.25) == "rgba(0,114,178,0.25)"


def test_streamlits_own_charts_use_the_same_colours():
    theme = tomllib.loads(settings_file().read_text(encoding="utf-8"))["theme"]
    assert theme["chartCategoricalColors"] == list(COLORWAY)
