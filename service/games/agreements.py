"""Abandoning a running game, and pausing its clock: one player offers it, the other agrees.

An offer to abandon stays open while the game goes on. The terms of an offer to pause are the end of
the pause, or that it has no end; it lapses once that end has passed.

Offers that need the other player's agreement, each kind in its own field of the side state.

The field holds the last offer of its kind: `offered NUMBER VERSION DUE SEAT TERMS` while it is
open, then `agreed …`, `declined …`, or `gone …` once it was withdrawn. VERSION is the game's at the
offer, DUE the moment (unix seconds) at which its last notice is due. A new offer replaces an open
one. Earlier programs wrote `SEAT TERMS`, `told VERSION SEAT` for a closed offer, both with the
number 1, and `gone …` for all closed ones.

An agreement names the number of the offer, so that nobody agrees to terms they have not seen. The
number is the minute in which the offer was made, or one more than the last number of either kind:
it never decreases, not even after a restore from a backup.

The other player gets one delayed notice of new terms: it describes the offer that is open when it
is due. At most one notice an hour is due for a player's offers, and none for the same offer
repeated at the same version of the game.

The player who made an offer gets one notice when the other player answers, whose id names the
offer's number, and one when the offer lapses, whose id names the day (`lapse_number`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, NamedTuple

import engine
from service.core.errors import RequestRejected, overtaken
from service.core.times import DAY, HOUR, MINUTE, unix
from service.eventlog import (
    Changed,
    EventLog,
    FieldChange,
    IdempotencyKey,
    Notice,
    Repeated,
    notice_id,
)
from service.games import permissions
from service.games.deadlines import Deadlines
from service.games.drafts import ABANDONMENT, PAUSE, Draft
from service.games.notices import Reachability
from service.games.player_changes import PlayerChanges, running_clock
from service.games.projections.feed_log import Announcement, PlayerNews
from service.games.rating import bot_declines
from service.games.stored_game import StoredGame
from service.games.writer import ChangeContext, ChangeWriter
from service.text.game_terms import BOT_DECLINES

PERIOD: Final = HOUR
"""Seconds between two notices of one player's offers of a kind."""
LAST_NUMBER: Final = 999_999_999
"""The highest number of an offer."""
_EARLIER: Final = 1
"""The number of offers that earlier programs stored without a number."""
_KINDS: Final = (ABANDONMENT, PAUSE)
UNLIMITED: Final = "open"
"""The terms of a pause without an end."""
ANSWERED: Final = "answered"
"""The kind of notice telling a player the outcome of their offer."""
OfferState = Literal["offered", "agreed", "declined", "gone"]
"""The state of an offer: open, or why it is closed (`gone`: withdrawn)."""


class Offer(NamedTuple):
    """An offer: the seat that makes it, its terms (the end of a pause; empty for an abandonment),
    its number.

    `notice_due` is the moment at which its last notice is due (unix seconds).
    """

    by: engine.Seat
    terms: str = ""
    number: int = _EARLIER
    notice_due: int = 0

    @property
    def until(self) -> str | None:
        """The end of the offered pause; None if it has none, and for an abandonment."""
        return None if self.terms in ("", UNLIMITED) else self.terms

    def is_latest_notice(self, notice_version: int) -> bool:
        """Whether a notice with this version in its id is the latest one of this offer."""
        return self.number == _EARLIER or notice_version == _named(self.notice_due)


class LastOffer(NamedTuple):
    """The last offer of a kind, its state, and the game's version at the offer."""

    offer: Offer
    state: OfferState
    version: int

    def text(self) -> str:
        """The offer, its state and version as text for the side state."""
        offer = self.offer
        parts = (self.state, offer.number, self.version, offer.notice_due, offer.by, offer.terms)
        return " ".join(map(str, parts)).rstrip()


def open_offer(
    field: str, stored: StoredGame, side_state: Mapping[str, str], now: float
) -> Offer | None:
    """The open offer in this field of a game's side state; None without one, once the game is over,
    or once the end of the offered pause has passed."""
    offer = None if stored.game.over else _read_offer(field, side_state)
    has_lapsed = offer is not None and offer.until is not None and unix(offer.until) <= now
    return None if has_lapsed else offer


