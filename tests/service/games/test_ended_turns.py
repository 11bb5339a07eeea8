"""A turn that is over before its notice went out takes its notice along."""

from service.container import Container
from service.core.times import DAY
from service.games.notices import OPENING
from tests.support.clock import Clock
from tests.web.shown import Shown, begin


def play_past_the_opening(container: Container) -> Shown:
    shown = begin(container, clock={"days_per_move": 3})
    while container.games.load(shown.id).version <= OPENING:
        play(container, shown)
    play(container, shown)
    return shown


def play(container: Container, shown: Shown) -> None:
    game = container.games.load(shown.id)
    mover = game.player_to_move()
    assert mover is not None
    container.games.play(shown.id, mover, container.games.view(game, mover).legal[:1])


def turns_that_wait(container: Container) -> list[int]:
    """The versions after the opening whose turns have a notice in the outbox."""
    notices = [notice.id.split(".") for notice in container.log.outbox.pending()]
    versions = [int(version) for _, version, *_, kind in notices if kind == "turn"]
    return sorted(version for version in versions if version > OPENING)


def test_only_the_turn_that_is_still_open_waits_for_its_notice(container: Container) -> None:
    shown = play_past_the_opening(container)
    for _ in range(4):
        assert turns_that_wait(container) == [container.games.load(shown.id).turn_version]
        play(container, shown)

    container.games.resign(shown.id, shown.ann)

    assert turns_that_wait(container) == []


def test_a_notice_that_a_worker_has_claimed_stays_its_worker_s(
    container: Container, clock: Clock
) -> None:
    shown = play_past_the_opening(container)
    claimed = container.games.load(shown.id).turn_version
    clock.time += DAY
    container.log.outbox.claim(limit=100, lease=60.0)

    play(container, shown)

    assert claimed in turns_that_wait(container)
