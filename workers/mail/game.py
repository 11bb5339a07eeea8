"""Describes a game for mails about it, from its state when the mail is sent.

A mail is sent only while it is true: a turn that was played meanwhile needs no notice.
"""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Final

from engine import verdicts
from engine.cards import BIT
from engine.claims import Verdict
from letters.inert import inert, inert_name
from letters.wishes import Offered
from service.core.times import MINUTE
from service.core.words import N_, Words
from service.games import StoredGame
from service.games.agreements import Offer, open_offer
from service.games.conversation_store import GameMessage
from service.games.drafts import ABANDONMENT, PAUSE, OrderOutcome, read_orders
from service.games.notices import pause_over_at
from service.games.reading.history import OF_A_TURN
from service.games.repository import RecentEvents
from service.mail_in.outcome import VIA
from service.text import options
from service.text.card_names import card_name, tactic_words
from service.text.event_words import outcome, score, whole_reason
from service.text.game_terms import at_zero, described, time_of_turn
from service.text.moments import end_moment, moment, short_moment
from service.text.options import held_back
from workers.context import WorkerContext
from workers.mail.mailed_game import Talk
from workers.mail.news import (
    OfferOutcome,
    OtherNames,
    WrittenLines,
    outcome_of_invitation,
    outcome_of_offer,
    written_lines,
)
from workers.mail.position import PositionShown
from workers.mail.story import ToldGame


class GameMail(ToldGame):
    """A game as a mail shows it to a player, or to a guest: what its reader can do, and whether
    what a notice says is still true."""

    @property
    def variables(self) -> dict[str, object]:
        return {"game": self, "face": self.face}

    @property
    def turn_news(self) -> str:
        """The last event, and the time for the reader's turn."""
        until = self.deadline
        have = self.words.say("You have until %(deadline)s.", deadline=until) if until else ""
        return " ".join(filter(None, [self.news, have]))

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
        """The time left for the turn and its end, or that it is paused, or why it begins only now;
        empty without a clock."""
        if self.stored.untold_until is not None:
            return self.words.say(
                "You were not told of this turn before its time was up: it begins anew now."
            )
        clock, now = self.stored.clock, self.games.now()
        if clock is None or clock.turn is None:
            return ""
        return time_of_turn(self.words, clock.left_paused(now), self.view.deadline, self.zone, now)

    @property
    def at_zero(self) -> str:
        """The consequence if the reader's time for this turn runs out."""
        assert self.seat is not None, "a guest has no turn"
        stored, reader = self.stored, self.seat
        seat, you, other = at_zero(
            reader, is_claimed=stored.must_be_claimed, rounds=stored.game.rounds
        )
        return self.words.say(you if seat == reader else other, name=self.opponent)

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
            one_deck = not self.view.tactics
            asked = (text for text in legal if not (one_deck and text == "+C"))
            return options.play_lines(self.words, asked)
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
        return options.claim_lines(self.words, self.verdicts, self.view.own_cards)

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
        reason = whole_reason(self.view)
        ending = outcome(words, game.winner, reason, names, seat, rounds=game.rounds)
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
    def written_by_host(self) -> list[str]:
        """What the maker of the game writes in the invitation to an address."""
        message = self.games.invitations.message(self.stored.id)
        return written_lines([message]).lines if message else []

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


_BY_MAIL: Final = f'"via":"{VIA}"'
"""Stands in the line of an event that came by mail."""


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
