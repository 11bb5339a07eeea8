"""The colours of mails are those of the pages."""

import re
from pathlib import Path

from service.text.drawing import cards
from tests.support import colours
from workers.mail import position


def six(colour: str) -> str:
    """The colour in six digits."""
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


def test_mails_have_the_colours_of_the_pages() -> None:
    for ours, theirs in ((position.LIGHT, colours.LIGHT), (position.DARK, colours.DARK)):
        assert ours == {name: six(theirs[name]) for name in ours}
    css = colours.LIGHT
    assert (six(css["rock"]), six(css["rock-ink"])) == position.STONE
    white = six(css["moss-ink"])
    # As on the page, the reader's own Stones lie below, whichever seat is theirs.
    sides = {"above": css["north"], "below": css["south"]}
    assert {side: (six(colour), white) for side, colour in sides.items()} == position.CLAIMED
    assert {
        clan.upper(): (six(css[f"clan-{clan}"]), six(css[f"ink-{clan}"])) for clan in "roygbp"
    } == cards.PANELS
    assert (six(css["tactic"]), six(css["ink-tactic"])) == cards.TACTIC


def test_what_is_coloured_for_the_light_has_a_class_that_is_served_in_the_dark() -> None:
    folder = Path("workers/templates")
    served = set(re.findall(r"^\.([a-z]+) \{", (folder / "shared/frame.html").read_text(), re.M))
    for file in folder.rglob("*.html"):
        for tag in re.findall(r"<\w(?:[^<>{]|\{[{%].*?[}%]\})*>", file.read_text()):
            if re.search(r"(?<!-)(color|background):\{\{ light", tag):
                named = re.search('class="([a-z]+)"|$', tag)
                assert named is not None
                assert named[1] in served, f"{file.name}: {tag}"
