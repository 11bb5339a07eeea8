"""What our own mail server found out about a mail's sender (RFC 8601).

Anybody can write `Authentication-Results` into a mail. Only what the server of the name set as
`SCOTTENBURY_MAIL_AUTHSERV` has written counts; it removes those that came with the mail.
"""

import re
from collections.abc import Sequence
from typing import Final

_COMMENT: Final = re.compile(r"\([^()]*\)")
_RESULT: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)", re.IGNORECASE)
_BAD: Final = ("fail", "softfail", "permerror")


def has_failed(headers: Sequence[str], server: str | None) -> bool:
    """Whether that server found that the mail is not from whom it says; None: nobody is believed.

    `headers` are in the order of the mail, the latest first.
    """
    if server is None:
        return False
    for header in headers:
        name, _, results = _COMMENT.sub(" ", header[:4000]).partition(";")
        if (name.split() or [""])[0].lower() == server.lower():
            return _fails(results)
    return False


def _fails(results: str) -> bool:
    found: dict[str, set[str]] = {"dmarc": set(), "dkim": set(), "spf": set()}
    for part in results.split(";"):
        if (result := _RESULT.match(part)) is not None:
            found[result[1].lower()].add(result[2].lower())
    if "fail" in found["dmarc"]:
        return True
    if "pass" in found["dmarc"] | found["dkim"] | found["spf"]:
        return False
    return any(each.intersection(_BAD) for each in found.values())
