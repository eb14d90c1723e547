"""What a call costs: by the configuration's prices, else by the genai-prices data set, else unknown.

The data set ships inside its package; nothing is fetched. Its prices can depend on the length of a request and on
the date, so a call is priced by that data set's own rules rather than by a flat rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price
from genai_prices.data_snapshot import get_snapshot

from langmarl.config.llm import LLMConfig

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Where the genai-prices data set lists a model."""

    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class Price:
    """What one model's tokens cost.

    Attributes:
        input_per_million: US dollars for a million input tokens; for a listed model, of a short request today.
        output_per_million: The same for output tokens.
        cached_input_per_million: The same for input tokens that the provider read from its cache.
        source: ``"config"``, ``"genai-prices"`` or ``"local"``.
        listing: For ``"genai-prices"``, the entry that prices each call.
    """

    input_per_million: float
    output_per_million: float
    cached_input_per_million: float
    source: Literal["config", "genai-prices", "local"]
    listing: Listing | None = None

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """US dollars for one call, unrounded.

        Args:
            input_tokens: All input tokens of the call, cached ones included.
            output_tokens: All output tokens, thinking included.
            cached_tokens: The part of ``input_tokens`` that came from the provider's cache.
        """
        cached_tokens = min(cached_tokens, input_tokens)
        if self.listing is not None:
            return float(_listed_cost(self.listing, input_tokens, output_tokens, cached_tokens))
        return (
            (input_tokens - cached_tokens) * self.input_per_million
            + cached_tokens * self.cached_input_per_million
            + output_tokens * self.output_per_million
        ) / _MILLION


def price_of(llm_config: LLMConfig) -> Price | None:
    """The price of a model's calls, or None where it is unknown.

    In this order: both prices of the configuration; 0 for a model on the user's own computer; the data set's entry
    for the model at its provider. One price alone, without the other, is not enough.
    """
    input_price, output_price = llm_config.input_price_per_million, llm_config.output_price_per_million
    if input_price is not None and output_price is not None:
        cached = llm_config.cached_input_price_per_million
        is_free = llm_config.is_local and input_price == output_price == 0
        return Price(
            input_per_million=input_price,
            output_per_million=output_price,
            cached_input_per_million=input_price if cached is None else cached,
            source="local" if is_free else "config",
        )
    if llm_config.is_local:
        return Price(0.0, 0.0, 0.0, "local")
    provider = llm_config.provider or _provider_at(llm_config.base_url)
    return None if provider is None else _listed_price(Listing(provider, llm_config.model_string))


def price_known(llm_config: LLMConfig) -> bool:
    """Whether the cost of this model's calls can be told."""
    return price_of(llm_config) is not None


@lru_cache(maxsize=256)
def _provider_at(base_url: str | None) -> str | None:
    """The provider that an endpoint belongs to; another address has a price list of its own, so it is unknown."""
    if base_url is None:
        return "openai"
    try:
        return get_snapshot().find_provider(None, None, base_url).id
    except LookupError:
        return None


def _listed_price(listing: Listing) -> Price | None:
    """The rates of a listed model for a short request, or None where the data set lacks it."""
    # A thousand tokens stay below every tier, so these are the rates that most calls pay.
    try:
        fresh, output, cached = (
            float(_listed_cost(listing, *tokens) * 1000) for tokens in ((1000, 0, 0), (0, 1000, 0), (1000, 0, 1000))
        )
    except (LookupError, ValueError):
        return None
    return Price(fresh, output, cached, "genai-prices", listing)


def _listed_cost(listing: Listing, input_tokens: int, output_tokens: int, cached_tokens: int) -> Decimal:
    usage = PricedUsage(input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cached_tokens or None)
    return calc_price(usage, listing.model, provider_id=listing.provider).total_price
