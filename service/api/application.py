"""The Flask application, with hooks that are plain functions of the request.

Flask's own hooks take no arguments: each would look the request up again, with three calls. Headers
that do not depend on the response are added at its very end: werkzeug checks and copies each header
of a response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from http import HTTPStatus
from time import thread_time
from typing import TYPE_CHECKING, Any, Final, cast

import flask
from flask import Flask, Response, has_request_context
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, Rule

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from service.accounts.tokens import Access
    from service.api.request_counts import Count
    from service.core.redis.batch import Batch, Pending
    from service.games import StoredGame
    from service.games.writer import ChangeFacts

Header = tuple[str, str]
Environ = dict[str, Any]

_PATHS: Final = 1 << 12
"""The most URLs that a process caches."""
_LONGEST_PATH: Final = 100
"""The most characters of a request's path whose route is cached."""
_ADDED: Final = "scottenbury.headers"
"""Key in the WSGI environment: the headers to add to the response unless it has them."""


class Request(flask.Request):
    """A request, and the facts that its checks look up on the way to the view."""

    id = ""
    began = 0.0
    """Value of `time.perf_counter()`, in seconds, when the request began."""
    processor_began = 0.0
    """Value of `time.thread_time()`, in seconds, when the request was counted."""
    access: Access | None = None
    """The access rights of the token that admitted the request; None without one."""
    token: tuple[Access | None] | None = None
    """The access rights of its bearer token, in a tuple once the token was looked up; None before.
    """
    prefetched_game: Pending[StoredGame | None] | None = None
    prefetched_facts: Callable[[], ChangeFacts] | None = None
    count_along: Callable[[Batch, str | None], None] | None = None
    """Adds the query that counts the request to a batch; None if the request is not to be counted,
    or was counted already."""
    counts: Sequence[Count] = ()
    no_store = False
    """Whether no cache may store the response."""
    no_tag = False
    """Whether the response gets no ETag, because it may change although the game's version stays.
    """

    @cached_property
    def blueprints(self) -> list[str]:
        """The blueprints of the view, the innermost first."""
        return super().blueprints

    def add_headers(self, *headers: Header) -> None:
        """Add headers to the response, unless it has them."""
        self.environ[_ADDED].extend(headers)


class RoutedContext(RequestContext):
    """Flask's context of a request, whose route is looked up in a cache first: most requests are
    for the same few games."""

    app: Application

    def match_request(self) -> None:
        """Set the request's route, or the exception that says why there is none."""
        path = self.request.path
        if len(path) <= _LONGEST_PATH:
            try:
                rule, values = self.app.route_of(path, self.request.method)
            except HTTPException:
                pass  # it may name the host: the request's own routes raise it
            else:
                self.request.url_rule, self.request.view_args = rule, {**values}
                return
        super().match_request()


class WholeResponse(Response):
    """A response that is sent as it stands if it is whole: werkzeug would copy its headers, check
    each again, and make three iterators of its body."""

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Send the response (PEP 3333)."""
        is_whole = isinstance(self.response, list) and "Content-Length" in self.headers
        is_plain = self.status_code == HTTPStatus.OK and environ["REQUEST_METHOD"] != "HEAD"
        if not (is_whole and is_plain) or self._on_close:
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return cast(list[bytes], self.response)


class Route(Rule):
    """A rule that compiles its URL builders on first use.

    Werkzeug compiles two functions for each rule, which is half of the time needed to build the
    application; most are never called.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class Templates(flask.templating.Environment):
    """Jinja's environment with plain dictionaries for globals: with each of the eight imports of a
    game's page it compares their names, which takes 4 % of the page with its own maps."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template. Those of the environment are all set before."""
        return {**self.globals, **(d or {})}

    def compile(self, *given: Any, **options: Any) -> Any:
        """Compile a template, of whose time the request that needs it first is not charged: after
        a start a page's take half a second on a small machine."""
        began = thread_time()
        compiled = super().compile(*given, **options)
        if has_request_context():
            current_request().processor_began += thread_time() - began
        return compiled


class Application(Flask):
    """Flask without parts that no view here uses: sessions, coroutines, and subdomains.

    `checks` run in their order before those of the blueprint, and may return a response;
    `finishers` run in reverse order on each response; `header_sources` return headers for every
    response, by the request's path.
    """

    jinja_environment = Templates
    request_class = Request
    response_class = WholeResponse
    url_rule_class = Route

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.checks: list[Callable[[Request], Response | None]] = []
        self.finishers: list[Callable[[Request, Response], Response]] = []
        self.header_sources: list[Callable[[str], Iterable[Header]]] = []
        self._paths = lru_cache(_PATHS, typed=True)(super().url_for)
        self.route_of = lru_cache(_PATHS)(self._route_of)

    def url_for(self, /, endpoint: str, **values: Any) -> str:
        """Return the URL of an endpoint, as Flask's own method does.

        A game's page has some seventy links, most of them the same each time: paths are cached.
        """
        is_path = has_request_context() and not ("_external" in values or endpoint[0] == ".")
        if is_path and not any(isinstance(value, list) for value in values.values()):
            return self._paths(endpoint, **values)
        return super().url_for(endpoint, **values)

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        """Return the function unchanged: none here is a coroutine."""
        return func

    def wsgi_app(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve a request (PEP 3333)."""
        path = environ.get("PATH_INFO", "")
        added = environ[_ADDED] = [pair for of in self.header_sources for pair in of(path)]

        def start(status: str, headers: list[Header], *rest: Any) -> Any:
            given = {name for name, _ in headers}
            headers += [header for header in added if header[0] not in given]
            return start_response(status, headers, *rest)

        return super().wsgi_app(environ, start)

    def request_context(self, environ: Environ) -> RoutedContext:
        """Return the context of a request."""
        return RoutedContext(self, environ)

    def _route_of(self, path: str, method: str) -> tuple[Rule, Mapping[str, Any]]:
        """Return the route of a path, and the values in it. Raises werkzeug's exceptions."""
        routes = MapAdapter(self.url_map, "", "/", "", "http", path, method)
        return routes.match(return_rule=True)

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        """Return the routes for this request. Flask's own method reads host and path again.

        The site is at the root of its host: a prefix that a request names is in no link, as links
        are cached for everybody.
        """
        if request is None:
            return super().create_url_adapter(None)
        query = request.query_string.decode(errors="replace")
        # Not `bind`, which encodes the host's name anew for each request.
        return MapAdapter(
            *(self.url_map, request.host, "/", "", request.scheme),
            *(request.path, request.method, query),
        )

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Run all checks, then the blueprint's; return the first response, None without any."""
        request = current_request()
        for check in self.checks:
            if (answer := check(request)) is not None:
                return answer
        for name in reversed(request.blueprints):
            for before in self.before_request_funcs.get(name, ()):
                if (given := before()) is not None:
                    return given  # type: ignore[return-value]
        return None

    def process_response(self, response: Response) -> Response:
        """Run the functions of blueprints on the response, then all finishers."""
        request = current_request()
        for name in (*request.blueprints, None):
            for after in reversed(self.after_request_funcs.get(name, ())):
                response = after(response)
        for finish in reversed(self.finishers):
            response = finish(request, response)
        return response


def current_request() -> Request:
    """Return the request that this thread serves."""
    current: Request = flask.request._get_current_object()  # type: ignore[attr-defined]
    return current
