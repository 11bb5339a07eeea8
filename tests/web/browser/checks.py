"""What is wrong with a page for somebody: with axe, and by its width."""

from collections.abc import Iterable, Iterator

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

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


SCHEMES = {"light": RULES, "dark": ["color-contrast"]}  # only colours differ in the dark


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
