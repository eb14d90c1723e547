import json

import pytest
from pydantic import BaseModel, Field

from dashboard import trust
from dashboard.forms.json_text import read_import
from langmarl.config import BaseConfig, LLMConfig, load_config
from langmarl.config.language import LanguageTaskConfig
from langmarl.envs.base import BaseEnvironment
from tests.dashboard.conftest import APP, ROOT, html_of, open_app, train_small
from tests.dashboard.hostile import HOSTILE, assert_is_only_text
from tests.dashboard.registering import register_for_test
from tests.dashboard.test_runs import break_run

PAGE = str(ROOT / "pages" / "configure.py")


class Weather(BaseModel):
    wind: float = Field(default=0.5, ge=0, le=1)
    """How windy it is."""


class GardenConfig(BaseConfig):
    env: str = "garden"
    number_of_trees: int = Field(default=7, ge=1, le=12)
    """Trees that $stand$ in the garden ![x](http://127.0.0.1:9/beacon.png)."""
    weather: Weather = Weather()
    gardener_llm: LLMConfig | None = None
    season: str | None = None


class Garden(BaseEnvironment):
    config_class = GardenConfig

    def sample_tasks(self, n):
        return [{"id": str(number)} for number in range(n)]


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch, experiments):
    register_for_test(monkeypatch, "garden", Garden)
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))
    for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def app():
    return open_page()


def open_page(**parameters):
    return open_app(**parameters).switch_page(PAGE).run()


def paste(app, data):
    app.text_area(key="configure-import-text").set_value(data if isinstance(data, str) else json.dumps(data))
    return app.button(key="configure-import-paste").click().run()


def file_text(app):
    """The JSON beside the form."""
    return app.code[0].value


def data_of(app):
    return dict(app.session_state["configure.draft"].data)


def alerts(app):
    return [element.proto.body for element in app.get("html") if 'role="alert"' in element.proto.body]


def keys(app):
    kinds = (app.text_input, app.number_input, app.selectbox, app.toggle, app.text_area)
    return {widget.key for kind in kinds for widget in kind}


# the form


def test_the_form_has_every_setting_with_label_help_and_bounds(app):
    assert not app.exception
    wanted = {f"configure-{name}" for name in LanguageTaskConfig.model_fields} - {"configure-initial_policies"}
    assert wanted <= keys(app)
    agents = app.number_input(key="configure-num_agents")
    assert (agents.label, agents.value, agents.min) == ("Number of agents", 2, 1)
    assert "Number of agents in the team" in agents.help
    assert app.selectbox(key="configure-paradigm").options == ["central_credit", "central_global"]


def test_a_field_of_a_plugins_config_appears_by_itself_with_help_bounds_and_validation(app):
    app.selectbox(key="configure-env").set_value("garden").run()
    assert not app.exception
    trees = app.number_input(key="configure-number_of_trees")
    assert (trees.label, trees.value, trees.min, trees.max) == ("Number of trees", 7, 1, 12)
    assert "Trees that" in trees.help
    assert "![x]" not in trees.help
    assert {"configure-weather-wind", "configure-gardener_llm", "configure-season"} <= keys(app)
    trees.set_value(9).run()
    app.number_input(key="configure-weather-wind").set_value(0.75).run()
    assert data_of(app)["number_of_trees"] == 9
    assert data_of(app)["weather"] == {"wind": 0.75}
    paste(app, {"env": "garden", "number_of_trees": 99, "llm": "offline"})
    assert any("must be at most 12" in alert for alert in alerts(app))


def test_a_field_added_to_every_runs_config_appears_by_itself(monkeypatch):
    class Extended(LanguageTaskConfig):
        patience: int = Field(default=3, ge=0)
        """How long to wait."""

    monkeypatch.setattr("langmarl.config.registry._classes", {"language": Extended})
    app = open_page()
    assert app.number_input(key="configure-patience").value == 3
    assert "How long to wait" in app.number_input(key="configure-patience").help


