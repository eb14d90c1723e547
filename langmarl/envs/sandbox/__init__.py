"""A sandbox for model-written programs, and a verdict that they cannot forge. See docs/sandbox.md."""

from langmarl.envs.sandbox.backends import BackendStatus, available_backend, backend_statuses, ensure_available
from langmarl.envs.sandbox.checking import check_program
from langmarl.envs.sandbox.verdict import Backend, Outcome, SandboxError, Verdict

__all__ = [
    "Backend",
    "BackendStatus",
    "Outcome",
    "SandboxError",
    "Verdict",
    "available_backend",
    "backend_statuses",
    "check_program",
    "ensure_available",
]
