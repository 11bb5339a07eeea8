"""Sign-in with the OpenID provider that the operator has set. Loaded only if there is one.

Authlib makes the requests and checks claims, joserfc checks signatures. The operator has chosen the
provider, so it may be in a private network; requests follow no redirects. It may be slow, or
silent, or send without end, and each request occupies one of the web server's few threads. So these
requests always leave one thread free, and each is limited in seconds and bytes.

A sign-in belongs to the browser that began it, works once, and expires.

st:openid:DIGEST          a sign-in that has begun, by its state
st:openid-arrived:DIGEST  the person who signed in on a browser, until they choose the account to
                          open
"""

import hmac
import json
import logging
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from time import monotonic
from typing import Any, Final, NamedTuple, NoReturn, TypeVar
from urllib.parse import urlsplit

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ClaimError, JoseError
from joserfc.jwk import KeySet
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from service.accounts.identities import LONGEST, OPENID_CALLBACK, Identity, Person
from service.core import ids
from service.core.errors import RequestRejected
from service.core.held_secrets import HeldSecrets
from service.core.redis.client import Client
from service.core.settings import Settings
from service.core.times import HOUR, MINUTE
from service.core.words import N_

PATIENCE: Final = 1.0
"""Seconds for which a thread waits while others wait for the provider."""
LONGEST_ANSWER: Final = 8.0
"""Seconds after which a response is no longer read."""
LARGEST: Final = 256 * 1024
"""The most bytes of a response."""
_CHUNK: Final = 16 * 1024


class Turns:
    """Limits the threads that wait for the provider at once to `most`. `clock` returns seconds."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._begun: list[float] = []
        self._ended = threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Count this thread as waiting while the context lasts. Waits while `most` threads do.

        Raises `requests.Timeout` if one of them, or this thread, has waited for `PATIENCE`.
        """
        begun = self._clock()
        with self._ended:
            while len(self._begun) >= self._most:
                left = min(begun, *self._begun) + PATIENCE - self._clock()
                if left <= 0 or not self._ended.wait(left):
                    raise requests.Timeout("others wait for the provider")
            begun = self._clock()
            self._begun.append(begun)
        try:
            yield
        finally:
            with self._ended:
                self._begun.remove(begun)
                self._ended.notify()


class BoundedAdapter(HTTPAdapter):
    """Reads each response as a whole, within `LONGEST_ANSWER` seconds and `LARGEST` bytes.

    Raises `ValueError` for a larger one. The timeout of a request applies only to the wait for the
    next bytes. `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock

    def send(self, *args: Any, **options: Any) -> requests.Response:
        """Return the response, with its body in memory."""
        until = self._clock() + LONGEST_ANSWER
        answer, content = super().send(*args, **{**options, "stream": True}), b""
        try:
            with answer.raw as raw:
                while chunk := raw.read1(_CHUNK, decode_content=True):
                    content += chunk
                    if len(content) > LARGEST:
                        raise ValueError("an answer of the provider is too large")
                    if self._clock() > until:
                        raise requests.Timeout("an answer of the provider does not end")
        except HTTPError as error:
            raise requests.ConnectionError(error) from error
        answer.raw = BytesIO(content)
        return answer


_log: Final = logging.getLogger(__name__)

ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""The accepted algorithms of signatures. They use public keys, so that nobody can sign with a
client secret."""
SCOPE: Final = "openid profile email"
LEEWAY: Final = 60
"""Seconds by which the provider's clock may differ from ours."""
TIMEOUT: Final = (3.0, 4.0)
"""Seconds to wait for a connection, and for data."""
_METADATA_LIFE: Final = HOUR
_KEYS_AGE: Final = 30
"""Seconds after which the keys are fetched again if none of them fits a signature."""
_ERROR: Final = re.compile("[a-z_]{1,40}")

_Session = TypeVar("_Session", bound=requests.Session)


class _Fetched(NamedTuple):
    document: dict[str, object]
    at: float


