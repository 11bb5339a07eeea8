"""Handles bounces: reports that a mail of ours did not arrive, and what they mean for its
address."""

import re
from typing import Final

from service.accounts.email_addresses import EmailAddresses
from service.accounts.player import Player
from service.accounts.players import Players
from service.core import ids
from service.eventlog import notice_id
from service.games import Games
from service.mail_in.addresses.sent_mail import SentMail, SentMailAddresses
from service.mail_in.message import IncomingMessage
from service.mail_in.outcome import Dropped, Outcome

MARKED: Final = "bounce-marked"
POLICY: Final = "bounce-policy"
"""Labels that count bounces which marked an address: it failed for good, or a rule of its mail
server refused the mail."""
_OF_NOTICE: Final = re.compile(
    rf"(?P<game>{ids.GAME_ID}|{ids.PLAYER_ID})\.(?P<version>[0-9]{{1,9}})"
    rf"\.(?P<player>{ids.PLAYER_ID})\.(?P<kind>[a-z-]{{1,40}})"
)
"""Matches the part of a Message-ID before the `@`, as `workers/mail/compose.py` writes it."""


class Bounces:
    """Marks the address that a bounced mail was sent to, and no other."""

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
        """Carry out a mail to a bounce address, and return how it is counted. Nobody is answered.

        Raises `Dropped` if the mail is not a delivery report.
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
        """Return the e-mail address that the mail went to; None if it no longer belongs to that
        player or invitation."""
        invited = None if player else self._games.invitations.address(mail.of)
        emails = (player.email, player.pending) if player else (invited,)
        return next((one for one in emails if one and self.addresses.mark(one) == mail.mark), None)


def _notice(message_id: str, player: str) -> str:
    """Return the id of the notice that the mail with this Message-ID brought to this player; empty
    if there is none."""
    match = _OF_NOTICE.fullmatch(message_id.partition("@")[0])
    if match is None or match["player"] != player:
        return ""
    return notice_id(match["game"], int(match["version"]), match["player"], "mail", match["kind"])
