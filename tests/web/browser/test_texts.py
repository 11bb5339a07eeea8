"""No text lies over another or is cut, at any width, with the longest of names."""

from collections.abc import Iterable

import pytest

from tests.support.browser import Visit, Watched
from tests.support.gallery import Gallery, Shown
from tests.support.site import Site

LONG = ("Donaudampfschifffahrtsgesellschaft", "Ada Rindfleischetikettierungsgesetz")
WIDTHS = (320, 360, 375, 768, 1280, 1920)
FAULTS = """() => {
  const seen = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const ends = style => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const clips = style => /hidden|clip/.test(style.overflowX);
  const found = new Set();
  for (let node; (node = walker.nextNode());) {
    const text = node.data.trim(), own = node.parentElement;
    if (!text || own.closest("svg, option, textarea, script, style")) continue;
    if (!own.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const clipped = [];
    let hidden = false, scrolls = false, layer = null, short = null;
    for (let each = own; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.clipPath !== "none" || each.className === "skip") hidden = true;
      if (/auto|scroll/.test(style.overflowX)) scrolls = true;
      if (/sticky|fixed/.test(style.position)) layer = each; // what scrolls goes below it
      if (!scrolls && clips(style)) {
        if (ends(style)) short ??= each.getBoundingClientRect();
        else if (!short) clipped.push(each.getBoundingClientRect());
      }
    }
    if (hidden || scrolls) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const {left, top, right, bottom} = short ?? whole; // three dots say that there is more
      const box = new DOMRect(Math.max(left, whole.left), Math.max(top, whole.top));
      box.width = Math.min(right, whole.right) - box.left;
      box.height = Math.min(bottom, whole.bottom) - box.top;
      if (box.width < 1 || box.height < 1) continue;
      for (const edge of [{left: 0, right: innerWidth}, ...clipped]) {
        if (box.right > edge.right + 1 || box.left < edge.left - 1) found.add(`cut: ${text}`);
      }
      // Lines are higher than their letters.
      const inset = box.height * .22;
      const [begin, end] = [box.top + inset, box.bottom - inset];
      seen.push({text, layer, left: box.left + 1, right: box.right - 1, top: begin, bottom: end});
    }
  }
  seen.sort((one, other) => one.top - other.top);
  seen.forEach((one, at) => {
    for (let next = at + 1; next < seen.length && seen[next].top < one.bottom; next++) {
      const other = seen[next];
      if (one.text === other.text || one.layer !== other.layer) continue;
      if (one.left < other.right && other.left < one.right) {
        found.add(`one over the other: ${one.text} | ${other.text}`);
      }
    }
  });
  return [...found];
}"""

ON_ALL_TABS = f"""() => {{
  const faults = {FAULTS};
  const found = new Set(faults());
  for (const tab of document.querySelectorAll(".tab input")) {{
    tab.click();
    for (const fault of faults()) found.add(fault);
  }}
  return [...found];
}}"""


@pytest.fixture(scope="module")
def gallery(site: Site) -> Gallery:
    return Gallery(site, LONG)


def test_of_passers_by(gallery: Gallery, visit: Visit) -> None:
    check([shown for shown in gallery.of_passers_by() if not is_game(shown)], visit)


def test_of_a_game(gallery: Gallery, visit: Visit) -> None:
    check([*filter(is_game, gallery.of_passers_by()), *gallery.of_a_game()], visit)


def is_game(shown: Shown) -> bool:
    return shown.name.startswith("game-")


def test_of_players(gallery: Gallery, visit: Visit) -> None:
    check(gallery.of_players(), visit)


def test_the_walk_finds_texts_that_are_cut_or_lie_over_others(visit: Visit) -> None:
    page = visit("/sign-in", viewport={"width": 375, "height": 800}).page
    assert page.evaluate(FAULTS) == []
    page.evaluate(
        """() => {
          const put = (text, style) => {
            const made = document.createElement("div");
            made.textContent = text;
            Object.assign(made.style, style);
            document.querySelector("main").append(made);
          };
          put("below", {height: "20px"});
          put("above", {marginTop: "-20px"});
          put("too long for it", {width: "40px", overflow: "hidden", whiteSpace: "nowrap"});
        }"""
    )
    assert sorted(page.evaluate(FAULTS)) == [
        "cut: too long for it",
        "one over the other: below | above",
    ]


def check(pages: Iterable[Shown], visit: Visit) -> None:
    """Look at each page at each width."""
    people: dict[str | None, Watched] = {}
    found = []
    for shown in pages:
        if shown.player not in people:
            people[shown.player] = visit("about:blank", shown.player)
        watched = people[shown.player]
        watched.allowed = {304, shown.status}
        watched.page.goto(shown.path)
        for width in WIDTHS:
            watched.page.set_viewport_size({"width": width, "height": 800})
            faults = watched.page.evaluate(ON_ALL_TABS)
            found += [f"{shown.name} at {width}: {fault}" for fault in faults]
    assert not found, "\n".join(found)
