"""Challenging a player: making, accepting, declining and countering a challenge."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import engine
from service.accounts.player import Player, is_bot
from service.accounts.players import Players
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected, key_reused
from service.core.redis.batch import Query
from service.core.times import DAY
from service.core.words import N_
from service.eventlog import Changed, EventLog, FieldChange, IdempotencyKey, Notice, notice_id
from service.eventlog.results import report_repeat
from service.games.challenge import (
    Challenge,
    ChallengeList,
    Status,
    challenge_text,
    new_challenge,
    read_challenge,
)
from service.games.clock.state import check_clock
from service.games.creation import Seals, used
from service.games.drafts import CHALLENGE
from service.games.limits import ContactLimits, GameRequest
from service.games.notices import Reachability
from service.games.projections.feed_log import Announcement, PlayerNews
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.terms import NewGame, creation, joining, unrated_if_own
from service.games.writer import ChangeContext, ChangeWriter

MOST_LISTED: Final = 20
"""The most players that a refusal of an ambiguous name lists."""
_TRIES: Final = 5
_ENDS: Final[Mapping[Status, str]] = {
    "accepted": N_("This challenge was accepted."),
    "declined": N_("This challenge was declined."),
    "withdrawn": N_("This challenge was withdrawn."),
    "countered": N_("This challenge was answered with a counter-offer."),
    "expired": N_("This challenge has expired."),
}
ANSWER_LIFE: Final = 14 * DAY
"""Seconds for which a challenge's answer can be read after it is answered or expires."""


