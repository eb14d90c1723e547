"""The audit of dependencies against a real server that answers as the OSV database does."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "audit_dependencies.py"
FINDING = {
    "id": "GHSA-plan-ted0-0001",
    "summary": "planted",
    "details": "planted",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "packaging", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "999.1"}]}],
        }
    ],
}

pytest.importorskip("pip_audit", reason="pip-audit is of the extra 'dev'")


@pytest.fixture
def requirements(tmp_path):
    """What is audited: one package, so that the audit is quick."""
    path = tmp_path / "requirements.txt"
    path.write_text("packaging==24.0\n", encoding="utf-8")
    return path


@pytest.fixture
def database():
    """Serves; ``answers`` says what it knows of a package."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = self.server.answers(asked["package"]["name"])
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.answers = lambda name: (200, b"{}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def audit(port, requirements, *more):
    address = ("--osv-url", f"http://127.0.0.1:{port}/v1/query", "--cache-dir", str(requirements.parent / "cache"))
    only = ("--requirement", str(requirements), "--no-deps", "--disable-pip")
    return subprocess.run(
        [sys.executable, str(SCRIPT), *address, *only, *more], capture_output=True, text=True, timeout=60, check=False
    )


def test_packages_without_a_known_vulnerability_pass(database, requirements):
    ended = audit(database.server_port, requirements)
    assert ended.returncode == 0, ended.stderr
    assert "1 packages looked up, no known vulnerabilities" in ended.stdout


def test_a_finding_fails_with_package_number_and_release(database, requirements):
    database.answers = lambda name: (200, json.dumps({"vulns": [FINDING]}).encode())
    ended = audit(database.server_port, requirements)
    assert ended.returncode == 1
    assert "packaging 24.0: GHSA-plan-ted0-0001 (mended in: 999.1)" in ended.stderr
    assert audit(database.server_port, requirements, "--ignore-vuln", "GHSA-plan-ted0-0001").returncode == 0


@pytest.mark.parametrize(
    "answer", [None, (503, b""), (200, b"<html>log in</html>")], ids=["nobody", "down", "a portal"]
)
def test_a_database_that_does_not_answer_is_told_and_fails_nothing(database, requirements, answer):
    database.answers = lambda name: answer
    ended = audit(9 if answer is None else database.server_port, requirements)  # 9: nothing listens
    assert ended.returncode == 0, ended.stderr
    assert "NOT AUDITED" in ended.stdout
    assert "Traceback" not in ended.stdout + ended.stderr


def test_a_fault_of_the_audit_itself_fails(database, requirements):
    ended = audit(database.server_port, requirements, "--no-such-option")
    assert ended.returncode not in (0, None)
    assert "no-such-option" in ended.stderr
