"""An operator's actions on dead letters."""

from service.container import Container
from service.eventlog import Notice
from service.eventlog.dead_letters import DeadLetter


def retry(store: Container, dead: DeadLetter) -> None:
    """Try a dead letter again, for as long as a new notice."""
    # In this order: after a crash in between it is tried again, and is still listed.
    store.log.outbox.add(Notice(dead.notice, store.now()))
    store.dead_letters.remove(dead.notice)
