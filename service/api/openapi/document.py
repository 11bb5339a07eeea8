"""The OpenAPI document, generated from the resources: `python -m service.api` prints it."""

from pathlib import Path
from typing import Any, Final

import yaml
from flask import Flask

from service.api import paths, problems
from service.api.blueprint import Api
from service.api.bodies import described
from service.api.endpoints.history import EVENT_ID
from service.api.headers import HEADERS
from service.api.openapi.illustrations import illustrated
from service.api.openapi.links import linked
from service.api.openapi.resources import BLUEPRINTS
from service.api.responses import IF_MATCH, MAX_KEY
from service.api.schemas.events import with_types
from service.games.projections.feed_log import CURSOR

PREFIX: Final = "/v1"

_GUIDE: Final = Path(__file__).with_name("guide.md")
"""What every client has to know: the document's description."""

_PARAMETERS: Final = {
    "IfMatch": (
        "If-Match",
        "The version that the caller saw; refused with 412 if the game has moved on.",
        {"type": "string", "pattern": IF_MATCH},
        '"42"',
    ),
    "IfNoneMatch": (
        "If-None-Match",
        "The version that the caller has; answered with 304 if it is the current one.",
        {"type": "string"},
        '"42"',
    ),
    "LastEventId": (
        "Last-Event-ID",
        "The id of the last message that came over the stream: go on after it.",
        {"type": "string", "pattern": f"^({EVENT_ID})?$"},
        "42",
    ),
    "LastPlace": (
        "Last-Event-ID",
        "The id of the last message that came over the stream: go on after it.",
        {"type": "string", "pattern": f"^({CURSOR})?$"},
        "k3v7q2xa.42",
    ),
    "IdempotencyKey": (
        "Idempotency-Key",
        "The caller's own name for this request, so that it can be sent again.",
        {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[ -~]+$"},
        "3f2c8a0e",
    ),
    "FreshIdempotencyKey": (
        "Idempotency-Key",
        "The caller's own name for this request, so that it can be sent again within a day. Nobody"
        " else must be able to guess it: a new random UUID, 32 or more random hexadecimal digits,"
        " or 22 or more random characters of base64.",
        {"type": "string", "minLength": 22, "maxLength": MAX_KEY, "pattern": "^[ -~]+$"},
        "0b5dbd6c-2f0c-4c4e-9a52-8d6e5f0f7a31",
    ),
}


def serve(app: Flask) -> None:
    """Serve every resource. The document of them takes long to make, so it is made when asked for,
    by an application of its own."""
    paths.register(app)
    problems.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=PREFIX)


def _documented() -> dict[str, Any]:
    """The document of every resource, as it is generated."""
    app = Flask(__name__)
    api = Api(app, spec_kwargs=_specification())
    paths.register(app)
    paths.describe(api)
    for name, (header, description, schema, example) in _PARAMETERS.items():
        parameter = {
            "name": header,
            "description": description,
            "schema": schema,
            "example": example,
        }
        api.spec.components.parameter(name, "header", parameter)
    for name, described_header in HEADERS.items():
        api.spec.components.header(name, described_header)
    token = {"type": "http", "scheme": "bearer", "description": "From `POST /v1/players`."}
    api.spec.components.security_scheme("token", token)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint, url_prefix=PREFIX)
    document: dict[str, Any] = api.spec.to_dict()
    del document["components"]["schemas"]["PaginationMetadata"]  # flask-smorest's own way to page
    return document


def text() -> str:
    """The document as YAML."""
    document = with_types(described(linked(illustrated(_documented()))))
    document = {"openapi": document.pop("openapi"), **document}
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def _specification() -> dict[str, Any]:
    return {
        "title": "Scottenbury",
        "version": "1",
        "openapi_version": "3.1.0",
        "info": {
            "description": _GUIDE.read_text(),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
    }


class _Dumper(yaml.SafeDumper):
    """Writes every part out: aliases are hard to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _several_lines(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style)


_Dumper.add_representer(str, _several_lines)
