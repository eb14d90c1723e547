import pytest

from langmarl import LLMConfig
from langmarl.config import price_of
from langmarl.config.presets import find_preset
from langmarl.errors import UnknownNameError


def test_any_file_is_a_preset():
    model = LLMConfig.from_preset("local:/models/mine.gguf", threads=3)
    assert model.model_string == "/models/mine.gguf"
    assert model.is_gguf
    assert model.is_loopback
    assert not model.needs_key
    assert price_of(model).cost(1000, 1000) == 0
    assert LLMConfig.model_validate(model.model_dump(mode="json")) == model
    assert model.model_dump(mode="json") == {"preset": "local:/models/mine.gguf", "threads": 3}


@pytest.mark.parametrize(
    ("given", "kept"), [("mine.gguf", "./mine.gguf"), ("a/mine.gguf", "a/mine.gguf"), ("~/mine.gguf", "~/mine.gguf")]
)
def test_a_path_is_one_from_the_working_directory(given, kept):
    assert LLMConfig.model_validate(f"local:{given}").model_string == kept


@pytest.mark.parametrize("name", ["local:", "local: ", "local", "locale:/x.gguf"])
def test_a_name_without_a_path_is_none(name):
    assert find_preset(name) is None
    with pytest.raises(UnknownNameError):
        LLMConfig.from_preset(name)


def test_a_shipped_model_is_found_by_its_files_name():
    model = LLMConfig.from_preset("local-qwen2.5-coder-1.5b")
    assert model.model_string == "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    assert model.is_gguf
    assert model.is_local
