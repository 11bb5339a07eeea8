"""Mail that comes back: what it says of the address that it went to."""

import re
from typing import Final

from service.accounts.email_addresses import EmailAddresses
from service.accounts.player import Player
from service.accounts.players import Players
from service.core import ids
from service.eventlog import notice_id
from service.games import Games
from service.mail_in.addresses.sent_mail import SentMail, SentMailAddresses
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.reading.message import IncomingMessage

MARKED: Final = "bounce-marked"
POLICY: Final = "bounce-policy"
"""How a mail is counted that tells that one of ours did not arrive, for its address or by a rule of
its mail server."""
_OF_NOTICE: Final = re.compile(
    rf"(?P<game>{ids.GAME_ID}|{ids.PLAYER_ID})\.(?P<version>[0-9]{{1,9}})"
    rf"\.(?P<player>{ids.PLAYER_ID})\.(?P<kind>[a-z-]{{1,40}})"
)
"""As `workers/mail/compose.py` writes it."""


class Bounces:
    """Marks the address of a mail that came back for good, and no other."""

    def __init__(
        self,
        bounce_addresses: SentMailAddresses,
        players: Players,
        addresses: EmailAddresses,
        games: Games,
    ) -> None:
        self.addresses = bounce_addresses
        self._players = players
        self._failing = addresses.failing
        self._games = games

    def process(self, mail: SentMail, message: IncomingMessage) -> Outcome:
        """What has come to the address for mail that comes back. Nobody is answered.

        Raises `Dropped` for what is no report.
        """
        if (report := message.body.report) is None:
            raise Dropped(message.automatic or "misdirected")
        if report.result not in ("for_good", "policy"):
            return Outcome(f"bounce-{report.result}")
        player = self._players.find(mail.of)
        email = self._address(mail, player)
        if email is None:
            return Outcome("bounce-former")
        by_policy = report.result == "policy"
        marked = self._failing.mark_returned(email, report.said, mail.sent, by_policy=by_policy)
        label = "bounce-late" if not marked else POLICY if by_policy else MARKED
        if player is None:
            return Outcome(label)
        return Outcome(label, player=player.id, about=_notice(report.of or "", player.id))

    def _address(self, mail: SentMail, player: Player | None) -> str | None:
        """The address that the mail went to; None where it is not its owner's any more."""
        invited = None if player else self._games.invitations.address(mail.of)
        known = (player.email, player.pending) if player else (invited,)
        return next((one for one in known if one and self.addresses.mark(one) == mail.mark), None)


def _notice(message_id: str, player: str) -> str:
    """The id of the notice to this player that the mail of that Message-ID told; else empty."""
    found = _OF_NOTICE.fullmatch(message_id.partition("@")[0])
    if found is None or found["player"] != player:
        return ""
    return notice_id(found["game"], int(found["version"]), found["player"], "mail", found["kind"])
