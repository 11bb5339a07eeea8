"""What is wrong with a page for somebody: with axe, and by its width."""

from collections.abc import Iterator

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

PHONE = {"width": 360, "height": 740}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = "options => axe.run(options).then(found => found.violations)"


def faults(page: Page) -> Iterator[str]:
    """What is wrong with this page for somebody."""
    page.evaluate(AXE_SCRIPT)
    # Only colours differ in the dark.
    for scheme, rules in (("light", RULES), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme)
        options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
        for violation in page.evaluate(VIOLATIONS, options):
            for node in violation["nodes"]:
                yield f"{scheme}: {violation['id']}: {node['html'][:200]}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > PHONE["width"]:
        yield f"{wide} pixels wide"
    if page.get_by_role("heading", level=1).count() != 1:
        yield "not one heading"
    if not page.title().endswith("Scottenbury"):
        yield f"the title {page.title()}"
