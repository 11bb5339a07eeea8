"""Describes a game for mails about it, from its state when the mail is sent.

A mail is sent only while it is true: a turn that was played meanwhile needs no notice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Final, NamedTuple

from engine import OTHER, SEATS, Seat, verdicts
from engine.cards import BIT
from engine.chain import StoredEvent
from engine.claims import Verdict
from engine.clock_events import CalendarChanged
from engine.events import (
    CLOCK_TYPES,
    GameEnded,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    TimedOut,
)
from letters.inert import inert, inert_name
from letters.wishes import Offered
from service.accounts.faces import Face, face_of
from service.accounts.names import NOBODY, displayable, shown_name
from service.core.times import MINUTE
from service.core.words import N_, Words
from service.games import Games, StoredGame
from service.games.agreements import Offer, open_offer
from service.games.conversation_store import ConversationState, GameMessage
from service.games.drafts import ABANDONMENT, CLOCK, PAUSE, OrderOutcome, read_orders
from service.games.notices import pause_over_at
from service.games.projections.player_games import GameFilter
from service.games.reading.history import OF_A_TURN
from service.games.reading.views import GameShown, redacted
from service.games.repository import RecentEvents
from service.mail_in.outcome import VIA
from service.text import options
from service.text.board import FORMER
from service.text.card_names import card_name, tactic_words
from service.text.event_words import outcome, score
from service.text.game_terms import described
from service.text.history import narrate
from service.text.moments import end_moment, moment, short_moment, time_until, words_in
from service.text.options import held_back
from workers.context import WorkerContext
from workers.mail.news import (
    NOT_NAMED,
    OfferOutcome,
    OtherNames,
    WrittenLines,
    harmless,
    outcome_of_invitation,
    outcome_of_offer,
    written_lines,
)
from workers.mail.position import PositionShown


class Talk(NamedTuple):
    """The messages of a game to the player in `seat`, from the number `since` on."""

    stored: StoredGame
    state: ConversationState
    seat: Seat
    since: int

    @property
    def mailed(self) -> int:
        """The number of the last message that a mail has told."""
        return self.state.mailed[self.seat]


@dataclass(frozen=True)
class GameMail:
    """A game as a mail shows it to a player, or to a guest (`player` is None).

    Everything comes from one reading of the log and of the game's `side_state`. `since` is the
    version of the notice; `words` and `zone` are the reader's.
    """

    words: Words
    games: Games
    base_url: str
    recent: RecentEvents
    side_state: Mapping[str, str]
    player: str | None
    since: int
    zone: tzinfo = UTC
    ladder: str | None = None
    """The name of the ladder on which its reader was challenged to it; None for other games."""
    talk: Talk | None = None
    """The messages of which the mail may tell; None in a mail that tells of none."""

    @property
    def variables(self) -> dict[str, object]:
        return {"game": self, "face": self.face}

    @property
    def face(self) -> Face | None:
        """The mark of the reader's opponent, for a guest of the player who invites."""
        seat = self.stored.game.creator if self.seat is None else OTHER[self.seat]
        player = self.stored.game.players[seat] or self.stored.invited
        return face_of(player, self.games.players.chosen_face(player)) if player else None

    @property
    def stored(self) -> StoredGame:
        return self.recent.stored

    @cached_property
    def view(self) -> GameShown:
        return self.games.view(self.stored, self.player)

    @cached_property
    def names(self) -> dict[str, str]:
        """The name for each seat in the mail's text."""
        return {
            seat: self.words.say(FORMER)
            if name == FORMER
            else inert_name(shown_name(self.words, name))
            for seat, name in self._plain_names.items()
        }

    @cached_property
    def seat(self) -> Seat | None:
        return self.stored.seat_of(self.player)

    @property
    def host(self) -> str:
        return self.names[self.stored.game.creator]

    @cached_property
    def rematch_of(self) -> str | None:
        """The one of the reader's last games of which this is a rematch; None if there is none."""
        if self.player is None:
            return None
        finished, _ = self.games.lists.of_player(self.player, GameFilter("finished"))
        ids = (old["id"] for old in finished)
        return next((old for old in ids if self.games.rematches.is_of(self.stored.id, old)), None)

    @cached_property
    def opponent(self) -> str:
        return next(name for seat, name in self.names.items() if seat != self.seat)

    @property
    def is_opponent_gone(self) -> bool:
        """Whether the opponent's account is deleted: nothing can be offered to them."""
        return self.seat is not None and self._plain_names[OTHER[self.seat]] == FORMER

    @property
    def title(self) -> str:
        """The players of the game, the same in every mail about this game to this reader.

        Names have no language, so that a thread stays one when its reader's language changes.
        """
        if self.stored.listed and self.seat == self.stored.game.creator:
            # Anyone may have taken the seat: a stranger's name must not appear in a subject.
            # Note: in the subject of a mail: "Scottenbury: your game from the lobby"
            return self.words.say("your game from the lobby")
        players = " v ".join(shown_name(self.words, self._plain_names[seat]) for seat in SEATS)
        if self.stored.practice is None:
            return players
        return self.words.say("Practice: %(players)s", players=players)

    @property
    def opponent_as_sender(self) -> str:
        """The opponent's name for the sender's name of a mail."""
        creator = self.stored.game.creator
        if self.stored.listed and self.seat == creator:
            return self.words.say(NOT_NAMED)  # perhaps a stranger from the lobby
        if self.seat is None:  # a guest was invited by the game's creator
            return harmless(self.words, self._plain_names[creator])
        other = next(name for seat, name in self._plain_names.items() if seat != self.seat)
        return harmless(self.words, other)

    @property
    def end_as_sender(self) -> str:
        """The result of the game, as a sender's name."""
        game, words, other = self.stored.game, self.words, self.opponent_as_sender
        if game.status != "finished":
            if self.was_declined:
                return words.say("%(name)s declined", name=other)
            return words.say("Scottenbury · invitation expired")
        if game.winner is None:
            return words.say("%(name)s · a draw", name=other)
        if game.winner == self.seat:
            return words.say("%(name)s · you won", name=other)
        return words.say("%(name)s won", name=other)

    @property
    def turn_played_as_sender(self) -> str:
        """The state of the game after the reader has played by mail, as a sender's name."""
        if self.is_over:
            return self.end_as_sender
        words, other = self.words, self.opponent_as_sender
        if not self.is_to_move:
            return words.say("Done · %(name)s to move", name=other)
        if self.stored.game.phase == "play":
            return words.say("%(opponent_as_sender)s · your turn", opponent_as_sender=other)
        return words.say("%(name)s · your turn goes on", name=other)

    @property
    def invites_as_sender(self) -> str:
        """What the game's maker does, as a sender's name."""
        if self.rematch_of:
            return self.words.say("%(name)s asks for a rematch", name=self.opponent_as_sender)
        return self.words.say("%(name)s invites you", name=self.opponent_as_sender)

    @property
    def invites_to_game(self) -> str:
        """What the game's maker does, as a sentence."""
        if self.rematch_of:
            return self.words.say("%(name)s asks for a rematch.", name=self.host)
        return self.words.say("%(name)s invites you to a game.", name=self.host)

    @property
    def status(self) -> str:
        return self.stored.game.status

    @property
    def link(self) -> str:
        return f"{self.base_url}/games/{self.stored.id}"

    @property
    def invite(self) -> str:
        return self.games.invitations.url(self.stored.id)

    @property
    def rules(self) -> str:
        return f"{self.base_url}/rules"

    @cached_property
    def story(self) -> list[str]:
        """The moves and offers since the reader last acted, including the result of their standing
        order; not that the game began, which is told by `has_begun`."""
        return self._told([line for line in self._lines_since if not _is_beginning(line)])

    @cached_property
    def has_begun(self) -> bool:
        """Whether the game has begun since the reader last acted."""
        return any(_is_beginning(line) for line in self._lines_since)

    @cached_property
    def _lines_since(self) -> list[StoredEvent]:
        since: list[StoredEvent] = []
        for text in reversed(self.recent.lines):  # to parse the whole log takes longer than a mail
            line = self._read(text)
            if self._is_own(line) and line["via"] != "order":
                break
            if line["type"] != CalendarChanged.TYPE:  # the deadline counts it
                since.insert(0, line)
        return since

    def _told(self, lines: list[StoredEvent]) -> list[str]:
        when = words_in(self.words, self.zone)
        sentences = narrate(
            self.words, lines, self.names, self.seat, card_name, lambda say: say(when)
        )
        return [sentence.text for sentence in sentences]

    @property
    def own_turn(self) -> str:
        """What the reader did last, as a sentence; `""` if the lines at hand do not have it."""
        own: list[StoredEvent] = []
        for text in reversed(self.recent.lines):
            line = self._read(text)
            if self._is_own(line):
                own.insert(0, line)
            elif own:
                break
        sentences = narrate(self.words, own, self.names, self.seat, card_name)
        return sentences[-1].text if sentences else ""

    @property
    def has_resigned(self) -> bool:
        """Whether the reader has ended the game by resigning."""
        ends = (self._read(text) for text in self.recent.lines[-3:])
        return self.is_over and any(
            line["type"] == Resigned.TYPE and self._is_own(line) for line in ends
        )

    @property
    def happened_at(self) -> str:
        """The moment of the last event (RFC 3339)."""
        return str(self._read(self.recent.lines[-1])["at"])

    @property
    def news(self) -> str:
        if not self.story and self.has_begun:
            challenged = N_(
                "%(opponent)s challenges you on the ladder “%(ladder)s”. You play first."
            )
            begun = N_("Your game against %(opponent)s has begun. You play first.")
            return self._begun(challenged, begun)
        return self.story[-1] if self.story else ""

    @property
    def beginning(self) -> str:
        """That the game has begun, and the other player is to begin."""
        return self._begun(
            N_("%(opponent)s challenges you on the ladder “%(ladder)s”, and plays first."),
            N_("Your game against %(opponent)s has begun. They play first."),
        )

    @property
    def beginning_in_brief(self) -> str:
        return self._begun(
            N_("%(opponent)s challenges you on the ladder “%(ladder)s”."),
            N_("Your game against %(opponent)s has begun."),
        )

    @property
    def beginning_as_sender(self) -> str:
        """The other player, and that the game has begun, as a sender's name."""
        name = self.opponent_as_sender
        if self.ladder is not None:
            return self.words.say("%(name)s challenges you", name=name)
        return self.words.say("%(name)s · your game has begun", name=name)

    def _begun(self, challenged: str, begun: str) -> str:
        if self.ladder is None:
            return self.words.say(begun, opponent=self.opponent)
        return self.words.say(challenged, opponent=self.opponent, ladder=self.ladder)

    @property
    def turn_news(self) -> str:
        """The last event, and the time for the reader's turn."""
        until = self.deadline
        have = self.words.say("You have until %(deadline)s.", deadline=until) if until else ""
        return " ".join(filter(None, [self.news, have]))

    @property
    def before_the_news(self) -> list[str]:
        is_new = self.ladder is not None and self.has_begun and self.story
        return [*([self.beginning_in_brief] if is_new else []), *self.story[:-1]]

    @cached_property
    def position(self) -> PositionShown:
        names = {
            # Note: the reader of a mail, beside their side of the board
            seat: self.words.say("You") if seat == self.seat else name
            for seat, name in self.names.items()
        }
        # The lines are canonical JSON, so the many others need not be parsed.
        mailed = (self._read(text) for text in reversed(self.recent.lines) if _BY_MAIL in text)
        is_known = any(line["by"] == self.seat and line["type"] in OF_A_TURN for line in mailed)
        return PositionShown(self.words, self.view, self.stored.game, names, self.seat, is_known)

    @property
    def deadline(self) -> str | None:
        """The moment when the time for this turn ends; None without a clock."""
        at = self.view.deadline
        return None if at is None else moment(self.words, at, self.zone)

    @property
    def time_left(self) -> str:
        """The time left for the turn and its end, or why the time begins only now; empty without a
        clock."""
        if self.stored.untold_until is not None:
            return self.words.say(
                "You were not told of this turn before its time was up: it begins anew now."
            )
        at = self.view.deadline
        return "" if at is None else time_until(self.words, at, self.zone, self.games.now())

    @property
    def kind(self) -> str:
        return described(self.words, self.view.kind)

    @property
    def reserved_until(self) -> str:
        assert self.stored.waits_until is not None, "nobody has taken the seat"
        return short_moment(self.words, self.stored.waits_until, self.zone)

    @cached_property
    def choices(self) -> list[str]:
        """The reader's options and restrictions that cards and board do not show."""
        assert self.seat is not None, "a guest has no turn"
        legal, game = self.view.legal, self.stored.game
        if game.phase != "play":
            return options.play_lines(self.words, legal)
        more = options.play_lines(self.words, (text for text in legal if text == "pass"))
        return [*more, *held_back(self.words, game, self.seat, legal, self.opponent)]

    @property
    def effects(self) -> list[str]:
        """What each Tactic card in the reader's hand does."""
        tactics = sorted(card for card in set(self.view.own_cards) if card not in BIT)
        # Note: a Tactic card, and what it does, which is a whole sentence
        message = N_("%(card)s: %(effect)s")
        return [
            self.words.say(
                message, card=card_name(self.words, card), effect=tactic_words(self.words, card)
            )
            for card in tactics
        ]

    @cached_property
    def verdicts(self) -> dict[int, Verdict]:
        """For each Stone where the reader's side is complete: whether a claim would succeed, and
        why."""
        assert self.seat is not None, "a guest has no turn"
        return verdicts(self.stored.game, self.seat)

    @property
    def claimable(self) -> list[int]:
        """The Stones that the reader can claim now, or could after playing."""
        return [stone for stone, verdict in self.verdicts.items() if verdict.stands]

    @property
    def claims(self) -> list[str]:
        return options.claim_lines(self.words, self.verdicts)

    @property
    def claims_come_later(self) -> bool:
        game = self.stored.game
        return game.phase == "play" and game.options.claim_timing == "after_play"

    @cached_property
    def result(self) -> list[str]:
        game = self.stored.game
        if game.status != "finished":
            invited, was_declined = self.opponent, self.was_declined
            return [outcome_of_invitation(self.words, invited, self.stored, was_declined)]
        words, names, seat = self.words, self.names, self.seat
        ending = outcome(words, game.winner, game.reason, names, seat, rounds=game.rounds)
        points = words.say(
            "Points in the match: %(points)s", points=score(words, game.scores, names, seat)
        )
        return [ending, points] if game.rounds > 1 else [ending]

    @property
    def whole_result(self) -> str:
        return " ".join(self.result)

    @property
    def how_it_ended(self) -> str:
        """The end of the game, as the first words of a mail."""
        return self.result[0]

    @property
    def ending(self) -> str:
        """The end of the game, in a list of news of several games."""
        if self.stored.game.status != "finished":
            return self.result[0]
        over = self.words.say("Your game against %(name)s is over.", name=self.opponent)
        return f"{self.result[0]} {over}"

    @property
    def was_declined(self) -> bool:
        """Whether the player for whom the free seat was reserved declined it."""
        return self.stored.invited is not None and self._read(self.recent.lines[-1])["via"] != CLOCK

    @property
    def before_the_end(self) -> list[str]:
        """The moves since the reader last acted, if the game was played."""
        if self.stored.game.status != "finished":
            return []
        lines = [line for line in self._lines_since if not _is_beginning(line)]
        while lines and lines[-1]["type"] in _OF_END:
            lines.pop()
        return self._told(lines)

    @property
    def order(self) -> list[str]:
        """The reader's last order if it was cancelled, and the reason."""
        last = self.cancelled
        if last is None:
            return []
        why = self.words.say(last.message, **last.places) if last.message else ""
        return [
            self.words.say(
                "Your plan was cancelled: %(plan)s.",
                plan=options.order_words(self.words, last.actions),
            ),
            inert(why),
        ]

    @cached_property
    def cancelled(self) -> OrderOutcome | None:
        """The outcome of the reader's last order if it was cancelled and they have not acted
        since."""
        last = read_orders(self.side_state.get(self.seat or "", "")).last
        if last is None or last.outcome != "cancelled" or self.acted_after(last.version):
            return None
        return last

    @property
    def is_to_move(self) -> bool:
        return self.seat is not None and self.stored.game.turn == self.seat

    @property
    def is_turn_open(self) -> bool:
        """Whether the notice's turn is still open, and the reader has played nothing of it
        since."""
        return self.is_to_move and not self.acted_after(self.since)

    @property
    def is_same_turn(self) -> bool:
        """Whether the reader's turn is still open, with the same time limit as in the notice."""
        return self.stored.timed_version == self.since and self.is_to_move

    @property
    def is_opening(self) -> bool:
        """Whether the opponent is to begin a game that the reader has not seen yet."""
        theirs = self.stored.game.turn not in (None, self.seat)
        return theirs and not self.acted_after(self.since)

    @property
    def is_pause_over(self) -> bool:
        """Whether the reader's clock runs again after the agreed pause in the notice."""
        over = pause_over_at(self.stored)
        if over is None or not self.is_to_move:
            return False
        return self.since == over // MINUTE and over <= self.games.now()

    @property
    def is_abandonment_offered(self) -> bool:
        """Whether the notice is the latest one about the opponent's offer to abandon the game."""
        return self.offer is not None and self.offer.is_latest_notice(self.since)

    @property
    def is_pause_offered(self) -> bool:
        """Whether the notice is the latest one about the pause that the opponent offers."""
        pause = self.pause_offer
        return pause is not None and pause.is_latest_notice(self.since)

    @cached_property
    def offer(self) -> Offer | None:
        offer = open_offer(ABANDONMENT, self.stored, self.side_state, self.games.now())
        return None if offer is None or offer.by == self.seat else offer

    @cached_property
    def own_offer(self) -> OfferOutcome | None:
        """The outcome of the reader's own offer that the notice is about."""
        return outcome_of_offer(
            self.words,
            self.stored,
            self.side_state,
            self.seat,
            self.since,
            OtherNames(self.opponent, self.opponent_as_sender),
            self.games.now(),
            self.zone,
        )

    @cached_property
    def unread(self) -> list[GameMessage]:
        """The opponent's messages that the reader has not read, if the mail tells of them."""
        talk = self.talk
        if talk is None or not talk.state.unread[talk.seat]:
            return []
        return self.games.conversations.new_to(talk.stored, talk.seat, talk.since)

    @property
    def unmailed(self) -> list[GameMessage]:
        """The unread messages of which no mail has told before."""
        talk = self.talk
        if talk is None or talk.mailed >= talk.state.last:
            return []
        return [message for message in self.unread if message.number > talk.mailed]

    @property
    def writer(self) -> str:
        """Who has written them: who invites, to a reader who has no seat yet."""
        return self.host if self.seat is None else self.opponent

    @property
    def written(self) -> WrittenLines:
        return written_lines(message.text for message in self.unmailed)

    @cached_property
    def pause_offer(self) -> Offer | None:
        offered = open_offer(PAUSE, self.stored, self.side_state, self.games.now())
        return None if offered is None or offered.by == self.seat else offered

    @cached_property
    def offers(self) -> dict[Offered, str]:
        """The opponent's offers by kind, each in a sentence."""
        sentences: dict[Offered, str] = {}
        words, pause, other = self.words, self.pause_offer, self.opponent
        if pause is not None:
            sentences["pause"] = (
                words.say(
                    "%(name)s offers to pause the clock until %(moment)s.",
                    name=other,
                    moment=end_moment(words, pause.until, self.zone),
                )
                if pause.until
                else words.say(
                    "%(name)s offers to pause the clock until one of you ends the pause.",
                    name=other,
                )
            )
        if self.offer is not None:
            sentences["abandonment"] = words.say(
                "%(name)s offers to end the game without a winner.", name=other
            )
        return sentences

    @property
    def offered_pause(self) -> str:
        return self.offers["pause"]

    @property
    def offered_end(self) -> str:
        return self.offers["abandonment"]

    @property
    def can_claim_time(self) -> bool:
        """Whether the reader can claim a win because the opponent's time is up."""
        stored = self.stored
        is_theirs = stored.game.turn not in (None, self.seat)
        return is_theirs and stored.must_be_claimed and stored.is_overdue(self.games.now())

    @property
    def is_over(self) -> bool:
        return self.stored.game.over

    @cached_property
    def _plain_names(self) -> dict[str, str]:
        names, invited = self.view.seat_names, self.stored.invited
        if invited is not None:  # the free seat is reserved for them
            names[OTHER[self.stored.game.creator]] = self.view.names.get(invited) or NOBODY
        return {seat: displayable(name) for seat, name in names.items()}

    def acted_after(self, version: int) -> bool:
        """Whether the reader has acted since this version."""
        after = max(0, self.stored.version - version)
        lines = self.recent.lines[-after:] if after else []
        return any(self._is_own(self._read(text)) for text in lines)

    def _read(self, line: str) -> StoredEvent:
        return redacted(self.stored, self.player, [line])[0]

    def _is_own(self, line: StoredEvent) -> bool:
        return line["by"] == self.seat and line["type"] not in CLOCK_TYPES


