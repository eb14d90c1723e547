"""Waiting for what another thread or process does, with a limit that only a fault reaches."""

import time


def wait_for(condition, what, limit_s=60):
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {limit_s} s: {what}")
