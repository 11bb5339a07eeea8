"""People whom a proxy in front of the server names in a header."""

import ipaddress
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from service.core.settings import Settings
from tests.support.settings import settings

HEADER = "RemoteUser"
PEER = "10.0.0.7"
STRANGER = "10.9.9.9"


def settings_with_header(**changes: object) -> Settings:
    """Settings under which one peer's header counts."""
    listed = (ipaddress.ip_network(f"{PEER}/32"),)
    return settings(**{"auth_header": HEADER, "auth_peers": listed, **changes})


def arriving(app: Flask, subject: str | None, peer: str = PEER, **headers: str) -> FlaskClient:
    """A browser behind a proxy that names this subject in each request."""
    return arrive(app.test_client(), subject, peer, **headers)


def arrive(
    browser: FlaskClient, subject: str | None, peer: str = PEER, **headers: str
) -> FlaskClient:
    """The same browser, now with this subject named."""
    browser.environ_base = browser.environ_base | {"REMOTE_ADDR": peer}
    browser.environ_base.pop("HTTP_REMOTEUSER", None)
    sent: dict[str, Any] = {**headers, **({"HTTP_REMOTEUSER": subject} if subject else {})}
    browser.environ_base |= sent
    return browser
