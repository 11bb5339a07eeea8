"""Removes a game for good, after abuse or because the law demands it.

One write deletes the log and the other data in its bucket, and leaves a mark with the reason for
the game's players. Data under other keys is deleted afterwards. If the process dies in between, the
mark still names the lists that may hold some of it, and a second call does the rest.
"""

from time import sleep
from typing import Final, NamedTuple

from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.news import news_channel
from service.core.timestamps import timestamp
from service.eventlog import Notice, Removal
from service.games.notices.notifications import removal_notices
from service.games.projections.player_games import ARCHIVE, LOBBY, cursor_at
from service.games.stored_game import StoredGame
from service.mail_in.sent_words import SentMailWords
from service.ops import operating
from service.ops.audit import Audit
from service.ops.integrity import Damaged, reporting_damage

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

    The practice games that refer to its log go with it.

    `words` are shown in place of the game, and mailed to its players if it was going on. A backup
    from before the removal still has the game. May be repeated. Raises `RequestRejected`:
    `game-not-found`.
    """
    removal = store.log.events.removal(game_id)
    if removal is None or _is_there(store, game_id):
        _remove_practice(store, game_id, words)  # while it can be read
        removal = _replaced_by_mark(store, game_id, words)
    elif not removal.of:
        return
    _forget_everywhere(store, game_id, removal)
    sleep(_SECONDS_OF_LATE_WRITERS)
    _forget_everywhere(store, game_id, removal)
    _remove_practice(store, game_id, words)  # begun meanwhile
    operating.log(store, by, ACT, game_id, "game", reason)
    store.log.events.finish_removal(game_id)


def remove_again(store: Container, game_id: str, removal: Removal) -> None:
    """Carry out the removal that a mark in a backup records: an older backup may have restored the
    game.

    May be repeated.
    """
    if _is_there(store, game_id):
        _remove_practice(store, game_id, removal.words)
    _remove(store, game_id, removal)


def _remove_practice(store: Container, game_id: str, words: str) -> None:
    for practice in store.log.events.referring_to(game_id):
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
    removal = store.log.events.removal(game_id)
    if removal is not None and removal.words == _LEFT:
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
    from service.mail_in.questions import Questions

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
