"""A client of Scottenbury servers: correspondence games of Schotten Totten."""

from scottenbury_client.async_client import AsyncBot, AsyncClient
from scottenbury_client.calls import News
from scottenbury_client.client import Bot, Client
from scottenbury_client.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    Problem,
    ScottenburyError,
    Stale,
    TryLater,
    Unreachable,
)
from scottenbury_client.records import Checked, RecordFault, verify

__all__ = [
    "AsyncBot",
    "AsyncClient",
    "Bot",
    "Checked",
    "Client",
    "Conflict",
    "Forbidden",
    "Invalid",
    "News",
    "NotFound",
    "Problem",
    "RecordFault",
    "ScottenburyError",
    "Stale",
    "TryLater",
    "Unreachable",
    "verify",
]
