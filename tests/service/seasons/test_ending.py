"""Ladders end too: by themselves once nobody comes, and as the operator wants; and lists show first
what is alive."""

from service.container import Container
from service.core.times import DAY, MINUTE, timestamp
from service.eventlog import parse_notice_id
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from service.seasons.verify import verify
from tests.service.seasons.club import Club, challenge, code_of, order, reads
from tests.support.clock import Clock


def told(club: Club, kind: str = "season-ended") -> set[str]:
    due = [parse_notice_id(notice.id) for notice in club.container.log.outbox.pending()]
    return {notice.recipient for notice in due if notice.kind == kind}


def again(club: Club, season: Season) -> Season:
    club.container.season_clock.run_all()
    return club.container.seasons.get(season.id)


class TestALadderOnWhichNobodyStands:
    def test_ends_after_90_days(self, club: Club, clock: Clock) -> None:
        season = club.ladder()
        for player in club.people:
            club.container.seasons.withdraw(season.id, player, "api")
        clock.time += 90 * DAY - 1
        assert again(club, season).ended is None
        clock.time += MINUTE + 1
        assert again(club, season).status == "ended"
        found = verify(club.container.season_store.lines(season.id)).season
        assert (found.status, found.ended_by_operator) == ("ended", False)

    def test_not_while_somebody_does(self, club: Club) -> None:
        season = club.ladder()
        for _ in range(20):
            club.pass_time(10 * DAY)
            club.container.tokens.record_answer(club.people[0])
            assert order(club, season)[0] == 0
        assert again(club, season).ended is None


class TestTheOperatorEnds:
    def test_a_ladder_and_its_games_go_on(self, club: Club) -> None:
        season, seasons = club.ladder(), club.container.seasons
        game = challenge(club, season, 1, 0)
        seasons.withdraw(season.id, club.people[5], "api")
        ended = club.container.season_clock.end(season.id)
        assert ended.ended_by_operator
        assert told(club) == {*club.people[:5]}
        assert code_of(lambda: challenge(club, season, 4, 3)) == "challenge-refused"
        enter = lambda: seasons.enter(season.id, club.people[5], None, "api")  # noqa: E731
        assert code_of(enter) == "season-closed"
        leave = lambda: seasons.withdraw(season.id, club.people[4], "api")  # noqa: E731
        assert code_of(leave) == "season-closed"
        leave = lambda: seasons.withdraw(season.id, club.people[1], "api")  # noqa: E731
        assert code_of(leave) == "season-closed"
        assert not club.container.games.load(game).game.over
        club.container.games.resign(game, club.people[0])
        assert club.taken(ended).ladder == ended.ladder
        assert verify(club.container.season_store.lines(season.id)).season.ended_by_operator

    def test_a_league_that_waits_and_none_that_is_played(self, club: Club) -> None:
        season, clock = club.announce(players=9), club.container.season_clock
        club.container.seasons.enter(season.id, club.people[0], None, "api")
        assert clock.end(season.id).status == "ended"
        assert told(club) == {club.people[0]}
        verify(club.container.season_store.lines(season.id))
        assert code_of(lambda: clock.end(season.id)) == "season-closed"
        running = club.started()
        assert code_of(lambda: clock.end(running.id)) == "season-closed"
        assert code_of(lambda: clock.end("x" * 20)) == "season-not-found"
        assert code_of(lambda: clock.end("*")) == "season-not-found"


class TestManyEmptyOnes:
    def flood(self, club: Club, count: int = 30) -> None:
        for number in range(count):
            wanted = NewSeason(f"Flood {number}", format="ladder")
            season = club.container.seasons.announce(wanted, club.people[5], "api")
            if number % 2:
                club.container.seasons.enter(season.id, club.people[5], None, "api")

    def test_stand_before_nothing_that_is_alive(self, club: Club, clock: Clock) -> None:
        seasons = club.container.seasons
        by_host = club.announce(name="Host’s", players=9)
        wanted = NewSeason("Bob’s", format="ladder")
        by_bob = seasons.announce(wanted, club.people[1], "api")
        for player in club.people[:2]:
            seasons.enter(by_bob.id, player, None, "api")
        over = club.announce(starts_at=timestamp(clock.time + DAY), players=None)
        clock.time += DAY
        club.container.season_clock.run_all()
        self.flood(club)
        assert [one.id for one in seasons.page(None, 2)[0]] == [by_host.id, by_bob.id]
        assert seasons.all()[-1].id == over.id
        club.container.redis.delete("st:{seasons}:all")
        club.container.season_store.reindex()
        assert [one.id for one in seasons.page(None, 2)[0]] == [by_host.id, by_bob.id]

    def test_are_looked_at_once_a_minute(
        self, club: Club, clock: Clock, container: Container
    ) -> None:
        self.flood(club)
        fresh = Container(container.settings, container.redis, clock)
        fresh.season_clock.run_all()
        for _ in range(5):
            assert reads(fresh, fresh.season_clock.run_all) == 1
            clock.time += 10
        clock.time += 10
        assert reads(fresh, fresh.season_clock.run_all) > 30
