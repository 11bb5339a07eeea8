"""Settings with which channels reach servers of the tests."""

from service.core.network import read_allowed
from tests.support.settings import settings

OWN_NETWORK = settings(
    allowed_egress=read_allowed("127.0.0.1:*"),
    contact="mailto:ada@example.org",
    smtp_url="smtp://127.0.0.1:1",
)
