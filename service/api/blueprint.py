"""Declares operations: their inputs, their responses and their problems.

flask-smorest collects these declarations and gives them to apispec, which writes the document.
Nothing of flask-smorest runs while a request is served, for these reasons:

- Bodies are read by `parsing`, which is stricter than webargs: it rejects JSON that is not UTF-8,
  unknown fields and `1e999`, and reports every error as a problem of ours.
- Responses are plain data, written by orjson. Dumping a game view through its schema takes longer
  than everything else in the request; tests validate the responses against the schemas instead.
- A decorator for each declaration would cost several calls per request. So the decorators here
  keep only the documentation (`_documenting`), and a view gets one wrapper at most.

flask-smorest has no public way to leave its parts out. That is why `_apidoc`, `_prepare_doc_cbks`,
`_register_error_handlers` and `_register_responses` appear here, and in no other module but `auth`.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

import flask_smorest
from flask import Response
from marshmallow import Schema

from service.accounts.tokens import SCOPES
from service.api import auth, parsing, paths, problems
from service.api.auth import TokenRule
from service.api.headers import answered_once
from service.api.openapi.headers import ETAG, LINKED
from service.api.schemas.outputs import ProblemSchema

View = TypeVar("View", bound=Callable[..., object])

TOKEN = TokenRule()
"""An operation that takes a token: `games:read` for a GET, else `games:play`."""
PUBLIC = TokenRule(required=False)
"""An operation that takes no token."""
OPTIONAL = TokenRule(optional=True)
"""An operation that also serves requests without a token, as for a spectator."""
ANY_TOKEN = TokenRule(any_scope=True)
"""An operation that takes any token."""
ACCOUNT = TokenRule(scopes=("account",))
"""An operation on the caller's account."""
ACCOUNT_AND_GAMES = TokenRule(scopes=("account", "games:read"))
"""An operation on the caller's account that shows games too."""
ACCOUNT_AND_PLAY = TokenRule(scopes=("account", "games:play"))
"""An operation on the caller's account that writes into running games."""
EVERYTHING = TokenRule(scopes=SCOPES)
"""An operation that may delete the whole account or give access to all of it."""


class Api(flask_smorest.Api):
    """The generator of the document. It serves no requests."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Register nothing: this object serves no requests."""

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status < HTTPStatus.BAD_REQUEST:
                headers = ETAG | LINKED if status == HTTPStatus.NOT_MODIFIED else {}
                answer = {"description": status.phrase, "headers": dict(headers)}
                self.spec.components.response(status.name, answer, lazy=True)


class Blueprint(flask_smorest.Blueprint):
    """A group of operations."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks += [_document_headers, _document_problems, _document_security]
        self.before_request(auth.authorize)
        self.before_request(paths.check)
        self.before_request(parsing.check_query)

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register an operation. A write that reads no `Idempotency-Key` itself, in one step with
        what it does, is repeatable all the same (`headers.answered_once`)."""
        register = super().route(rule, **options)
        reads = options.get("methods", ["GET"]) == ["GET"]

        def decorate(view: View) -> View:
            notes = view._apidoc  # type: ignore[attr-defined]
            if reads or not _KEYS.isdisjoint(notes[_HEADERS]):
                return cast(View, register(view))
            # Without a token, the only thing to begin with is one: it comes with the answer.
            fresh = not notes[auth.DECLARATION].required
            notes[_HEADERS] += ("FreshIdempotencyKey" if fresh else "IdempotencyKey",)
            if fresh:
                _add_problems(view, ("weak-idempotency-key",))
            register(answered_once(cast(Callable[..., Response], view), fresh=fresh))
            return view

        return decorate

    def operation(
        self,
        name: str,
        *problem_codes: str,
        headers: tuple[str, ...] = (),
        security: TokenRule = TOKEN,
    ) -> Callable[[View], View]:
        """Declare an operation: its id, the headers it reads, the token it takes (also enforced),
        and the codes of its problems.

        Leave out codes that follow from the headers, the body, the query or the token, and those
        that any operation may respond with. `headers` are names of the document's parameter
        components.
        """
        of_token = _TOKEN_PROBLEMS if security.required else ()
        if security.any_scope:
            of_token = ("unauthenticated",)
        of_headers = [code for header in headers for code in _HEADER_PROBLEMS.get(header, ())]

        def decorate(view: View) -> View:
            named = _documenting(self.doc(operationId=name))(view)
            named._apidoc[_HEADERS] = headers
            named._apidoc[auth.DECLARATION] = security
            _add_problems(named, (*problem_codes, *of_headers, *of_token))
            return cast(View, named)

        return decorate

    def body(
        self, schema: type[Schema], *, required: bool = True, cached: bool = False
    ) -> Callable[[View], View]:
        """Declare a JSON body of this schema; the view receives the loaded body as first argument.

        Without `required` it may be left out. `cached` is for operations whose clients often send
        the same few bodies, such as moves.
        """
        read = parsing.body_of if required else parsing.body_if_any
        if cached:
            read = parsing.cached_body_of
        loader = schema()
        documented = _documenting(self.arguments(loader, required=required))

        def decorate(view: View) -> View:
            _add_problems(documented(view), _INPUT_PROBLEMS)
            return _passing(read, loader, view)

        return decorate

    def query(self, schema: type[Schema]) -> Callable[[View], View]:
        """Declare query parameters of this schema; the view receives them as first argument."""
        loader = schema()
        documented = _documenting(self.arguments(loader, location="query"))
        of_waiting = _WAITING_PROBLEMS if "wait" in loader.fields else ()

        def decorate(view: View) -> View:
            _add_problems(documented(view), (*_INPUT_PROBLEMS, *of_waiting))
            return _passing(parsing.query_of, loader, view)

        return decorate

    def response(self, *args: object, **options: object) -> Callable[[View], View]:
        """Document a response of the operation. The view returns a `Response` itself."""
        return _documenting(super().response(*args, **options))

    def alt_response(self, *args: object, **options: object) -> Callable[[View], View]:
        """Document another response of the operation."""
        return _documenting(super().alt_response(*args, **options))


