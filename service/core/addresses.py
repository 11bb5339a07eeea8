"""E-mail addresses as they are compared."""


def comparable(address: str) -> str:
    """The address in lower case, if it is ASCII, as all of ours are.

    Any other stays as it is: in lower case the Kelvin sign (U+212A) would be the `k` of somebody
    else's.
    """
    return address.lower() if address.isascii() else address
