"""Finds the content of mails that show no game: about a challenge, a vacation, an
account (links that verify an address or sign in), or a removed game, whose data is deleted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, NamedTuple

from letters.inert import inert_name
from service.accounts.answer_addresses import CONFIRM, CONFIRMED
from service.accounts.email_addresses import CHANGED, VERIFY
from service.accounts.faces import Face, face_of
from service.accounts.links import SIGN_IN
from service.accounts.names import NOBODY, displayable, shown_name
from service.accounts.player import Player
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp
from service.core.words import N_, Words
from service.eventlog import NoticeParts
from service.games.challenge import Challenge
from service.games.notices import GAME_REMOVED
from service.games.reading.views import challenge_view
from service.mail_in.addresses import Use
from service.text.game_terms import described, first_player
from service.text.moments import by, short_moment
from workers.context import WorkerContext
from workers.mail.news import harmless


@dataclass(frozen=True)
class ChallengeMail:
    """A challenge as a mail describes it. `exact_…` are names exactly as their players chose
    them; `words` are the reader's."""

    words: Words
    challenge: Challenge
    exact_challenger: str
    exact_challenged: str
    challenger: str
    challenged: str
    game_words: str
    until: str
    link: str
    face: Face

    @property
    def status(self) -> str:
        return self.challenge.status

    @property
    def challenge_as_sender(self) -> str:
        """The challenger, or the player who made a counter-offer, as a sender's name."""
        name = harmless(self.words, self.exact_challenger)
        if self.challenge.counters:
            return self.words.say("%(name)s · a counter-offer", name=name)
        return self.words.say("%(name)s challenges you", name=name)

    @property
    def end_as_sender(self) -> str:
        """The player who ended the challenge, and how, as a sender's name."""
        words = self.words
        if self.status == "withdrawn":
            name = harmless(words, self.exact_challenger)
            return words.say("%(name)s · challenge withdrawn", name=name)
        name = harmless(words, self.exact_challenged)
        if self.status == "declined":
            return words.say("%(name)s declined", name=name)
        return words.say("%(name)s · challenge expired", name=name)

    @property
    def ending(self) -> str:
        """A sentence about the end of the challenge, for the other player; empty while it is
        open."""
        message = _ENDINGS.get((self.challenge.status, bool(self.challenge.counters)))
        by = self.challenger if self.challenge.status == "withdrawn" else self.challenged
        return "" if message is None else self.words.say(message, name=by)

    @property
    def variables(self) -> dict[str, object]:
        return {**vars(self), "ending": self.ending}


_ENDINGS: Final = {
    ("declined", False): N_("%(name)s declined your challenge."),
    ("declined", True): N_("%(name)s declined your counter-offer."),
    ("withdrawn", False): N_("%(name)s has withdrawn the challenge to you."),
    ("withdrawn", True): N_("%(name)s has withdrawn the counter-offer to you."),
    ("expired", False): N_("%(name)s has not answered your challenge in time: it has expired."),
    ("expired", True): N_("%(name)s has not answered your counter-offer in time: it has expired."),
}
"""How a challenge ended, by its status and whether it was a counter-offer."""


def challenge_mail(
    words: Words, context: WorkerContext, notice: NoticeParts, zone: tzinfo
) -> ChallengeMail | None:
    """Return the challenge of this notice, as far as its recipient may see it; None if it is
    gone."""
    container = context.container
    try:
        challenge = container.games.challenges.find(notice.subject, notice.recipient)
    except RequestRejected:
        return None
    names = container.players.names([challenge.by, challenge.to])
    by, to = (displayable(names.get(one, NOBODY)) for one in (challenge.by, challenge.to))
    view = challenge_view(challenge, {})
    first = first_player(words, view["first_player"], inert_name(by))
    other = challenge.by if notice.recipient == challenge.to else challenge.to
    return ChallengeMail(
        words=words,
        challenge=challenge,
        exact_challenger=by,
        exact_challenged=to,
        challenger=inert_name(shown_name(words, by)),
        challenged=inert_name(shown_name(words, to)),
        game_words=described(words, view) + (f"; {first}" if first else ""),
        until=short_moment(words, timestamp(challenge.expires), zone),
        link=f"{container.settings.base_url}/challenges/{challenge.id}",
        face=face_of(other, container.players.chosen_face(other)),
    )


