"""The network address of the caller of the current request."""

from typing import cast

from flask import has_request_context, request

from service.core.network_address import network_address


def caller_address() -> str:
    """The network address of the request's caller, as `network_address` gives it.

    Behind trusted proxies (`SCOTTENBURY_TRUSTED_PROXIES`) it is the address seen by the outermost
    one.
    """
    return network_address(request.remote_addr)


def peer_address() -> str:
    """The address at the other end of this request's connection, regardless of any header."""
    # Where proxies are trusted, ProxyFix has put the address of X-Forwarded-For in its place.
    seen = request.environ.get("werkzeug.proxy_fix.orig", request.environ)
    return cast(str, seen.get("REMOTE_ADDR") or "")


def current_caller() -> str | None:
    """The network address of the caller; None outside a request."""
    return caller_address() if has_request_context() else None
