"""The headers of responses, as the document describes them."""

from typing import Final


def _header(description: str, example: str | int) -> dict[str, object]:
    kind = "integer" if isinstance(example, int) else "string"
    return {"description": description, "schema": {"type": kind}, "example": example}


HEADERS: Final = {
    "ETag": _header("The version of the game, in quotes.", '"42"'),
    "Location": _header(
        "The address of what was created, on this server.", "/v1/games/onrw65dumvxhs5dporxw"
    ),
    "Link": _header(
        'The address of the next page, with `rel="next"`. Absent on the last page.',
        '</v1/games?cursor=MTc5NTI2NjAwMA>; rel="next"',
    ),
    "RateLimit-Limit": _header(
        "Requests allowed in the current window. Absent on servers without limits.", 1200
    ),
    "RateLimit-Remaining": _header("Requests left in the window.", 1199),
    "RateLimit-Reset": _header("Seconds until the next window begins.", 60),
    "ListETag": _header("Names this page of the list as it is now.", '"5f0c2e8a9b1d4c37"'),
    "X-Request-Id": _header(
        "The request's id, yours if it had one of up to 64 letters, digits and `._-`; every answer"
        " has it.",
        "5f0c2e8a9b1d4c37",
    ),
    "Idempotent-Replayed": _header(
        "`true` on the answer to a write under a known `Idempotency-Key`: nothing was done again.",
        "true",
    ),
    "Retry-After": _header("Seconds after which to try again.", 5),
}
"""Descriptions of headers, by the names of their components."""

ETAG: Final = {"ETag": "ETag"}
LOCATION: Final = {"Location": "Location"}
LINKED: Final = {"Link": "Link"}
PAGED: Final = {**LINKED, "ETag": "ListETag"}

RATE_LIMIT: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
"""Headers that every response of a server with limits has; the guide describes them."""
OF_EVERY_ANSWER: Final = ("X-Request-Id", "Idempotent-Replayed")
"""Headers that responses may have in addition to those declared; the guide describes them."""


def references(*names: str) -> dict[str, object]:
    """Return references to these header components, by name, for a response in the document."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
