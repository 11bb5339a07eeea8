"""Several queries, or runs of a script, in one round trip: what becomes of errors among them."""

from collections.abc import Sequence
from typing import Any

import pytest
from redis.exceptions import ClusterDownError, RedisError, ResponseError

from service.core.redis.batch import Batch, Query, execute, execute_all, execute_many, run_many
from service.core.redis.client import Client, ServerClient

INCREASE = "return redis.call('INCRBY', KEYS[1], ARGV[1])"


def as_number(reply: Any) -> float | None:
    """A parser that expects no error."""
    return None if reply is None else float(reply)


@pytest.fixture
def forgetful(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A server that has restarted whenever several commands reach it, and knows no script then."""
    assert isinstance(redis, ServerClient)
    send = redis.execute_all

    def after_a_restart(commands: Sequence[Any]) -> list[Any]:
        redis.script_flush()
        return send(commands)

    monkeypatch.setattr(redis, "execute_all", after_a_restart)
    return redis


def test_every_run_of_a_script_heals_after_a_restart(forgetful: Client) -> None:
    script = forgetful.register_script(INCREASE)

    results = run_many(forgetful, script, [(["a"], [1]), (["b"], [2]), (["a"], [3])])

    assert results == [1, 2, 4]
    assert forgetful.mget("a", "b") == ["4", "2"]


def test_commands_before_a_script_are_carried_out_once(forgetful: Client) -> None:
    script = forgetful.register_script(INCREASE)

    assert run_many(forgetful, script, [(["a"], [1])], [("INCR", "a"), ("INCR", "b")]) == [2]

    assert forgetful.mget("a", "b") == ["2", "1"]


def test_a_run_that_fails_does_not_stop_the_others(redis: Client) -> None:
    redis.rpush("list", "x")
    script = redis.register_script(INCREASE)

    with pytest.raises(ResponseError, match="WRONGTYPE"):
        run_many(redis, script, [(["list"], [1]), (["b"], [2])])

    assert redis.get("b") == "2"


@pytest.mark.parametrize(
    "error",
    [
        ClusterDownError("The cluster is down"),
        ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        ResponseError("NOREPLICAS Not enough good replicas to write."),
    ],
)
def test_that_redis_cannot_serve_is_no_answer(
    redis: Client, monkeypatch: pytest.MonkeyPatch, error: RedisError
) -> None:
    query = Query(("HGET", "hash", "field"), as_number)

    def fail(*args: Any, **options: Any) -> Any:
        raise error

    monkeypatch.setattr(redis, "execute_all", lambda commands: [None, error])
    monkeypatch.setattr(redis, "execute_command", fail)

    for ask in (
        lambda: execute(redis, query),
        lambda: execute_all(redis, [query, query]),
        lambda: execute_many(redis, [query, query]),
    ):
        with pytest.raises(type(error)) as failure:
            ask()
        assert failure.value is error


def test_another_error_is_raised_unless_the_query_takes_errors(redis: Client) -> None:
    redis.set("text", "x")
    command = ("HGET", "text", "field")
    query = Query(command, lambda reply: isinstance(reply, ResponseError), takes_errors=True)

    assert execute(redis, query)
    assert execute_all(redis, [query]) == [True]
    with pytest.raises(ResponseError):
        execute(redis, Query(command, bool))


def test_the_first_result_that_is_wanted_sends_the_whole_batch(
    redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(redis, ServerClient)
    redis.mset({"a": 1, "b": 2})
    batch, sent, send = Batch(redis), list[Any](), redis.execute_all
    monkeypatch.setattr(
        redis, "execute_all", lambda commands: sent.append(commands) or send(commands)
    )
    one, other = (batch.ask(Query(("GET", key), as_number)) for key in "ab")

    assert batch
    assert (other.get(), one.get(), one.get()) == (2, 1, 1)

    assert len(sent) == 1
    assert not batch


def test_a_batch_that_could_not_be_sent_is_sent_by_the_next_result(
    redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Batch(redis).ask(Query(("EXISTS", "a"), as_number))
    with monkeypatch.context() as patched:
        patched.setattr(redis, "execute_command", fails)
        with pytest.raises(ConnectionError):
            answer.get()

    assert answer.get() == 0


def fails(*command: Any) -> None:
    raise ConnectionError("away")
