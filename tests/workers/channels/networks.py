"""Settings with which channels reach servers of the tests."""

from typing import NamedTuple

from service.core.network import read_allowed
from tests.support.clock import Clock
from tests.support.receiver import Receiver
from tests.support.settings import settings
from tests.workers.match import Match

OWN_NETWORK = settings(
    allowed_egress=read_allowed("127.0.0.1:*"),
    contact="mailto:ada@example.org",
    smtp_url="smtp://127.0.0.1:1",
)


class Heard(NamedTuple):
    """A match, who receives what its players' channels are told, and the clock."""

    match: Match
    receiver: Receiver
    clock: Clock
