"""Mail that is about no one turn: to the sender address of our mails, a `yes` that confirms an
address, and bounces.

An answer from the sender address has a list of games, and reveals only what concerns the address
that it goes to. Nothing changes here: `From` is easily forged, and this address is no secret. A
command that changes something has to ask first, by an answer to a signed address.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from letters.commands import Answer, Unread
from letters.letter import Letter
from letters.mail.phrases import is_polite, is_signed_with, straight
from letters.mail.sign_offs import may_be_name
from letters.wishes import THAT_IS_ME, AskedWord
from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.email_addresses import LINK_LIFE, AddressVerification, FailingAddresses
from service.accounts.player import Player
from service.accounts.players import Players
from service.core import ids
from service.core.errors import RequestRejected
from service.core.words import Words
from service.eventlog import UnreadableLog, notice_id
from service.games import Games, StoredGame
from service.games.projections.feed_log import PlayerNews
from service.mail_in import outcome, sentences, unclear
from service.mail_in.addresses import SentMail, SentMailAddresses, Use
from service.mail_in.message import IncomingMessage, LetterReader
from service.mail_in.messages import MessagesByMail
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.senders import Senders
from service.mail_in.wishes import Wishes, is_about_game, is_wish
from service.mail_in.wording import PlayerWords

ASKED: Final = "asked"
LED_BACK: Final = "misdirected"
STRANGER: Final = "asked-by-stranger"
"""Labels that count such mails: they asked for something; they went to the wrong address; or they
asked for something from an address that is no player's."""
_MOST_GAMES: Final = 5
"""Most games in which a mail's sender is searched, of the games whose mails it answers."""
_HELP: Final = AskedWord("help")
_YES: Final = AskedWord("yes")


