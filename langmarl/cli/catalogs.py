"""``langmarl models`` and ``langmarl envs``: what a config may name."""

from __future__ import annotations

import os
from typing import Any

import typer

from langmarl.cli.options import Json, Plugins
from langmarl.cli.plugins import import_plugins
from langmarl.cli.printing import say_json, show_table
from langmarl.config import BaseConfig, LLMConfig, price_of
from langmarl.config.presets import endpoints
from langmarl.config.registry import config_class


def models(context: typer.Context, as_json: Json = False) -> None:
    """List the model presets, or fetch a local model.

    Without a command it lists the presets, with their prices in US dollars for a million tokens, and whether the key
    that each needs is set.
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise typer.BadParameter("Put --json last: langmarl models list --json")
        return
    rows = [_model(group.title, LLMConfig.from_preset(name)) for group in endpoints() for name in group.models]
    if as_json:
        say_json(rows)
        return
    headers = ["preset", "provider", "model", "$/M in", "$/M out", "key variable", "key", "description"]
    show_table(headers, [_model_cells(row) for row in rows])


def envs(plugins: Plugins = None, as_json: Json = False) -> None:
    """List the environments.

    With the settings that each adds to those of every run.
    """
    from langmarl.envs import list_envs  # brings the scoring libraries along, which no other command here needs

    import_plugins(plugins)
    rows = [_environment(name) for name in list_envs()]
    if as_json:
        say_json(rows)
        return
    show_table(
        ["env", "config", "its own settings"],
        [(row["name"], row["config"], ", ".join(row["settings"])) for row in rows],
    )


def _model(provider: str, model: LLMConfig) -> dict[str, Any]:
    price = price_of(model)
    variable = model.api_key_env_var
    return {
        "name": model.name,
        "provider": provider,
        "model": model.model_string,
        "base_url": model.base_url,
        "input_price_per_million": price.input_per_million if price else None,
        "output_price_per_million": price.output_per_million if price else None,
        "price_source": price.source if price else None,
        "api_key_env_var": variable,
        "key_set": bool(os.environ.get(variable)) if variable else None,
        "description": model.description,
    }


def _model_cells(row: dict[str, Any]) -> list[str]:
    key = {True: "set", False: "not set", None: "not needed"}[row["key_set"]]
    return [
        row["name"],
        row["provider"],
        row["model"],
        _price(row["input_price_per_million"]),
        _price(row["output_price_per_million"]),
        row["api_key_env_var"] or "–",
        key,
        row["description"],
    ]


def _price(per_million: float | None) -> str:
    return "unknown" if per_million is None else f"{per_million:.10g}"


def _environment(name: str) -> dict[str, Any]:
    config = config_class(name)
    own = [field for field in config.model_fields if field not in BaseConfig.model_fields]
    return {"name": name, "config": config.__name__, "settings": own}
