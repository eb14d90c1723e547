"""Which models there are, what they cost, whether their keys are there, and what the runs have used of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dashboard.queries.live.numbers import mapping, usage_of
from dashboard.queries.reading import RememberedFiles
from langmarl.config import LLMConfig, price_of
from langmarl.config.presets import endpoints
from langmarl.errors import LangMARLError
from langmarl.store import MetricsFile
from langmarl.usage import Usage, total

KeyPresence = Literal["set", "not set", "not needed"]

_PRICE_SOURCES = {"config": "preset", "genai-prices": "genai-prices", "local": "local, free"}
_RUNS_REMEMBERED = 5000


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One preset.

    Attributes:
        preset: Its name, as a config gives it.
        provider: Who serves it.
        model: The model's name at its endpoint.
        endpoint: The endpoint's address; None: OpenAI's own.
        input_price: US dollars for a million input tokens; None where unknown.
        output_price: The same for output tokens.
        cached_input_price: The same for input tokens that the provider read from its cache.
        price_source: Where the prices come from: preset, genai-prices, local, or unknown.
        context: Most tokens of a request and its reply together; None where unknown.
        key_variable: The environment variable that holds the key; None where none is needed.
        key: Whether that variable is set; the key itself is never read out.
        description: In one line.
    """

    preset: str
    provider: str
    model: str
    endpoint: str | None
    input_price: float | None
    output_price: float | None
    cached_input_price: float | None
    price_source: str
    context: int | None
    key_variable: str | None
    key: KeyPresence
    description: str

    def matches(self, words: str) -> bool:
        """Whether every word of a filter occurs somewhere in the row, in any case."""
        text = " ".join(
            str(part or "")
            for part in (self.preset, self.provider, self.model, self.endpoint, self.key_variable, self.description)
        ).casefold()
        return all(word in text for word in words.casefold().split())


def model_rows() -> list[ModelRow]:
    """Every preset, in the catalog's order, with the keys as they are set now."""
    return [_row(group.title, LLMConfig.from_preset(name)) for group in endpoints() for name in group.models]


def key_presence(model: LLMConfig) -> KeyPresence:
    """Whether the key that a model needs is there."""
    if model.get_api_key() is not None:
        return "set"
    return "not set" if model.needs_key else "not needed"


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What all runs together used of one model.

    Attributes:
        model: Its name at its endpoint.
        runs: How many runs used it.
        usage: Their calls, tokens and cost.
    """

    model: str
    runs: int
    usage: Usage


def usage_by_model(run_folders: Iterable[Path]) -> list[ModelUsage]:
    """What the runs in these folders have used, the model with most tokens first.

    A run counts with what its ``metrics.json`` says, so the iteration at work is not in it; a run that cannot be read
    is left out. A run that did not change since the last time is not read again.
    """
    by_run = [_totals.read(folder / "metrics.json", _usage_of_run) for folder in run_folders]
    models = {model for usages in by_run for model in usages}
    found = [
        ModelUsage(model, sum(model in usages for usages in by_run), total(u[model] for u in by_run if model in u))
        for model in models
    ]
    return sorted(found, key=lambda each: (-each.usage.total_tokens, each.model))


_totals: RememberedFiles[dict[str, Usage]] = RememberedFiles(_RUNS_REMEMBERED)


def _usage_of_run(path: Path) -> dict[str, Usage]:
    try:
        by_model = mapping(mapping(MetricsFile(path).read().totals).get("by_model"))
    except (LangMARLError, OSError):
        return {}
    return {model: usage_of(usage) for model, usage in by_model.items()}


def _row(provider: str, model: LLMConfig) -> ModelRow:
    price = price_of(model)
    return ModelRow(
        preset=model.name,
        provider=provider,
        model=model.model_string,
        endpoint=model.base_url,
        input_price=price.input_per_million if price else None,
        output_price=price.output_per_million if price else None,
        cached_input_price=price.cached_input_per_million if price else None,
        price_source=_PRICE_SOURCES[price.source] if price else "unknown",
        context=model.context_window,
        key_variable=model.api_key_env_var,
        key=key_presence(model),
        description=model.description,
    )
