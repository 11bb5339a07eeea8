"""What was deleted or revoked does not come back with a backup that is older."""

import io
import json

import pytest

from service.accounts import tokens
from service.accounts.email_addresses import AddressVerification
from service.accounts.identities import TRUSTED_HEADER, Identity
from service.accounts.player import MARK_LIFE, MOST_REVOKED, Player, Revocations
from service.container import Container
from service.games import NewGame
from service.ops.backup import write_backup
from service.ops.restore import Restored, inspect, restore
from tests.support.backups import KEY, backup, key_line, sealed
from tests.support.clock import Clock


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # One process need not wait until others know of a revocation.
    monkeypatch.setattr(tokens, "ACCESS_CACHE_SECONDS", 0.0)


SSO = Identity(TRUSTED_HEADER, "ann")


class Account:
    """Ann and Bob with a game, a challenge and all that an account can have; and an older backup of
    it."""

    def __init__(self, store: Container) -> None:
        self.store = store
        self.ann, self.token = store.registrations.register("Ann", "ann@example.org")
        self.bob = store.registrations.register("Bob").player
        store.players.verify(AddressVerification(self.ann.id, "ann@example.org", 0))
        self.session = store.tokens.open_session(self.ann.id, "a browser")
        target = {"url": "https://hooks.example.org/"}
        self.channel = store.channels.add(self.ann.id, "webhook", target)
        self.address = store.answer_addresses.add(self.ann.id, "phone@example.org")
        store.identities.link(self.ann.id, SSO, "ann")
        link = store.private_links.renew(self.ann.id).calendar
        self.secret = link.rpartition("/")[2].removesuffix(".ics")
        self.game = store.games.create(self.ann.id, NewGame(opponent=self.bob.id)).id
        store.games.join(self.game, self.bob.id)
        store.games.conversations.write(self.game, self.ann.id, "Hi, it is me.", "web")
        store.redis.sadd(f"st:{{{self.ann.id}}}:told", self.game)
        store.redis.hset(f"st:{{{self.ann.id}}}:told:{self.game}", "3.turn.mail", "reached 1")
        store.games.challenges.make(self.bob.id, self.ann.id, NewGame())
        self.older = backup(store)
        assert inspect(self.older, KEY) == ([], True)

    def revoke_all(self) -> None:
        """Ann revokes all that there is to revoke, and keeps the account."""
        for token in self.store.tokens.all_of(self.ann.id):
            self.store.tokens.revoke(self.ann.id, token.id)
        self.store.channels.remove(self.ann.id, self.channel.id)
        self.store.answer_addresses.remove(self.ann.id, self.address.id)
        self.store.private_links.revoke(self.ann.id)
        for linked in self.store.identities.all_of(self.ann.id):
            self.store.identities.unlink(self.ann.id, linked.id, may_be_last=True)

    def delete(self) -> None:
        """Ann deletes the account."""
        self.store.accounts.close(found(self.store, self.ann.id))

    def marks(self) -> list[bytes]:
        """A backup of the marks alone."""
        out = io.BytesIO()
        write_backup(self.store, [], out, marks_only=True)
        return out.getvalue().splitlines(keepends=True)

    def has_revoked(self, there: Container) -> bool:
        """Whether there is nothing in this store of all that Ann has revoked."""
        return not (
            there.tokens.all_of(self.ann.id)
            or there.tokens.authenticate(self.token)
            or there.tokens.authenticate(self.session, "session")
            or there.channels.all(self.ann.id)
            or there.answer_addresses.all_of(self.ann.id)
            or there.private_links.owner(self.secret)
            or there.identities.all_of(self.ann.id)
            or there.identities.player_of(SSO)
        )

    def has_deleted(self, there: Container) -> bool:
        """Whether there is nothing in this store of Ann, whose game is over."""
        challenges, _ = there.games.challenges.open_of(self.bob.id, None, 10)
        return not (
            there.players.find(self.ann.id)
            or there.players.named("Ann")
            or there.addresses.players_at("ann@example.org")
            or list(there.redis.scan_iter(f"st:{{{self.ann.id}}}:*"))
            or there.games.conversations.all_of(self.game)
            or challenges
            or not there.games.load(self.game).game.over
        ) and self.has_revoked(there)


def put(there: Container, lines: list[bytes], *, ours: bool = True) -> Restored:
    """Restore the lines by the store's own clock."""
    return restore(there, lines, now=there.now, ours=ours)


def found(store: Container, player: str) -> Player:
    player_found = store.players.find(player)
    assert player_found is not None
    return player_found


@pytest.fixture
def site(store: Container) -> Account:
    return Account(store)


def test_without_marks_all_comes_back(site: Account, elsewhere: Container) -> None:
    assert put(elsewhere, site.older).refused == []
    assert elsewhere.tokens.authenticate(site.token) is not None
    assert elsewhere.private_links.owner(site.secret) == site.ann.id
    assert [one.id for one in elsewhere.channels.all(site.ann.id)] == [site.channel.id]
    assert not elsewhere.games.load(site.game).game.over


