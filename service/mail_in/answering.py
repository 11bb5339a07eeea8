"""What a mail wants, whether its sender may have it, and what came of it."""

from typing import Final

from engine import OTHER
from service.accounts.email_addresses import AddressVerification, EmailAddresses
from service.accounts.held_mail import HeldMail
from service.accounts.name_index import NameTaken, names_like
from service.accounts.name_rules import MAX_NAME, name_problem
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey, UnreadableLog
from service.games import Games, Origin, StoredGame
from service.mail_in import outcome
from service.mail_in.addresses.reply_addresses import ReplyTo, name_mark
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.reading.lines import Line, lines_below, own_lines, plain_form
from service.mail_in.reading.message import IncomingMessage
from service.mail_in.senders import Senders
from service.mail_in.table import VIA, SeatedMail, Table
from service.mail_in.words import sentences
from service.mail_in.words.commands import (
    Answer,
    AskedWord,
    Empty,
    Unread,
    commands_among,
    read_commands,
)


class Answering:
    """Carries out what answers ask for. Every call may be repeated with the same `mail_id`."""

    def __init__(
        self,
        players: Players,
        addresses: EmailAddresses,
        senders: Senders,
        games: Games,
        held_mail: HeldMail,
    ) -> None:
        self._players = players
        self._addresses = addresses
        self._senders = senders
        self._games = games
        self._table = Table(games)
        self._held_mail = held_mail

    def answer(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        """What came of a mail to this address. Raises `Dropped`."""
        try:
            found = _with_missed(self._answered(mail_id, reply_to, message), message)
            return self._to_sender(found, message.sender)
        except RequestRejected as rejection:
            if rejection.code in ("game-not-found", "challenge-not-found"):
                raise Dropped("gone") from None
            raise

    def _answered(self, mail_id: str, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        if reply_to.purpose == "challenge":
            return self._of_challenge(reply_to, message)
        stored = self._games.current(reply_to.game)
        if reply_to.purpose in _TO_A_SEAT:
            return self._of_invitation(mail_id, reply_to, stored, message)
        return self._of_turn(mail_id, reply_to, stored, message)

    def is_from_player(self, reply_to: ReplyTo, message: IncomingMessage) -> bool:
        """Whether the mail is from whom its address is for, as far as can be told."""
        if self._senders.is_forged(message):
            return False
        try:
            if reply_to.purpose == "challenge":
                player = self._players.find(self._games.challenges.challenged(reply_to.game))
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
        player = self._players.find(stored.game.players[seat] or "") if seat else None
        if player is None:
            raise Dropped("gone")
        if (refusal := self._distrust(player, stored.id, message)) is not None:
            return refusal
        self._came_by(player)
        wanted = self._commands(message, player.name)
        if isinstance(wanted, Unread | Empty):
            return _refused(player.id, stored.id, "refused", *_of_unread(wanted, message))
        return self._table.carry_out(SeatedMail(mail_id, reply_to, player, stored), wanted)

    # An invitation or a challenge

    def _of_invitation(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        if stored.invited is not None:
            player = self._players.find(stored.invited)
            if player is None:
                raise Dropped("gone")
            if (refusal := self._distrust(player, None, message)) is not None:
                return refusal
            return self._invited(mail_id, stored, player, message)
        email = self._games.invitations.address(stored.id)
        if email is None:
            return self._of_taken_seat(mail_id, reply_to, stored, message)
        if message.sender != email.lower():
            raise Dropped("stranger")
        if self._senders.is_forged(message):
            raise Dropped("forged")
        known = self._senders.owner(email)
        if known is not None:
            return self._invited(mail_id, stored, known, message)
        return self._newcomer(mail_id, reply_to, stored, email, message)

    def _of_taken_seat(
        self, mail_id: str, reply_to: ReplyTo, stored: StoredGame, message: IncomingMessage
    ) -> Outcome:
        """An answer to an invitation that stands no more, and whose address is forgotten.

        Anybody's address may stand in it, so only two are answered: this very mail, if it took the
        seat and is carried out again, and the player who sits there.
        """
        if (
            stored.game.status == "open"
            or message.sender is None
            or self._senders.is_forged(message)
        ):
            raise Dropped("gone")
        known = self._senders.owner(message.sender)
        if known is None:
            outcome = self._newcomer(mail_id, reply_to, stored, message.sender, message)
            if outcome.label == "joined":
                return outcome
        elif known.id == stored.game.players[OTHER[stored.game.creator]]:
            return self._invited(mail_id, stored, known, message)
        raise Dropped("gone")

    def _invited(
        self, mail_id: str, stored: StoredGame, player: Player, message: IncomingMessage
    ) -> Outcome:
        """An answer of a player with an account to an invitation."""
        self._came_by(player)
        wanted = self._commands(message, player.name)
        note = Outcome("refused", outcome.NOTE, player.id, about=stored.id)
        try:
            match wanted:
                case AskedWord("accept"):
                    if stored.game.status == "open" or player.id not in stored.players:
                        self._join(mail_id, stored, player.id)
                    return self._joined(stored.id, player.id)
                case AskedWord("decline", about=None) if stored.invited == player.id:
                    origin = Origin(VIA, None, IdempotencyKey(mail_id, "decline", player.id))
                    self._games.call_off(stored.id, player.id, origin)
                    said = "You declined the invitation."
                    return note._replace(label="declined", sentences=(said,))
                case _:
                    why = _of_offer(wanted, message)
                    return note._replace(sentences=why, offer="invitation")
        except RequestRejected as rejection:
            return note._replace(sentences=(sentences.of_refusal(rejection),))

    def _newcomer(
        self,
        mail_id: str,
        reply_to: ReplyTo,
        stored: StoredGame,
        email: str,
        message: IncomingMessage,
    ) -> Outcome:
        """An answer of somebody without an account. Accepting creates one, with this address, under
        a name that they chose, or were shown before.

        The invitation went to that address alone, and so the answer proves it theirs.
        """
        note = Outcome("refused", outcome.NOTE, email=email, about=stored.id, offer="invitation")
        wanted = self._commands(message, "")
        match wanted:
            case AskedWord("accept", name):
                pass
            case AskedWord("decline", about=None):
                said = "You need not do anything: an invitation that nobody accepts expires."
                return note._replace(label="declined", sentences=(said,), offer=None)
            case _:
                return note._replace(sentences=_of_offer(wanted, message))
        is_chosen, name = name is not None, " ".join((name or message.name).split())
        if not name or len(name) > MAX_NAME or name_problem(name) is not None:
            return note._replace(sentences=(sentences.NO_NAME,))
        if not is_chosen and reply_to.purpose == "naming":
            shown = (each for each in names_like(name) if name_mark(each) == reply_to.head)
            name = next(shown, name)
            is_chosen = name_mark(name) == reply_to.head
        invite = self._games.invitations.token(stored.id)
        origin = Origin(VIA, None, IdempotencyKey(f"guest mail {mail_id}", "accept"))
        try:
            if not is_chosen:
                return _asked_for_name(note, self._players.free_name(name))
            _, guest = self._games.join_as_guest(
                stored.id, name, invite=invite, origin=origin, exactly=True
            )
        except NameTaken as taken:
            return _asked_for_name(note, taken.suggestion)
        except RequestRejected as rejection:
            return note._replace(sentences=(sentences.of_refusal(rejection),))
        player = self._players.find(guest.player.id)
        if player is not None and player.email is None:
            self._players.set_address(player, email)
        self._players.verify(AddressVerification(guest.player.id, email, 0))
        return self._joined(stored.id, guest.player.id)

    def _of_challenge(self, reply_to: ReplyTo, message: IncomingMessage) -> Outcome:
        found = self._games.challenges.challenged(reply_to.game)
        player = self._players.find(found)
        if player is None:
            raise Dropped("gone")
        if (refusal := self._distrust(player, None, message)) is not None:
            return refusal
        self._came_by(player)
        wanted = self._commands(message, player.name)
        note = Outcome("refused", outcome.NOTE, player.id, about=reply_to.game)
        try:
            match wanted:
                case AskedWord("accept"):
                    game = self._games.challenges.accept(reply_to.game, player.id, via=VIA)
                    return self._joined(game.id, player.id)
                case AskedWord("decline", about=None):
                    self._games.challenges.decline(reply_to.game, player.id)
                    said = "You declined the challenge."
                    return note._replace(label="declined", sentences=(said,))
                case _:
                    why = _of_offer(wanted, message)
                    return note._replace(sentences=why, offer="challenge")
        except RequestRejected as rejection:
            return note._replace(sentences=(sentences.of_refusal(rejection),))

    def _joined(self, game: str, player: str) -> Outcome:
        self._games.announce_turn(game, player)
        return Outcome("joined", outcome.PLAYED, player, about=game, game=game)

    def _join(self, mail_id: str, stored: StoredGame, player: str) -> None:
        key = IdempotencyKey(f"{player} mail {mail_id}", "accept", player)
        invite = self._games.invitations.token(stored.id)
        self._games.join(stored.id, player, invite=invite, origin=Origin(VIA, None, key))

    def _came_by(self, player: Player) -> None:
        """An answer of the player's own is a visit, and shows that our mail reached them."""
        self._held_mail.visited(player.id)
        if player.email is not None and player.verified:
            self._addresses.failing.clear(player.email)

    # Whose mail it is

    def _distrust(
        self, player: Player, game: str | None, message: IncomingMessage
    ) -> Outcome | None:
        """The answer to the player where the mail is not certainly theirs."""
        if not self._senders.is_of(player, message.sender):
            told = _refused(player.id, game, "stranger", sentences.STRANGER)
        elif self._senders.is_forged(message):
            told = _refused(player.id, game, "forged", sentences.FORGED)
        else:
            return None
        return told._replace(kind=outcome.NOTE, game=None)

    def _to_sender(self, outcome: Outcome, sender: str | None) -> Outcome:
        """The outcome, answered to the further address of the player's that the mail is from, if it
        is; but never what warns the player of others."""
        player = outcome.player
        if player is None or sender is None or outcome.label in ("stranger", "forged"):
            return outcome
        if not self._senders.is_further(player, sender):
            return outcome
        return outcome._replace(email=sender)

    def _commands(self, message: IncomingMessage, name: str) -> Answer:
        if message.body.problem is not None:
            return Empty()
        # Whoever is called like a command is not signing with it.
        names = [each for each in (name, message.name) if _is_no_command(each)]
        return read_commands(own_lines(message.body.text, names))


_TO_A_SEAT: Final = ("invitation", "naming")
_PROBLEMS: Final = {"encrypted": sentences.ENCRYPTED, "unreadable": sentences.UNREADABLE}


def _asked_for_name(note: Outcome, name: str) -> Outcome:
    """The question whether somebody wants to be known by this name."""
    said = (sentences.of_name(name),)
    return note._replace(label="confirm", sentences=said, confirms="naming", name=name)


def _is_no_command(name: str) -> bool:
    return isinstance(read_commands([Line(1, plain_form(name))]), Unread)


def _refused(player: str, game: str | None, label: str, *said: str) -> Outcome:
    return Outcome(label, outcome.REFUSED, player, about=game or "", game=game, sentences=said)


def _with_missed(found: Outcome, message: IncomingMessage) -> Outcome:
    """The outcome, which says too what was not read; but never to whom another may have written."""
    if found.label in ("stranger", "forged") or found.kind in (None, outcome.HELP):
        return found
    missed = sentences.of_missed(commands_among(lines_below(message.body.text)))
    return found._replace(sentences=(*found.sentences, *missed))


def _of_unread(wanted: Answer, message: IncomingMessage) -> tuple[str, ...]:
    if isinstance(wanted, Unread):
        return sentences.of_unread(wanted)
    return (_PROBLEMS.get(message.body.problem or "", sentences.NOTHING_FOUND),)


def _of_offer(wanted: Answer, message: IncomingMessage) -> tuple[str, ...]:
    """What is wrong with an answer to an invitation or a challenge."""
    if isinstance(wanted, Unread):
        return sentences.of_unread_about_offer(wanted)
    return _of_unread(wanted, message) if isinstance(wanted, Empty) else (sentences.NOT_A_TURN,)
