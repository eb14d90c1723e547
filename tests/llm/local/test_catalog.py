from __future__ import annotations

import re
import subprocess
import sys

import pytest

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.llm.local.catalog import downloadables, endpoint, find, with_file


def test_every_model_is_described_in_full() -> None:
    models = downloadables()

    assert [model.name for model in models] == ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"]
    assert all(re.fullmatch("[0-9a-f]{64}", model.sha256) for model in models)
    assert all(model.file.endswith(".gguf") and "/" not in model.file for model in models)
    assert all(model.size_bytes > 100_000_000 and model.licence for model in models)


def test_a_model_is_found_by_its_name_and_by_its_preset() -> None:
    assert find("local-qwen2.5-coder-0.5b") is find("qwen2.5-coder-0.5b")
    assert find("qwen2.5-coder-1.5b").size_bytes == 1_117_320_768


def test_an_unknown_name_is_told_the_nearest_and_all() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'qwen2\.5-coder-0\.5b'") as caught:
        find("qwen2.5-coder-05b")

    assert "qwen2.5-coder-1.5b" in str(caught.value)


def test_a_model_is_found_by_its_file() -> None:
    model = find("qwen2.5-coder-0.5b")

    assert with_file(model.file) is model
    assert with_file("other.gguf") is None


@pytest.mark.parametrize("variable", [None, "", "https://huggingface.co/"])
def test_files_come_from_the_hub_unless_a_mirror_is_named(
    variable: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    if variable is not None:
        monkeypatch.setenv("HF_ENDPOINT", variable)

    assert find("qwen2.5-coder-0.5b").url == (
        "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    )


def test_a_mirror_may_have_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/hub//")

    assert find("qwen2.5-coder-0.5b").url.startswith("https://mirror.example/hub/Qwen/")
    assert find("qwen2.5-coder-0.5b").hub_url.startswith("https://huggingface.co/Qwen/")


@pytest.mark.parametrize(
    "address",
    [
        "mirror.example",
        "ftp://mirror.example",
        "https://",
        "https://mirror.example:many",
        "http://[::1",
        "https://a mirror",
        "https://someone:planted-secret@mirror.example",
        "https://mirror.example?token=planted-secret",
    ],
)
def test_a_mirror_that_is_no_plain_address_is_refused_and_not_repeated(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", address)

    with pytest.raises(UserMistake, match="HF_ENDPOINT") as caught:
        endpoint()

    assert "planted" not in str(caught.value)


def test_looking_for_models_loads_no_model_runtime() -> None:
    program = (
        "import sys; from langmarl.llm.local import catalog, files; files.files_on_disk(); "
        "print({'llama_cpp', 'numpy', 'torch'} & sys.modules.keys())"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)

    assert printed.stdout.strip() == "set()"
