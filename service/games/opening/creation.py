"""Creating games: their ids, secrets and opponents."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from service.accounts.players import Players
from service.bots import bot_at, bot_named
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.clock.terms import check_clock
from service.games.opening.contact_limits import ContactLimits, GameRequest
from service.games.opening.invitations import Invitations
from service.games.opening.new_game import (
    NewGame,
    creation,
    joining,
    server_bot,
    unrated_if_own,
)
from service.games.opening.seals import Seals, used
from service.games.stored_game import INVITATION_DAYS, StoredGame


@dataclass(eq=False, repr=False)
class GameCreation:
    """Creates games and invites their opponents."""

    _writer: ChangeWriter
    _players: Players
    _contact: ContactLimits
    _invitations: Invitations
    _seals: Seals
    _secret_key: str
    _now: Callable[[], float]

    def create(
        self, player: str, wanted: NewGame, context: ChangeContext, secret: str | None
    ) -> StoredGame:
        """Create a game and seat its creator; against a bot it starts at once.

        `secret` (32 bytes, hex) is that of the seal; without one it is drawn. Raises
        `RequestRejected` if the player may not invite this opponent, or not so often
        (`ContactLimits`), or if no game with this clock can begin (`check_clock`).
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
            self._contact.permit_mail(request, wanted.opponent_email)
            # Before the notice that needs the address.
            days = wanted.invitation_days or INVITATION_DAYS
            self._invitations.keep_address(request.id, wanted.opponent_email, days)

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
