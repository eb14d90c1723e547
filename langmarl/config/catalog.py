"""Models by name or by file."""

from __future__ import annotations

from pathlib import Path

from langmarl.config.llm import LLMConfig
from langmarl.config.loading import read_json_object
from langmarl.config.presets import presets


def get_llm_config(name_or_path: str | Path) -> LLMConfig:
    """The preset of this name, or the model in a JSON file.

    Anything that is no preset's name but a ``Path``, ends in ``.json`` or names an existing file is read as a file;
    it holds what an LLM field of a configuration holds, as an object.

    Raises:
        UnknownNameError: No such preset; the message suggests the nearest.
        ConfigError: The file cannot be used.
    """
    path = Path(name_or_path)
    is_file = isinstance(name_or_path, Path) or path.suffix == ".json" or path.is_file()
    if is_file and name_or_path not in presets():
        return LLMConfig.from_dict(read_json_object(path), source=str(path))
    return LLMConfig.from_preset(str(name_or_path))
