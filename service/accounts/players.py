"""Players: their names and addresses. `player.py` describes how they are stored."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, cast

from cachetools import TTLCache
from redis.typing import EncodableT, FieldT

from service.accounts.email_addresses import AddressFailure, AddressVerification, EmailAddresses
from service.accounts.names import (
    NameIndex,
    begins,
    check_free,
    is_nameless,
    look_alike,
    with_sign,
    without_sign,
)
from service.accounts.player import (
    OWN_BOTS,
    PLAYER,
    ArchiveChoice,
    Player,
    Revocations,
    check_person,
    read_player,
)
from service.accounts.tokens import Tokens
from service.bots import bot_at
from service.core import ids as identifiers
from service.core.cache import ThreadSafeCache
from service.core.errors import RequestRejected
from service.core.network import comparable
from service.core.redis.batch import Batch, Pending, Query, execute, execute_all
from service.core.redis.client import Client, Lua
from service.core.times import timestamp
from service.core.words import N_

NAME_CACHE_SECONDS = 60
_BATCH: Final = 500


class AddressProblem(NamedTuple):
    """An address of a player that mail does not reach, and the reason."""

    email: str
    failure: AddressFailure


@dataclass(eq=False, repr=False)
class Players:
    """The players of one server. `now` returns unix seconds."""

    _change = Lua(__file__, "change_player")
    _promote = Lua(__file__, "promote_address")

    _redis: Client
    _revocations: Revocations
    _tokens: Tokens
    _addresses: EmailAddresses
    _now: Callable[[], float] = time.time
    _all_named: bool = field(init=False, default=False)

    @cached_property
    def _name_index(self) -> NameIndex:
        return NameIndex(self._redis, self._name_of, self._now)

    @cached_property
    def _names(self) -> ThreadSafeCache[str, str]:
        return ThreadSafeCache(TTLCache(10_000, ttl=NAME_CACHE_SECONDS, timer=self._now))

    @cached_property
    def _faces(self) -> ThreadSafeCache[str, str]:
        return ThreadSafeCache(TTLCache(10_000, ttl=NAME_CACHE_SECONDS, timer=self._now))

    def find(self, player_id: str) -> Player | None:
        return execute(self._redis, self.find_query(player_id))

    def find_query(self, player_id: str) -> Query[Player | None]:
        command = ("HGETALL", PLAYER.key(player_id))
        return Query(command, lambda reply: read_player(player_id, reply) if reply else None)

    def has_address_query(self, player_id: str) -> Query[bool]:
        """Return the query for whether a player has given an address."""
        return Query(("HEXISTS", PLAYER.key(player_id), "email"), bool)

    def by_id(self, player_ids: Iterable[str]) -> dict[str, Player]:
        """Return the players with these ids, by id, in one round trip. Ids without a player are
        left out."""
        return {player.id: player for player in self._find_all([*player_ids])}

    def named(self, name: str) -> list[Player]:
        """Return the players with exactly this name, or else in another case, or else with one like
        it.

        The list has at most one player, except for players who shared a name in an older version.
        """
        players = (self.find(player_id) for player_id in self.name_index().look_up(name))
        alike = [player for player in players if player and look_alike(player.name, name)]
        in_any_case = [player for player in alike if player.name.casefold() == name.casefold()]
        exactly = [player for player in alike if player.name == name]
        return exactly or in_any_case or alike

    def starting_with(
        self, prefix: str, after: str | None, most: int
    ) -> tuple[list[Player], str | None]:
        """Return a page of at most `most` players whose names begin like `prefix`, and the next
        cursor.

        Case, accents and look-alikes do not matter; equal names come first. The cursor is None at
        the end.
        """
        entries = self.name_index().list.page(prefix, after, most + 1)
        shown = entries[:most]
        following = shown[-1].cursor if len(entries) > most else None
        players = self._find_all([listed.player for listed in shown])
        named = [player for player in players if begins(player.name, prefix)]
        # Of names that fold to the same text, the one that looks like the request comes first.
        return sorted(named, key=lambda player: player.name != prefix), following

    def index_names(self) -> None:
        """Index every player by name, including those of an older version. May be repeated."""

        def named() -> Iterator[tuple[str, str]]:
            people = self._people()
            while batch := list(islice(people, _BATCH)):
                names = execute_all(self._redis, [*map(self._name_query, batch)])
                yield from ((name, one) for name, one in zip(names, batch, strict=True) if name)

        self._name_index.rebuild(named())
        self._all_named = True

    def index_addresses(self) -> int:
        """Index every player by address, and return the number of players except bots. May be
        repeated."""
        count = 0
        people = self._people()
        while batch := list(islice(people, _BATCH)):
            count += len(batch)
            for player in filter(None, map(self.find, batch)):
                if player.email is not None:
                    self._addresses.add(player.id, player.email)
        return count

    def ensure_exists(self, player_id: str, name: str) -> None:
        """Create a player without a token, such as a bot, unless it exists. May be repeated."""
        record: dict[FieldT, EncodableT] = {"name": name, "created": timestamp(self._now())}
        if not self._redis.exists(PLAYER.key(player_id)):
            self._redis.hset(PLAYER.key(player_id), mapping=record)

    def rename(self, player_id: str, name: str) -> None:
        """Rename a player. The new name appears everywhere, in old games too.

        The former name becomes free; a bot's name gets `BOT_SIGN`. Raises `RequestRejected`:
        `name-reserved`, `name-taken` with a `suggestion`.
        """
        before = self._name_of(player_id)
        is_bot = identifiers.is_owned_bot(player_id)
        name, plain = (with_sign(name), without_sign(name)) if is_bot else (name, name)
        if before is None or before == name:
            return
        check_free(plain)
        self.acquire_name(name, player_id)
        self._set(player_id, "name", name)
        self._name_index.list.add(name, player_id)
        self._name_index.release(before, player_id, new_name=name)
        self._names.drop(player_id)

    def let_study(self, player_id: str, choice: ArchiveChoice) -> None:
        """Set whether the archive may include this player's finished games."""
        self._set(player_id, "archive", choice)

    def choose_face(self, player_id: str, face: str) -> None:
        """Set the mark that is shown beside the player's name; `""` is the one of the id."""
        self._set(player_id, "face", face)
        self._faces.drop(player_id)

    def suspend(self, player_id: str) -> None:
        """Prevent new sign-ins to this account; existing sessions and tokens stay valid. May be
        repeated."""
        self._set(player_id, "suspended", timestamp(self._now()))

    def readmit(self, player_id: str) -> None:
        """Let the player sign in again. May be repeated."""
        self._redis.hdel(PLAYER.key(player_id), "suspended")

    def everybody(self) -> Iterator[Player]:
        """Yield every player except bots, in no order."""
        people = iter(set(self._people()))
        while batch := list(islice(people, _BATCH)):
            yield from self._find_all(batch)

    def counting_address_mail(
        self, player: Player, email: str | None
    ) -> AbstractContextManager[None]:
        """Count the mail that `set_address` would send, unless the block raises `RequestRejected`.

        Raises `RequestRejected`: `too-many-mails`, `not-for-bots`.
        """
        if email is not None:
            check_person(player.id, N_("A bot has no mail address: its owner has one."))
        is_verified = player.verified and player.email == email
        about = identifiers.digest(f"{player.id} {email} {self._now()}")
        return self._addresses.counting_mail(None if is_verified else email, about, player.id)

    def set_address(self, player: Player, email: str | None) -> None:
        """Change the mail address, or remove it (None).

        A new address counts once it is verified. Until then a verified address stays in use, and
        gets a notice of the change. The present address gets another link if it is not verified or
        fails.
        """
        key = PLAYER.key(player.id)
        self._redis.hdel(key, "pending")
        if player.email == email and player.verified:
            if email is not None and self._addresses.failing.find(email):
                self._addresses.request_verification(player.id, timestamp(self._now()))
            return
        if player.verified and player.email is not None:
            self._addresses.notify_former(player.id, player.email)
        if player.verified and email is not None:
            self._set(player.id, "pending", email)
            self._addresses.request_verification(player.id, timestamp(self._now()))
            return
        if player.email is not None and player.email != email:
            self._redis.hdel(key, "email", "verified")
            self._addresses.remove(player.id, player.email, was_verified=player.verified)
        if email is not None:
            self._set(player.id, "email", email)
            self._addresses.add_unverified(player.id, email, timestamp(self._now()))

    def address_problem(self, player: Player) -> AddressProblem | None:
        """Return the problem with mail to the player's verified address; None without one.

        An unverified address returns None: only its owner may learn its state.
        """
        if player.email is None or not player.verified:
            return None
        failure = self._addresses.failing.find(player.email)
        return failure and AddressProblem(player.email, failure)

    def mail_fails(self, player: Player) -> bool:
        """Whether mail about games is unlikely to reach this player at their verified address.

        Then another channel has to notify them.
        """
        problem = self.address_problem(player)
        return problem is not None and not problem.failure.by_policy

    def owners(self, email: str) -> list[Player]:
        """Return the players with this verified address."""
        players = self._find_all(self._addresses.players_at(email))
        same = comparable(email)
        return [one for one in players if one.verified and comparable(one.email or "") == same]

    def verify(self, verification: AddressVerification) -> bool:
        """Mark the address as verified; it replaces the former one.

        Return False if the player has given another address since.
        """
        player = self.find(verification.player)
        if player is None or verification.email not in (player.email, player.pending):
            return False
        self._addresses.failing.clear(verification.email)
        if player.email == verification.email:
            # If the address changes just now, the failure belongs to the old one.
            self._set(player.id, "verified", verification.email)
            return True
        self._addresses.add(player.id, verification.email)
        if not self._promote(keys=[PLAYER.key(player.id)], args=[verification.email]):
            return False
        if player.email is not None:
            self._addresses.remove(player.id, player.email, was_verified=player.verified)
        return True

    def forget(self, player: Player) -> None:
        """Delete the player: name, address and tokens. May be repeated."""
        self._revocations.mark_deleted(player.id)
        self._revocations.forget(player.id)
        if player.email is not None:
            self._addresses.remove(player.id, player.email, was_verified=player.verified)
        self._name_index.retire(player.name, player.id)
        if player.owner is not None:
            self._redis.srem(OWN_BOTS.key(player.owner), player.id)
        self._redis.unlink(PLAYER.key(player.id))
        self._names.drop(player.id)
        self._faces.drop(player.id)
        # Last, so that a caller who got no answer can still repeat the request.
        self._tokens.revoke_all(player.id)

    def bots_of(self, owner: str) -> list[Player]:
        """Return the bots that this player has registered, the oldest first."""
        owned = cast(set[str], self._redis.smembers(OWN_BOTS.key(owner)))
        return sorted(self._find_all([*owned]), key=lambda bot: (bot.created, bot.id))

    def own_bot(self, owner: str, bot_id: str) -> Player:
        """Return the bot with this id that `owner` has registered.

        Raises `RequestRejected`: `player-not-found`.
        """
        bot = self.find(bot_id)
        if bot is None or bot.owner != owner:
            raise RequestRejected("player-not-found", "You have no bot with this id.")
        return bot

    def are_of_one_person(self, one: str, other: str) -> bool:
        """Whether these are a player and their own bot, or two bots of one player."""
        if not (identifiers.is_owned_bot(one) or identifiers.is_owned_bot(other)):
            return False
        both = self.by_id((one, other))
        return len(both) == 2 and both[one].person == both[other].person

    def names(self, player_ids: Iterable[str]) -> dict[str, str]:
        """Return the names of these players, by id. Names may be up to a minute old."""
        return self.ask_names(Batch(self._redis), player_ids)()

    def ask_names(self, batch: Batch, player_ids: Iterable[str]) -> Callable[[], dict[str, str]]:
        """Add to the batch the queries for names that are not cached. The returned function
        returns the same as `names`."""
        cached: dict[str, str] = {}
        asked: dict[str, Pending[str | None]] = {}
        for player_id in player_ids:
            if (known := self._names.get(player_id)) is not None:
                cached[player_id] = known
            elif player_id not in asked:
                asked[player_id] = batch.ask(self._name_query(player_id))

        def names() -> dict[str, str]:
            read = ((player_id, answer.get()) for player_id, answer in asked.items())
            return cached | {player_id: name for player_id, name in read if name is not None}

        return names if asked else lambda: cached

    def chosen_face(self, player_id: str) -> str:
        """Return the face that a player has chosen, `""` if none. It comes with the name, and is
        read only if no name was read in the last minute."""
        known = self._faces.get(player_id)
        if known is None:
            execute(self._redis, self._name_query(player_id))
            known = self._faces.get(player_id)
        return known or ""

    def unknown_name_queries(self, player_ids: Iterable[str]) -> list[Query[str | None]]:
        """Return the queries for names that are not cached; `names` then uses their results."""
        unknown = {player_id for player_id in player_ids if self._names.get(player_id) is None}
        return [self._name_query(player_id) for player_id in sorted(unknown)]

    def free_name(self, name: str) -> str:
        """Return this name, or a similar one if it is taken now.

        Raises `RequestRejected`: `name-reserved`.
        """
        check_free(name)
        name_index = self.name_index()
        return name if name_index.is_free(name) else name_index.name_taken(name).suggestion

    def acquire_name(self, name: str, player_id: str) -> None:
        """Take this name for a player. Raises `RequestRejected`: `name-taken`."""
        name_index = self.name_index()
        if not name_index.acquire(name, player_id):
            raise name_index.name_taken(name)

    def name_index(self) -> NameIndex:
        """Return the index of all names; complete it first if necessary."""
        if not self._all_named and not self._name_index.is_complete():
            self.index_names()
        self._all_named = True
        return self._name_index

    def _name_of(self, player_id: str) -> str | None:
        return cast(str | None, self._redis.hget(PLAYER.key(player_id), "name"))

    def _find_all(self, player_ids: list[str]) -> list[Player]:
        """Return the players with these ids, in this order. Ids without a player are left out."""
        return [*filter(None, execute_all(self._redis, [*map(self.find_query, player_ids)]))]

    def _people(self) -> Iterator[str]:
        """Yield the id of every player except the server's bots, possibly with repeats."""
        keys = self._redis.scan_iter(match=PLAYER.key("*"), count=1000)
        ids = (key.removeprefix("st:{").partition("}")[0] for key in keys)
        return (player_id for player_id in ids if bot_at(player_id) is None)

    def _set(self, player_id: str, field: str, value: str) -> None:
        self._change(keys=[PLAYER.key(player_id)], args=[field, value])

    def _name_query(self, player_id: str) -> Query[str | None]:
        def parse(reply: list[str | None]) -> str | None:
            name, face = reply
            self._faces.put(player_id, face or "")
            # Who has no name yet gives one soon, and other processes must not show the old one.
            if name is not None and not is_nameless(name):
                self._names.put(player_id, name)
            return name

        return Query(("HMGET", PLAYER.key(player_id), "name", "face"), parse)
