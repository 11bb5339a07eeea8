"""Answers what players ask for by mail besides turns: games, agreements, days off, and choices.

The player is asked before anything changes, for mail to a reply address proves only that its writer
holds our mail. A `yes` counts once, and only while the state that the wish depends on is unchanged.
The use cases are those of the web pages, with their limits.

The reply address of a mail that asks holds the mark of its question, so that a `yes` plays or
fulfils what was asked there and nothing else.

st:{mail-in}:asked:GAME:SEAT  JSON: the newest question to the player in this seat, for two weeks
st:{mail-in}:names:GAME       hash: the names offered to this invitation's guest, by their marks,
                              each with a message below it, for two weeks
st:{mail-in}:wish:MARK        hash: `asked`, JSON of a wish and the state it depends on, for three
                              days; `taken`, the id of the mail that has said yes
"""

import json
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeGuard, cast

from engine import SEATS, RuleBroken, Seat
from letters import taught
from letters.commands import Answer, WholeTurn
from letters.letter import OpenQuestion
from letters.taught import spoken
from letters.wishes import (
    GROUP_CALLED,
    AskedWord,
    ChooseLanguage,
    ChooseMails,
    OfferPause,
    Wish,
    Word,
)
from service.accounts.mail_preferences import MailPreferences
from service.accounts.notice_kinds import GROUP_WORDS
from service.accounts.player import Player
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.times import DAY
from service.core.words import N_, Words
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, Games, StoredGame
from service.mail_in import outcome, sentences
from service.mail_in.addresses import name_mark
from service.mail_in.outcome import VIA, Outcome
from service.mail_in.plans import Deed, Done, Plan, Plans
from service.mail_in.wording import PlayerWords

_LIFE: Final = 14 * DAY
_WISH_LIFE: Final = 3 * DAY
_OF_MARK: Final = 9
"""Letters of a mark: an address has room for no more."""


class Asked(NamedTuple):
    """A question about a turn. `head` is the beginning of the log's hash at the version of the mail
    that the player answered."""

    question: OpenQuestion
    head: str


class OfferedName(NamedTuple):
    """A name that a mail offers to a guest, and the guest's message to pass on if they take it."""

    name: str
    message: str


class AskedWish(NamedTuple):
    """A wish that `player` must still confirm: `kind` and `given` are those of its `Deed`.

    A `yes` carries it out only while the state is still `basis`. `by` is the id of the mail that
    asked for it.
    """

    player: str
    kind: str
    given: dict[str, object]
    basis: str
    by: str


@dataclass(eq=False, repr=False)
class Questions:
    """Stores the open questions. Every call is idempotent."""

    _redis: Client

    def ask(self, game: str, seat: Seat, version: int, asked: Asked) -> str:
        """Store a question in place of the seat's earlier one, and return its mark."""
        turn, signature = asked.question
        data = [[turn.actions, turn.message, turn.dependent], signature, asked.head]
        text = json.dumps([version, *data])
        self._redis.set(_key(game, seat), text, ex=_LIFE)
        return ids.mark(text, _OF_MARK)

    def find(self, game: str, seat: Seat, mark: str) -> Asked | None:
        """Return the question with this mark; None if it has expired or another was asked since."""
        text = cast(str | None, self._redis.get(_key(game, seat)))
        if text is None or ids.mark(text, _OF_MARK) != mark:
            return None
        _, (actions, message, dependent), signature, head = json.loads(text)
        turn = WholeTurn(tuple(actions), message, tuple(dependent))
        return Asked(OpenQuestion(turn, tuple(signature)), head)

    def forget_game(self, game: str) -> None:
        """Delete the questions about a removed game."""
        for seat in SEATS:
            self._redis.unlink(_key(game, seat))
        self._redis.unlink(_names_key(game))

    def offer_name(self, game: str, name: str, message: str) -> None:
        """Store a name that a mail offers to the guest of this invitation, and their message to the
        other player, empty for none."""
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.hset(_names_key(game), name_mark(name), f"{name}\n{message}")
            pipeline.expire(_names_key(game), _LIFE)
            pipeline.execute()

    def find_name(self, game: str, mark: str) -> OfferedName | None:
        """Return the name with this mark that was offered to the guest; None after its time."""
        text = cast(str | None, self._redis.hget(_names_key(game), mark))
        if text is None:
            return None
        name, _, message = text.partition("\n")
        return OfferedName(name, message)

    def ask_wish(self, asked: AskedWish) -> str:
        """Store a wish, and return its mark."""
        text = json.dumps(asked)
        mark = ids.mark(text, _OF_MARK)
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.hset(_wish_key(mark), "asked", text)
            pipeline.expire(_wish_key(mark), _WISH_LIFE)
            pipeline.execute()
        return mark

    def find_wish(self, player: str, mark: str) -> tuple[AskedWish, str | None] | None:
        """Return this player's wish with this mark, and the id of the mail that has said yes to it,
        if any; None if the wish has expired or is another player's."""
        values = cast(list[str | None], self._redis.hmget(_wish_key(mark), ["asked", "taken"]))
        if values[0] is None:
            return None
        asked = AskedWish(*json.loads(values[0]))
        return (asked, values[1]) if asked.player == player else None

    def take_wish(self, mark: str, mail_id: str) -> bool:
        """Record this mail as the one that says yes; return False if another has. Idempotent."""
        self._redis.hsetnx(_wish_key(mark), "taken", mail_id)
        self._redis.expire(_wish_key(mark), _WISH_LIFE)
        return self._redis.hget(_wish_key(mark), "taken") == mail_id


