from __future__ import annotations

import io
import json

import pytest

from langmarl.cli.printing import dollars, plain, reward, say_json, seconds


def test_plain_keeps_text_and_line_ends_and_nothing_that_steers() -> None:
    assert plain("naïve → 你好 👍\n\tend\r\n") == "naïve → 你好 👍\n\tend\n"
    assert plain("a\x1b[31mb\x07\x9bc\x00\rd\u202ee\ud800") == "a�[31mb��c��d�e�"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_is_whole_and_free_of_control_characters_in_any_encoding(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = {"text": "naïve → \x1b[0m \x9b \x7f \ud800 \u2028"}
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding))

    say_json(value)

    written = raw.getvalue().decode(encoding)
    assert json.loads(written) == value
    assert all(character >= " " and not "\x7f" <= character <= "\x9f" for character in written.rstrip("\n"))


def test_figures_for_people() -> None:
    assert [dollars(cost) for cost in (None, 0.0, 0.00001, 1.23456)] == ["unknown", "$0.0000", "<$0.0001", "$1.2346"]
    assert [reward(value) for value in (None, 0.5)] == ["–", "0.500"]
    assert [seconds(value) for value in (3.21, 75, 3700)] == ["3.2 s", "1 min 15 s", "1 h 1 min"]
