"""What a run will ask of its models, before it has asked anything: calls, tokens, cost and time.

Calls follow from the method's formula. Tokens and seconds a call are those of earlier runs with the same model on the
same kind of task where there are some, else assumptions that are shown beside the result. Everything but the calls of
a run in which nothing goes wrong is a range.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from langmarl.config import BaseConfig, LLMConfig, price_of
from langmarl.errors import UserMistake
from langmarl.llm.local.settings import ServerSettings
from langmarl.llm.local.speed import known_speed
from langmarl.usage import ROLES, Role

FIELD_OF_ROLE: Mapping[Role, str] = {
    "actor": "actor_llm",
    "critic": "critic_llm",
    "gradient": "optimizer_llm",
    "aggregate": "optimizer_llm",
    "update": "optimizer_llm",
    "judge": "judge_llm",
}
"""Role → the config's field that names its model."""

_REPAIRED_SHARE: Mapping[Role, float] = {"critic": 0.1, "judge": 0.1, "update": 0.25}
"""Share of calls that may have to be asked once more: answers that do not parse, rewrites over their limit."""


@dataclass(frozen=True, slots=True)
class Range:
    """From ``low`` to ``high``."""

    low: float
    high: float

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Range) -> Range:
        """The product of two ranges of numbers that are not negative."""
        return Range(self.low * other.low, self.high * other.high)


@dataclass(frozen=True, slots=True)
class CallProfile:
    """What one call of a role takes, on average.

    Attributes:
        input_tokens: Tokens of the request.
        output_tokens: Tokens of the reply, thinking included.
        seconds: From the request to the reply.
        measured_calls: How many calls of earlier runs this rests on; 0: it is assumed.
    """

    input_tokens: Range
    output_tokens: Range
    seconds: Range
    measured_calls: int = 0


@dataclass(frozen=True, slots=True)
class RoleForecast:
    """One role's part.

    Attributes:
        role: Which role.
        model: What its model is called.
        calls: Over the whole run, repairs included in the upper end.
        profile: What one call takes.
        input_tokens: Over the whole run.
        output_tokens: Over the whole run.
        cost_usd: US dollars; None where the model's price is unknown.
    """

    role: Role
    model: str
    calls: Range
    profile: CallProfile
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a whole run takes.

    Attributes:
        roles: Its parts, in the order of the method; only roles that are called.
        calls: All roles together.
        tokens: Input and output of all roles together.
        cost_usd: US dollars; None where the price of any model is unknown.
        seconds: From start to end.
        is_exact: Whether the number of calls of an episode is known; False for environments in which agents may act
            more than once, where one call an agent is assumed.
    """

    roles: tuple[RoleForecast, ...]
    calls: Range
    tokens: Range
    cost_usd: Range | None
    seconds: Range
    is_exact: bool

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models whose price is unknown."""
        return tuple(dict.fromkeys(part.model for part in self.roles if part.cost_usd is None))


def calls_per_iteration(config: BaseConfig) -> dict[Role, int]:
    """Calls of one training iteration in which nothing has to be asked twice.

    With K episodes, of which B are judged, and N agents: ``central_credit`` K·N + B + B·N + 2N, ``central_global``
    K·N + B + B + 1 + N; and one judgement an episode where a judge model scores it.
    """
    agents, episodes = config.num_agents, config.trajectories_per_iteration
    judged = min(config.mini_batch_size or episodes, episodes)
    shared = config.paradigm == "central_global"
    return {
        "actor": episodes * agents,
        "critic": judged,
        "gradient": judged if shared else judged * agents,
        "aggregate": 1 if shared else agents,
        "update": agents,
        "judge": episodes if "judge_llm" in config.roles_in_use() else 0,
    }


def calls_per_evaluation(config: BaseConfig) -> dict[Role, int]:
    """Calls of one evaluation on the held-out tasks."""
    judged = config.eval_tasks if "judge_llm" in config.roles_in_use() else 0
    return {"actor": config.eval_tasks * config.num_agents, "judge": judged}


def evaluations(config: BaseConfig) -> int:
    """How often a whole run evaluates: at the start, every ``eval_every`` iterations, and at the end."""
    if config.eval_tasks == 0:
        return 0
    checkpoints = range(config.start_iteration, config.num_iterations)
    return sum(checkpoint % config.eval_every == 0 for checkpoint in checkpoints) + 1


