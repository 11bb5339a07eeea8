"""The pages of seasons."""

import re

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.core.times import DAY, timestamp
from service.eventlog import keys
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from service.seasons.store import EVENT
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.deals import play_out
from tests.support.people import container_of
from tests.support.settings import settings
from tests.web.people import Browser, browser_of, hidden
from tests.web.shown import words

NAMES = ("Cyrus", "Dora", "Emil")


@pytest.fixture
def season(container: Container) -> Season:
    return container.seasons.announce(NewSeason("Spring league", players=4), None, "operator")


def begun(container: Container, season: Season, *players: str) -> Season:
    others = [container.registrations.register(name).player.id for name in NAMES]
    for player in [*players, *others][:4]:
        container.seasons.enter(season.id, player, None, "web")
    container.season_clock.run_all()
    return container.seasons.get(season.id)


def test_a_link_leads_to_them_only_where_there_is_one(
    client: FlaskClient, ann: Browser, container: Container
) -> None:
    assert 'href="/seasons"' not in client.get("/").text + ann.get("/")
    container.seasons.announce(NewSeason("Spring league", players=4), None, "operator")
    assert 'href="/seasons"' in client.get("/").text
    assert 'href="/seasons"' in ann.get("/")


def test_the_list_has_pages(client: FlaskClient, container: Container, season: Season) -> None:
    for number in range(20):
        container.seasons.announce(NewSeason(f"Cup {number}", players=4), None, "operator")
    page = client.get("/seasons").text
    assert page.count('class="entry"') == 20
    (older,) = re.findall(r'href="(/seasons\?after=[^"]+)"', page)
    rest = client.get(older).text
    assert rest.count('class="entry"') == 1
    assert "Older ones" not in rest
    assert client.get("/seasons?after=x").status_code == 200


def test_players_announce_one_only_where_the_settings_let_them(
    ann: Browser, season: Season, redis: Client, clock: Clock
) -> None:
    page = f"/seasons/{season.id}"
    assert "Announce a season" not in ann.get("/seasons")
    assert ann.client.post("/seasons", data=hidden(ann.get(page))).status_code == 403
    app = create_app(settings(seasons_by="players"), redis, clock)
    assert "Announce a season" not in app.test_client().get("/seasons").text
    bob = browser_of(app, container_of(app.test_client()), "Robert")
    wanted = {"name": "Bob’s cup", "edition": "iello", "players": "6", "pace": "usual"}
    for change, why in (
        ({"name": " "}, "A season cannot have this name."),
        ({"players": ""}, "A season starts at a moment, or once enough players wait."),
        ({"players": "six"}, "Choose one of these."),
        ({"pace": "none"}, "Choose one of these."),
        ({"starts": "someday"}, "That is not a valid date."),
        ({"starts": "1999-12-31"}, "A season starts within a year from now."),
        ({"starts": "0001-01-01"}, "A season starts within a year from now."),
        ({"players": "1001"}, "A season waits for at most 1000 players."),
    ):
        answer = bob.press("/seasons", "/seasons", **{**wanted, **change})
        assert answer.status_code == 422
        assert why in words(answer.text)
    starts = timestamp(clock.time + 9 * DAY)[:10]
    fields = {**hidden(bob.get("/seasons")), **wanted, "starts": starts}
    made = [bob.client.post("/seasons", data=fields) for _ in range(2)]  # pressed twice
    assert made[0].status_code == 303
    assert made[0].location == made[1].location
    rules = bob.container.seasons.get(made[0].location.rpartition("/")[2]).rules
    assert (rules.name, rules.players, rules.by) == ("Bob’s cup", 6, bob.player)
    assert rules.starts_at == f"{starts}T18:00:00Z"
    assert "Announced by Robert" in words(bob.get(made[0].location))
    others = [{**fields, "name": "Bob’s bowl"}, *[{**fields, "once": ""}] * 2]
    locations = {bob.client.post("/seasons", data=each).location for each in others}
    assert len({*locations, made[0].location}) == 4
    answer = bob.press("/seasons", "/seasons", name="Bob’s hill", edition="bga", format="ladder")
    rules = bob.container.seasons.get(answer.location.rpartition("/")[2]).rules
    assert (rules.format, rules.edition) == ("ladder", "bga")


