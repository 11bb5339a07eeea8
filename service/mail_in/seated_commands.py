"""Carries out what a seated player asks for in a mail: turns, messages, and what ends or delays a
game.

A command that ends a game without a turn is asked about once more, and only a mail that answers
that question counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine import OTHER, RuleBroken, Seat, TakeTurn, decide
from engine.events import CLOCK_TYPES, TimedOut
from letters.commands import WholeTurn
from letters.grammar import Gift
from letters.inert import inert_name
from letters.wishes import AskedWord, Offered, Word
from service.accounts.names import shown_name
from service.accounts.player import Player
from service.core import ids
from service.core.errors import RequestRejected
from service.core.times import DAY, HOUR
from service.core.words import N_, Words
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, Games, StoredGame
from service.games.agreements import LAST_NUMBER, Abandonments, Offer, Pauses
from service.games.player_changes import MOST_GIVEN
from service.mail_in import outcome, sentences, unclear
from service.mail_in.addresses import Purpose, ReplyTo
from service.mail_in.messages import MessagesByMail
from service.mail_in.outcome import VIA, Outcome
from service.mail_in.turns import actions_of, claims_left, claims_nothing

_ABANDONMENT_DECLINED: Final = N_("You declined to end the game: it goes on as before.")
_PAUSE_DECLINED: Final = N_("You declined the pause: the game goes on as before.")
_ENDLESS_PAUSE_DECLINED: Final = N_(
    "You declined the pause without an end: the game goes on as before."
)
_PAUSE_UNTIL_DECLINED: Final = N_(
    "You declined the pause until %(moment)s: the game goes on as before."
)


_Change = Callable[[str, str, ChangeContext], object]
_OFFERED: Final[tuple[Offered, ...]] = ("pause", "abandonment")


class SeatedMail(NamedTuple):
    """A mail of the player in a seat; `stored` is the game as it stood when the mail was read, and
    `words` are the player's."""

    id: str
    reply_to: ReplyTo
    player: Player
    stored: StoredGame
    words: Words

    @property
    def seat(self) -> Seat:
        assert self.reply_to.seat is not None, "an address of a turn names a seat"
        return self.reply_to.seat

    @property
    def shown_offers(self) -> Sequence[Offered]:
        """The kinds of the other player's offers that the answered mail showed."""
        return self.reply_to.offers.kinds if self.reply_to.offers else ()

    def origin(self, asked: str) -> ChangeContext:
        """Return the context of a change that this mail asks for; `asked` is a text that identifies
        the change."""
        key = IdempotencyKey(f"{self.player.id} mail {self.id}", ids.digest(asked), self.player.id)
        return ChangeContext(VIA, [self.reply_to.version], key, is_of_table=True)

    def say(self, message: str) -> str:
        """Say one of the messages of `sentences`."""
        return sentences.say(self.words, message)

    def refused(self, label: str, *said: str) -> Outcome:
        """Return the answer that nothing was done, with these sentences."""
        return self.answer(label, outcome.REFUSED, *said)

    def answer(self, label: str, kind: str, *said: str) -> Outcome:
        """Return an answer of this kind that shows the game, with these sentences."""
        game = self.reply_to.game
        return Outcome(label, kind, self.player.id, about=game, game=game, sentences=said)


