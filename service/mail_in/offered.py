"""Carries out answers to what our mails offer: an invitation, a challenge, the next season."""

from dataclasses import dataclass

from engine import OTHER, RuleBroken
from letters.commands import Unread
from letters.letter import Letter
from letters.wishes import AskedWord, ChooseLanguage
from service.accounts.email_addresses import AddressVerification
from service.accounts.mail_preferences import MailPreferences
from service.accounts.names import MAX_NAME, NameTaken, name_problem
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.errors import RequestRejected
from service.core.words import Words
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, Games, StoredGame
from service.mail_in import outcome, sentences, unclear
from service.mail_in.addresses import ReplyTo
from service.mail_in.message import IncomingMessage, LetterReader
from service.mail_in.messages import MessagesByMail
from service.mail_in.outcome import VIA, Dropped, Outcome
from service.mail_in.senders import Senders, Writers
from service.mail_in.wishes import Questions, Wishes
from service.mail_in.wording import PlayerWords
from service.seasons.seasons import Seasons


@dataclass(eq=False, repr=False)
class OfferedByMail:
    """Accepts and declines for those who answer. Every call is idempotent for its `mail_id`."""

    _players: Players
    _senders: Senders
    _writers: Writers
    _games: Games
    _seasons: Seasons
    _questions: Questions
    _letters: LetterReader
    _wishes: Wishes
    _messages: MessagesByMail
    _player_words: PlayerWords
    _preferences: MailPreferences

    def of_invitation(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        if stored.invited is not None:
            player = self._writers.trusted(self._players.find(stored.invited), message)
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
        self._writers.came_by(player)
        letter = self._letters.read(message, player, stored.players)
        words = self._player_words.of(player.id)
        unsaid = unclear.of_nobody_told(words, letter)
        note = Outcome("refused", outcome.NOTE, player.id, about=stored.id)
        try:
            match letter.answer_to_invitation:
                case AskedWord(accepts=True):
                    if stored.game.status == "open" or player.id not in stored.players:
                        invite = self._games.invitations.token(stored.id)
                        key = IdempotencyKey(f"{player.id} mail {mail_id}", "accept", player.id)
                        origin = ChangeContext(VIA, None, key)
                        self._games.join(stored.id, player.id, invite=invite, context=origin)
                    return self._joined(mail_id, stored.id, player.id, letter)
                case _ if player.id in stored.players and stored.game.status != "open":
                    return _in_already(words, stored, player, letter)
                case AskedWord(declines=True) if stored.invited == player.id:
                    origin = ChangeContext(VIA, None, IdempotencyKey(mail_id, "decline", player.id))
                    self._games.call_off(stored.id, player.id, origin)
                    said = words.say("You declined the invitation.")
                    told = self._messages.told(mail_id, player.id, letter.message, None)
                    return note._replace(label="declined", sentences=(said, *told))
                case _ if chosen := _language_in(letter):
                    result = self._wishes.answer(mail_id, player, chosen, None)
                    result = result._replace(sentences=(*result.sentences, *unsaid))
                    return result._replace(about=stored.id, offer="invitation", page="")
                case _ if _stands_no_more(stored):
                    said = sentences.say(words, sentences.NO_INVITATION)
                    return note._replace(sentences=(said, *unsaid))
                case _:
                    why = unclear.of_offer(words, letter, message)
                    return note._replace(sentences=(*why, *unsaid), offer="invitation")
        except (RequestRejected, RuleBroken) as refusal:
            said = sentences.of_refusal(words, refusal)
            if _stands_no_more(self._games.load(stored.id)):
                said = sentences.say(words, sentences.NO_INVITATION)
            return note._replace(sentences=(said, *unsaid))

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
        letter = self._letters.read(message, None, stored.players)
        is_naming = reply_to.purpose == "naming"
        if _stands_no_more(stored):  # before anybody is registered for it
            said = sentences.say(words, sentences.NO_INVITATION)
            return _with_unsaid(words, note._replace(sentences=(said,), offer=None), letter)
        words = self._words_of_guest(stored, letter)
        shown = self._questions.find_name(stored.id, reply_to.head) if is_naming else None
        answer, called = letter.answer_to_invitation, letter.called
        default = shown.name if shown else called.signed
        match answer:
            case AskedWord(accepts=True, name=named):
                is_accepted, chosen = True, named or default
            case _:
                is_accepted, chosen = False, called.alone if is_naming else None
        if shown is not None and chosen == shown.name:
            said = "\n".join(filter(None, (shown.message, letter.message)))
            letter = letter._replace(message=said)
        if is_accepted or chosen:
            joined = self._accepted(mail_id, words, note, chosen, message.name, letter)
            return _with_unsaid(words, joined, letter)
        match answer:
            case AskedWord(declines=True):
                said = words.say("You need do nothing: the invitation will expire.")
                note = note._replace(label="declined", sentences=(said,), offer=None)
                return _with_unsaid(words, note, letter)
            case Unread() as unread if (among := _acceptance_among(letter)) is not None:
                name = among.name or called.introduced or default or message.name
                asked = self._accepted(mail_id, words, note, None, name, letter)
                is_named = asked.name is not None
                say_why = unclear.of_acceptance if is_named else unclear.of_unread_about_offer
                why = say_why(words, unread)
                return asked._replace(sentences=(*why, *asked.sentences))
        why = unclear.of_offer(words, letter, message)
        if _language_in(letter) is not None:
            why = (sentences.say(words, sentences.IN_LANGUAGE),)
        note = _with_unsaid(words, note._replace(sentences=why), letter)
        return note if shown is None else _with_name(words, note, shown.name)

    def _accepted(
        self,
        mail_id: str,
        words: Words,
        note: Outcome,
        chosen: str | None,
        sender: str,
        letter: Letter,
    ) -> Outcome:
        """Seat somebody without an account under the name that they have `chosen`; else ask about
        that of the mail's `sender`, or another. `note` is the answer so far."""
        name, email = " ".join((chosen or sender).split()), note.email or ""
        if not name or len(name) > MAX_NAME or name_problem(name) is not None:
            said = sentences.say(words, sentences.NO_NAME)
            return note._replace(sentences=(said,), confirms="naming")
        invite = self._games.invitations.token(note.about)
        origin = ChangeContext(VIA, None, IdempotencyKey(f"guest mail {mail_id}", "accept"))
        try:
            if chosen is None:
                free, said = self._players.free_name(name), letter.message
                return self._asked_for_name(words, note, name, free, said)
            _, guest = self._games.join_as_guest(
                note.about, name, invite=invite, context=origin, exactly=True
            )
        except NameTaken as taken:
            return self._asked_for_name(words, note, name, taken.suggestion, letter.message)
        except (RequestRejected, RuleBroken) as refusal:
            return note._replace(sentences=(sentences.of_refusal(words, refusal),))
        self._preferences.set_choice(guest.player.id, {"browser_language": words.language})
        player = self._players.find(guest.player.id)
        if player is not None and player.email is None:
            self._players.set_address(player, email)
        self._players.verify(AddressVerification(guest.player.id, email, 0))
        return self._joined(mail_id, note.about, guest.player.id, letter)

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

    def _asked_for_name(
        self, words: Words, note: Outcome, wanted: str, name: str, message: str
    ) -> Outcome:
        """Return `note` with the question whether the writer accepts this name; it may stand in for
        the one that they wanted. Their message to the other player, if any, is kept until then."""
        self._questions.offer_name(note.about, name, message)
        taken = () if name == wanted else (sentences.of_taken_name(words, wanted),)
        asked = _with_name(words, note._replace(label="confirm", sentences=taken), name)
        kept = (sentences.say(words, sentences.PASSED_ON_THEN),) if message else ()
        return asked._replace(sentences=(*asked.sentences, *kept))

    def of_challenge(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        challenges = self._games.challenges
        challenged = self._players.find(challenges.challenged(reply_to.game))
        player = self._writers.trusted(challenged, message)
        self._writers.came_by(player)
        letter = self._letters.read(message, player, [challenges.challenger(reply_to.game)])
        words = self._player_words.of(player.id)
        unsaid = unclear.of_nobody_told(words, letter)
        note = Outcome("refused", outcome.NOTE, player.id, about=reply_to.game)
        try:
            match letter.answer_to_invitation:
                case AskedWord(accepts=True):
                    game = challenges.accept(reply_to.game, player.id, via=VIA)
                    return self._joined(mail_id, game.id, player.id, letter)
                case _ if challenges.find(reply_to.game, player.id).status == "accepted":
                    return _in_already(words, self._games.current(reply_to.game), player, letter)
                case AskedWord(declines=True):
                    challenges.decline(reply_to.game, player.id)
                    said = words.say("You declined the challenge.")
                    told = self._messages.told(mail_id, player.id, letter.message, None)
                    return note._replace(label="declined", sentences=(said, *told))
                case _ if chosen := _language_in(letter):
                    result = self._wishes.answer("", player, chosen, None)
                    result = result._replace(sentences=(*result.sentences, *unsaid))
                    return result._replace(about=reply_to.game, offer="challenge", page="")
                case _:
                    why = unclear.of_offer(words, letter, message)
                    return note._replace(sentences=(*why, *unsaid), offer="challenge")
        except (RequestRejected, RuleBroken) as rejection:
            return note._replace(sentences=(sentences.of_refusal(words, rejection), *unsaid))

    def of_season(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """Carry out an answer to the mail of a season that is over: enter the one that it named."""
        player = self._writers.trusted(self.entrant(reply_to), message)
        self._writers.came_by(player)
        letter, words = self._letters.read(message, player), self._player_words.of(player.id)
        following = self._seasons.get(reply_to.game)
        note = Outcome("refused", outcome.NOTE, player.id, page="/seasons")
        unsaid = unclear.of_nobody_told(words, letter)
        if following.status != "open":
            late = words.say("That season has started: nobody enters it now.")
            return note._replace(sentences=(late, *unsaid))
        note, name = note._replace(page=f"/seasons/{following.id}"), following.rules.name
        match letter.answer_to_invitation:
            case AskedWord(accepts=True):
                try:
                    self._seasons.enter(following.id, player.id, None, VIA)
                except RequestRejected as rejection:
                    refusal = sentences.of_refusal(words, rejection)
                    return note._replace(sentences=(refusal, *unsaid))
                said = words.say("You have entered the season “%(name)s”.", name=name)
                return note._replace(label="entered", sentences=(said, *unsaid))
            case AskedWord("decline" | "no"):
                said = words.say("You have not entered the season “%(name)s”.", name=name)
                return note._replace(label="declined", sentences=(said, *unsaid))
        return note._replace(sentences=(*unclear.of_offer(words, letter, message), *unsaid))

    def entrant(self, reply_to: ReplyTo) -> Player | None:
        """Return the player of this place among those who entered the season before; None if the
        account is gone."""
        before = self._seasons.get(reply_to.game).rules.follows
        entered = [] if before is None else [*self._seasons.get(before).entered]
        place = reply_to.version - 1
        return self._players.find(entered[place]) if place < len(entered) else None

    def _joined(self, mail_id: str, game: str, player: str, letter: Letter) -> Outcome:
        self._games.announce_turn(game, player)
        told = self._messages.told(mail_id, player, letter.message, game)
        words = self._player_words.of(player)
        said = letter.beside if isinstance(letter.answer, Unread) else letter.small_talk
        unsaid = unclear.of_small_talk(words, said, sentences.TO_THE_OTHER_ALONE)
        result = Outcome("joined", outcome.PLAYED, player, about=game, game=game)
        return result._replace(sentences=(*told, *unsaid))


def _acceptance_among(letter: Letter) -> AskedWord | None:
    """Return the word that accepts among the sentences of an unread letter; None for none."""
    among = letter.among
    return among if isinstance(among, AskedWord) and among.accepts else None


def _language_in(letter: Letter) -> ChooseLanguage | None:
    """Return the language that a letter asks for, with whatever other words; None for none."""
    wanted = letter.among if isinstance(letter.answer, Unread) else letter.answer
    return wanted if isinstance(wanted, ChooseLanguage) else None


def _in_already(words: Words, stored: StoredGame, player: Player, letter: Letter) -> Outcome:
    """Return the answer to a player who has taken their seat in this game before."""
    message = sentences.GAME_OVER if stored.game.over else sentences.IN_ALREADY
    said = (sentences.say(words, message), *unclear.of_unsent(words, letter.said))
    return Outcome("late", outcome.BOARD, player.id, "", stored.id, stored.id, said)


def _stands_no_more(stored: StoredGame) -> bool:
    """Whether the game was cancelled before anybody took its free seat."""
    return stored.game.status == "aborted" and len(stored.players) < 2


def _with_unsaid(words: Words, result: Outcome, letter: Letter) -> Outcome:
    """Return the answer to somebody without an account, who is told if their message was not
    passed on."""
    if result.label in ("joined", "confirm"):
        return result
    unsaid = unclear.of_nobody_told(words, letter)
    return result._replace(sentences=(*result.sentences, *unsaid))


def _with_name(words: Words, note: Outcome, name: str) -> Outcome:
    """Return `note` with the question whether the writer accepts this name."""
    said = (*note.sentences, sentences.of_name(words, name))
    return note._replace(sentences=said, confirms="naming", name=name)
