"""The samples for nginx and Caddy from the installation, in front of a running server.

    python -m tests.faults.proxies

Loads pages with a browser, floods, follows a stream, sends half a body. Prints what happened; fails
for what a proxy must do and does not. Needs nginx and Caddy, and says so where they are not.
"""

import json
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Final, NamedTuple

from tests.support.browser import launched
from tests.support.ports import free_ports
from tests.support.processes import ROOT, Running
from tests.support.waiting import until

HOST: Final = "play.example.org"
FILES: Final = {"nginx": "/etc/nginx/conf.d/scottenbury.conf", "caddy": "/etc/caddy/Caddyfile"}
FLOOD: Final = 1500
"""Requests that one address sends at once, far more than it may."""

_NGINX: Final = """
error_log {folder}/error.log;
pid {folder}/pid;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{sample}
}}
"""
_OF_A_TRIAL: Final = """{{
    admin off
    storage file_system {folder}
    auto_https disable_certs
    http_port {http}
    https_port {https}
"""


class Proxy(NamedTuple):
    """A running proxy: its name and ports, and the folder of its files."""

    name: str
    http: int
    https: int


def sample(name: str) -> str:
    """Return the sample for a proxy, as the installation shows it."""
    text = (ROOT / "docs" / "operate" / "install.md").read_text()
    _, _, rest = text.partition(f"    # {FILES[name]}\n")
    lines = []
    for line in rest.splitlines():
        if line and not line.startswith("    "):
            break
        lines.append(line)
    return dedent("\n".join(lines)).strip() + "\n"


def configuration(name: str, folder: Path, http: int, https: int, server: int) -> str:
    """Return the sample with other ports and a certificate of our own, as a whole file."""
    text = sample(name).replace("127.0.0.1:8080", f"127.0.0.1:{server}")
    if name == "nginx":
        text = text.replace("listen 80;", f"listen {http};").replace("]:80;", f"]:{http};")
        text = text.replace("listen 443", f"listen {https}").replace("]:443", f"]:{https}")
        text = text.replace("/etc/ssl/play.example.org.pem", f"{folder}/cert.pem")
        text = text.replace("/etc/ssl/private/play.example.org.key", f"{folder}/key.pem")
        return _NGINX.format(folder=folder, sample=text)
    text = text.replace("{\n", _OF_A_TRIAL.format(folder=folder, http=http, https=https), 1)
    return text.replace(f"{HOST} {{\n", f"{HOST} {{\n    tls {folder}/cert.pem {folder}/key.pem\n")


def certificate(folder: Path) -> None:
    """Write a certificate that nobody vouches for, and its key."""
    wanted = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={HOST}".split()
    files = ("-keyout", folder / "key.pem", "-out", folder / "cert.pem")
    subprocess.run(["openssl", *wanted, *files], check=True, capture_output=True)


def commands(name: str, file: Path) -> tuple[list[str], list[str]]:
    """Return the command that checks the file, and the one that serves with it."""
    if name == "nginx":
        served = ["nginx", "-c", str(file), "-e", str(file.with_name("error.log"))]
        return [*served, "-t"], [*served, "-g", "daemon off;"]
    chosen = ["--config", str(file), "--adapter", "caddyfile"]
    return ["caddy", "validate", *chosen], ["caddy", "run", *chosen]


@contextmanager
def proxied(name: str, server: int) -> Iterator[Proxy]:
    """The proxy of the sample, in front of the server at this port."""
    with TemporaryDirectory(prefix="st-proxy-") as text:
        folder, (http, https) = Path(text), free_ports(2)
        folder.chmod(0o755)
        certificate(folder)
        file = folder / "proxy.conf"
        file.write_text(configuration(name, folder, http, https, server))
        check, serve = commands(name, file)
        subprocess.run(check, check=True, capture_output=True)
        process = subprocess.Popen(serve, stderr=subprocess.DEVNULL)
        try:
            until(lambda: _listens(https) and _listens(http))
            yield Proxy(name, http, https)
        finally:
            process.terminate()
            process.wait()