def was_declined(field: str, side_state: Mapping[str, str], by: engine.Seat, since: float) -> bool:
    """Whether the last offer in this field of a game's side state is one by this seat, made since
    this moment (unix seconds), that the other player declined."""
    last = last_offer(field, side_state)
    if last is None or last.state != "declined":
        return False
    return last.offer.by == by and last.offer.notice_due >= since


def _read_offer(field: str, side_state: Mapping[str, str]) -> Offer | None:
    last = last_offer(field, side_state)
    return last.offer if last is not None and last.state == "offered" else None


class GameOffer(NamedTuple):
    """A game, and its open offer of a kind: None without one."""

    stored: StoredGame
    offered: Offer | None


@dataclass(eq=False, repr=False)
class Offers:
    """The offers of one kind, in all games. `now` gives unix seconds.

    `field` of a game's side state holds the offer; it is also the kind of the mails about it.
    """

    field: ClassVar[str]
    none_open: ClassVar[str]
    """What is said to a player who accepts an offer that is not open."""

    _log: EventLog
    _writer: ChangeWriter
    _deadlines: Deadlines
    _reachability: Reachability
    _now: Callable[[], float]
    _news: PlayerNews
    _changes: PlayerChanges

    def offered(self, stored: StoredGame) -> Offer | None:
        """The open offer of this game; None without one."""
        return open_offer(self.field, stored, self._log.side_state.read(stored.id), self._now())

    def last(self, stored: StoredGame) -> LastOffer | None:
        """The last offer made in this game, open or not; None without one."""
        return last_offer(self.field, self._log.side_state.read(stored.id))

    def _seat(self, stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
        """The player's seat, if there is something to agree on. Raises what `agree` does."""
        raise NotImplementedError

    def _command(self, offer: Offer) -> engine.Command:
        """What the game does once both agree. Raises `RequestRejected` for terms out of bounds."""
        raise NotImplementedError

    def accept(self, game_id: str, player: str, number: int, context: ChangeContext) -> StoredGame:
        """Agree to the other player's offer of this number.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> StoredGame:
            seat = self._seat(stored, player, context)
            side_state = self._log.side_state.read(game_id)
            offer = open_offer(self.field, stored, side_state, self._now())
            if offer is None or offer.by == seat:
                raise RequestRejected("no-offer", self.none_open)
            if offer.number != number:
                raise RequestRejected("no-offer", "The other player has changed the offer.")
            command = self._command(offer._replace(by=seat))
            draft = self._writer.draft(game_id, stored, command, context.via)
            return self._write(draft, seat, side_state.get(self.field, ""), context)

        return self._changes.attempt(game_id, context, change, lambda repeated: repeated)

    def _agree(
        self, stored: StoredGame, player: str, terms: str, context: ChangeContext
    ) -> GameOffer:
        """Make an offer with these terms; or, if the other player offers the same, write the
        command, and return the game after it. A bot agrees at once. Once an offer lapses, its
        player is notified. Raises `RequestRejected`, `bot-declines`, if the game is rated;
        `Overtaken` if another write comes first, or this request was already handled under its
        key.
        """
        wanted = Offer(self._seat(stored, player, context), terms)
        draft = self._writer.draft(stored.id, stored, self._command(wanted), context.via)
        if bot_declines(stored):
            raise RequestRejected("bot-declines", BOT_DECLINES)
        by, side_state = wanted.by, self._log.side_state.read(stored.id)
        current = side_state.get(self.field, "")
        offer = _read_offer(self.field, side_state)
        is_same = offer is not None and offer.terms == terms
        if (offer and is_same and offer.by != by) or stored.has_bot:
            return GameOffer(self._write(draft, by, current, context), None)
        after, notices = current, list[Notice]()
        if not is_same or offer is None:
            made, notices = self._new(stored, by, terms, side_state)
            after, offer = made.text(), made.offer
            if wanted.until is not None:
                lapses = unix(wanted.until)
                notices += self._notices(stored, lapse_number(lapses), by, ANSWERED, lapses)
        # Meanwhile no offer of the other kind may take the same number.
        other_kind = PAUSE if self.field == ABANDONMENT else ABANDONMENT
        untouched = side_state.get(other_kind, "")
        changes = [
            FieldChange(self.field, current, after),
            FieldChange(other_kind, untouched, untouched),
        ]
        answer = self._log.side_state.change(
            stored.id, changes, version=stored.version, notices=notices, key=context.key
        )
        if not isinstance(answer, Changed):
            # The other player has just made the same offer, or a move.
            raise overtaken(self._log.events.version(stored.id))
        if after != current:
            self._announce(stored, by, after)
        return GameOffer(stored, offer)

    def withdraw(self, game_id: str, player: str, key: IdempotencyKey | None = None) -> GameOffer:
        """Withdraw or decline the offer. May be repeated: a repeat under its `key` leaves later
        offers alone."""
        stored = self._deadlines.current(game_id)
        seat, side_state = permissions.own_seat(stored, player), self._log.side_state.read(game_id)
        last = last_offer(self.field, side_state)
        if last is not None and last.state == "offered":
            # An offer of an earlier program has no version: it counts as made at this one. An offer
            # whose notice is not due yet has reached nobody: made again, it is a new one.
            version = (
                (last.version or stored.version) if last.offer.notice_due <= self._now() else 0
            )
            own = last.offer.by == seat
            closed = last._replace(state="gone" if own else "declined", version=version)
            change = FieldChange(self.field, side_state[self.field], closed.text())
            notices = [] if own else self._answered(stored, last.offer)
            self._log.side_state.change(game_id, [change], notices=notices, key=key)
            self._announce(stored, seat, closed.text())
        return GameOffer(stored, None)

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key withdrew or declined an offer."""
        return isinstance(self._log.events.recall(game_id, key), Repeated)

    def _announce(self, stored: StoredGame, by: engine.Seat, text: str) -> None:
        """Announce the offer to both players' open pages: it is not an event in the log."""
        news = Announcement("offer", stored.id, f"{self.field} {text}")
        self._news.publish(stored.players, stored.game.players[by] or "", news)

    def _write(
        self, draft: Draft, seat: engine.Seat, current: str, context: ChangeContext
    ) -> StoredGame:
        """Write the draft by which the player in this seat agrees, if the field still holds
        `current`."""
        last, after, notices = _read(current), draft.after, list[Notice]()
        if last is not None and last.state == "offered" and not after.game.over:
            last = last._replace(state="agreed")
            if last.offer.by != seat:
                notices = self._answered(after, last.offer)
        text = "" if last is None or after.game.over else last.text()
        change = FieldChange(self.field, current, text)
        return self._writer.write(draft, after.game.players[seat], context, [change], notices)

    def _new(
        self, stored: StoredGame, by: engine.Seat, terms: str, side_state: Mapping[str, str]
    ) -> tuple[LastOffer, list[Notice]]:
        """A new offer with its own number, and its notice to the other player.

        There is no notice if they already got one about the same offer, or one is pending.
        """
        now, last = int(self._now()), last_offer(self.field, side_state)
        lasts = filter(None, (last_offer(kind, side_state) for kind in _KINDS))
        highest = max((one.offer.number for one in lasts), default=_EARLIER)
        number, due, is_announced = max(now // MINUTE, highest + 1), now, False
        if last is not None and last.offer.by == by:
            is_same = (last.version, last.offer.terms) == (stored.version, terms)
            is_announced = is_same or last.offer.notice_due > now
            due = (
                last.offer.notice_due if is_announced else max(now, last.offer.notice_due + PERIOD)
            )
        made = LastOffer(Offer(by, terms, number, due), "offered", stored.version)
        to = engine.OTHER[by]
        return made, [] if is_announced else self._notices(stored, _named(due), to, self.field, due)

    def _answered(self, stored: StoredGame, offer: Offer) -> list[Notice]:
        """The notice of the answer to the player who made this offer: empty if no notice reaches
        them."""
        return self._notices(stored, offer.number, offer.by, ANSWERED, self._now())

    def _notices(
        self, stored: StoredGame, number: int, to: engine.Seat, kind: str, due: float
    ) -> list[Notice]:
        recipient = stored.game.players[to]
        assert recipient is not None, "a running game has two players"
        notice = notice_id(stored.id, number, recipient, "mail", kind)
        return self._reachability.reachable([Notice(notice, due)])


def lapse_number(lapses: float) -> int:
    """The number in the id of the notice of an offer that lapses at this moment: its day.

    Offers that replace each other all day share the notice, so that notices do not pile up.
    """
    return int(lapses // DAY)


def _named(due: int) -> int:
    """The number used as the version in a notice's id.

    It is the minute in which the notice is due: one version of the game may have several notices,
    but no two in a minute.
    """
    return due // MINUTE


def last_offer(field: str, side_state: Mapping[str, str]) -> LastOffer | None:
    """The last offer, read from a field of a game's side state; None without one."""
    return _read(side_state.get(field, ""))


def _read(text: str) -> LastOffer | None:
    state, *parts = text.split(" ")
    match state:
        case "offered" | "agreed" | "declined" | "gone":
            number, version, due, by, *terms = parts
            offer = Offer(_seat_named(by), " ".join(terms), int(number), int(due))
            return LastOffer(offer, state, int(version))
        case "told":
            version, by = parts
            return LastOffer(Offer(_seat_named(by)), "gone", int(version))
        case "":
            return None
    return LastOffer(Offer(_seat_named(state), " ".join(parts)), "offered", 0)


def _seat_named(text: str) -> engine.Seat:
    return "north" if text == "north" else "south"


LONGEST: Final = 90 * DAY
SHORTEST: Final = 10 * MINUTE
"""The shortest pause with an end, in seconds."""


class Abandonments(Offers):
    """Offers to abandon a game, in all games."""

    field = ABANDONMENT
    none_open = "Nobody offers to end the game any more."

    def agree(self, game_id: str, player: str, context: ChangeContext) -> GameOffer:
        """Offer to abandon the game, or agree to the other player's offer, which ends the game.

        Repeating a request under its key makes no second offer. Raises `RequestRejected`:
        `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """

        def answer_again(stored: StoredGame) -> GameOffer:
            last = None if stored.game.over else self.last(stored)
            is_own = last is not None and last.offer.by == stored.seat_of(player)
            return GameOffer(stored, last.offer if last and is_own else None)

        return self._changes.attempt(
            game_id, context, lambda stored: self._agree(stored, player, "", context), answer_again
        )

    def _seat(self, stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
        seat = permissions.own_seat(stored, player)
        context.check(stored)
        if stored.game.status == "open":
            raise RequestRejected("game-not-started", "The second seat is still empty.")
        if stored.game.over:
            raise engine.game_over(stored.game)
        return seat

    def _command(self, offer: Offer) -> engine.Command:
        return engine.Abandon(offer.by)


class Pauses(Offers):
    """Offers to pause the clock, in all games."""

    field = PAUSE
    none_open = "No pause is offered to you any more."

    def agree(
        self, game_id: str, player: str, until: str | None, context: ChangeContext
    ) -> GameOffer:
        """Offer to pause the clock, or agree if the other player offers the same.

        Raises `RequestRejected`: `no-clock`, `bad-pause`, `game-over`, …
        """
        return self._changes.attempt(
            game_id,
            context,
            lambda stored: self._agree(stored, player, until or UNLIMITED, context),
            lambda repeated: GameOffer(repeated, self.offered(repeated)),
        )

    def _seat(self, stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
        seat = permissions.own_seat(stored, player)
        context.check(stored)
        running_clock(stored)
        if stored.terms.season is not None:
            raise RequestRejected("bad-pause", "A game of a season has no pauses: others wait.")
        return seat

    def _command(self, offer: Offer) -> engine.Command:
        until = offer.until
        if until is not None and not SHORTEST <= unix(until) - self._now() <= LONGEST:
            raise RequestRejected(
                "bad-pause",
                "A pause ends in %(least)s minutes to %(most)s days from now.",
                {"least": SHORTEST // MINUTE, "most": LONGEST // DAY},
            )
        return engine.PauseClock(offer.by, until)
