from __future__ import annotations

import pytest

from langmarl.config import LanguageTaskConfig, LLMConfig, list_available_models
from langmarl.config.reference import BLOCKS, DOCS, main, rendered


@pytest.mark.parametrize("page", BLOCKS)
def test_the_page_is_up_to_date(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert rendered(page, text) == text, "run: python -m langmarl.config.reference"


def test_the_pages_name_every_setting_and_every_preset():
    configuration = (DOCS / "configuration.md").read_text(encoding="utf-8")
    models = (DOCS / "models.md").read_text(encoding="utf-8")
    assert not [name for name in LanguageTaskConfig.model_fields if f"| `{name}` |" not in configuration]
    assert not [name for name in (*LLMConfig.model_fields, *list_available_models()) if f"| `{name}` |" not in models]


def test_a_stale_page_is_rewritten_and_its_prose_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("langmarl.config.reference.DOCS", tmp_path)
    for page, blocks in BLOCKS.items():
        text = "".join(f"before\n<!-- begin {name} -->\nstale\n<!-- end {name} -->\nafter\n" for name in blocks)
        (tmp_path / page).write_text(text, encoding="utf-8")
    main()
    text = (tmp_path / "configuration.md").read_text(encoding="utf-8")
    assert "stale" not in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "configuration.md" in capsys.readouterr().out
    main()
    assert capsys.readouterr().out == ""


def test_a_page_that_lost_its_markers_is_an_error():
    with pytest.raises(ValueError, match="must hold"):
        rendered("configuration.md", "no markers")
