"""Counts tokens and their cost by hand, for scripts that call a model outside a run."""

from __future__ import annotations

from typing import Any

from langmarl.config import LLMConfig
from langmarl.config.presets import presets
from langmarl.config.prices import price_of

_MILLION = 1_000_000


class TokenTracker:
    """Sums the tokens of one model. Not thread-safe; runs count by themselves.

    Args:
        model: A preset's name, or the name of a model of OpenAI's.
        input_price: US dollars for a million input tokens.
        output_price: US dollars for a million output tokens. Where both prices are None they are looked up by
            ``model``; a price that is not known stays None, and so does each cost that needs it.
    """

    def __init__(self, model: str, input_price: float | None = None, output_price: float | None = None) -> None:
        self.model = model
        if input_price is None and output_price is None:
            listed = price_of(LLMConfig.from_preset(model) if model in presets() else LLMConfig(model_string=model))
            if listed is not None:
                input_price, output_price = listed.input_per_million, listed.output_per_million
        self.input_price = input_price
        self.output_price = output_price
        self.reset()

    def add_usage(self, input_tokens: int, output_tokens: int) -> None:
        """Add the tokens of one call."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def reset(self) -> None:
        """Start again at 0."""
        self.input_tokens = 0
        self.output_tokens = 0

    def get_stats(self) -> dict[str, Any]:
        """The sums: ``model``, ``{input,output,total}_tokens``, ``input_cost``, ``output_cost`` and ``cost_usd``.

        Costs are in US dollars, unrounded; None where a price is unknown.
        """
        return {
            "model": self.model,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "total_tokens": self.input_tokens + self.output_tokens,
            "input_cost": _cost(self.input_tokens, self.input_price),
            "output_cost": _cost(self.output_tokens, self.output_price),
            "cost_usd": self.estimate_cost(self.input_tokens, self.output_tokens),
        }

    def estimate_cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars for these tokens; None where a price that they need is unknown."""
        input_cost = _cost(input_tokens, self.input_price)
        output_cost = _cost(output_tokens, self.output_price)
        return None if input_cost is None or output_cost is None else input_cost + output_cost

    def get_summary_string(self) -> str:
        """One line for a log."""
        cost = self.estimate_cost(self.input_tokens, self.output_tokens)
        shown = "cost unknown" if cost is None else f"${cost:.4f}"
        total = self.input_tokens + self.output_tokens
        return f"{self.model}: {total:,} tokens ({self.input_tokens:,} in, {self.output_tokens:,} out), {shown}"


def _cost(tokens: int, price_per_million: float | None) -> float | None:
    if tokens == 0:
        return 0.0
    return None if price_per_million is None else tokens * price_per_million / _MILLION