def planned_calls(config: BaseConfig) -> dict[Role, int]:
    """Calls of the whole run by role, in which nothing has to be asked twice; roles without calls are left out."""
    iterations = max(config.num_iterations - config.start_iteration, 0)
    training, evaluating = calls_per_iteration(config), calls_per_evaluation(config)
    totals = {role: training[role] * iterations + evaluating.get(role, 0) * evaluations(config) for role in ROLES}
    return {role: calls for role, calls in totals.items() if calls}


def forecast(config: BaseConfig, measured: Mapping[Role, CallProfile]) -> Forecast:
    """What a run takes.

    Args:
        config: A config whose roles have models.
        measured: What calls took in earlier runs with the same models and kind of task, for the roles there are any.
    """
    profiles = {role: _profile(role, config, measured.get(role)) for role in planned_calls(config)}
    roles = tuple(_part(role, calls, config, profiles[role]) for role, calls in planned_calls(config).items())
    costs = [part.cost_usd for part in roles]
    return Forecast(
        roles=roles,
        calls=_sum(part.calls for part in roles),
        tokens=_sum(part.input_tokens + part.output_tokens for part in roles),
        cost_usd=None if None in costs else _sum(cost for cost in costs if cost is not None),
        seconds=_run_seconds(config, profiles),
        is_exact=config.env == "language",
    )


def _profile(role: Role, config: BaseConfig, measured: CallProfile | None) -> CallProfile:
    """Of one call that has its model for itself."""
    model = config.require_llm(FIELD_OF_ROLE[role])
    profile = measured or assumed_profile(role, config, model)
    served = _served_here(model)
    speed = None if served is None else known_speed(served.file)
    if speed is None:
        return profile
    # Measured calls waited for one another at a model of few slots; what a token takes on this machine is known better.
    reading, writing = _times(1 / speed.reading), _times(1 / speed.writing)
    return replace(profile, seconds=profile.input_tokens * reading + profile.output_tokens * writing)


def _served_here(model: LLMConfig) -> ServerSettings | None:
    """How llama.cpp serves a model in this process; None where it does not, or has no file to."""
    try:
        return ServerSettings.of(model) if model.is_gguf else None
    except UserMistake:
        return None


def _workers(config: BaseConfig) -> int:
    """Calls at once: no more than the narrowest model in this process takes."""
    models = (config.find_llm(field) for field in config.roles_in_use())
    served = (_served_here(model) for model in models if model is not None)
    return min([config.max_workers, *(each.slots for each in served if each is not None)])


def _part(role: Role, calls: int, config: BaseConfig, profile: CallProfile) -> RoleForecast:
    model = config.require_llm(FIELD_OF_ROLE[role])
    span = Range(calls, math.ceil(calls * (1 + _REPAIRED_SHARE.get(role, 0.0))))
    each = _call_cost(model, profile)
    return RoleForecast(
        role=role,
        model=model.name,
        calls=span,
        profile=profile,
        input_tokens=span * profile.input_tokens,
        output_tokens=span * profile.output_tokens,
        cost_usd=None if each is None else span * each,
    )


def _call_cost(model: LLMConfig, profile: CallProfile) -> Range | None:
    price = price_of(model)
    if price is None:
        return None
    low, high = (
        price.cost(round(tokens_in), round(tokens_out))
        for tokens_in, tokens_out in (
            (profile.input_tokens.low, profile.output_tokens.low),
            (profile.input_tokens.high, profile.output_tokens.high),
        )
    )
    return Range(low, high)


def _run_seconds(config: BaseConfig, profiles: Mapping[Role, CallProfile]) -> Range:
    workers = _workers(config)
    low = _seconds_at(config, workers, {role: profile.seconds.low for role, profile in profiles.items()})
    high = _seconds_at(config, workers, {role: profile.seconds.high for role, profile in profiles.items()})
    return Range(low, high)


def _seconds_at(config: BaseConfig, workers: int, seconds: Mapping[Role, float]) -> float:
    """Seconds of a run whose calls take so long: no schedule is faster than its longest chain of calls that wait for
    one another, or than all calls shared out among the workers."""
    iterations = max(config.num_iterations - config.start_iteration, 0)
    one = _phase_seconds(config, workers, calls_per_iteration(config), seconds)
    held_out = _phase_seconds(config, workers, calls_per_evaluation(config), seconds) if config.eval_tasks else 0.0
    return iterations * one + evaluations(config) * held_out


