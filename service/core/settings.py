"""Every setting of the application, read from the environment in one place.

Each variable `SCOTTENBURY_X` may instead be given as `SCOTTENBURY_X_FILE`, the path of a file that
holds the value; the file wins when both are set. `docs/operate/configure.md` describes them for
operators.
"""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from environs import EnvError, EnvValidationError, FileAwareEnv
from marshmallow import validate

from service.core.network import AllowedEgress, Peers, read_allowed, read_peers

Registration: TypeAlias = Literal["open", "invited", "closed"]
"""The rule for opening an account. `open`: everybody may. `invited`: the holder of a game's invite,
or of an invitation of the operator. `closed`: only the holder of an invitation of the operator."""
ONE_SERVER = ("redis", "rediss", "unix")
CLUSTER = ("redis-cluster", "rediss-cluster")
SECRET_KEY_FILE = "secret-key"
SETTLING: Final = 60.0
"""Seconds after a turn before real mail goes out: its notice may become obsolete within them."""
SETTLING_LOCALLY: Final = 5.0
"""The same for the local mailbox: a quick game fills it only where it pauses."""
SHORTEST_TOKEN: Final = 16
"""The fewest characters of the token for handing in mail."""
_PREFIX = "SCOTTENBURY_"
_NOT_OURS = {"SCOTTENBURY_REDIS_PASSWORD", "SCOTTENBURY_TEST_THOROUGHNESS"}
"""Variables that docker-compose.yml and the tests read."""
WILDCARD_HOSTS = ("0.0.0.0", "::")
_ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+"
_SENDER = re.compile(rf"[^<>]*<({_ADDRESS})>|({_ADDRESS})")

_LONGEST_BUTTON: Final = 40
_HEADERS_OF_CLIENTS: Final = frozenset(
    {"authorization", "cookie", "forwarded", "host", "user-agent", "x-forwarded-for"}
)
"""Headers that every client may send."""
_PRIVATE_DOMAINS: Final = frozenset(
    {"localhost", "local", "lan", "internal", "home", "arpa", "test", "invalid", "example", "onion"}
)
"""Top-level domains that do not exist on the internet (RFC 6761 and others)."""


class BadSetting(Exception):
    """An invalid setting; the message is one line that names the variable."""


@dataclass(frozen=True)
class Settings:
    """The operator's settings. The repr omits secrets, and so do logs and tracebacks."""

    host: str
    port: int
    data: Path
    redis_url: str | None = field(repr=False)
    """None: `scottenbury serve` starts its own server and gives its children the address."""
    queue_redis_url: str | None = field(repr=False)
    """None: the queue lives in the same Redis as the games."""
    smtp_url: str | None = field(repr=False)
    """None: mail goes to the local mailbox."""
    base_url: str
    """The beginning of links in mails and invitations, without a slash at the end."""
    allowed_hosts: tuple[str, ...]
    """Further host names of this server, besides that of `base_url`."""
    wait_replicas: int
    """The number of Redis replicas that must hold an accepted move before it is answered."""
    secret_key: str = field(repr=False)
    registration: Registration
    """The rule for opening an account."""
    seasons_by: Literal["operator", "players"]
    """Who may announce seasons by API."""
    sandbox: bool
    """Whether players may move the clocks of their games, to try programs."""
    rate_limits: bool
    trusted_proxies: int
    """The number of proxies in front, each of which appends its client's address to
    X-Forwarded-For."""
    auth_header: str | None
    """The header in which a listed peer names the person signed in there; None: none is trusted."""
    auth_peers: Peers
    """The peers whose `auth_header` is trusted."""
    oidc_issuer: str | None
    """The OpenID provider with which players can sign in; None: none."""
    oidc_client_id: str | None
    oidc_client_secret: str | None = field(repr=False)
    """None: this server is a public client, which proves itself by PKCE alone."""
    oidc_name: str
    """The provider's name on the button to sign in with it."""
    mail_from: str
    mail_in: tuple[str, int] | None
    """The host and port where `serve` listens for mail by SMTP; None: nowhere."""
    mail_domain: str | None
    """The domain of our reply addresses; None: the host of `base_url`."""
    mail_in_token: str | None = field(repr=False)
    """The token of a provider that hands in mail by HTTP; None: not allowed."""
    imap_url: str | None = field(repr=False)
    """The mailbox from which the worker fetches mail; None: none."""
    mail_authserv: str | None
    """The name under which our own mail server writes `Authentication-Results`."""
    notice_delay: float
    """Seconds between a turn and the notice about it."""
    untold_limit: int
    """Days for which a player who was not notified of a turn does not lose it on time."""
    vacation_days: int
    """Days of vacation that a player has each year."""
    allowed_egress: AllowedEgress
    """Allowed targets of players' channels besides the internet."""
    contact: str | None
    """The contact for push services, `mailto:` or `https:`; by default `base_url`, if it is a
    public https address. None: no push."""
    log_level: str
    log_format: Literal["plain", "json"]
    access_log: bool
    """Whether the log has a line for each request."""
    web_workers: int
    web_threads: int

    @property
    def takes_mail(self) -> bool:
        """Whether this server receives replies to its mails."""
        return bool(self.mail_in or self.mail_domain or self.mail_in_token or self.imap_url)

    @classmethod
    def from_env(cls, *, make_secret: bool = True) -> Settings:
        """Read all settings; create the data folder and the stored secret key if needed.

        With `make_secret` False nothing is created, and a missing secret key is empty. Raises
        `BadSetting`.
        """
        try:
            return _read(_Environment(prefix=_PREFIX), make_secret)
        except EnvValidationError as error:
            raise BadSetting(_one_line(error)) from error
        except (EnvError, ValueError) as error:
            raise BadSetting(str(error)) from error