def _is_beginning(line: StoredEvent) -> bool:
    """Whether this is the second player's coming, or the deal of the first round."""
    if line["type"] == RoundStarted.TYPE:
        return bool(line["data"]["round"] == 1)
    return line["type"] == PlayerJoined.TYPE


_BY_MAIL: Final = f'"via":"{VIA}"'
"""Stands in the line of an event that came by mail."""
_OF_END: Final = frozenset(event.TYPE for event in (Resigned, TimedOut, RoundEnded, GameEnded))


def game_mail(
    words: Words,
    context: WorkerContext,
    recent: RecentEvents,
    side_state: Mapping[str, str],
    player: str | None,
    since: int,
    zone: tzinfo = UTC,
    talk: Talk | None = None,
) -> GameMail:
    """Return the game in its present state, for this reader."""
    games, base_url = context.container.games, context.container.settings.base_url
    ladder = _ladder_of(context, recent.stored, player)
    return GameMail(words, games, base_url, recent, side_state, player, since, zone, ladder, talk)


def _ladder_of(context: WorkerContext, stored: StoredGame, player: str | None) -> str | None:
    """The name of the ladder on which this player was challenged to the game: they sit south."""
    if stored.terms.season is None or stored.seat_of(player) != "south":
        return None
    seasons = context.container.season_store.readable([stored.terms.season.id])
    ladders = [season for season in seasons if season.ladder is not None]
    return inert_name(ladders[0].rules.name) if ladders else None
