"""What the page of a game takes: bytes, layout shifts, time until it can be used, time of a press.

    python -m bench.page [--rounds N]

Each view begins with a cold cache. All figures are the browser's own: of the network, from
`PerformanceObserver` and navigation timing; a press counts from the click to the frame after the
change that it brings about. Medians over the rounds, each in a browser context of its own.
"""

import argparse
from collections.abc import Callable
from statistics import median
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page

from tests.support.browser import first_view, launched
from tests.support.gallery import Gallery
from tests.support.site import Site, served

PRESSES: Final = 12

_WATCH: Final = """
window.shifts = 0;
new PerformanceObserver(list => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts += shift.value;
}).observe({type: "layout-shift", buffered: true});
"""
_TIMING: Final = """() => {
  const [navigation] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {ready: navigation.domContentLoadedEventEnd, paint: paint.startTime, shifts};
}"""
_PRESS: Final = """button => new Promise(done => {
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
  button.click();
})"""


class View(NamedTuple):
    """One first view of the page, and what the presses on it took, in milliseconds."""

    total: int
    script: int
    paint: float
    ready: float
    shifts: float
    presses: list[float]


class Goal(NamedTuple):
    """A figure: its name, its value in a view, how it is written, and what it is to stay below."""

    name: str
    value: Callable[[View], float]
    form: str
    most: float


GOALS: Final = (
    Goal("over the wire, kB", lambda view: view.total / 1000, "{:8.1f}", 110),
    Goal("our own script, kB", lambda view: view.script / 1000, "{:8.1f}", 15),
    Goal("first paint, ms", lambda view: view.paint, "{:8.0f}", 300),
    Goal("can be used, ms", lambda view: view.ready, "{:8.0f}", 300),
    Goal("layout shift", lambda view: view.shifts, "{:8.4f}", 0.01),
    Goal("press to shown, ms", lambda view: median(view.presses), "{:8.0f}", 100),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with served() as site, launched() as browser:
        gallery = Gallery(site)
        path = f"/games/{gallery.played}"
        views = [_view(site, browser, path, gallery.to_move()) for _ in range(rounds + 1)][1:]
    print(f"{'':22}{'here':>8}   goal")
    for goal in GOALS:
        value = goal.form.format(median(map(goal.value, views)))
        print(f"{goal.name:22}{value}   < {goal.most:g}")


def _view(site: Site, browser: Browser, path: str, player: str) -> View:
    with browser.new_context(base_url=site.url, viewport={"width": 360, "height": 740}) as person:
        person.add_cookies([site.session(player)])  # type: ignore[list-item]
        page = person.new_page()
        page.add_init_script(_WATCH)
        sizes = first_view(page, path)
        timing: dict[str, float] = page.evaluate(_TIMING)
        total, script = sum(sizes.values()), sum(map(sizes.__getitem__, filter(_is_own, sizes)))
        return View(total, script, **timing, presses=_presses(page))


def _is_own(address: str) -> bool:
    return address.endswith(".js") and "/vendor/" not in address


def _presses(page: Page) -> list[float]:
    """Cards of the hand, chosen one after the other."""
    hand = page.get_by_role("group", name="Your hand").get_by_role("button", disabled=False)
    return [hand.nth(turn % hand.count()).evaluate(_PRESS) for turn in range(PRESSES)]


if __name__ == "__main__":
    main()
