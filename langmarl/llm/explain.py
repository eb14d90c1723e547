"""Turns a final failure into the error that the user reads."""

from __future__ import annotations

from langmarl.config import LLMConfig
from langmarl.errors import LangMARLError, ModelCallError, ModelRefusedError
from langmarl.llm.endpoint import Endpoint
from langmarl.llm.failures import Failure, Retry

_ADDRESS_REMEDY = (
    "Correct base_url; a path such as /v1 usually belongs to it. A certificate of an authority of your own is "
    "trusted by naming its file in SSL_CERT_FILE."
)


def missing_key(config: LLMConfig, endpoint: Endpoint) -> ModelRefusedError:
    """No request was sent, because the endpoint wants a key and there is none."""
    variable = config.api_key_env_var
    return ModelRefusedError(
        f"there is no key for {_model(config)} at {endpoint.host}: the variable {variable} is not set.",
        f"Set {variable} in the environment or in a .env file in the working directory.",
    )


def unsendable_key(config: LLMConfig, endpoint: Endpoint) -> ModelRefusedError:
    """No request was sent, because the key holds characters that no HTTP header can carry."""
    return ModelRefusedError(
        f"the key for {_model(config)} at {endpoint.host} holds a blank, a line break or a character outside ASCII.",
        f"Copy the key anew into {_key_source(config)}.",
    )


def final_error(failure: Failure, config: LLMConfig, endpoint: Endpoint, tries: int) -> LangMARLError:
    """The error for a call that failed for good.

    Args:
        failure: Of the last request.
        tries: How many requests were sent.

    Returns:
        ModelRefusedError where the user must change something; ModelCallError where only this call is lost.
    """
    status = f" ({failure.status})" if failure.status else ""
    if failure.retry is Retry.USER_MISTAKE:
        message = f"{endpoint.host} refused {_model(config)}{status}: {failure.message}"
        return ModelRefusedError(message, _refusal_remedy(failure, config))
    after = f" after {tries} tries" if tries > 1 else ""
    message = f"a call to {_model(config)} at {endpoint.host} failed{after}: {failure.kind}{status}: {failure.message}"
    return ModelCallError(message, _failure_remedy(failure, endpoint))


def _model(config: LLMConfig) -> str:
    preset = f" (preset {config.preset!r})" if config.preset else ""
    return f"model {config.model_string!r}{preset}"


def _refusal_remedy(failure: Failure, config: LLMConfig) -> str:
    source = _key_source(config)
    remedies = {
        "bad_key": f"Check {source}: is the key whole, still valid, and allowed to use this model?",
        "no_quota": f"Check the credit and the billing of the account that the key in {source} belongs to.",
        "unknown_model": f"Check the model's name ({config.model_string!r}) in the provider's list, and that base_url "
        "ends with the right path. Models served locally must be pulled first.",
        "bad_address": _ADDRESS_REMEDY,
    }
    return remedies.get(failure.kind, "Change the model's settings: extra_params, max_tokens, temperature.")


def _failure_remedy(failure: Failure, endpoint: Endpoint) -> str | None:
    remedies = {
        "connection": f"Is a server running at {endpoint.host}, and can it be reached from here?",
        "timeout": "Raise request_timeout_s, or ask for shorter replies with max_tokens.",
        "context_length": "Use a model with a longer context, or shorten tasks and policies.",
        "rate_limit": "Lower max_workers, or resume the run once the provider's limit has been renewed.",
    }
    return remedies.get(failure.kind)


def _key_source(config: LLMConfig) -> str:
    if config.api_key is not None:
        return "the api_key given in the configuration"
    if config.api_key_env_var is not None:
        return f"the variable {config.api_key_env_var}"
    return "api_key_env_var (none is named, so no key was sent)"
