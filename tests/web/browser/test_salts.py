"""The page makes the player's salt itself, after it has seen the commitment, and keeps it."""

import re

import pytest
from playwright.sync_api import expect

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
        verdict = page.locator(".verdict")
        expect(verdict).to_contain_text("This shuffle was fixed before the first card was dealt")
    # The joiner's page showed a head while the game went on.
    expect(verdict).to_contain_text("that this browser saw while the game went on")
    expect(verdict).not_to_contain_text("a record alone cannot show")
