"""The header in which a proxy in front of this server names the person signed in there.

It counts only on a connection that a listed peer has opened itself, and only if the operator has
set both header and peers. Other peers' headers are ignored.
"""

import logging
from functools import lru_cache
from typing import Final, cast

from flask import g, request

from service.accounts.identities import LONGEST, TRUSTED_HEADER, Identity
from service.api.auth import peer_address
from service.container import get_container
from service.core.network import is_listed

_log: Final = logging.getLogger(__name__)


def is_given() -> bool:
    """Whether a listed peer sends the header, even with an unreadable value."""
    return bool(_value())


def identity() -> Identity | None:
    """Return the person signed in at the proxy; None without one, or if the value does not name one
    person.

    A comma separates the values of a header that was sent twice: by the proxy, and by its client.
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
    # Proxies send UTF-8; WSGI has decoded it as Latin-1.
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return "\ufffd,"


@lru_cache(1)
def _warn_of_others() -> None:
    """Warn of a header from an unlisted peer, but only once: anybody could fill the log with it."""
    _log.warning(
        "A sign-in header was ignored: it came over a connection of a peer that"
        " SCOTTENBURY_AUTH_PEERS does not list"
    )
