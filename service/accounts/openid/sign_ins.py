"""Sign-ins with the OpenID provider, from the first page to the account that is opened.

A sign-in belongs to the browser that began it, works once, and expires.

st:openid:DIGEST          a sign-in that has begun, by its state
st:openid-arrived:DIGEST  the person who signed in on a browser, until they choose the account to
                          open
"""

import hmac
import json
import secrets
from typing import Final, NamedTuple, cast

from service.accounts.identities import Identity, Person
from service.accounts.openid.provider import Provider
from service.core import ids
from service.core.durations import MINUTE
from service.core.errors import RequestRejected
from service.core.redis.client import Client

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
        self._redis = redis
        self._provider = provider

    def begin(self, browser: str, next_path: str) -> str:
        """Begin a sign-in; return the provider's URL to send this browser to.

        Raises `RequestRejected`: `sign-in-unavailable`, `sign-in-refused`.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        url = self._provider.authorization_url(state, nonce, verifier)
        stored = [nonce, verifier, next_path, ids.digest(browser)]
        self._redis.set(_state_key(state), json.dumps(stored), ex=LIFE)
        return url

    def finish(self, browser: str, state: str, code: str, issuer: str | None) -> Finished:
        """Complete a sign-in, once, after the provider has sent this browser back.

        `issuer` is the provider's identifier in that request, if any (RFC 9207). Raises
        `RequestRejected`: `sign-in-expired` if this browser did not begin it, and the problems of
        `Provider.redeem`.
        """
        stored = cast(str | None, self._redis.getdel(_state_key(state)))
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
        stored = json.dumps([issuer, subject, label, email])
        self._redis.set(_arrived_key(browser), stored, ex=ARRIVAL_LIFE)

    def arrived(self, browser: str) -> Person | None:
        """Return the person who signed in on this browser; None without one."""
        stored = cast(str | None, self._redis.get(_arrived_key(browser)))
        if stored is None:
            return None
        issuer, subject, label, email = json.loads(stored)
        return Person(Identity(issuer, subject), label, email)

    def forget(self, browser: str) -> None:
        """Delete the person stored for this browser."""
        self._redis.unlink(_arrived_key(browser))


def _state_key(state: str) -> str:
    return f"st:openid:{ids.digest(state)}"


def _arrived_key(browser: str) -> str:
    return f"st:openid-arrived:{ids.digest(browser)}"
