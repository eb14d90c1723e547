"""One model behind an OpenAI-compatible endpoint, and how to talk to it."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import (
    Field,
    JsonValue,
    SecretStr,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from langmarl.config.credentials import holds_key
from langmarl.config.faults import Combination, refused, shown
from langmarl.config.presets import LOCAL_PREFIX, find_preset, preset, presets
from langmarl.config.settings import Settings
from langmarl.errors import Fault, nearest

DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"

# What the client itself writes into a request; the remedy for each, where there is a setting for it.
CLIENT_OWNED_PARAMS: Mapping[str, str] = {
    "model": "set model_string instead",
    "messages": "the policy and the task make up the messages",
    "stream": "replies are read whole",
    "stream_options": "replies are read whole",
    "n": "one reply is read a call",
    "max_tokens": "set max_tokens of the model instead",
    "max_completion_tokens": "set max_tokens of the model instead",
    "temperature": "set temperature of the model instead",
    "response_format": "set structured_output instead",
    "headers": "headers belong to the client",
    "extra_headers": "headers belong to the client",
    "extra_query": "the address belongs to base_url",
    "extra_body": "extra_params already go into the body: put the fields here themselves",
    "timeout": "set request_timeout_s instead",
    "api_key": "name a variable in api_key_env_var instead",
    "authorization": "name a variable in api_key_env_var instead",
}

_WHERE = ("base_url", "model_string")
_PRICE_FIELDS = ("input_price_per_million", "output_price_per_million", "cached_input_price_per_million")

_log = logging.getLogger(__name__)


class LLMConfig(Settings):
    """A model: where it is served, under which name, with which limits, quirks and prices.

    Takes a preset's name, an object of fields, or an object with ``preset`` and the fields that differ from it.
    Dumps in the same form: a config that came from a preset dumps as the preset's name and what differs.
    """

    KNOWN_AS: ClassVar[Mapping[str, str]] = {
        "model": "model_string",
        "api_base": "base_url",
        "endpoint": "base_url",
        "url": "base_url",
    }

    IF_MISSING: ClassVar[Mapping[str, str]] = {
        "model_string": 'to change a preset, name it beside the change: {"preset": …, "temperature": 0.3}'
    }

    preset: str | None = None
    """The preset this model comes from; the other fields given are overrides of it. None: given in full."""

    name: str = Field(default="", max_length=200)
    """What messages, logs and pages call this model. Empty: the same as model_string."""

    model_string: str = Field(min_length=1, max_length=300)
    """The model's name at its endpoint, as sent in each request."""

    base_url: str | None = None
    """Address of the OpenAI-compatible endpoint, with its path (for example http://localhost:8000/v1).
    None: OpenAI's own."""

    api_key: SecretStr | None = Field(default=None, exclude=True, repr=False)
    """The key itself. Never written to disk, shown or logged, so a saved config lacks it; better to name a
    variable in api_key_env_var. None: the key comes from that variable."""

    api_key_env_var: str | None = Field(default=DEFAULT_KEY_VARIABLE)
    """Name of the environment variable that holds the key. None: the endpoint needs no key, which is also what is
    assumed for an endpoint on this computer unless a variable is named."""

    is_multimodal: bool = False
    """Whether the model can also read images. For display; nothing but text is sent."""

    max_tokens: int = Field(default=4096, ge=1)
    """Longest reply, in tokens, thinking included. A reply cut off here is never used as a policy."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    """Sampling temperature, 0 to 2. None: not sent, so the provider's own default holds."""

    input_price_per_million: float | None = Field(default=None, ge=0)
    """US dollars for a million input tokens. None: looked up in the price data, and unknown where it is not there."""

    output_price_per_million: float | None = Field(default=None, ge=0)
    """US dollars for a million output tokens, thinking included. None: looked up, else unknown."""

    cached_input_price_per_million: float | None = Field(default=None, ge=0)
    """US dollars for a million input tokens that the provider read from its cache; counts only beside the other two
    prices. None: the same as other input tokens."""

    extra_params: dict[str, JsonValue] = Field(default_factory=dict)
    """Further fields of the request's body, such as {"top_p": 0.9, "reasoning_effort": "low"}. Those that the client
    writes itself (model, messages, stream, n, headers, temperature, max_tokens …) are refused."""

    provider: str | None = Field(default=None, max_length=100)
    """Whose price list to look the model up in (a provider's id in the genai-prices data, such as openai or
    together). None: found by base_url."""

    local: bool = False
    """Whether the model runs on a computer of your own, so that its calls cost nothing."""

    structured_output: Literal["json_schema", "json_object", "none"] = "json_schema"
    """How to ask for a JSON answer: by schema, as any JSON object, or (none) only in the words of the prompt. The
    client steps down by itself when the endpoint refuses."""

    max_tokens_parameter: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name under which max_tokens is sent; reasoning models want max_completion_tokens."""

    supports_temperature: bool = True
    """Whether the model takes a temperature. False: temperature is not sent."""

    context_window: int | None = Field(default=None, ge=1)
    """Most tokens that a request and its reply may have together. It changes no request, but a model that runs in this
    process is loaded with so much room for each call. None: unknown; in this process 8,192, or the model's own most."""

    threads: int | None = Field(default=None, ge=1, le=1024)
    """Processor threads of a model that runs in this process. None: one for each processor that this process may
    use."""

    slots: int | None = Field(default=None, ge=1, le=64)
    """Calls at once to a model that runs in this process; each slot takes memory for context_window tokens. None: as
    many as this machine gains from."""

    request_timeout_s: float = Field(default=120.0, gt=0, le=86_400)
    """Seconds to wait for a reply before the request counts as failed and is tried again."""

    max_retries: int = Field(default=6, ge=0, le=100)
    """How often a request is sent again after a rate limit, a server error or a dropped connection."""

    description: str = Field(default="", max_length=500)
    """One line for the list of models."""

    @model_validator(mode="before")
    @classmethod
    def _expand(cls, data: Any) -> Any:
        """Read a preset's name, or merge a preset with its overrides; then fill in what follows from the rest."""
        if isinstance(data, str):
            data = {"preset": data}
        if not isinstance(data, Mapping):
            if isinstance(data, LLMConfig):
                return data
            raise refused(
                f"is {shown(data)}; must be a preset's name, an object, or an object with preset and overrides."
            )
        fields = _merged_with_preset(data)
        if not fields.get("name"):
            fields["name"] = fields.get("model_string", "")
        if "api_key_env_var" not in fields and _is_own_computer(fields.get("base_url")):
            fields["api_key_env_var"] = None
        return fields

    @field_validator("base_url")
    @classmethod
    def _address_is_plain(cls, value: str | None) -> str | None:
        """Refuse what is no address of an endpoint, without repeating it: it may hold a password."""
        if value is None:
            return value
        parts = _split(value)
        if parts is None or parts.scheme not in ("http", "https", "offline", "local") or not parts.hostname:
            raise refused("must be an address such as https://api.example.com/v1 (http, https, offline or local).")
        if parts.username is not None or parts.password is not None:
            raise refused("must not hold a user name or password; name a variable in api_key_env_var instead.")
        if parts.query or parts.fragment:
            raise refused("must end with the path, without a query (?…) or fragment (#…).")
        return value

    @field_validator("api_key_env_var")
    @classmethod
    def _variable_name(cls, value: str | None) -> str | None:
        """Refuse what is no variable's name, without repeating it: people paste the key itself here."""
        if value is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", value):
            raise refused("must be the name of an environment variable (letters, digits, underscores), not a key.")
        return value

    @field_validator("api_key")
    @classmethod
    def _key_is_not_saved(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            _log.warning(
                "An api_key given in the configuration will not be saved: a saved configuration or a resumed run "
                "reads it from the variable named in api_key_env_var."
            )
        return value

    @field_validator("extra_params")
    @classmethod
    def _client_keeps_its_own(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        taken = [name for name in value if name.casefold() in CLIENT_OWNED_PARAMS]
        if taken:
            reasons = "; ".join(f"{name!r}: {CLIENT_OWNED_PARAMS[name.casefold()]}" for name in taken)
            raise refused(f"must not hold what the client writes itself ({reasons}).")
        if holds_key(value):
            raise refused("holds a key; it would be saved with the configuration. Name a variable in api_key_env_var.")
        return value

    @model_validator(mode="after")
    def _say_what_is_not_sent(self) -> Self:
        if self.temperature is not None and not self.supports_temperature:
            _log.warning("%s takes no temperature; the configured one is not sent.", self.name)
        return self

    def impossible_combinations(self) -> list[Combination]:
        """Settings of one model that cannot work together."""
        found = super().impossible_combinations()
        prices = {"input_price_per_million", "output_price_per_million"}
        missing = [name for name in sorted(prices) if getattr(self, name) is None]
        if len(missing) == 1:
            (given,) = prices.difference(missing)
            fault = Fault(missing[0], f"is missing beside {given}; a price needs both. Set 0 for what is free.")
            found.append(Combination(fault, tuple(prices)))
        return found

    @model_serializer(mode="wrap")
    def _preset_and_differences(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        full: dict[str, Any] = handler(self)
        if self.preset is None:
            del full["preset"]
            return full
        plain = type(self).from_preset(self.preset)
        moved = {name: getattr(self, name) for name in _WHERE if getattr(self, name) != getattr(plain, name)}
        # Compared with what reading preset and address back would give, which differs from the preset as it stands.
        origin = type(self).from_preset(self.preset, **moved) if moved else plain
        differing = (name for name in full if name in moved or getattr(self, name) != getattr(origin, name))
        return {"preset": self.preset, **{name: full[name] for name in differing}}

    @classmethod
    def from_preset(cls, name: str, **overrides: Any) -> Self:
        """The preset of this name, with some fields changed.

        Raises:
            UnknownNameError: No such preset; the message suggests the nearest.
            ConfigError: An override that cannot be.
        """
        preset(name)
        return cls(**overrides, preset=name)

    def get_api_key(self) -> str | None:
        """The key to send: the inline one, else that of the variable; None where there is none."""
        if self.api_key is not None:
            return self.api_key.get_secret_value()
        if self.api_key_env_var is None:
            return None
        return os.environ.get(self.api_key_env_var) or None

    @property
    def is_offline(self) -> bool:
        """Whether the model is the program built into this process."""
        parts = _split(self.base_url or "")
        return parts is not None and parts.scheme == "offline"

    @property
    def is_gguf(self) -> bool:
        """Whether the model is a GGUF file that llama.cpp serves inside this process."""
        parts = _split(self.base_url or "")
        return parts is not None and parts.scheme == "local"

    @property
    def is_local(self) -> bool:
        """Whether the model runs on a computer of the user's own; its calls cost 0."""
        return self.local or self.is_offline or self.is_gguf

    @property
    def is_loopback(self) -> bool:
        """Whether the endpoint is on this computer, so that no request leaves it."""
        return _is_own_computer(self.base_url)

    @property
    def needs_key(self) -> bool:
        """Whether a call cannot work without a key."""
        return self.api_key_env_var is not None and not self.is_loopback


def _merged_with_preset(data: Mapping[str, Any]) -> dict[str, Any]:
    """The given fields on top of those of the preset they name, if any."""
    given = dict(data)
    name = given.get("preset")
    if name is None:
        return given
    origin = find_preset(name) if isinstance(name, str) else None
    if origin is None:
        suggestion = nearest(name, presets()) if isinstance(name, str) else None
        raise refused(
            f"{shown(name)} is not the name of a preset; `langmarl models` lists them, and {LOCAL_PREFIX}<path> names "
            "any GGUF file.",
            suggestion,
        )
    return {**_still_true(dict(origin), given), **given}


def _still_true(origin: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A preset's fields without those that no longer hold once the endpoint or the model is another."""
    moved = given.get("base_url", origin.get("base_url")) != origin.get("base_url")
    renamed = given.get("model_string", origin["model_string"]) != origin["model_string"]
    dropped: set[str] = set()
    if (moved or renamed) and not origin.get("local"):
        dropped.update(_PRICE_FIELDS)
    if moved:
        dropped.add("provider")  # whoever serves that address may bill otherwise
    if moved and _is_own_computer(given.get("base_url")):
        dropped.add("api_key_env_var")  # the provider's key has no business there
    return {field: value for field, value in origin.items() if field not in dropped}


def _split(address: str) -> SplitResult | None:
    """The parts of an address; None where it has no readable form."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        return None
    return parts


def _is_own_computer(base_url: Any) -> bool:
    """Whether an address is in this process or on this computer."""
    parts = _split(base_url) if isinstance(base_url, str) else None
    if parts is None:
        return False
    host = parts.hostname or ""
    if parts.scheme in ("offline", "local") or host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
