"""A backup holds the games and the players, and gives them back to another store."""

import json
import re
from typing import Any

import pytest

from service.accounts.mail_preferences import MailPreferences, Subscription
from service.container import Container
from service.core.redis.client import Client
from service.eventlog import Changed, FieldChange, notice_id
from service.games import NewGame
from service.ops.key_snapshots import KeySnapshot, problem_of
from service.ops.restore import inspect, restore
from service.server.app import create_app
from tests.support.backups import KEY, backup
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.support.stored_games import TACTICS, finished, game_id, keep, running


@pytest.fixture
def full(store: Container) -> list[bytes]:
    """A backup of a store with a finished game and a running one."""
    keep(store, "a", finished(TACTICS))
    keep(store, "b", running())
    return backup(store)


class TestGames:
    def test_every_game_is_the_same_to_the_byte(
        self, store: Container, full: list[bytes], elsewhere: Container
    ) -> None:
        assert inspect(full, KEY) == ([], True)
        assert restore(elsewhere, full).games == 2
        for letter in "ab":
            assert elsewhere.log.events.read(game_id(letter)) == store.log.events.read(
                game_id(letter)
            )

    def test_a_finished_game_is_packed_at_once(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        restore(elsewhere, full)
        (log_key,) = elsewhere.redis.scan_iter(f"*{game_id('a')}*")
        assert elsewhere.redis.type(log_key) == "string"

    def test_a_running_game_has_its_deadline_again(
        self, full: list[bytes], elsewhere: Container, clock: Clock
    ) -> None:
        restore(elsewhere, full)
        deadline = elsewhere.games.load(game_id("b")).deadline
        clock.time = deadline - 1
        assert elsewhere.log.deadlines.claim(limit=9, lease=60) == []
        clock.time = deadline
        assert elsewhere.log.deadlines.claim(limit=9, lease=60) == [game_id("b")]

    def test_a_restored_game_is_in_its_lists_and_can_be_played_on(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        restore(elsewhere, full)
        stored = elsewhere.games.load(game_id("b"))
        games, _ = elsewhere.games.lists.of_player(stored.player_to_move(), my_turn=True)
        assert [game["id"] for game in games] == [game_id("b")]

        player = stored.player_to_move()
        action = elsewhere.games.view(stored, player).legal[0]
        assert elsewhere.games.play(stored.id, player, [action]).version > stored.version

    def test_what_is_to_be_sent_will_be(
        self, store: Container, elsewhere: Container, clock: Clock
    ) -> None:
        ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
        made = store.games.create(ann, NewGame(opponent=bob))
        restore(elsewhere, backup(store))
        invitation = notice_id(made.id, 1, bob, "mail", "invitation")
        assert list(elsewhere.log.outbox.pending()) == [(invitation, clock.time)]


class TestPlayers:
    def test_names_and_tokens_survive(
        self, redis: Client, store: Container, elsewhere: Container, clock: Clock
    ) -> None:
        client = create_app(settings(), redis, clock).test_client()
        ann = client.post("/v1/players", json={"name": "Ann"}).json
        headers = {"Authorization": f"Bearer {ann['token']}"}
        made = client.post("/v1/games", json={}, headers=headers).json

        restore(elsewhere, backup(store))

        client = create_app(settings(), elsewhere.redis, clock).test_client()
        (listed,) = client.get("/v1/games", headers=headers).json["games"]
        assert listed["id"] == made["id"]
        assert listed["players"]["north"] == {"id": ann["id"], "name": "Ann", "bot": False}

    def test_so_do_their_challenges(self, store: Container, elsewhere: Container) -> None:
        ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
        made = store.games.challenges.make(ann, bob, NewGame())
        restore(elsewhere, backup(store))

        assert elsewhere.games.challenges.open_of(bob, None, 10) == ([made], None)

    def test_so_do_choices_and_addresses_of_invitations_with_the_time_they_have_left(
        self, store: Container, elsewhere: Container
    ) -> None:
        choice = Subscription("p" * 16, "turn")
        MailPreferences(store.redis, "key", "").turn_off(choice)
        store.games.invitations.keep_address(game_id("a"), "guest@example.org", days=14)
        restore(elsewhere, backup(store))

        assert not MailPreferences(elsewhere.redis, "key", "").wanted(choice)
        assert elsewhere.games.invitations.address(game_id("a")) == "guest@example.org"
        key = f"st:invitation:{game_id('a')}"
        assert abs(elsewhere.redis.ttl(key) - store.redis.ttl(key)) <= 5

    def test_so_do_the_notes_beside_a_log(
        self, store: Container, full: list[bytes], elsewhere: Container
    ) -> None:
        game = game_id("b")
        assert Changed() == store.log.side_state.change(
            game, [FieldChange("abandonment", "", "north")]
        )
        restore(elsewhere, backup(store))
        assert elsewhere.log.side_state.read(game) == {"abandonment": "north"}

    def test_so_do_messages_notes_and_what_was_reported(
        self, store: Container, elsewhere: Container, clock: Clock
    ) -> None:
        ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
        made = store.games.create(ann, NewGame(opponent=bob))
        store.games.join(made.id, bob)
        talk = store.games.conversations
        for player, text in ((ann, "Hi\n<b>“R7@3”</b>"), (bob, "=?utf-8?q?x?= ünï"), (ann, "👍")):
            clock.time += 60
            talk.write(made.id, player, text, "web")
        talk.mark_read(made.id, bob, 1)
        talk.set_off(made.id, ann, off=True)
        talk.wishes.set_off(bob, off=True)
        talk.report(made.id, bob, 1, "rude")
        talk.moderation.mute(ann)
        store.games.private_notes.write(ann, made.id, "He keeps\nthe nine.")
        written = backup(store)
        assert inspect(written, KEY)[0] == []
        restore(elsewhere, written)

        again = elsewhere.games.conversations
        restored = again.page(elsewhere.games.load(made.id), bob)
        kept = talk.page(store.games.load(made.id), bob)
        assert (restored.messages, restored.state) == (kept.messages, kept.state)
        assert again.wishes.is_off(bob)
        assert again.moderation.reports() == talk.moderation.reports() != []
        assert again.moderation.muted() == talk.moderation.muted() != {}
        assert elsewhere.games.private_notes.read(ann, made.id) == "He keeps\nthe nine."

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("1", "{}"),
            ("1", '{"key":"x","by":"north","at":"","via":"web","text":"x"}'),
            ("0", "1"),
            ("last", "x" * 5000),
            ("evil:north", "1"),
            ("off:north", "\x1b[2J"),
        ],
    )
    def test_messages_out_of_form_are_refused(self, field: str, value: str) -> None:
        key = f"st:{{07}}:g:{'a' * 20}:messages"
        kept = KeySnapshot(key=key, type="hash", value={field: value}, expires=None)
        assert problem_of(kept) is not None

    @pytest.mark.parametrize(
        ("changes", "is_good"),
        [
            ({}, True),
            ({"sleep": ["22:00", "08:01"]}, False),
            ({"sleep": ["08:00", "08:00"]}, False),
            ({"vacations": [[1795348800, 1795262400]]}, False),
            ({"vacations": [[0, 1795262400]]}, False),
            ({"vacations": [[1795262400, 2**33]]}, False),
            ({"vacations": [[1795262400, 1795348800]] * 1001}, False),
        ],
    )
    def test_calendars_that_no_clock_can_go_by_are_refused(
        self, changes: dict[str, Any], is_good: bool
    ) -> None:
        calendar = {"sleep": ["22:00", "08:00"], "vacations": [[1795262400, 1795348800]]}
        text = json.dumps({**calendar, "changed": [], "planned": [], "by_itself": True, **changes})
        key = f"st:{{{'a' * 16}}}:calendar"
        kept = KeySnapshot(key=key, type="string", value=text, expires=None)
        assert (problem_of(kept) is None) == is_good

    def test_what_the_store_has_already_stays(self, store: Container, elsewhere: Container) -> None:
        ann = store.registrations.register("Ann").player.id
        lines = backup(store)
        restore(elsewhere, lines)
        (key,) = elsewhere.redis.scan_iter(f"*{ann}*:player")
        elsewhere.redis.hset(key, "name", "Anna")
        assert restore(elsewhere, lines).keys >= 1
        assert elsewhere.players.find(ann).name == "Anna"


