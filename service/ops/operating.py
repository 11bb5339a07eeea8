"""The operator's acts on accounts, games and dead letters. Every act on an account or a game is an
entry of a log that only grows; none of it shows a hand or a deck.

One write deletes the log of a removed game and the other data in its bucket, and leaves a mark with
the reason for the game's players. Data under other keys is deleted afterwards. If the process dies
in between, the mark still names the lists that may hold some of it, and a second call does the
rest.

st:{operator}:log    stream: at (RFC 3339), by, act, player (or game), name, reason
"""

from collections.abc import Iterator
from heapq import nlargest
from time import sleep
from typing import Final, Literal, NamedTuple, cast, get_args

from redis.typing import EncodableT, FieldT

from service.accounts.player import Player
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import news_channel
from service.core.times import timestamp
from service.eventlog import Notice, Removal
from service.eventlog.outbox import DeadLetter
from service.games.notices import removal_notices
from service.games.projections.player_games import ARCHIVE, LOBBY, cursor_at
from service.games.stored_game import StoredGame
from service.mail_in.store import SentMailWords
from service.ops.integrity import Audit, Damaged, reporting_damage

Act = Literal["rename", "end-sessions", "recover", "suspend", "readmit", "close"]
ACTS: Final[tuple[Act, ...]] = get_args(Act)
LONGEST_REASON: Final = 300
LOG_KEY: Final = "st:{operator}:log"
RECENT: Final = 1000
"""The number of latest entries in which those about one player are searched."""


class LogEntry(NamedTuple):
    """An act: its kind, moment (RFC 3339), operator, player or game, and reason. `name` is the
    player's at that moment; `id` orders the entries."""

    id: str
    at: str
    by: str
    act: str
    player: str
    name: str
    reason: str


class AccountShown(NamedTuple):
    """An account as an operator sees it: the numbers of `games` by status, without private ones;
    the moment of its last use (RFC 3339); and since when (RFC 3339), and why, mail to its address
    fails."""

    player: Player
    games: dict[str, int]
    last_use: str | None
    failing_since: str | None
    failure: str | None


def act(
    store: Container, by: str, what: Act, player: Player, reason: str, name: str | None = None
) -> None:
    """Carry out the act `what` on the player's account, and log it. `name` is the new name for
    `rename`.

    `recover` sends a link to sign in to the confirmed address; `suspend` ends all sessions and
    tokens, those of the player's own bots too, and lets nobody sign in to the account, by page,
    program or mail, until `readmit`; running games go on, and their clocks run. `close` deletes the
    account as its player could. Raises `RequestRejected`: `name-taken`, `name-reserved`,
    `too-many-mails`; `address-not-verified` without an address to recover by.
    """
    match what:
        case "rename":
            store.players.rename(player.id, name or player.name)
        case "end-sessions":
            _end_sessions(store, player)
        case "recover":
            if player.email is None or not store.sign_in.reaches_by_mail(player):
                detail = "This player has no confirmed address."
                raise RequestRejected("address-not-verified", detail)
            store.sign_in.request_link(player.email)
        case "suspend":
            store.players.suspend(player.id)
            _end_sessions(store, player)
        case "readmit":
            store.players.readmit(player.id)
        case "close":
            store.accounts.close(player)
    log(store, by, what, player.id, player.name, reason)


def log(store: Container, by: str, act: str, player: str, name: str, reason: str) -> None:
    """Add an entry to the operator's log."""
    entry: dict[FieldT, EncodableT] = {
        "at": timestamp(store.now()),
        "by": by,
        "act": act,
        "player": player,
        "name": name,
        "reason": reason[:LONGEST_REASON],
    }
    store.redis.xadd(LOG_KEY, entry)


def entries(store: Container, before: str = "+", limit: int = 100) -> list[LogEntry]:
    """Up to `limit` entries, the newest first; only those older than the entry with the id
    `before`."""
    end = "+" if before == "+" else f"({before}"
    stored = cast(
        list[tuple[str, dict[str, str]]], store.redis.xrevrange(LOG_KEY, end, "-", count=limit)
    )
    return [LogEntry(entry_id, **fields) for entry_id, fields in stored]


