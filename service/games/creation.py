"""Creating games: their ids, secrets and opponents, and the invite of each: its token, its link,
and the e-mail address that it goes to.

st:invitation:GAME        the address, while the invitation is open
st:invitation-sent:GAME   set once a mail has gone to that address
st:invitation-language:GAME
                          the language of mails to that address
st:invitation-message:GAME
                          what the maker of the game writes in the invitation, while it is open

Seals: secrets to which the server commits before it knows any salt.

st:{PLAYER}:seals         hash: a seal's id to when it expires, the game it was used for, its secret
                          For somebody who is about to register, PLAYER is the id of their form.

A backup leaves them out: a secret that was published must never come back unused.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, cast

from engine.shuffle import commitment
from service.accounts.mail_preferences import MailChoice, MailPreferences
from service.accounts.names import has_address
from service.accounts.players import Players
from service.bots import bot_at, bot_named
from service.core import ids
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import ADDRESS, LANGUAGE, kept_key, plain_text, text
from service.core.times import DAY, HOUR, timestamp
from service.eventlog import IdempotencyKey
from service.eventlog.results import report_repeat
from service.games.clock.state import check_clock
from service.games.conversation_store import clean_text
from service.games.limits import ContactLimits, GameRequest
from service.games.moderation import MessageWishes, Moderation, muted_refusal
from service.games.stored_game import INVITATION_DAYS, StoredGame
from service.games.terms import NewGame, creation, joining, server_bot, unrated_if_own
from service.games.writer import ChangeContext, ChangeWriter

LIFE: Final = HOUR
"""Seconds in which a seal can be used."""
MAX_OPEN: Final = 20
"""The most unused seals of a player."""


class Seal(NamedTuple):
    """A commitment to a secret: `expires` is an RFC 3339 moment."""

    id: str
    commitment: str
    expires: str


@dataclass(eq=False, repr=False)
class Seals:
    """The seals of all players. `now` gives unix seconds.

    Nobody but the player who asked for a seal can use it or learn that it exists.
    """

    _run = Lua(__file__, "seals")

    _redis: Client
    _secret_key: str
    _now: Callable[[], float] = time.time

    def make(self, player: str, key: IdempotencyKey | None = None) -> Seal:
        """Draw a secret and commit to it; the same `key` gives the same seal while it is stored.

        Raises `RequestRejected`: `too-many-seals`.
        """
        material = key and ids.derive(self._secret_key, "seal", player, key.key)
        seal_id = ids.secret_text(material)
        now = int(self._now())
        drawn: list[str | int] = [seal_id, secrets.token_hex(32), now + LIFE]
        stored = self._call(player, ["keep", now, *drawn, LIFE, MAX_OPEN])
        if not stored:
            raise RequestRejected(
                "too-many-seals",
                "There are %(most)s unused seals already. Use one, or wait until it expires.",
                {"most": MAX_OPEN},
            )
        expires, _, secret = stored.split(" ")
        if secret != drawn[1]:
            report_repeat()
        return Seal(seal_id, commitment(secret), timestamp(int(expires)))

    def secret(self, player: str, seal: str | None, game_id: str) -> str:
        """The secret of this seal, for this game; a new secret without a seal.

        Raises `RequestRejected`: `unknown-seal`, `seal-used` if another game has used it.
        """
        if seal is None:
            return secrets.token_hex(32)
        return self._use(player, seal, game_id, binding=False)

    def use(self, player: str, seal: str | None, game_id: str) -> None:
        """Bind a seal, if any, to this game, so that no other can use it. May be repeated.

        Call it right before the game is written. Raises as `secret` does.
        """
        if seal is not None:
            self._use(player, seal, game_id, binding=True)

    def give(self, giver: str, taker: str, seal: str) -> None:
        """Let another player use a seal instead of the giver. May be repeated.

        Raises as `secret` does.
        """
        secret = self._use(giver, seal, taker, binding=True)
        now = int(self._now())
        self._call(taker, ["keep", now, seal, secret, now + LIFE, LIFE, MAX_OPEN])

    def forget(self, player: str) -> None:
        self._redis.unlink(_seals_key(player))

    def _use(self, player: str, seal: str, game_id: str, *, binding: bool) -> str:
        answer = self._call(player, ["use", int(self._now()), seal, game_id, int(binding)])
        if not answer:
            raise RequestRejected("unknown-seal", "You have no such seal, or it has expired.")
        if answer == "used":
            raise used()
        return answer

    def _call(self, player: str, args: list[str | int]) -> str:
        return cast(str, self._run(keys=[_seals_key(player)], args=args))


def used() -> RequestRejected:
    """The rejection of a seal that a game has already used."""
    return RequestRejected("seal-used", "This seal was used for another game. Ask for a new one.")


def _seals_key(player: str) -> str:
    return f"st:{{{player}}}:seals"


LONGEST_MESSAGE: Final = 300
"""The most characters of the message in an invitation, which is one line."""
LASTING_KEYS: Final = (
    kept_key("st:invitation:*", "string", text(ADDRESS), GAME_ID),
    kept_key("st:invitation-language:*", "string", text(LANGUAGE), GAME_ID),
    kept_key("st:invitation-message:*", "string", plain_text(LONGEST_MESSAGE), GAME_ID),
)
"""Keys that a backup holds."""
_SENT_LIFE: Final = 90 * DAY
"""Seconds for which it is stored that an invitation was sent, and in which language. No invitation
is open for longer."""


@dataclass(eq=False, repr=False)
class Invitations:
    """The invites of all games: the holder of a game's invite may take its free seat."""

    _redis: Client
    _secret_key: str
    _base_url: str

    def token(self, game_id: str) -> str:
        """The token of this game's invite: the same at each call."""
        return ids.secret_text(ids.derive(self._secret_key, "invite", game_id))

    def url(self, game_id: str) -> str:
        """The link to the page where the holder of the invite takes the seat."""
        return f"{self._base_url}/games/{game_id}?invite={self.token(game_id)}"

    def is_valid(self, game_id: str, token: str | None) -> bool:
        """Whether `token` is the invite of this game."""
        return token is not None and hmac.compare_digest(
            token.encode(), self.token(game_id).encode()
        )

    def address(self, game_id: str) -> str | None:
        """The address for this game's invitation while it is open; None otherwise."""
        return cast(str | None, self._redis.get(_key(game_id)))

    def keep_address(self, game_id: str, email: str, days: int) -> None:
        """Store the address for the invitation; addresses are never in the log."""
        # A stored address stays: another request under the same idempotency key is refused.
        self._redis.set(_key(game_id), email, nx=True, ex=days * DAY)

    def keep_message(self, game_id: str, message: str, days: int) -> None:
        """Store what the maker of the game writes in the invitation."""
        self._redis.set(_message_key(game_id), message, nx=True, ex=days * DAY)

    def message(self, game_id: str) -> str:
        """What the maker writes in the invitation, while it is open; empty for nothing."""
        return cast(str | None, self._redis.get(_message_key(game_id))) or ""

    def keep_language(self, game_id: str, language: str) -> None:
        """Store the language of mails to the address: as long as some may have to be written."""
        self._redis.set(_language_key(game_id), language, nx=True, ex=_SENT_LIFE)

    def choose_language(self, game_id: str, language: str) -> None:
        """Store the language in which the invited person answers, in place of the inviter's."""
        self._redis.set(_language_key(game_id), language, ex=_SENT_LIFE)

    def language(self, game_id: str) -> str | None:
        """The language of mails to the address that was invited; None if nobody chose any."""
        return cast(str | None, self._redis.get(_language_key(game_id)))

    def choice_query(self, game_id: str) -> Query[MailChoice]:
        """The query for what is known of how the invited address wants its mails: the language."""
        command = ("GET", _language_key(game_id))
        return Query(command, lambda language: MailChoice(language=language))

    def record_sent(self, game_id: str) -> None:
        """Record that the invitation was mailed to its address."""
        self._redis.set(_sent_key(game_id), "1", ex=_SENT_LIFE)

    def was_sent(self, game_id: str) -> bool:
        """Whether the invitation was mailed to its address."""
        return bool(self._redis.exists(_sent_key(game_id)))

    def forget_address(self, game_id: str) -> None:
        """Delete the address, and the message to it: the seat is taken."""
        self._redis.unlink(_key(game_id), _message_key(game_id))

    def forget_game(self, game_id: str) -> None:
        """Delete all data about the invite of a removed game."""
        keys = (_key, _sent_key, _language_key, _message_key)
        self._redis.unlink(*(key(game_id) for key in keys))


