"""The addresses that turn a kind of mail off: `stop+KIND-PLAYER-SIGNATURE@DOMAIN`.

They are for mail programs that follow only the `mailto:` of `List-Unsubscribe`, and are as good as
the link beside it.
"""

import hmac
import re
from base64 import b32encode
from typing import Final

from service.accounts.mail_preferences import Subscription
from service.core import ids
from service.mail_in.reply_addresses import ReplyAddresses

_ADDRESS: Final = re.compile(
    rf"stop\+(?P<kind>[a-z]{{1,11}})-(?P<player>{ids.PLAYER_ID})-(?P<mac>[a-z2-7]{{26}})"
)


class UnsubscribeAddresses:
    """Writes and reads these addresses. Nothing of them is stored."""

    def __init__(self, secret_key: str, addresses: ReplyAddresses) -> None:
        self._secret_key = secret_key
        self._addresses = addresses

    def write(self, subscription: Subscription) -> str | None:
        """The address; None where this server takes no mail, or for who has no account."""
        local = f"stop+{subscription.kind}-{subscription.reader}-{self._mac(subscription)}"
        if not self._addresses.answered or not _ADDRESS.fullmatch(local):
            return None
        return f"{local}@{self._addresses.domain}"

    def read(self, address: str) -> Subscription | None:
        """What mail to this address turns off; None unless we wrote it."""
        local, _, domain = address.lower().rpartition("@")
        found = _ADDRESS.fullmatch(local)
        if found is None or domain != self._addresses.domain.lower():
            return None
        subscription = Subscription(found["player"], found["kind"])
        return subscription if hmac.compare_digest(found["mac"], self._mac(subscription)) else None

    def _mac(self, subscription: Subscription) -> str:
        secret = ids.derive(self._secret_key, "unsubscribe address", *subscription)
        return b32encode(secret[:20]).decode().lower()[:26]
