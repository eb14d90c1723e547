"""What a chart was sent to the browser with."""

import base64
import json

import numpy as np


def chart_of(app, name):
    """The specification of the Live page's chart ``name`` that is seen (the first one in its frame)."""
    charts = [each.proto for each in app.get("plotly_chart") if f"live-chart-{name}-" in each.proto.id]
    return json.loads(charts[0].spec)


def line_of(chart, name):
    """One line of a specification, its numbers as lists; ``name`` may be the beginning of the line's name."""
    (line,) = [each for each in chart["data"] if each.get("name", "").startswith(name)]
    return {**line, "x": numbers(line["x"]), "y": numbers(line["y"])}


def numbers(values):
    """Plotly sends arrays as base64."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return list(values)
