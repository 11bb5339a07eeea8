"""A game as a mail shows it to its reader: who plays, how it stands, and the name of the mail's
sender."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cached_property
from typing import NamedTuple

from engine import OTHER, SEATS, Seat
from engine.chain import StoredEvent
from engine.events import (
    CLOCK_TYPES,
)
from letters.inert import inert_name
from service.accounts.faces import Face, face_of
from service.accounts.names import NOBODY, displayable, shown_name
from service.core.words import Words
from service.games import Games, StoredGame
from service.games.conversation_store import ConversationState
from service.games.drafts import CLOCK
from service.games.reading.views import GameShown, redacted
from service.games.repository import RecentEvents
from service.text.board import FORMER
from workers.mail.news import (
    NOT_NAMED,
    harmless,
)


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
class MailedGame:
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
        return self.games.rematch_of(self.stored.id, self.player) if self.player else None

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
        return words.say("Your turn goes on · %(name)s", name=other)

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

    @property
    def proof(self) -> str:
        """The page that says what is proved of a shuffle."""
        return f"{self.base_url}/help/fair-play"

    @property
    def was_declined(self) -> bool:
        """Whether the player for whom the free seat was reserved declined it."""
        return self.stored.invited is not None and self._read(self.recent.lines[-1])["via"] != CLOCK

    @property
    def is_over(self) -> bool:
        return self.stored.game.over

    @property
    def is_to_move(self) -> bool:
        return self.seat is not None and self.stored.game.turn == self.seat

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
