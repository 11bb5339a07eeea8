"""Everybody has one try at the deal of a day, and the same cards."""

import json
from typing import NamedTuple

import pytest

from engine.record import from_jsonl
from engine.shuffle import commitment
from engine.verify import verify, verify_chain
from service.container import Container
from service.core.times import DAY, MINUTE
from service.core.words import ENGLISH
from service.games import ChangeContext, StoredGame
from service.games.daily import BOT, DailyDeals
from service.games.daily_store import LASTING_KEYS, LIFE
from service.games.terms import DealDay
from service.ops.integrity import reindex
from service.ops.key_snapshots import read_keys
from tests.support.clock import Clock
from tests.support.deals import play_out

TODAY = DealDay("2026-11-21")
TOMORROW = DealDay("2026-11-22")


@pytest.fixture
def daily(container: Container) -> DailyDeals:
    return container.games.daily


@pytest.fixture
def ann(container: Container) -> str:
    return container.registrations.register("Ann").player.id


@pytest.fixture
def bob(container: Container) -> str:
    return container.registrations.register("Bob").player.id


class Today(NamedTuple):
    """A day on which Ann can try the deal."""

    daily: DailyDeals
    container: Container
    clock: Clock
    ann: str


@pytest.fixture
def today(daily: DailyDeals, container: Container, clock: Clock, ann: str) -> Today:
    return Today(daily, container, clock, ann)


def midnight(clock: Clock) -> None:
    """Let the day end."""
    clock.time = TODAY.ends


class TestSecrets:
    def test_they_are_drawn_two_days_ahead_and_stay(
        self, container: Container, daily: DailyDeals, clock: Clock
    ) -> None:
        daily.draw_ahead()
        drawn = container.redis.hgetall("st:{daily}:secrets")
        assert list(drawn) == ["2026-11-21", "2026-11-22", "2026-11-23"]
        clock.time += DAY
        daily.draw_ahead()
        after = container.redis.hgetall("st:{daily}:secrets")
        assert after.items() > drawn.items()
        assert len(set(after.values())) == 4

    def test_the_commitment_is_shown_the_day_before_and_the_secret_the_day_after(
        self, daily: DailyDeals, clock: Clock
    ) -> None:
        daily.draw_ahead()
        before = daily.deals(TOMORROW)[0]
        assert before is not None
        assert before.secret is None
        assert daily.deals(TOMORROW.later(1))[0] is None
        clock.time = TOMORROW.ends - 1
        assert daily.deals(TOMORROW)[0] == before
        clock.time = TOMORROW.ends
        after = daily.deals(TOMORROW)[0]
        assert after is not None
        assert after.secret is not None
        assert after.commitment == before.commitment == commitment(after.secret)
        assert before.drawn_at == "2026-11-21T12:00:00Z"

    def test_old_days_are_dropped(self, today: Today) -> None:
        today.daily.begin(today.ann)
        today.clock.time += 62 * DAY
        today.daily.draw_ahead()
        assert "2026-11-21" not in today.container.redis.hgetall("st:{daily}:secrets")
        assert today.daily.deals(TODAY)[0] is None

    def test_tries_are_dropped_by_our_clock(self, today: Today) -> None:
        today.daily.begin(today.ann)
        left = today.container.redis.ttl("st:{daily}:tries:2026-11-21")
        assert left == pytest.approx(60.5 * DAY, abs=MINUTE)

    def test_a_backup_holds_secrets_and_tries(self, today: Today) -> None:
        today.daily.begin(today.ann)
        checked = read_keys(today.container.redis, today.container.now, LASTING_KEYS)
        assert [(each.line["key"], each.problem) for each in checked] == [
            ("st:{daily}:secrets", None),
            ("st:{daily}:tries:2026-11-21", None),
        ]


