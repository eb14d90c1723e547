"""Asking models: one client for every provider, with retries, usage, limits and a journal."""

from __future__ import annotations

from langmarl.llm.backoff import BackoffPolicy
from langmarl.llm.calls import RunCalls
from langmarl.llm.client import LLMClient, Reply
from langmarl.llm.json_reply import finite_number, parse_object
from langmarl.llm.probe import ProbeResult, probe
from langmarl.llm.request import JsonSchema
from langmarl.llm.scope import CallScope, call_scope, current_scope
from langmarl.llm.tracker import TokenTracker

__all__ = [
    "BackoffPolicy",
    "CallScope",
    "JsonSchema",
    "LLMClient",
    "ProbeResult",
    "Reply",
    "RunCalls",
    "TokenTracker",
    "call_scope",
    "current_scope",
    "finite_number",
    "parse_object",
    "probe",
]
