"""Sign-in with an OpenID provider that the operator has set. Loaded only if there is one."""

from typing import Final

CALLBACK: Final = "/sign-in/openid/callback"
"""The URL path to which the provider redirects browsers."""
