"""Words for failed requests. The libraries' own words may contain the URL, which can be a secret,
and text from the other side."""

import ssl
from collections.abc import Iterator
from http.client import HTTPException
from typing import Final

from AntiSSRF import AntiSSRFError
from requests.exceptions import ConnectTimeout, RequestException, SSLError, Timeout
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_match_hostname import CertificateError

_OTHER_NAME: Final = "its certificate is for another name"
_UNKNOWN_ISSUER: Final = (
    "who signed its certificate is not known here, or a certificate in between is missing"
)
_OF_CERTIFICATES: Final = {
    9: "its certificate is not valid yet",
    10: "its certificate has expired",
    18: "its certificate is signed by itself alone",
    19: _UNKNOWN_ISSUER,
    20: _UNKNOWN_ISSUER,
    21: _UNKNOWN_ISSUER,
    62: _OTHER_NAME,
    64: _OTHER_NAME,
}
"""Words by OpenSSL's error number (X509_V_ERR_…)."""
_NO_CONNECTION: Final = "no connection to it"
"""One text for every host that may not run a web server: different texts would reveal open
ports."""
_OTHERS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (AntiSSRFError, "its network address is not one that requests may go to"),
    (CertificateError, _OTHER_NAME),
    (SSLError, _NO_CONNECTION),
    (ConnectTimeout, _NO_CONNECTION),
    (Timeout, "it did not answer in time"),
    (HTTPException, _NO_CONNECTION),
    (RequestException, _NO_CONNECTION),
    (OSError, _NO_CONNECTION),
)


def words_of(error: BaseException) -> str:
    """Return the reason why a request failed, in our own words, to follow "It failed: "."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLError) and (words := _of_tls(cause)):
            return words
    for kind, words in _OTHERS:
        if any(isinstance(cause, kind) for cause in causes):
            return words
    return "the request could not be sent"


def _of_tls(error: ssl.SSLError) -> str | None:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _OF_CERTIFICATES.get(error.verify_code, "its certificate is not valid")
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and the errors it wraps, in `reason` or among its arguments, as urllib3
    does."""
    yield error
    if isinstance(error, RequestException | HTTPError):
        for inner in (getattr(error, "reason", None), *error.args):
            if isinstance(inner, BaseException):
                yield from _causes(inner)
