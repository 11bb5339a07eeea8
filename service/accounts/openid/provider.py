"""An OpenID provider: its endpoints and keys, and its claims about a person who signed in there.

Authlib makes the requests and checks claims, joserfc checks signatures. The operator has chosen the
provider, so it may be in a private network; requests follow no redirects.
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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

from service.accounts.identities import LONGEST, Identity, Person
from service.accounts.openid.bounded_requests import BoundedAdapter, Turns
from service.core.durations import HOUR
from service.core.errors import RequestRejected

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


class Provider:
    """The provider at `issuer`, at which this server has the id `client_id`.

    At most `at_once` threads wait for it at the same time. `now` returns unix seconds.
    """

    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str | None,
        redirect_uri: str,
        now: Callable[[], float],
        at_once: int,
    ) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect_uri = redirect_uri
        self._now = now
        self._fetched: dict[str, _Fetched] = {}
        self._lock = threading.Lock()
        self._turns = Turns(at_once)

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
                    "aud": {"essential": True, "value": self._client_id},
                    "nonce": {"essential": True, "value": nonce},
                },
                params={
                    "nonce": nonce,
                    "client_id": self._client_id,
                    "access_token": answer.get("access_token"),
                },
            )
            claims.validate(now=int(self._now()), leeway=LEEWAY)
            return _person(self.issuer, claims)

    def _session(self) -> OAuth2Session:
        method = "none"
        if self._client_secret is not None:
            offered = self._metadata().get("token_endpoint_auth_methods_supported")
            takes_basic = not offered or "client_secret_basic" in offered
            method = "client_secret_basic" if takes_basic else "client_secret_post"
        session = OAuth2Session(
            self._client_id,
            self._client_secret,
            token_endpoint_auth_method=method,
            scope=SCOPE,
            redirect_uri=self._redirect_uri,
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
            if fetched is None or not 0 <= self._now() - fetched.at < oldest:
                fetched = self._fetched[url] = _Fetched(_document(url), self._now())
        return fetched.document


def _document(url: str) -> dict[str, object]:
    with _bounded(requests.Session()) as session:
        answer = session.get(url, timeout=TIMEOUT, allow_redirects=False)
    if answer.status_code != requests.codes.ok:
        raise requests.HTTPError(f"it answered {answer.status_code}")
    document = json.loads(answer.content)
    if not isinstance(document, dict):
        raise ValueError("a document of the provider is no JSON object")
    return document


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
        _refuse("sign-in-unavailable", "It does not answer now.", type(error).__name__, error)
    except OAuthError as error:
        code = str(error.error)
        reason = code if _ERROR.fullmatch(code) else "an error"
        _refuse("sign-in-refused", "It did not confirm that you signed in.", reason, error)
    except (AuthlibBaseError, JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
        said = "It confirmed your sign-in in a way that does not count here."
        _refuse("sign-in-refused", said, type(error).__name__, error)


def _refuse(code: str, says: str, reason: str, error: Exception) -> NoReturn:
    claim = f" {error.claim}" if isinstance(error, ClaimError) else ""
    _log.warning("The OpenID provider: %s (%s%s)", code, reason, claim)
    raise RequestRejected(
        code, f"{says} Try again; if it fails again, tell the host of this server."
    ) from error