@dataclass
class Provider:
    """The provider at `issuer`, at which this server has the id `client_id`.

    At most `at_once` threads wait for it at the same time. `now` returns unix seconds.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    redirect_uri: str
    now: Callable[[], float]
    at_once: int
    _fetched: dict[str, _Fetched] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        self._turns = Turns(self.at_once)

    def check(self) -> None:
        """Raise `RequestRejected`, as the other methods do, if the provider's documents are
        unusable."""
        with _failures(), self._turns.taken():
            self._endpoint("authorization_endpoint")
            self._endpoint("token_endpoint")
            _keys(self._get(self._endpoint("jwks_uri")))

    def authorization_url(self, state: str, nonce: str, verifier: str) -> str:
        """Return the URL to which a browser is sent to sign in.

        Raises `RequestRejected`: `sign-in-unavailable`, `sign-in-refused`.
        """
        with _failures(), self._turns.taken():
            endpoint = self._endpoint("authorization_endpoint")
            url, _ = self._session().create_authorization_url(
                endpoint, state=state, nonce=nonce, code_verifier=verifier
            )
        return str(url)

    def redeem(self, code: str, verifier: str, nonce: str) -> Person:
        """Redeem the code that a browser has brought back from the provider; return the person.

        Raises `RequestRejected`: `sign-in-unavailable`, `sign-in-refused`.
        """
        with _failures(), self._turns.taken():
            answer = self._session().fetch_token(
                self._endpoint("token_endpoint"),
                code=code,
                code_verifier=verifier,
                grant_type="authorization_code",
                timeout=TIMEOUT,
                allow_redirects=False,
            )
            token = self._decode(answer["id_token"])
            claims = CodeIDToken(
                token.claims,
                token.header,
                options={
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self.client_id},
                    "nonce": {"essential": True, "value": nonce},
                },
                params={
                    "nonce": nonce,
                    "client_id": self.client_id,
                    "access_token": answer.get("access_token"),
                },
            )
            claims.validate(now=int(self.now()), leeway=LEEWAY)
            return _person(self.issuer, claims)

    def _session(self) -> OAuth2Session:
        method = "none"
        if self.client_secret is not None:
            offered = self._metadata().get("token_endpoint_auth_methods_supported")
            takes_basic = not offered or "client_secret_basic" in offered
            method = "client_secret_basic" if takes_basic else "client_secret_post"
        session = OAuth2Session(
            self.client_id,
            self.client_secret,
            token_endpoint_auth_method=method,
            scope=SCOPE,
            redirect_uri=self.redirect_uri,
            code_challenge_method="S256",
        )
        return _bounded(session)

    def _decode(self, id_token: str) -> jwt.Token:
        """Decode a token after checking that the provider signed it."""
        keys_url = self._endpoint("jwks_uri")
        try:
            return jwt.decode(id_token, _keys(self._get(keys_url)), ALGORITHMS)
        except (JoseError, ValueError):
            # The provider may have new keys.
            return jwt.decode(id_token, _keys(self._get(keys_url, _KEYS_AGE)), ALGORITHMS)

    def _endpoint(self, name: str) -> str:
        url = str(self._metadata()[name])
        if self.issuer.startswith("https:") and urlsplit(url).scheme != "https":
            raise ValueError(f"the {name} is not https")
        return url

    def _metadata(self) -> dict[str, Any]:
        document = self._get(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        if document.get("issuer") != self.issuer:
            raise ValueError("the provider gives itself another issuer")
        return document

    def _get(self, url: str, oldest: float = _METADATA_LIFE) -> dict[str, object]:
        """Return a document of the provider, fetched less than `oldest` seconds ago."""
        with self._lock:
            fetched = self._fetched.get(url)
            if fetched is None or not 0 <= self.now() - fetched.at < oldest:
                with _bounded(requests.Session()) as session:
                    answer = session.get(url, timeout=TIMEOUT, allow_redirects=False)
                if answer.status_code != requests.codes.ok:
                    raise requests.HTTPError(f"it answered {answer.status_code}")
                document = json.loads(answer.content)
                if not isinstance(document, dict):
                    raise ValueError("a document of the provider is no JSON object")
                fetched = self._fetched[url] = _Fetched(document, self.now())
        return fetched.document


def _bounded(session: _Session) -> _Session:
    """Limit the responses of this session in time and size, and return the session."""
    for scheme in ("https://", "http://"):
        session.mount(scheme, BoundedAdapter())
    return session


def _keys(document: Mapping[str, Any]) -> KeySet:
    """Return the provider's keys that may sign ID tokens."""
    keys = []
    for key in document["keys"]:
        try:
            if key.get("use", "sig") == "sig":
                keys += KeySet.import_key_set({"keys": [key]}).keys
        except (JoseError, ValueError):
            continue
    return KeySet(keys)


def _person(issuer: str, claims: Mapping[str, object]) -> Person:
    subject = claims["sub"]
    if not isinstance(subject, str) or not _is_text(subject):
        raise ValueError("the subject is no text")
    email = claims.get("email") if claims.get("email_verified") is True else None
    names = (claims.get(name) for name in ("preferred_username", "email", "name"))
    label = next((name for name in names if isinstance(name, str) and _is_text(name)), subject)
    verified = email if isinstance(email, str) and _is_text(email) else None
    return Person(Identity(issuer, subject), label, verified)


