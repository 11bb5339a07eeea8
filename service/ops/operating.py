"""The operator's acts on accounts. Every act is an entry of a log that only grows.

st:{operator}:log    stream: at (RFC 3339), by, act, player (or game), name, reason

None of it shows a hand or a deck.
"""

from collections.abc import Iterator
from heapq import nlargest
from typing import Final, Literal, NamedTuple, cast, get_args

from redis.typing import EncodableT, FieldT

from service.accounts.player import Player
from service.container import Container
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp

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
    problem, last_use = store.players.address_problem(player), store.players.last_use(player.id)
    return AccountShown(
        player,
        store.games.lists.public_counts(player.id),
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
