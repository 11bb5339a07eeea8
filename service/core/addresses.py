"""The form of e-mail addresses for comparison."""


def comparable(address: str) -> str:
    """The address in lower case, if it is ASCII, as all of ours are.

    Any other stays unchanged: in lower case the Kelvin sign (U+212A) would become the `k` of
    another address.
    """
    return address.lower() if address.isascii() else address
