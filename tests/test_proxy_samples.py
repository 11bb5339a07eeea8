"""The samples for nginx and Caddy do what the page about limits asks of a proxy.

`python -m tests.faults.proxies` tries them in front of a server.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.api.rate_limits import FILES as OF_FILES
from service.api.rate_limits import OF_ADDRESS
from service.core.times import MINUTE
from service.server.http_server import PER_ADDRESS
from tests.faults.proxies import FILES, HOST, certificate, commands, configuration, sample
from tests.support.ports import free_ports
from tests.support.processes import ROOT

GIVEN_UP = 20
"""Seconds after which the server closes a connection that is idle."""


def read(text: str) -> dict[str, str]:
    """Each directive of a file of nginx or Caddy, below the names of its blocks: what follows it.

    What is said several times is joined.
    """
    found: dict[str, str] = {}
    within: list[str] = []
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.endswith("{"):
            within.append(line.removesuffix("{").strip())
        elif line == "}":
            within.pop()
        elif line:
            name, _, words = line.removesuffix(";").partition(" ")
            key = " > ".join([*within, name])
            found[key] = f"{found[key]}, {words}" if key in found else words
    assert not within, within
    return found


def seconds(words: str) -> int:
    (number,) = re.fullmatch(r"(\d+)s", words).groups()  # type: ignore[union-attr]
    return int(number)


class TestNginx:
    text = sample("nginx")
    http, plain, tls = (
        read(part) for part in re.split(r"^(?=server \{)", text, flags=re.MULTILINE)
    )

    def test_port_80_leads_to_tls_and_browsers_stay_there(self) -> None:
        assert self.plain["server > listen"] == "80, [::]:80"
        assert self.plain["server > location / > return"] == f"301 https://{HOST}$request_uri"
        assert self.tls["server > listen"] == "443 ssl http2, [::]:443 ssl http2"
        assert self.tls["server > add_header"].startswith("Strict-Transport-Security ")
        # A location with a header of its own would send no other.
        assert self.text.count("add_header") == 1

    def test_each_address_has_limits_and_none_below_those_of_the_server(self) -> None:
        requests, connections = self.http["limit_req_zone"], self.http["limit_conn_zone"]
        network = "$scottenbury_network zone="
        (zone, rate) = re.fullmatch(
            re.escape(network) + r"(\w+):10m rate=(\d+)r/s", requests
        ).groups()  # type: ignore[union-attr]
        assert int(rate) * MINUTE >= OF_ADDRESS.most + OF_FILES.most
        (used, burst) = re.fullmatch(
            r"zone=(\w+) burst=(\d+) nodelay", self.tls["server > limit_req"]
        ).groups()  # type: ignore[union-attr]
        assert used == zone
        assert int(burst) >= 100
        used, most = self.tls["server > limit_conn"].split()
        assert connections == f"{network}{used}:10m"
        assert int(most) > PER_ADDRESS
        assert self.tls["server > limit_req_status"] == "429"
        assert self.tls["server > limit_conn_status"] == "429"

    def test_heads_bodies_and_readers_have_a_time(self) -> None:
        for name, most in (("client_header", 20), ("client_body", 20), ("send", 30)):
            assert seconds(self.tls[f"server > {name}_timeout"]) <= most

    def test_streams_flow_and_no_request_meets_a_closed_connection(self) -> None:
        location = "server > location / > "
        assert seconds(self.tls[f"{location}proxy_read_timeout"]) > 60
        assert self.tls[f"{location}proxy_http_version"] == "1.1"
        assert 'Connection ""' in self.tls[f"{location}proxy_set_header"].split(", ")
        assert seconds(self.http["upstream scottenbury > keepalive_timeout"]) < GIVEN_UP
        assert "buffering" not in self.text


class TestCaddy:
    found = read(sample("caddy"))

    def test_it_does_what_it_can(self) -> None:
        for part in ("read_header", "read_body"):
            assert seconds(self.found[f" > servers > timeouts > {part}"]) <= 20
        assert self.found[f"{HOST} > header"].startswith("Strict-Transport-Security ")
        kept = f"{HOST} > reverse_proxy 127.0.0.1:8080 > transport http > keepalive"
        assert seconds(self.found[kept]) < GIVEN_UP
        assert " > servers > timeouts > write" not in self.found  # it would end streams


@pytest.mark.parametrize("name", FILES)
def test_a_program_that_is_here_takes_its_sample(name: str, tmp_path: Path) -> None:
    http, https, server = free_ports(3)
    file = tmp_path / "proxy.conf"
    file.write_text(configuration(name, tmp_path, http, https, server))
    assert str(server) in file.read_text()
    if shutil.which(name) and shutil.which("openssl"):
        certificate(tmp_path)
        check, _ = commands(name, file)
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_each_thing_that_a_proxy_must_do_is_in_a_sample() -> None:
    page = (ROOT / "docs" / "operate" / "limits.md").read_text()
    _, _, table = page.partition("### The proxy in front")
    for name, column in (("nginx", 2), ("caddy", 3)):
        rows = [row.split("|") for row in table.splitlines() if row.startswith("| ")][2:]
        named = re.findall(r"`([a-z_]+)(?: [^`]*)?`", " ".join(row[column] for row in rows))
        assert len(named) > 2
        assert [word for word in named if word not in sample(name)] == []
