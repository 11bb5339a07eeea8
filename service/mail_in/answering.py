"""Carries out answers to our mails: checks the sender, reads the letter, and says the result."""

from dataclasses import dataclass
from typing import Final

from engine import OTHER, RuleBroken
from letters.commands import Contradiction, Empty, TakenBack, Unread, WholeTurn
from letters.grammar import Gift
from letters.guesses import SeveralPlays
from letters.letter import Letter, OpenQuestion
from letters.wishes import AskedWord, ChooseLanguage
from service.accounts.email_addresses import AddressVerification, EmailAddresses
from service.accounts.mail_preferences import MailPreferences
from service.accounts.mail_state import DeferredNotices, MailSignatures
from service.accounts.names import MAX_NAME, NameTaken, name_problem
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.core.errors import RequestRejected
from service.core.words import Words
from service.eventlog import IdempotencyKey, UnreadableLog
from service.games import ChangeContext, Games, StoredGame
from service.mail_in import outcome, sentences, unclear
from service.mail_in.addresses import ReplyTo
from service.mail_in.message import IncomingMessage, LetterReader
from service.mail_in.outcome import VIA, Dropped, Outcome
from service.mail_in.seated_commands import SeatedCommands, SeatedMail
from service.mail_in.senders import Senders
from service.mail_in.store import SentMailWords
from service.mail_in.wishes import Asked, Questions, Wishes, is_about_game, is_wish
from service.mail_in.wording import PlayerWords
from service.seasons.seasons import Seasons