@dataclass(frozen=True, slots=True)
class Challenges:
    """The challenges of all players. `now` gives unix seconds.

    Every method raises `RequestRejected`, with a stable code, if the caller may not do this.
    """

    _list: ChallengeList
    _log: EventLog
    _repository: GameRepository
    _writer: ChangeWriter
    _players: Players
    _contact: ContactLimits
    _seals: Seals
    _reachability: Reachability
    _secret_key: str
    _now: Callable[[], float]
    _news: PlayerNews

    # Reading

    def find(self, challenge_id: str, player: str) -> Challenge:
        """The current challenge, for its two players: for anyone else it is not found."""
        challenge = self._find(challenge_id)
        if challenge is None or player not in (challenge.by, challenge.to):
            raise RequestRejected("challenge-not-found", "There is no challenge with this id.")
        return challenge

    def challenged(self, challenge_id: str) -> str:
        """The player who may accept or decline this challenge."""
        return self._stored(challenge_id)[1].to

    def challenger(self, challenge_id: str) -> str:
        """The player who made this challenge."""
        return self._stored(challenge_id)[1].by

    def open_of(
        self, player: str, after: str | None, limit: int
    ) -> tuple[list[Challenge], str | None]:
        """A page of the open challenges by and to this player, and the cursor of the next page."""
        page, found = self._list.page(player, after, limit), list[Challenge]()
        for challenge_id in page.game_ids:
            challenge = self._find(challenge_id)
            if challenge is None or player not in (challenge.by, challenge.to):
                self._list.forget(player, challenge_id)
            elif challenge.status == "open":
                found.append(challenge)
            else:
                self._list.drop(challenge)
        return found, page.next

    def newest_query(self, player: str, limit: int) -> Query[list[str]]:
        """The query for the ids of the newest open challenges by and to this player."""
        return self._list.newest_query(player, limit)

    def asks_query(self, challenge_id: str, player: str) -> Query[bool]:
        """The query for whether this challenge waits for the player's answer."""

        def asks(side_state: Mapping[str, str]) -> bool:
            text = side_state.get(CHALLENGE)
            challenge = read_challenge(text).at(self._now()) if text else None
            return challenge is not None and (challenge.to, challenge.status) == (player, "open")

        return self._log.side_state.query(challenge_id).then(asks)

    def declined_of(self, player: str, limit: int) -> list[Challenge]:
        """This player's declined challenges, each until the player has acknowledged it."""
        challenges = [(made, self._find(made)) for made in self._list.declined(player, limit)]
        for challenge_id, challenge in challenges:
            if challenge is None:
                self._list.forget(player, challenge_id)
        return [challenge for _, challenge in challenges if challenge is not None]

    def reindex(self, challenge_id: str) -> bool:
        """Add this challenge to both players' lists if it is open; return whether it is. May be
        repeated."""
        challenge = self._find(challenge_id)
        if challenge is None:
            return False
        if challenge.counters is not None:
            # A backup may have read the lists before the challenge was closed.
            answer = {"status": "countered", "counter_offer": challenge_id}
            with suppress(RequestRejected):
                self._close(challenge.counters, answer)
        if challenge.status == "open":
            self._list.add(challenge)
        if challenge.status == "declined":
            self._list.decline(challenge, ANSWER_LIFE)
        return challenge.status == "open"

    # By the challenger

    def make(
        self, player: str, to: str, wanted: NewGame, key: IdempotencyKey | None = None
    ) -> Challenge:
        """Challenge another player; the same `key` gives the same challenge.

        The game uses the secret of the seal, if one is given; otherwise a secret drawn now.
        """
        if key is not None:
            challenge_id = ids.derived_game_id(self._secret_key, "challenge", player, key.key)
        elif wanted.seal is not None:
            parts = ("sealed challenge", player, wanted.seal)
            challenge_id = ids.derived_game_id(self._secret_key, *parts)
        else:
            challenge_id = ids.game_id()
        asked = key.fingerprint if key else ids.secret_text()
        request = GameRequest(player, challenge_id, wanted.invitation_days)
        if (challenge := self._find(challenge_id)) is not None:
            report_repeat()
        else:
            permit = partial(self._contact.permit, request)
            made = self._new(challenge_id, player, to, wanted, permit)
            challenge = self._put(made._replace(asked=asked))
        if challenge.asked != asked:
            raise key_reused() if key else used()
        return challenge

    def by_name(self, name: str) -> str:
        """The id of the only player with this name, ignoring case and accents.

        Raises `RequestRejected`: `ambiguous-name`, `unknown-opponent`.
        """
        players = self._players.named(name)
        if len(players) > 1:
            choices = [
                {"id": player.id, "name": player.name, "bot": is_bot(player.id)}
                for player in players[:MOST_LISTED]
            ]
            message = N_("Several players have this name: give an id.")
            raise RequestRejected("ambiguous-name", message, players=choices)
        if not players:
            raise RequestRejected("unknown-opponent", "There is no player of this name.")
        return players[0].id

    def withdraw(self, challenge_id: str, player: str) -> Challenge:
        """Withdraw one's own challenge. May be repeated."""
        challenge = self.find(challenge_id, player)
        if challenge.by != player:
            raise RequestRejected("not-challenged", "Only the challenger may take it back.")
        return self._close(challenge_id, {"status": "withdrawn"})

    def notice(self, challenge_id: str, player: str) -> None:
        """Stop listing a declined challenge of this player. May be repeated."""
        if self.find(challenge_id, player).status == "declined":
            self._list.forget(player, challenge_id)

    def withdraw_all(self, player: str) -> None:
        """Withdraw every challenge by this player, and decline every challenge to them."""
        self._list.forget_declined(player)
        after: str | None = None
        while True:
            challenges, after = self.open_of(player, after, 100)
            for challenge in challenges:
                status = "withdrawn" if challenge.by == player else "declined"
                with suppress(RequestRejected):  # it was answered at this very moment
                    self._close(challenge.id, {"status": status})
            if after is None:
                return

    # By the challenged

    def accept(
        self,
        challenge_id: str,
        player: str,
        *,
        salt: str | None = None,
        visited: str | None = None,
        via: str = "api",
    ) -> StoredGame:
        """Accept the challenge and begin the game. May be repeated."""
        self._check_answerer(challenge_id, player)
        for attempt in range(_TRIES):
            text, challenge = self._stored(challenge_id)
            if challenge.status == "accepted":
                return self._repository.get(challenge_id)
            _check_open(challenge)
            secret = challenge.secret or self._seals.secret(challenge.by, None, challenge_id)
            command = creation(challenge.by, challenge.wanted, secret)
            draft = self._writer.draft(challenge_id, None, command, via)
            draft = draft.then(joining(player, draft.after.game, salt, visited), via)
            accepted = challenge_text(challenge._replace(status="accepted"))
            change = FieldChange(CHALLENGE, text, accepted)
            try:
                game = self._writer.write(draft, player, ChangeContext(via), [change])
            except RequestRejected as refusal:
                # Answered or withdrawn at this very moment.
                if refusal.code != "stale-version" or attempt == _TRIES - 1:
                    raise
            else:
                self._list.drop(challenge)
                self._announce(challenge._replace(status="accepted"), player)
                return game
        raise AssertionError("the last attempt answers or refuses")

    def decline(self, challenge_id: str, player: str) -> Challenge:
        """Decline the challenge. May be repeated."""
        self._check_answerer(challenge_id, player)
        return self._close(challenge_id, {"status": "declined"})

    def counter(self, challenge_id: str, player: str, changes: Mapping[str, Any]) -> Challenge:
        """Decline, and make a counter-offer: a challenge in the other direction.

        `changes` are fields of a `NewGame`; the others stay as the challenger wanted them. A
        challenge has one counter-offer at most; repeating the request gives the same one.
        """
        challenge = self._check_answerer(challenge_id, player)
        counter_id = ids.derived_game_id(self._secret_key, "counter-offer", challenge_id)
        if (made := self._find(counter_id)) is not None:
            return made
        if challenge.status != "countered":  # otherwise the first request was cut off
            _check_open(challenge)
        wanted = replace(challenge.wanted.turned(), **changes)
        request = GameRequest(player, counter_id, wanted.invitation_days)

        def ask(opponent: Player) -> None:
            if challenge.status == "open":
                self._contact.permit(request, opponent, instead_of=challenge_id)

        counter = self._new(counter_id, player, challenge.by, wanted, ask)
        # The old one is closed first, so that there are never two that can be accepted.
        self._close(challenge_id, {"status": "countered", "counter_offer": counter_id})
        return self._put(counter._replace(counters=challenge_id))

    # Storage

    def _find(self, challenge_id: str) -> Challenge | None:
        try:
            return self._stored(challenge_id)[1]
        except RequestRejected:
            return None

    def _check_answerer(self, challenge_id: str, player: str) -> Challenge:
        challenge = self.find(challenge_id, player)
        if challenge.to != player:
            raise RequestRejected("not-challenged", "Only the challenged player may answer.")
        return challenge

    def _put(self, challenge: Challenge) -> Challenge:
        """Store a new challenge, or return the one already stored under its id.

        The challenge is closed if its game has begun and its side state has been dropped since.
        """
        change = FieldChange(CHALLENGE, "", challenge_text(challenge))
        notices = [
            *self._notices(challenge, challenge.to, "challenge", self._now()),
            *self._notices(challenge, challenge.by, "expired", challenge.expires),
        ]
        life = challenge.life + ANSWER_LIFE
        self._list.add(challenge)
        answer = self._log.side_state.change(
            challenge.id, [change], version=0, notices=notices, life=life
        )
        if isinstance(answer, Changed):
            self._announce(challenge, challenge.by)
            return challenge
        stored = self._find(challenge.id)
        if stored is None:
            self._list.drop(challenge)
            raise _closed("accepted")
        return stored

    def _stored(self, challenge_id: str) -> tuple[str, Challenge]:
        """The stored text of the challenge, and the challenge as it is now.

        If there is a log, the game has begun, regardless of the side state.
        """
        text = self._log.side_state.read(challenge_id).get(CHALLENGE)
        if text is None:
            raise RequestRejected("challenge-not-found", "There is no challenge with this id.")
        challenge = read_challenge(text).at(self._now())
        if challenge.status != "accepted" and self._log.events.version(challenge_id) > 0:
            challenge = challenge._replace(status="accepted")
        return text, challenge

    def _close(self, challenge_id: str, changes: dict[str, Any]) -> Challenge:
        """Close the challenge with this answer.

        Raises `RequestRejected`: `challenge-closed` if it already has another answer.
        """
        for _ in range(_TRIES):
            text, challenge = self._stored(challenge_id)
            closed = challenge._replace(**changes)
            if challenge == closed:
                return closed
            _check_open(challenge)
            change = FieldChange(CHALLENGE, text, challenge_text(closed))
            # The challenger gets a notice of a counter-offer as of any challenge.
            notified = {"declined": closed.by, "withdrawn": closed.to}.get(closed.status)
            notices = (
                self._notices(closed, notified, closed.status, self._now()) if notified else []
            )
            answer = self._log.side_state.change(
                challenge_id, [change], version=0, notices=notices, life=ANSWER_LIFE
            )
            if isinstance(answer, Changed):
                is_declined = closed.status == "declined"
                self._list.decline(closed, ANSWER_LIFE) if is_declined else self._list.drop(closed)
                self._announce(closed, closed.by if closed.status == "withdrawn" else closed.to)
                return closed
        raise _closed(challenge.status)

    def _announce(self, challenge: Challenge, by: str) -> None:
        news = Announcement("challenge", challenge.id, challenge.status)
        self._news.publish((challenge.by, challenge.to), by, news)

    def _notices(self, challenge: Challenge, recipient: str, kind: str, due: float) -> list[Notice]:
        notice = notice_id(challenge.id, 1, recipient, "mail", kind)
        return self._reachability.reachable([Notice(notice, due)])

    def _new(
        self,
        challenge_id: str,
        player: str,
        to: str,
        wanted: NewGame,
        ask: Callable[[Player], None],
    ) -> Challenge:
        """A valid open challenge. Checks the limits for asking the opponent, and uses up the seal,
        if given. Raises `RequestRejected` and `engine.RuleBroken`."""
        check_clock(wanted.clock, wanted.rounds, self._now())
        if to == player:
            raise RequestRejected("own-game", "Nobody plays against themselves.")
        opponent = None if bot_at(to) is not None else self._players.find(to)
        if opponent is None:
            raise RequestRejected(
                "unknown-opponent", "There is no player with this id to be challenged."
            )
        secret = self._seals.secret(player, wanted.seal, challenge_id)
        engine.decide(None, creation(player, wanted, secret))  # refuses an impossible game
        ask(opponent)
        self._seals.use(player, wanted.seal, challenge_id)
        unsealed = unrated_if_own(replace(wanted, seal=None), player, to, self._players)
        return new_challenge(challenge_id, player, to, unsealed, self._now(), secret=secret)


def _check_open(challenge: Challenge) -> None:
    if challenge.status != "open":
        raise _closed(challenge.status)


def _closed(status: Status) -> RequestRejected:
    return RequestRejected("challenge-closed", _ENDS[status], challenge_status=status)
