"""Ladders on a server: challenges, their games, results, time-outs, and players who stay away."""

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest

from service.container import Container
from service.core.errors import RequestRejected
from service.core.ids import digest
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.eventlog import keys, parse_notice_id
from service.games import ChangeContext
from service.games.calendar_store import PlayerCalendar
from service.games.rating import is_rated
from service.ops.operating import remove_game
from service.seasons import running
from service.seasons.events import ResultTaken
from service.seasons.season import Season
from service.seasons.seasons import LADDER_CLOCK
from service.seasons.verify import UnsoundSeason, verify
from tests.service.seasons.club import LATEST, Club, against_bob, challenge, checked, code_of, order
from tests.support.clock import Clock
from tests.support.deals import play_out
from tests.support.telling import tell_all


class TestAChallenge:
    def test_begins_a_game_that_moves_the_winner_up(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        game = challenge(club, season, 4, 1)
        stored = games.load(game)
        assert (stored.game.status, is_rated(stored)) == ("active", True)
        assert stored.terms.clock == LADDER_CLOCK
        assert stored.terms.season is not None
        assert (stored.terms.season.id, stored.terms.season.round) == (season.id, 1)
        assert [*stored.game.players.values()] == [club.people[4], club.people[1]]
        games.resign(game, club.people[1])
        assert order(club, season) == [0, 4, 1, 2, 3, 5]
        other = challenge(club, season, 5, 3)
        play_out(club.container, other)
        order(club, season)
        assert checked(club, season).results.keys() == {game, other}

    def test_its_game_ends_within_about_33_days_vacations_aside(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        game, began = challenge(club, season, 3, 1), club.clock.time
        while not (stored := games.load(game)).game.over:  # each as slow as can be
            mover = stored.player_to_move() or ""
            last = (stored.deadline or 0) - club.clock.time - 1
            if last > HOUR:  # else it is another action of the same turn
                club.pass_time(last)
            games.play(game, mover, [games.view(stored, mover).legal[0]])
        assert 7 * DAY < club.clock.time - began < LATEST

    def test_the_game_draws_who_begins(self, club_of: Callable[[int], Club]) -> None:
        club = club_of(10)
        season = club.ladder()
        seats = {
            club.container.games.load(challenge(club, season, below, above)).game.turn
            for below in range(3, 10)
            for above in (below - 1, below - 3)
        }
        assert seats == {"north", "south"}

    def test_the_other_gets_one_notice_whoever_begins(self, club_of: Callable[[int], Club]) -> None:
        club = club_of(10)
        season = club.ladder()
        for below in range(3, 10):
            above = club.people[below - 2]
            game = challenge(club, season, below, below - 2)
            due = [parse_notice_id(one.id) for one in club.container.log.outbox.pending()]
            told = [one for one in due if (one.subject, one.transport) == (game, "mail")]
            is_theirs = club.container.games.load(game).player_to_move() == above
            told = [one for one in told if "remind" not in one.kind and one.recipient == above]
            assert [one.kind for one in told] == (["turn"] if is_theirs else ["started"])

    def test_again_returns_the_same_game(self, club: Club) -> None:
        season = club.ladder()
        assert challenge(club, season, 3, 1) == challenge(club, season, 3, 1)
        assert len(club.container.seasons.get(season.id).games) == 1

    def test_is_refused_with_its_obstacle(self, club: Club) -> None:
        season = club.ladder()
        for one, other, obstacle in ((0, 1, "below-you"), (5, 1, "too-far-up"), (2, 2, "yourself")):
            with pytest.raises(RequestRejected) as refused:
                challenge(club, season, one, other)
            assert (refused.value.code, refused.value.members) == (
                "challenge-refused",
                {"obstacle": obstacle},
            )

    def test_counts_with_all_others_that_mail_is_sent_for(
        self, container: Container, clock: Clock
    ) -> None:
        counting = replace(container.settings, rate_limits=True)
        club = Club(Container(counting, container.redis, clock), clock, 6)
        season, budget = club.ladder(), club.container.mail_budget
        for number in range(29):
            budget.spend("ask", f"{number}", account=club.people[5])
        challenge(club, season, 5, 4)
        challenge(club, season, 5, 4)  # again: it is the same
        refused = code_of(lambda: challenge(club, season, 5, 3))
        assert refused == "too-many-mails"
        assert len(club.container.seasons.get(season.id).games) == 1
        challenge(club, season, 4, 3)

    def test_there_is_none_in_a_league(self, club: Club) -> None:
        season = club.started()
        assert code_of(lambda: challenge(club, season, 1, 0)) == "challenge-refused"

    def test_of_two_at_once_for_the_last_place_one_gets_it(
        self, club: Club, container: Container
    ) -> None:
        season = club.ladder()
        challenge(club, season, 3, 2)
        servers = [Container(container.settings, container.redis, club.clock) for _ in range(2)]
        gate, answers = Barrier(2), list[str]()

        def try_it(number: int) -> None:
            gate.wait()
            one = club.people[4 + number]
            try:
                servers[number].seasons.challenge(season.id, one, club.people[2], "api")
                answers.append("made")
            except RequestRejected as refusal:
                answers.append(refusal.members["obstacle"])

        threads = [Thread(target=try_it, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == ["made", "two-against-them"]
        season = club.container.seasons.get(season.id)
        assert {*container.log.events.game_ids()} == {*season.games}
        assert len(season.games) == 2

    def test_no_pauses_and_no_gifts(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        game = challenge(club, season, 1, 0)
        pause = lambda: games.pauses.agree(game, club.people[0], None, ChangeContext("api"))  # noqa: E731
        assert code_of(pause) == "bad-pause"

    def test_the_cards_of_a_game_are_sealed_before_its_challenge(
        self, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season, games = club.ladder(), club.container.games
        games.resign(challenge(club, season, 1, 0), club.people[0])
        monkeypatch.setattr(running, "secret_of", lambda *_: "0b" * 32)
        games.resign(challenge(club, season, 3, 2), club.people[2])
        order(club, season)
        with pytest.raises(UnsoundSeason, match="not those that were sealed"):
            checked(club, season)

    def test_a_removed_game_counts_for_nobody(self, club: Club, container: Container) -> None:
        season = club.ladder()
        game = challenge(club, season, 1, 0)
        remove_game(club.container, "operator", game, "abuse")
        season = club.container.seasons.get(season.id)
        assert season.results[game].reason == "removed"
        assert challenge(club, season, 1, 0) != game
        assert order(club, season) == [0, 1, 2, 3, 4, 5]

    def test_one_that_cannot_be_read_is_refused_and_left(self, club: Club) -> None:
        season = club.ladder()
        game = challenge(club, season, 1, 0)
        club.container.log.events.append(game, 3, ['{"x":1}'])
        assert code_of(lambda: challenge(club, season, 1, 0)) == "challenge-refused"
        club.container.seasons.withdraw(season.id, club.people[1], "api")
        assert order(club, season) == [0, 2, 3, 4, 5]

    def test_one_that_cannot_be_read_for_30_days_counts_for_nobody(
        self, club: Club, clock: Clock
    ) -> None:
        season, redis = club.ladder(), club.container.redis
        game = challenge(club, season, 1, 0)
        key = keys.log_key(game)
        for hour in range(2):  # an older version does not know how it is stored
            redis.rename(key, f"{key}:aside")
            redis.set(key, "9 5 form of a later version")
            club.taken(season)
            if hour == 0:
                redis.rename(f"{key}:aside", key)
                clock.time += HOUR
                club.taken(season)
                clock.time += 20 * DAY
        for name in ("Kim", "Lou", "Max"):  # the ladder has events meanwhile
            clock.time += 10 * DAY
            newcomer = club.container.registrations.register(name).player.id
            restarted = Container(club.container.settings, redis, clock, monotonic=clock)
            restarted.seasons.enter(season.id, newcomer, None, "api")
            restarted.season_clock.run_all()
            assert game not in restarted.seasons.get(season.id).results
        clock.time += 1
        assert club.taken(season).results[game].reason == "removed"
        verify(club.container.season_store.lines(season.id))


class TestTimeOuts:
    def lose_on_time(self, club: Club, season: Season, games: list[str]) -> list[str]:
        """Let the time of whoever is to move run out in these games; return who that was."""
        losers = [club.container.games.load(game).player_to_move() or "" for game in games]
        club.pass_time(3 * DAY + HOUR)
        tell_all(club.container)
        for game in games:
            club.container.games.time_out(game)
        return losers

    def test_the_challenger_is_last_and_the_challenged_below(self, club: Club) -> None:
        season = club.ladder()
        (loser,) = self.lose_on_time(club, season, [challenge(club, season, 2, 1)])
        is_challenger = loser == club.people[2]
        found = order(club, season)
        assert found == ([0, 1, 3, 4, 5, 2] if is_challenger else [0, 2, 1, 3, 4, 5])
        checked(club, season)

    def test_two_are_off_and_back_after_14_days_and_two_games(
        self, club: Club, clock: Clock, container: Container
    ) -> None:
        season = club.ladder()
        late: list[str] = []
        for _ in range(20):
            clock.time += 8 * DAY
            for player in club.people:  # everybody looks in
                container.redis.hset(f"st:{{{player}}}:used", "token", int(clock.time))
            ladder = container.seasons.get(season.id).ladder
            assert ladder is not None
            one, other = ladder.order[1], ladder.order[0]
            game = container.seasons.challenge(season.id, one, other, "api").id
            self.lose_on_time(club, season, [game])
            order(club, season)
            season = container.seasons.get(season.id)
            late = [one for one, left in season.withdrawn.items() if left.reason == "time-outs"]
            if late:
                break
        checked(club, season)
        enter = lambda: container.seasons.enter(season.id, late[0], None, "api")  # noqa: E731
        assert code_of(enter) == "entry-barred"
        clock.time += 14 * DAY
        assert code_of(enter) == "entry-barred"
        other = next(one for one in club.people if one != late[0])
        for _ in range(2):
            play_out(container, against_bob(container, late[0], other))
        ladder = enter().ladder
        assert ladder is not None
        assert ladder.order[-1] == late[0]
        checked(club, season)


class TestLeaving:
    @pytest.mark.parametrize("leaves", ["the ladder", "the server"])
    def test_loses_the_games_that_go_on_before(
        self, club: Club, container: Container, leaves: str
    ) -> None:
        season = club.ladder()
        won, lost = challenge(club, season, 5, 2), challenge(club, season, 2, 0)
        leaver = club.people[2]
        if leaves == "the ladder":
            container.seasons.withdraw(season.id, leaver, "api")
        else:
            account = container.players.find(leaver)
            assert account is not None
            container.accounts.close(account)
            club.clock.time += HOUR
        assert order(club, season) == [0, 1, 5, 3, 4]  # whoever was challenged by them stays
        results = checked(club, season).results
        assert [results[game].reason for game in (won, lost)] == ["resignation"] * 2

    def test_after_the_time_for_a_second_game_is_up_is_no_way_round(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        late = games.load(challenge(club, season, 5, 4)).player_to_move()
        assert late is not None
        below = club.people.index(late)
        first = challenge(club, season, below, below - 2)
        lost = ResultTaken(
            first, "1" * 64, club.people[below - 2], "time-out", {"north": 0, "south": 0}
        )
        now = club.container.seasons.get(season.id)
        assert club.container.season_store.append(now, [lost], "clock")
        club.pass_time(3 * DAY + HOUR)
        tell_all(club.container)
        season = club.container.seasons.withdraw(season.id, late, "api")  # before anybody looks
        assert season.withdrawn[late].reason == "time-outs"
        verify(club.container.season_store.lines(season.id))


class TestWhoIsAway:
    def looks_in(self, club: Club, *numbers: int) -> None:
        for number in numbers:
            player = club.people[number]
            club.container.redis.hset(f"st:{{{player}}}:used", "token", int(club.clock.time))

    def test_for_14_days_is_off_and_loses_games(self, club: Club, container: Container) -> None:
        season = club.ladder(clock={"bank_days": 30})
        game = challenge(club, season, 1, 0)
        club.pass_time(10 * DAY)
        self.looks_in(club, 1, 2, 3, 4)
        container.tokens.record_answer(club.people[5])
        club.pass_time(4 * DAY - MINUTE)
        assert order(club, season) == [0, 1, 2, 3, 4, 5]
        club.pass_time(HOUR + MINUTE)
        assert order(club, season) == [1, 2, 3, 4, 5]
        assert container.games.load(game).game.over
        assert order(club, season) == [1, 2, 3, 4, 5]
        found = checked(club, season)
        assert found.withdrawn[club.people[0]].reason == "away"
        assert found.results[game].winner == club.people[1]
        container.seasons.enter(season.id, club.people[0], None, "api")
        assert order(club, season) == [1, 2, 3, 4, 5, 0]

    def test_not_who_looks_in_and_signs_out(self, club: Club, container: Container) -> None:
        season, tokens = club.ladder(), club.container.tokens
        club.pass_time(10 * DAY)
        self.looks_in(club, 2, 3, 4, 5)
        at_once = tokens.open_session(club.people[0], "a browser")
        tokens.revoke(club.people[0], digest(at_once)[:16])
        made = tokens.create(club.people[1], "a program", ["games:play"])
        assert tokens.authenticate(made.text) is not None
        tokens.revoke_all(club.people[1])
        club.pass_time(4 * DAY + HOUR)
        assert order(club, season) == [0, 1, 2, 3, 4, 5]
        club.pass_time(10 * DAY)
        assert order(club, season) == []
        checked(club, season)

    def test_for_14_days_is_off_although_a_clock_was_wrong(self, club: Club) -> None:
        season, store = club.ladder(), club.container
        made = store.tokens.create(club.people[0], "a program", ["games:play"])
        club.clock.time += 3650 * DAY
        assert store.tokens.authenticate(made.text) is not None
        club.clock.time -= 3650 * DAY
        elsewhere = Container(store.settings, store.redis, club.clock, monotonic=club.clock)
        assert elsewhere.tokens.authenticate(made.text) is not None
        club.pass_time(14 * DAY + HOUR)
        assert order(club, season) == []

    def test_not_for_days_of_vacation(self, club: Club, container: Container) -> None:
        season, now = club.ladder(), int(club.clock.time)
        on_vacation = PlayerCalendar(vacations=((now + 2 * DAY, now + 8 * DAY),))
        container.calendar_store.replace(club.people[0], PlayerCalendar(), on_vacation)
        club.pass_time(15 * DAY)
        self.looks_in(club, 1, 2, 3, 4, 5)
        assert order(club, season) == [0, 1, 2, 3, 4, 5]
        club.pass_time(5 * DAY)
        self.looks_in(club, 1, 2, 3, 4, 5)
        assert order(club, season) == [1, 2, 3, 4, 5]
        checked(club, season)

    def test_not_while_the_server_was_down(self, club: Club, container: Container) -> None:
        season = club.ladder()
        club.pass_time(DAY)
        club.clock.time += 20 * DAY
        assert order(club, season) == [0, 1, 2, 3, 4, 5]  # before anybody has noticed
        for role in ("web", "worker"):
            container.outages.record_heartbeat(role)
        club.pass_time(12 * DAY)
        assert order(club, season) == [0, 1, 2, 3, 4, 5]
        club.pass_time(2 * DAY)
        assert order(club, season) == []
        checked(club, season)

    def test_a_deleted_player_is_off_without_a_name(self, club: Club, container: Container) -> None:
        season = club.ladder()
        game = challenge(club, season, 1, 0)
        gone = container.players.find(club.people[0])
        assert gone is not None
        container.accounts.close(gone)
        club.clock.time += HOUR
        assert order(club, season) == [1, 2, 3, 4, 5]
        found = checked(club, season)
        assert found.withdrawn[gone.id].reason == "gone"
        assert found.results[game].winner == club.people[1]
        assert gone.name not in str(container.season_store.lines(season.id))


class TestEntering:
    def test_at_the_bottom_and_after_leaving_a_week_later(
        self, club: Club, clock: Clock, container: Container
    ) -> None:
        season = club.ladder()
        game = challenge(club, season, 3, 0)
        container.seasons.withdraw(season.id, club.people[3], "api")
        enter = lambda: container.seasons.enter(season.id, club.people[3], None, "api")  # noqa: E731
        assert code_of(enter) == "entry-barred"  # its game still goes on
        assert order(club, season) == [0, 1, 2, 4, 5]
        assert container.games.load(game).game.over
        assert order(club, season) == [0, 1, 2, 4, 5]
        assert code_of(enter) == "entry-barred"
        clock.time += 7 * DAY
        enter()
        assert order(club, season) == [0, 1, 2, 4, 5, 3]
        checked(club, season)

    def test_it_costs_no_more_among_many(
        self, container: Container, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season, costs = club.ladder(), list[int]()
        taken = list[int]()
        execute = container.redis.execute_command

        def counted(*command: Any, **options: Any) -> Any:
            reply = execute(*command, **options)
            taken.append(len(str(command)) + len(str(reply)))
            return reply

        monkeypatch.setattr(container.redis, "execute_command", counted)
        for number in range(600):
            container.seasons.enter(season.id, f"{number:03}".rjust(16, "a"), None, "api")
            costs.append(len(taken) * 10_000 + sum(taken))
            taken.clear()
        assert costs[599] <= costs[6] + 50  # the numbers have more digits


class TestRules:
    @pytest.mark.parametrize(
        ("rules", "code"),
        [
            ({"players": 6}, "bad-season"),
            ({"starts_at": timestamp(2e9)}, "bad-season"),
            ({"division": 6}, "bad-season"),
            ({"bots": ["steward"]}, "bad-season"),
            ({"follows": "a" * 20}, "bad-season"),
            ({"clock": {"until": timestamp(2e9)}}, "bad-clock"),
            ({"clock": {"days_per_move": 3, "time_out": "claim"}}, "bad-clock"),
        ],
    )
    def test_impossible_ones_are_refused(
        self, club: Club, rules: dict[str, Any], code: str
    ) -> None:
        assert code_of(lambda: club.ladder(**rules)) == code
        assert club.container.seasons.all() == []