@dataclass(eq=False, repr=False)
class Answering:
    """Carries out mails that answer ours: about a turn, an invitation, a challenge or a wish.

    Every call is idempotent for its `mail_id`.
    """

    _players: Players
    _addresses: EmailAddresses
    _tokens: Tokens
    _senders: Senders
    _games: Games
    _seasons: Seasons
    _commands: SeatedCommands
    _deferred_notices: DeferredNotices
    _signatures: MailSignatures
    _questions: Questions
    _letters: LetterReader
    _sent_words: SentMailWords
    _wishes: Wishes
    _player_words: PlayerWords
    _preferences: MailPreferences

    def answer(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out a mail to the reply address `reply_to`. Raises `Dropped` if nobody is to be
        answered."""
        try:
            result = self._answered(mail_id, reply_to, message)
            return self._to_sender(result, message.sender)
        except _Distrusted as distrusted:
            return distrusted.warning
        except RequestRejected as rejection:
            if rejection.code in _GONE:
                raise Dropped("gone") from None
            raise

    def _answered(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        if reply_to.purpose == "challenge":
            return self._of_challenge(reply_to, message)
        if reply_to.purpose == "season":
            return self._of_season(reply_to, message)
        if reply_to.purpose in _OF_WISHES:
            return self._of_wish(mail_id, reply_to, message)
        stored = self._games.current(reply_to.game)
        if reply_to.purpose in _TO_A_SEAT:
            return self._of_invitation(mail_id, reply_to, stored, message)
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
                player = self._entrant(reply_to)
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
        player = self._trusted(seated, message, stored.id)
        self._came_by(player)
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
        return _with_unread(words, result, letter)

    def _letter(self, mail: SeatedMail, message: IncomingMessage, asked: Asked | None) -> Letter:
        """Read the mail. Programs append the signature that was `asked` about to the answer too:
        below a yes or a no it is passed over."""
        sent = self._sent_words.find(mail.stored.id, mail.seat)
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
        match letter.answer:
            case AskedWord("yes") if asked is not None:
                self._signatures.add(mail.player.id, asked.question.signature)
                result = self._commands.carry_out(mail, asked.question.turn)
            case Unread() | Empty() | TakenBack() | Contradiction():
                result = self._unread(mail, letter, message, asked)
            case wanted if is_wish(wanted):
                result = self._wishes.answer(mail.id, mail.player, wanted, mail.stored)
            case WholeTurn() as wanted:
                result = self._played(mail, wanted)
            case Gift() | AskedWord() as wanted:
                result = self._commands.carry_out(mail, wanted)
        return result

    def _played(self, mail: SeatedMail, wanted: WholeTurn) -> Outcome:
        """Play the turn; where only a claim of it is refused, ask whether to play the rest."""
        result = self._commands.carry_out(mail, wanted)
        rest = wanted.without_claims()
        if result.label != "refused" or rest == wanted or not rest.actions:
            return result
        if self._commands.why_unplayable(mail, rest) is not None:
            return result
        said = unclear.of_rest(mail.words, rest)
        result = result._replace(sentences=(*result.sentences, said))
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
        """Answer a mail whose lines are no turn, to an open question if it was `asked`: one among
        them may ask for what is confirmed before it is done."""
        among = None if letter.question else letter.among
        if among is not None and is_wish(among):
            return self._wishes.answer(mail.id, mail.player, among, mail.stored)
        if letter.resigns and mail.reply_to.purpose == "turn":
            return self._commands.carry_out(mail, AskedWord("resign"))
        if asked is not None and isinstance(letter.answer, Unread | Empty):
            letter = letter._replace(question=letter.question or asked.question)
        return self._unclear(mail, letter, message)

    def _unclear(self, mail: SeatedMail, letter: Letter, message: IncomingMessage) -> Outcome:
        """Answer an unclear mail: ask the question that the letter raises, if it raises one, or say
        why the turn in that question cannot be played."""
        question = letter.question
        if isinstance(question, SeveralPlays):
            only = self._commands.only_playable(mail, question.turns)
            question = OpenQuestion(only) if only else question
            letter = letter._replace(question=question)
        if not isinstance(question, OpenQuestion):
            said = unclear.of_unclear(mail.words, letter, message, is_over=mail.stored.game.over)
            return mail.refused("refused", *said)
        if (why := self._commands.why_late(mail)) is not None:
            return mail.refused("late", why)
        if (why := self._commands.why_unplayable(mail, question.turn)) is not None:
            said = unclear.of_unclear(mail.words, letter._replace(question=None), message)
            unplayable = unclear.of_unplayable(mail.words, question, why)
            return mail.refused("refused", *said, *unplayable)
        result = mail.refused("refused", *unclear.of_unclear(mail.words, letter, message))
        return self._asking(mail, result, question)

    # What was asked for besides a turn

    def _of_wish(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out an answer to the question whether a wish is meant (`wish`), or to the report
        that it was fulfilled (`made`)."""
        player = self._trusted(self._wisher(reply_to), message)
        self._came_by(player)
        letter, words = self._letters.read(message, player), self._player_words.of(player.id)
        note = Outcome("refused", outcome.NOTE, player.id)
        is_question = reply_to.purpose == "wish"
        match letter.answer:
            case AskedWord("yes") if is_question:
                return self._wishes.confirm(mail_id, player, reply_to.question)
            case AskedWord("call it off") if not is_question:
                return self._wishes.call_off(mail_id, player, reply_to.game)
            case AskedWord("no"):
                return note._replace(sentences=(sentences.say(words, sentences.LEFT_ALONE),))
            case AskedWord("help"):
                return note._replace(label="help", kind=outcome.HELP)
            case wanted if is_wish(wanted) and not is_about_game(wanted):
                return self._wishes.answer(mail_id, player, wanted, None)
        if is_question:
            note = note._replace(confirms="wish", question=reply_to.question)
        else:
            note = note._replace(made=reply_to.game)
        if message.body.problem is not None:
            return note._replace(sentences=unclear.of_unclear(words, letter, message))
        return note._replace(sentences=(sentences.say(words, sentences.NO_ANSWER_TO_WISH),))

    def _wisher(self, reply_to: ReplyTo) -> Player | None:
        """Return the player whose wish this address is about; None if the account is gone."""
        if reply_to.purpose == "wish":
            return self._players.find(reply_to.game)
        try:
            return self._players.find(self._games.challenges.challenger(reply_to.game))
        except RequestRejected:
            stored = self._games.load(reply_to.game)
            return self._players.find(stored.game.players[stored.game.creator] or "")

    # An invitation or a challenge

    def _of_invitation(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        if stored.invited is not None:
            player = self._trusted(self._players.find(stored.invited), message)
            return self._invited(mail_id, stored, player, message)
        email = self._games.invitations.address(stored.id)
        if email is None:
            return self._of_taken_seat(mail_id, reply_to, stored, message)
        if message.sender != email.lower():
            raise Dropped("stranger")
        if self._senders.is_forged(message):
            raise Dropped("forged")
        if (owner := self._senders.owner(email)) is not None:
            return self._invited(mail_id, stored, owner, message)
        return self._newcomer(mail_id, reply_to, stored, email, message)

    def _of_taken_seat(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        """Carry out an answer to an invitation that is no longer open and whose e-mail address is
        deleted.

        `From` may name anybody, so only two mails are answered: the very mail that took the seat,
        if it is carried out again, and a mail from the player who sits there. Raises `Dropped` for
        any other.
        """
        if (
            stored.game.status == "open"
            or message.sender is None
            or self._senders.is_forged(message)
        ):
            raise Dropped("gone")
        if (owner := self._senders.owner(message.sender)) is None:
            outcome = self._newcomer(mail_id, reply_to, stored, message.sender, message)
            if outcome.label == "joined":
                return outcome
        elif owner.id == stored.game.players[OTHER[stored.game.creator]]:
            return self._invited(mail_id, stored, owner, message)
        raise Dropped("gone")

    def _invited(
        self, mail_id: str, stored: StoredGame, player: Player, message: IncomingMessage
    ) -> Outcome:
        """Carry out an answer to an invitation by a player with an account."""
        self._came_by(player)
        letter = self._letters.read(message, player, stored.players)
        words = self._player_words.of(player.id)
        note = Outcome("refused", outcome.NOTE, player.id, about=stored.id)
        try:
            match letter.answer_to_invitation:
                case AskedWord(accepts=True):
                    if stored.game.status == "open" or player.id not in stored.players:
                        invite = self._games.invitations.token(stored.id)
                        key = IdempotencyKey(f"{player.id} mail {mail_id}", "accept", player.id)
                        origin = ChangeContext(VIA, None, key)
                        self._games.join(stored.id, player.id, invite=invite, context=origin)
                    return self._joined(stored.id, player.id)
                case AskedWord(declines=True) if stored.invited == player.id:
                    origin = ChangeContext(VIA, None, IdempotencyKey(mail_id, "decline", player.id))
                    self._games.call_off(stored.id, player.id, origin)
                    said = words.say("You declined the invitation.")
                    return note._replace(label="declined", sentences=(said,))
                case _ if chosen := _language_in(letter):
                    result = self._wishes.answer(mail_id, player, chosen, None)
                    return result._replace(about=stored.id, offer="invitation", page="")
                case _ if _stands_no_more(stored):
                    said = sentences.say(words, sentences.NO_INVITATION)
                    return note._replace(sentences=(said,))
                case _:
                    why = unclear.of_offer(words, letter, message)
                    return note._replace(sentences=why, offer="invitation")
        except (RequestRejected, RuleBroken) as refusal:
            said = sentences.of_refusal(words, refusal)
            if _stands_no_more(self._games.load(stored.id)):
                said = sentences.say(words, sentences.NO_INVITATION)
            return note._replace(sentences=(said,))

    def _newcomer(
        self,
        mail_id: str,
        reply_to: ReplyTo,
        stored: StoredGame,
        email: str,
        message: IncomingMessage,
    ) -> Outcome:
        """Carry out an answer to an invitation by somebody without an account. Accepting creates
        one, with this address, under a name that they chose or were shown before.

        The invitation went to that address alone, so the answer proves that the address is theirs.
        """
        words = self._player_words.of(None, stored.id)
        note = Outcome("refused", outcome.NOTE, email=email, about=stored.id, offer="invitation")
        if _stands_no_more(stored):  # before anybody is registered for it
            said = sentences.say(words, sentences.NO_INVITATION)
            return note._replace(sentences=(said,), offer=None)
        letter, shown = self._letters.read(message, None, stored.players), None
        words = self._words_of_guest(stored, letter)
        if reply_to.purpose == "naming":
            shown = self._questions.find_name(stored.id, reply_to.head)
        match letter.answer_to_invitation:
            case AskedWord(name=name, accepts=True):
                return self._accepted(mail_id, words, note, name or shown, message.name)
            case AskedWord(declines=True):
                said = words.say("You need do nothing: the invitation will expire.")
                return note._replace(label="declined", sentences=(said,), offer=None)
            case Unread() as unread if isinstance(letter.among, AskedWord) and letter.among.name:
                name = letter.among.name
                asked = self._asked_for_name(words, note, name, self._players.free_name(name))
                why = unclear.of_unread_about_offer(words, unread)
                return asked._replace(sentences=(*why, *asked.sentences))
        why = unclear.of_offer(words, letter, message)
        if _language_in(letter) is not None:
            why = (sentences.say(words, sentences.IN_LANGUAGE),)
        note = note._replace(sentences=why)
        return note if shown is None else _with_name(words, note, shown)

    def _accepted(
        self, mail_id: str, words: Words, note: Outcome, chosen: str | None, sender: str
    ) -> Outcome:
        """Seat somebody without an account under the name that they have `chosen`; else ask about
        that of the mail's `sender`. `note` is the answer so far."""
        name, email = " ".join((chosen or sender).split()), note.email or ""
        if not name or len(name) > MAX_NAME or name_problem(name) is not None:
            said = sentences.say(words, sentences.NO_NAME)
            return note._replace(sentences=(said,), confirms="naming")
        invite = self._games.invitations.token(note.about)
        origin = ChangeContext(VIA, None, IdempotencyKey(f"guest mail {mail_id}", "accept"))
        try:
            if chosen is None:
                return self._asked_for_name(words, note, name, self._players.free_name(name))
            _, guest = self._games.join_as_guest(
                note.about, name, invite=invite, context=origin, exactly=True
            )
        except NameTaken as taken:
            return self._asked_for_name(words, note, name, taken.suggestion)
        except (RequestRejected, RuleBroken) as refusal:
            return note._replace(sentences=(sentences.of_refusal(words, refusal),))
        self._preferences.set_choice(guest.player.id, {"browser_language": words.language})
        player = self._players.find(guest.player.id)
        if player is not None and player.email is None:
            self._players.set_address(player, email)
        self._players.verify(AddressVerification(guest.player.id, email, 0))
        return self._joined(note.about, guest.player.id)

    def _words_of_guest(self, stored: StoredGame, letter: Letter) -> Words:
        """Return the words in which to answer somebody without an account: those in which they
        accept or decline, or which they ask for, and else those of the invitation. They are kept
        for the mails that follow."""
        chosen = _language_in(letter)
        given = letter.answer_to_invitation
        answer = given if isinstance(given, AskedWord) else letter.among
        language = chosen.language if chosen else None
        if isinstance(answer, AskedWord) and (answer.accepts or answer.declines):
            language = answer.language
        if language is not None:
            self._games.invitations.choose_language(stored.id, language)
        return self._player_words.of(None, stored.id)

    def _asked_for_name(self, words: Words, note: Outcome, wanted: str, name: str) -> Outcome:
        """Return `note` with the question whether the writer accepts this name; it may stand in for
        the one that they wanted."""
        self._questions.offer_name(note.about, name)
        taken = () if name == wanted else (sentences.of_taken_name(words, wanted),)
        return _with_name(words, note._replace(label="confirm", sentences=taken), name)

    def _of_challenge(self, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        challenges = self._games.challenges
        challenged = self._players.find(challenges.challenged(reply_to.game))
        player = self._trusted(challenged, message)
        self._came_by(player)
        letter = self._letters.read(message, player, [challenges.challenger(reply_to.game)])
        words = self._player_words.of(player.id)
        note = Outcome("refused", outcome.NOTE, player.id, about=reply_to.game)
        try:
            match letter.answer_to_invitation:
                case AskedWord(accepts=True):
                    game = challenges.accept(reply_to.game, player.id, via=VIA)
                    return self._joined(game.id, player.id)
                case AskedWord(declines=True):
                    challenges.decline(reply_to.game, player.id)
                    said = words.say("You declined the challenge.")
                    return note._replace(label="declined", sentences=(said,))
                case _ if chosen := _language_in(letter):
                    result = self._wishes.answer("", player, chosen, None)
                    return result._replace(about=reply_to.game, offer="challenge", page="")
                case _:
                    why = unclear.of_offer(words, letter, message)
                    return note._replace(sentences=why, offer="challenge")
        except (RequestRejected, RuleBroken) as rejection:
            return note._replace(sentences=(sentences.of_refusal(words, rejection),))

    def _of_season(self, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out an answer to the mail of a season that is over: enter the one that it named."""
        player = self._trusted(self._entrant(reply_to), message)
        self._came_by(player)
        letter, words = self._letters.read(message, player), self._player_words.of(player.id)
        following = self._seasons.get(reply_to.game)
        note = Outcome("refused", outcome.NOTE, player.id, page="/seasons")
        if following.status != "open":
            late = words.say("That season has started: nobody enters it now.")
            return note._replace(sentences=(late,))
        note, name = note._replace(page=f"/seasons/{following.id}"), following.rules.name
        match letter.answer_to_invitation:
            case AskedWord(accepts=True):
                try:
                    self._seasons.enter(following.id, player.id, None, VIA)
                except RequestRejected as rejection:
                    return note._replace(sentences=(sentences.of_refusal(words, rejection),))
                said = words.say("You have entered the season “%(name)s”.", name=name)
                return note._replace(label="entered", sentences=(said,))
            case AskedWord("decline" | "no"):
                said = words.say("You have not entered the season “%(name)s”.", name=name)
                return note._replace(label="declined", sentences=(said,))
        return note._replace(sentences=unclear.of_offer(words, letter, message))

    def _entrant(self, reply_to: ReplyTo) -> Player | None:
        """Return the player of this place among those who entered the season before; None if the
        account is gone."""
        before = self._seasons.get(reply_to.game).rules.follows
        entered = [] if before is None else [*self._seasons.get(before).entered]
        place = reply_to.version - 1
        return self._players.find(entered[place]) if place < len(entered) else None

    def _joined(self, game: str, player: str) -> Outcome:
        self._games.announce_turn(game, player)
        return Outcome("joined", outcome.PLAYED, player, about=game, game=game)

    def _came_by(self, player: Player) -> None:
        """Record an answer from the player: it is a visit, and it shows that our mail reached
        them."""
        self._deferred_notices.visited(player.id)
        self._tokens.record_answer(player.id)
        if player.email is not None and player.verified:
            self._addresses.failing.clear(player.email)

    # Whose mail it is

    def _trusted(self, player: Player | None, message: IncomingMessage, game: str = "") -> Player:
        """Return the player, if the mail is from an address of theirs, and not forged. Raises
        `_Distrusted` otherwise, `Dropped` without an account."""
        if player is None:
            raise Dropped("gone")
        if not self._senders.is_of(player, message.sender):
            label, warning = "stranger", sentences.STRANGER
        elif self._senders.is_forged(message):
            label, warning = "forged", sentences.FORGED
        else:
            return player
        said = sentences.say(self._player_words.of(player.id), warning)
        raise _Distrusted(Outcome(label, outcome.NOTE, player.id, about=game, sentences=(said,)))

    def _to_sender(self, outcome: Outcome, sender: str | None) -> Outcome:
        """Return the outcome, addressed to `sender` if that is a further address of the
        player's."""
        player = outcome.player
        if player is None or sender is None or not self._senders.is_further(player, sender):
            return outcome
        return outcome._replace(email=sender)


class _Distrusted(Exception):
    """A mail that may not be its player's. The `warning` goes to their own address."""

    def __init__(self, warning: Outcome) -> None:
        super().__init__(warning.label)
        self.warning = warning


_GONE: Final = ("game-not-found", "game-removed", "challenge-not-found", "season-not-found")
"""The codes of refusals because what a mail was about is no longer there."""
_YES_OR_NO: Final = (AskedWord("yes"), AskedWord("no"))
_TO_A_SEAT: Final = ("invitation", "naming")
_OF_WISHES: Final = ("wish", "made")


def _language_in(letter: Letter) -> ChooseLanguage | None:
    """Return the language that a letter asks for, with whatever other words; None for none."""
    wanted = letter.among if isinstance(letter.answer, Unread) else letter.answer
    return wanted if isinstance(wanted, ChooseLanguage) else None


def _stands_no_more(stored: StoredGame) -> bool:
    """Whether the game was cancelled before anybody took its free seat."""
    return stored.game.status == "aborted" and len(stored.players) < 2


def _with_name(words: Words, note: Outcome, name: str) -> Outcome:
    """Return `note` with the question whether the writer accepts this name."""
    said = (*note.sentences, sentences.of_name(words, name))
    return note._replace(sentences=said, confirms="naming", name=name)


def _with_unread(words: Words, result: Outcome, letter: Letter) -> Outcome:
    """Return the outcome with sentences that name the parts of the letter that were not read."""
    if result.kind in (None, outcome.HELP):
        return result
    passed_over = letter.passed_over if result.label in ("played", "said") else ()
    small_talk = letter.small_talk if result.label == "played" else ()
    said = (
        *unclear.of_passed_over(words, passed_over),
        *unclear.of_small_talk(words, small_talk),
        *unclear.of_missed(words, letter.missed),
    )
    return result._replace(sentences=(*result.sentences, *said))
