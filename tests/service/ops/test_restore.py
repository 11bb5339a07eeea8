"""A restore takes only what is ours, adds to what the store has, and rebuilds what follows; records
of games played elsewhere are verified, stored and shown like any other.
"""

import json
import pickle
from typing import Any

import pytest

from engine.chain import redact
from engine.record import from_jsonl, from_text, to_jsonl, to_text
from service.container import Container
from service.eventlog.keys import log_key, side_state_key
from service.games import NewGame
from service.games.challenge import Challenge
from service.games.drafts import Orders
from service.games.side_state_check import ChallengeForm, OrdersForm
from service.ops.integrity import reindex_challenges, reindex_players
from service.ops.restore import NotImported, import_record, inspect, restore
from tests.support.backups import KEY, backup, key_line, sealed, sealed_as_before
from tests.support.clock import Clock
from tests.support.stored_games import TACTICS, finished, game_id, keep, running

ANN = "a" * 16
CREATED = "2026-11-21T12:00:00Z"
PLAYER = {"name": "Ann", "created": CREATED}
TOKEN = json.dumps(["api", "my bot", ["account"], CREATED, None])


def player_key(player: str, part: str) -> str:
    return f"st:{{{player}}}:{part}"


class TestForeignKeys:
    @pytest.mark.parametrize(
        "line",
        [
            key_line("rq:job:1", "hash", {"data": pickle.dumps(print).hex()}),
            key_line("rq:queue:games", "set", ["1"]),
            key_line(player_key(ANN, "player") + "\n", "hash", PLAYER),
            key_line(player_key("a" * 15, "player"), "hash", PLAYER),
            key_line(player_key(ANN, "player"), "string", "Ann"),
            key_line(player_key(ANN, "player"), "hash", {}),
            key_line(player_key(ANN, "player"), "hash", {"name": "Ann"}),
            key_line(player_key(ANN, "player"), "hash", {**PLAYER, "admin": "1"}),
            key_line(player_key(ANN, "player"), "hash", {**PLAYER, "name": "\x1b[2JAnn"}),
            key_line(player_key(ANN, "player"), "hash", {**PLAYER, "created": "yesterday"}),
            key_line(player_key(ANN, "player"), "hash", {**PLAYER, "email": "a@b\r\nBcc: c@d"}),
            key_line(player_key(ANN, "player"), "hash", [["name", "Ann"]]),
            key_line(player_key(ANN, "tokens"), "hash", {"0" * 64: "{}"}),
            key_line(player_key(ANN, "tokens"), "hash", {"0" * 64: "[" * 50_000}),
            key_line(player_key(ANN, "tokens"), "hash", {"short": TOKEN}),
            key_line(player_key(ANN, "muted"), "set", ["turn\n"]),
            key_line(player_key(ANN, "muted"), "set", "turn"),
            key_line(f"st:invitation:{game_id('a')}", "string", "nobody"),
            key_line(f"st:invitation:{game_id('a')}", "string", "a@b.org", 10**18),
            key_line(side_state_key(game_id("a")), "hash", {"north": "{}"}),
            key_line(side_state_key(game_id("a")), "hash", {"challenge": "[]"}),
            key_line(side_state_key(game_id("a")), "hash", {"anything": "at all"}),
            key_line(log_key(game_id("a")), "string", "2 1 x"),
            {"beside": "..", "notes": {}, "notices": [], "expires": None},
            {"beside": game_id("a"), "notes": {"north": 7}, "notices": [], "expires": None},
            {"beside": game_id("a"), "notes": {}, "notices": [["x", 1]], "expires": None},
            {"beside": game_id("a"), "notes": {}, "notices": [[f"{'b' * 20}.1.x.mail.y", 1]]},
            {"beside": game_id("a"), "notes": {}, "notices": [], "expires": "soon"},
            {"beside": game_id("a"), "notes": {}, "notices": [], "expires": 2**62},
            {"game": game_id("a"), "record": 7, "notices": [], "notes": {}},
            {"game": game_id("a"), "record": [], "notices": [], "notes": {}},
            {"game": game_id("a"), "record": [[]], "notices": [], "notes": {}},
            {"game": 7, "record": [], "notices": [], "notes": {}},
            {"game": game_id("a"), "record": [], "notices": 7, "notes": 7},
            ["no", "object"],
        ],
        ids=lambda line: str(line)[:60],
    )
    def test_none_is_restored(self, elsewhere: Container, line: Any) -> None:
        assert [fault.line for fault in inspect(sealed(line), KEY).faults] == [2]
        assert restore(elsewhere, sealed(line), leave_out={2}).refused == []
        assert list(elsewhere.redis.scan_iter()) == ["st:{names}:complete"]

    def test_a_record_with_a_game_id_that_is_a_key_of_its_own_is_refused(self) -> None:
        line = {"game": "}:x{", "record": finished().lines, "notices": [], "notes": {}}
        assert len(inspect(sealed(line), KEY).faults) == 1

    def test_ours_are(self, elsewhere: Container) -> None:
        lines = sealed(
            key_line(player_key(ANN, "player"), "hash", {**PLAYER, "email": "a@b.org"}),
            key_line(player_key(ANN, "tokens"), "hash", {"0" * 64: TOKEN}),
        )
        assert inspect(lines, KEY) == ([], True)
        assert restore(elsewhere, lines).keys == 2
        assert elsewhere.players.find(ANN).email == "a@b.org"
        assert [token.name for token in elsewhere.tokens.all_of(ANN)] == ["my bot"]