@dataclass(eq=False, repr=False)
class SeatedCommands:
    """Carries out what seated players write. Every call is idempotent for its mail."""

    _games: Games
    _messages: MessagesByMail

    def carry_out(self, mail: SeatedMail, wanted: WholeTurn | Gift | AskedWord) -> Outcome:
        match wanted:
            case WholeTurn(message=str(text)) if text:
                return self._say(mail, wanted)
            case WholeTurn():
                return self._play(mail, wanted)
            case Gift(seconds):
                return self._give(mail, seconds)
            case AskedWord("help" | "show" as word):
                return mail.answer(word, outcome.HELP if word == "help" else outcome.BOARD)
            case AskedWord("yes" | "no" as word):
                return self._confirm(mail, word)
            case AskedWord("resign"):
                return self._resign(mail)
            case AskedWord("claim the win"):
                return self._claim(mail)
            case AskedWord(_, name) if name is not None:
                return mail.refused("refused", mail.say(sentences.NOT_AN_INVITATION))
            case AskedWord(word, _, about):
                return self._answer_offer(mail, about, agrees=word != "decline")

    def given_up(self, mail: SeatedMail) -> Outcome:
        """Return the answer to a mail that was given up because it killed processes, perhaps after
        they had carried it out."""
        if (declined := self._declined_before(mail)) is not None:
            return self._declined(mail, declined)
        key = mail.origin("").key
        if key is not None and self._games.log.events.recall(mail.reply_to.game, key) is not None:
            said = (sentences.GIVEN_UP, sentences.GIVEN_UP_PLAYED, sentences.IF_MESSAGE)
            return mail.answer("played", outcome.PLAYED, *map(mail.say, said))
        if mail.stored.game.status != "active":  # a finished game forgets what was carried out
            return mail.answer(
                "late", outcome.BOARD, mail.say(sentences.GIVEN_UP), mail.say(sentences.GAME_OVER)
            )
        said = (sentences.GIVEN_UP, sentences.GIVEN_UP_UNPLAYED, sentences.IF_MESSAGE)
        return mail.refused("refused", *map(mail.say, said))

    # Turns and messages

    def why_unplayable(self, mail: SeatedMail, wanted: WholeTurn) -> str | None:
        """Return the sentence that says why the turn cannot be played now; None if it can."""
        game = mail.stored.game
        if game.status != "active":
            return mail.say(sentences.GAME_OVER)
        if (late := self.why_late(mail)) is not None:
            return late
        try:
            decide(game, TakeTurn(mail.seat, actions_of(game, mail.seat, wanted)))
        except RuleBroken as refusal:
            return self._why_refused(mail, refusal)
        return None

    def why_late(self, mail: SeatedMail) -> str | None:
        """Return the sentence that says why the mail comes too late for its turn; None if it does
        not, or the game is over."""
        is_in_time = mail.stored.stands_as_at(mail.reply_to.version)
        if is_in_time or mail.stored.game.status != "active":
            return None
        return self._why_late(mail, mail.stored)

    def why_not_to_move(self, mail: SeatedMail) -> str:
        """Return the sentence that says that it is the other player's turn."""
        name = self.other_name(mail, mail.stored)
        return self.why_late(mail) or mail.words.say(sentences.NOT_YOUR_TURN, name=name)

    def playable(self, mail: SeatedMail, turns: Sequence[WholeTurn]) -> tuple[WholeTurn, ...]:
        """Return those of these turns that can be played now."""
        return tuple(turn for turn in turns if self.why_unplayable(mail, turn) is None)

    def _play(self, mail: SeatedMail, wanted: WholeTurn) -> Outcome:
        def play(game: str, player: str, origin: ChangeContext) -> StoredGame:
            def actions(stored: StoredGame) -> list[str]:
                return actions_of(stored.game, mail.seat, wanted)

            return self._games.play(game, player, actions, origin)

        left = claims_left(mail.stored.game, mail.seat, wanted)
        is_without_claim = claims_nothing(mail.stored.game, mail.seat, wanted)
        result = self._change(mail, " ".join((*wanted.actions, *wanted.dependent)), play)
        if result.sentences:
            return result
        unclaimed = (mail.say(sentences.NOTHING_CLAIMED),) if is_without_claim else ()
        return result._replace(sentences=(*unclaimed, *sentences.of_claims_left(mail.words, left)))

    def _confirm(self, mail: SeatedMail, word: Word) -> Outcome:
        """Carry out a `yes` or `no`. A `yes` counts if the mail that it answers asked whether to
        end the game; it is asked about if that mail only told of the offer to."""
        match mail.reply_to.purpose:
            case "resign" if word == "yes":
                return self._resign(mail)
            case "win" if word == "yes":
                return self._claim(mail)
            case "abandonment" if word == "yes":
                return self._abandon(mail)
        if word == "yes" and mail.shown_offers == ("abandonment",):
            return self._answer_offer(mail, "abandonment", agrees=True)
        return mail.refused(
            "refused",
            mail.say(sentences.LEFT_ALONE) if word == "no" else mail.say(sentences.NO_QUESTION),
        )

    def _say(self, mail: SeatedMail, wanted: WholeTurn) -> Outcome:
        """Pass on the message, and play the turn, if there is one; if either is refused beforehand,
        do neither. The message goes first, so that the mail of the next turn tells it."""
        game, player = mail.reply_to.game, mail.player.id
        try:
            self._games.conversations.check(game, player, wanted.message)
        except RequestRejected as rejection:
            return mail.refused("refused", sentences.of_refusal(mail.words, rejection))
        if wanted.is_move and self.why_unplayable(mail, wanted) is not None:
            result = self._play(mail, wanted)  # this very mail may have played it before
            if result.label != "played":
                unsent = unclear.of_unsent(mail.words, wanted.message.split("\n"))
                return result._replace(sentences=(*result.sentences, *unsent))
        refusal = self._messages.pass_on(mail.id, player, wanted.message, game)
        said = (
            (mail.say(sentences.NOT_PASSED_ON), refusal)
            if refusal
            else (mail.say(sentences.PASSED_ON),)
        )
        if wanted.is_move:
            result = self._play(mail, wanted)
            return result._replace(sentences=(*result.sentences, *said))
        if refusal:
            return mail.refused("refused", refusal)
        if mail.stored.game.status == "active":
            return mail.answer("said", outcome.BOARD, *said)
        page = f"/games/{game}"
        return Outcome("said", outcome.NOTE, player, sentences=said, about=game, page=page)

    # What ends a game, and is asked once more

    def _resign(self, mail: SeatedMail) -> Outcome:
        if mail.reply_to.purpose == "resign":
            return self._change(mail, "resign", self._games.resign)
        if mail.stored.game.status != "active":
            return mail.refused("refused", mail.say(sentences.OVER))
        return _asked(mail, "resign", mail.say(sentences.CONFIRM))

    def _claim(self, mail: SeatedMail) -> Outcome:
        clocks = self._games.clocks
        if mail.reply_to.purpose == "win":
            return self._change(mail, "claim the win", clocks.claim)
        try:
            clocks.claim_command(mail.stored, mail.player.id)
        except (RequestRejected, RuleBroken) as refusal:
            return self._not_done(mail, refusal)
        return _asked(mail, "win", mail.say(sentences.CONFIRM_WIN))

    # Offers of the other player

    def _answer_offer(self, mail: SeatedMail, about: Offered | None, *, agrees: bool) -> Outcome:
        shown = mail.shown_offers
        if agrees and about != "pause" and mail.reply_to.purpose == "abandonment" and shown:
            return self._abandon(mail)
        if not agrees and (declined := self._declined_before(mail)) is not None:
            return self._declined(mail, declined)
        offers = self._open_offers(mail)
        if about is None and "pause" in shown and "abandonment" not in offers:
            about = "pause"
        if agrees and about == "pause" and "pause" in shown:
            return self._pause(mail)
        match [one for one in offers if about in (None, one)]:
            case [one] if not agrees:
                key = mail.origin(f"decline {one}").key
                self._offers_of(one).withdraw(mail.reply_to.game, mail.player.id, key)
                return self._declined(mail, one)
            case ["pause"]:
                return mail.answer("refused", outcome.BOARD, mail.say(sentences.PAUSE_OFFERED))
            case ["abandonment"]:
                return _asked(mail, "abandonment", mail.say(sentences.CONFIRM_ABANDONMENT))
            case []:
                return mail.refused("refused", mail.say(sentences.NO_OFFER))
            case _:
                return mail.refused("refused", mail.say(sentences.WHICH_OFFER))

    def _open_offers(self, mail: SeatedMail) -> dict[Offered, int]:
        """Return the number of each open offer of the other player, by kind."""
        offers: dict[Offered, Offer | None] = {
            "pause": self._games.pauses.offered(mail.stored),
            "abandonment": self._games.abandonments.offered(mail.stored),
        }
        other = OTHER[mail.seat]
        return {kind: offer.number for kind, offer in offers.items() if offer and offer.by == other}

    def _number(self, mail: SeatedMail, kind: Offered) -> int:
        """Return the number of the offer that the mail showed: the open offer's, unless that one is
        newer than the mail."""
        assert mail.reply_to.offers is not None, "only an offer that was shown can be agreed to"
        return min(mail.reply_to.offers.number, self._open_offers(mail).get(kind, LAST_NUMBER))

    def _abandon(self, mail: SeatedMail) -> Outcome:
        accept, number = self._games.abandonments.accept, self._number(mail, "abandonment")
        result = self._change(
            mail, "abandon", lambda game, by, origin: accept(game, by, number, origin)
        )
        return result._replace(sentences=result.sentences or (mail.say(sentences.ABANDONED),))

    def _pause(self, mail: SeatedMail) -> Outcome:
        """Agree to the pause that the mail offered, and to no other."""
        accept, number = self._games.pauses.accept, self._number(mail, "pause")
        agreed: list[StoredGame] = []
        result = self._change(
            mail, "pause", lambda game, by, origin: agreed.append(accept(game, by, number, origin))
        )
        return result._replace(
            sentences=result.sentences or (sentences.of_agreed_pause(mail.words, agreed[0]),)
        )

    def _declined(self, mail: SeatedMail, offered: Offered) -> Outcome:
        last = self._games.pauses.last(mail.stored) if offered == "pause" else None
        is_declined = last is not None and last.state == "declined"
        if offered == "abandonment":
            said = mail.say(_ABANDONMENT_DECLINED)
        elif last is None or not is_declined:
            said = mail.say(_PAUSE_DECLINED)
        elif (until := last.offer.until) is None:
            said = mail.say(_ENDLESS_PAUSE_DECLINED)
        else:
            end = sentences.end_of_pause(mail.words, until)
            said = mail.words.say(_PAUSE_UNTIL_DECLINED, moment=end)
        return mail.answer("declined", outcome.BOARD, said)

    def _declined_before(self, mail: SeatedMail) -> Offered | None:
        """Return the offer that this very mail has declined before a worker died; None for none."""
        for offered in _OFFERED:
            key = mail.origin(f"decline {offered}").key
            if key and self._offers_of(offered).was_withdrawn(mail.reply_to.game, key):
                return offered
        return None

    def _offers_of(self, offered: Offered) -> Pauses | Abandonments:
        return self._games.pauses if offered == "pause" else self._games.abandonments

    # The clock

    def _give(self, mail: SeatedMail, seconds: int) -> Outcome:
        if seconds > MOST_GIVEN:
            return mail.refused("refused", mail.say(sentences.TOO_MUCH_GIVEN))
        give = self._games.clocks.give
        result = self._change(
            mail, f"give {seconds}", lambda game, by, origin: give(game, by, seconds, origin)
        )
        words = mail.words
        if seconds % DAY == 0:
            given = words.plural("%(number)s day", "%(number)s days", seconds // DAY)
        else:
            given = words.plural("%(number)s hour", "%(number)s hours", seconds // HOUR)
        said = words.say("You gave the other player %(span)s to add to their time.", span=given)
        return result._replace(sentences=result.sentences or (said,))

    # How a change is made

    def _change(self, mail: SeatedMail, asked: str, change: _Change) -> Outcome:
        game, version, head = mail.reply_to.game, mail.reply_to.version, mail.stored.head
        if version != mail.stored.version:
            head = self._games.history.head(game, version) or ""
        # Of another log, as after a backup was restored.
        if not head or not head.startswith(mail.reply_to.head):
            return mail.refused("late", mail.say(sentences.ANOTHER_LOG))
        try:
            change(game, mail.player.id, mail.origin(asked))
        except (RequestRejected, RuleBroken) as refusal:
            return self._not_done(mail, refusal)
        return mail.answer("played", outcome.PLAYED)

    def _not_done(self, mail: SeatedMail, refusal: RequestRejected | RuleBroken) -> Outcome:
        """Return the answer to a mail whose command was refused."""
        stored = self._games.load(mail.reply_to.game)
        has_moved = refusal.code == "time-not-out" and not stored.stands_as_at(
            mail.reply_to.version
        )
        if stored.game.status in ("finished", "aborted"):
            return mail.answer("late", outcome.BOARD, mail.say(sentences.GAME_OVER))
        if refusal.code == "stale-version" or has_moved:
            return mail.refused("late", self._why_late(mail, stored))
        return mail.refused("refused", self._why_refused(mail, refusal))

    def _why_refused(self, mail: SeatedMail, refusal: RequestRejected | RuleBroken) -> str:
        if refusal.code == "not-your-turn":
            return self.why_not_to_move(mail)
        return sentences.of_refusal(mail.words, refusal)

    def other_name(self, mail: SeatedMail, stored: StoredGame) -> str:
        """Return the other player's name, as the mail's writer reads it."""
        name = self._games.seat_names(stored)[OTHER[mail.seat]]
        return inert_name(shown_name(mail.words, name))

    def _why_late(self, mail: SeatedMail, stored: StoredGame) -> str:
        """Say who has changed the game since the mail that was answered, so that the answer does
        not fit any more."""
        lines = self._games.history.lines(stored, mail.player.id, mail.reply_to.version)
        movers = {line["by"] for line in lines if line["type"] not in CLOCK_TYPES}
        is_own, is_others = mail.seat in movers, OTHER[mail.seat] in movers
        if is_own and stored.game.turn != mail.seat:
            message = sentences.PLAYED_ALREADY
        elif is_own:
            message = sentences.TURN_AGAIN if is_others else sentences.BEGUN_ALREADY
        elif any(line["type"] == TimedOut.TYPE for line in lines):
            message = sentences.TIME_WAS_UP
        else:
            message = sentences.OTHER_MOVED if is_others else sentences.CHANGED_SINCE
        return mail.words.say(message, name=self.other_name(mail, stored))


def _asked(mail: SeatedMail, confirms: Purpose, said: str) -> Outcome:
    """Return the answer that shows the game and asks `said`; a `yes` to it confirms `confirms`."""
    return mail.answer("confirm", outcome.BOARD, said)._replace(confirms=confirms)