def ask(
    proxy: Proxy, path: str, source: str = "127.0.0.1", **headers: str
) -> tuple[int, dict[str, str]]:
    """Return status and head of a GET over TLS, sent from this address."""
    connection = _connection(proxy, source)
    connection.request("GET", path, headers={"Host": HOST, **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def redirected(proxy: Proxy) -> str:
    """Return where port 80 leads to."""
    connection = HTTPConnection("127.0.0.1", proxy.http, timeout=10)
    connection.request("GET", "/lobby?page=2", headers={"Host": HOST})
    answer = connection.getresponse()
    assert answer.status in (301, 308), answer.status
    return answer.headers["Location"].replace(f":{proxy.https}", "")


def pages(proxy: Proxy, visitors: int = 4) -> Counter[int]:
    """Return how many requests of newcomers had which status: the front page, then a first game."""
    statuses: Counter[int] = Counter()
    mapped = f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{proxy.https}"
    with launched(mapped) as browser:
        for _ in range(visitors):
            page = browser.new_page(ignore_https_errors=True)
            page.on("response", lambda answer: statuses.update([answer.status]))
            page.goto(f"https://{HOST}/")
            page.get_by_role("button", name="Play a bot").first.click()
            page.get_by_role("group", name="Your hand").wait_for()
            page.close()
    return statuses


def flood(proxy: Proxy) -> tuple[Counter[int], int]:
    """Return the statuses that one address got, and the one of another address meanwhile."""
    statuses: Counter[int] = Counter()

    def send() -> None:
        connection = _connection(proxy, "127.0.0.1")
        for _ in range(FLOOD // 30):
            connection.request("GET", "/healthz", headers={"Host": HOST})
            answer = connection.getresponse()
            answer.read()
            statuses.update([answer.status])

    threads = [threading.Thread(target=send) for _ in range(30)]
    for thread in threads:
        thread.start()
    bystander, _ = ask(proxy, "/healthz", source="127.0.0.2")
    for thread in threads:
        thread.join()
    return statuses, bystander


def stream(proxy: Proxy, server: Running, idle: float) -> float:
    """Return the seconds from a move to its event, on a stream in which nothing happened before."""
    ada, bo = (server.post("/v1/players", {"name": f"{n} {proxy.name}"}) for n in ("Ada", "Bo"))
    game = _post(server, "/v1/games", ada, {"opponent": {"player": bo["id"]}})
    _post(server, f"/v1/games/{game['id']}/join", bo, {})
    connection = _connection(proxy, "127.0.0.1", timeout=idle + 30)
    head = {"Host": HOST, "Accept": "text/event-stream", "Authorization": f"Bearer {ada['token']}"}
    connection.request("GET", f"/v1/games/{game['id']}/events?after=3", headers=head)
    answer = connection.getresponse()
    time.sleep(idle)
    begun = time.monotonic()
    _post(server, f"/v1/games/{game['id']}/resignation", bo, {})
    while not answer.readline().startswith(b"event: game_ended"):
        assert time.monotonic() - begun < 20, "the stream is silent"
    return time.monotonic() - begun


def half_a_body(proxy: Proxy) -> float:
    """Return the seconds after which a request is ended whose body does not come."""
    connection = _connection(proxy, "127.0.0.1", timeout=60)
    connection.putrequest("POST", "/v1/players", skip_host=True)
    connection.putheader("Host", HOST)
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", "100")
    connection.endheaders(b'{"name": "')
    begun = time.monotonic()
    assert connection.sock is not None
    connection.sock.recv(100)
    return time.monotonic() - begun


def main() -> None:
    """Try both samples."""
    missing = [name for name in (*FILES, "openssl") if shutil.which(name) is None]
    if missing:
        sys.exit(f"Not tried: there is no {' and no '.join(missing)}.")
    with TemporaryDirectory(prefix="st-") as folder:
        server = Running(
            Path(folder),
            SCOTTENBURY_BASE_URL=f"https://{HOST}",
            SCOTTENBURY_REGISTRATION="open",
            SCOTTENBURY_TRUSTED_PROXIES="1",
        )
        try:
            server.ready()
            for name in FILES:
                with proxied(name, server.port) as proxy:
                    _try(proxy, server)
        finally:
            server.kill_all()


def _try(proxy: Proxy, server: Running) -> None:
    assert redirected(proxy) == f"https://{HOST}/lobby?page=2"
    status, head = ask(proxy, "/")
    assert (status, head["strict-transport-security"]) == (200, "max-age=31536000")
    assert [ask(proxy, path)[0] for path in ("/metrics", "/readyz")] == [403, 403]
    loaded = pages(proxy)
    assert loaded[429] == 0 < loaded[200], loaded
    sys.stdout.write(f"{proxy.name}: four newcomers, statuses {dict(loaded)}\n")
    sys.stdout.write(
        f"{proxy.name}: an event after {stream(proxy, server, 40):.2f} s, past 40 silent ones\n"
    )
    ended = half_a_body(proxy)
    assert ended < 30, ended
    sys.stdout.write(f"{proxy.name}: half a body ended after {ended:.0f} s\n")
    statuses, bystander = flood(proxy)
    sys.stdout.write(
        f"{proxy.name}: of {FLOOD} at once {dict(statuses)}; a bystander {bystander}\n"
    )
    assert bystander == 200
    assert proxy.name == "caddy" or statuses[429] > FLOOD / 3


def _post(server: Running, path: str, player: dict[str, object], body: object) -> dict[str, object]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    head = {"Authorization": f"Bearer {player['token']}", "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), {"Host": HOST, **head})
    answer = connection.getresponse()
    assert answer.status in (200, 201), answer.read()
    return dict(json.load(answer))


def _connection(proxy: Proxy, source: str, timeout: float = 20) -> HTTPSConnection:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("127.0.0.1", proxy.https, timeout=timeout, context=context)
    plain = socket.create_connection(("127.0.0.1", proxy.https), timeout, (source, 0))
    connection.sock = context.wrap_socket(plain, server_hostname=HOST)
    return connection


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    main()
