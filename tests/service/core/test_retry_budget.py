"""How long a request tries to reach a store that does not answer."""

from collections.abc import Iterator

import pytest

from service.core.redis import retry_budget


class Time:
    """The process's own clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    clock = Time()
    monkeypatch.setattr(retry_budget, "monotonic", clock)
    yield clock
    retry_budget.answered()
    retry_budget.end_request()


def test_a_worker_has_all_the_time_there_is(time: Time) -> None:
    retry_budget.timed_out()
    time.now += 1000
    assert retry_budget.may_try()


def test_a_request_tries_for_a_while(time: Time) -> None:
    retry_budget.start_request()
    retry_budget.failed()
    assert retry_budget.may_try()
    time.now += retry_budget.REQUEST_SECONDS
    retry_budget.failed()
    assert not retry_budget.may_try()


def test_what_a_request_does_besides_takes_no_time_from_its_attempts(time: Time) -> None:
    retry_budget.start_request()
    assert retry_budget.may_try()
    time.now += 100  # a busy machine, or a sign-in at another server
    retry_budget.failed()
    assert retry_budget.may_try(), "Redis has failed for the first time"
    retry_budget.answered()
    time.now += 100
    assert retry_budget.may_try()


def test_after_silence_it_does_not_ask_again_nor_do_others(time: Time) -> None:
    retry_budget.start_request()
    retry_budget.timed_out()
    assert not retry_budget.may_try()
    retry_budget.start_request()
    assert not retry_budget.may_try()


def test_while_the_store_is_silent_one_request_at_a_time_looks(time: Time) -> None:
    retry_budget.start_request()
    retry_budget.timed_out()
    time.now += retry_budget.PAUSE
    retry_budget.start_request()
    assert retry_budget.may_try()
    assert retry_budget.may_try(), "it asks several questions"
    retry_budget.start_request()
    assert not retry_budget.may_try()
    retry_budget.answered()
    assert retry_budget.may_try()


def test_a_request_that_has_waited_for_a_thread_does_not_look(time: Time) -> None:
    retry_budget.start_request(arrived=time.now)
    retry_budget.timed_out()
    arrived = time.now
    time.now += retry_budget.PAUSE
    retry_budget.start_request(arrived)
    assert not retry_budget.may_try()
    retry_budget.answered()
    assert retry_budget.may_try(), "the store is well, and only the threads were busy"