def _documenting(decorate: Callable[[View], View]) -> Callable[[View], View]:
    """Make a decorator add only its documentation to the view, without its wrapper."""

    def documented(view: View) -> View:
        view._apidoc = decorate(view)._apidoc  # type: ignore[attr-defined]
        return view

    return documented


def _add_problems(view: Callable[..., object], codes: Iterable[str]) -> None:
    view._apidoc.setdefault(_PROBLEMS, set()).update(codes)  # type: ignore[attr-defined]


def _passing(read: Callable[[Schema], dict[str, object]], schema: Schema, view: View) -> View:
    """Wrap the view: it is called with the values that `read` reads from the request first."""

    @wraps(view)
    def reading_view(*args: object, **path: object) -> object:
        return view(read(schema), *args, **path)

    return cast(View, reading_view)


_KEYS = frozenset({"IdempotencyKey", "FreshIdempotencyKey"})
_INPUT_PROBLEMS = ("validation-failed",)
_WAITING_PROBLEMS = ("too-many-streams", "server-busy")
_HEADER_PROBLEMS = {
    "IfMatch": ("malformed-if-match", "stale-version"),
    "FreshIdempotencyKey": ("weak-idempotency-key", "idempotency-key-spent"),
    "LastEventId": _WAITING_PROBLEMS,
}
"""The problems that each header of an operation can cause."""
_TOKEN_PROBLEMS: tuple[str, ...] = ("unauthenticated", "insufficient-scope")
_HEADERS = "headers"
_PROBLEMS = "problems"


# flask-smorest calls these for each operation, to complete its part of the document.


def _document_headers(
    doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: object
) -> dict[str, object]:
    if headers := doc_info.get(_HEADERS):
        doc["parameters"] = [*doc.get("parameters", []), *headers]
    return doc


def _document_problems(
    doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: object
) -> dict[str, object]:
    """Document the codes; `openapi.attach_examples` turns them into responses."""
    answers = {status: doc["responses"][status] for status in doc_info["success_status_codes"]}
    codes = sorted(doc_info[_PROBLEMS], key=list(problems.PROBLEMS).index)
    return {**doc, "responses": answers, "x-problem-codes": codes}


def _document_security(
    doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **kwargs: object
) -> dict[str, object]:
    """Document the rule that `auth.authorize` enforces."""
    rule = doc_info[auth.DECLARATION]
    secured: list[dict[str, list[str]]] = []
    if rule.required:
        secured = [{"token": list(rule.scopes_for(method.upper()))}]
    doc["security"] = [{}, *secured] if rule.optional else secured
    return doc
