"""A provider that fails one request in ten, and what that costs."""

import json

import pytest

from tests.endtoend.conftest import PLANTED_KEY, Command, Server


def by_role(summary):
    """What the client counted: calls and tokens of both phases, by role."""
    return {
        role: {name: usage[name] for name in ("calls", "input_tokens", "output_tokens")}
        for role, usage in summary["totals"]["by_role"].items()
    }


def delivered_usage(summary):
    """The same, without calls that failed for good: the server delivered nothing for them."""
    counted = by_role(summary)
    for role, usage in summary["totals"]["by_role"].items():
        counted[role]["calls"] -= usage["failures"]
    return counted


@pytest.mark.parametrize("paradigm", ["central_credit", "central_global"])
def test_calls_and_tokens_are_those_that_the_server_saw(tmp_path, server, paradigm):
    server.reset()
    command = Command(tmp_path, server.base_url, paradigm=paradigm, eval_tasks=3)
    finished = command.run()
    assert finished.exit_code == 0
    assert by_role(finished.summary) == server.stats()["roles"]
    iterations, episodes, agents = 2, 6, 2
    expected = {
        "actor": iterations * episodes * agents + 3 * (iterations + 1) * agents,
        "critic": iterations * episodes,
        "gradient": iterations * episodes * (agents if paradigm == "central_credit" else 1),
        "aggregate": iterations * (agents if paradigm == "central_credit" else 1),
        "update": iterations * agents,
    }
    assert {role: usage["calls"] for role, usage in by_role(finished.summary).items()} == expected
    in_rows = sum(row["total_tokens"] for row in finished.summary["iterations"])
    in_evaluations = sum(row["usage"]["total_tokens"] for row in finished.summary["evaluations"])
    assert in_rows + in_evaluations == finished.summary["totals"]["total_tokens"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_faulty_provider_costs_retries_and_not_the_run(tmp_path, faulty_server, seed):
    faulty_server.reset()
    command = Command(tmp_path, faulty_server.base_url, seed=seed, trajectories_per_iteration=10, max_workers=8)
    finished = command.run()
    assert finished.exit_code == 0, finished.errors
    assert finished.summary["state"] == "completed"
    stats, totals = faulty_server.stats(), finished.summary["totals"]
    assert delivered_usage(finished.summary) == stats["roles"]
    resent = sum(stats["faults"].get(fault, 0) for fault in ("rate_limit", "server_error", "dropped", "broken_body"))
    assert totals["retries"] + totals["failures"] == resent
    assert stats["requests"] == totals["calls"] + totals["retries"]
    assert totals["truncated"] == stats["faults"].get("cut", 0)
    assert totals["repairs"] >= min(1, stats["faults"].get("prose", 0))
    log = (command.run_directory() / "run.log").read_text()
    assert log.count("sent again after") == totals["retries"]
    assert log.count("was cut off at its token limit") >= totals["truncated"]
    assert log.count("asked once more") == totals["repairs"]
    assert log.count("failed for good") == totals["failures"]


def test_a_key_is_in_nothing_that_a_run_writes_or_says(tmp_path):
    faulty = Server("--fault-rate", "0.3", "--seed", "9")
    try:
        command = Command(tmp_path, faulty.base_url, num_iterations=1, trajectories_per_iteration=4)
        finished = command.run("--override", "log_level=DEBUG")
    finally:
        faulty.close()
    written = [path for path in command.folder.rglob("*") if path.is_file()]
    assert len(written) > 20
    for path in written:
        assert PLANTED_KEY.encode() not in path.read_bytes(), path
    assert PLANTED_KEY not in finished.errors + json.dumps(finished.summary)


def test_a_key_that_is_refused_stops_the_run_at_once_with_the_remedy(tmp_path):
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    class Refusing(BaseHTTPRequestHandler):
        requests = 0

        def do_POST(self):
            Refusing.requests += 1
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps({"error": {"message": f"Incorrect key: {self.headers['authorization']}"}}).encode()
            self.send_response(401)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    refusing = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    Thread(target=refusing.serve_forever, daemon=True).start()
    try:
        command = Command(tmp_path, f"http://127.0.0.1:{refusing.server_port}/v1")
        finished = command.run()
    finally:
        refusing.shutdown()
    assert finished.exit_code == 2
    assert finished.summary["state"] == "failed"
    assert Refusing.requests <= 4
    assert "PLANTED_KEY" in finished.errors
    assert "Traceback" not in finished.errors
    for path in command.folder.rglob("*"):
        assert not path.is_file() or PLANTED_KEY.encode() not in path.read_bytes(), path
    assert PLANTED_KEY not in finished.errors