class TestDeleted:
    def test_the_store_s_own_mark_counts(self, site: Account) -> None:
        site.delete()
        assert site.has_deleted(site.store)
        assert put(site.store, site.older).refused == []
        assert site.has_deleted(site.store)

    @pytest.mark.parametrize("marks_first", [True, False])
    def test_so_do_marks_in_a_file_of_their_own(
        self, site: Account, elsewhere: Container, marks_first: bool
    ) -> None:
        site.delete()
        files = [site.marks(), site.older] if marks_first else [site.older, site.marks()]
        for lines in files:
            assert inspect(lines, KEY) == ([], True)
            assert put(elsewhere, lines).refused == []
        assert site.has_deleted(elsewhere)
        assert found(elsewhere, site.bob.id).name == "Bob"
        (game,) = elsewhere.games.lists.of_player(site.bob.id, after=None, limit=9)[0]
        assert game["id"] == site.game

    @pytest.mark.parametrize("older_first", [True, False])
    def test_so_do_those_in_a_newer_backup(
        self, site: Account, elsewhere: Container, older_first: bool
    ) -> None:
        site.delete()
        newer = backup(site.store)
        for lines in (site.older, newer) if older_first else (newer, site.older):
            assert put(elsewhere, lines).refused == []
        assert site.has_deleted(elsewhere)
        assert site.store.log.events.read(site.game) == elsewhere.log.events.read(site.game)

    def test_another_server_s_marks_delete_nobody(self, site: Account) -> None:
        marks = key_line("st:{deleted}:players", "zset", {site.ann.id: 2**39})
        put(site.store, sealed(marks, key="another key"), ours=False)
        assert found(site.store, site.ann.id).name == "Ann"
        put(site.store, sealed(marks))
        assert site.has_deleted(site.store)

    def test_the_name_can_be_taken_once_it_is_free(
        self, site: Account, elsewhere: Container, clock: Clock
    ) -> None:
        site.delete()
        put(elsewhere, site.marks())
        put(elsewhere, site.older)
        assert elsewhere.registrations.register("Ann").player.id != site.ann.id


class TestRevoked:
    def test_the_store_s_own_marks_count(self, site: Account) -> None:
        site.revoke_all()
        assert put(site.store, site.older).refused == []
        assert site.has_revoked(site.store)

    @pytest.mark.parametrize("marks_first", [True, False])
    def test_so_do_marks_in_a_file_of_their_own(
        self, site: Account, elsewhere: Container, marks_first: bool
    ) -> None:
        site.revoke_all()
        files = [site.marks(), site.older] if marks_first else [site.older, site.marks()]
        for lines in files:
            assert inspect(lines, KEY) == ([], True)
            assert put(elsewhere, lines).refused == []
        assert site.has_revoked(elsewhere)
        assert found(elsewhere, site.ann.id).verified

    def test_one_of_two_tokens_stays(self, site: Account, elsewhere: Container) -> None:
        site.store.tokens.revoke_others(site.ann.id, tokens._id_of(site.token))
        put(elsewhere, site.marks())
        put(elsewhere, site.older)
        assert elsewhere.tokens.authenticate(site.token) is not None
        assert elsewhere.tokens.authenticate(site.session, "session") is None

    def test_other_links_take_the_place_of_those_before(
        self, site: Account, elsewhere: Container
    ) -> None:
        site.store.private_links.renew(site.ann.id)
        put(elsewhere, site.older)
        put(elsewhere, site.marks())
        assert elsewhere.private_links.owner(site.secret) is None

    def test_an_address_that_was_added_again_comes_back(
        self, site: Account, elsewhere: Container
    ) -> None:
        site.revoke_all()
        site.store.answer_addresses.add(site.ann.id, "phone@example.org")
        put(elsewhere, backup(site.store))
        assert [each.email for each in elsewhere.answer_addresses.all_of(site.ann.id)] == [
            "phone@example.org"
        ]

    def test_marks_from_before_it_was_added_again_take_nothing(self, site: Account) -> None:
        site.revoke_all()
        marks = site.marks()
        again = site.store.answer_addresses.add(site.ann.id, "phone@example.org")
        put(site.store, marks)
        assert site.store.answer_addresses.all_of(site.ann.id) == [again]


class TestMarks:
    def test_they_hold_no_name_and_no_address(self, site: Account) -> None:
        site.revoke_all()
        site.delete()
        told = b"".join(site.marks()).decode()
        assert site.ann.id in told
        for private in ("Ann", "example.org", site.token, site.secret):
            assert private not in told

    def test_marks_end_and_of_one_player_there_are_so_many(
        self, store: Container, clock: Clock, site: Account
    ) -> None:
        marks = Revocations(store.redis, clock)
        for number in range(MOST_REVOKED + 5):
            clock.time += 1
            marks.mark("a" * 16, "tokens", [f"{number:064x}"])
        revoked = marks.revoked("a" * 16, "tokens")
        assert len(revoked) == MOST_REVOKED
        assert f"{4:064x}" not in revoked

        site.delete()
        clock.time += MARK_LIFE
        assert marks.deleted() == frozenset()
        store.accounts.close(site.bob)
        assert store.redis.zcard("st:{deleted}:players") == 1

    @pytest.mark.parametrize(
        "line",
        [
            key_line("st:{deleted}:players", "zset", {"Ann": 1}),
            key_line("st:{deleted}:players", "zset", {"a" * 16: "soon"}),
            key_line("st:{deleted}:players", "zset", {"a" * 16: 2**62}),
            key_line("st:{deleted}:players", "zset", ["a" * 16]),
            key_line("st:{deleted}:players", "set", ["a" * 16]),
            key_line(f"st:{{{'a' * 16}}}:revoked", "zset", {"tokens": 1}),
            key_line(f"st:{{{'a' * 16}}}:revoked", "zset", {"player:x aaaaaaaa": 1}),
        ],
        ids=json.dumps,
    )
    def test_those_out_of_form_are_refused(self, line: object) -> None:
        assert [fault.line for fault in inspect(sealed(line), KEY).faults] == [2]
