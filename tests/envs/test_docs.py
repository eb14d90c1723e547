"""The examples in the guides work as printed."""

import json
import re
from pathlib import Path

import pytest

from langmarl.config import BaseConfig
from langmarl.envs import check_environment
from langmarl.envs.language.formats import load_benchmark, recognise
from tests.envs.model_server import model_server

DOCS = Path(__file__).parents[2] / "docs"


def blocks(guide, language):
    text = (DOCS / guide).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("name", ["Riddles", "Countdown"])
def test_example_environments_keep_the_contract(name):
    namespace = {}
    for block in blocks("environments.md", "python")[:2]:
        exec(block, namespace)
    with model_server(lambda *_: "a piano") as model:
        config = BaseConfig(llm=model.config)
        check_environment(lambda: namespace[name](config))


def test_example_tasks_load(tmp_path):
    lines = next(block for block in blocks("benchmarks.md", "json") if "entry_point" in block).splitlines()
    assert len(lines) == 4
    for number, line in enumerate(lines):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(line, encoding="utf-8")
        (task,) = load_benchmark(recognise(json.loads(line)), str(path)).tasks
        assert task.items() >= json.loads(line).items()
