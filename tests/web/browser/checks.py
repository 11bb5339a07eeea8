"""What is wrong with a page for somebody: with axe, and by its width."""

from collections.abc import Iterable, Iterator, Mapping

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.support.browser import Visit, Watched, at_rest
from tests.support.gallery import Shown

PHONE = {"width": 360, "height": 740}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = "options => axe.run(options).then(found => found.violations)"
SEEN = """() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--act)';
  const gold = getComputedStyle(probe).color;
  probe.remove();
  return [
    document.documentElement.scrollWidth,
    document.title,
    [...document.querySelectorAll('h1, [role=heading][aria-level="1"]')].filter(
      heading => heading.checkVisibility() && !heading.closest('[aria-hidden=true]')).length,
    [...document.querySelectorAll('button, .button')].filter(each => each.checkVisibility()
      && getComputedStyle(each).backgroundColor == gold).map(each => each.innerText),
  ];
}"""
"""How wide the page is, its title, how many headings of the first rank one hears, and what the
gold buttons say in the light: gold means the one next thing to do."""
TEXT_FAULTS = """() => {
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
"""Which texts are cut, or lie over others."""
ON_ALL_TABS = f"""() => {{
  const faults = {TEXT_FAULTS};
  const found = new Set(faults());
  for (const tab of document.querySelectorAll(".tab input")) {{
    tab.click();
    for (const fault of faults()) found.add(fault);
  }}
  return [...found];
}}"""
"""The same, with each tab of a game open."""
SCHEMES = {"light": RULES, "dark": ["color-contrast"]}  # only colours differ in the dark

LOW_LINKS = """() => [...document.querySelectorAll("a:last-child")].filter(link => {
  if (!link.matches(":is(p, li, th) > *")) return false;
  const text = part => part.innerText.trim();
  return link.checkVisibility({visibilityProperty: true}) && !link.closest(".hidden, .whole")
    && text(link) && text(link) === text(link.parentElement)
    && link.getBoundingClientRect().height < 24;
}).map(link => link.outerHTML)"""
"""Which links that have a line of their own are too low for a finger."""


People = dict[str | None, Watched]
"""The browsers of players, and of a passer-by."""


def walk(
    pages: Iterable[Shown],
    visit: Visit,
    cookie: Mapping[str, str] | None = None,
    people: People | None = None,
) -> Iterator[tuple[Shown, Page]]:
    """Show each page to its reader, on a phone, in a browser that has this cookie too: a new one,
    or that in which these people have looked at others."""
    people = {} if people is None else people
    for shown in pages:
        if shown.player not in people:
            people[shown.player] = visit("about:blank", shown.player, viewport=PHONE)
        watched = people[shown.player]
        if cookie:
            watched.page.context.add_cookies([cookie])  # type: ignore[list-item]
        watched.allowed = {304, shown.status}
        answer = watched.page.goto(shown.path)
        assert answer is not None
        assert answer.status == shown.status, shown
        at_rest(watched.page)
        yield shown, watched.page


def faults(page: Page, schemes: Iterable[str] = SCHEMES) -> Iterator[str]:
    """What is wrong with this page for somebody."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
        page.add_init_script(AXE_SCRIPT)  # for what is shown next: less work than to evaluate it
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        options = {"runOnly": SCHEMES[scheme], "resultTypes": ["violations"], "preload": False}
        if scheme == "light":  # axe calls it experimental
            options["rules"] = {"label-content-name-mismatch": {"enabled": True}}
        for violation in page.evaluate(VIOLATIONS, options):
            for node in violation["nodes"]:
                yield f"{scheme}: {violation['id']}: {node['html'][:200]}"
    page.emulate_media(color_scheme="light")
    wide, title, headings, golden = page.evaluate(SEEN)
    if wide > PHONE["width"]:
        yield f"{wide} pixels wide"
    if headings != 1:
        yield f"{headings} headings of the first rank"
    if not title.endswith("Scottenbury"):
        yield f"the title {title}"
    if len(golden) > 1:
        yield f"gold: {', '.join(golden)}"
    yield from (f"too low for a finger: {link}" for link in page.evaluate(LOW_LINKS))
