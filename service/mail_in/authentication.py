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
    found = _found(headers, server)
    if "fail" in found["dmarc"]:
        return True
    if "pass" in found["dmarc"] | found["dkim"] | found["spf"]:
        return False
    return any(each.intersection(_BAD) for each in found.values())


def results(headers: Sequence[str], server: str | None) -> dict[str, str]:
    """What that server found, by method: `{"spf": "pass"}`; of several results all."""
    found = _found(headers, server)
    return {method: ", ".join(sorted(said)) for method, said in sorted(found.items()) if said}


def _found(headers: Sequence[str], server: str | None) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"dmarc": set(), "dkim": set(), "spf": set()}
    for header in headers if server is not None else ():
        name, _, said = _COMMENT.sub(" ", header[:4000]).partition(";")
        if (name.split() or [""])[0].lower() == str(server).lower():
            for result in map(_RESULT.match, said.split(";")):
                if result is not None:
                    found[result[1].lower()].add(result[2].lower())
            break
    return found
