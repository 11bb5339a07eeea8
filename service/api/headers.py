"""The headers of answers, for the document."""

from typing import Any, Final


def _header(description: str, example: str | int) -> dict[str, Any]:
    kind = "integer" if isinstance(example, int) else "string"
    return {"description": description, "schema": {"type": kind}, "example": example}


HEADERS: Final = {
    "ETag": _header("The version of the game, in quotes.", '"42"'),
    "Location": _header(
        "The address of what was made, on this server.", "/v1/games/onrw65dumvxhs5dporxw"
    ),
    "Link": _header(
        'The address of the next page, with `rel="next"`; none on the last one.',
        '</v1/games?cursor=MTc5NTI2NjAwMA>; rel="next"',
    ),
    "RateLimit-Limit": _header("How much may be asked in a while; without limits none.", 1200),
    "RateLimit-Remaining": _header("How much of it is left.", 1199),
    "RateLimit-Reset": _header("Seconds until it begins anew.", 60),
    "Retry-After": _header("Seconds after which to come again.", 5),
}
"""By name, which is also that of their components."""

ETAG: Final = {"ETag": "ETag"}
LOCATION: Final = {"Location": "Location"}
LINKED: Final = {"Link": "Link"}

_OF_EVERY_ANSWER: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_REFERENCE: Final = "#/components/headers/"


def references(*names: str) -> dict[str, dict[str, str]]:
    """These headers, as an answer in the document refers to them."""
    return {name: {"$ref": _REFERENCE + name} for name in names}


def with_headers(answer: dict[str, Any], *names: str) -> None:
    """Let an answer in the document carry these headers, and those that each carries."""
    answer.setdefault("headers", {}).update(references(*names, *_OF_EVERY_ANSWER))
