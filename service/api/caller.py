"""The network address of the caller of the current request."""

from flask import has_request_context, request

from service.core.network_address import network_address


def caller_address() -> str:
    """The network address of the request's caller, as `network_address` gives it.

    Behind trusted proxies (`SCOTTENBURY_TRUSTED_PROXIES`) it is the address seen by the outermost
    one.
    """
    return network_address(request.remote_addr)


def current_caller() -> str | None:
    """The same as `caller_address`; None outside a request."""
    return caller_address() if has_request_context() else None
