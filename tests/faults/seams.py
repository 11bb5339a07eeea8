"""The seams of mail in and out, and processes that die there: `python -m tests.faults.seams`.

    python -m tests.faults.seams ROLE LOG SEAM...

Runs the listener or the worker, anew for each seam, and lets SIGKILL end it there, or after so many
seconds where SEAM is a number; then once more, for ever. What happened is told in LOG, a line for
each life and for each notice that was finished.
"""

import asyncio
import inspect
import json
import os
import signal
import smtplib
import socket
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from threading import Timer
from typing import Any, Literal, NamedTuple

from service.accounts.channels.deliveries import DeliveryLedger
from service.eventlog import EventStore, Outbox
from service.mail.budget import MailBudget
from service.mail_in.store import READ, MailInStore
from service.server import smtp_listener
from workers import __main__ as worker
from workers import jobs, leases, relay
from workers.mail import mailer
from workers.queue import JobQueue

LEASE = 2.0
"""Seconds for which a dead worker delays its claims."""

When = Literal["before", "after"]
Matches = Callable[[tuple[Any, ...], Any], Any]
"""Whether a call is one to die at: by its arguments, and after it by its result."""


class Seam(NamedTuple):
    """A call to die before or after."""

    owner: Any
    name: str
    when: When
    matches: Matches


def _any(given: tuple[Any, ...], result: Any) -> bool:
    return True


def _something(given: tuple[Any, ...], result: Any) -> bool:
    return bool(result)


def _is_due(given: tuple[Any, ...], result: Any) -> bool:
    return any(notice.due <= time.time() for notice in given[0].pending())


def _says(begin: bytes = b"", inside: str = "", end: bytes = b"") -> Matches:
    """Of calls with one argument: whether it begins, ends or is like this."""

    def matches(given: tuple[Any, ...], result: Any) -> bool:
        said = given[1] if isinstance(given[1], bytes) else str(given[1]).encode()
        return said.startswith(begin) and inside.encode() in said and said.endswith(end)

    return matches


def _both(owner: Any, name: str, matches: Matches = _any) -> list[Seam]:
    return [Seam(owner, name, "before", matches), Seam(owner, name, "after", matches)]


def _named(seams: dict[str, list[Seam]]) -> dict[str, Seam]:
    return {f"{each.when} {what}": each for what, both in seams.items() for each in both}


LISTENER = _named(
    {
        "the mail is looked at": _both(smtp_listener.Handler, "handle_DATA"),
        "its budget is spent": _both(MailBudget, "spend"),
        "it is kept": _both(MailInStore, "add"),
        "it is due to be read": _both(Outbox, "add"),
        "250 is said": _both(smtp_listener.Protocol, "push", _says(b"250 2.0.0")),
    }
)
WORKER = _named(
    {
        "the relay's claim": [
            Seam(Outbox, "claim", "before", _is_due),
            Seam(Outbox, "claim", "after", _something),
        ],
        "the enqueue": _both(JobQueue, "enqueue"),
        "the job's lease": _both(Outbox, "renew_and_read"),
        "the lists": _both(jobs, "execute_with_runs"),
        "the turn's append": _both(EventStore, "append"),
        "the answer's budget": _both(MailBudget, "spend"),
        "the dedupe mark": _both(MailInStore, "finish"),
        "the answer's notice": _both(Outbox, "add", _says(inside=".mail.reply-")),
        "the reading's finish": _both(Outbox, "finish", _says(inside=f".{READ}")),
        "the mail's bytes": _both(smtplib.SMTP, "send", _says(end=b"\r\n.\r\n")),
        "the mail server's 250": _both(mailer.SmtpMailer, "send"),
        "the answer's mark": _both(MailInStore, "mark_answered"),
        "the turn mail's finish": _both(DeliveryLedger, "record_with"),
        "the answer's finish": _both(Outbox, "finish", _says(inside=".mail.reply-")),
    }
)
ROLES: dict[str, tuple[dict[str, Seam], Callable[[], int]]] = {
    "listener": (LISTENER, smtp_listener.main),
    "worker": (WORKER, worker.main),
}


def _die_there(seam: Seam) -> None:
    """Let this process die at the seam, the first time it comes there."""
    original = getattr(seam.owner, seam.name)

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    @wraps(original)
    def mortal(*given: Any, **named: Any) -> Any:
        if seam.when == "before" and seam.matches(given, None):
            die()
        result = original(*given, **named)
        if seam.when == "after" and seam.matches(given, result):
            die()
        return result

    @wraps(original)
    async def mortal_coroutine(*given: Any, **named: Any) -> Any:
        if seam.when == "before" and seam.matches(given, None):
            die()
        result = await original(*given, **named)
        if seam.when == "after" and seam.matches(given, result):
            await asyncio.sleep(0.05)  # so that what was written has left
            die()
        return result

    is_async = inspect.iscoroutinefunction(original)
    setattr(seam.owner, seam.name, mortal_coroutine if is_async else mortal)


def _tell(log: Path, **what: Any) -> None:
    with log.open("a") as file:
        file.write(json.dumps({"at": time.monotonic(), **what}) + "\n")


def _tell_what_is_finished(log: Path) -> None:
    finish = Outbox.finish

    def finish_and_tell(self: Outbox, notice: str) -> None:
        finish(self, notice)
        _tell(log, finished=notice)

    Outbox.finish = finish_and_tell  # type: ignore[method-assign]


def _live(role: str, log: Path, seam: str | None) -> int:
    """In the child: what the process does until it dies."""
    seams, main = ROLES[role]
    leases.LEASE = relay.LEASE = LEASE  # type: ignore[attr-defined, misc]
    name = f"life-{os.getpid()}.example.org"
    socket.getfqdn = lambda host="": name  # what it calls itself before a mail server
    _tell_what_is_finished(log)
    if seam in seams:
        _die_there(seams[seam])
    elif seam is not None:
        Timer(float(seam), os.kill, (os.getpid(), signal.SIGKILL)).start()
    return main()


def main() -> None:
    role, log, *seams = sys.argv[1:]
    told = Path(log)
    child = 0

    def end(*given: object) -> None:
        if child:
            os.kill(child, signal.SIGKILL)
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    for seam in (*seams, None):
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os._exit(_live(role, told, seam))
        status = os.waitpid(child, 0)[1]
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        _tell(told, role=role, seam=seam, life=child, killed=killed)


if __name__ == "__main__":
    main()
