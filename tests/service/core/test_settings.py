"""Settings come from the environment, and a bad one is named in one line."""

import re
import stat
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from service.core.network import is_listed
from service.core.settings import BadSetting, Settings, unknown_settings
from tests.support.processes import ROOT

OPERATING = ROOT / "docs" / "operate" / "configure.md"
Read = Callable[..., Settings]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, and no other setting."""
    for field in fields(Settings):
        monkeypatch.delenv(f"SCOTTENBURY_{field.name.upper()}", raising=False)
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """The settings, with these besides."""

    def read(**given: str) -> Settings:
        for name, value in given.items():
            monkeypatch.setenv(f"SCOTTENBURY_{name.upper()}", value)
        return Settings.from_env()

    return read


def test_a_newcomer_needs_no_settings() -> None:
    settings = Settings.from_env()
    assert (settings.host, settings.port) == ("127.0.0.1", 8080)
    assert settings.base_url == "http://127.0.0.1:8080"
    assert (settings.redis_url, settings.queue_redis_url, settings.smtp_url) == (None, None, None)
    assert settings.rate_limits


SENDERS = ("games@localhost", "<games@example.org>", "Die Brücke <a@b.org>", '"G, Ltd" <a@b.org>')
ADDRESSES = (
    *("redis://:ses%2Fame@store:6379/0", "redis://me@store", "unix:///run/a@b/redis.sock?db=1"),
    *("redis-cluster://:sesame@one:1,two:2", "rediss://[::1]:6379/0?ssl_cert_reqs=none"),
)
CONTACTS = ("mailto:ada@example.org", "https://play.example.org/contact")


@pytest.mark.parametrize(
    ("name", "value", "of", "expected"),
    [
        ("host", "0.0.0.0", "base_url", "http://localhost:8080"),  # a wildcard
        ("base_url", "https://stones.example/", "base_url", "https://stones.example"),
        ("base_url", " https://stones.example\n", "base_url", "https://stones.example"),
        # Whoever finds a server on the internet needs an invitation.
        ("base_url", "http://localhost:8080", "registration", "open"),
        ("base_url", "http://192.168.1.5:8080", "registration", "open"),
        ("base_url", "http://stones.lan", "registration", "open"),
        ("base_url", "https://stones.example.org", "registration", "invited"),
        ("base_url", "http://93.184.216.34", "registration", "invited"),
        # Without a contact the pages are one where the public reaches them.
        ("base_url", "https://stones.example.org", "contact", "https://stones.example.org"),
        ("base_url", "http://stones.example.org", "contact", None),
        ("base_url", "https://stones.lan", "contact", None),
        ("base_url", "https://10.0.0.1", "contact", None),
        ("base_url", "", "contact", None),
        ("rate_limits", "on", "rate_limits", True),
        ("rate_limits", "off", "rate_limits", False),
        # Real mail waits until a turn has settled.
        ("smtp_url", "", "notice_delay", 5),
        ("smtp_url", "smtp://mail.example.org", "notice_delay", 60),
        ("mail_in_token", "0123456789abcdef", "mail_in_token", "0123456789abcdef"),
        ("mail_in_token", "", "mail_in_token", None),
        *(("redis_url", url, "redis_url", url) for url in ADDRESSES),
        *(("mail_from", sender, "mail_from", sender) for sender in SENDERS),
        *(("contact", contact, "contact", contact) for contact in CONTACTS),
        ("contact", "", "contact", None),
    ],
)
def test_what_a_value_means(read: Read, name: str, value: str, of: str, expected: object) -> None:
    assert getattr(read(**{name: value}), of) == expected


@pytest.mark.parametrize("public", ["https://stones.example.org", "http://stones.lan"])
def test_a_value_that_is_given_counts_instead(read: Read, public: str) -> None:
    given = read(
        base_url=public,
        registration="closed",
        contact=CONTACTS[0],
        smtp_url="smtp://mail.example.org",
        notice_delay="5",
    )
    assert (given.registration, given.contact, given.notice_delay) == ("closed", CONTACTS[0], 5)


def test_a_value_can_come_from_a_file(read: Read, tmp_path: Path) -> None:
    (tmp_path / "url").write_text("redis://:sesame@store/0\n")
    assert read(redis_url_file=str(tmp_path / "url")).redis_url == "redis://:sesame@store/0"


@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_setting_counts_as_not_set(read: Read, value: str) -> None:
    expected = Settings.from_env()
    assert (
        read(**{each.name: value for each in fields(Settings) if each.name != "data"}) == expected
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("port", "http"), ("port", "70000")),
        *(("redis_url", "store:6379"), ("queue_redis_url", "redis-cluster://store")),
        ("redis_url", "redis://:ses/ame@store:6379/0"),
        ("redis_url", "redis://:ses#ame@store:6379/0"),
        *(("redis_url", "redis://:ses?ame@store"), ("redis_url", "redis://[sesame@store")),
        ("redis_url", "redis-cluster://:ses/ame@one:1,two:2"),
        ("queue_redis_url", "redis://me:6/ame@store"),
        *(("smtp_url", "http://mail"), ("smtp_url", "smtp://me:ses/ame@mail:25")),
        *(("smtp_url", "smtp://me:sesame@mail?starttls=0"), ("smtp_url", "smtp://")),
        *(("smtp_url", "smtp://ma il"), ("smtp_url", "smtp://mail\r\nother")),
        ("imap_url", "https://ada:secret@mail"),
        ("imap_url", "imaps://mail.example.org/INBOX"),
        ("imap_url", "imaps://ada:ses/ame@mail/INBOX"),
        ("base_url", "https://"),
        ("base_url", "https://stones.example/\r\nBcc: eve@example.org"),
        *(("mail_from", "Scottenbury"), ("mail_from", "a@example.org, b@example.org")),
        ("mail_from", "Games <a@example.org>\r\nBcc: eve@example.org"),
        *(("mail_from", "Games <ä@example.org>"), ("mail_from", "=?utf-8?q?Games?= <a@b.org>")),
        *(("mail_in_token", "sesame-and-more"), ("rate_limits", "sometimes")),
        *(("notice_delay", "-1"), ("log_level", "loud"), ("registration", "everybody")),
        *(("secret_key_file", "/nowhere/key"), ("data", "/dev/null/data")),
    ],
)
def test_a_bad_value_is_refused_in_one_line_that_names_the_variable(
    read: Read, name: str, value: str
) -> None:
    line = rf"^[^\n]*\bSCOTTENBURY_{name.upper()}\b[^\n]*$"
    with pytest.raises(BadSetting, match=line) as refused:
        read(**{name: value})
    assert "ame" not in str(refused.value).replace("name", "")


PATHS = ("https://example.org/scottenbury", "https://example.org//x/", "https://example.org?a=b")
PATHS += ("https://example.org/#a", "https://ada@example.org")
NO_CONTACTS = (
    *("ada@example.org", "mailto:ada@localhost", "mailto:ada@play.local", "mailto:ada@10.0.0.1"),
    *("https://localhost/", "https://play.lan", "http://play.example.org", "https://9.9.9.9/"),
    *("mailto:", "https://", "mailto:ada@example.test", "https://play example.org"),
)
SENT_BY_ANYBODY = (
    *(("RemoteUser", ""), ("", "127.0.0.1"), ("RemoteUser", "proxy.lan")),
    *(("RemoteUser", "0.0.0.0/0"), ("RemoteUser", "::/0"), ("Remote_User", "127.0.0.1")),
    *(("Remote-User", "127.0.0.1"), ("X-Forwarded-For", "127.0.0.1"), ("Remote User", "127.0.0.1")),
)
NOT_TRUSTED = (
    *(("https://sso.example.org", ""), ("", "scottenbury")),
    *(("http://sso.example.org", "scottenbury"), ("sso.example.org", "scottenbury")),
    ("https://me:sesame@sso.example.org", "scottenbury"),
    ("https://sso.example.org?realm=club", "scottenbury"),
)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        *(({"base_url": url}, r"SCOTTENBURY_BASE_URL must be .* not a path") for url in PATHS),
        ({"rate_limits": "sometimes"}, "Must be one of: on, off"),
        *(
            ({"contact": contact}, "SCOTTENBURY_CONTACT must be a real contact")
            for contact in NO_CONTACTS
        ),
        *(
            ({"auth_header": header, "auth_peers": peers}, r"SCOTTENBURY_AUTH_(HEADER|PEERS)")
            for header, peers in SENT_BY_ANYBODY
        ),
        *(
            ({"oidc_issuer": issuer, "oidc_client_id": client}, "SCOTTENBURY_OIDC_ISSUER")
            for issuer, client in NOT_TRUSTED
        ),
        (
            {"allowed_egress": "ntfy.lan, 10.0.0.0/33"},
            r"SCOTTENBURY_ALLOWED_EGRESS .* 10\.0\.0\.0/33 is none",
        ),
        *(
            ({"sandbox": "on", "base_url": url}, "SCOTTENBURY_SANDBOX")
            for url in ("https://stones.example.org", "http://93.184.216.34")
        ),
    ],
)
def test_what_stops_the_start_is_explained(read: Read, given: dict[str, str], says: str) -> None:
    with pytest.raises(BadSetting, match=says):
        read(**given)


def test_the_secret_key_is_made_once_and_kept_from_others(data: Path) -> None:
    first = Settings.from_env().secret_key
    assert len(first) == 64
    assert Settings.from_env().secret_key == first
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600


def test_a_given_secret_key_is_used_and_not_stored(data: Path, read: Read) -> None:
    assert read(secret_key="given").secret_key == "given"
    assert not data.exists()


def test_a_trusted_header_has_its_peers(read: Read) -> None:
    settings = read(auth_header="RemoteUser", auth_peers="127.0.0.1, 172.18.0.0/24, fd00::/64")
    assert settings.auth_header == "RemoteUser"
    for address, is_peer in (("172.18.0.9", 1), ("fd00::1%eth0", 1), ("172.19.0.9", 0), ("", 0)):
        assert is_listed(address, settings.auth_peers) == bool(is_peer)


def test_an_open_id_provider_may_be_in_a_private_network(read: Read) -> None:
    issuer = "http://sso.lan/realms/club/"
    given = {"oidc_client_id": "scottenbury", "oidc_client_secret": "sesame"}
    settings = read(oidc_issuer=issuer, **given)
    assert (settings.oidc_issuer, settings.oidc_client_secret) == (issuer, "sesame")


def test_secrets_stay_out_of_the_repr(read: Read) -> None:
    given = {"secret_key": "sesame", "redis_url": "redis://:sesame@store/0"}
    given |= {
        "oidc_issuer": "http://sso.lan",
        "oidc_client_id": "a",
        "oidc_client_secret": "sesame",
    }
    assert "sesame" not in repr(read(**given))


def test_a_sandbox_may_be_in_a_private_network(read: Read) -> None:
    assert read(sandbox="on").sandbox


def test_every_setting_is_documented() -> None:
    documented = set(re.findall(r"^\| `(SCOTTENBURY_\w+)`", OPERATING.read_text(), re.MULTILINE))
    assert documented == {f"SCOTTENBURY_{field.name.upper()}" for field in fields(Settings)}


def test_variables_that_are_no_setting_are_found() -> None:
    known = ("SCOTTENBURY_PORT", "SCOTTENBURY_SECRET_KEY_FILE", "PATH")
    assert unknown_settings(dict.fromkeys(("SCOTTENBURY_PROT", *known), "8081")) == [
        "SCOTTENBURY_PROT"
    ]
