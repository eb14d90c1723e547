"""Where the real benchmark files are, if anywhere."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHARED_DATA = Path(os.environ.get("LANGMARL_SHARED_DATA") or ROOT.parent / "shared" / "data")


def real_file(relative: str) -> Path:
    """A real benchmark file; skips the test where it is absent."""
    path = SHARED_DATA / relative
    if not path.is_file():
        pytest.skip(f"the real benchmark file {relative} is not here; set LANGMARL_SHARED_DATA to its folder")
    return path
