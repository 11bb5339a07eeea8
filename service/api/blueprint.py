"""Declares operations: their inputs, their answers and their problems.

What a view takes and gives is declared by its parameters, by what it returns and by the decorator
(`Operation`): `openapi.document` writes the document from that, and `auth.authorize` enforces the
token. A view gets one wrapper at most, which reads its body or query and makes the response.
Answers are plain data, written by orjson: dumping a game view through its schema takes longer than
everything else in the request, so mypy and tests check the answers instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from types import MappingProxyType
from typing import Annotated, NamedTuple, TypeVar, cast, get_args, get_origin

import flask
from flask import Response
from marshmallow import Schema

from service.accounts.tokens import SCOPES
from service.api import auth, parsing
from service.api.auth import TokenRule
from service.api.headers import ETAG, LOCATION, PAGED, answered_once
from service.api.responses import Created, PageOf, response_of
from service.api.schemas.fields import schema_of
from service.core.shapes import required
from service.games import StoredGame
from service.games.shapes import GameShape

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

JSON = "application/json"


class DeclaredAnswer(NamedTuple):
    """An answer in one media type; `schema` is a shape, or a JSON schema where it is a dictionary.

    `headers` map names to components of the document."""

    status: int
    schema: type | dict[str, str] | None
    content_type: str
    headers: Mapping[str, str]


@dataclass
class Operation:
    """What a view takes and gives, as its decorators declare it."""

    id: str = ""
    security: TokenRule = TOKEN
    headers: tuple[str, ...] = ()
    problems: set[str] = field(default_factory=set)
    body: type | None = None
    body_required: bool = True
    query: type | None = None
    answers: list[DeclaredAnswer] = field(default_factory=list)


def operation_of(view: Callable[..., object]) -> Operation:
    """What is declared of this view so far."""
    return cast(Operation, view.__dict__.setdefault(auth.DECLARATION, Operation()))


class Blueprint(flask.Blueprint):
    """A group of operations: `operations` are rules, methods and views, in their order."""

    def __init__(self, name: str, import_name: str, *, description: str) -> None:
        super().__init__(name, import_name)
        self.description = description
        self.operations: list[tuple[str, str, Callable[..., object]]] = []
        self.before_request(auth.authorize)
        self.before_request(parsing.check_ids)
        self.before_request(parsing.check_query)

    def operation(
        self,
        route: str,
        name: str,
        problems: str = "",
        *,
        headers: str = "",
        security: TokenRule = TOKEN,
        cached: bool = False,
    ) -> Callable[[View], View]:
        """Register an operation: its method and path, its id, the codes of its problems, the
        headers it reads, both as words, and the token it takes (also enforced).

        Leave out codes that follow from the headers, the body, the query or the token, and those
        that any operation may respond with. `headers` are names of the document's parameter
        components. A view with the parameter `body` or `query`, its first, gets the loaded JSON
        body or query parameters, of the shape that annotates it. `cached` is for operations whose
        clients often send the same few bodies, such as moves. What the view returns declares the
        answer (`_declared`), unless it is a `Response`, which `response` describes.

        A write that reads no `Idempotency-Key` itself, in one step with what it does, is repeatable
        all the same (`headers.answered_once`).
        """
        method, _, rule = route.partition(" ")
        register = self.route(rule, methods=[method])

        def decorate(view: View) -> View:
            operation = operation_of(view)
            operation.id, operation.security = name, security
            operation.headers = read = tuple(headers.split())
            operation.problems.update(
                problems.split(), *(_HEADER_PROBLEMS.get(h, ()) for h in read)
            )
            if security.required:
                operation.problems.update(_TOKEN_PROBLEMS[: 1 if security.any_scope else None])
            view = _as_view(view, operation, method, cached)
            self.operations.append((rule, method, view))
            if method == "GET" or not _KEYS.isdisjoint(read):
                register(view)  # type: ignore[type-var]
                return view
            # Without a token, the only thing to begin with is one: it comes with the answer.
            fresh = not security.required
            operation.headers += ("FreshIdempotencyKey" if fresh else "IdempotencyKey",)
            if fresh:
                operation.problems.add("weak-idempotency-key")
            register(answered_once(cast(Callable[..., Response], view), fresh=fresh))
            return view

        return decorate

    def response(
        self,
        status: int,
        schema: type | dict[str, str] | None = None,
        *,
        content_type: str = JSON,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Callable[[View], View]:
        """Declare an answer of the operation, or a further media type of it. The view returns a
        `Response` itself."""

        def decorate(view: View) -> View:
            operation_of(view).answers.insert(
                0, DeclaredAnswer(status, schema, content_type, headers)
            )
            return view

        return decorate


def _as_view(view: View, operation: Operation, method: str, cached: bool) -> View:
    """Let the view be called with the body or the query that it takes, loaded from the request, and
    make a response of what it returns."""
    read = _reader(view, operation, method, cached)
    declared = _declared(view.__annotations__["return"])
    operation.answers += declared
    if not declared and read is None:
        return view
    status, name = declared[0].status if declared else 200, _listed(declared)

    @wraps(view)
    def answering_view(*args: object, **path: object) -> Response:
        result = view(*args, **path) if read is None else view(read(), *args, **path)
        return response_of(result, status, name)

    return cast(View, answering_view)


def _reader(
    view: Callable[..., object], operation: Operation, method: str, cached: bool
) -> Callable[[], dict[str, object]] | None:
    """What reads the view's body or query; None if it takes neither."""
    shapes = view.__annotations__
    read: Callable[[Schema], dict[str, object]] = parsing.query_of
    if shape := shapes.get("query"):
        operation.query, schema = shape, schema_of(shape, query=True)()
        operation.problems.update(_WAITING_PROBLEMS if "wait" in schema.fields else ())
    elif shape := shapes.get("body"):
        operation.body, schema = shape, schema_of(shape)()
        # A body that may be empty may be left out, unless it replaces what is there.
        operation.body_required = method == "PUT" or bool(schema.validate({}))
        read = parsing.body_of if operation.body_required else parsing.body_if_any
        read = parsing.cached_body_of if cached else read
    else:
        return None
    operation.problems.update(_INPUT_PROBLEMS)
    return partial(read, schema)


def _declared(returned: object, status: int | None = None) -> list[DeclaredAnswer]:
    """The answer that a view declares by what it returns: a shape, with another status in
    `Annotated`; a game; `Created` or `PageOf`; None for 204. None of these for a `Response`."""
    origin, args = get_origin(returned), get_args(returned)
    if returned is Response:
        return []
    if returned is None:
        return [DeclaredAnswer(204, None, JSON, {})]
    if origin is Annotated:
        shape, status = args
        return _declared(shape, status)
    if origin is Created:
        (answer,) = _declared(args[0], status or 201)
        return [answer._replace(headers={**answer.headers, **LOCATION})]
    shape = GameShape if returned is StoredGame else args[0] if origin is PageOf else returned
    headers = ETAG if returned is StoredGame else PAGED if origin is PageOf else {}
    return [DeclaredAnswer(status or 200, cast(type, shape), JSON, headers)]


def _listed(declared: list[DeclaredAnswer]) -> str:
    """The member with the items of a page; `""` for other answers."""
    paged = [each.schema for each in declared if each.headers == PAGED]
    return next((name for shape in paged for name in required(cast(type, shape)) - {"next"}), "")


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