class TestSeal:
    def test_another_server_s_backup_is_foreign(self) -> None:
        assert not inspect(sealed(key="another key"), KEY).ours

    def test_one_without_a_secret_key_is_foreign_to_all(self) -> None:
        assert not inspect(sealed(key=""), KEY).ours
        assert not inspect(sealed(key=""), "").ours

    def test_that_of_an_older_version_is_foreign_and_whole(self, elsewhere: Container) -> None:
        lines = sealed_as_before(key_line(player_key(ANN, "player"), "hash", PLAYER))
        assert inspect(lines, KEY) == ([], False)
        assert restore(elsewhere, lines).keys == 1

    @pytest.mark.parametrize("mac", ["", "\u00e9", 7, None, "0" * 64])
    def test_a_mac_of_any_other_form_is_wrong(self, mac: int | str | None) -> None:
        *lines, last = sealed()
        ending = json.dumps({**json.loads(last), "mac": mac}).encode()
        assert not inspect([*lines, ending], KEY).ours


class TestMerging:
    """A store that has begun anew has accounts and challenges of its own."""

    @pytest.fixture
    def lines(self, store: Container) -> list[bytes]:
        ann = store.registrations.register("Ann", "ann@example.org").player.id
        bob = store.registrations.register("Bob").player.id
        store.games.challenges.make(ann, bob, NewGame())
        return backup(store)

    def ids(self, store: Container) -> dict[str, str]:
        return {name: found.id for name in ("Ann", "Bob") for found in store.players.named(name)}

    def test_both_accounts_of_a_name_and_address_are_found(
        self, store: Container, lines: list[bytes], elsewhere: Container
    ) -> None:
        anew = elsewhere.registrations.register("Ann", "ann@example.org").player.id
        restore(elsewhere, lines)
        before = self.ids(store)["Ann"]
        assert {player.id for player in elsewhere.players.named("Ann")} == {anew, before}
        assert set(elsewhere.addresses.players_at("ann@example.org")) == {anew, before}

    def test_new_challenges_hide_no_restored_ones(
        self, store: Container, lines: list[bytes], elsewhere: Container, clock: Clock
    ) -> None:
        restore(elsewhere, lines)
        ids = self.ids(store)
        elsewhere.redis.delete(*elsewhere.redis.scan_iter("*:challenges"))
        clock.time += 60
        new = elsewhere.games.challenges.make(ids["Ann"], ids["Bob"], NewGame(rounds=3))
        restore(elsewhere, lines)
        found, _ = elsewhere.games.challenges.open_of(ids["Bob"], None, 10)
        assert [each.wanted.rounds for each in found] == [3, 1]
        assert found[0] == new

    def test_reindexing_finds_names_addresses_and_challenges_anew(
        self, store: Container, lines: list[bytes]
    ) -> None:
        ids = self.ids(store)
        for lost in ("st:{names}:held:*", "st:address:*", "st:{*}:challenges"):
            store.redis.delete(*store.redis.scan_iter(lost))
        assert (reindex_players(store), reindex_challenges(store)) == (2, 1)
        assert self.ids(store) == ids
        assert store.addresses.players_at("ann@example.org") == [ids["Ann"]]
        assert len(store.games.challenges.open_of(ids["Ann"], None, 10)[0]) == 1

    def test_bots_are_not_found_by_name(self, store: Container) -> None:
        ann = store.registrations.register("Ann").player.id
        store.games.create(ann, NewGame(bot="steward"))
        assert reindex_players(store) == 1
        assert store.players.named("Steward (bot)") == []

    def test_restoring_twice_changes_nothing(
        self, lines: list[bytes], elsewhere: Container
    ) -> None:
        first = restore(elsewhere, lines)
        dumped = {key: elsewhere.redis.dump(key) for key in elsewhere.redis.scan_iter("*player")}
        assert restore(elsewhere, lines) == first
        assert {key: elsewhere.redis.dump(key) for key in dumped} == dumped


