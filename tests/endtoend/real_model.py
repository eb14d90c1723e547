"""The file of a real small model, for tests that need one."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from langmarl.llm.local.catalog import find
from langmarl.llm.local.files import models_dir

MODEL = find("qwen2.5-coder-0.5b")
_ROOT = Path(__file__).resolve().parents[2]
_FETCH = Path(os.environ.get("LANGMARL_SHARED_TOOLS") or _ROOT.parent / "shared/tools") / "fetch_local_model.py"


@cache
def real_model() -> Path:
    """Where the file is; skips the test, with the reason, where there is none and none can be had."""
    pytest.importorskip("xllamacpp", reason="llama.cpp is not installed: pip install 'langmarl[local]'")
    file = models_dir() / MODEL.file
    if file.is_file() and file.stat().st_size == MODEL.size_bytes:
        return file
    if not _FETCH.is_file():
        pytest.skip(f"the model's file is not there: langmarl models pull {MODEL.name}")
    fetched = subprocess.run(
        [sys.executable, str(_FETCH), "0.5b", str(models_dir())], capture_output=True, text=True, timeout=900
    )
    if fetched.returncode:
        pytest.skip(f"the model's file cannot be fetched: {fetched.stderr.strip()[-300:]}")
    return file
