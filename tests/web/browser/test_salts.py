"""The page makes the player's salt itself, after it has seen the commitment, and keeps it."""

import re

import pytest
from playwright.sync_api import expect

from service.games import NewGame
from tests.support.browser import Visit
from tests.support.site import Site


@pytest.mark.parametrize("is_guest", [False, True])
def test_both_players_check_the_shares_that_their_browsers_gave(
    site: Site, visit: Visit, is_guest: bool
) -> None:
    bob = site.player("Bob")
    maker = visit("/games/new?whom=lobby", None if is_guest else site.player("Ann")).page
    if is_guest:
        maker.get_by_label("Your name").fill(site.free_name("Cleo"))
    maker.get_by_role("button", name="Create the game").click()
    maker.wait_for_url(re.compile(r"/games/[a-z0-9]{20}"))
    game = maker.url.rsplit("/", 1)[-1]
    joiner = visit(f"/games/{game}", bob).page
    joiner.get_by_role("button", name="Join").click()
    expect(joiner.get_by_role("region", name="Replay")).to_be_visible()

    salts = site.container.games.load(game).game.salts
    assert len(set(salts.values())) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", salt or "") for salt in salts.values())
    site.container.games.resign(game, bob)
    for person in (maker, joiner):
        page = person.context.new_page()  # the one that is open just moves on by itself
        page.goto(f"/games/{game}")
        page.get_by_role("button", name="Verify").click()
        verdict = page.locator(".verdict + p")
        expect(verdict).to_contain_text("The order of the cards was fixed before the first")
    # The joiner's page showed a head while the game went on.
    expect(verdict).to_contain_text("that this browser saw during the game")
    expect(verdict).not_to_contain_text("a record alone cannot show")


@pytest.mark.parametrize(
    ("salts", "words"),
    [
        ((None, None), "neither player gave a number"),
        (("a" * 32, None), "The player who joined gave no number"),
        ((None, "b" * 32), "The player who made the game gave no number"),
        (("a" * 32, "b" * 32), "The decks follow from that secret and both players’ numbers."),
    ],
)
def test_the_list_says_whose_number_is_missing_and_what_it_does_not_check(
    site: Site, visit: Visit, salts: tuple[str | None, str | None], words: str
) -> None:
    games, (ann, bob) = site.container.games, (site.player(name) for name in ("Ann", "Bob"))
    game = games.create(ann, NewGame(listed=True, salt=salts[0])).id
    games.join(game, bob, salt=salts[1])
    games.resign(game, ann)
    page = visit(f"/games/{game}").page
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verify li", has_text="The decks follow")).to_contain_text(words)
    expect(page.locator("#verify")).to_contain_text("Not checked here: the claims")
    page.get_by_text("What was checked").click()
    stands = page.locator("#verify dd", has_text="none: the seal stands in its place")
    expect(stands).to_have_count(salts.count(None))