class TestTries:
    def test_everybody_has_the_cards_of_the_day_and_the_next_day_has_others(
        self, daily: DailyDeals, ann: str, bob: str, clock: Clock
    ) -> None:
        one, other = daily.begin(ann), daily.begin(bob)
        assert one.id != other.id
        assert (one.game.hands, one.game.decks) == (other.game.hands, other.game.decks)
        assert one.game.turn == other.game.turn
        assert one.game.players == {"north": ann, "south": BOT.player}
        deal = daily.deals(TODAY)[0]
        assert deal is not None
        assert one.game.commitment == deal.commitment

        today = daily.begin(ann)
        midnight(clock)
        assert daily.begin(ann).game.hands != today.game.hands

    def test_there_is_one_try(self, container: Container, daily: DailyDeals, ann: str) -> None:
        over = play_out(container, daily.begin(ann).id)
        assert daily.begin(ann) == over
        assert daily.game_of(ann, TODAY) == over

    def test_two_presses_at_once_begin_one_game(
        self, today: Today, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draw, quicker = today.container.games.writer.draft, list[StoredGame]()

        def overtaken(*args: object) -> object:
            monkeypatch.setattr(today.container.games.writer, "draft", draw)
            quicker.append(today.daily.begin(today.ann))
            return draw(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(today.container.games.writer, "draft", overtaken)
        assert today.daily.begin(today.ann) == quicker[0]

    def test_a_kill_before_the_game_is_written_loses_nothing(
        self, today: Today, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def killed(*args: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(today.container.games.writer, "write", killed)
            with pytest.raises(KeyboardInterrupt):
                today.daily.begin(today.ann)
        assert today.daily.table(TODAY) == []
        play_out(today.container, today.daily.begin(today.ann).id)
        assert [row.player for row in today.daily.table(TODAY)] == [today.ann]

    def test_it_is_in_no_list_no_rating_and_no_mail(self, today: Today) -> None:
        games, begun = today.container.games, today.daily.begin(today.ann)
        for stored in (begun, play_out(today.container, begun.id)):
            seen = today.container.overviews.of(ENGLISH, today.ann)
            assert [*seen.to_move, *seen.waiting, *seen.finished] == []
            assert games.index.public_counts(today.ann) == {"active": 0, "finished": 0}
            assert games.ratings.result(stored) is None
            assert games.archive.page("", 10) == ([], None)
            assert not today.container.feeds.read(today.ann, None, 10).news
        pending = [notice.id for notice in today.container.log.outbox.pending()]
        assert not [notice for notice in pending if ".mail." in notice]

    def test_a_list_of_all_games_says_what_it_is(self, today: Today) -> None:
        begun = today.daily.begin(today.ann)
        listed, _ = today.container.games.lists.of_player(today.ann)
        assert [(game["id"], game["daily"]) for game in listed] == [(begun.id, "2026-11-21")]


class TestTheRecord:
    def test_it_verifies_so_far_while_the_day_lasts_and_as_a_whole_afterwards(
        self, container: Container, daily: DailyDeals, ann: str, clock: Clock
    ) -> None:
        over = play_out(container, daily.begin(ann).id)
        sealed = container.games.history.record(over, ann)
        assert over.game.secret not in sealed
        assert verify_chain(from_jsonl(sealed)) is None
        midnight(clock)
        opened = container.games.history.record(container.games.load(over.id), None)
        assert verify(from_jsonl(opened)) is None
        assert json.loads(opened.splitlines()[0])["data"]["terms"]["daily"] == "2026-11-21"


class TestTheTable:
    def test_it_has_who_finished_while_the_day_lasts(self, today: Today, bob: str) -> None:
        today.daily.begin(bob)
        today.clock.time += MINUTE
        over = play_out(today.container, today.daily.begin(today.ann).id)
        (row,) = today.daily.table(TODAY)
        assert (row.player, row.name, row.game) == (today.ann, "Ann", over.id)
        assert row.result is not None
        assert row.result.won == (over.game.winner == "north")
        assert row.result.stones == len(over.game.stones_of("north"))
        assert row.result.lost == len(over.game.stones_of("south"))

    def test_who_did_not_finish_is_in_it_afterwards(self, today: Today, bob: str) -> None:
        late = today.daily.begin(bob)
        play_out(today.container, today.daily.begin(today.ann).id)
        midnight(today.clock)
        play_out(today.container, late.id)
        rows = today.daily.table(TODAY)
        assert [(row.name, row.result is None) for row in rows] == [("Ann", False), ("Bob", True)]

    def test_a_game_abandoned_by_agreement_comes_after_those_that_were_lost(
        self, container: Container, daily: DailyDeals, ann: str, bob: str
    ) -> None:
        container.games.abandonments.agree(daily.begin(ann).id, ann, ChangeContext("web"))
        container.games.resign(daily.begin(bob).id, bob)
        assert [row.name for row in daily.table(TODAY)] == ["Bob", "Ann"]

    def test_whoever_begins_later_pushes_nobody_out(
        self, today: Today, bob: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("service.games.daily.MOST_TRIES", 2)
        play_out(today.container, today.daily.begin(today.ann).id)
        today.clock.time += MINUTE
        today.container.games.resign(today.daily.begin(bob).id, bob)
        for name in ("Cid", "Dan", "Eve"):
            today.clock.time += MINUTE
            today.daily.begin(today.container.registrations.register(name).player.id)
        assert {row.name for row in today.daily.table(TODAY)} == {"Ann", "Bob"}
        midnight(today.clock)
        assert {row.name for row in today.daily.table(TODAY)} == {"Ann", "Bob"}

    def test_it_is_rebuilt_from_the_logs(self, today: Today) -> None:
        over = play_out(today.container, today.daily.begin(today.ann).id)
        key = "st:{daily}:table:2026-11-21"
        before = today.container.redis.zrange(key, 0, -1, withscores=True)
        today.container.redis.delete(key)
        assert [each.fault for each in reindex(today.container, [over.id])] == [None]
        assert today.container.redis.zrange(key, 0, -1, withscores=True) == before != []
        left = TODAY.ends + LIFE - today.clock.time
        assert today.container.redis.ttl(key) == pytest.approx(left, abs=MINUTE)

    def test_a_deleted_account_has_no_name(self, today: Today) -> None:
        play_out(today.container, today.daily.begin(today.ann).id)
        player = today.container.players.find(today.ann)
        assert player is not None
        today.container.accounts.close(player)
        assert [row.name for row in today.daily.table(TODAY)] == [None]

    def test_only_who_has_finished_sees_it_before_the_day_is_over(self, today: Today) -> None:
        begun = today.daily.begin(today.ann)
        assert not today.daily.may_see_table(None, TODAY)
        assert not today.daily.may_see_table(begun, TODAY)
        assert today.daily.may_see_table(today.container.games.resign(begun.id, today.ann), TODAY)
        midnight(today.clock)
        assert today.daily.may_see_table(None, TODAY)
