"""What our own mail server found out about a mail's sender (RFC 8601).

Anybody can write `Authentication-Results` into a mail. Only what the server of the name set as
`SCOTTENBURY_MAIL_AUTHSERV` has written counts; it removes those that came with the mail. SPF and
DKIM say only that some domain stands behind a mail: that helps `From` if it is the same domain, or
one within the other (RFC 7489, relaxed alignment without a list of public suffixes).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_ESCAPED: Final = re.compile(r"\\.|.", re.DOTALL)
"""A character, or one with the backslash that takes its meaning away."""
_RESULT: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_BAD: Final = ("fail", "hardfail", "softfail", "permerror")
_HARMLESS: Final = re.compile(r"[^\s\"();\\=<>]*")
"""What may be quoted and is read all the same: it can seem to be nothing but a value."""
_NAMES: Final = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom", "smtp.mail"),
}
"""What says, for each method, whose domain was found to be behind the mail; the first that is
there counts."""


class _Result(NamedTuple):
    """What a method found, and for which domains; None if that cannot be told for certain."""

    method: str
    result: str
    domains: tuple[str, ...] | None


def has_failed(headers: Sequence[str], server: str | None, sender: str | None) -> bool:
    """Whether that server found that the mail is not of `sender`, the address in `From`.

    `server` is None: nobody is believed. `headers` are in the order of the mail, the latest first.
    """
    found = _found(headers, server)
    domain = _domain(sender or "")
    for one in found:
        if one.method == "dmarc" and (one.result == "fail" or not _is_about(domain, one)):
            return True
    # A failure counts in all headers of that server, a success in the one above all others: there
    # nothing stands that came with the mail.
    latest = _found(headers, server, most=1)
    if any(_vouches_for(domain, one) for one in latest):
        return False
    return any(one.result in _BAD for one in found)


def results(headers: Sequence[str], server: str | None) -> dict[str, str]:
    """What that server found, by method: `{"spf": "pass"}`; of several results all."""
    found = _found(headers, server)
    said = {name: {one.result for one in found if one.method == name} for name in sorted(_NAMES)}
    return {name: ", ".join(sorted(each)) for name, each in said.items() if each}


def _vouches_for(domain: str, found: _Result) -> bool:
    if found.result != "pass" or found.domains is None:
        return False
    # DMARC is about `From`, and need not say so.
    return _is_about(domain, found) and (found.method == "dmarc" or bool(found.domains))


def _is_about(domain: str, found: _Result) -> bool:
    """Whether nothing shows that our server has read another sender in the mail than we have."""
    return all(_is_aligned(each, domain) for each in found.domains or ())


def _is_aligned(one: str, other: str) -> bool:
    """Whether the two are the same domain, or one lies within the other."""
    shorter, longer = sorted((one, other), key=len)
    return "." in shorter and f".{longer}".endswith(f".{shorter}")


def _found(headers: Sequence[str], server: str | None, most: int | None = None) -> list[_Result]:
    """What the headers of that server say, or the first so many of them."""
    plain = [(header, _plain(header)) for header in headers if server is not None]
    ours = [pair for pair in plain if _author(pair[1]) == str(server).lower()]
    return [one for header, bare in ours[:most] for one in (*_results(bare), *_failures(header))]


def _author(plain: str) -> str:
    return (plain.partition(";")[0].split() or [""])[0].lower()


def _failures(header: str) -> Iterator[_Result]:
    """A failure counts wherever it stands, a success only where no stranger can write it."""
    return (one for one in _results(header) if one.result in _BAD)


def _results(header: str) -> Iterator[_Result]:
    for said in header.split(";")[1:]:
        if (found := _RESULT.match(said)) is not None:
            method = found[1].lower()
            yield _Result(method, found[2].lower(), _domains(method, said[found.end() :]))


def _domains(method: str, said: str) -> tuple[str, ...] | None:
    """The domains that a method is about; None where something stands there that is no property."""
    properties = [part.partition("=") for part in said.split()]
    if not all(name and equals for name, equals, _ in properties):
        return None
    for wanted in _NAMES[method]:
        values = [value for name, _, value in properties if name.lower() == wanted]
        if values:
            return tuple(map(_domain, values))
    return ()


def _domain(address: str) -> str:
    """The domain of an address, or one by itself, with each label in letters as people write it."""
    domain = address.strip("<>").rpartition("@")[2].rstrip(".").lower()[:255]
    return ".".join(map(_label, domain.split(".")))


def _label(label: str) -> str:
    if label.startswith("xn--"):
        try:
            return label[4:64].encode("ascii").decode("punycode")
        except ValueError:
            return label
    return unicodedata.normalize("NFC", label)


def _plain(header: str) -> str:
    """The header without comments, which may lie within each other, and what is quoted, unless it
    is harmless: a stranger chooses some of that, such as the sender in an envelope."""
    kept: list[str] = []
    quote: list[str] = []
    depth, quoted = 0, False
    for part in _ESCAPED.findall(header):
        if part == '"' and not depth:
            if quoted and _HARMLESS.fullmatch("".join(quote)):
                kept += quote
            quoted, quote = not quoted, []
        elif quoted:
            quote.append(part)
        elif part in ("(", ")"):
            depth = max(0, depth + (1 if part == "(" else -1))
            kept.append(" ")
        elif not depth:
            kept.append(part)
    return "".join(kept)