def entries_about(store: Container, player: str) -> list[LogEntry]:
    """The entries about this player among the latest `RECENT`, the newest first."""
    return [entry for entry in entries(store, limit=RECENT) if entry.player == player]


def newest_players(store: Container, limit: int) -> list[AccountShown]:
    """The `limit` accounts opened last, without bots, the newest first. Reads every player."""
    players = nlargest(limit, store.players.everybody(), key=lambda one: one.created)
    return [shown(store, player) for player in players]


def shown(store: Container, player: Player) -> AccountShown:
    """The account as an operator sees it."""
    problem, last_use = store.players.address_problem(player), store.tokens.last_use(player.id)
    return AccountShown(
        player,
        store.games.index.public_counts(player.id),
        None if last_use is None else timestamp(last_use),
        problem and timestamp(problem.failure.at),
        problem and problem.failure.error,
    )


def all_entries(store: Container) -> Iterator[LogEntry]:
    """Every entry, the newest first."""
    before = "+"
    while page := entries(store, before):
        yield from page
        before = page[-1].id


def _end_sessions(store: Container, player: Player) -> None:
    store.device_links.revoke(player.id)
    for each in (player, *store.players.bots_of(player.id)):
        store.tokens.revoke_all(each.id)


ACT: Final = "remove-game"
_ATTEMPTS: Final = 100
"""Number of attempts to remove a game while others write to it."""
_LISTS: Final = (LOBBY, ARCHIVE)
_LEFT: Final = "Nobody has played it for so long that it was removed."
"""The words in the mark of a game that its only person has left, while it is being removed."""
_SECONDS_OF_LATE_WRITERS: Final = 0.25
"""Seconds in which a process that changed the game just before may still list and rate it."""


class RemovableGame(NamedTuple):
    """A game as an operator sees it before removing it: without cards.

    `stored` is None for a game that cannot be read; `removed` is the moment of its removal (RFC
    3339), None if it was not removed.
    """

    id: str
    stored: StoredGame | None
    names: dict[str, str]
    removed: str | None


def game_shown(store: Container, game_id: str) -> RemovableGame | None:
    """The game as an operator sees it; None if there is no game, and no mark of its removal."""
    removal = store.log.events.removal(game_id)
    if not _is_there(store, game_id):
        return removal and RemovableGame(game_id, None, {}, removal.at)
    stored = _read(store, game_id)
    names = {} if stored is None else store.players.names(stored.players)
    return RemovableGame(game_id, stored, names, None)


def remove_game(store: Container, by: str, game_id: str, reason: str, words: str = "") -> None:
    """Remove a game and all that is stored for it, and log who did it and why.

    The practice games that were begun from it, and from these, go with it.

    `words` are shown in place of the game, and mailed to its players if it was going on. A backup
    from before the removal still has the game. May be repeated. Raises `RequestRejected`:
    `game-not-found`.
    """
    removal, season = store.log.events.removal(game_id), None
    if removal is None or _is_there(store, game_id):
        season = _season_of(store, game_id)
        _remove_practice(store, game_id, words)  # while it can be read
        removal = _replaced_by_mark(store, game_id, words)
    elif not removal.of:
        return
    _forget_everywhere(store, game_id, removal)
    sleep(_SECONDS_OF_LATE_WRITERS)
    _forget_everywhere(store, game_id, removal)
    _remove_practice(store, game_id, words)  # begun meanwhile
    log(store, by, ACT, game_id, "game", reason)
    store.log.events.finish_removal(game_id)
    if season is not None:  # else its players had to wait until the next look at all games
        store.season_clock.run(season, [game_id])


def _season_of(store: Container, game_id: str) -> str | None:
    """The id of the season of which a game is; None for others, and where it cannot be read."""
    stored = _read(store, game_id) if _is_there(store, game_id) else None
    return None if stored is None or stored.terms.season is None else stored.terms.season.id


def remove_again(store: Container, game_id: str, removal: Removal) -> None:
    """Carry out the removal that a mark in a backup records: an older backup may have restored the
    game.

    May be repeated.
    """
    if _is_there(store, game_id):
        _remove_practice(store, game_id, removal.words)
    _remove(store, game_id, removal)