class _Environment(FileAwareEnv):
    """The environment with values stripped of white space.

    An empty value counts as unset: compose files pass optional settings like that.
    """

    def _get_value(self, env_key: str, default: object) -> object:
        value = super()._get_value(env_key, default)
        return value.strip() or default if isinstance(value, str) else value


def unknown_settings(environ: Mapping[str, str]) -> list[str]:
    """The `SCOTTENBURY_…` variables that are not settings, most likely mistyped."""
    names = {f"{_PREFIX}{each.name.upper()}" for each in fields(Settings)} | _NOT_OURS
    return sorted(
        name
        for name in environ
        if name.startswith(_PREFIX) and name.removesuffix("_FILE") not in names
    )


def browsable_url(host: str, port: int) -> str:
    """The address to open in a browser on this machine, even if `host` is a wildcard."""
    name = "localhost" if host in WILDCARD_HOSTS else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _read(env: FileAwareEnv, make_secret: bool) -> Settings:
    host = env.str("HOST", "127.0.0.1")
    port = env.int("PORT", 8080, validate=validate.Range(1, 65535))
    data = Path(env.str("DATA", "./scottenbury-data"))
    smtp_url = _smtp(env)
    base_url = _base_url(env) or browsable_url(host, port)
    auth_header, auth_peers = _trusted_header(env)
    cores = min(os.cpu_count() or 1, 4)  # a web process takes memory
    return Settings(
        host=host,
        port=port,
        data=data,
        redis_url=_url(env, "REDIS_URL", ONE_SERVER + CLUSTER),
        # RQ does not speak Cluster.
        queue_redis_url=_url(env, "QUEUE_REDIS_URL", ONE_SERVER),
        smtp_url=smtp_url,
        base_url=base_url,
        allowed_hosts=tuple(map(_host, filter(None, env.str("ALLOWED_HOSTS", "").split(",")))),
        wait_replicas=env.int("WAIT_REPLICAS", 0, validate=validate.Range(min=0)),
        secret_key=env.str("SECRET_KEY", "") or _stored_secret(data, make_secret),
        registration=_one_of(env, "REGISTRATION", "invited" if is_public(base_url) else "open"),
        seasons_by=_one_of(env, "SEASONS_BY", "operator"),
        sandbox=_sandbox(env.bool("SANDBOX", False), base_url),
        rate_limits=env.bool("RATE_LIMITS", True),
        trusted_proxies=env.int("TRUSTED_PROXIES", 0, validate=validate.Range(min=0)),
        auth_header=auth_header,
        auth_peers=auth_peers,
        oidc_issuer=_issuer(env),
        oidc_client_id=env.str("OIDC_CLIENT_ID", "") or None,
        oidc_client_secret=env.str("OIDC_CLIENT_SECRET", "") or None,
        oidc_name=_button_name(env.str("OIDC_NAME", "your organisation")),
        mail_from=_sender(env.str("MAIL_FROM", "Scottenbury <scottenbury@localhost>")),
        mail_in=_listener(env.str("MAIL_IN", "")),
        mail_domain=_domain(env.str("MAIL_DOMAIN", "")),
        mail_in_token=_token(env.str("MAIL_IN_TOKEN", "")),
        imap_url=_imap(env),
        mail_authserv=env.str("MAIL_AUTHSERV", "") or None,
        notice_delay=env.float(
            "NOTICE_DELAY",
            SETTLING if smtp_url else SETTLING_LOCALLY,
            validate=validate.Range(min=0),
        ),
        vacation_days=env.int("VACATION_DAYS", 30, validate=validate.Range(0, 366)),
        allowed_egress=_allowed_egress(env.str("ALLOWED_EGRESS", "")),
        contact=_contact(env.str("CONTACT", "")) or _own_contact(base_url),
        untold_limit=env.int("UNTOLD_LIMIT", 7, validate=validate.Range(min=0, max=3650)),
        log_level=_one_of(env, "LOG_LEVEL", "info"),
        log_format=_one_of(env, "LOG_FORMAT", "plain"),
        access_log=env.bool("ACCESS_LOG", False),
        web_workers=env.int("WEB_WORKERS", cores, validate=validate.Range(min=1)),
        web_threads=env.int("WEB_THREADS", 8, validate=validate.Range(min=1)),
    )


_CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "REGISTRATION": get_args(Registration),
    "SEASONS_BY": ("operator", "players"),
    "LOG_LEVEL": ("debug", "info", "warning", "error"),
    "LOG_FORMAT": ("plain", "json"),
}


def _one_of(env: FileAwareEnv, name: str, default: str) -> Any:
    """A setting that has one of these values."""
    return env.str(name, default, validate=validate.OneOf(_CHOICES[name]))


def _trusted_header(env: FileAwareEnv) -> tuple[str | None, Peers]:
    """The trusted header, and the peers who may send it. Without peers, anybody could sign in as
    anybody."""
    name, listed = env.str("AUTH_HEADER", ""), env.str("AUTH_PEERS", "")
    # WSGI takes a hyphen and an underscore for the same: a client's `Remote_User`, which a proxy
    # lets pass, would be its `Remote-User`.
    if name and (not re.fullmatch("[A-Za-z0-9]+", name) or name.lower() in _HEADERS_OF_CLIENTS):
        raise BadSetting(
            "SCOTTENBURY_AUTH_HEADER must be the name of a header of your proxy's own, in letters"
            " and digits alone, such as RemoteUser"
        )
    try:
        peers = read_peers(listed)
    except ValueError as error:
        raise BadSetting(
            "SCOTTENBURY_AUTH_PEERS must be addresses and networks with commas in between, such as"
            f" 127.0.0.1, 10.0.0.0/24: {error}"
        ) from None
    if bool(name) != bool(peers):
        raise BadSetting(
            "SCOTTENBURY_AUTH_HEADER and SCOTTENBURY_AUTH_PEERS go together: the header counts"
            " only from the connections of the peers, and signs in whomever it names"
        )
    return name or None, peers


