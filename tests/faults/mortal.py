"""A process that is killed between two of its steps, each step being a command sent to Redis."""

import os
import re
import signal
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from redis.connection import AbstractConnection

Act = Callable[[], object]
Steps = Callable[[bytes], bool]
"""Which commands, as they are sent, are steps to die before."""

_COMMAND = re.compile(rb"\*\d+\r\n\$\d+\r\n([A-Z]+)\r\n")
_CHANGE_NOTHING = {
    *(b"CLIENT", b"EXISTS", b"GET", b"HELLO", b"HEXISTS", b"HGET", b"HGETALL", b"HMGET", b"MGET"),
    *(b"PING", b"SCARD", b"SMEMBERS", b"XLEN", b"XRANGE", b"XREVRANGE", b"ZCARD", b"ZCOUNT"),
    *(b"ZRANGE", b"ZRANGEBYSCORE", b"ZSCORE"),
}


def every(command: bytes) -> bool:
    return True


def of_writes(command: bytes) -> bool:
    """But for those that change nothing: to die before them is to die before what follows."""
    return not _CHANGE_NOTHING.issuperset(_COMMAND.findall(command))


def of_games(command: bytes) -> bool:
    """Nor for those by which the queue keeps its own books."""
    return b"rq:" not in command and of_writes(command)


def deaths(act: Callable[[], Act], steps: Steps = every) -> Iterator[int]:
    """Carry out what `act` gives, anew each time, dying before the first, second, … command.

    Gives the number of each death, and ends when a process came through alive.
    """
    for step in count():
        if not dies_before(step, act(), steps):
            return
        yield step


def dies_before(step: int, act: Act, steps: Steps) -> bool:
    """Carry `act` out in a child process that SIGKILL ends before it sends the command `step`.

    A pipeline is one step. Whether it died; whatever else ends it is an error.
    """
    child = os.fork()
    if child == 0:
        _carry_out(step, act, steps)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, "see the child's traceback"
    return False


def _carry_out(step: int, act: Act, steps: Steps) -> None:
    """In the child: never returns, so that no test goes on twice."""
    failed = 1
    try:
        _be_mortal(step, steps)
        act()
        failed = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(failed)


def _be_mortal(life: int, steps: Steps) -> None:
    send, left = AbstractConnection.send_packed_command, iter(range(life))

    def send_while_alive(self: AbstractConnection, command: Any, *args: Any, **kw: Any) -> Any:
        packed = command if isinstance(command, bytes) else b"".join(command)
        if steps(packed) and next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return send(self, command, *args, **kw)

    AbstractConnection.send_packed_command = send_while_alive  # type: ignore[method-assign]