def _key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:asked:{game}:{seat}"


def _names_key(game: str) -> str:
    return f"st:{{mail-in}}:names:{game}"


def _wish_key(mark: str) -> str:
    return f"st:{{mail-in}}:wish:{mark}"


_ABOUT_GAMES: Final[tuple[Word, ...]] = ("rematch", "offer an end", "resume")
_ABOUT_OTHERS: Final[tuple[Word, ...]] = (
    *("games", "back", "rules", "mails", "undo", "call it off"),
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """Answers wishes. Every call is idempotent for its mail."""

    games: Games
    plans: Plans
    preferences: MailPreferences
    questions: Questions
    player_words: PlayerWords

    def answer(
        self,
        mail_id: str,
        player: Player,
        wanted: AskedWord | Wish,
        place: StoredGame | None,
        *,
        at_once: bool = False,
    ) -> Outcome:
        """Return the answer to a wish: information, or the question whether to carry it out.
        `place` is the game that the mail is about, if any. A rematch need not be asked about if it
        is to be `at_once`: the other player is asked anyway, and it can be called off."""
        words = self.player_words.of(player.id)
        match wanted:
            case AskedWord("games"):
                said = sentences.say(words, sentences.YOUR_GAMES)
                return Outcome("asked", outcome.DESK, player.id, sentences=(said,))
            case AskedWord("rules"):
                has_tactics = place is not None and place.game.tactics
                rules = (*sentences.RULES, *((sentences.RULES_OF_TACTICS,) if has_tactics else ()))
                return _note(player, *(words.say(each) for each in rules))._replace(page="/rules")
            case AskedWord("mails"):
                return _note(player, *self._mails(words, player.id))._replace(page="/account")
            case ChooseLanguage(language):
                return self._in_language(player, language)
            case AskedWord("undo" | "call it off" as word):
                message = sentences.NO_UNDO if word == "undo" else sentences.CALL_OFF_WHERE
                return _note(player, sentences.say(words, message))
        try:
            deed = self.plans.deed(player.id, wanted, place)
            plan = self.plans.plan(words, player.id, deed)
        except (RequestRejected, RuleBroken) as refusal:
            return _note(player, sentences.of_refusal(words, refusal))._replace(label="refused")
        if plan.hindrance:
            return _note(player, plan.hindrance)._replace(label="refused")
        if isinstance(wanted, ChooseMails) and not wanted.wanted and wanted.group != "turn":
            return self._turned_off(words, mail_id, player, wanted.group, plan)
        if at_once and wanted == AskedWord("rematch"):
            return self._begun(words, mail_id, player, plan)
        asked = AskedWish(player.id, deed.kind, deed.given, plan.basis, mail_id)
        mark = self.questions.ask_wish(asked)
        result = _note(player, sentences.of_wish(words, plan.said, plan.follows))
        return result._replace(label="confirm", confirms="wish", question=mark)

    def _in_language(self, player: Player, language: str) -> Outcome:
        """Choose the player's language at once, and say so in it: a question that the player cannot
        read would be no use."""
        self.preferences.set_choice(player.id, {"language": language})
        words = self.player_words.of(player.id)
        said = sentences.say(words, sentences.IN_LANGUAGE)
        return _note(player, said)._replace(label="done", page="/account")

    def _begun(self, words: Words, mail_id: str, player: Player, plan: Plan) -> Outcome:
        """Ask the other player for a rematch, or begin the one that they asked for."""
        key = IdempotencyKey(f"{player.id} mail {mail_id}", "rematch", player.id)
        try:
            return _of_done(player, plan.do(key))
        except (RequestRejected, RuleBroken) as refusal:
            return _note(player, sentences.of_refusal(words, refusal))._replace(label="refused")

    def _turned_off(
        self, words: Words, mail_id: str, player: Player, group: str, plan: Plan
    ) -> Outcome:
        """Turn off mails at once, as they are not about turns, and say how to get them again."""
        done = plan.do(IdempotencyKey(f"{player.id} mail {mail_id}", "mails", player.id))
        called = spoken(words.language, "group", GROUP_CALLED[group])
        mail_on = taught.command(words.language, "mail_on", group=called)
        undo = sentences.say(words, sentences.MAILS_ON_AGAIN, mail_on=mail_on)
        result = _note(player, done.said, undo)
        return result._replace(label="done", page=done.page)

    def game_of(self, player: Player, mark: str) -> str | None:
        """Return the game of the wish with this mark; None if it is about none, or forgotten."""
        open_wish = self.questions.find_wish(player.id, mark)
        return cast(str | None, open_wish[0].given.get("game")) if open_wish else None

    def confirm(self, mail_id: str, player: Player, mark: str) -> Outcome:
        """Carry out the wish with this mark after a `yes`, and return the outcome."""
        words = self.player_words.of(player.id)

        def refused(said: str) -> Outcome:
            return _note(player, said)._replace(label="refused")

        open_wish = self.questions.find_wish(player.id, mark)
        if open_wish is None:
            return refused(sentences.say(words, sentences.WISH_FORGOTTEN))
        asked, taken = open_wish
        if taken not in (None, mail_id):
            return refused(sentences.say(words, sentences.WISH_ANSWERED))
        try:
            plan = self.plans.plan(words, player.id, Deed(asked.kind, asked.given))
            # A mail that is carried out again has changed this itself.
            if taken is None and (plan.hindrance or plan.basis != asked.basis):
                return refused(plan.hindrance or sentences.say(words, sentences.WISH_CHANGED))
            if not self.questions.take_wish(mark, mail_id):
                return refused(sentences.say(words, sentences.WISH_ANSWERED))
            done = plan.do(IdempotencyKey(f"{player.id} wish {mark}", mark, player.id))
        except (RequestRejected, RuleBroken) as refusal:
            return refused(sentences.of_refusal(words, refusal))
        return _of_done(player, done)

    def call_off(self, mail_id: str, player: Player, made: str) -> Outcome:
        """Call off the player's challenge, or their game that has not begun; return the answer."""
        words = self.player_words.of(player.id)
        key = IdempotencyKey(f"{player.id} mail {mail_id}", "call off", player.id)
        try:
            try:
                self.games.challenges.withdraw(made, player.id)
            except RequestRejected as refusal:
                if refusal.code != "challenge-not-found":
                    raise
                self.games.call_off(made, player.id, ChangeContext(VIA, None, key))
        except (RequestRejected, RuleBroken) as refusal:
            is_gone = refusal.code == "game-over"
            said = (
                sentences.say(words, sentences.NOTHING_TO_CALL_OFF)
                if is_gone
                else sentences.of_refusal(words, refusal)
            )
            result = _note(player, said)
            return result._replace(label="refused", about=made)
        return _note(player, sentences.say(words, sentences.CALLED_OFF))._replace(
            label="done", about=made
        )

    def _mails(self, words: Words, player: str) -> list[str]:
        groups = self.preferences.groups(player)
        result = [
            words.say(
                _STATE[on],
                word=spoken(words.language, "group", GROUP_CALLED[group]),
                about=words.say(GROUP_WORDS[group]),
            )
            for group, on in groups.items()
        ]
        title = words.say("These are the mails you can get.")
        return [title, *result, sentences.say(words, sentences.CHOOSE_MAILS)]


def is_wish(wanted: Answer) -> TypeGuard[AskedWord | Wish]:
    """Whether `Wishes` answers this."""
    if isinstance(wanted, AskedWord):
        return wanted.word in (*_ABOUT_GAMES, *_ABOUT_OTHERS)
    return isinstance(wanted, Wish)


def is_about_game(wanted: AskedWord | Wish) -> bool:
    """Whether the wish is about a game, and needs one."""
    return getattr(wanted, "word", "") in _ABOUT_GAMES or isinstance(wanted, OfferPause)


# Note: %(word)s is a word of a command, such as "reminders"; %(about)s says what such mails tell
_STATE: Final = {
    True: N_("“%(word)s” are on: %(about)s."),
    False: N_("“%(word)s” are off: %(about)s."),
}


def _of_done(player: Player, done: Done) -> Outcome:
    result = Outcome("done", outcome.NOTE, player.id, about=done.game or done.made)
    if done.game is not None:
        result = result._replace(kind=outcome.PLAYED, game=done.game)
    result = result._replace(made=done.made, has_link=done.has_link, page=done.page)
    return result._replace(sentences=(done.said,))


def _note(player: Player, *said: str) -> Outcome:
    return Outcome("asked", outcome.NOTE, player.id, sentences=said)
