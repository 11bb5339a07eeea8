"""flask-smorest, fitted to this API: problems instead of its errors, and bodies read strictly."""

import json
import math
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypeVar

import flask_smorest
from flask import Request, request
from flask_smorest.utils import prepare_response
from marshmallow import RAISE, Schema
from webargs import core
from webargs.flaskparser import FlaskParser, abort

from service.api import access, outputs, paths, problem
from service.api.access import Needed

View = TypeVar("View", bound=Callable[..., Any])

TOKEN = Needed()
"""An operation that takes a token: `games:read` for a GET, else `games:play`."""
PUBLIC = Needed(token=False)
"""An operation that takes no token."""
OPTIONAL = Needed(optional=True)
"""An operation that also answers without a token, as to a spectator."""
ACCOUNT = Needed(scope="account")
"""An operation on the caller's account."""


class BodyParser(FlaskParser):
    """Reads JSON bodies strictly: the media type, the text, the characters."""

    DEFAULT_UNKNOWN_BY_LOCATION = FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION | {"query": RAISE}

    def __init__(self) -> None:
        super().__init__()
        self._defaults: dict[Schema, dict[str, Any]] = {}

    def parse(self, argmap: Any, *args: Any, **options: Any) -> Any:
        """As in webargs; what an empty query comes to is worked out only once."""
        if options.get("location") != "query" or request.query_string:
            return super().parse(argmap, *args, **options)
        if argmap not in self._defaults:
            self._defaults[argmap] = super().parse(argmap, *args, **options)
        return dict(self._defaults[argmap])

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if not body:
            return core.missing
        if req.content_length is None and len(body) >= (req.max_content_length or math.inf):
            # Of a body sent in chunks no more than this is read.
            abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if not core.is_json(req.mimetype):
            abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return read_json(body)

    def _handle_invalid_json_error(self, error: Exception, *args: Any, **kwargs: Any) -> Any:
        raise problem.malformed_json()


def read_json(body: bytes) -> Any:
    """The value of a JSON text. Raises `Refused` for anything that is not one, or is no Unicode."""
    try:
        value = json.loads(body.decode(), parse_constant=_no_number)
        if b"\\u" in body:
            # A lone surrogate can be escaped in JSON, but never be written out again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise problem.malformed_json() from None
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


class Api(flask_smorest.Api):
    """The document and the resources; every error is told by `service.api.problem`."""

    ERROR_SCHEMA = outputs.Problem
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        problem.register(self._app)

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            answer: dict[str, Any] = {"description": status.phrase}
            if status >= HTTPStatus.BAD_REQUEST:
                answer["schema"] = outputs.Problem
            prepare_response(answer, self.spec, problem.MIMETYPE)
            self.spec.components.response(status.name, answer, lazy=True)


class Blueprint(flask_smorest.Blueprint):
    """A group of operations."""

    ARGUMENTS_PARSER = BodyParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks += [_with_headers, _with_security]
        self.before_request(access.admit)
        self.before_request(paths.check)

    def response(self, *args: Any, **options: Any) -> Callable[[View], View]:
        """Document what the operation answers; it gives a `Response` itself."""
        return _documenting(super().response(*args, **options))

    def alt_response(self, *args: Any, **options: Any) -> Callable[[View], View]:
        """Document what else the operation answers."""
        return _documenting(super().alt_response(*args, **options))

    def body(self, schema: type[Schema], required: bool = True) -> Callable[[View], View]:
        """The operation takes a JSON body of this schema; not `required`: it may be left out."""

        def decorate(view: View) -> View:
            parsed: View = self.arguments(schema(), required=required)(view)
            return self._refusing(parsed, _BODY_REFUSALS)

        return decorate

    def query(self, schema: type[Schema]) -> Callable[[View], View]:
        """The operation takes query parameters of this schema."""
        decorate: Callable[[View], View] = self.arguments(schema(), location="query")
        return decorate

    def operation(
        self,
        name: str,
        *refusals: int,
        headers: tuple[str, ...] = (),
        security: Needed = TOKEN,
    ) -> Callable[[View], View]:
        """Document an operation: its id, the statuses it may refuse with, the headers it reads,
        and the token that it takes, which is enforced too.

        `headers` are names of the document's parameter components.
        """
        admission = _ADMISSION if security.token else ()
        of_headers = [status for header in headers for status in _HEADER_REFUSALS.get(header, ())]

        def decorate(view: View) -> View:
            named = self.doc(operationId=name)(view)
            named._apidoc[_HEADERS] = headers
            named._apidoc[access.DECLARED] = security
            refusing: View = self._refusing(
                named, {*refusals, *of_headers, *admission, *_EVERYWHERE}
            )
            return refusing

        return decorate

    def _refusing(self, view: View, statuses: Iterable[int]) -> View:
        for status in sorted(statuses):
            self.alt_response(status, response=HTTPStatus(status).name)(view)
        return view


def _documenting(decorate: Callable[[View], View]) -> Callable[[View], View]:
    """Only the documentation is wanted, not a wrapper for each part of it at each request."""

    def documented(view: View) -> View:
        view._apidoc = decorate(view)._apidoc  # type: ignore[attr-defined]
        return view

    return documented


_BODY_REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
_HEADER_REFUSALS = {
    "IfMatch": (HTTPStatus.BAD_REQUEST, HTTPStatus.PRECONDITION_FAILED),
    "IdempotencyKey": (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY),
    "LastEventId": (HTTPStatus.BAD_REQUEST,),
}
"""What may be wrong with the headers that an operation reads."""
_ADMISSION = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_EVERYWHERE = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_HEADERS = "headers"


def _with_headers(doc: dict[str, Any], doc_info: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """flask-smorest's way to add to the document of an operation."""
    if headers := doc_info.get(_HEADERS):
        doc["parameters"] = [*doc.get("parameters", []), *headers]
    return doc


def _with_security(
    doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **kwargs: Any
) -> dict[str, Any]:
    """What `access.admit` enforces."""
    needed = doc_info[access.DECLARED]
    secured: list[dict[str, list[str]]] = []
    if needed.token:
        secured = [{"token": [needed.scope_of(method.upper())]}]
    doc["security"] = [{}, *secured] if needed.optional else secured
    return doc
