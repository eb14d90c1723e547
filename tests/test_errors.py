import pytest

from langmarl.errors import ConfigError, Fault, LangMARLError, RunFailed, UnknownNameError, UserMistake, nearest


def test_a_config_error_tells_every_fault_with_its_field_and_suggestion():
    error = ConfigError([Fault("seed", "is 'x'; must be a number."), Fault("nun_agents", "is unknown.", "num_agents")])
    assert "seed: is 'x'" in str(error)
    assert "nun_agents: is unknown. Did you mean 'num_agents'?" in str(error)


def test_an_unknown_name_lists_the_known_ones_and_the_nearest():
    error = UnknownNameError("model", "gpt4o-mini", ["gpt-4o", "gpt-4o-mini"])
    assert str(error) == "unknown model 'gpt4o-mini'; did you mean 'gpt-4o-mini'?\nKnown: gpt-4o, gpt-4o-mini."


@pytest.mark.parametrize("kind", [ConfigError, UnknownNameError])
def test_users_mistakes_are_value_errors_too(kind):
    assert issubclass(kind, UserMistake)
    assert issubclass(kind, ValueError)


def test_a_mistake_is_no_failed_run():
    assert not issubclass(UserMistake, RunFailed)
    assert issubclass(RunFailed, LangMARLError)


def test_nearness_ignores_case_and_gives_up_on_strangers():
    assert nearest("GPT-4O", ["gpt-4o"]) == "gpt-4o"
    assert nearest("banana", ["gpt-4o"]) is None


def test_a_long_list_of_known_names_is_cut_short():
    message = str(UnknownNameError("run", "x", [f"run_{number}" for number in range(1000)]))
    assert "and 950 more" in message
    assert len(message) < 1000
