"""Addresses for mail that the server sends to itself, to test delivery: `check+TOKEN@DOMAIN`.

st:mail-check:ID          JSON of the mail that came back to this check's address, and when
"""

import hmac
import json
import re
import time
from base64 import b32encode
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from service.core import ids
from service.core.durations import HOUR
from service.core.redis.client import Client
from service.mail_in import authentication
from service.mail_in.addresses.reply_addresses import ReplyAddresses
from service.mail_in.message import read_head

_ADDRESS: Final = re.compile(rf"check\+(?P<id>{ids.GAME_ID})-(?P<mac>[a-z2-7]{{20}})")
_SIGNATURE: Final = re.compile(r"(?:^|;)\s*(d|s)\s*=\s*([A-Za-z0-9._-]{1,250})\s*(?=;|$)")
_BY: Final = re.compile(r"\bby\s+([A-Za-z0-9.-]{1,250})")
"""Matches the server that wrote a `Received` header."""
_MOST: Final = 10


class Arrival(NamedTuple):
    """A mail of ours that came back.

    - `at`: when it came back (unix seconds)
    - `signatures`: the domain and selector of each DKIM signature
    - `results`: what our own mail server found out, by method; empty if this is unknown
    - `is_local`: whether the mail never left the mail server that it was handed to, which does not
      check mail of its own users
    """

    at: float
    signatures: list[tuple[str, str]]
    results: dict[str, str]
    is_local: bool = False


class SelfChecks:
    """Writes the addresses of checks, and records mail that comes to them. `now` gives unix
    seconds."""

    def __init__(
        self,
        redis: Client,
        secret_key: str,
        addresses: ReplyAddresses,
        authserv: str | None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._secret_key = secret_key
        self._addresses = addresses
        self._authserv = authserv
        self._now = now

    def write(self, check: str) -> str:
        """Return the address of a check; `check` is an id in the form of a game's."""
        return f"check+{check}-{self._mac(check)}@{self._addresses.domain}"

    def read(self, address: str) -> str | None:
        """Return the id of the check that an address belongs to; None unless its code shows that
        `write` returned it."""
        match = _ADDRESS.fullmatch(self._addresses.local_part(address))
        if match is None:
            return None
        return match["id"] if hmac.compare_digest(match["mac"], self._mac(match["id"])) else None

    def note(self, check: str, raw: bytes) -> None:
        """Record that a mail of this check has come back."""
        message = read_head(raw.replace(b"\r\n", b"\n"))
        headers = [str(value) for value in message.get_all("DKIM-Signature", [])[:_MOST]]
        tags = [dict(_SIGNATURE.findall("".join(header.split()))) for header in headers]
        checks = [str(value) for value in message.get_all("Authentication-Results", [])]
        hops = [str(value) for value in message.get_all("Received", [])]
        servers = {by[1].lower() for hop in hops if (by := _BY.search(hop))}
        arrival = Arrival(
            self._now(),
            [(tag["d"].lower(), tag["s"]) for tag in tags if "d" in tag and "s" in tag],
            authentication.results(checks, self._authserv),
            not checks and len(servers) == 1,
        )
        self._redis.set(_key(check), json.dumps(arrival._asdict()), ex=HOUR)

    def arrival(self, check: str) -> Arrival | None:
        """Return the mail that came back; None while none has."""
        stored = cast(str | None, self._redis.get(_key(check)))
        if stored is None:
            return None
        fields: dict[str, Any] = json.loads(stored)
        signatures = [(domain, selector) for domain, selector in fields["signatures"]]
        return Arrival(**{**fields, "signatures": signatures})

    def _mac(self, check: str) -> str:
        secret = ids.derive(self._secret_key, "check address", check)
        return b32encode(secret[:20]).decode().lower()[:20]


def _key(check: str) -> str:
    return f"st:mail-check:{check}"
