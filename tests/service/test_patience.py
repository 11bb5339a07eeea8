"""How long a request tries to reach a store that does not answer."""

from collections.abc import Iterator

import pytest

from service.core.redis import patience


class Time:
    """The process's own clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    clock = Time()
    monkeypatch.setattr(patience, "monotonic", clock)
    yield clock
    patience.rewarded()
    patience.end()


def test_a_worker_has_all_the_time_there_is(time: Time):
    patience.lost()
    time.now += 1000
    assert patience.left()


def test_a_request_tries_for_a_while(time: Time):
    patience.begin()
    assert patience.left()
    time.now += patience.SECONDS
    assert not patience.left()


def test_after_silence_it_does_not_ask_again_nor_do_others(time: Time):
    patience.begin()
    patience.lost()
    assert not patience.left()
    patience.begin()
    assert not patience.left()


def test_while_the_store_is_silent_one_request_at_a_time_looks(time: Time):
    patience.begin()
    patience.lost()
    time.now += patience.PAUSE
    patience.begin()
    assert patience.left()
    assert patience.left(), "it asks several questions"
    patience.begin()
    assert not patience.left()
    patience.rewarded()
    assert patience.left()


def test_a_request_that_has_waited_for_a_thread_does_not_look(time: Time):
    patience.begin(arrived=time.now)
    patience.lost()
    arrived = time.now
    time.now += patience.PAUSE
    patience.begin(arrived)
    assert not patience.left()
    patience.rewarded()
    assert patience.left(), "the store is well, and only the threads were busy"
