"""Reads the body of a mail from anybody, within a limit of processor time.

A small mail is read at once: each step takes time in proportion to its size, and a child process
costs more than the worst mail of that size. A large mail is read in a child process, which the
kernel ends when its time is over: a thread could not interrupt a step of the library, and would
hold up all other threads. The child is not a fork, which may hang in a process with threads, and it
gets no secrets.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from typing import Final

from letters.mail.body import UNREADABLE, DeliveryReport, ReadBody, Text, read_body

SMALL: Final = 64 * 1024
"""Most bytes of a mail that is read in this process: answers with their quotations are smaller."""
_SECONDS: Final = 2
"""Seconds of processor time for a large mail. An ordinary mail of 2 MiB takes a tenth of a
second."""
_PATIENCE: Final = 20.0
"""Seconds in all. A mail that takes longer had to wait for a busy machine, and is tried again."""
_MEMORY: Final = 512 * 1024 * 1024
_TOO_MUCH: Final = 3
"""The exit status of a child without memory."""
_CHILD: Final = (sys.executable, "-P", "-m", "service.mail_in.apart")


def read_apart(lines: bytes) -> ReadBody:
    """Return the body of a mail with plain line ends; `UNREADABLE` if that takes too much time or
    memory.

    Raises OSError if no child can be started, or it got no processor, or was killed.
    """
    if len(lines) <= SMALL:
        return read_body(lines)
    path = os.pathsep.join(filter(None, sys.path))
    try:
        done = subprocess.run(
            _CHILD, input=lines, capture_output=True, timeout=_PATIENCE, env={"PYTHONPATH": path}
        )
    except subprocess.TimeoutExpired:
        raise OSError("a mail could not be read in time") from None
    if done.returncode in (-signal.SIGXCPU, _TOO_MUCH):
        return UNREADABLE._replace(seconds=_SECONDS)
    if done.returncode != os.EX_OK:
        raise OSError(f"a mail could not be read: {done.returncode} {done.stderr[-300:]!r}")
    text, page, problem, report, seconds = json.loads(done.stdout)
    report = report and DeliveryReport(*report)
    return ReadBody(Text(*text), page and Text(*page), problem, report, seconds)


def main() -> int:
    """Read the mail on standard input, and write its body as JSON."""
    # The kernel ends this process if it takes more.
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        text, page, problem, report, *_ = read_body(sys.stdin.buffer.read())
        json.dump([text, page, problem, report, time.process_time()], sys.stdout)
    except MemoryError:
        return _TOO_MUCH
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
