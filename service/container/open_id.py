"""Builds the sign-in with an OpenID provider."""

from collections.abc import Callable

from service.accounts.identities import OPENID_CALLBACK
from service.accounts.openid import OpenIdSignIns, Provider
from service.container.infrastructure import Infrastructure
from service.core.settings import Settings


def build_open_id(base: Infrastructure) -> OpenIdSignIns:
    """Build the sign-in; the infrastructure's settings must name a provider."""
    return OpenIdSignIns(base.redis, build_provider(base.settings, base.now))


def build_provider(settings: Settings, now: Callable[[], float]) -> Provider:
    """The provider that the settings name."""
    assert settings.oidc_issuer is not None
    assert settings.oidc_client_id is not None
    return Provider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        f"{settings.base_url}{OPENID_CALLBACK}",
        now,
        at_once=max(1, settings.web_threads - 1),
    )
