"""Seasons on a server, from their announcement to their end, over a clock that is moved."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Barrier, Thread
from typing import Any

import pytest

from engine import RuleBroken
from engine.chain import canonical
from service.bots import BOTS
from service.container import Container
from service.core.errors import RequestRejected
from service.core.times import DAY, HOUR, MINUTE, timestamp, unix
from service.games import ChangeContext, NewGame
from service.games.rating import is_rated, result_of
from service.ops.key_snapshots import read_keys
from service.seasons import running
from service.seasons.events import PlayerEntered, ResultTaken
from service.seasons.season import Season, game_secret
from service.seasons.seasons import NewSeason
from service.seasons.store import LASTING_KEYS
from service.seasons.table import standings, tables
from service.seasons.verify import UnsoundSeason, verify
from tests.service.seasons.club import LATEST, Club, against_bob, code_of, reads
from tests.service.seasons.leagues import final_tables
from tests.support.clock import Clock
from tests.support.deals import play_out
from tests.support.telling import tell_all


class TestASeason:
    def test_it_is_played_and_everything_in_it_proved(self, club: Club) -> None:
        season = club.started()
        assert len(season.games) == 30
        for game in season.games:
            play_out(club.container, game)
        season = club.taken(season)
        assert season.status == "ended"
        lines = club.container.season_store.lines(season.id)
        found = verify(lines, club.records(season))
        assert found.proved == 30
        assert tables(season) == final_tables(lines)
        assert [line["type"] for line in lines[:10]] == [
            *("announced", "sealed", *["entered"] * 6),
            *("started", "paired"),
        ]

    def test_the_cards_of_each_game_follow_from_a_secret_sealed_before_anybody_entered(
        self, club_of: Callable[[int], Club]
    ) -> None:
        club = club_of(4)
        season = club.started()
        assert season.cards is not None
        assert season.cards.secret is not None
        secrets = {}
        for game_id, game in season.games.items():
            club.container.games.resign(game_id, game["north"])
            first = json.loads(next(iter(club.container.log.events.read(game_id, upto=1))))
            secrets[game_id] = first["private"]["secret"]
            assert secrets[game_id] == game_secret(season.cards.secret, game)
        assert len({*secrets.values()}) == 12
        season = club.taken(season)
        lines = club.container.season_store.lines(season.id)
        assert verify(lines, club.records(season)).season.cards == season.cards

    def test_cards_of_the_hosts_choice_are_found(
        self, club_of: Callable[[int], Club], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        club = club_of(4)
        monkeypatch.setattr(running, "secret_of", lambda *_: "0b" * 32)
        season = club.started()
        for game in season.games:
            club.container.games.resign(game, season.games[game]["north"])
        season = club.taken(season)
        with pytest.raises(UnsoundSeason, match="not those that were sealed"):
            verify(club.container.season_store.lines(season.id), club.records(season))

    def test_one_of_an_older_version_is_played_without_a_seal(self, club: Club) -> None:
        container, announced = club.container, replace(club.announce().rules, id="o" * 20)
        season = container.season_store.append(None, [announced], "operator")
        assert season is not None
        for player in club.people:
            container.seasons.enter(season.id, player, None, "api")
        container.season_clock.run_all()
        season = container.seasons.get(season.id)
        game, paired = next(iter(season.games.items()))
        container.games.resign(game, paired["south"])
        season = club.taken(season)
        assert verify(container.season_store.lines(season.id)).season.cards is None

    def test_a_record_of_another_result_is_found(self, club_of: Callable[[int], Club]) -> None:
        club = club_of(4)
        season = club.started()
        for game in season.games:
            club.container.games.resign(game, season.games[game]["north"])
        season = club.taken(season)
        records = club.records(season)
        for line in records[0]:
            if line["type"] == "game_ended":
                line["data"]["winner"] = "north"
        with pytest.raises(UnsoundSeason):
            verify(club.container.season_store.lines(season.id), records)

    def test_its_games_say_where_they_belong_and_have_the_salts_of_both(self, club: Club) -> None:
        season = club.announce()
        for player in club.people:
            club.container.seasons.enter(season.id, player, f"salt of {player}", "api")
        club.container.season_clock.run_all()
        season = club.container.seasons.get(season.id)
        for game_id, game in season.games.items():
            stored = club.container.games.load(game_id)
            assert stored.terms.season is not None
            assert (stored.terms.season.id, stored.terms.season.round) == (season.id, 1)
            assert stored.game.players == {"north": game["north"], "south": game["south"]}
            assert stored.game.turn == "north"
            assert is_rated(stored)
            texts = club.container.log.events.read(game_id, upto=2)
            assert f'"salt":"salt of {game["north"]}"' in texts[0]
            assert f'"salt":"salt of {game["south"]}"' in texts[1]

    def test_it_starts_on_its_date_with_those_who_were_here_that_week(
        self, club: Club, clock: Clock
    ) -> None:
        starts = timestamp(clock.time + 20 * DAY)
        season = club.announce(starts_at=starts, players=None)
        for player in club.people:
            club.container.seasons.enter(season.id, player, None, "api")
        clock.time += 15 * DAY
        for player in club.people[:3]:
            club.container.redis.hset(f"st:{{{player}}}:used", "token", int(clock.time))
        club.container.tokens.record_answer(club.people[3])  # by mail
        clock.time = unix(starts) - 1
        club.container.season_clock.run_all()
        assert club.container.seasons.get(season.id).status == "open"
        clock.time += 1
        club.container.season_clock.run_all()
        season = club.container.seasons.get(season.id)
        assert {*season.divisions[0]} == {*club.people[:4]}
        assert {one.reason for one in season.withdrawn.values()} == {"not-seen"}
        verify(club.container.season_store.lines(season.id))

    def test_nobody_is_left_out_for_a_week_in_which_the_server_was_down(
        self, club: Club, clock: Clock
    ) -> None:
        season = club.announce(starts_at=timestamp(clock.time + 9 * DAY), players=None)
        for player in club.people:
            club.container.seasons.enter(season.id, player, None, "api")
        club.pass_time(DAY)
        clock.time += 9 * DAY
        club.container.season_clock.run_all()
        assert len(club.container.seasons.get(season.id).division_of) == 6

    def test_nobody_enters_and_so_it_ends_on_its_date(self, club: Club, clock: Clock) -> None:
        season = club.announce(starts_at=timestamp(clock.time + DAY), players=None)
        clock.time += DAY
        club.container.season_clock.run_all()
        season = club.container.seasons.get(season.id)
        assert (season.status, season.divisions) == ("ended", ())
        verify(club.container.season_store.lines(season.id))

    @pytest.mark.parametrize("count", [4, 7, 9])
    def test_whoever_never_plays_loses_in_time_and_it_ends_on_its_date(
        self, club_of: Callable[[int], Club], clock: Clock, count: int
    ) -> None:
        club, random = club_of(count), Random(count)
        season = club.started()
        sleepers = {club.people[0], club.people[-1]}
        for game_id, game in season.games.items():
            if not sleepers & {game["north"], game["south"]} and random.random() < 0.9:
                play_out(club.container, game_id)
        begun, games = clock.time, club.container.games
        while season.status != "ended" and clock.time < begun + LATEST:
            club.pass_time(12 * HOUR)
            tell_all(club.container)
            for game_id in season.games:
                stored = games.load(game_id)
                mover = stored.player_to_move()
                if mover in sleepers and stored.is_overdue(clock.time):
                    games.time_out(game_id)
                while mover not in sleepers and stored.player_to_move() == mover is not None:
                    action = games.view(stored, mover).legal[0]
                    stored = games.play(game_id, mover, [action])
            season = club.taken(season)
        assert season.status == "ended"
        lines = club.container.season_store.lines(season.id)
        assert tables(verify(lines).season) == final_tables(lines)
        assert sleepers <= season.withdrawn.keys()
        late = [one for one in season.results.values() if one.reason == "time-out"]
        assert late
        for result in late:  # before the fifth turn of both: not rated
            stored = games.load(result.game)
            assert result_of(stored, club.container.log.events.read(result.game)) is None

    def test_bots_fill_a_short_division_and_play(self, club_of: Callable[[int], Club]) -> None:
        season = club_of(3).started(bots=["steward"], division=4)
        assert season.divisions[0][3] == BOTS["steward"].player
        assert len(season.games) == 12

    def test_no_game_of_a_bot_is_rated(self, club_of: Callable[[int], Club]) -> None:
        club = club_of(2)
        season = club.started(bots=["steward", "piper"], division=4)
        rated = [
            is_rated(club.container.games.load(game))
            for game, paired in season.games.items()
            if {paired["north"], paired["south"]} - {*club.people}
        ]
        assert rated == [False] * 10


class TestManySeasons:
    def test_they_are_listed_in_pages_the_newest_first(self, club: Club, clock: Clock) -> None:
        made = list[str]()
        for number in range(7):
            clock.time += number % 2  # some in the same second
            made.append(club.announce().id)
        seasons, found, after = club.container.seasons, list[Season](), None
        for size in (3, 3, 1):
            page, after = seasons.page(after, 3)
            assert len(page) == size
            found += page
        assert after is None
        assert {each.id for each in found} == {*made}
        assert [each.announced for each in found] == sorted(
            (each.announced for each in found), reverse=True
        )
        assert seasons.page("x" * 20, 3) == ([], None)

    def test_no_entry_list_or_page_reads_them_all(self, club: Club, container: Container) -> None:
        costs = []
        for count in (1, 30):
            for _ in range(count):
                season = club.announce()
            fresh = Container(container.settings, container.redis, club.clock)
            ann = club.people[0]
            actions: tuple[Callable[[], object], ...] = (
                lambda: fresh.seasons.enter(season.id, ann, None, "api"),  # noqa: B023
                lambda: fresh.seasons.page(None, 1),  # noqa: B023
                lambda: fresh.seasons.following(season),  # noqa: B023
            )
            costs.append([reads(fresh, action) for action in actions])
        assert costs[0] == costs[1]

    def test_the_latest_that_follows_is_found_while_it_is_open(
        self, club: Club, clock: Clock
    ) -> None:
        soon = {"starts_at": timestamp(clock.time + 1), "players": None}
        seasons, first = club.container.seasons, club.announce(**soon)
        assert seasons.following(first) is None
        club.announce(follows=first.id)
        clock.time += 1
        second = club.announce(follows=first.id, starts_at=timestamp(clock.time + 9), players=None)
        assert seasons.following(first) == second
        club.container.redis.delete("st:{seasons}:following")
        club.container.season_store.reindex()
        assert seasons.following(first) == second
        clock.time += 9
        for _ in range(2):  # it waits for the one before
            club.container.season_clock.run_all()
            clock.time += MINUTE
        assert seasons.following(first) is None


class TestEntering:
    def test_twice_changes_nothing(self, club: Club) -> None:
        season = club.announce()
        once = club.container.seasons.enter(season.id, club.people[0], "one", "api")
        again = club.container.seasons.enter(season.id, club.people[0], "two", "web")
        assert again == once

    def test_after_leaving_one_may_come_back_but_not_for_ever(self, club: Club) -> None:
        seasons, season = club.container.seasons, club.announce()
        for _ in range(3):
            seasons.enter(season.id, club.people[0], None, "api")
            seasons.withdraw(season.id, club.people[0], "api")
        refused = code_of(lambda: seasons.enter(season.id, club.people[0], None, "api"))
        assert refused == "entry-barred"

    def test_not_after_the_start(self, club: Club, container: Container) -> None:
        season = club.started()
        late = container.registrations.register("Zoe").player.id
        for player in (late, club.people[0]):
            with pytest.raises(RequestRejected) as refused:
                container.seasons.enter(season.id, player, None, "api")
            assert refused.value.code == "season-closed"

    def test_not_without_a_confirmed_way_to_be_told(self, container: Container, club: Club) -> None:
        elsewhere = Container(
            replace(container.settings, smtp_url="smtp://mail.example.org"),
            container.redis,
            container.now,
        )
        season, ann = club.announce(), club.people[0]
        enter = lambda: elsewhere.seasons.enter(season.id, ann, None, "api")  # noqa: E731
        assert code_of(enter) == "nobody-to-tell"
        container.redis.hset(f"st:{{{ann}}}:player", mapping={"email": "ann@example.org"})
        assert code_of(enter) == "nobody-to-tell"
        container.redis.hset(f"st:{{{ann}}}:player", mapping={"verified": "ann@example.org"})
        assert enter().has(ann)

    def test_not_by_ones_own_bot(self, club: Club, container: Container) -> None:
        season = club.announce()
        bot = container.registrations.register("Deep", owner=club.people[0]).player
        refused = code_of(lambda: container.seasons.enter(season.id, bot.id, None, "api"))
        assert refused == "not-for-bots"

    def test_who_is_blocked_is_told_to_who_blocks_alone(self, club: Club) -> None:
        ann, bob = club.people[:2]
        club.container.contact_choices.block(ann, bob)
        season = club.announce()
        season = club.container.seasons.enter(season.id, bob, None, "api")
        assert club.container.seasons.blocked_in(season, ann) == [bob]
        assert club.container.seasons.blocked_in(season, bob) == []

    def test_it_costs_no_more_among_many(
        self, container: Container, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season, costs = club.announce(players=1000), list[tuple[int, int]]()
        taken = list[tuple[int, int]]()
        execute = container.redis.execute_command

        def counted(*command: Any, **options: Any) -> Any:
            reply = execute(*command, **options)
            taken.append((len(str(command)), len(str(reply))))
            return reply

        monkeypatch.setattr(container.redis, "execute_command", counted)
        for number in range(600):
            container.seasons.enter(season.id, f"{number:03}".rjust(16, "a"), None, "api")
            costs.append((len(taken), sum(map(sum, taken))))
            taken.clear()
        (trips, size), (trips_of_many, size_of_many) = costs[6], costs[599]
        assert trips_of_many == trips
        assert size_of_many <= size + 50  # the numbers have more digits

    def test_two_hundred_at_once_all_enter(self, club: Club, container: Container) -> None:
        season, gate, refused = club.announce(players=1000), Barrier(200), list[Exception]()
        servers = [Container(container.settings, container.redis, club.clock) for _ in range(4)]

        def enter(number: int) -> None:
            gate.wait()
            try:
                player = f"{number:03}".rjust(16, "a")
                servers[number % 4].seasons.enter(season.id, player, None, "api")
            except RequestRejected as refusal:
                refused.append(refusal)

        threads = [Thread(target=enter, args=(number,)) for number in range(200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(club.container.seasons.get(season.id).active), refused) == (200, [])


class TestAfterTimeOuts:
    def barred(self, club: Club, season: Season) -> str:
        return code_of(lambda: club.container.seasons.enter(season.id, club.people[0], None, "api"))

    def test_one_waits_14_days_and_plays_as_many_games(
        self, club_of: Callable[[int], Club], clock: Clock, container: Container
    ) -> None:
        club = club_of(4)
        season, ann = club.started(), club.people[0]
        own = [game for game in season.games if ann in season.games[game].values()]
        club.pass_time(4 * DAY)
        tell_all(container)
        for game in own:
            if container.games.load(game).player_to_move() == ann:
                container.games.time_out(game)
        season = club.taken(season)
        assert season.withdrawn[ann].reason == "time-outs"
        assert season.withdrawn[ann].leaves_table == (season.time_outs(ann) < 3)
        assert all(container.games.load(game).game.over for game in own)
        following = club.announce(follows=season.id)
        assert self.barred(club, following) == "entry-barred"
        container.redis.delete("st:{seasons}:late")
        container.season_store.reindex()
        assert self.barred(club, following) == "entry-barred"
        clock.time += 14 * DAY
        assert self.barred(club, following) == "entry-barred"
        for _ in range(season.time_outs(ann)):
            made = container.games.create(ann, NewGame(bot="steward"))
            container.games.resign(made.id, ann)
        assert self.barred(club, following) == "entry-barred"  # that was too cheap
        for _ in range(season.time_outs(ann)):
            assert self.barred(club, following) == "entry-barred"
            play_out(container, against_bob(container, ann, club.people[1]))
        container.seasons.enter(following.id, ann, None, "api")


class TestLeaving:
    def test_early_takes_all_games_out_of_the_table_and_late_none(self, club: Club) -> None:
        season, leaver = club.started(), club.people[0]
        own = [game for game in season.games if leaver in season.games[game].values()]
        for game in own[:4]:
            play_out(club.container, game)
        club.taken(season)
        club.container.seasons.withdraw(season.id, leaver, "api")
        season = club.taken(season)
        assert all(season.results[game] for game in own)
        assert standings(season, 1)[-1] == (leaver, None, *[0] * 6, False)
        other = club.people[1]
        rest = [game for game in season.games if game not in season.results]
        for game in rest:
            if other in season.games[game].values():
                play_out(club.container, game)
        club.taken(season)
        club.container.seasons.withdraw(season.id, other, "api")
        season = club.taken(season)
        assert not season.withdrawn[other].leaves_table

    def test_leaving_after_two_time_outs_is_a_withdrawal_for_them(
        self, club_of: Callable[[int], Club], container: Container
    ) -> None:
        club = club_of(4)
        season, ann = club.started(), club.people[0]
        stones = {"north": 0, "south": 0}
        lost = [
            ResultTaken(game["game"], f"{place:064}", game["south"], "time-out", stones)
            for place, game in enumerate(season.games_of(ann))
            if game["north"] == ann
        ]
        # The worker has taken the results, and dies before it withdraws anybody.
        assert container.season_store.append(season, lost[:2], "clock")
        season = club.container.seasons.withdraw(season.id, ann, "api")
        assert season.withdrawn[ann].reason == "time-outs"
        verify(container.season_store.lines(season.id))

    def test_leaving_once_the_time_of_two_games_is_up_is_one_too(
        self, club_of: Callable[[int], Club], container: Container
    ) -> None:
        club = club_of(4)
        season, ann = club.started(), club.people[0]
        club.pass_time(3 * DAY + HOUR)
        tell_all(container)
        season = club.container.seasons.withdraw(season.id, ann, "api")  # before anybody looks
        assert season.withdrawn[ann].reason == "time-outs"
        verify(container.season_store.lines(season.id))

    def test_before_the_start_it_is_as_if_one_had_not_entered(self, club: Club) -> None:
        season = club.announce()
        for player in club.people:
            club.container.seasons.enter(season.id, player, None, "api")
        club.container.seasons.withdraw(season.id, club.people[0], "api")
        club.container.season_clock.run_all()
        assert club.container.seasons.get(season.id).status == "open"

    def test_not_a_season_that_is_over(self, club: Club, clock: Clock) -> None:
        season = club.announce(starts_at=timestamp(clock.time + DAY), players=None)
        clock.time += DAY
        club.container.season_clock.run_all()
        refused = code_of(lambda: club.container.seasons.withdraw(season.id, club.people[0], "api"))
        assert refused == "season-closed"


class TestRules:
    @pytest.mark.parametrize(
        ("rules", "code"),
        [
            ({"name": ""}, "bad-season"),
            ({"name": " "}, "bad-season"),
            ({"name": "\ufe0f"}, "bad-season"),
            ({"name": "n" * 41}, "bad-season"),
            ({"name": "see example.org"}, "bad-season"),
            ({"division": 3}, "bad-season"),
            ({"division": 9}, "bad-season"),
            ({"players": None}, "bad-season"),
            ({"players": 3}, "bad-season"),
            ({"players": 1001}, "bad-season"),
            ({"players": 10**26}, "bad-season"),
            ({"starts_at": timestamp(-62_135_596_800)}, "bad-season"),
            ({"players": None, "starts_at": "2026-11-21T11:00:00Z"}, "bad-season"),
            ({"bots": ["steward", "steward"]}, "bad-season"),
            ({"bots": ["nobody"]}, "bot-not-available"),
            ({"clock": {"days_per_move": 3}}, "bad-clock"),
            ({"clock": {"bank_days": 3, "vacations": True}}, "bad-clock"),
            ({"clock": {"until": "2027-01-01T00:00:00Z"}}, "bad-clock"),
            (
                {
                    "clock": {"until": timestamp(-62_135_596_800)},
                    "starts_at": "2026-12-01T00:00:00Z",
                },
                "bad-clock",
            ),
            ({"follows": "a" * 20}, "bad-season"),
        ],
    )
    def test_impossible_ones_are_refused(
        self, container: Container, rules: dict[str, Any], code: str
    ) -> None:
        wanted = NewSeason(**{"name": "Spring", "players": 6, **rules})
        assert code_of(lambda: container.seasons.announce(wanted, None, "operator")) == code
        assert container.seasons.all() == []

    def test_an_edition_without_tactics_has_none(self, container: Container) -> None:
        wanted = NewSeason("Spring", edition="ass1999", tactics=True, players=6)
        with pytest.raises(RuleBroken):
            container.seasons.announce(wanted, None, "operator")

    def test_nobody_changes_them_after_the_announcement(self, club: Club) -> None:
        season = club.announce()
        changed = replace(season.rules, division=8)
        with pytest.raises(TypeError):
            club.container.season_store.append(season, [changed], "operator")
        assert len(club.container.season_store.lines(season.id)) == 2

    def test_nobody_pauses_a_game_or_gives_time(self, club: Club) -> None:
        games, season = club.container.games, club.started()
        game = next(iter(season.games))
        north = season.games[game]["north"]
        pause = lambda: games.pauses.agree(game, north, None, ChangeContext("api"))  # noqa: E731
        give = lambda: games.clocks.give(game, north, HOUR, ChangeContext("api"))  # noqa: E731
        assert (code_of(pause), code_of(give)) == ("bad-pause", "too-much-time")

    def test_no_bot_agrees_to_end_or_pause_a_game_that_it_may_win(
        self, club_of: Callable[[int], Club]
    ) -> None:
        club = club_of(2)
        season = club.started(bots=["steward", "piper"], division=4)
        ann, games = club.people[0], club.container.games
        game = next(
            game["game"]
            for game in season.games_of(ann)
            if BOTS["steward"].player in (game["north"], game["south"])
        )
        end = lambda: games.abandonments.agree(game, ann, ChangeContext("api"))  # noqa: E731
        assert code_of(end) == "bot-declines"
        assert not games.load(game).game.over

    def test_a_fixed_end_is_the_end_of_every_game(self, club: Club, clock: Clock) -> None:
        starts, until = timestamp(clock.time + DAY), timestamp(clock.time + 31 * DAY)
        season = club.announce(starts_at=starts, players=4, clock={"until": until})
        for player in club.people:
            club.container.seasons.enter(season.id, player, None, "api")
        club.container.season_clock.run_all()
        season = club.container.seasons.get(season.id)
        assert {club.container.games.load(game).deadline for game in season.games} == {unix(until)}


class TestTheClock:
    def test_a_season_seen_before_its_first_event_starts_too(
        self, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store, clock = club.container.season_store, club.container.season_clock
        append = store._append

        def seen_before(**args: Any) -> Any:
            clock.run_all()  # the index has it already, the log has not
            return append(**args)

        monkeypatch.setattr(store, "_append", seen_before)
        season = club.announce()
        monkeypatch.undo()
        for player in club.people:
            club.container.seasons.enter(season.id, player, None, "api")
        clock.run_all()
        assert club.container.seasons.get(season.id).status == "running"

    @pytest.mark.parametrize("event", ['{"x":1}', '{"v":9}'])
    def test_an_unreadable_game_is_waited_for_but_not_for_ever(
        self, club_of: Callable[[int], Club], clock: Clock, event: str
    ) -> None:
        club = club_of(4)
        season = club.started()
        broken, *others = season.games
        events = club.container.log.events
        events.append(broken, 3, [event if "x" in event else later(events.read(broken)[-1])])
        for game in others:
            club.container.games.resign(game, season.games[game]["north"])
        club.container.seasons.withdraw(season.id, season.games[broken]["south"], "api")
        season = club.taken(season)
        assert (season.status, len(season.results)) == ("running", 11)
        clock.time += 30 * DAY
        assert club.taken(season).status == "running"
        clock.time += 1
        season = club.taken(season)
        assert (season.status, season.results[broken].reason) == ("ended", "removed")
        verify(club.container.season_store.lines(season.id))


def later(text: str) -> str:
    """An event of a later version, after this one."""
    line = json.loads(text)
    return canonical({**line, "seq": line["seq"] + 1, "v": 9})


class TestWhatIsStored:
    def test_a_deleted_player_stays_without_a_name(self, club: Club) -> None:
        season = club.started()
        gone = club.container.players.find(club.people[0])
        assert gone is not None
        club.container.accounts.close(gone)
        season = club.taken(season)
        lines = club.container.season_store.lines(season.id)
        assert gone.id in str(lines)
        assert gone.name not in str(lines)
        assert verify(lines).season.has(gone.id)
        assert all(
            season.results[game] for game in season.games if gone.id in season.games[game].values()
        )

    def test_a_backup_holds_every_log(self, club: Club, container: Container) -> None:
        season = club.started()
        (kept,) = read_keys(container.redis, container.now, LASTING_KEYS)
        assert kept.problem is None
        before = container.season_store.lines(season.id)
        container.redis.delete(kept.line["key"], *container.redis.scan_iter("st:{seasons}:*"))
        assert container.season_store.restore(season.id, kept.line["value"], [])
        fresh = Container(container.settings, container.redis, container.now)
        assert fresh.season_store.lines(season.id) == before
        assert fresh.season_store.reindex() == {season.id: None}
        assert [each.id for each in fresh.seasons.all()] == [season.id]

    def test_a_write_that_another_overtook_changes_nothing(self, club: Club) -> None:
        store, season = club.container.season_store, club.announce()
        one, other = (PlayerEntered(player, "salt") for player in club.people[:2])
        assert store.append(season, [one], "api") is not None
        assert store.append(season, [other], "api") is None
        assert store.append(season, [one], "api") is not None  # sent again
        assert [entry.player for entry in store.find(season.id).entries] == [one.player]
