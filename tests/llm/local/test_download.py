from __future__ import annotations

import dataclasses
import shutil
import socket
from pathlib import Path

import pytest

from langmarl.errors import RunFailed, UserMistake
from langmarl.llm.local.download import pull
from langmarl.store.lock import locked
from tests.llm.local.hub import CONTENT, TINY, Hub

SIZE = len(CONTENT)
HALF = SIZE // 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "models"


@pytest.fixture
def part(folder: Path) -> Path:
    """Where an unfinished pull keeps what has come; its folder is made."""
    folder.mkdir(parents=True)
    return folder / f"{TINY.file}.part"


def visible(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_a_file_arrives_whole_with_its_progress_and_without_a_key(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_planted0123456789")
    reports: list[tuple[int, int]] = []

    path = pull(TINY, folder, report=lambda done, size: reports.append((done, size)))

    assert path == folder / TINY.file
    assert path.read_bytes() == CONTENT
    assert visible(folder) == [TINY.file]
    assert (reports[0], reports[-1]) == ((0, SIZE), (SIZE, SIZE))
    assert reports == sorted(reports)
    (request,) = hub.received
    assert request.path == "/someone/Tiny-Coder-GGUF/resolve/main/tiny-coder-q4_k_m.gguf"
    assert request.range is None
    assert not {"authorization", "cookie"} & request.headers.keys()
    assert "planted" not in str(request.headers)


def test_a_file_that_is_there_is_not_fetched_again(hub: Hub, folder: Path) -> None:
    pull(TINY, folder)
    pull(TINY, folder)
    assert len(hub.received) == 1

    pull(TINY, folder, force=True)
    assert len(hub.received) == 2


@pytest.mark.parametrize("content", [b"GGUF of my own", CONTENT[:-1] + b"!"])
def test_another_file_of_its_name_is_replaced_only_by_force(content: bytes, hub: Hub, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / TINY.file).write_bytes(content)

    with pytest.raises(UserMistake, match="is not the file of tiny-coder") as caught:
        pull(TINY, folder)
    assert "--force" in str(caught.value)
    assert (folder / TINY.file).read_bytes() == content
    assert hub.received == []

    assert pull(TINY, folder, force=True).read_bytes() == CONTENT


def test_redirects_are_followed(hub: Hub, folder: Path) -> None:
    hub.redirects = True

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert [request.path.startswith("/cdn/") for request in hub.received] == [False, True]


def test_a_dropped_connection_is_continued_where_it_broke(hub: Hub, folder: Path) -> None:
    hub.drops = [1000, 0, HALF]

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.ranges == [None, "bytes=1000-", "bytes=1000-", f"bytes={1000 + HALF}-"]


def test_progress_earns_new_tries(hub: Hub, folder: Path) -> None:
    hub.drops = [1000] * 20

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert len(hub.received) == 21


def test_a_redirected_file_is_continued_too(hub: Hub, folder: Path) -> None:
    hub.redirects, hub.drops = True, [HALF]

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.ranges == [None, None, f"bytes={HALF}-", f"bytes={HALF}-"]


def test_a_body_that_ends_early_without_a_word_is_continued(hub: Hub, folder: Path) -> None:
    hub.hides_size, hub.drops = True, [HALF]

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.ranges == [None, f"bytes={HALF}-"]


def test_what_broke_off_too_often_is_kept_and_the_next_pull_goes_on(hub: Hub, part: Path, folder: Path) -> None:
    hub.drops = [HALF, 0, 0, 0, 0]

    with pytest.raises(RunFailed, match="broke off") as caught:
        pull(TINY, folder)

    assert "The same command goes on from here" in str(caught.value)
    assert part.read_bytes() == CONTENT[:HALF]
    assert visible(folder) == [part.name]

    reports: list[int] = []
    assert pull(TINY, folder, report=lambda done, _size: reports.append(done)).read_bytes() == CONTENT
    assert hub.ranges[-1] == f"bytes={HALF}-"
    assert reports[0] == HALF
    assert visible(folder) == [TINY.file]


def test_a_server_without_ranges_starts_anew(hub: Hub, folder: Path) -> None:
    hub.ignores_range, hub.drops = True, [HALF]
    reports: list[int] = []

    assert pull(TINY, folder, report=lambda done, _size: reports.append(done)).read_bytes() == CONTENT
    assert reports.count(0) >= 2


def test_a_server_without_ranges_that_always_breaks_is_given_up(hub: Hub, folder: Path) -> None:
    hub.ignores_range, hub.drops = True, [HALF] * 20

    with pytest.raises(RunFailed, match="broke off"):
        pull(TINY, folder)

    assert len(hub.received) == 5


def test_a_server_that_continues_elsewhere_is_asked_for_the_whole(hub: Hub, part: Path, folder: Path) -> None:
    part.write_bytes(CONTENT[:HALF])
    hub.answers_ranges_from = HALF - 10

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.ranges == [f"bytes={HALF}-", None]


def test_a_range_that_is_refused_is_asked_for_as_a_whole(hub: Hub, part: Path, folder: Path) -> None:
    part.write_bytes(CONTENT[:HALF])
    hub.statuses = [416]

    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.ranges == [f"bytes={HALF}-", None]


@pytest.mark.parametrize("wrong", [CONTENT[:HALF], CONTENT + b"more"])
def test_a_file_of_another_size_is_refused_before_it_is_fetched(wrong: bytes, hub: Hub, folder: Path) -> None:
    hub.content = wrong

    with pytest.raises(UserMistake, match=f"it has {len(wrong):,} bytes, not {SIZE:,}"):
        pull(TINY, folder)

    assert visible(folder) == []


def test_a_range_behind_the_end_of_a_shorter_file_shows_that_it_is_another(hub: Hub, part: Path, folder: Path) -> None:
    part.write_bytes(CONTENT[:HALF])
    hub.content = CONTENT[:1000]

    with pytest.raises(UserMistake, match="it has 1,000 bytes"):
        pull(TINY, folder)


def test_a_body_without_an_end_is_refused(hub: Hub, folder: Path) -> None:
    hub.content, hub.hides_size = CONTENT + b"more" * 100_000, True

    with pytest.raises(UserMistake, match=f"more than {SIZE:,} bytes"):
        pull(TINY, folder)

    assert visible(folder) == []


def test_wrong_content_is_refused_and_removed(hub: Hub, folder: Path) -> None:
    hub.content = CONTENT[:-1] + b"!"

    with pytest.raises(UserMistake, match="its SHA-256 is") as caught:
        pull(TINY, folder)

    assert TINY.sha256 in str(caught.value)
    assert visible(folder) == []


def test_a_part_of_another_file_is_found_out(hub: Hub, part: Path, folder: Path) -> None:
    part.write_bytes(b"x" * HALF)

    with pytest.raises(UserMistake, match="SHA-256"):
        pull(TINY, folder)
    assert visible(folder) == []

    assert pull(TINY, folder).read_bytes() == CONTENT


def test_a_part_that_is_whole_needs_no_request_and_one_too_long_is_dropped(hub: Hub, part: Path, folder: Path) -> None:
    part.write_bytes(CONTENT)
    assert pull(TINY, folder).read_bytes() == CONTENT
    assert hub.received == []

    part.write_bytes(CONTENT + b"more")
    assert pull(TINY, folder, force=True).read_bytes() == CONTENT
    assert hub.ranges == [None]


@pytest.mark.parametrize(("status", "requests"), [(401, 1), (403, 1), (404, 1), (500, 5), (503, 5), (429, 5)])
def test_a_hub_that_does_not_serve_it_is_told_with_the_ways_out(
    status: int, requests: int, hub: Hub, folder: Path
) -> None:
    hub.statuses = [status] * 10

    with pytest.raises(UserMistake, match=f"the server answers {status}") as caught:
        pull(TINY, folder)

    assert len(hub.received) == requests
    for text in ("HF_ENDPOINT", TINY.hub_url, TINY.sha256, str(folder), "local:<path>"):
        assert text in str(caught.value)


def test_a_server_error_that_passes_is_waited_for(hub: Hub, folder: Path) -> None:
    hub.statuses = [503, 500]

    assert pull(TINY, folder).read_bytes() == CONTENT


def test_a_hub_out_of_reach_is_told_with_the_ways_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")

    with pytest.raises(UserMistake, match="refused") as caught:
        pull(TINY, folder)

    for text in ("HF_ENDPOINT", TINY.hub_url, TINY.sha256, str(folder), "local:<path>"):
        assert text in str(caught.value)


def test_a_proxy_out_of_reach_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")

    with pytest.raises(UserMistake, match="cannot be fetched"):
        pull(TINY, folder)


def test_a_proxy_that_is_none_is_told_without_its_password(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    monkeypatch.setenv("HTTP_PROXY", "nonsense://someone:planted@proxy.example")

    with pytest.raises(UserMistake, match="HTTP_PROXY") as caught:
        pull(TINY, folder)

    assert "planted" not in str(caught.value)


def test_a_mirror_on_this_computer_needs_no_proxy(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")

    assert pull(TINY, folder).read_bytes() == CONTENT


def test_redirects_without_end_are_told(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hub, "address", "/round")  # a path that redirects again
    hub.redirects = True

    with pytest.raises(UserMistake, match="redirects"):
        pull(TINY, folder)


def test_a_disk_without_room_is_told_before_anything_is_fetched(hub: Hub, folder: Path) -> None:
    huge = dataclasses.replace(TINY, size_bytes=1 << 60)

    with pytest.raises(UserMistake, match=r"needs 1,152,921,504,\d+\.\d MB in .* where [\d,]+\.\d MB are free"):
        pull(huge, folder)

    assert hub.received == []


def test_what_is_there_already_needs_no_room(
    hub: Hub, part: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.write_bytes(CONTENT[:HALF])
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage._replace(free=SIZE - HALF + 16_000_000))

    assert pull(TINY, folder).read_bytes() == CONTENT


def test_two_pulls_of_one_file_do_not_meet(hub: Hub, part: Path, folder: Path) -> None:
    with locked(folder / f".{TINY.file}.lock"), pytest.raises(UserMistake, match="is being pulled"):
        pull(TINY, folder)

    assert hub.received == []
    assert visible(folder) == []


def test_a_folder_that_cannot_be_made_is_told(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UserMistake, match="LANGMARL_MODELS_DIR"):
        pull(TINY, tmp_path / "file" / "models")
