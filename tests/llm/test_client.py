from __future__ import annotations

import pytest
from openai import OpenAI

from langmarl.config import LLMConfig
from langmarl.errors import ModelCallError, ModelRefusedError
from langmarl.llm import JsonSchema, LLMClient, call_scope
from langmarl.store.journal import CallJournal, CallKey
from tests.llm.conftest import QUICK, CallsMaker, ClientMaker, ConfigMaker
from tests.llm.server import ScriptedServer, completion, error, json_answer

SCHEMA = JsonSchema("judgement", {"type": "object", "properties": {"score": {"type": "number"}}})


def test_everything_in_the_config_reaches_the_request(server: ScriptedServer, make_client: ClientMaker) -> None:
    client = make_client(
        model_string="m-everything",
        max_tokens=321,
        temperature=0.3,
        extra_params={"top_p": 0.9, "reasoning_effort": "low", "chat_template_kwargs": {"thinking": False}},
        api_key="sk-a-key-for-tests",
    )
    client.complete("be brief", "2+2?", schema=SCHEMA)
    assert server.bodies == [
        {
            "model": "m-everything",
            "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "2+2?"}],
            "max_tokens": 321,
            "temperature": 0.3,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "judgement", "schema": SCHEMA.schema, "strict": True},
            },
            "top_p": 0.9,
            "reasoning_effort": "low",
            "chat_template_kwargs": {"thinking": False},
        }
    ]
    assert server.received[0].path.endswith("/v1/chat/completions")
    assert server.received[0].headers["authorization"] == "Bearer sk-a-key-for-tests"


def test_the_key_is_read_from_the_variable_that_the_config_names(
    server: ScriptedServer, make_client: ClientMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_PROVIDER_KEY", "key-of-the-provider")
    make_client(api_key_env_var="SOME_PROVIDER_KEY").chat("s", "u")
    assert server.received[0].headers["authorization"] == "Bearer key-of-the-provider"


def test_declared_quirks_shape_the_request(server: ScriptedServer, make_client: ClientMaker) -> None:
    client = make_client(
        max_tokens_parameter="max_completion_tokens",
        supports_temperature=False,
        temperature=0.5,
        structured_output="json_object",
    )
    client.complete("s", "u", max_tokens=7, schema=SCHEMA)
    body = server.bodies[0]
    assert body["max_completion_tokens"] == 7
    assert body["response_format"] == {"type": "json_object"}
    assert not {"max_tokens", "temperature"} & set(body)


def test_no_format_is_asked_for_without_a_schema_or_where_none_is_taken(
    server: ScriptedServer, make_client: ClientMaker
) -> None:
    make_client().complete("s", "u")
    make_client(structured_output="none").complete("s", "u", schema=SCHEMA)
    assert all("response_format" not in body for body in server.bodies)


def test_an_empty_system_prompt_is_not_sent(server: ScriptedServer, make_client: ClientMaker) -> None:
    make_client().chat("", "u")
    assert server.bodies[0]["messages"] == [{"role": "user", "content": "u"}]


def test_variables_of_the_sdk_do_not_reach_another_provider(
    server: ScriptedServer, make_client: ClientMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = {
        "OPENAI_API_KEY": "planted-key",
        "OPENAI_ADMIN_KEY": "planted-admin",
        "OPENAI_ORG_ID": "planted-org",
        "OPENAI_PROJECT_ID": "planted-project",
        "OPENAI_WEBHOOK_SECRET": "planted-secret",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/planted",
        "OPENAI_CUSTOM_HEADERS": "X-Extra: planted-header\nAuthorization: Bearer planted-header-key",
    }
    for name, value in planted.items():
        monkeypatch.setenv(name, value)
    client = make_client(api_key_env_var=None)
    client.chat("s", "u")
    assert "planted" not in str(server.received[0].headers)
    assert client.raw_client.admin_api_key is None
    assert client.raw_client.webhook_secret is None


def test_openais_own_endpoint_keeps_organisation_and_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "our-organisation")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "our-project")
    raw = LLMClient(LLMConfig(model_string="gpt-4o-mini", api_key="key-for-openai")).raw_client
    assert (raw.organization, raw.project) == ("our-organisation", "our-project")
    assert str(raw.base_url) == "https://api.openai.com/v1/"


