"""Signing in with an OpenID provider of the operator's: loaded only where one is set."""

from typing import Final

CALLBACK: Final = "/sign-in/openid/callback"
"""The path that the provider sends browsers back to."""