def test_what_is_typed_is_in_the_file_beside_the_form(app):
    app.number_input(key="configure-num_agents").set_value(3).run()
    app.toggle(key="configure-use_verified_reward").set_value(False).run()
    app.text_input(key="configure-exp_name").set_value("größe").run()
    assert json.loads(file_text(app)) == {
        "env": "language",
        "task_type": "qa",
        "exp_name": "größe",
        "llm": "offline",
        "num_agents": 3,
        "use_verified_reward": False,
    }


def test_an_optional_setting_can_be_set_and_unset(app):
    box = app.number_input(key="configure-mini_batch_size")
    assert box.value is None
    assert "all of them" in box.placeholder
    box.set_value(4).run()
    assert data_of(app)["mini_batch_size"] == 4
    app.number_input(key="configure-mini_batch_size").set_value(None).run()
    assert "mini_batch_size" not in data_of(app)


def test_a_combination_that_cannot_work_is_told_at_its_field(app):
    app.number_input(key="configure-mini_batch_size").set_value(50).run()
    assert any("at most trajectories_per_iteration" in alert for alert in alerts(app))
    assert app.get("download_button")[0].proto.disabled


def test_policies_to_start_with_are_added_edited_and_taken_out(app):
    app.text_input(key="configure-initial_policies-new").set_value("agent_1").run()
    app.text_area(key="configure-initial_policies-configure-agent_1").set_value("Be brief.").run()
    assert data_of(app)["initial_policies"] == {"agent_1": "Be brief."}
    app.text_input(key="configure-initial_policies-new").set_value("agent_7").run()
    assert any("there is no agent of this name" in alert for alert in alerts(app))
    app.button(key="configure-initial_policies-configure-agent_7-remove").click().run()
    app.button(key="configure-initial_policies-configure-agent_1-remove").click().run()
    assert "initial_policies" not in data_of(app)


def test_nothing_typed_is_lost_by_moving_between_pages_or_by_a_refresh(app):
    app.number_input(key="configure-num_agents").set_value(4).run()
    app.text_area(key="configure-import-text").set_value("{half a text").run()
    app.switch_page(str(ROOT / "pages" / "train.py")).run()
    app.switch_page(PAGE).run()
    assert app.number_input(key="configure-num_agents").value == 4
    assert app.text_area(key="configure-import-text").value == "{half a text"
    (name,) = [app.query_params["draft"]] if isinstance(app.query_params["draft"], str) else app.query_params["draft"]
    fresh = open_page(draft=name)
    assert fresh.number_input(key="configure-num_agents").value == 4


# models


def test_a_model_is_chosen_from_the_presets_with_price_and_key_state(app, monkeypatch):
    options = app.selectbox(key="configure-llm").options
    assert any(option.startswith("gpt-4o-mini · $0.15 / $0.60") and "no key set" in option for option in options)
    assert any(option.startswith("offline · free") for option in options)
    monkeypatch.setenv("OPENAI_API_KEY", "planted-secret-key")
    app.run()
    app.selectbox(key="configure-llm").set_value("gpt-4o-mini").run()
    facts = html_of(app)
    assert data_of(app)["llm"] == "gpt-4o-mini"
    assert "key OPENAI_API_KEY: set" in facts
    assert "context 128,000 tokens" in facts
    assert "planted" not in facts


def test_a_role_of_its_own_and_overrides_are_written_as_what_differs(app):
    app.selectbox(key="configure-critic_llm").set_value("gpt-4o-mini").run()
    app.number_input(key="configure-critic_llm-temperature").set_value(0.2).run()
    assert data_of(app)["critic_llm"] == {"preset": "gpt-4o-mini", "temperature": 0.2}
    app.number_input(key="configure-critic_llm-temperature").set_value(None).run()
    assert data_of(app)["critic_llm"] == "gpt-4o-mini"
    app.selectbox(key="configure-critic_llm").set_value(None).run()
    assert "critic_llm" not in data_of(app)


