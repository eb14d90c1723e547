"""Whether the model files that a run needs can be served, looked at before the run begins."""

from __future__ import annotations

from langmarl.config import BaseConfig
from langmarl.llm.local.servers import require_llama_cpp
from langmarl.llm.local.settings import ServerSettings


def require_model_files(config: BaseConfig) -> None:
    """See that llama.cpp and every model file that ``config`` names for a role are there; nothing is loaded.

    Raises:
        UserMistake: One is not; the message says how to get it.
    """
    for field in config.roles_in_use():
        model = config.find_llm(field)
        if model is not None and model.is_gguf:
            ServerSettings.of(model)
            require_llama_cpp()
