"""What a real server lets anybody have who is not its user's own browser: over real HTTP, nothing."""

import http.client
import json
import shutil
import socket

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from dashboard import context
from tests.dashboard.conftest import open_app
from tests.dashboard.serving import Serving

SECRET = "planted-4711"
HOSTILE_SETTINGS = """
[server]
address = "0.0.0.0"
allowedHosts = ["*"]
enableCORS = false
corsAllowedOrigins = ["*", "http://evil.example"]
enableXsrfProtection = false
enableStaticServing = true
enableAgentApi = true
maxUploadSize = 500
"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server in a working directory of somebody else's, whose settings would open it to everybody."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(HOSTILE_SETTINGS, encoding="utf-8")
    (folder / ".env").write_text(f"KEY={SECRET}\n", encoding="utf-8")
    (folder / "static").mkdir()
    for path in (folder / "secret.txt", folder / "static" / "secret.txt", folder.parent / "secret.txt"):
        path.write_text(SECRET, encoding="utf-8")
    variables = {"STREAMLIT_SERVER_ENABLE_AGENT_API": "true", "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false"}
    with Serving(folder / "experiments", environment=variables) as running:
        running.folder = folder
        yield running


def ask(serving, method="GET", path="/", body=None, **headers):
    """Status, headers and body of the answer to one request, sent exactly so."""
    connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=20)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def own(serving):
    return f"127.0.0.1:{serving.port}"


def test_it_listens_on_one_address_of_this_machine_only(serving):
    assert ask(serving)[0] == 200
    for other in ("127.0.0.2", "127.1.2.3"):
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, serving.port), timeout=5)


PATHS = ("/", "/live", "/health", "/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/nowhere")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "OPTIONS"])
def test_a_foreign_host_or_origin_is_refused_whatever_it_asks(serving, path, method):
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{serving.port}", "Origin": f"http://evil.example:{serving.port}"},
        {"Host": own(serving), "Origin": "http://evil.example"},
        {"Host": own(serving), "Origin": "null"},
        {"Host": own(serving), "Origin": "http://127.0.0.1:3000"},  # another program's page on this machine
    ):
        status, answered, _ = ask(serving, method, path, **headers)
        assert status == 400, headers
        assert "access-control-allow-origin" not in answered


def test_its_own_pages_are_answered(serving):
    for host in (own(serving), f"localhost:{serving.port}"):
        assert ask(serving, Host=host, Origin=f"http://{host}")[0] == 200
        assert ask(serving, Host=host)[0] == 200


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (None, "http://evil.example"),
        (None, "null"),
        (None, "http://localhost:3000"),
        ("evil.example", "http://evil.example"),
    ],
)
def test_a_websocket_of_a_foreign_page_is_refused(serving, host, origin):
    headers = {"Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket"}
    key = {"Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    assert ask(serving, path="/_stcore/stream", Host=host or own(serving), **headers, **key)[0] == 403
    with pytest.raises(InvalidStatus):
        connect(f"ws://{own(serving)}/_stcore/stream", origin=origin).close()


@pytest.mark.parametrize(
    "path",
    [
        "/secret.txt", "/static/secret.txt", "/app/static/secret.txt", "/.env", "/.streamlit/config.toml",
        "/../secret.txt", "/static/../../secret.txt", "/static/..%2f..%2fsecret.txt", "/media/../secret.txt",
        "/media/..%2fsecret.txt", "/%2e%2e/secret.txt", "/component/../../secret.txt",
        "/component/x/..%2f..%2fsecret.txt",
        "/_stcore/bidi-components/x/../../secret.txt", "/static/%2e%2e/%2e%2e/secret.txt", "/..%5csecret.txt",
        "/static//etc/passwd", "//etc/passwd", "/static/%2fetc%2fpasswd", "/media//etc/passwd", "/etc/passwd",
        "/file:///etc/passwd", "/static/..%252f..%252fsecret.txt", "/experiments/", "/experiments/index.db",
    ],
)  # fmt: skip
def test_no_file_is_reachable_by_its_path(serving, path):
    for given in (path, path.replace("secret.txt", f"{serving.folder}/secret.txt")):
        _, _, body = ask(serving, path=given)
        assert SECRET.encode() not in body
        assert b"root:" not in body
        assert b"SQLite" not in body


def test_no_program_drives_the_app_over_http(serving):
    for path in ("/_stcore/agent/interact", "/_stcore/agent/mcp"):
        status, _, body = ask(serving, "POST", path, b"{}", Content_Type="application/json")
        assert status >= 400
        assert b"does not serve the agent API" in body


@pytest.fixture
def session(serving):
    """The id of a session, as a browser has one."""
    with connect(f"ws://{own(serving)}/_stcore/stream", origin=f"http://{own(serving)}") as socket_:
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket_.send(message.SerializeToString())
        for _ in range(100):
            told = ForwardMsg()
            told.ParseFromString(socket_.recv(timeout=30))
            if told.WhichOneof("type") == "new_session":
                break
        yield told.new_session.initialize.session_id


def upload(serving, session, size, token=True, **headers):
    """The status of an upload of so many bytes."""
    _, told, _ = ask(serving, path="/_stcore/health")
    cookie = told["Set-Cookie"].split(";")[0]
    boundary = "----x"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.json"\r\n\r\n'.encode()
    body = head + b" " * size + f"\r\n--{boundary}--\r\n".encode()
    if token:
        headers = {**headers, "Cookie": cookie, "X_Xsrftoken": cookie.split("=", 1)[1]}
    kind = {"Content_Type": f"multipart/form-data; boundary={boundary}"}
    return ask(serving, "PUT", f"/_stcore/upload_file/{session}/f1", body, **kind, **headers)[0]


def test_an_upload_needs_the_token_and_has_a_limit(serving, session):
    assert session
    assert upload(serving, session, 1000) == 204
    assert upload(serving, session, 1000, token=False) == 403
    assert upload(serving, session, 1000, Origin="http://evil.example") == 400
    assert upload(serving, session, 2_200_000) == 413
    assert upload(serving, "somebody-elses", 1000) == 400


def test_an_address_names_no_run_outside_the_folder(finished_run, experiments, tmp_path):
    outside = tmp_path / "outside" / finished_run
    shutil.copytree(experiments / finished_run, outside)
    manifest = json.loads((outside / "config.json").read_text(encoding="utf-8"))
    (outside / "config.json").write_text(json.dumps({**manifest, "exp_name": SECRET}), encoding="utf-8")
    (outside / "run.log").write_text(SECRET, encoding="utf-8")
    assert context.experiments_dir() == experiments
    for run in (f"../outside/{finished_run}", str(outside), f"{finished_run}/../../outside/{finished_run}", "..", "."):
        app = open_app(run=run)
        for page in ("live", "policies", "feedback", "train"):
            app.query_params["run"] = run
            app.switch_page(page_script(page)).run()
            assert not app.exception
            assert SECRET not in str(app)


def page_script(name):
    from dashboard.navigation import scripts_folder

    return str(scripts_folder() / f"{name}.py")