def _remove_practice(store: Container, game_id: str, words: str) -> None:
    for practice in store.log.events.practised_from(game_id):
        _remove(store, practice, Removal(timestamp(store.now()), words))


def _remove(store: Container, game_id: str, removal: Removal) -> None:
    holders = _holders(store, game_id, _read(store, game_id)) if _is_there(store, game_id) else ()
    removal = removal._replace(of=(*holders, *removal.of))
    store.log.events.remove(game_id, None, removal)
    _forget_everywhere(store, game_id, removal)
    store.log.events.finish_removal(game_id)


def remove_left(store: Container, stored: StoredGame, check: Notice) -> bool:
    """Remove a game at this version that its only person has left, and leave no mark.

    Return False, and do nothing, if somebody has played meanwhile. Should the process die, the
    notice `check` is due again, for `finish_left`.
    """
    removal = Removal(timestamp(store.now()), _LEFT, tuple(stored.players))
    if not store.log.events.remove(stored.id, stored.version, removal, [check]):
        return False
    finish_left(store, stored.id, cursor_at(stored))
    return True


def finish_left(store: Container, game_id: str, cursor: str | None = None) -> None:
    """Delete what is left of such a game. May be repeated. `cursor` is that of the game."""
    if (removal := store.log.events.removal(game_id)) is not None and removal.words == _LEFT:
        _forget_everywhere(store, game_id, removal, cursor)
        store.log.events.finish_removal(game_id, marked=False)


def _replaced_by_mark(store: Container, game_id: str, words: str) -> Removal:
    for _ in range(_ATTEMPTS):
        if not _is_there(store, game_id):
            raise store.games.repository.missing(game_id)
        now, stored = store.now(), _read(store, game_id)
        removal = Removal(timestamp(now), words, tuple(_holders(store, game_id, stored)))
        version = None if stored is None else stored.version
        notices = [] if stored is None else removal_notices(stored, now)
        if store.log.events.remove(game_id, version, removal, notices):
            return removal
    raise RequestRejected("stale-version", "The game changes too fast. Try again.", version=0)


def _is_there(store: Container, game_id: str) -> bool:
    return store.log.events.exists(game_id)


def _read(store: Container, game_id: str) -> StoredGame | None:
    try:
        with reporting_damage():
            return store.games.load(game_id)
    except Damaged:
        return None


def _holders(store: Container, game_id: str, stored: StoredGame | None) -> set[str]:
    """The ids of players and lists that may hold the game."""
    if stored is None:
        return {player for player, listed in store.games.index.entries() if listed == game_id}
    return {*stored.players, *([stored.invited] if stored.invited else []), *_LISTS}


def _forget_everywhere(
    store: Container, game_id: str, removal: Removal, cursor: str | None = None
) -> None:
    for holder in removal.of:
        _forget(store, game_id, holder, cursor)
    store.games.ratings.forget(game_id)
    store.games.analyses.store.forget(game_id)
    store.games.invitations.forget_game(game_id)
    store.games.conversations.moderation.forget_game(game_id)
    store.dead_letters.forget_game(game_id)
    # Here, as it brings along the grammar of mails, which a web process needs for nothing else.
    from service.mail_in.wishes import Questions

    Questions(store.redis).forget_game(game_id)
    SentMailWords(store.redis).forget_game(game_id)
    Audit(store.redis, store.log.events).forget_game(game_id)


def _forget(store: Container, game_id: str, holder: str, cursor: str | None) -> None:
    store.games.index.forget(holder, game_id, cursor)
    if holder in _LISTS:
        return
    store.games.private_notes.forget_game(holder, game_id)
    store.mail_preferences.set_game(holder, game_id, None)
    store.ledger.forget_game(holder, game_id)
    store.deferred_notices.forget_game(holder, game_id)
    for channel in store.channels.all(holder):
        store.delivery_log.forget_game(holder, channel.id, game_id)
    store.redis.publish(news_channel(holder), "")  # their open pages show one game less


def retry(store: Container, dead: DeadLetter) -> None:
    """Try a dead letter again, for as long as a new notice."""
    # In this order: after a crash in between it is tried again, and is still listed.
    store.log.outbox.add(Notice(dead.notice, store.now()))
    store.dead_letters.remove(dead.notice)
