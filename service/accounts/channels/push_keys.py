"""The key pair with which this server signs push messages (VAPID, RFC 8292).

It follows from the server's secret key, so that web and worker have the same, and nothing has to
keep it. With another secret key, browsers have to ask for push once more.
"""

import base64
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from service.core import ids

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256: a private key is a number from 1 to below it."""


@lru_cache(maxsize=4)
def private_key(secret_key: str) -> "EllipticCurvePrivateKey":
    """The key that signs."""
    # Here, as most processes never sign: 7 MB.
    from cryptography.hazmat.primitives.asymmetric import ec

    drawn = ids.derive(secret_key, "vapid", "0") + ids.derive(secret_key, "vapid", "1")
    number = int.from_bytes(drawn) % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key(secret_key: str) -> str:
    """What a browser is given to ask for push: the public key, base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = private_key(secret_key).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
