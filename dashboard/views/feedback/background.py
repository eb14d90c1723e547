"""What stands behind an episode: its task, the critic's reply as it came, and the model calls."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from dashboard.formats import duration, tokens
from dashboard.queries.feedback import EpisodeDetail, read_calls
from dashboard.text import plain_line, show_code, show_message, show_text
from dashboard.views.feedback.choosing import Choice
from langmarl.store import CallRecord, RunDirectory

_MOST_SHOWN = 50_000
_HEIGHT = 400


def show_background(run: RunDirectory, choice: Choice, detail: EpisodeDetail) -> None:
    """Three sections, closed at first; what is closed is not read."""
    with st.expander("Task and reference answer", key="feedback-task"):
        _named("The right answer, as the task holds it", detail.reference)
        _named("The whole task", detail.task)
    if detail.raw_response is not None:
        with st.expander("The critic's reply as it came", key="feedback-raw"):
            if detail.critic_problem is not None:
                show_message(detail.critic_problem[:2_000], "warning")
            _whole(detail.raw_response, "feedback-download-raw", "critic_reply.txt")
    calls = st.expander("The model calls behind it", key="feedback-calls", on_change="rerun")
    if calls.open:
        with calls:
            _calls(run, choice)


def _named(name: str, text: str | None) -> None:
    if text is not None:
        st.text(name)
        _whole(text, f"feedback-download-{name.split()[-1]}", "task.txt")


def _whole(text: str, key: str, file_name: str) -> None:
    show_code(text[:_MOST_SHOWN], height=_HEIGHT if len(text) > 1_500 else None)
    if len(text) > _MOST_SHOWN:
        st.download_button(
            f"Download all {len(text):,} characters",
            data=text.encode("utf-8", "surrogatepass"),
            file_name=file_name,
            mime="text/plain",
            key=key,
            on_click="ignore",
            icon="⬇️",
        )


def _calls(run: RunDirectory, choice: Choice) -> None:
    calls = read_calls(run, choice.iteration, choice.episode, choice.agent)
    if calls.problem is not None:
        show_message(calls.problem, "warning")
    if not calls.records:
        st.text("There is no record of a call.")
        return
    place = st.selectbox(
        "Call",
        range(len(calls.records)),
        format_func=lambda number: _call_name(calls.records[number]),
        key="feedback-call",
        help="Those of this episode, and those that merged the iteration's notes and wrote the agent's policy.",
    )
    record = calls.records[place]
    show_text(_call_figures(record))
    for message in _messages(record.request):
        st.text(f"Sent as {plain_line(message['role'], 30)}")
        _whole(message["content"], f"feedback-download-call-{message['role']}", "request.txt")
    st.text("Reply")
    if record.reply is not None:
        _whole(str(record.reply.get("text", "")), "feedback-download-reply", "reply.txt")
    else:
        show_message(_error_text(record), "error")


def _call_name(record: CallRecord) -> str:
    key = record.key
    parts = [key.role, *([key.agent] if key.agent else []), *([f"turn {key.turn}"] if key.turn else [])]
    parts += ["asked again"] if key.attempt else []
    parts += ["failed"] if record.reply is None else []
    return plain_line(" · ".join(map(str, parts)))


def _call_figures(record: CallRecord) -> str:
    usage = record.usage
    return (
        f"{plain_line(record.model)} at {plain_line(record.endpoint)} · {tokens(usage.input_tokens)} tokens in, "
        f"{tokens(usage.output_tokens)} out · {duration(record.duration_s)} · {len(record.retries)} retries"
    )


def _messages(request: dict[str, Any]) -> list[dict[str, str]]:
    """Role and content of each message, whatever a plugin's client sent."""
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return [{"role": "request", "content": json.dumps(request, ensure_ascii=False, indent=2)}]
    return [
        {
            "role": str(message.get("role", "")),
            "content": content
            if isinstance(content := message.get("content"), str)
            else json.dumps(content, ensure_ascii=False, indent=2),
        }
        for message in messages
    ]


def _error_text(record: CallRecord) -> str:
    error = record.error or {}
    return f"{error.get('kind', 'error')}: {str(error.get('message', ''))[:5_000]}"
