"""What has happened in a game since its reader last acted, in sentences for mails."""

from functools import cached_property
from typing import Final

from engine.chain import StoredEvent
from engine.clock_events import CalendarChanged, ClockPaused, TimeGiven
from engine.events import (
    GameEnded,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    TimedOut,
)
from service.core.words import N_
from service.mail_in.outcome import VIA
from service.text.card_names import card_name
from service.text.history import narrate
from service.text.moments import words_in
from workers.mail.mailed_game import MailedGame

_NO_TURN: Final = (TimeGiven.TYPE, ClockPaused.TYPE)
"""Types of what a player does about the clock, which an answer says in its own words."""


class ToldGame(MailedGame):
    """A game with its story."""

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
    def is_without_number(self) -> bool:
        """Whether the game has just begun, and its reader came by mail, so with no number of their
        own for the shuffle."""
        game = self.stored.game
        if self.seat is None or game.salts.get(self.seat) != game.commitment or not self.has_begun:
            return False
        lines = map(self._read, self.recent.lines)
        return any(line["via"] == VIA and line["by"] == self.seat for line in lines)

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
        """What the reader did last, as a sentence; `""` if that was no turn, or the lines at hand
        do not have it."""
        own: list[StoredEvent] = []
        for text in reversed(self.recent.lines):
            line = self._read(text)
            if not own and line["by"] == self.seat and line["type"] in _NO_TURN:
                return ""
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
    def before_the_news(self) -> list[str]:
        is_new = self.ladder is not None and self.has_begun and self.story
        return [*([self.beginning_in_brief] if is_new else []), *self.story[:-1]]

    @property
    def before_the_end(self) -> list[str]:
        """The moves since the reader last acted, if the game was played."""
        if self.stored.game.status != "finished":
            return []
        lines = [line for line in self._lines_since if not _is_beginning(line)]
        while lines and lines[-1]["type"] in _OF_END:
            lines.pop()
        return self._told(lines)


def _is_beginning(line: StoredEvent) -> bool:
    """Whether this is the second player's coming, or the deal of the first round."""
    if line["type"] == RoundStarted.TYPE:
        return bool(line["data"]["round"] == 1)
    return line["type"] == PlayerJoined.TYPE


_OF_END: Final = frozenset(event.TYPE for event in (Resigned, TimedOut, RoundEnded, GameEnded))
