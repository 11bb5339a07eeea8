"""The colours of the stylesheet: the clans stay apart for everybody, and all text can be read."""

from itertools import combinations

import pytest

from service.text.drawing.moor import MORNING
from tests.support.colours import DARK, LIGHT, VISIONS, Lab, ciede2000, contrast, distance

CLANS = "roygbp"
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_that_are_published(one: Lab, other: Lab, far: float) -> None:
    assert ciede2000(one, other) == pytest.approx(far, abs=1e-4)


@pytest.mark.parametrize("vision", VISIONS)
def test_six_clans_stay_apart(vision: str) -> None:
    for one, other in combinations(CLANS, 2):
        assert distance(LIGHT[f"clan-{one}"], LIGHT[f"clan-{other}"], vision) >= 20, (one, other)


@pytest.mark.parametrize("clan", CLANS)
def test_what_is_on_a_card_can_be_read(clan: str) -> None:
    assert contrast(LIGHT[f"clan-{clan}"], LIGHT[f"ink-{clan}"]) >= 4.5
    assert contrast(LIGHT["tactic"], LIGHT["ink-tactic"]) >= 4.5


@THEMES
def test_text_can_be_read_on_every_ground(theme: dict[str, str]) -> None:
    for ground in ("paper", "sheet", "table"):
        for text in ("ink", "quiet", "moss", "north", "south", "danger"):
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    assert contrast(theme["moss"], theme["moss-ink"]) >= 4.5
    for owner in ("north", "south"):  # the number on a Stone that somebody has claimed
        assert contrast(theme[owner], theme["moss-ink"]) >= 4.5, owner
    for rock in ("rock", "rock-light"):
        assert contrast(theme["rock-ink"], theme[rock]) >= 4.5, rock


@THEMES
def test_outlines_can_be_seen(theme: dict[str, str]) -> None:
    for ground in ("paper", "sheet", "table"):
        for line in ("card-line", "edge"):
            assert contrast(theme[line], theme[ground]) >= 3, (line, ground)


def test_pictures_have_the_colours_of_the_light_theme() -> None:
    assert {name: LIGHT[name] for name in MORNING} == MORNING