def _issuer(env: FileAwareEnv) -> str | None:
    """The OpenID provider. Its answers are trusted, so nobody may be able to change them on the
    way."""
    url, client = _url(env, "OIDC_ISSUER", ("https", "http")), env.str("OIDC_CLIENT_ID", "")
    if bool(url) != bool(client):
        raise BadSetting("SCOTTENBURY_OIDC_ISSUER and SCOTTENBURY_OIDC_CLIENT_ID go together")
    parts = urlsplit(url or "")
    if url and (parts.query or parts.fragment or parts.username or not _names_host(url)):
        raise BadSetting(
            "SCOTTENBURY_OIDC_ISSUER must be the issuer as your provider gives it, such as"
            " https://sso.example.org/realms/club"
        )
    if url and parts.scheme == "http" and is_public(url):
        raise BadSetting("SCOTTENBURY_OIDC_ISSUER must begin with https://")
    return url


def _button_name(text: str) -> str:
    if not text.isprintable() or len(text) > _LONGEST_BUTTON:
        raise BadSetting(
            f"SCOTTENBURY_OIDC_NAME must be a name of at most {_LONGEST_BUTTON} characters"
        )
    return text


def _url(env: FileAwareEnv, name: str, schemes: Sequence[str]) -> str | None:
    value: str = env.str(name, "")
    if value and value.partition("://")[0] not in schemes:
        allowed = ", ".join(f"{scheme}://" for scheme in schemes)
        raise BadSetting(f"SCOTTENBURY_{name} must begin with one of {allowed}")
    if value and not _is_whole(value):
        raise BadSetting(
            f"SCOTTENBURY_{name} cannot be read: a port is a number up to 65535, and in a user"
            " name or password write each of / ? # @ : [ ] % in its encoded form, / as %2F for"
            " example"
        )
    if value and schemes[0] in ("http", "smtp", "imaps") and not _names_host(value):
        raise BadSetting(f"SCOTTENBURY_{name} must name a host, and hold no spaces")
    return value or None


def _smtp(env: FileAwareEnv) -> str | None:
    url = _url(env, "SMTP_URL", ("smtp", "smtps"))
    parts = urlsplit(url or "")
    if parts.username and "starttls=0" in parts.query.split("&"):
        raise BadSetting(
            "SCOTTENBURY_SMTP_URL has a password, which is never sent without encryption: leave"
            " out starttls=0"
        )
    return url


def _base_url(env: FileAwareEnv) -> str | None:
    url = _url(env, "BASE_URL", ("http", "https"))
    parts = urlsplit(url or "")
    if url and (parts.path.strip("/") or parts.query or parts.fragment or parts.username):
        # Pages link to each other from the root, and cookies apply to the whole host.
        raise BadSetting(
            "SCOTTENBURY_BASE_URL must be a scheme and a host, with a port at most, such as"
            " https://stones.example.org: Scottenbury needs a host name of its own, not a path"
        )
    return url.rstrip("/") if url else None


def _imap(env: FileAwareEnv) -> str | None:
    url = _url(env, "IMAP_URL", ("imaps", "imap"))
    if url and not urlsplit(url).username:
        raise BadSetting("SCOTTENBURY_IMAP_URL must name a user: imaps://user:password@host/INBOX")
    return url


def _names_host(url: str) -> bool:
    return bool(urlsplit(url).hostname) and url.isprintable() and " " not in url


def _sender(text: str) -> str:
    """Check a sender for mail headers. With an invalid one, every mail would fail."""
    match = _SENDER.fullmatch(text)
    address = match and (match[1] or match[2])
    if not text.isprintable() or "=?" in text or parseaddr(text)[1] != address:
        raise BadSetting(
            "SCOTTENBURY_MAIL_FROM must be one address, or a name and an address:"
            " Scottenbury <play@example.org>"
        )
    return text


def _listener(text: str) -> tuple[str, int] | None:
    """Read `HOST:PORT`, an IPv6 host in brackets; None for an empty text."""
    if not text:
        return None
    host, _, port = text.rpartition(":")
    name = host.strip("[]")
    bracketed = host.startswith("[") == host.endswith("]") == (":" in name)
    if not (name and bracketed and port.isdigit() and 0 < int(port) < 2**16):
        raise BadSetting("SCOTTENBURY_MAIL_IN must be HOST:PORT, for example 127.0.0.1:2525")
    return name, int(port)


def _domain(text: str) -> str | None:
    if text and not re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text):
        raise BadSetting("SCOTTENBURY_MAIL_DOMAIN must be a domain, for example play.example.org")
    return text.lower() or None