def test_one_press_enters_and_one_leaves(ann: Browser, season: Season) -> None:
    path = f"/seasons/{season.id}"
    assert "0 players wait." in words(ann.get(path))
    assert ann.press(path, f"{path}/enter", salt="mine").status_code == 303
    page = words(ann.get(path))
    assert "1 player waits." in page
    assert "You are in it." in page
    assert "You are in it" in words(ann.get("/seasons"))
    (entry,) = ann.container.seasons.get(season.id).entries
    assert (entry.player, entry.salt) == (ann.player, "mine")
    assert ann.press(path, f"{path}/leave").status_code == 303
    assert not ann.container.seasons.get(season.id).has(ann.player)


def test_visitors_read_the_rules_and_are_led_to_sign_in(
    client: FlaskClient, season: Season
) -> None:
    page = words(client.get(f"/seasons/{season.id}").text)
    assert "Sign in to enter" in page
    assert "A win brings 2 points, a draw 1." in page
    assert season.rules.commitment in page
    assert client.get("/seasons/none").status_code == 404


@pytest.mark.parametrize("name", ["league", "ladder"])
def test_an_address_is_asked_for_where_mail_is_sent(
    container: Container, redis: Client, clock: Clock, name: str
) -> None:
    made = container.seasons.announce(
        NewSeason(name, players=4) if name == "league" else NewSeason(name, format="ladder"),
        None,
        "operator",
    )
    for url in (None, "smtp://mail"):
        app = create_app(settings(smtp_url=url), redis, clock)
        page = words(browser_of(app, container, f"By {url}").get(f"/seasons/{made.id}"))
        asked = "To enter you need a confirmed e-mail address or another channel."
        assert (asked in page) == (url is not None)
        assert ("First confirm an e-mail address" in page) == (url is not None)
        assert ("Add an e-mail address" in page) == (url is not None)
        assert ("Enter the" in page) == (url is None)


def test_the_list_names_the_season_of_a_game(
    ann: Browser, season: Season, container: Container
) -> None:
    season = begun(container, season, ann.player)
    assert words(ann.get("/")).count("Season: Spring league") == 7  # with the link
    play_out(container, season.games_of(ann.player)[0]["game"])
    assert words(ann.get("/")).count("Season: Spring league") == 7  # one of them over
    assert "Season: Spring league" in words(ann.get("/games/finished"))
    assert f'<a href="/seasons/{season.id}">Season: Spring league</a>' in ann.get("/")


def test_who_blocks_somebody_is_told_before(ann: Browser, bob: Browser, season: Season) -> None:
    ann.container.contact_choices.block(ann.player, bob.player)
    bob.press(f"/seasons/{season.id}", f"/seasons/{season.id}/enter")
    told = "Bob, whom you have blocked, is in it: you may have to play each other."
    assert told in words(ann.get(f"/seasons/{season.id}"))
    assert "blocked" not in words(bob.get(f"/seasons/{season.id}"))


def test_the_table_has_everybody_against_everybody(
    ann: Browser, season: Season, container: Container
) -> None:
    season = begun(container, season, ann.player)
    page = ann.get(f"/seasons/{season.id}")
    assert "0 of 12 games are over." in words(page)
    assert page.count("not over") == 24  # each game in the rows of both
    assert page.count('class="small-board"') == 12
    for game in season.games:
        play_out(container, game)
        assert f'href="#{game}"' in page
    container.season_clock.run(season.id, season.games)
    page = ann.get(f"/seasons/{season.id}")
    assert "Ended on" in words(page)
    assert "12 games are over" in words(page)
    points = [int(each) for each in re.findall(r"<td><b>(\d+)</b></td>", page)]
    assert sum(points) == 24
    assert points == sorted(points, reverse=True)


def test_a_crossing_leads_to_the_readers_own_games_against_the_other_player(
    ann: Browser, season: Season, container: Container
) -> None:
    season = begun(container, season, ann.player)
    path, game = f"/seasons/{season.id}", season.games_of(ann.player)[0]
    other = next(one for one in (game["north"], game["south"]) if one != ann.player)
    stored = play_out(container, game["game"]).game
    assert stored.winner is not None
    has_won = stored.players[stored.winner] == ann.player
    name = container.players.names([other])[other]
    page = ann.get(path)
    told = f"Won {int(has_won)}, lost {int(not has_won)} against {name}."
    assert page.count(f'<span class="ever">{told}</span>') == 2  # both games of the pair
    assert page.count('class="ever"') == 6
    assert 'class="ever"' not in ann.client.application.test_client().get(path).text