def test_usage_is_read_with_cached_and_reasoning_tokens_and_priced(
    server: ScriptedServer, make_client: ClientMaker
) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 200,
        "total_tokens": 1200,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 150},
    }
    server.script = [completion(usage=usage)]
    got = make_client(cached_input_price_per_million=0.5).complete("s", "u").usage
    assert (got.calls, got.input_tokens, got.output_tokens) == (1, 1000, 200)
    assert (got.cached_tokens, got.reasoning_tokens) == (400, 150)
    assert got.cost_usd == pytest.approx((600 * 1.0 + 400 * 0.5 + 200 * 2.0) / 1e6)


def test_the_cost_is_unknown_where_the_price_is_and_zero_where_the_model_is_local(make_client: ClientMaker) -> None:
    unpriced = {"input_price_per_million": None, "output_price_per_million": None}
    assert make_client(**unpriced).complete("s", "u").usage.cost_usd is None
    assert make_client(**unpriced, local=True).complete("s", "u").usage.cost_usd == 0.0


def test_chat_with_usage_gives_text_and_tokens(make_client: ClientMaker) -> None:
    assert make_client().chat_with_usage("s", "u") == ("hello", {"input": 100, "output": 10})


def test_a_reply_cut_off_at_its_limit_says_so(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.script = [completion("half an ans", finish_reason="length"), completion("whole")]
    client = make_client()
    assert [client.complete("s", "u").truncated for _ in range(2)] == [True, False]


def test_thinking_in_front_of_an_answer_is_kept_apart(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.script = [
        completion("<think>\nhm, 4\n</think>\n\nfour"),
        completion("<think>still th", finish_reason="length"),
        completion("say <think> and </think>"),
    ]
    client, calls = make_client(), open_calls()
    with call_scope(calls=calls):
        texts = [client.chat("s", f"u{number}") for number in range(3)]
    assert texts == ["four", "", "say <think> and </think>"]
    replies = [record.reply for record in CallJournal(calls._journal.directory).read_all()]
    assert [reply and reply.get("thinking") for reply in replies] == ["hm, 4", "still th", None]


def test_text_that_no_file_could_hold_is_made_whole(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.script = [completion("broken \ud800 half")]
    with call_scope(calls=open_calls()):
        assert make_client().chat("s", "also \udfff broken") == "broken \N{REPLACEMENT CHARACTER} half"
    assert server.bodies[0]["messages"][1]["content"] == "also \N{REPLACEMENT CHARACTER} broken"


def test_a_finished_call_is_journaled_with_request_reply_and_usage(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    client, calls = make_client(temperature=0.1), open_calls()
    with call_scope(calls=calls, iteration=2, episode=4, agent="agent_2"):
        reply = client.complete("s", "u")
    [record] = calls._journal.read(2)
    assert record.key == reply.key == CallKey("train", "actor", 2, 4, "agent_2", 0, 0)
    assert record.request == server.bodies[0]
    assert record.reply == {"text": "hello", "finish_reason": "stop"}
    assert record.error is None
    assert record.usage == reply.usage
    assert record.endpoint == server.base_url
    assert calls.usage()["actor"] == reply.usage


def test_the_role_is_the_clients_else_the_scopes(make_config: ConfigMaker, open_calls: CallsMaker) -> None:
    calls, config = open_calls(), make_config()
    with call_scope(calls=calls, role="judge"):
        LLMClient(config).chat("s", "u")
        LLMClient(config, role="critic").chat("s", "u")
    assert set(calls.usage()) == {"judge", "critic"}


def test_usage_that_the_provider_does_not_report_is_estimated_and_marked(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.script = [completion("x" * 41, usage={})]
    calls = open_calls()
    with call_scope(calls=calls):
        usage = make_client().complete("s" * 10, "u" * 10).usage
    assert (usage.input_tokens, usage.output_tokens) == (5, 11)
    [record] = calls._journal.read(0)
    assert record.reply is not None
    assert record.reply["estimated"] is True


def test_a_rerun_takes_replies_from_the_journal_and_pays_only_for_what_never_came_back(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    client = make_client()

    def episode(questions: list[str]) -> tuple[list[str], list[bool]]:
        calls = open_calls()
        with call_scope(calls=calls, episode=0, agent="agent_1"):
            replies = [client.complete("s", question) for question in questions]
        spent.append(calls.usage()["actor"].calls)
        return [reply.text for reply in replies], [reply.replayed for reply in replies]

    spent: list[int] = []
    server.script = [completion("one"), completion("two"), completion("three")]
    assert episode(["a", "b"]) == (["one", "two"], [False, False])
    assert episode(["a", "b", "c"]) == (["one", "two", "three"], [True, True, False])
    assert spent == [2, 3]
    assert len(server.received) == 3


def test_another_question_under_the_same_key_is_asked(
    server: ScriptedServer, make_config: ConfigMaker, open_calls: CallsMaker
) -> None:
    config = make_config()
    variants = [config, config.model_copy(update={"temperature": 1.0}), config.model_copy(update={"max_tokens": 5})]
    for variant in variants:
        with call_scope(calls=open_calls()):
            assert not LLMClient(variant).complete("s", "u").replayed
    assert len(server.received) == 3


def test_a_reply_gotten_after_a_learned_quirk_is_found_by_a_process_that_has_not_learned_it(
    server: ScriptedServer, make_config: ConfigMaker, open_calls: CallsMaker
) -> None:
    server.script = [error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")]
    config = make_config()
    with call_scope(calls=open_calls()):
        first = LLMClient(config).complete("s", "u")
    assert not first.replayed
    with call_scope(calls=open_calls()):
        assert LLMClient(config).complete("s", "u").replayed


def test_a_failed_call_is_journaled_counted_and_made_again_in_a_rerun(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    client = make_client(max_retries=0)
    server.script = [error(500, "out of order")]
    calls = open_calls()
    with call_scope(calls=calls), pytest.raises(ModelCallError, match="out of order"):
        client.complete("s", "u")
    [record] = calls._journal.read(0)
    assert record.reply is None
    assert record.error == {"kind": "server_error", "message": "out of order"}
    assert (record.usage.calls, record.usage.failures, record.usage.total_tokens) == (1, 1, 0)
    with call_scope(calls=open_calls()):
        assert client.chat("s", "u") == "hello"


def test_outside_a_run_calls_work_without_a_journal(make_client: ClientMaker) -> None:
    reply = make_client().complete("s", "u")
    assert (reply.text, reply.key, reply.replayed) == ("hello", None, False)


def test_a_missing_key_is_told_by_its_variable_before_anything_is_sent(
    make_config: ConfigMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config = make_config(base_url=None, model_string="gpt-4o-mini")
    with pytest.raises(ModelRefusedError) as refusal:
        LLMClient(config).chat("s", "u")
    assert "OPENAI_API_KEY is not set" in str(refusal.value)
    assert "api.openai.com" in str(refusal.value)


def test_raw_client_is_the_sdks_own_and_goes_round_the_journal(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    client, calls = make_client(), open_calls()
    with call_scope(calls=calls):
        raw = client.raw_client
        raw.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    assert isinstance(raw, OpenAI)
    assert len(server.received) == 1
    assert calls.usage() == {}


def test_clients_of_one_endpoint_share_their_connections(make_config: ConfigMaker) -> None:
    assert LLMClient(make_config()).raw_client is LLMClient(make_config()).raw_client
    assert LLMClient(make_config()).raw_client is not LLMClient(make_config(api_key="another-key")).raw_client


def test_prompts_are_not_sent_on_to_where_an_endpoint_redirects(
    server: ScriptedServer, make_client: ClientMaker
) -> None:
    server.script = [json_answer({}, 307, Location=f"{server.base_url}/elsewhere")]
    with pytest.raises(ModelRefusedError, match="base_url"):
        make_client().chat("s", "u")
    assert len(server.received) == 1


def test_a_content_of_several_parts_is_joined(server: ScriptedServer, make_client: ClientMaker) -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}]
    server.script = [json_answer({"choices": [{"message": {"content": parts}, "finish_reason": None}]})]
    reply = make_client().complete("s", "u")
    assert (reply.text, reply.finish_reason) == ("one two", "stop")


def test_the_backoff_can_be_set_by_the_caller(make_config: ConfigMaker) -> None:
    assert LLMClient(make_config(), backoff=QUICK).chat("s", "u") == "hello"
