"""The colours of mails are those of the pages."""

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
