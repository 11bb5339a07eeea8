"""Settings come from the environment, and a bad one is named in one line."""

import re
import stat
from dataclasses import fields
from pathlib import Path

import pytest

from service.core.network import is_listed
from service.core.settings import BadSetting, Settings, unknown_settings
from tests.support.processes import ROOT

OPERATING = ROOT / "docs" / "operate" / "configure.md"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, and no other setting."""
    for field in fields(Settings):
        monkeypatch.delenv(f"SCOTTENBURY_{field.name.upper()}", raising=False)
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_a_newcomer_needs_no_settings() -> None:
    settings = Settings.from_env()
    assert (settings.host, settings.port) == ("127.0.0.1", 8080)
    assert settings.base_url == "http://127.0.0.1:8080"
    assert (settings.redis_url, settings.queue_redis_url, settings.smtp_url) == (None, None, None)
    assert settings.rate_limits


def test_links_lead_to_this_machine_when_the_host_is_a_wildcard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOTTENBURY_HOST", "0.0.0.0")
    assert Settings.from_env().base_url == "http://localhost:8080"


def test_a_public_address_loses_its_closing_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", "https://stones.example/")
    assert Settings.from_env().base_url == "https://stones.example"


@pytest.mark.parametrize(
    ("base_url", "registration"),
    [
        ("http://localhost:8080", "open"),
        ("http://192.168.1.5:8080", "open"),
        ("http://stones.lan", "open"),
        ("https://stones.example.org", "invited"),
        ("http://93.184.216.34", "invited"),
    ],
)
def test_a_server_on_the_internet_takes_new_players_by_invitation(
    monkeypatch: pytest.MonkeyPatch, base_url: str, registration: str
) -> None:
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", base_url)
    assert Settings.from_env().registration == registration
    monkeypatch.setenv("SCOTTENBURY_REGISTRATION", "closed")
    assert Settings.from_env().registration == "closed"
    monkeypatch.setenv("SCOTTENBURY_REGISTRATION", "everybody")
    with pytest.raises(BadSetting, match="REGISTRATION"):
        Settings.from_env()


def test_a_value_can_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "url").write_text("redis://:sesame@store/0\n")
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL_FILE", str(tmp_path / "url"))
    assert Settings.from_env().redis_url == "redis://:sesame@store/0"


@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_setting_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    expected = Settings.from_env()
    for field in fields(Settings):
        if field.name != "data":
            monkeypatch.setenv(f"SCOTTENBURY_{field.name.upper()}", value)
    assert Settings.from_env() == expected


def test_white_space_around_a_value_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", " https://stones.example\n")
    assert Settings.from_env().base_url == "https://stones.example"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/scottenbury",
        "https://example.org//x/",
        "https://example.org?a=b",
        "https://example.org/#a",
        "https://ada@example.org",
    ],
)
def test_a_public_address_has_no_path(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", url)
    with pytest.raises(BadSetting, match=r"SCOTTENBURY_BASE_URL must be .* not a path"):
        Settings.from_env()


def test_real_mail_waits_until_a_turn_has_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.from_env().notice_delay == 5
    monkeypatch.setenv("SCOTTENBURY_SMTP_URL", "smtp://mail.example.org")
    assert Settings.from_env().notice_delay == 60
    monkeypatch.setenv("SCOTTENBURY_NOTICE_DELAY", "5")
    assert Settings.from_env().notice_delay == 5


@pytest.mark.parametrize(("text", "on"), [("on", True), ("off", False)])
def test_rate_limits_are_switched_by_on_and_off(
    monkeypatch: pytest.MonkeyPatch, text: str, on: bool
) -> None:
    monkeypatch.setenv("SCOTTENBURY_RATE_LIMITS", text)
    assert Settings.from_env().rate_limits is on


def test_another_value_of_a_switch_is_refused_with_the_two_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOTTENBURY_RATE_LIMITS", "sometimes")
    with pytest.raises(BadSetting, match="Must be one of: on, off"):
        Settings.from_env()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SCOTTENBURY_PORT", "http"),
        ("SCOTTENBURY_PORT", "70000"),
        ("SCOTTENBURY_REDIS_URL", "store:6379"),
        ("SCOTTENBURY_QUEUE_REDIS_URL", "redis-cluster://store"),
        ("SCOTTENBURY_SMTP_URL", "http://mail"),
        ("SCOTTENBURY_REDIS_URL", "redis://:ses/ame@store:6379/0"),
        ("SCOTTENBURY_REDIS_URL", "redis://:ses#ame@store:6379/0"),
        ("SCOTTENBURY_REDIS_URL", "redis://:ses?ame@store"),
        ("SCOTTENBURY_REDIS_URL", "redis://[sesame@store"),
        ("SCOTTENBURY_REDIS_URL", "redis-cluster://:ses/ame@one:1,two:2"),
        ("SCOTTENBURY_QUEUE_REDIS_URL", "redis://me:6/ame@store"),
        ("SCOTTENBURY_SMTP_URL", "smtp://me:ses/ame@mail:25"),
        ("SCOTTENBURY_SMTP_URL", "smtp://me:sesame@mail?starttls=0"),
        ("SCOTTENBURY_SMTP_URL", "smtp://"),
        ("SCOTTENBURY_SMTP_URL", "smtp://ma il"),
        ("SCOTTENBURY_SMTP_URL", "smtp://mail\r\nother"),
        ("SCOTTENBURY_BASE_URL", "https://"),
        ("SCOTTENBURY_IMAP_URL", "https://ada:secret@mail"),
        ("SCOTTENBURY_IMAP_URL", "imaps://mail.example.org/INBOX"),
        ("SCOTTENBURY_IMAP_URL", "imaps://ada:ses/ame@mail/INBOX"),
        ("SCOTTENBURY_BASE_URL", "https://stones.example/\r\nBcc: eve@example.org"),
        ("SCOTTENBURY_MAIL_FROM", "Scottenbury"),
        ("SCOTTENBURY_MAIL_FROM", "a@example.org, b@example.org"),
        ("SCOTTENBURY_MAIL_FROM", "Games <a@example.org>\r\nBcc: eve@example.org"),
        ("SCOTTENBURY_MAIL_FROM", "Games <ä@example.org>"),
        ("SCOTTENBURY_MAIL_FROM", "=?utf-8?q?Games?= <a@example.org>"),
        ("SCOTTENBURY_MAIL_IN_TOKEN", "sesame-and-more"),
        ("SCOTTENBURY_RATE_LIMITS", "sometimes"),
        ("SCOTTENBURY_NOTICE_DELAY", "-1"),
        ("SCOTTENBURY_LOG_LEVEL", "loud"),
        ("SCOTTENBURY_SECRET_KEY_FILE", "/nowhere/key"),
        ("SCOTTENBURY_DATA", "/dev/null/data"),
    ],
)
def test_a_bad_value_is_refused_in_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadSetting, match=rf"^[^\n]*\b{variable}\b[^\n]*$") as refused:
        Settings.from_env()
    assert "ame" not in str(refused.value).replace("name", "")


@pytest.mark.parametrize(
    "url",
    [
        "redis://:ses%2Fame@store:6379/0",
        "redis://me@store",
        "unix:///run/a@b/redis.sock?db=1",
        "redis-cluster://:sesame@one:1,two:2",
        "rediss://[::1]:6379/0?ssl_cert_reqs=none",
    ],
)
def test_other_addresses_are_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL", url)
    assert Settings.from_env().redis_url == url


@pytest.mark.parametrize(
    "sender",
    ["games@localhost", "<games@example.org>", "Die Brücke <a@b.org>", '"Games, Ltd" <a@b.org>'],
)
def test_a_sender_is_an_address_with_a_name_or_without(
    monkeypatch: pytest.MonkeyPatch, sender: str
) -> None:
    monkeypatch.setenv("SCOTTENBURY_MAIL_FROM", sender)
    assert Settings.from_env().mail_from == sender


def test_a_token_for_mail_has_sixteen_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_MAIL_IN_TOKEN", "0123456789abcdef")
    assert Settings.from_env().mail_in_token == "0123456789abcdef"
    monkeypatch.setenv("SCOTTENBURY_MAIL_IN_TOKEN", "")
    assert Settings.from_env().mail_in_token is None


def test_the_secret_key_is_made_once_and_kept_from_others(data: Path) -> None:
    first = Settings.from_env().secret_key
    assert len(first) == 64
    assert Settings.from_env().secret_key == first
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600


def test_a_given_secret_key_is_used_and_not_stored(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", "given")
    assert Settings.from_env().secret_key == "given"
    assert not data.exists()


def test_secrets_stay_out_of_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", "sesame")
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL", "redis://:sesame@store/0")
    assert "sesame" not in repr(Settings.from_env())


def test_a_trusted_header_has_its_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_AUTH_HEADER", "RemoteUser")
    monkeypatch.setenv("SCOTTENBURY_AUTH_PEERS", "127.0.0.1, 172.18.0.0/24, fd00::/64")
    settings = Settings.from_env()
    assert settings.auth_header == "RemoteUser"
    assert is_listed("172.18.0.9", settings.auth_peers)
    assert is_listed("fd00::1%eth0", settings.auth_peers)
    assert not is_listed("172.19.0.9", settings.auth_peers)
    assert not is_listed("", settings.auth_peers)


@pytest.mark.parametrize(
    ("header", "peers"),
    [
        ("RemoteUser", ""),
        ("", "127.0.0.1"),
        ("RemoteUser", "proxy.lan"),
        ("RemoteUser", "0.0.0.0/0"),
        ("RemoteUser", "::/0"),
        ("Remote_User", "127.0.0.1"),
        ("Remote-User", "127.0.0.1"),
        ("X-Forwarded-For", "127.0.0.1"),
        ("Remote User", "127.0.0.1"),
    ],
)
def test_a_header_that_anybody_could_send_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, header: str, peers: str
) -> None:
    monkeypatch.setenv("SCOTTENBURY_AUTH_HEADER", header)
    monkeypatch.setenv("SCOTTENBURY_AUTH_PEERS", peers)
    with pytest.raises(BadSetting, match=r"SCOTTENBURY_AUTH_(HEADER|PEERS)"):
        Settings.from_env()


def test_an_open_id_provider_may_be_in_a_private_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_OIDC_ISSUER", "http://sso.lan/realms/club/")
    monkeypatch.setenv("SCOTTENBURY_OIDC_CLIENT_ID", "scottenbury")
    monkeypatch.setenv("SCOTTENBURY_OIDC_CLIENT_SECRET", "sesame")
    settings = Settings.from_env()
    assert settings.oidc_issuer == "http://sso.lan/realms/club/"
    assert settings.oidc_client_secret == "sesame"
    assert "sesame" not in repr(settings)


@pytest.mark.parametrize(
    ("issuer", "client"),
    [
        ("https://sso.example.org", ""),
        ("", "scottenbury"),
        ("http://sso.example.org", "scottenbury"),
        ("https://me:sesame@sso.example.org", "scottenbury"),
        ("https://sso.example.org?realm=club", "scottenbury"),
        ("sso.example.org", "scottenbury"),
    ],
)
def test_an_open_id_provider_that_cannot_be_trusted_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, issuer: str, client: str
) -> None:
    monkeypatch.setenv("SCOTTENBURY_OIDC_ISSUER", issuer)
    monkeypatch.setenv("SCOTTENBURY_OIDC_CLIENT_ID", client)
    with pytest.raises(BadSetting, match="SCOTTENBURY_OIDC_ISSUER"):
        Settings.from_env()


def test_every_setting_is_documented() -> None:
    documented = set(re.findall(r"^\| `(SCOTTENBURY_\w+)`", OPERATING.read_text(), re.MULTILINE))
    assert documented == {f"SCOTTENBURY_{field.name.upper()}" for field in fields(Settings)}


def test_variables_that_are_no_setting_are_found() -> None:
    environ = {
        "SCOTTENBURY_PROT": "8081",
        "SCOTTENBURY_PORT": "8081",
        "SCOTTENBURY_SECRET_KEY_FILE": "/run/secrets/key",
        "PATH": "/bin",
    }
    assert unknown_settings(environ) == ["SCOTTENBURY_PROT"]


@pytest.mark.parametrize(
    "contact", ["mailto:ada@example.org", "https://play.example.org/contact", ""]
)
def test_a_contact_is_one_that_somebody_reads(
    contact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_CONTACT", contact)
    assert Settings.from_env().contact == (contact or None)


@pytest.mark.parametrize(
    ("base_url", "contact"),
    [
        ("https://stones.example.org", "https://stones.example.org"),
        ("http://stones.example.org", None),
        ("https://stones.lan", None),
        ("https://10.0.0.1", None),
        ("", None),
    ],
)
def test_without_a_contact_the_pages_are_one_where_the_public_reaches_them(
    base_url: str, contact: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", base_url)
    assert Settings.from_env().contact == contact
    monkeypatch.setenv("SCOTTENBURY_CONTACT", "mailto:ada@example.org")
    assert Settings.from_env().contact == "mailto:ada@example.org"


@pytest.mark.parametrize(
    "contact",
    [
        *(
            "ada@example.org",
            "mailto:ada@localhost",
            "mailto:ada@play.local",
            "mailto:ada@10.0.0.1",
        ),
        *("https://localhost/", "https://play.lan", "http://play.example.org", "https://9.9.9.9/"),
        *("mailto:", "https://", "mailto:ada@example.test", "https://play example.org"),
    ],
)
def test_a_contact_that_push_services_refuse_stops_the_start(
    contact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_CONTACT", contact)
    with pytest.raises(BadSetting, match="SCOTTENBURY_CONTACT must be a real contact"):
        Settings.from_env()


def test_an_allow_list_that_cannot_be_read_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_ALLOWED_EGRESS", "ntfy.lan, 10.0.0.0/33")
    with pytest.raises(BadSetting, match=r"SCOTTENBURY_ALLOWED_EGRESS .* 10\.0\.0\.0/33 is none"):
        Settings.from_env()


@pytest.mark.parametrize("base_url", ["https://stones.example.org", "http://93.184.216.34"])
def test_a_sandbox_has_no_public_address(monkeypatch: pytest.MonkeyPatch, base_url: str) -> None:
    monkeypatch.setenv("SCOTTENBURY_SANDBOX", "on")
    assert Settings.from_env().sandbox
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", base_url)
    with pytest.raises(BadSetting, match="SCOTTENBURY_SANDBOX"):
        Settings.from_env()
