"""The table for eyes that need contrast: steps that lead nowhere, and colours that are forced."""

import pytest
from playwright.sync_api import Page

from tests.support.browser import Visit
from tests.support.colours import contrast
from tests.support.games import arranged, played
from tests.support.site import Site
from tests.web.browser.table import Table, button, put_together, send_button

COLOURS = """([words, ground]) => {
  const hex = colour => "#" + colour.match(/\\d+/g).slice(0, 3)
    .map(part => Number(part).toString(16).padStart(2, "0")).join("");
  const shown = document.querySelector(words);
  for (let each = shown; each; each = each.parentElement) {
    if (getComputedStyle(each).opacity !== "1") return null;
  }
  const below = document.querySelector(ground);
  return [hex(getComputedStyle(shown).color), hex(getComputedStyle(below).backgroundColor)];
}"""
"""The colours of some words and of the ground that they stand on, none of it faded."""
LOOKS = """stone => (style => [style.getPropertyValue('--rock'), style.outlineStyle].join(' '))(
  getComputedStyle(stone))"""
"""How a Stone is filled, and what is drawn around it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_step_that_leads_nowhere_can_be_read(site: Site, visit: Visit, scheme: str) -> None:
    page = visit(Table(site).path, color_scheme=scheme).page
    assert contrast(*page.evaluate(COLOURS, [".step[aria-disabled]", "body"])) >= 4.5


def test_forced_colours_show_the_open_tab_and_the_edges_of_buttons(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.mover, forced_colors="active").page
    tabs = page.locator(".tab").evaluate_all(
        "all => all.map(tab => getComputedStyle(tab).backgroundColor)"
    )
    assert tabs.count(tabs[0]) == 1
    places = page.locator(".side.below:not(:has(.card))").first
    assert places.evaluate("place => getComputedStyle(place, '::before').outlineStyle") == "solid"
    slider = page.get_by_role("slider")
    thumb = "slider => getComputedStyle(slider).getPropertyValue('--act')"
    assert slider.evaluate(thumb) == "ButtonText"
    put_together(page, table.card())
    for pressed in (button(page, "Undo"), send_button(page)):
        assert pressed.evaluate("each => getComputedStyle(each).borderTopWidth") == "1px"
    for name in ("First", "Back"):
        assert _edge(page, name) == "1px"
    assert _edge(page, "Last") == "0px"  # one is there already


def _edge(page: Page, name: str) -> str:
    step = page.locator(".step", has_text=name)
    edge: str = step.evaluate("step => getComputedStyle(step).borderTopWidth")
    return edge


def test_forced_colours_tell_whose_stone_is_claimed(site: Site, visit: Visit) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    game = arranged(site.container, people, game_id="forced".ljust(20, "a"))  # type: ignore[arg-type]
    played(site.container, game, people, "R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")  # type: ignore[arg-type]
    looks = []
    for player in people.values():
        page = visit(f"/games/{game}", player, forced_colors="active", reduced_motion="reduce").page
        looks += [page.locator(f'[data-stone="{at}"] .stone').evaluate(LOOKS) for at in (1, 2)]
    mine, free, theirs, again_free = looks
    assert free == again_free
    assert len({mine, free, theirs}) == 3