def _phase_seconds(config: BaseConfig, workers: int, calls: Mapping[Role, int], seconds: Mapping[Role, float]) -> float:
    last: tuple[Role, ...] = ("aggregate", "update")  # these wait for the last gradient
    before = sum(count * seconds.get(role, 0.0) for role, count in calls.items() if role not in last)
    after = sum(math.ceil(calls.get(role, 0) / workers) * seconds.get(role, 0.0) for role in last)
    steps: dict[Role, int] = {"actor": config.num_agents, "critic": 1, "gradient": 1, "judge": 1}
    chain = sum(count * seconds.get(role, 0.0) for role, count in steps.items() if calls.get(role))
    return max(chain, before / workers) + after


def _sum(ranges: Iterable[Range]) -> Range:
    return sum(ranges, Range(0.0, 0.0))


# Assumptions ---------------------------------------------------------------------------------------------------------

_TASK_TOKENS: Mapping[str, tuple[float, float]] = {
    "qa": (400, 1800),
    "math": (80, 300),
    "coding": (120, 500),
    "writing": (60, 250),
}
"""Tokens of one task as agents see it."""

_MESSAGE_TOKENS: Mapping[str, tuple[float, float]] = {
    "qa": (40, 250),
    "math": (150, 600),
    "coding": (150, 700),
    "writing": (300, 1200),
}
"""Tokens of one message of an agent."""

_ANY_TASK = (200.0, 1500.0)
_ANY_MESSAGE = (100.0, 500.0)
_POLICY_TOKENS = (60.0, 800.0)
_NOTE_TOKENS = (60.0, 250.0)
_INSTRUCTION_TOKENS = (200.0, 450.0)
_THINKING_TOKENS = (200.0, 3000.0)
"""What a model that thinks before it answers adds to each reply."""
_TOKENS_PER_SECOND = (30.0, 150.0)
_FIRST_TOKEN_S = (0.3, 2.0)
_OFFLINE_CALL_S = (0.001, 0.03)

ASSUMPTIONS = (
    "Assumed where nothing was measured: a task of 400–1,800 tokens (questions), 80–300 (mathematics), 120–500 "
    "(code), 60–250 (writing); messages of 40–1,200 tokens by kind of task; policies of 60–800 tokens; notes of "
    "60–250; instructions of 200–450 a request; thinking models add 200–3,000 tokens a reply; a reply begins after "
    "0.3–2 s and comes at 30–150 tokens a second, the built-in model's within 30 ms. The upper end also counts one "
    "in ten critic and judge answers, and one in four rewrites, as asked twice."
)
"""In words, to be shown beside a forecast."""


def assumed_profile(role: Role, config: BaseConfig, model: LLMConfig) -> CallProfile:
    """What a call of ``role`` takes as long as nobody has measured it."""
    tokens_in, tokens_out = _assumed_tokens(role, config)
    if not model.supports_temperature:  # the mark of models that think
        tokens_out = tokens_out + Range(*_THINKING_TOKENS)
    cap = float(model.max_tokens)
    tokens_out = Range(min(tokens_out.low, cap), min(tokens_out.high, cap))
    return CallProfile(tokens_in, tokens_out, _assumed_seconds(model, tokens_out))


def _assumed_tokens(role: Role, config: BaseConfig) -> tuple[Range, Range]:
    kind = getattr(config, "task_type", "") if config.env == "language" else ""
    task, message = Range(*_TASK_TOKENS.get(kind, _ANY_TASK)), Range(*_MESSAGE_TOKENS.get(kind, _ANY_MESSAGE))
    policy, note, instruction = Range(*_POLICY_TOKENS), Range(*_NOTE_TOKENS), Range(*_INSTRUCTION_TOKENS)
    agents = _times(config.num_agents)
    earlier = _times((config.num_agents - 1) / 2)  # an agent in the middle has heard half of the others
    episode = task + agents * message
    notes = _times(min(config.mini_batch_size or math.inf, config.trajectories_per_iteration)) * note
    assessment = note
    match role:
        case "actor":
            return policy + task + earlier * message, message
        case "critic":
            parts = _times(1) if config.paradigm == "central_global" else agents
            return instruction + episode + agents * policy, parts * note
        case "gradient":
            return instruction + policy + assessment + episode, note
        case "aggregate":
            return instruction + notes, note
        case "update":
            return instruction + policy + policy + note, policy
        case "judge":
            return instruction + task + message, note


def _times(factor: float) -> Range:
    return Range(factor, factor)


def _assumed_seconds(model: LLMConfig, tokens_out: Range) -> Range:
    if model.is_offline:
        return Range(*_OFFLINE_CALL_S)
    slowest, fastest = _TOKENS_PER_SECOND
    quickest_start, slowest_start = _FIRST_TOKEN_S
    return Range(quickest_start + tokens_out.low / fastest, slowest_start + tokens_out.high / slowest)
