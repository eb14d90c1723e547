from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import QUICKSTART, SMALL, Shell, rest_of, scrubbed_environment


def in_terminal(
    folder: Path, *arguments: object, stdout_piped: bool = False, **environment: str
) -> tuple[int, str, str]:
    """Exit code, what the terminal showed, and what went into the pipe."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "langmarl", *map(str, arguments)],
        cwd=folder,
        env=scrubbed_environment(folder, **{"TERM": "xterm-256color", "COLUMNS": "120", **environment}),
        stdin=theirs,
        stdout=subprocess.PIPE if stdout_piped else theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = rest_of(ours)
    piped = process.stdout.read().decode() if process.stdout else ""
    return process.wait(60), shown.decode(), piped


def test_the_live_display_shows_both_bars_and_leaves_a_line_an_iteration(tmp_path: Path) -> None:
    code, shown, piped = in_terminal(tmp_path, "train", QUICKSTART, *SMALL, "--json", stdout_piped=True)

    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
    assert code == 0
    assert json.loads(piped)["state"] == "completed"
    assert "\x1b[?25l" in shown  # the cursor is hidden while the display is live
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")
    assert re.search(r"iterations +━+ +2/2 +reward 0\.\d{3} · [\d,]+ tokens · \$0\.0000", text)
    assert re.search(r"iteration 1 +━+ +3/3 +episodes · 3 judged · \d+ notes · 2/2 updates", text)
    assert len(re.findall(r"iteration 0 \(1 of 2\): reward", text)) == 1


def test_tables_keep_names_whole_and_diffs_are_coloured(finished: Path, tmp_path: Path) -> None:
    _, listed, _ = in_terminal(tmp_path, "runs", COLUMNS="40")
    code, compared, _ = in_terminal(tmp_path, "diff", "latest")

    assert finished.name in listed
    assert code == 0
    assert re.search(r"\x1b\[32m\+# Learned instructions", compared)


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path) -> None:
    code, shown, _ = in_terminal(tmp_path, "train", QUICKSTART, *SMALL, TERM="dumb")

    assert code == 0
    assert "\x1b[" not in shown
    assert "iteration 1 (2 of 2)" in shown


def test_output_cut_short_by_its_reader_is_no_error(finished: Path, shell: Shell) -> None:
    with shell.start("show", "latest") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait(60)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    "command", [[sys.executable, "-m", "langmarl"], [str(Path(sys.executable).parent / "langmarl")]]
)
def test_both_ways_to_start_it_work_without_a_terminal(command: list[str], tmp_path: Path) -> None:
    result = subprocess.run(
        [*command, "--version"],
        cwd=tmp_path,
        env=scrubbed_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert result.returncode == 0
    assert re.fullmatch(r"langmarl \d+\.\d+\S*\n", result.stdout)