class TestSideState:
    @pytest.fixture
    def pair(self, store: Container) -> tuple[str, str]:
        ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
        return ann, bob

    def test_an_accepted_challenge_comes_back_with_its_game(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        before = backup(store)
        store.games.challenges.accept(made.id, pair[1])
        restore(elsewhere, backup(store))
        assert elsewhere.games.load(made.id).game.status == "active"
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "accepted"
        assert elsewhere.games.challenges.open_of(pair[1], None, 10) == ([], None)
        restore(elsewhere, before)
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "accepted"

    def test_a_game_is_restored_over_the_challenge_that_it_came_of(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        before = backup(store)
        store.games.challenges.accept(made.id, pair[1])
        restore(elsewhere, before)
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "open"
        assert restore(elsewhere, backup(store)).refused == []
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "accepted"

    def test_an_answer_in_the_backup_counts_and_one_in_the_store_stays(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        before = backup(store)
        store.games.challenges.decline(made.id, pair[1])
        restore(elsewhere, before)
        restore(elsewhere, backup(store))
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "declined"
        restore(elsewhere, before)
        assert elsewhere.games.challenges.find(made.id, pair[0]).status == "declined"

    def test_only_one_of_a_challenge_and_its_counter_offer_can_be_accepted(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        """Though the backup read the first before there was the other."""
        made = store.games.challenges.make(*pair, NewGame())
        first = backup(store)
        counter = store.games.challenges.counter(made.id, pair[1], {"rounds": 3})
        store.redis.delete(side_state_key(made.id))
        restore(elsewhere, backup(store))
        restore(elsewhere, first)
        restored = elsewhere.games.challenges.find(made.id, pair[0])
        assert (restored.status, restored.counter_offer) == ("countered", counter.id)

    def test_none_comes_back_on_a_packed_game(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        before = backup(store)
        store.games.challenges.accept(made.id, pair[1])
        store.games.resign(made.id, pair[0])
        store.log.events.compact(made.id)
        restore(store, before)
        assert store.log.side_state.read(made.id) == {}

    def test_a_challenge_lives_as_long_as_it_had_left(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        store.redis.expire(side_state_key(made.id), 1000)
        restore(elsewhere, backup(store))
        assert 900 < elsewhere.redis.ttl(side_state_key(made.id)) <= 1000

    def test_one_that_is_over_by_now_stays_away(
        self, store: Container, pair: tuple[str, str], elsewhere: Container
    ) -> None:
        made = store.games.challenges.make(*pair, NewGame())
        restore(elsewhere, backup(store), now=lambda: 2**33)
        assert elsewhere.log.side_state.read(made.id) == {}

    def test_orders_come_back_with_their_game(self, store: Container, elsewhere: Container) -> None:
        game = keep(store, "b", running())
        player = store.games.load(game).player_to_move()
        store.games.orders.give(game, player, Orders(claim_proved=True))
        restore(elsewhere, backup(store))
        assert elsewhere.games.orders.of(game, player)[1].claim_proved

    def test_those_that_an_older_backup_read_apart_are_left_out_and_counted(
        self, elsewhere: Container
    ) -> None:
        orders = json.dumps(
            {"claim_proved": True, "pass_when_stuck": False, "turn": None, "last": None}
        )
        game = {"game": game_id("b"), "record": running().lines, "notices": []}
        beside = key_line(side_state_key(game_id("b")), "hash", {"north": orders})
        lines = sealed_as_before(game, beside)
        assert inspect(lines, KEY).faults == []
        done = restore(elsewhere, lines)
        assert (done.games, done.apart, done.refused) == (1, 1, [])
        assert elsewhere.log.side_state.read(game_id("b")) == {}


def test_what_is_checked_of_a_challenge_and_of_orders_is_all_that_there_is() -> None:
    assert set(ChallengeForm().fields) == set(Challenge._fields)
    assert set(OrdersForm().fields) == set(Orders._fields)


def test_a_game_that_is_damaged_in_the_store_is_named_and_the_rest_restored(
    store: Container, elsewhere: Container
) -> None:
    for letter in "ab":
        keep(store, letter, finished(seed=ord(letter)))
    lines = backup(store)
    elsewhere.redis.set(log_key(game_id("a")), "9 3 of a later version")
    done = restore(elsewhere, lines)
    assert done.games == 1
    assert [fault.what for fault in done.refused] == [f"game {game_id('a')}"]
    assert elsewhere.games.load(game_id("b")).game.over


@pytest.fixture
def record() -> Any:
    return finished(TACTICS).lines


def test_an_imported_game_replays_and_exports_the_same_elsewhere_too(
    store: Container, record: Any, elsewhere: Container
) -> None:
    stored = store.games.load(import_record(store, from_jsonl(to_jsonl(record))))
    assert stored.game.over
    assert store.games.history.lines(stored, None) == record
    assert stored.head == record[-1]["hash"]

    stored = store.games.load(import_record(store, record))
    game_id = import_record(elsewhere, store.games.history.lines(stored, None))
    assert elsewhere.games.history.lines(elsewhere.games.load(game_id), None) == record


def test_the_text_form_is_the_same_game(store: Container, record: Any) -> None:
    assert import_record(store, from_text(to_text(record))) == import_record(store, record)
    assert len(list(store.log.events.game_ids())) == 1


def test_a_changed_record_is_refused_at_its_event(store: Container, record: Any) -> None:
    record[20] = {**record[20], "via": "order"}
    with pytest.raises(NotImported, match="event 21: "):
        import_record(store, record)
    assert list(store.log.events.game_ids()) == []


def test_a_game_that_goes_on_is_refused(store: Container) -> None:
    with pytest.raises(NotImported, match="finished"):
        import_record(store, running().lines)


def test_a_redacted_record_is_refused(store: Container, record: Any) -> None:
    with pytest.raises(NotImported, match="salt is missing"):
        import_record(store, [redact(line, "north", over=False) for line in record])


def test_a_deal_of_the_day_can_be_imported_once_its_day_is_over(
    store: Container, elsewhere: Container, clock: Clock
) -> None:
    """Before, its secret is not out, and the game would be sealed."""
    store.players.ensure_exists("e" * 16, "Eve")
    over = store.games.resign(store.games.daily.begin("e" * 16).id, "e" * 16)
    record = [json.loads(text) for text in store.log.events.read(over.id)]
    assert over.daily is not None
    clock.time = over.daily.ends - 1
    with pytest.raises(NotImported, match=f"the deal of {over.daily.date}, and that day is not"):
        import_record(elsewhere, record)
    assert list(elsewhere.log.events.game_ids()) == []
    clock.time = over.daily.ends
    imported = elsewhere.games.read(import_record(elsewhere, record), None)
    assert (imported.imported, imported.sealed) == (True, False)


def test_an_imported_game_shows_as_imported_wherever_it_is_shown(
    store: Container, record: Any
) -> None:
    players = [line["data"]["player"] for line in record[:2]]
    store.players.ensure_exists(players[0], "Ada")
    stored = store.games.load(import_record(store, record))
    assert store.games.view(stored, None).imported
    assert store.games.view(store.games.read(stored.id, None, at=2), None).imported
    (listed,), _ = store.games.lists.of_player(players[0])
    assert (listed["id"], listed["imported"]) == (stored.id, True)
    # The other one is not here.
    assert store.games.lists.of_player(players[1]) == ([], None)


def test_the_record_of_a_game_that_was_played_here_gives_that_game(
    store: Container, elsewhere: Container
) -> None:
    played = finished(TACTICS)
    here = keep(store, "a", played)
    assert import_record(store, played.lines) == here
    assert list(store.log.events.game_ids()) == [here]
    assert not store.games.view(store.games.load(here), None).imported
    assert import_record(elsewhere, played.lines) != here


def test_another_game_of_the_same_moment_is_another(store: Container, record: Any) -> None:
    keep(store, "a", finished(TACTICS, seed=2))
    assert import_record(store, record) != game_id("a")
    assert len(list(store.log.events.game_ids())) == 2