class TestFaults:
    def test_restoring_twice_is_in_order(self, full: list[bytes], elsewhere: Container) -> None:
        first = restore(elsewhere, full)
        assert restore(elsewhere, full) == first

    def test_a_game_that_has_gone_on_since_stays_as_it_is(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        restore(elsewhere, full)
        further = running(events=40)
        version = elsewhere.log.events.version(game_id("b"))
        elsewhere.log.events.append(game_id("b"), version, further.texts[version:])
        assert restore(elsewhere, full).refused == []
        assert elsewhere.log.events.read(game_id("b")) == further.texts

    def test_a_game_that_has_lost_its_last_events_gets_them_back(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        lost = keep(elsewhere, "b", running(events=12))
        elsewhere.log.side_state.change(lost, [FieldChange("abandonment", "", "south")])
        assert restore(elsewhere, full).refused == []
        assert elsewhere.log.events.read(lost) == running().texts
        assert elsewhere.log.side_state.read(lost) == {}
        assert elsewhere.games.load(lost).version == len(running().texts)

    def test_another_game_under_the_same_id_is_refused_by_name(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        keep(elsewhere, "a", finished(seed=9))
        (fault,) = restore(elsewhere, full).refused
        assert game_id("a") in str(fault)
        assert elsewhere.log.events.read(game_id("a")) == finished(seed=9).texts

    def test_any_changed_byte_of_a_record_is_refused_at_its_event(self, full: list[bytes]) -> None:
        text = full[1].decode()
        record = range(text.index("[") + 1, text.index('"notes"') - 3)
        within = [place for place in record[::211] if text[place : place + 5] != ',{"at']
        for place in within:
            event = text.count('{"at":', 0, place + 6)
            changed = f"{text[:place]}{chr(ord(text[place]) ^ 1)}{text[place + 1 :]}"
            fault, *_ = inspect([full[0], changed.encode(), *full[2:]], KEY).faults
            assert re.match(rf"(event|Line) {event}\b", fault.problem)

    def test_any_other_change_is_noticed_too(self, full: list[bytes]) -> None:
        renamed = full[1].replace(game_id("a").encode(), game_id("c").encode())
        found = inspect([full[0], renamed, *full[2:]], KEY)
        assert [fault.what for fault in found.faults] == ["the file"]
        assert not found.ours

    @pytest.mark.parametrize("cut", [slice(0, -1), slice(0, 1), slice(0, 0), slice(1, None)])
    def test_a_backup_that_is_not_whole_is_noticed(self, full: list[bytes], cut: Any) -> None:
        assert "the file" in [fault.what for fault in inspect(full[cut], KEY).faults]

    def test_what_is_at_fault_can_be_left_out(
        self, full: list[bytes], elsewhere: Container
    ) -> None:
        changed = [full[0], full[1].replace(b"R1", b"R2", 1), *full[2:]]
        left_out = {fault.line for fault in inspect(changed, KEY).faults}
        assert restore(elsewhere, changed, left_out).games == 1
        assert len(list(elsewhere.log.events.game_ids())) == 1