def test_a_custom_endpoint_takes_address_model_and_variable(app):
    app.selectbox(key="configure-llm").set_value("custom").run()
    assert any("at least 1 character" in alert for alert in alerts(app))
    app.text_input(key="configure-llm-model_string").set_value("mine").run()
    app.text_input(key="configure-llm-base_url").set_value("https://mine.example/v1").run()
    app.text_input(key="configure-llm-api_key_env_var").set_value("MINE_KEY").run()
    assert data_of(app)["llm"] == {
        "base_url": "https://mine.example/v1",
        "model_string": "mine",
        "api_key_env_var": "MINE_KEY",
    }
    app.selectbox(key="configure-llm").set_value("offline").run()
    app.selectbox(key="configure-llm").set_value("custom").run()
    assert data_of(app)["llm"]["model_string"] == "mine"


def test_a_key_typed_where_a_variables_name_belongs_is_not_kept(app):
    app.selectbox(key="configure-llm").set_value("custom").run()
    app.text_input(key="configure-llm-api_key_env_var").set_value("sk-planted-0123456789").run()
    assert any("what was typed was not kept" in alert for alert in alerts(app))
    assert "planted" not in json.dumps(data_of(app)) + html_of(app) + file_text(app)
    assert "planted" not in str(app.text_input(key="configure-llm-api_key_env_var").value)


def test_every_setting_of_a_model_can_be_reached(app):
    paste(app, {"llm": {"preset": "gpt-4o", "max_retries": 2, "extra_params": {"top_p": 0.5}}})
    assert app.number_input(key="configure-llm-max_retries").value == 2
    box = app.text_area(key="configure-llm-extra_params")
    assert json.loads(box.value) == {"top_p": 0.5}
    box.set_value('{"top_p": ').run()
    assert any("is not JSON" in alert for alert in alerts(app))
    assert app.text_area(key="configure-llm-extra_params").value == '{"top_p": '
    app.text_area(key="configure-llm-extra_params").set_value('{"model": "x"}').run()
    assert any("must not hold what the client writes itself" in alert for alert in alerts(app))


def test_an_unknown_price_is_shown_as_unknown(app):
    paste(app, {"llm": {"model_string": "mystery", "base_url": "https://mine.example/v1", "api_key_env_var": None}})
    page = html_of(app)
    assert "price unknown" in page
    assert "The price of mystery is unknown" in page
    assert "$0" not in page


# import and export


def test_a_sound_file_is_taken_as_it_is_and_comes_out_as_it_was(app):
    data = json.loads((ROOT / "configs" / "qa.json").read_text(encoding="utf-8"))
    text = json.dumps(data, indent=2) + "\n"
    app.file_uploader(key="configure-import-file").upload("qa.json", text.encode(), "application/json").run()
    assert data_of(app) == data
    assert app.session_state["configure.draft"].imported
    assert file_text(app) == text.rstrip("\n")
    assert app.number_input(key="configure-eval_tasks").value == 10


def test_every_shipped_config_survives_import_and_export(app, tmp_path):
    for path in sorted((ROOT / "configs").rglob("*.json")):
        paste(app, path.read_text(encoding="utf-8"))
        assert not alerts(app), path
        (tmp_path / "out.json").write_text(file_text(app), encoding="utf-8")
        assert load_config(tmp_path / "out.json") == load_config(path)
        assert read_import(file_text(app)) == json.loads(path.read_text(encoding="utf-8"))


def test_faults_are_told_at_their_fields_and_mended_there(app):
    paste(app, {"llm": "gpt4o-mini", "num_agents": "three", "paradigm": "credit", "trajectories_per_iteration": 0})
    shown = "\n".join(alerts(app))
    for message in ("must be a whole number", "must be one of central_credit", "must be at least 1", "gpt4o-mini"):
        assert message in shown
    app.text_input(key="configure-num_agents-raw").set_value("3").run()
    app.number_input(key="configure-trajectories_per_iteration").set_value(2).run()
    app.selectbox(key="configure-paradigm").set_value("central_global").run()
    app.button(key="configure-llm-suggestion-0").click().run()
    assert data_of(app) == {
        "llm": "gpt-4o-mini",
        "num_agents": 3,
        "paradigm": "central_global",
        "trajectories_per_iteration": 2,
    }
    assert not alerts(app)


