"""Slots that several processes count together."""

import os
from collections.abc import Callable

from service.realtime.places import Slot, SlotTable

SLOT = Slot("player ada", 2)


def in_child(act: Callable[[], bool]) -> bool:
    """What `act` returns in a process forked from this one."""
    child = os.fork()
    if child == 0:
        os._exit(0 if act() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_slots_are_free_again_after_use() -> None:
    slots = SlotTable(1)
    slots.claim_row()
    with slots.taken(SLOT), slots.taken(SLOT):
        assert slots.is_full(SLOT)
        assert not slots.is_full(Slot("player bob", 2))
    assert not slots.is_full(SLOT)


def test_a_process_sees_what_the_others_hold() -> None:
    slots = SlotTable(2)
    slots.claim_row()

    def full() -> bool:
        slots.claim_row()
        with slots.taken(SLOT):
            return slots.is_full(SLOT)

    with slots.taken(SLOT):
        assert in_child(full)
    assert not in_child(full)


def test_what_a_dead_process_held_is_free_when_the_next_one_starts() -> None:
    slots = SlotTable(2)
    slots.claim_row()

    def die() -> bool:
        slots.claim_row()
        with slots.taken(SLOT, SLOT):
            os._exit(0 if slots.is_full(SLOT) else 1)

    def free() -> bool:
        slots.claim_row()
        return not slots.is_full(SLOT)

    assert in_child(die)
    assert slots.is_full(SLOT)
    assert in_child(free)
