"""flask-smorest, fitted to this API: problems instead of its errors, and requests read strictly."""

from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

import flask_smorest
from marshmallow import Schema

from service.api import auth, parsing, paths, problems
from service.api.auth import Needed
from service.api.headers import ETAG
from service.api.schemas import outputs

View = TypeVar("View", bound=Callable[..., Any])

TOKEN = Needed()
"""An operation that takes a token: `games:read` for a GET, else `games:play`."""
PUBLIC = Needed(token=False)
"""An operation that takes no token."""
OPTIONAL = Needed(optional=True)
"""An operation that also answers without a token, as to a spectator."""
ACCOUNT = Needed(scopes=("account",))
"""An operation on the caller's account."""
ACCOUNT_AND_GAMES = Needed(scopes=("account", "games:read"))
"""An operation on the caller's account that shows games too."""


class Api(flask_smorest.Api):
    """The document of the resources; they are served without it."""

    ERROR_SCHEMA = outputs.Problem
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """It serves nothing."""

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status < HTTPStatus.BAD_REQUEST:
                headers = ETAG if status == HTTPStatus.NOT_MODIFIED else {}
                answer = {"description": status.phrase, "headers": dict(headers)}
                self.spec.components.response(status.name, answer, lazy=True)


class Blueprint(flask_smorest.Blueprint):
    """A group of operations."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks += [_with_headers, _with_refusals, _with_security]
        self.before_request(auth.admit)
        self.before_request(paths.check)

    def response(self, *args: Any, **options: Any) -> Callable[[View], View]:
        """Document what the operation answers; it gives a `Response` itself."""
        return _documenting(super().response(*args, **options))

    def alt_response(self, *args: Any, **options: Any) -> Callable[[View], View]:
        """Document what else the operation answers."""
        return _documenting(super().alt_response(*args, **options))

    def body(
        self, schema: type[Schema], *, required: bool = True, few: bool = False
    ) -> Callable[[View], View]:
        """The operation takes a JSON body of this schema; not `required`: it may be left out.

        `few`: clients send the same few bodies again and again, like moves.
        """
        read = parsing.body_of if required else parsing.body_if_any
        if few:
            read = parsing.short_body_of
        expected = schema()
        documented = _documenting(self.arguments(expected, required=required))

        def decorate(view: View) -> View:
            refusing: View = _refusing(documented(view), _BODY_REFUSALS)
            return _given(read, expected, refusing)

        return decorate

    def query(self, schema: type[Schema]) -> Callable[[View], View]:
        """The operation takes query parameters of this schema."""
        expected = schema()
        documented = _documenting(self.arguments(expected, location="query"))

        def decorate(view: View) -> View:
            waits = _WAITING_REFUSALS if "wait" in expected.fields else ()
            refusing: View = _refusing(documented(view), (*_QUERY_REFUSALS, *waits))
            return _given(parsing.query_of, expected, refusing)

        return decorate

    def operation(
        self,
        name: str,
        *refusals: str,
        headers: tuple[str, ...] = (),
        security: Needed = TOKEN,
    ) -> Callable[[View], View]:
        """Document an operation: its id, the headers it reads, the token that it takes, which is
        enforced too, and the codes of the problems that it may answer with.

        Among `refusals` are none that follow from the headers, the body, the query or the token, or
        that come everywhere. `headers` are names of the document's parameter components.
        """
        admission = _ADMISSION if security.token else ()
        of_headers = [code for header in headers for code in _HEADER_REFUSALS.get(header, ())]

        def decorate(view: View) -> View:
            named = _documenting(self.doc(operationId=name))(view)
            named._apidoc[_HEADERS] = headers
            named._apidoc[auth.DECLARED] = security
            refusing: View = _refusing(named, (*refusals, *of_headers, *admission, *_EVERYWHERE))
            return refusing

        return decorate


def _documenting(decorate: Callable[[View], View]) -> Callable[[View], View]:
    """Only the documentation is wanted, not a wrapper for each part of it at each request."""

    def documented(view: View) -> View:
        view._apidoc = decorate(view)._apidoc  # type: ignore[attr-defined]
        return view

    return documented


def _refusing(view: View, codes: Iterable[str]) -> View:
    """The view, which may answer with problems of these codes too."""
    view._apidoc.setdefault(_REFUSALS, set()).update(codes)  # type: ignore[attr-defined]
    return view


def _given(read: Callable[[Schema], dict[str, Any]], schema: Schema, view: View) -> View:
    """The view, given first what is read from the request."""

    @wraps(view)
    def reading_view(*args: Any, **path: Any) -> Any:
        return view(read(schema), *args, **path)

    return cast(View, reading_view)


_BODY_REFUSALS = (
    "body-incomplete",
    "malformed-json",
    "request-timeout",
    "body-too-large",
    "unsupported-media-type",
    "validation-failed",
)
_QUERY_REFUSALS = ("validation-failed",)
_WAITING_REFUSALS = ("too-many-streams", "server-busy")
_HEADER_REFUSALS = {
    "IfMatch": ("malformed-if-match", "stale-version"),
    # The key stands for the request with its body, also where the operation takes none.
    "IdempotencyKey": (
        "malformed-request",
        "body-incomplete",
        "malformed-json",
        "request-timeout",
        "body-too-large",
        "idempotency-key-reused",
    ),
    "LastEventId": ("malformed-request", *_WAITING_REFUSALS),
    "LastPlace": ("malformed-request",),
}
_HEADER_REFUSALS["FreshIdempotencyKey"] = (
    *_HEADER_REFUSALS["IdempotencyKey"],
    "weak-idempotency-key",
    "idempotency-key-spent",
)
"""What may be wrong with the headers that an operation reads."""
_ADMISSION = ("unauthenticated", "insufficient-scope")
_EVERYWHERE = ("unknown-host", "too-many-requests", "internal-error", "store-unavailable")
_HEADERS = "headers"
_REFUSALS = "refusals"


def _with_headers(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """flask-smorest's way to add to the document of an operation."""
    if headers := doc_info.get(_HEADERS):
        doc["parameters"] = [*doc.get("parameters", []), *headers]
    return doc


def _with_refusals(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """An answer for each status of the problems, which refers to an example of each of them."""
    answers = {status: doc["responses"][status] for status in doc_info["success_status_codes"]}
    codes = sorted(doc_info[_REFUSALS], key=list(problems.PROBLEMS).index)
    for status in sorted({problems.PROBLEMS[code].status for code in codes}):
        shown = {code: code for code in codes if problems.PROBLEMS[code].status == status}
        content = {problems.MIMETYPE: {"schema": outputs.Problem, "examples": shown}}
        answers[status] = {"description": HTTPStatus(status).phrase, "content": content}
    return {**doc, "responses": answers}


def _with_security(
    doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **kwargs: Any
) -> dict[str, Any]:
    """What `access.admit` enforces."""
    needed = doc_info[auth.DECLARED]
    secured: list[dict[str, list[str]]] = []
    if needed.token:
        secured = [{"token": list(needed.scopes_of(method.upper()))}]
    doc["security"] = [{}, *secured] if needed.optional else secured
    return doc
