"""Carries out answers to our mails: checks the sender, reads the letter, and says the result."""

from dataclasses import dataclass, replace
from typing import Final

from letters.among import is_unhindered
from letters.commands import Contradiction, Empty, TakenBack, Unread, WholeTurn
from letters.grammar import Gift
from letters.guesses import SeveralPlays
from letters.letter import Letter, OpenQuestion
from letters.mail.phrases import takes_back
from letters.wishes import AskedWord, ChooseLanguage, OfferPause
from service.accounts.mail_state import MailSignatures
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.errors import RequestRejected
from service.core.words import Words
from service.eventlog import UnreadableLog
from service.games import Games, StoredGame
from service.mail_in import outcome, sentences, unclear
from service.mail_in.addresses import Purpose, ReplyTo
from service.mail_in.message import IncomingMessage, LetterReader
from service.mail_in.messages import MessagesByMail
from service.mail_in.offered import OfferedByMail
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.seated_commands import SeatedCommands, SeatedMail
from service.mail_in.senders import Distrusted, Senders, Writers
from service.mail_in.store import SentMailWords
from service.mail_in.wishes import Asked, Questions, Wishes, is_about_game, is_wish
from service.mail_in.wording import PlayerWords


@dataclass(eq=False, repr=False)
class Answering:
    """Carries out mails that answer ours: about a turn, an invitation, a challenge or a wish.

    Every call is idempotent for its `mail_id`.
    """

    _players: Players
    _senders: Senders
    _writers: Writers
    _games: Games
    _commands: SeatedCommands
    _offers: OfferedByMail
    _signatures: MailSignatures
    _questions: Questions
    _letters: LetterReader
    _sent_words: SentMailWords
    _wishes: Wishes
    _messages: MessagesByMail
    _player_words: PlayerWords

    def answer(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out a mail to the reply address `reply_to`. Raises `Dropped` if nobody is to be
        answered."""
        try:
            result = self._answered(mail_id, reply_to, message)
            return self._to_sender(result, message.sender)
        except Distrusted as distrusted:
            return distrusted.warning
        except RequestRejected as rejection:
            if rejection.code in _GONE:
                raise Dropped("gone") from None
            raise

    def _answered(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        if reply_to.purpose == "challenge":
            return self._offers.of_challenge(mail_id, reply_to, message)
        if reply_to.purpose == "season":
            return self._offers.of_season(mail_id, reply_to, message)
        if reply_to.purpose in _OF_WISHES:
            return self._of_wish(mail_id, reply_to, message)
        stored = self._games.current(reply_to.game)
        if reply_to.purpose in _TO_A_SEAT:
            return self._offers.of_invitation(mail_id, reply_to, stored, message)
        return self._of_turn(mail_id, reply_to, stored, message)

    def is_from_player(self, reply_to: ReplyTo, message: IncomingMessage) -> bool:
        """Whether the mail seems to be from the player (or invited guest) to whom we gave
        `reply_to`."""
        if self._senders.is_forged(message):
            return False
        try:
            if reply_to.purpose == "challenge":
                player = self._players.find(self._games.challenges.challenged(reply_to.game))
            elif reply_to.purpose == "season":
                player = self._offers.entrant(reply_to)
            elif reply_to.purpose in _OF_WISHES:
                player = self._wisher(reply_to)
            else:
                stored = self._games.load(reply_to.game)
                seated = stored.game.players[reply_to.seat] if reply_to.seat else stored.invited
                player = self._players.find(seated or "")
        except (RequestRejected, UnreadableLog):
            return False
        if player is None and reply_to.purpose in _TO_A_SEAT:
            invited = self._games.invitations.address(reply_to.game)
            return invited is not None and invited.lower() == message.sender
        return player is not None and self._senders.is_of(player, message.sender)

    # A turn

    def _of_turn(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        seat = reply_to.seat
        seated = self._players.find(stored.game.players[seat] or "") if seat else None
        player = self._writers.trusted(seated, message, stored.id)
        self._writers.came_by(player)
        assert seat is not None, "an address of a turn names a seat"
        words = self._player_words.of(player.id)
        if message.is_given_up:
            return self._commands.given_up(SeatedMail(mail_id, reply_to, player, stored, words))
        asked = None
        if reply_to.purpose == "question":
            asked = self._questions.find(reply_to.game, seat, reply_to.question)
            head = asked.head if asked else ""
            reply_to = reply_to._replace(purpose="turn", head=head)
        mail = SeatedMail(mail_id, reply_to, player, stored, words)
        letter = self._letter(mail, message, asked)
        result = self._carried_out(mail, letter, message, asked)
        return _with_unread(words, result, _with_word_among(letter, reply_to.purpose))

    def _letter(self, mail: SeatedMail, message: IncomingMessage, asked: Asked | None) -> Letter:
        """Read the mail. Programs append the signature that was `asked` about to the answer too:
        below a yes or a no it is passed over."""
        written = self._games.conversations.latest(mail.stored.id, _LAST_MESSAGES)
        others = [message.text for message in written if message.by != mail.seat]
        sent = self._sent_words.find(mail.stored.id, mail.seat).with_messages(others)
        letter = self._letters.read(message, mail.player, mail.stored.players, sent)
        if asked is None or not isinstance(letter.answer, Unread):
            return letter
        signature = asked.question.signature
        answer = self._letters.read(message, mail.player, mail.stored.players, sent, signature)
        return answer if answer.answer in _YES_OR_NO else letter

    def _carried_out(
        self, mail: SeatedMail, letter: Letter, message: IncomingMessage, asked: Asked | None
    ) -> Outcome:
        """Carry out what the letter asks for, or the turn that was `asked` about."""
        unread = letter.answer.lines if isinstance(letter.answer, Unread) else ()
        letter = _with_word_among(letter, mail.reply_to.purpose)
        match letter.answer:
            case AskedWord("yes") if asked is not None:
                self._signatures.add(mail.player.id, asked.question.signature)
                turn = asked.question.turn
                said = "\n".join(filter(None, (turn.message, letter.message)))
                result = self._commands.carry_out(mail, replace(turn, message=said))
            case Unread() | Empty() | TakenBack() | Contradiction():
                result = self._unread(mail, letter, message, asked)
            case WholeTurn() as wanted:
                result = self._played(mail, wanted)
            case wanted:
                told = self._messages.told(mail.id, mail.player.id, letter.message, mail.stored.id)
                if is_wish(wanted):
                    at_once = is_unhindered(unread, wanted)
                    result = self._wishes.answer(
                        mail.id, mail.player, wanted, mail.stored, at_once=at_once
                    )
                    result = _answerable(result, mail.stored.id)
                else:
                    assert isinstance(wanted, Gift | AskedWord), "the others are wishes"
                    result = self._commands.carry_out(mail, wanted)
                result = result._replace(sentences=(*told, *result.sentences))
        return result

    def _played(self, mail: SeatedMail, wanted: WholeTurn) -> Outcome:
        """Play the turn; where only a claim of it is refused, ask whether to play the rest."""
        result = self._commands.carry_out(mail, wanted)
        rest = wanted.without_claims()
        if result.label != "refused" or rest == wanted or not rest.actions:
            return result
        why = self._commands.why_unplayable(mail, wanted)
        if why is None or self._commands.why_unplayable(mail, rest) is not None:
            return result
        result = mail.refused("refused", why, unclear.of_rest(mail.words, rest))
        return self._asking(mail, result, OpenQuestion(rest))

    def _asking(self, mail: SeatedMail, result: Outcome, question: OpenQuestion) -> Outcome:
        """Return the outcome as one to which a `yes` plays the turn."""
        reply_to = mail.reply_to
        asked = Asked(question, reply_to.head)
        mark = self._questions.ask(reply_to.game, mail.seat, reply_to.version, asked)
        return result._replace(question=mark, asked_at=reply_to.version)

    def _unread(
        self, mail: SeatedMail, letter: Letter, message: IncomingMessage, asked: Asked | None
    ) -> Outcome:
        """Answer a mail whose lines are no turn, to an open question if it was `asked`. The
        question is not asked again about words that seem to be another command; what a mail asked
        to confirm still can be."""
        is_unread = isinstance(letter.answer, Unread | Empty)
        is_other = unclear.is_about_more_than_a_turn(letter.answer)
        if asked is not None and is_unread and not is_other:
            letter = letter._replace(question=letter.question or asked.question)
        result = self._unclear(mail, letter, message)
        lines = letter.answer.lines if isinstance(letter.answer, Unread) else ()
        is_open = is_unread and not result.question and mail.stored.game.status == "active"
        if is_open and not any(takes_back(line.text) for line in lines):
            purpose = mail.reply_to.purpose
            result = result._replace(confirms=purpose if purpose in _CONFIRMING else None)
        return result

    def _unclear(self, mail: SeatedMail, letter: Letter, message: IncomingMessage) -> Outcome:
        """Answer an unclear mail: ask the question that the letter raises, if it raises one, or say
        why the turn in that question cannot be played."""
        question = letter.question
        if isinstance(question, SeveralPlays):
            question = self._of_playable(mail, question)
            letter = letter._replace(question=question)
        if question is None and (text := unclear.message_in(letter, message)):
            question = OpenQuestion(WholeTurn((), text))
        if isinstance(question, OpenQuestion) and not question.turn.is_move:
            return self._asking_to_pass_on(mail, question)
        unsent = unclear.of_unsent(mail.words, letter.said)
        if not isinstance(question, OpenQuestion):
            said = unclear.of_unclear(
                mail.words,
                letter,
                message,
                is_over=mail.stored.game.over,
                is_to_move=not self._is_others_turn(mail),
            )
            others = self._of_others_turn(mail)
            return mail.refused("refused", *others, *said, *unsent)
        if (why := self._commands.why_late(mail)) is not None:
            return mail.refused("late", why, *unsent)
        if (why := self._commands.why_unplayable(mail, question.turn)) is not None:
            said = unclear.of_unclear(
                mail.words,
                letter._replace(question=None),
                message,
                is_to_move=not self._is_others_turn(mail),
            )
            if others := self._of_others_turn(mail):
                return mail.refused("refused", *others, *said, *unsent)
            unplayable = unclear.of_unplayable(mail.words, question, why)
            return mail.refused("refused", *said, *unplayable, *unsent)
        unsent = () if question.turn.message == "\n".join(letter.said) else unsent
        said = unclear.of_unclear(mail.words, letter, message)
        return self._asking(mail, mail.refused("refused", *said, *unsent), question)

    def _asking_to_pass_on(self, mail: SeatedMail, question: OpenQuestion) -> Outcome:
        """Ask whether the words in question are for the other player; say so if they take none."""
        text = question.turn.message
        try:
            self._games.conversations.check(mail.stored.id, mail.player.id, text)
        except RequestRejected as rejection:
            unsent = unclear.of_unsent(mail.words, text.split("\n"))
            refusal = sentences.of_refusal(mail.words, rejection)
            return mail.answer("refused", outcome.BOARD, refusal, *unsent[:-1])
        name = self._commands.other_name(mail, mail.stored)
        said = unclear.of_words_to_pass_on(mail.words, name, text.split("\n"))
        return self._asking(mail, mail.answer("confirm", outcome.BOARD, *said), question)

    def _of_playable(
        self, mail: SeatedMail, question: SeveralPlays
    ) -> OpenQuestion | SeveralPlays | None:
        """Return the question about those of several turns that can be played, or about the one
        beside the writer's card."""
        if question.beside is not None:
            sides = [stone.sides[mail.seat] for stone in mail.stored.game.stones]
            beside = [
                turn
                for turn, side in zip(question.turns, sides, strict=False)
                if question.beside in side
            ]
            return OpenQuestion(beside[0]) if len(beside) == 1 else None
        playable = self._commands.playable(mail, question.turns)
        if len(playable) == 1:
            return OpenQuestion(playable[0])
        if question.is_of_strength:
            return question._replace(turns=playable) if playable else None
        return question

    def _of_others_turn(self, mail: SeatedMail) -> tuple[str, ...]:
        """Say that it is the other player's turn, if it is: nobody is to fear for the last one."""
        return (self._commands.why_not_to_move(mail),) if self._is_others_turn(mail) else ()

    def _is_others_turn(self, mail: SeatedMail) -> bool:
        return mail.stored.player_to_move() not in (None, mail.player.id)

    # What was asked for besides a turn

    def _of_wish(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out an answer to the question whether a wish is meant (`wish`), or to the report
        that it was fulfilled (`made`)."""
        player = self._writers.trusted(self._wisher(reply_to), message)
        self._writers.came_by(player)
        letter, words = self._letters.read(message, player), self._player_words.of(player.id)
        note = Outcome("refused", outcome.NOTE, player.id)
        is_question = reply_to.purpose == "wish"
        game = self._wishes.game_of(player, reply_to.question) if is_question else None
        match letter.answer:
            case AskedWord("yes") if is_question:
                result = self._wishes.confirm(mail_id, player, reply_to.question)
            case AskedWord("call it off") if not is_question:
                result = self._wishes.call_off(mail_id, player, reply_to.game)
            case AskedWord("no"):
                result = note._replace(sentences=(sentences.say(words, sentences.LEFT_ALONE),))
            case AskedWord("help"):
                result = note._replace(label="help", kind=outcome.HELP)
            case WholeTurn((), said, ()) if game and said:
                told = self._messages.told(mail_id, player.id, said, game)
                note = note._replace(label="said", sentences=told)
                return note._replace(confirms="wish", question=reply_to.question)
            case wanted if is_wish(wanted) and (game or not is_about_game(wanted)):
                place = self._games.current(game) if game else None
                result = self._wishes.answer(mail_id, player, wanted, place)
            case _:
                return _no_answer_to_wish(
                    words, note, reply_to, letter, message, is_of_game=bool(game)
                )
        if game:
            result = _with_unread(words, _answerable(result, game), letter)
        told = self._messages.told(mail_id, player.id, letter.message, game)
        return result._replace(sentences=(*told, *result.sentences))

    def _wisher(self, reply_to: ReplyTo) -> Player | None:
        """Return the player whose wish this address is about; None if the account is gone."""
        if reply_to.purpose == "wish":
            return self._players.find(reply_to.game)
        try:
            return self._players.find(self._games.challenges.challenger(reply_to.game))
        except RequestRejected:
            stored = self._games.load(reply_to.game)
            return self._players.find(stored.game.players[stored.game.creator] or "")

    def _to_sender(self, outcome: Outcome, sender: str | None) -> Outcome:
        """Return the outcome, addressed to `sender` if that is a further address of the
        player's."""
        player = outcome.player
        if player is None or sender is None or not self._senders.is_further(player, sender):
            return outcome
        return outcome._replace(email=sender)


_GONE: Final = ("game-not-found", "game-removed", "challenge-not-found", "season-not-found")
"""The codes of refusals because what a mail was about is no longer there."""
_LAST_MESSAGES: Final = 20
"""Messages of a game that answers may quote."""
_YES_OR_NO: Final = {AskedWord("yes"), AskedWord("no")}
_TO_A_SEAT: Final = ("invitation", "naming")
_CONFIRMING: Final = ("resign", "win", "abandonment")
_OF_WISHES: Final = ("wish", "made")


def _with_word_among(letter: Letter, purpose: Purpose) -> Letter:
    """Return the letter with the one word among its lines, if that asks for what is confirmed
    before it is done."""
    among = None if letter.question else letter.among
    if isinstance(letter.answer, Unread):
        if among == AskedWord("show"):
            return letter._replace(answer=AskedWord("show"))
        if among is not None and is_wish(among) and purpose not in _CONFIRMING:
            return letter._replace(answer=among, small_talk=letter.beside)
        if letter.resigns and purpose == "turn":
            return letter._replace(answer=AskedWord("resign"), small_talk=letter.beside)
    return letter


def _answerable(result: Outcome, game: str) -> Outcome:
    """Let a mere note about a wish be answered as a mail about the game."""
    if result.kind != outcome.NOTE or result.confirms or result.made:
        return result
    return result._replace(about=game, game=game)


def _no_answer_to_wish(
    words: Words,
    note: Outcome,
    reply_to: ReplyTo,
    letter: Letter,
    message: IncomingMessage,
    *,
    is_of_game: bool,
) -> Outcome:
    """Return `note` as the answer to a letter that neither confirms a wish nor takes it back."""
    if reply_to.purpose == "wish":
        note = note._replace(confirms="wish", question=reply_to.question)
    else:
        note = note._replace(made=reply_to.game)
    unsaid = unclear.of_nobody_told(words, letter)
    if message.body.problem is not None:
        return note._replace(sentences=(*unclear.of_unclear(words, letter, message), *unsaid))
    how = sentences.TO_THE_OTHER_ALONE if is_of_game else sentences.TO_THE_OTHER_THERE
    tells = (how,) if isinstance(letter.answer, Unread) and not unsaid else ()
    said = (sentences.say(words, each) for each in (sentences.NO_ANSWER_TO_WISH, *tells))
    return note._replace(sentences=(*said, *unsaid))


def _with_unread(words: Words, result: Outcome, letter: Letter) -> Outcome:
    """Return the outcome with sentences that name the parts of the letter that were not read."""
    if result.kind in (None, outcome.HELP):
        return result
    passed_over = letter.passed_over if result.label in ("played", "said") else ()
    is_word = isinstance(letter.answer, AskedWord | ChooseLanguage | OfferPause)
    small_talk = letter.small_talk if is_word or result.label == "played" else ()
    is_of_wish = bool(result.made) or result.confirms == "wish"
    how = sentences.TO_THE_OTHER_THERE if is_of_wish else sentences.TO_THE_OTHER_ALONE
    said = (
        *unclear.of_passed_over(words, passed_over),
        *unclear.of_small_talk(words, small_talk, how),
        *unclear.of_missed(words, letter.missed),
    )
    return result._replace(sentences=(*result.sentences, *said))