def _language_key(game_id: str) -> str:
    return f"st:invitation-language:{game_id}"


def _message_key(game_id: str) -> str:
    return f"st:invitation-message:{game_id}"


def _sent_key(game_id: str) -> str:
    return f"st:invitation-sent:{game_id}"


def _key(game_id: str) -> str:
    return f"st:invitation:{game_id}"


@dataclass(eq=False, repr=False)
class GameCreation:
    """Creates games and invites their opponents."""

    _writer: ChangeWriter
    _players: Players
    _contact: ContactLimits
    _invitations: Invitations
    _preferences: MailPreferences
    _seals: Seals
    _wishes: MessageWishes
    _moderation: Moderation
    _redis: Client
    _secret_key: str
    _now: Callable[[], float]

    def create(
        self, player: str, wanted: NewGame, context: ChangeContext, secret: str | None
    ) -> StoredGame:
        """Create a game and seat its creator; against a bot it starts at once.

        `secret` (32 bytes, hex) is that of the seal; without one it is drawn. Raises
        `RequestRejected` if the player may not invite this opponent, or not so often
        (`ContactLimits`) or with this message, or if no game with this clock can begin
        (`check_clock`).
        """
        game_id = self._new_id(player, wanted.seal, context.key)
        # Repeated requests first: the checks below might refuse what this request was already
        # granted.
        if repeated := self._writer.recall(game_id, context.key):
            return repeated
        check_clock(wanted.clock, wanted.rounds, self._now())
        wanted = self._with_opponent(player, wanted)
        secret = secret or self._seals.secret(player, wanted.seal, game_id)
        draft = self._writer.draft(game_id, None, creation(player, wanted, secret), context.via)
        if (bot := bot_named(wanted.bot)) is not None:
            draft = draft.then(joining(bot.player, draft.after.game), "bot")
        self._invite(GameRequest(player, game_id, wanted.invitation_days), wanted)
        self._seals.use(player, wanted.seal, game_id)
        try:
            return self._writer.write(draft, player, context)
        except RequestRejected as rejection:
            if wanted.seal is None or rejection.code != "stale-version":
                raise
            raise used() from None  # the game of this seal exists already

    def _invite(self, request: GameRequest, wanted: NewGame) -> None:
        """Check the limits for inviting the opponent, if any, and store their address."""
        if wanted.opponent is not None and (opponent := self._players.find(wanted.opponent)):
            self._contact.permit(request, opponent)
        if wanted.opponent_email is not None:
            message = self._message(request.by, wanted)
            self._contact.permit_mail(request, wanted.opponent_email)
            # Before the notice that needs the address.
            days = wanted.invitation_days or INVITATION_DAYS
            self._invitations.keep_address(request.id, wanted.opponent_email, days)
            if message:
                self._invitations.keep_message(request.id, message, days)
            if language := self._language_at(wanted.opponent_email, request.by, wanted):
                self._invitations.keep_language(request.id, language)

    def _message(self, host: str, wanted: NewGame) -> str:
        """What the maker of the game writes in the invitation, empty for nothing, or if nobody at
        the address takes messages.

        Raises `RequestRejected`: `bad-message`, `muted`.
        """
        if not (wanted.message or "").strip():
            return ""
        message = " ".join(clean_text(wanted.message or "").split())
        # A stranger gets no link but the server's own.
        if len(message) > LONGEST_MESSAGE or "@" in message or has_address(message):
            raise RequestRejected(
                "bad-message",
                "A message in an invitation has at most %(characters)s characters, and no links or"
                " addresses.",
                {"characters": LONGEST_MESSAGE},
            )
        if execute(self._redis, self._moderation.is_muted_query(host)):
            raise muted_refusal()
        owners = self._players.owners(wanted.opponent_email or "")
        return "" if any(self._wishes.is_off(owner.id) for owner in owners) else message

    def _language_at(self, email: str, host: str, wanted: NewGame) -> str | None:
        """The language of mails to an invited address: of the account there, or else what its host
        chose for it, or else the host's own."""
        owners = [owner.id for owner in self._players.owners(email)]
        theirs = [self._preferences.choice(owner).language for owner in owners]
        known = (*theirs, wanted.language)
        return next(filter(None, known), None) or self._preferences.choice(host).language

    def _new_id(self, player: str, seal: str | None, key: IdempotencyKey | None) -> str:
        if key is not None:
            return ids.derived_game_id(self._secret_key, "game", player, key.key)
        if seal is not None:
            return ids.derived_game_id(self._secret_key, "sealed game", player, seal)
        return ids.game_id()

    def _with_opponent(self, player: str, wanted: NewGame) -> NewGame:
        """The options, with the bot or opponent looked up. Raises `RequestRejected` for unknown
        ones."""
        bot = bot_at(wanted.opponent) if wanted.bot is None else server_bot(wanted.bot)
        if bot is not None:
            self._players.ensure_exists(bot.player, bot.title)
            return replace(wanted, bot=bot.name, opponent=None)
        if wanted.opponent == player:
            raise RequestRejected("own-game", "Nobody plays against themselves.")
        if wanted.opponent is None:
            return wanted
        if self._players.find(wanted.opponent) is None:
            raise RequestRejected("unknown-opponent", "There is no player with this id.")
        return unrated_if_own(wanted, player, wanted.opponent, self._players)