@dataclass(frozen=True)
class VacationMail:
    """The content of a mail about a vacation that ends at `end` (unix seconds)."""

    words: Words
    sentence: str
    link: str
    end: int

    @property
    def variables(self) -> dict[str, object]:
        return vars(self)


def vacation_mail(
    words: Words, context: WorkerContext, notice: NoticeParts, zone: tzinfo
) -> VacationMail | None:
    """Return the vacation that this notice is about; None if it is over or no longer exists."""
    now = context.container.now()
    for begin, end in context.container.games.calendars.of(notice.recipient).to_come(now):
        if end // DAY == notice.version and begin <= now:
            until = by(words, timestamp(end), zone, now)
            said = words.say(
                "Your vacation ends on %(moment)s; then your time counts again.", moment=until
            )
            return VacationMail(words, said, context.container.settings.base_url, end)
    return None


class AccountMail(NamedTuple):
    """A mail about an account: its recipient's address, the link in it, and a reply address if an
    answer can replace the link. `reason` is what the operator writes, `player` whose account it is
    if the notice does not say so, `name` the player's, if the reader is told it."""

    to: str
    link: str
    reply_to: str | None = None
    reason: str = ""
    player: str | None = None
    name: str = ""


def _verify(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None:
        return None
    failing = context.container.addresses.failing
    is_settled = player.verified and not failing.find(player.email)
    email = player.pending or (None if is_settled else player.email)
    if email is None:
        return None
    link = context.container.addresses.links.url(player.id, email, notice.version)
    reply_to = _reply_to(context, "confirm", notice, email)
    return AccountMail(email, link, reply_to, name=_shown_name(player))


def _shown_name(player: Player) -> str:
    """Return the player's name for whoever has an address that was given for them; empty if it is
    long enough to hold a message of its own."""
    name = displayable(player.name)
    return inert_name(name) if len(name) <= _LONGEST and len(name.split()) < 3 else ""


_LONGEST: Final = 24


def _reply_to(context: WorkerContext, use: Use, notice: NoticeParts, email: str) -> str | None:
    confirming = context.container.incoming_mail.confirming
    return confirming.write(use, notice.recipient, email, notice.version)


def _sign_in(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    found = context.container.sign_in.link_to_send(notice.subject)
    if found is None:
        return None
    email, link, player = found
    return AccountMail(email, link, player=player)


def _answer_address(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    link = context.container.answer_addresses.link_to_send(notice)
    if player is None or link is None:
        return None
    reply_to = _reply_to(context, "answer", notice, link[0])
    return AccountMail(*link, reply_to, name=_shown_name(player))


def _answer_address_added(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None or not player.verified or player.email is None:
        return None
    return AccountMail(player.email, f"{context.container.settings.base_url}/account")


def _changed(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    former = context.container.addresses.former_address(notice.subject)
    if former is None:
        return None
    player, email = former
    return AccountMail(email, f"{context.container.settings.base_url}/account", player=player)


def _game_removed(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    container = context.container
    player = container.players.find(notice.recipient)
    removal = container.log.events.removal(notice.subject)
    if player is None or removal is None:
        return None
    if context.mailer.needs_address and not player.verified:
        return None
    to = player.email or f"{player.id}@mailbox.invalid"
    return AccountMail(to, container.settings.base_url, reason=removal.words)


WRITERS: Final[Mapping[str, Callable[[WorkerContext, NoticeParts], AccountMail | None]]] = {
    VERIFY: _verify,
    SIGN_IN: _sign_in,
    CHANGED: _changed,
    CONFIRM: _answer_address,
    CONFIRMED: _answer_address_added,
    GAME_REMOVED: _game_removed,
}
"""Each kind of mail about an account, and how to find its content; None if it is out of date."""
