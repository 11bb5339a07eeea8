"""The header by which a proxy in front of this server names who is signed in there.

It counts only on a connection that a listed peer has opened itself. Off unless the operator sets
both; then any other's is a header like all that nobody reads.
"""

import logging
from functools import lru_cache
from typing import Final, cast

from flask import g, request

from service.accounts.identities import LONGEST, TRUSTED_HEADER, Identity
from service.api.caller import peer_address
from service.container import get_container
from service.core.peers import is_listed

_log: Final = logging.getLogger(__name__)


def is_given() -> bool:
    """Whether a listed peer says that somebody is signed in, even in a way that cannot be read."""
    return bool(_value())


def identity() -> Identity | None:
    """Who is signed in there; None for nobody, and for a value that cannot be one person.

    A comma separates the values of a header that came twice: of the proxy, and of its client.
    """
    value = _value()
    if not value or "," in value or not value.isprintable() or len(value) > LONGEST:
        return None
    return Identity(TRUSTED_HEADER, value)


def _value() -> str:
    if "trusted_header" not in g:
        g.trusted_header = _read()
    return cast(str, g.trusted_header)


def _read() -> str:
    settings = get_container().settings
    value = request.headers.get(settings.auth_header or "", "").strip(" \t")
    if not value:
        return ""
    if not is_listed(peer_address(), settings.auth_peers):
        _warn_of_others()
        return ""
    return _decoded(value)


def _decoded(value: str) -> str:
    """The value as UTF-8, in which proxies send names beyond ASCII; WSGI has read Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return "\ufffd,"


@lru_cache(1)
def _warn_of_others() -> None:
    """Warn once: whoever likes can send the header, and fill a log."""
    _log.warning(
        "A sign-in header was ignored: it came over a connection of a peer that"
        " SCOTTENBURY_AUTH_PEERS does not list"
    )