def test_several_divisions_are_a_page_each(container: Container, client: FlaskClient) -> None:
    season = container.seasons.announce(
        NewSeason("Spring league", players=8, division=4), None, "operator"
    )
    for number in range(8):
        player = container.registrations.register(f"Player {number}").player.id
        container.seasons.enter(season.id, player, None, "web")
    container.season_clock.run_all()
    pages = [client.get(f"/seasons/{season.id}?division={number}").text for number in (1, 2)]
    shown = [{*re.findall(r"Player \d", page)} for page in pages]
    assert shown[0] & shown[1] == set()
    assert len(shown[0] | shown[1]) == 8
    for asked in ("0", "3", "x", "²"):
        page = client.get(f"/seasons/{season.id}", query_string={"division": asked}).text
        assert {*re.findall(r"Player \d", page)} == shown[0]


def test_who_has_left_is_named_so_and_a_former_player_has_no_name(
    ann: Browser, season: Season, container: Container
) -> None:
    season = begun(container, season, ann.player)
    path = f"/seasons/{season.id}"
    assert ann.press(path, f"{path}/leave").status_code == 303
    container.season_clock.run(season.id)
    container.season_clock.run(season.id, season.games)
    assert "has left" in words(ann.get(path))
    gone = container.players.find(ann.player)
    assert gone is not None
    container.accounts.close(gone)
    container.players._names.drop(ann.player)
    page = words(container and ann.client.application.test_client().get(path).text)
    assert "a former player" in page
    assert "Ann" not in page


def test_entry_after_the_start_is_refused_in_words(
    ann: Browser, bob: Browser, season: Season, container: Container
) -> None:
    path = f"/seasons/{season.id}"
    token = re.search(r'name="form" value="([^"]+)"', bob.get(path))
    assert token is not None
    begun(container, season, ann.player)
    answer = bob.client.post(f"{path}/enter", data={"form": token[1]})
    assert answer.status_code == 409
    assert "This season has started: nobody enters now." in words(answer.text)


def test_a_feed_has_the_results_and_a_calendar_the_moments(
    client: FlaskClient, season: Season, container: Container
) -> None:
    path = f"/seasons/{season.id}"
    assert "BEGIN:VEVENT" not in client.get(f"{path}.ics").text
    zoe = container.registrations.register("Zoe").player.id
    season = begun(container, season, zoe)
    game, pair = next(iter(season.games.items()))
    container.games.resign(game, pair["north"])
    container.season_clock.run(season.id, [game])
    names = container.players.names(season.entered)
    feed = client.get(f"{path}.atom")
    assert feed.mimetype == "application/atom+xml"
    assert f"{names[pair['south']]} won against {names[pair['north']]}." in feed.text
    assert feed.text.count("<entry>") == 1
    moments = client.get(f"{path}.ics").text
    assert moments.count("BEGIN:VEVENT") == 2
    assert "SUMMARY:Spring league starts" in moments
    assert client.get(f"{path}.ics").headers["ETag"]
    for other in [*season.games]:
        if other != game:
            container.games.resign(other, season.games[other]["south"])
    container.season_clock.run(season.id, season.games)
    ended = container.seasons.get(season.id).ended
    assert ended
    assert ended[:16].replace("-", "").replace(":", "") in client.get(f"{path}.ics").text
    assert client.get("/seasons/none.atom").status_code == 404


def test_one_that_cannot_be_read_keeps_nobody_from_others_and_from_games(
    client: FlaskClient, season: Season, container: Container
) -> None:
    zoe = container.registrations.register("Zoe").player.id
    season = begun(container, season, zoe)
    container.seasons.announce(NewSeason("Autumn league", players=4), None, "operator")
    bad = f"{season.version + 1}-0"
    container.redis.xadd(keys.season_key(season.id), {EVENT: "{"}, id=bad)
    assert "Autumn league" in client.get("/seasons").text
    assert [one["name"] for one in client.get("/v1/seasons").json["seasons"]] == ["Autumn league"]
    assert client.get(f"/games/{next(iter(season.games))}").status_code == 200
    assert client.get(f"/v1/seasons/{season.id}").json["code"] == "unreadable-log"
