"""The key pair that signs this server's push messages (VAPID, RFC 8292).

It is derived from the server's secret key, so web and worker share it without storing it. With
another secret key, browsers have to subscribe again.
"""

import base64
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from service.core import ids

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: a private key is a number from 1 to `_ORDER - 1`."""


@lru_cache(maxsize=4)
def private_key(secret_key: str) -> "EllipticCurvePrivateKey":
    """Return the private key."""
    # Here, as most processes never sign: 7 MB.
    from cryptography.hazmat.primitives.asymmetric import ec

    drawn = ids.derive(secret_key, "vapid", "0") + ids.derive(secret_key, "vapid", "1")
    number = int.from_bytes(drawn) % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key(secret_key: str) -> str:
    """Return the public key, in base64url, with which a browser subscribes to push."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = private_key(secret_key).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
