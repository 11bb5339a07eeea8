"""What our own mail server found out about a mail's sender (RFC 8601).

Anybody can write `Authentication-Results` into a mail. Only what the server of the name set as
`SCOTTENBURY_MAIL_AUTHSERV` has written counts; it removes those that came with the mail.
"""

import re
from collections.abc import Sequence
from typing import Final

_ESCAPED: Final = re.compile(r"\\.|.", re.DOTALL)
"""A character, or one with the backslash that takes its meaning away."""
_RESULT: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
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
        said = header[:4000]
        plain = _plain(said)
        name = (plain.partition(";")[0].split() or [""])[0]
        if name.lower() == str(server).lower():
            # A failure counts wherever it stands, a success only where no stranger can write it.
            bad = [result for result in _results(said) if result[1] in _BAD]
            for method, result in [*_results(plain), *bad]:
                found[method].add(result)
            break
    return found


def _results(header: str) -> list[tuple[str, str]]:
    """The methods and what came of each."""
    results = map(_RESULT.match, header.split(";")[1:])
    return [(one[1].lower(), one[2].lower()) for one in results if one is not None]


def _plain(header: str) -> str:
    """The header without comments, which may lie within each other, and what is quoted: a stranger
    chooses some of that, such as the sender in an envelope."""
    kept, depth, quoted = [], 0, False
    for part in _ESCAPED.findall(header):
        if part == '"' and not depth:
            quoted = not quoted
        elif part in ("(", ")") and not quoted:
            depth = max(0, depth + (1 if part == "(" else -1))
            kept.append(" ")
        elif not depth and not quoted:
            kept.append(part)
    return "".join(kept)
