"""Places that several processes count together."""

import os
from collections.abc import Callable

from service.realtime.places import Place, Places

SEAT = Place("seat", 2)


def in_child(act: Callable[[], bool]) -> bool:
    """What this says in a process forked from this one."""
    child = os.fork()
    if child == 0:
        os._exit(0 if act() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_places_are_free_again_after_use():
    places = Places(1)
    places.enter()
    with places.taken(SEAT), places.taken(SEAT):
        assert places.full(SEAT)
        assert not places.full(Place("another", 2))
    assert not places.full(SEAT)


def test_a_process_sees_what_the_others_hold():
    places = Places(2)
    places.enter()

    def full() -> bool:
        places.enter()
        with places.taken(SEAT):
            return places.full(SEAT)

    with places.taken(SEAT):
        assert in_child(full)
    assert not in_child(full)


def test_what_a_dead_process_held_is_free_when_another_begins():
    places = Places(2)
    places.enter()

    def die() -> bool:
        places.enter()
        with places.taken(SEAT, SEAT):
            os._exit(0 if places.full(SEAT) else 1)

    def free() -> bool:
        places.enter()
        return not places.full(SEAT)

    assert in_child(die)
    assert places.full(SEAT)
    assert in_child(free)
