from __future__ import annotations

from collections.abc import Iterator

import pytest

from langmarl.llm.local import download
from tests.llm.local.hub import Hub


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub of this test's own, named by HF_ENDPOINT; pulls from it try again at once."""
    serving = Hub()
    monkeypatch.setenv("HF_ENDPOINT", serving.address)
    monkeypatch.setattr(download, "_PAUSES_S", (0.0,) * 4)
    yield serving
    serving.close()