def _token(text: str) -> str | None:
    """Check that a token is hard to guess. An error message does not show it."""
    if text and len(text) < SHORTEST_TOKEN:
        raise BadSetting(
            f"SCOTTENBURY_MAIL_IN_TOKEN must have at least {SHORTEST_TOKEN} characters: make one"
            " with openssl rand -hex 32"
        )
    return text or None


def _allowed_egress(text: str) -> AllowedEgress:
    try:
        return read_allowed(text)
    except ValueError as error:
        raise BadSetting(
            "SCOTTENBURY_ALLOWED_EGRESS must be names, addresses or networks with commas in"
            f" between, such as ntfy.lan, 192.168.1.0/24: {error} is none"
        ) from None


def _contact(text: str) -> str | None:
    """Check a contact for push services (RFC 8292): Apple refuses one that nobody can reach."""
    if not text:
        return None
    mail, url = re.fullmatch(rf"mailto:({_ADDRESS})", text), urlsplit(text)
    host = mail[1].rpartition("@")[2] if mail else url.hostname or ""
    is_contact = mail is not None or (url.scheme == "https" and _names_host(text))
    if not is_contact or not _is_public_name(host.lower().rstrip(".")):
        raise BadSetting(
            "SCOTTENBURY_CONTACT must be a real contact, mailto:ADDRESS or https://PAGE of a public"
            " domain: push services refuse any other"
        )
    return text


def _own_contact(base_url: str) -> str | None:
    """The address of this server as a contact, if it is public."""
    url = urlsplit(base_url)
    return base_url if url.scheme == "https" and _is_public_name(url.hostname or "") else None


def _sandbox(wanted: bool, base_url: str) -> bool:
    if wanted and is_public(base_url):
        raise BadSetting(
            "SCOTTENBURY_SANDBOX lets players move clocks: it is for trying programs, and not"
            " allowed with a public SCOTTENBURY_BASE_URL"
        )
    return wanted


def is_public(base_url: str) -> bool:
    """Whether the whole internet may reach this address."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ip_address(host).is_global
    except ValueError:
        return _is_public_name(host)


def _is_public_name(host: str) -> bool:
    last = host.rpartition(".")[2]
    return re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", host) is not None and not (
        last.isdigit() or last in _PRIVATE_DOMAINS
    )


def _host(text: str) -> str:
    name = text.strip().lower().rstrip(".").strip("[]")
    # One colon precedes a port; an IPv6 address has more.
    if not re.fullmatch("[a-z0-9._:-]+", name) or name.count(":") == 1:
        raise BadSetting(
            "SCOTTENBURY_ALLOWED_HOSTS must be names or addresses without scheme and port,"
            " with commas in between"
        )
    return name


def _is_whole(url: str) -> bool:
    """Whether the password is encoded so that no part of it looks like another part of the URL."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            return True
        nodes = parts.netloc.rpartition("@")[2].split(",")
        ports = [urlsplit(f"//{node}").port for node in nodes]
    except ValueError:
        return False
    return bool(ports) and "@" not in f"{parts.path}{parts.query}{parts.fragment}"


def _one_line(error: EnvValidationError) -> str:
    variable = str(error.args[0]).split('"')[1]
    reasons: Any = error.error_messages
    said = " ".join(map(str, reasons)).replace("Not a valid boolean", "Must be one of: on, off")
    return f"{variable} is wrong: {said}"


def _stored_secret(data: Path, make: bool) -> str:
    """The key in the data folder, created by the first process to call this with `make`.

    Empty if there is none.
    """
    path = data / SECRET_KEY_FILE
    try:
        if not make and not path.exists():
            return ""
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            _publish_once(path, secrets.token_hex(32))
        return path.read_text().strip()
    except OSError as error:
        raise BadSetting(f"SCOTTENBURY_DATA cannot be used: {error}") from error


def _publish_once(path: Path, text: str) -> None:
    """Write the whole file, unless another process has just written it."""
    # mkstemp makes the file readable by its owner only; a hard link never replaces.
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)
