from __future__ import annotations

import pytest

from langmarl.errors import ModelCallError
from langmarl.llm import probe
from tests.llm.conftest import ConfigMaker
from tests.llm.server import ScriptedServer, completion, error


def test_a_probe_tells_reply_latency_and_usage(server: ScriptedServer, make_config: ConfigMaker) -> None:
    server.script = [completion("ok")]
    result = probe(make_config())
    assert result.reply_text == "ok"
    assert result.latency_s > 0
    assert result.usage.total_tokens == 110
    assert server.bodies[0]["max_tokens"] == 256


def test_a_probe_is_tried_once(server: ScriptedServer, make_config: ConfigMaker) -> None:
    server.otherwise = error(500, "boom")
    with pytest.raises(ModelCallError, match="boom"):
        probe(make_config())
    assert len(server.received) == 1
