"""A season from its announcement to its end."""

from service.container import Container
from service.seasons.seasons import NewSeason
from service.seasons.verify import verify
from tests.support.clock import Clock
from tests.support.deals import play_out


def test_six(container: Container, clock: Clock) -> None:
    people = [
        container.registrations.register(name).player.id
        for name in ("Ann", "Bob", "Cy", "Dan", "Eve", "Flo")
    ]
    season = container.seasons.announce(NewSeason("Spring", players=6), None, "operator")
    for one in people:
        container.seasons.enter(season.id, one, None, "api")
    container.season_clock.run_all()
    season = container.seasons.get(season.id)
    print(season)
    assert len(season.games) == 30
    for game in season.games:
        play_out(container, game)
    container.season_clock.run(season.id, season.games)
    season = container.seasons.get(season.id)
    assert season.ended
    lines = container.season_store.lines(season.id)
    import json

    records = [[json.loads(t) for t in container.log.events.read(g)] for g in season.games]
    v = verify(lines, records)
    print(v.proved, len(lines))
    from service.seasons.table import standings

    for r in standings(season, 1):
        print(r)