class _Place(NamedTuple):
    player: Player
    stored: StoredGame


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers mails to the sender address. Every call is idempotent for its mail."""

    players: Players
    senders: Senders
    games: Games
    letters: LetterReader
    wishes: Wishes
    messages: MessagesByMail
    player_words: PlayerWords

    def answer(self, mail_id: str, message: IncomingMessage) -> Outcome:
        """Return the answer to a mail to the sender address. Raises `Dropped` if there is to be
        none."""
        sender = message.sender
        if sender is None or self.senders.is_forged(message):
            raise Dropped("forged" if sender else LED_BACK)
        named = self._named(message)
        place, owners = self._seated(sender, named), self.senders.owners(sender)
        if place is not None:
            owners = [place.player]
        own = owners[0] if len(owners) == 1 else None
        if message.is_given_up and own is not None:
            words = self.player_words.of(own.id)
            again = tuple(sentences.say(words, each) for each in sentences.SEND_AGAIN)
            given_up = Outcome(ASKED, outcome.DESK, sentences=again)
            return self._to(own, sender, given_up)
        letter = self.letters.read(message, own, [each.id for each in owners])
        wanted = letter.answer
        is_asked = wanted in (_HELP, _YES) or is_wish(wanted)
        if place is not None and (not is_asked or wanted == _HELP):
            words = self.player_words.of(place.player.id)
            return self._to(place.player, sender, _of_game(words, place.stored, letter))
        if own is not None:
            stored = place.stored if place else None
            game, text = stored.id if stored else None, letter.message
            if is_wish(wanted):
                told = self.messages.told(mail_id, own.id, text, game)
            else:
                told = unclear.of_nobody_told(self.player_words.of(own.id), letter)
            result = self._of_player(mail_id, own, wanted, stored)
            result = result._replace(sentences=(*told, *result.sentences))
            return self._to(own, sender, result)
        invited = (self.games.invitations.address(stored.id) or "" for stored in named)
        if not owners and (not is_asked or any(one.lower() != sender for one in invited)):
            # None of our words: junk mail, most often. Or our mail went to somebody else.
            raise Dropped(LED_BACK)
        languages = self.player_words.languages
        language = languages.best(message.languages)
        said = (sentences.say(languages.words(language), sentences.FOR_PLAYERS),)
        return Outcome(STRANGER, outcome.DESK, email=sender, sentences=said, language=language)

    def _named(self, message: IncomingMessage) -> list[StoredGame]:
        """Return the games of the mails that this one answers, the latest first."""
        ids_named = [text.partition("@")[0].partition(".")[0] for text in reversed(message.answers)]
        games = []
        for game_id in list(dict.fromkeys(ids_named))[:_MOST_GAMES]:
            if ids.is_game_id(game_id):
                with suppress(RequestRejected, UnreadableLog):
                    games.append(self.games.current(game_id))
        return games

    def _seated(self, sender: str, named: list[StoredGame]) -> _Place | None:
        """Return the player who writes, and the first of these games in which they sit; None if
        there is none."""
        for stored in named:
            for player in filter(None, map(self.players.find, stored.players)):
                if self.senders.has_confirmed(player, sender):
                    return _Place(player, stored)
        return None

    def _of_player(
        self, mail_id: str, player: Player, wanted: Answer, stored: StoredGame | None
    ) -> Outcome:
        def told(label: str, kind: str, *messages: str) -> Outcome:
            words = self.player_words.of(player.id)
            said = tuple(sentences.say(words, message) for message in messages)
            return Outcome(label, kind, sentences=said)

        if wanted == _HELP:
            return told(ASKED, outcome.HELP, sentences.DESK_HELP)
        if wanted == _YES:
            return told(ASKED, outcome.DESK, sentences.NOT_ASKED_HERE)
        if not is_wish(wanted):
            return told(LED_BACK, outcome.DESK, sentences.NO_ONE_TURN, sentences.NEW_GAME_HERE)
        if stored is None and is_about_game(wanted):
            return told(ASKED, outcome.DESK, sentences.WHICH_GAME)
        return self.wishes.answer(mail_id, player, wanted, stored)._replace(label=ASKED)

    def _to(self, player: Player, sender: str, result: Outcome) -> Outcome:
        """Return the outcome addressed to this player, at the address that they wrote from."""
        is_further = self.senders.is_further(player.id, sender)
        return result._replace(player=player.id, email=sender if is_further else None)


def _of_game(words: Words, stored: StoredGame, letter: Letter) -> Outcome:
    """Return the answer to a player who wrote to the wrong address about this game."""
    kind, message = outcome.REFUSED, sentences.WRONG_ADDRESS
    if stored.game.status != "active":
        kind, message = outcome.BOARD, sentences.GAME_OVER
    elif letter.answer == _HELP:
        kind = outcome.HELP
    said = (sentences.say(words, message), *unclear.of_unsent(words, letter.said))
    return Outcome(LED_BACK, kind, about=stored.id, game=stored.id, sentences=said)


class AddressQuestion(NamedTuple):
    """The question of a mail: may we send mail to an address (`confirm`), or may its player answer
    from there (`answer`)?"""

    use: Use
    mail: SentMail


@dataclass(frozen=True, slots=True)
class Confirmations:
    """Writes the reply addresses of such mails, and carries out the answers. `now` gives unix
    seconds."""

    addresses: Mapping[Use, SentMailAddresses]
    players: Players
    answer_addresses: AnswerAddresses
    senders: Senders
    letters: LetterReader
    messages: MessagesByMail
    player_words: PlayerWords
    news: PlayerNews
    now: Callable[[], float]

    def write(self, use: Use, player: str, email: str, since: int) -> str | None:
        """Return the reply address of a mail that asks at `since` (unix seconds); None if this
        server takes no mail."""
        return self.addresses[use].write(player, email, since)

    def read(self, address: str) -> AddressQuestion | None:
        """Return the question that a reply address belongs to; None unless this server wrote the
        address."""
        for use, addresses in self.addresses.items():
            if (mail := addresses.read(address)) is not None:
                return AddressQuestion(use, mail)
        return None

    def answer(self, question: AddressQuestion, message: IncomingMessage) -> Outcome:
        """Carry out an answer to this question, and return its outcome. Idempotent. Raises
        `Dropped`."""
        player = self.players.find(question.mail.of)
        if player is None:
            raise Dropped("gone")
        emails = [player.email, player.pending]
        if question.use == "answer":
            emails = [address.email for address in self.answer_addresses.all_of(player.id)]
        mark, marked = question.mail.mark, self.addresses[question.use].mark
        email = next((one for one in emails if one and marked(one) == mark), None)
        if email is None:  # it is not the player's any more
            raise Dropped("gone")
        if message.sender != email.lower():
            raise Dropped("stranger")
        if self.senders.is_forged(message):
            raise Dropped("forged")
        expires = question.mail.sent + LINK_LIFE
        words = self.player_words.of(player.id)
        said = sentences.say(words, sentences.SAY_YES)
        result = Outcome("refused", outcome.NOTE, email=email, sentences=(said,))
        result = result._replace(language=words.language)
        letter = self._letter(message, player)
        if not _confirms(letter):
            unsaid = unclear.of_nobody_told(words, letter)
            again = self.write(question.use, player.id, email, question.mail.sent)
            return result._replace(sentences=(*result.sentences, *unsaid), address=again)
        claim = AddressVerification(player.id, email, expires)
        verify = {"confirm": self.players.verify, "answer": self.answer_addresses.verify}
        if expires <= self.now() or not verify[question.use](claim):
            said = sentences.say(words, sentences.ASKED_LONG_AGO)
            return result._replace(sentences=(said,))
        self.news.publish([player.id], player.id, None)  # their open pages wait for it
        said = sentences.say(words, sentences.CONFIRMED[question.use])
        told = self.messages.told(message.id or "", player.id, letter.message, None)
        return result._replace(label="confirmed", sentences=(said, *told))

    def _letter(self, message: IncomingMessage, player: Player) -> Letter:
        """Read a mail, in which a name that is not known here may stand below a yes: what is
        confirmed is only that the mail came from this address."""
        letter = self.letters.read(message, player)
        if isinstance(letter.answer, Unread) and _may_sign(last := letter.answer.lines[-1].text):
            return self.letters.read(message, player, asked_about=[last.casefold()])
        return letter


def _confirms(letter: Letter) -> bool:
    """Whether a letter says yes, or "that's me" beside mere courtesies."""
    said = ", ".join(straight(line.text).lower().strip(" .!") for line in letter.beside)
    others = [each for each in said.split(", ") if not is_polite(each, ())]
    is_me = bool(others) and all(map(THAT_IS_ME.fullmatch, others))
    return letter.answer == _YES or (isinstance(letter.answer, Unread) and is_me)


def _may_sign(text: str) -> bool:
    """Whether a line is nothing but a name, or a closing and a name, whoever has it."""
    closing, _, name = text.rpartition(", ")
    is_name = _NAME.fullmatch(name) is not None and may_be_name(name)
    return is_name and (not closing or is_signed_with(closing))


_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?: [^\W\d_a-z][^\W\d_]*){0,2}\.?")
_OF_NOTICE: Final = re.compile(
    rf"(?P<game>{ids.GAME_ID}|{ids.PLAYER_ID})\.(?P<version>[0-9]{{1,9}})"
    rf"\.(?P<player>{ids.PLAYER_ID})\.(?P<kind>[a-z-]{{1,40}})"
)
"""Matches the part of a Message-ID before the `@`, as `workers/mail/compose.py` writes it."""


@dataclass(eq=False, repr=False)
class Bounces:
    """Marks the address that a bounced mail was sent to, and no other."""

    addresses: SentMailAddresses
    _players: Players
    _failing: FailingAddresses
    _games: Games

    def process(self, mail: SentMail, message: IncomingMessage) -> Outcome:
        """Carry out a mail to a bounce address, and return how it is counted. Nobody is answered.

        Raises `Dropped` if the mail is not a delivery report.
        """
        if (report := message.body.report) is None:
            raise Dropped(message.automatic or "misdirected")
        if report.result not in ("for_good", "policy"):
            return Outcome(f"bounce-{report.result}")
        player = self._players.find(mail.of)
        invited = None if player else self._games.invitations.address(mail.of)
        emails = (player.email, player.pending) if player else (invited,)
        email = next((one for one in emails if one and self.addresses.mark(one) == mail.mark), None)
        if email is None:
            return Outcome("bounce-former")
        by_policy = report.result == "policy"
        marked = self._failing.mark_returned(email, report.said, mail.sent, by_policy=by_policy)
        label = "bounce-late" if not marked else outcome.POLICY if by_policy else outcome.MARKED
        if player is None:
            return Outcome(label)
        return Outcome(label, player=player.id, about=_notice(report.of or "", player.id))


def _notice(message_id: str, player: str) -> str:
    """Return the id of the notice that the mail with this Message-ID brought to this player; empty
    if there is none."""
    match = _OF_NOTICE.fullmatch(message_id.partition("@")[0])
    if match is None or match["player"] != player:
        return ""
    return notice_id(match["game"], int(match["version"]), match["player"], "mail", match["kind"])
