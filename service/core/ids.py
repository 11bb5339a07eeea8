"""Identifiers and secrets: drawn at random, or derived from the server's key.

A repeated request derives the same value, so it reaches what the first one made. Nobody without the
server's key can predict a derived value.
"""

import base64
import hashlib
import hmac
import re
import secrets

GAME_ID_LENGTH = 20
PLAYER_ID_LENGTH = 16
GAME_ID = f"[a-z2-7]{{{GAME_ID_LENGTH}}}"
PLAYER_ID = f"[a-z2-7]{{{PLAYER_ID_LENGTH}}}"
"""Regular expressions of the ids of games and players."""
_OWNED_BOT = "robot"
"""The beginning of the id of a player's own bot: it shows without a look-up that an id is a bot's.
One other id in 33 million begins so."""


def game_id(material: bytes | None = None) -> str:
    """A game's id, 20 characters (100 bits): made of `material` (at least 16 bytes), else drawn at
    random."""
    return _base32(material, GAME_ID_LENGTH)


def player_id(material: bytes | None = None) -> str:
    """A player's id, 16 characters (80 bits): made of `material` (at least 16 bytes), else drawn at
    random."""
    return _base32(material, PLAYER_ID_LENGTH)


def owned_bot_id(material: bytes) -> str:
    """The id of a player's own bot: 55 bits of `material`, after a fixed beginning."""
    return (_OWNED_BOT + player_id(material))[:PLAYER_ID_LENGTH]


def is_owned_bot(player: str) -> bool:
    return player.startswith(_OWNED_BOT)


def secret_text(material: bytes | None = None) -> str:
    """A URL-safe secret of 256 bits: made of `material` (32 bytes), else drawn at random."""
    drawn = secrets.token_bytes(32) if material is None else material
    return base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()


def derive(secret_key: str, purpose: str, *parts: str) -> bytes:
    """32 bytes that only this server can derive; the same for the same purpose and parts."""
    # Lengths first, so that no two lists of parts give the same text.
    message = "".join(f"{len(part)}:{part}" for part in (purpose, *parts))
    return hmac.digest(secret_key.encode(), message.encode(), "sha256")


def proof(secret_key: str, purpose: str, *parts: str, letters: int = 20) -> str:
    """Up to 32 letters and digits that only this server can derive: see `derive`."""
    return _base32(derive(secret_key, purpose, *parts)[:20], letters)


def mark(text: str, letters: int) -> str:
    """Some letters and digits of the text's digest, to tell it from other texts."""
    return _base32(bytes.fromhex(digest(text)), letters)


def derived_game_id(secret_key: str, purpose: str, *parts: str) -> str:
    """The id of a game, derived from this purpose and these parts: see `derive`."""
    return game_id(derive(secret_key, purpose, *parts))


def is_game_id(text: str) -> bool:
    return re.fullmatch(GAME_ID, text) is not None


def digest(text: str) -> str:
    """SHA-256 in hex, stored in place of a secret."""
    return hashlib.sha256(text.encode()).hexdigest()


def _base32(material: bytes | None, length: int) -> str:
    drawn = secrets.token_bytes(20) if material is None else material
    return base64.b32encode(drawn).decode().lower()[:length]