def _is_text(value: str) -> bool:
    return 0 < len(value) <= LONGEST and value.isprintable()


@contextmanager
def _failures() -> Iterator[None]:
    """Turn a provider's failures into `RequestRejected`; log them without its data."""
    try:
        yield
    except requests.RequestException as error:
        _refuse("sign-in-unavailable", _SILENT, type(error).__name__, error)
    except OAuthError as error:
        code = str(error.error)
        reason = code if _ERROR.fullmatch(code) else "an error"
        _refuse("sign-in-refused", _UNCONFIRMED, reason, error)
    except (AuthlibBaseError, JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
        _refuse("sign-in-refused", _DOES_NOT_COUNT, type(error).__name__, error)


_SILENT: Final = N_(
    "It does not answer now. Try again; if it fails again, tell the host of this server."
)
_UNCONFIRMED: Final = N_(
    "It did not confirm that you signed in. Try again; if it fails again, tell the host of this"
    " server."
)
_DOES_NOT_COUNT: Final = N_(
    "It confirmed your sign-in in a way that does not count here. Try again; if it fails again,"
    " tell the host of this server."
)


def _refuse(code: str, message: str, reason: str, error: Exception) -> NoReturn:
    claim = f" {error.claim}" if isinstance(error, ClaimError) else ""
    _log.warning("The OpenID provider: %s (%s%s)", code, reason, claim)
    raise RequestRejected(code, message) from error


LIFE: Final = 10 * MINUTE
"""Seconds until a sign-in expires that has begun, but is not finished."""
ARRIVAL_LIFE: Final = 15 * MINUTE
"""Seconds after a sign-in for which the person may choose an account."""


class Finished(NamedTuple):
    """A completed sign-in: the person, and the path of the page that they wanted."""

    person: Person
    next: str


class OpenIdSignIns:
    """The sign-ins of all browsers. `browser` is a secret in a cookie of the browser."""

    def __init__(self, redis: Client, provider: Provider) -> None:
        self._states = HeldSecrets(redis, "st:openid:", LIFE)
        self._arrived = HeldSecrets(redis, "st:openid-arrived:", ARRIVAL_LIFE)
        self._provider = provider

    def begin(self, browser: str, next_path: str) -> str:
        """Begin a sign-in; return the provider's URL to send this browser to.

        Raises `RequestRejected`: `sign-in-unavailable`, `sign-in-refused`.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        url = self._provider.authorization_url(state, nonce, verifier)
        stored = [nonce, verifier, next_path, ids.digest(browser)]
        self._states.store(state, json.dumps(stored))
        return url

    def finish(self, browser: str, state: str, code: str, issuer: str | None) -> Finished:
        """Complete a sign-in, once, after the provider has sent this browser back.

        `issuer` is the provider's identifier in that request, if any (RFC 9207). Raises
        `RequestRejected`: `sign-in-expired` if this browser did not begin it, and the problems of
        `Provider.redeem`.
        """
        stored = self._states.use(state)
        nonce, verifier, next_path, of_browser = json.loads(stored) if stored else [""] * 4
        if not hmac.compare_digest(of_browser, ids.digest(browser)):
            raise RequestRejected(
                "sign-in-expired",
                "It was used already, took longer than ten minutes, or began in another browser.",
            )
        if issuer not in (None, self._provider.issuer) or not code:
            raise RequestRejected("sign-in-refused", "It did not confirm that you signed in.")
        return Finished(self._provider.redeem(code, verifier, nonce), next_path)

    def keep(self, browser: str, person: Person) -> None:
        """Store the person who signed in on this browser, for `ARRIVAL_LIFE` seconds."""
        (issuer, subject), label, email = person
        self._arrived.store(browser, json.dumps([issuer, subject, label, email]))

    def arrived(self, browser: str) -> Person | None:
        """Return the person who signed in on this browser; None without one."""
        stored = self._arrived.meaning(browser)
        if stored is None:
            return None
        issuer, subject, label, email = json.loads(stored)
        return Person(Identity(issuer, subject), label, email)

    def forget(self, browser: str) -> None:
        """Delete the person stored for this browser."""
        self._arrived.end(browser)


def provider_of(settings: Settings, now: Callable[[], float]) -> Provider:
    """The provider that the settings name."""
    assert settings.oidc_issuer is not None
    assert settings.oidc_client_id is not None
    return Provider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        f"{settings.base_url}{OPENID_CALLBACK}",
        now,
        at_once=max(1, settings.web_threads - 1),
    )
