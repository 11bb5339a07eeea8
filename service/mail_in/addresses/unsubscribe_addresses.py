"""Addresses that turn off a kind of mail: `stop+KIND-READER-SIGNATURE@DOMAIN`.

Mail programs use them that follow only the `mailto:` of `List-Unsubscribe`; they do the same as the
link in that header.
"""

import hmac
import re
from base64 import b32encode
from typing import Final

from service.accounts.mail_preferences import ALIAS, MailPreferences, Subscription
from service.core import ids
from service.mail_in.addresses.reply_addresses import ReplyAddresses

_ADDRESS: Final = re.compile(
    rf"stop\+(?P<kind>[a-z]{{1,11}})-(?P<alias>{ids.PLAYER_ID}|{ALIAS})-(?P<mac>[a-z2-7]{{26}})"
)


class UnsubscribeAddresses:
    """Writes and reads these addresses. Nothing is stored for those of players."""

    def __init__(
        self, secret_key: str, addresses: ReplyAddresses, preferences: MailPreferences
    ) -> None:
        self._secret_key = secret_key
        self._addresses = addresses
        self._preferences = preferences

    def write(self, subscription: Subscription) -> str | None:
        """Return the address; None if this server takes no mail."""
        if not self._addresses.answered:
            return None
        named = subscription._replace(reader=self._preferences.alias_of(subscription.reader))
        local = f"stop+{named.kind}-{named.reader}-{self._mac(named)}"
        return f"{local}@{self._addresses.domain}"

    def read(self, address: str) -> Subscription | None:
        """Return the subscription that mail to this address turns off; None unless we wrote the
        address, or after a year."""
        match = _ADDRESS.fullmatch(self._addresses.local_part(address))
        if match is None:
            return None
        named = Subscription(match["alias"], match["kind"])
        if not hmac.compare_digest(match["mac"], self._mac(named)):
            return None
        reader = self._preferences.reader_of(named.reader)
        return Subscription(reader, named.kind) if reader else None

    def _mac(self, subscription: Subscription) -> str:
        secret = ids.derive(self._secret_key, "unsubscribe address", *subscription)
        return b32encode(secret[:20]).decode().lower()[:26]
