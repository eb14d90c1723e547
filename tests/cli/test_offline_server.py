from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from tests.cli.shell import QUICKSTART, Result


def test_a_config_trains_against_the_server_as_against_the_model_itself(
    slow_model: str, tmp_path: Path, langmarl: Callable[..., Result]
) -> None:
    one = ("num_iterations=1", "trajectories_per_iteration=2", "max_workers=20")
    served = langmarl("train", QUICKSTART, *one, "exp_name=served", "-o", slow_model, "--json")
    built_in = langmarl("train", QUICKSTART, *one, "exp_name=built_in", "--json")

    assert served.code == built_in.code == 0
    assert served.json["iterations"][0]["rewards"] == built_in.json["iterations"][0]["rewards"]
    assert served.json["iterations"][0]["total_tokens"] == built_in.json["iterations"][0]["total_tokens"]


def test_a_taken_port_is_a_mistake(langmarl: Callable[..., Result]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = langmarl("serve-offline", "--port", taken.getsockname()[1])

    assert result.code == 2
    assert str(taken) not in result.err
    assert "cannot be listened on" in result.err


def test_an_address_of_another_machine_is_a_mistake(langmarl: Callable[..., Result]) -> None:
    result = langmarl("serve-offline", "--host", "192.0.2.1")

    assert result.code == 2
    assert "192.0.2.1" in result.err
