"""What keeps a sound configuration from running: missing models, unknown prices, unusable paths and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from langmarl.config.base import BaseConfig
from langmarl.config.faults import Combination
from langmarl.config.llm import LLMConfig
from langmarl.config.prices import price_known as price_is_known
from langmarl.errors import Fault

_UNPRICED = (
    "the price of {name!r} is unknown, so max_cost_usd cannot be kept; set input_price_per_million and "
    "output_price_per_million of this model, or limit max_total_tokens instead."
)


def check_combinations(config: BaseConfig, price_known: Callable[[LLMConfig], bool] = price_is_known) -> list[Fault]:
    """Everything in a configuration that a run cannot start with, save keys (see ``missing_keys``).

    Args:
        config: A configuration, whose fields may have been assigned since it was built.
        price_known: Whether a model's calls have a known price.
    """
    return [combination.fault for combination in (*config.impossible_combinations(), *obstacles(config, price_known))]


def obstacles(config: BaseConfig, price_known: Callable[[LLMConfig], bool] = price_is_known) -> Iterator[Combination]:
    """What keeps a sound configuration from running; arguments as for ``check_combinations``."""
    for field in config.roles_in_use():
        if config.find_llm(field) is None:
            yield Combination(config.no_model(field), config.llm_candidates(field))
    if config.max_cost_usd is not None:
        for field, model in _models_in_use(config).items():
            if not price_known(model):
                yield Combination(Fault(field, _UNPRICED.format(name=model.name)), (field, "max_cost_usd"))
    for fault in config.unusable_paths():
        yield Combination(fault, (fault.field,))


def missing_keys(config: BaseConfig, environ: Mapping[str, str]) -> list[Fault]:
    """One fault for each variable that should hold a key of a model in use and is not set in ``environ``."""
    waiting: dict[str, list[str]] = {}
    for field, model in _models_in_use(config).items():
        variable = model.api_key_env_var
        if variable is not None and model.needs_key and model.api_key is None and not environ.get(variable):
            waiting.setdefault(variable, []).append(f"{field} ({model.name})")
    return [
        Fault(
            "",
            f"the environment variable {variable} is not set; it should hold the key for {', '.join(models)}; "
            "export it, or put it into a .env file in the working directory.",
        )
        for variable, models in waiting.items()
    ]


def _models_in_use(config: BaseConfig) -> dict[str, LLMConfig]:
    """The models that a run calls, by the field that names each (``llm`` once, however many roles use it)."""
    sources = (config.llm_source(field) for field in config.roles_in_use())
    return {source: getattr(config, source) for source in sources if source is not None}