def test_unknown_settings_are_reported_and_kept_until_renamed_or_taken_out(app):
    paste(app, {"num_agent": 3, "bogus": {"deep": 1}, "llm": {"preset": "offline", "temprature": 1}})
    assert data_of(app)["bogus"] == {"deep": 1}
    assert "Did you mean num_agents?" in html_of(app)
    app.button(key="configure-unknown-0-rename").click().run()
    app.button(key="configure-unknown-0-remove").click().run()
    app.button(key="configure-llm-temprature-rename").click().run()
    assert data_of(app) == {"num_agents": 3, "llm": {"preset": "offline", "temperature": 1}}
    assert not alerts(app)


def test_an_unknown_environment_is_corrected_by_its_suggestion(app):
    paste(app, {"env": "langage", "task_type": "math", "llm": "offline"})
    app.button(key="configure-env-suggestion-0").click().run()
    assert data_of(app) == {"env": "language", "task_type": "math", "llm": "offline"}
    assert not alerts(app)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "not valid JSON at line 1"), ("[]", "it holds a list"), ('{"llm": {"api_key": "planted"}}', "holds a key")],
)
def test_what_cannot_be_read_changes_nothing(app, text, reason):
    before = data_of(app)
    paste(app, text)
    assert data_of(app) == before
    page = html_of(app)
    assert "Nothing was imported" in page
    assert reason in page
    assert "planted" not in page


def test_an_import_can_be_undone(app):
    before = data_of(app)
    paste(app, {"llm": "offline", "num_agents": 5})
    app.button(key="configure-undo").click().run()
    assert data_of(app) == before
    assert not app.session_state["configure.draft"].imported


def test_a_file_over_one_megabyte_is_refused(app):
    big = json.dumps({"exp_name": "x" * 1_000_001}).encode()
    app.file_uploader(key="configure-import-file").upload("big.json", big, "application/json").run()
    assert "at most 1 MB" in html_of(app)


def test_a_large_text_in_a_config_is_shown_in_part_and_kept_whole(app):
    paste(app, {"llm": "offline", "initial_policies": {"agent_1": "x" * 500_000}})
    assert not app.exception
    assert len(file_text(app)) <= 20_000
    assert len(data_of(app)["initial_policies"]["agent_1"]) == 500_000


def test_values_of_any_shape_break_nothing(app):
    odd = [None, True, 3, 1e308, "text", [], [1], {}, {"a": {"b": 1}}, 2**70, "\u202e"]
    for value in odd:
        paste(app, dict.fromkeys(LanguageTaskConfig.model_fields, value))
        assert not app.exception, value


# what it takes


def test_the_forecast_follows_the_form(app):
    assert "270 – 279" in html_of(app)
    app.number_input(key="configure-num_iterations").set_value(1).run()
    assert "54 – 56" in html_of(app)


def test_the_forecast_says_whether_it_was_measured(app, experiments):
    assert {row["Basis"] for _, row in app.dataframe[0].value.iterrows()} == {"assumed"}
    train_small(experiments)
    app.run()
    assert all("measured" in row["Basis"] for _, row in app.dataframe[0].value.iterrows())


def test_a_broken_run_does_no_harm(experiments):
    break_run(experiments)
    assert not open_page().exception


def test_looking_makes_no_folder(app, experiments):
    assert not experiments.exists()


def test_hostile_text_stays_text(app):
    paste(
        app,
        {
            "exp_name": HOSTILE.replace("\ud800", ""),
            HOSTILE.replace("\ud800", ""): 1,
            "paradigm": HOSTILE.replace("\ud800", ""),
            "initial_policies": {HOSTILE.replace("\ud800", ""): "x"},
            "llm": {"model_string": HOSTILE.replace("\ud800", ""), "base_url": "https://x.example/v1"},
            "critic_llm": HOSTILE.replace("\ud800", ""),
        },
    )
    assert_is_only_text(app, html_of(app))


def test_the_page_is_reached_through_the_entry():
    assert APP.is_file()
    assert open_page().title[0].value == "Configure"
