"""Programs that want to pass without being right, or to reach out of the sandbox."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from langmarl.envs.sandbox import check_program
from tests.envs.sandbox.hostile_programs import ENDLESS, FORGERIES, TESTS


@pytest.mark.parametrize("name", FORGERIES)
def test_no_forgery_passes(backend, name):
    verdict = check_program(FORGERIES[name], "f", TESTS, timeout_s=2, backend=backend)
    assert not verdict.passed
    assert verdict.reason


@pytest.mark.parametrize("name", ENDLESS)
def test_whatever_does_not_end_is_ended(backend, name):
    verdict = check_program(ENDLESS[name], "f", TESTS, timeout_s=0.7, backend=backend)
    assert not verdict.passed
    assert verdict.duration_s < 8


def sees(source: str, tests: str):
    """The verdict on what a program sees: the tests say what that is allowed to be."""
    return check_program(source, "f", tests, timeout_s=10, backend="bwrap")


LOOK = (
    "import os\ndef f(path):\n    try:\n        return sorted(os.listdir(path)) if os.path.isdir(path) else "
    "open(path, 'rb').read()[:50]\n    except OSError as error:\n        return type(error).__name__\n"
)


def test_the_environment_stays_outside(backend, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-4711")
    source = "import os\ndef f(x):\n    return [list(os.environ.items()), os.getenv('OPENAI_API_KEY')]\n"
    tests = "def check(candidate):\n    found = candidate(1)\n    assert found is None, found\n"
    verdict = check_program(source, "f", tests, timeout_s=10, backend=backend)
    assert not verdict.passed
    assert "planted" not in verdict.reason


def test_only_what_python_needs_is_in_the_environment(bwrap):
    source = "import os\ndef f():\n    return set(os.environ)\n"
    allowed = {"PYTHONHASHSEED", "LD_LIBRARY_PATH", "PWD", "LC_CTYPE"}
    verdict = sees(source, f"def check(candidate):\n    assert candidate() <= {allowed}\n")
    assert verdict.passed, verdict.reason


def test_files_of_the_user_the_project_and_the_system_are_not_there(bwrap, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("4711", encoding="utf-8")
    project = Path(__file__).resolve().parents[3]
    paths = [secret, tmp_path, project, project / "pyproject.toml", Path.home() / ".ssh", Path.home() / ".bashrc"]
    paths += [Path("/etc/passwd"), Path("/etc/hostname"), Path("/proc"), Path("/proc/self/environ"), Path("/sys")]
    paths += [Path("/run"), Path("/var"), Path("/dev/mem"), Path("/dev/shm")]
    tests = (
        f"def check(candidate):\n    for path in {[str(path) for path in paths]}:\n        found = candidate(path)\n"
    )
    verdict = sees(LOOK, tests + "        assert found == 'FileNotFoundError', (path, found)\n")
    assert verdict.passed, verdict.reason


def test_packages_beside_the_standard_library_are_hidden(bwrap):
    source = (
        "import os\ndef f():\n    library = os.path.dirname(os.__file__)\n"
        "    return [os.listdir(f'{library}/{name}') for name in ('site-packages', 'dist-packages')"
        " if os.path.isdir(f'{library}/{name}')]\n"
    )
    verdict = sees(source, "def check(candidate):\n    assert all(found == [] for found in candidate())\n")
    assert verdict.passed, verdict.reason


def test_nothing_can_be_written_but_scratch_files(bwrap, tmp_path):
    source = (
        "import os\ndef f(path):\n    try:\n        with open(path, 'w') as file:\n            file.write('x')\n"
        "    except OSError as error:\n        return type(error).__name__\n    return 'written'\n"
    )
    library = str(Path(os.__file__).resolve().parent / "planted.py")
    targets = [str(tmp_path / "planted"), library, "/usr/lib/planted", "/planted", "/dev/planted", "/etc/planted"]
    tests = f"def check(candidate):\n    for path in {targets}:\n        assert candidate(path) != 'written', path\n"
    verdict = sees(source, tests + "    assert candidate('/tmp/mine') == 'written'\n")
    assert verdict.passed, verdict.reason
    assert [path for path in targets if Path(path).exists()] == []


def test_scratch_files_of_one_check_are_gone_in_the_next(bwrap):
    source = (
        "import os\ndef f():\n    found = os.listdir('/tmp')\n    open('/tmp/left', 'w').close()\n    return found\n"
    )
    tests = "def check(candidate):\n    assert candidate() == []\n"
    assert sees(source, tests).passed
    assert sees(source, tests).passed


def test_scratch_space_is_limited(bwrap):
    source = (
        "def f():\n    written = 0\n    try:\n        for number in range(64):\n"
        "            with open(f'/tmp/{number}', 'wb') as file:\n                file.write(bytes(1 << 20))\n"
        "            written += 1\n    except OSError:\n        pass\n    return written\n"
    )
    verdict = sees(source, "def check(candidate):\n    assert 8 <= candidate() <= 16\n")
    assert verdict.passed, verdict.reason


def test_processes_are_limited_whoever_the_user_is(bwrap):
    source = (
        "import os, time\ndef f():\n    count = 0\n    try:\n        while count < 50:\n"
        "            if os.fork() == 0:\n"
        "                time.sleep(60)\n                os._exit(0)\n            count += 1\n"
        "    except OSError:\n        pass\n    return [count, os.getuid() != 0]\n"
    )
    verdict = sees(
        source, "def check(candidate):\n    count, ordinary = candidate()\n    assert count < 8 and ordinary\n"
    )
    assert verdict.passed, verdict.reason


def test_no_process_outlives_its_check(bwrap):
    token = f"left-behind-{os.getpid()}-{time.monotonic_ns()}"
    source = (
        "import os, signal, sys\ndef f():\n    for _ in range(2):\n        if os.fork() == 0:\n"
        "            os.setsid()\n"
        f"            os.execv(sys.executable, [sys.executable, '-S', '-c', 'while True: pass', {token!r}])\n"
        "    return True\n"
    )
    tests = "import time\ndef check(candidate):\n    assert candidate()\n    time.sleep(0.2)\n"
    verdict = sees(source, tests)
    assert verdict.passed, verdict.reason
    wait_until(lambda: not any(token in command for command in command_lines()), "a process is still running")


def test_the_sandbox_dies_with_the_process_that_started_it(bwrap):
    token = f"orphan-{os.getpid()}-{time.monotonic_ns()}"
    source = f"import os, sys\nos.execv(sys.executable, [sys.executable, '-S', '-c', 'while True: pass', {token!r}])\n"
    arguments = f"({source!r}, 'f', 'def check(candidate):\\n    pass', timeout_s=60, backend='bwrap')"
    starter = subprocess.Popen(
        [sys.executable, "-c", f"from langmarl.envs.sandbox import check_program\ncheck_program{arguments}"]
    )
    spinning = f"while True: pass\0{token}"
    try:
        wait_until(lambda: any(spinning in command for command in command_lines()), "the program did not start")
    finally:
        starter.kill()
        starter.wait()
    wait_until(lambda: not any(spinning in command for command in command_lines()), "the program outlived its starter")


def wait_until(holds, otherwise):
    for _ in range(400):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail(otherwise)


def command_lines() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def test_a_server_on_this_machine_hears_nothing(bwrap):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        port = server.getsockname()[1]
        source = (
            "import socket\ndef f(port):\n    try:\n"
            "        socket.create_connection(('127.0.0.1', port), 2).sendall(b'key')\n"
            "    except OSError as error:\n        return type(error).__name__\n    return 'connected'\n"
        )
        verdict = sees(source, f"def check(candidate):\n    assert candidate({port}) == 'PermissionError'\n")
        assert verdict.passed, verdict.reason
        with pytest.raises(TimeoutError):
            server.accept()


SYSTEM_CALL = (
    "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    "def f(name, *args):\n    result = getattr(libc, name)(*args)\n    return [result, ctypes.get_errno()]\n"
)


@pytest.mark.parametrize(
    "call",
    ["'unshare', 0x10000000", "'setns', 0, 0", "'ptrace', 0, 0, 0, 0", "'mount', b'x', b'/tmp', b'tmpfs', 0, None"],
)
def test_system_calls_that_no_function_needs_are_refused(bwrap, call):
    verdict = sees(SYSTEM_CALL, f"def check(candidate):\n    assert candidate({call}) == [-1, 1]\n")
    assert verdict.passed, verdict.reason


def test_there_are_no_privileges_and_none_to_gain(bwrap):
    source = (
        "import ctypes, os\nlibc = ctypes.CDLL(None)\ndef f():\n    try:\n        os.setuid(0)\n        return 'root'\n"
        "    except OSError:\n        return [libc.prctl(39, 0, 0, 0, 0), os.getgroups() in ([], [65534])]\n"
    )
    verdict = sees(source, "def check(candidate):\n    assert candidate() == [1, True]\n")
    assert verdict.passed, verdict.reason


def test_the_program_holds_no_descriptor_but_its_own_two(bwrap):
    source = (
        "import os\ndef f():\n    held = []\n    for fd in range(3, 64):\n        try:\n            os.fstat(fd)\n"
        "        except OSError:\n            continue\n        held.append(fd)\n    return len(held)\n"
    )
    verdict = sees(source, "def check(candidate):\n    assert candidate() == 2\n")
    assert verdict.passed, verdict.reason


def test_the_tests_are_nowhere_in_the_programs_process(bwrap):
    source = (
        "import gc, sys\ndef f():\n    seen, frame = [], sys._getframe()\n    while frame:\n"
        "        seen.append(repr(frame.f_locals))\n        frame = frame.f_back\n"
        "    seen += [repr(thing) for thing in gc.get_objects() if type(thing) in (list, tuple, dict)]\n"
        "    return ''.join(reversed('rewsna-detnalp')) in ''.join(seen)\n"
    )
    verdict = sees(source, "def check(candidate):\n    'planted-answer'\n    assert candidate() is False\n")
    assert verdict.passed, verdict.reason


def test_untrusted_tests_are_confined_as_well(bwrap, tmp_path):
    target = tmp_path / "planted"
    tests = (
        "import os, socket\ndef check(candidate):\n    found = []\n"
        f"    for attempt in (lambda: open({str(target)!r}, 'w'), lambda: os.listdir({str(tmp_path)!r}),\n"
        "                    lambda: socket.socket(), lambda: open('/etc/passwd')):\n"
        "        try:\n            attempt()\n        except OSError:\n            continue\n"
        "        found.append(attempt)\n"
        "    assert not found\n"
    )
    verdict = sees("def f():\n    return 1\n", tests)
    assert verdict.passed, verdict.reason
    assert not target.exists()


def test_monty_reads_no_file_and_knows_no_socket(monty):
    for body in ("open('/etc/passwd').read()", "__import__('socket')", f"open({sys.executable!r}, 'rb').read()"):
        verdict = check_program(f"def f(x):\n    {body}\n    return 421\n", "f", TESTS, timeout_s=5, backend="monty")
        assert not verdict.passed
