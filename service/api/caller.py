"""The network address of the caller of the current request."""

from typing import cast

from flask import has_request_context, request

from service.core.network import network_address


def caller_address() -> str:
    """Return the network address of the request's caller, in the form of `network_address`.

    Behind trusted proxies (`SCOTTENBURY_TRUSTED_PROXIES`) it is the address seen by the outermost
    proxy.
    """
    return network_address(request.remote_addr)


def peer_address() -> str:
    """Return the IP address at the other end of the connection, regardless of any header; `""` if
    unknown."""
    # Where proxies are trusted, ProxyFix has put the address of X-Forwarded-For in its place.
    seen = request.environ.get("werkzeug.proxy_fix.orig", request.environ)
    return cast(str, seen.get("REMOTE_ADDR") or "")


def current_caller() -> str | None:
    """Return the network address of the caller; None outside a request."""
    return caller_address() if has_request_context() else None
