"""A season in a browser: its log is checked there, and its page takes no script."""

import re

from playwright.sync_api import expect

from service.core.times import DAY, timestamp
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from tests.support.browser import Visit
from tests.support.site import Site
from tests.support.waiting import until


def played(site: Site, people: list[str], **rules: object) -> Season:
    """A season of these people that is over; south has resigned each game."""
    seasons = site.container.seasons
    wanted = NewSeason("Spring league", players=len(people), division=4, **rules)  # type: ignore[arg-type]
    season = seasons.announce(wanted, None, "operator")
    for player in people:
        seasons.enter(season.id, player, f"salt of {player}", "api")
    site.container.season_clock.run(season.id)
    season = seasons.get(season.id)
    for place, game in enumerate(season.games.values()):
        site.container.games.resign(game["game"], game["south" if place % 3 else "north"])
    site.container.season_clock.run(season.id, season.games)
    until(lambda: seasons.get(season.id).ended)
    return seasons.get(season.id)


def test_its_log_is_recomputed_with_that_of_the_season_before(site: Site, visit: Visit) -> None:
    people = [
        site.player(name) for name in ("Ann", "Bob", "Cy", "Dora", "Emil", "Flo", "Gus", "Ida")
    ]
    first = played(site, people)
    second = played(site, people, follows=first.id)
    page = visit(f"/seasons/{second.id}").page
    page.get_by_role("button", name="Verify").click()
    checks = page.locator(".checks p")
    expect(checks).to_have_count(5)
    assert all(text.startswith("✓") for text in checks.all_inner_texts())


def test_a_changed_result_is_found_there(site: Site, visit: Visit) -> None:
    season = played(site, [site.player(name) for name in ("Kit", "Lou", "Max", "Nan")])
    page = visit(f"/seasons/{season.id}").page
    page.route(
        "**/log",
        lambda route: route.fulfill(
            body=route.fetch().text().replace('"reason":"resignation"', '"reason":"time-out"', 1)
        ),
    )
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".checks p")).to_contain_text("✗ Event 9")


def test_a_ladder_is_climbed_without_a_script_and_verified_with_one(
    site: Site, visit: Visit
) -> None:
    seasons = site.container.seasons
    hill = seasons.announce(NewSeason("The hill", format="ladder"), None, "operator")
    una, ann = site.player("Una"), site.player("Ann")
    seasons.enter(hill.id, una, None, "web")
    page = visit(f"/seasons/{hill.id}", ann, java_script_enabled=False).page
    page.get_by_role("button", name="Enter the ladder").click()
    page.get_by_role("button", name=re.compile("Challenge Una.*, on place 1")).click()
    expect(page).to_have_url(re.compile("/games/"))
    (game,) = seasons.get(hill.id).games
    site.container.games.resign(game, una)
    until(lambda: seasons.get(hill.id).results)
    page = visit(f"/seasons/{hill.id}", ann).page
    expect(page.get_by_text("You stand on place 1 of 2.")).to_be_visible()
    page.get_by_role("button", name="Verify").click()
    checks = page.locator(".checks p")
    expect(checks.nth(3)).to_be_visible()
    assert all(text.startswith("✓") for text in checks.all_inner_texts())


def test_announcing_takes_no_script(site: Site, visit: Visit) -> None:
    page = visit("/seasons", site.player("Ann"), java_script_enabled=False).page
    page.get_by_text("Announce a season").click()
    page.get_by_label("Name").fill("Ann’s cup")
    page.get_by_role("button", name="Announce the season").click()
    expect(page.get_by_role("heading", name="Ann’s cup")).to_be_visible()
    expect(page.get_by_text("It starts as soon as 6 wait.")).to_be_visible()


def test_entering_takes_no_script(site: Site, visit: Visit) -> None:
    starts = timestamp(site.container.now() + 9 * DAY)
    wanted = NewSeason("Summer league", starts_at=starts)
    season = site.container.seasons.announce(wanted, None, "operator")
    ann = site.player("Ann")
    page = visit(f"/seasons/{season.id}", ann, java_script_enabled=False).page
    page.get_by_role("button", name="Enter the season").click()
    expect(page.get_by_role("button", name="Leave the season")).to_be_visible()
    assert site.container.seasons.get(season.id).has(ann)
