"""The document as Markdown for people: a page for each tag, with its operations and objects."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Json = Mapping[str, Any]

_REFERENCE: Final = re.compile(r"#/components/(\w+)/([\w-]+)")
FIRST: Final = ("players", "games", "play", "history", "stream")
"""The tags that newcomers need, in this order."""
_SUCCESS: Final = re.compile("[23]")


def pages(document: Json) -> dict[str, str]:
    """Return the text of each tag's page, without its title.

    An object appears on the page of the first tag whose operations use it, directly or not.
    """
    home: dict[str, str] = {}
    tags = [*FIRST, *(tag["name"] for tag in document["tags"] if tag["name"] not in FIRST)]
    operations: dict[str, list[tuple[str, str, Json]]] = {tag: [] for tag in tags}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, Mapping):
                operations[operation["tags"][0]].append((method.upper(), path, operation))
    for tag, own in operations.items():
        for name in _schemas_in([each for _, _, each in own], document):
            home.setdefault(name, tag)
    return {tag: _page(document, tag, own, home) for tag, own in operations.items()}


def _schemas_in(part: object, document: Json, seen: set[str] | None = None) -> Iterator[str]:
    """Yield the names of the schemas that a part of the document refers to, each once."""
    seen = set() if seen is None else seen
    for kind, name in _REFERENCE.findall(json.dumps(part)):
        if (kind, name) == ("schemas", "Problem") or f"{kind}/{name}" in seen:
            continue
        seen.add(f"{kind}/{name}")
        if kind == "schemas":
            yield name
        yield from _schemas_in(document["components"][kind][name], document, seen)


def _page(
    document: Json, tag: str, operations: Sequence[tuple[str, str, Json]], home: Mapping[str, str]
) -> str:
    schemas = document["components"]["schemas"]
    parts = [_operation(document, *each, home) for each in operations]
    own = [name for name, place in home.items() if place == tag]
    parts += ["## Objects"] * bool(own)
    parts += [f"### {name}\n\n{_schema(schemas, name, home)}" for name in own]
    return "\n\n".join(parts)


def _operation(
    document: Json, method: str, path: str, operation: Json, home: Mapping[str, str]
) -> str:
    (tag, *_), name = operation["tags"], operation["operationId"]
    scopes = [
        " and ".join(f"`{one}`" for one in each.get("token", ())) for each in operation["security"]
    ]
    named = " or ".join(filter(None, scopes))
    token = f"Needs a token with {named}." if named else "Needs no token."
    if named and "" in scopes:
        token = f"Takes a token with {named}, or none."
    lines = [
        f"## {operation['summary']}",
        f"`{method} {path}`",
        operation.get("description", ""),
        f"{token} Its name is `{name}`; [try it](/docs/console#/{tag}/{name}).",
    ]
    given = [_resolved(document, each) for each in operation.get("parameters", ())]
    rows = [
        (f"`{each['name']}`", each["in"], _type(each["schema"], home), each.get("description", ""))
        for each in given
    ]
    lines.append(_table(("parameter", "in", "type", "meaning"), rows))
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        optional = "" if operation["requestBody"].get("required") else ", may be left out"
        lines.append(f"**Body** (`{media}`{optional}): {_type(content['schema'], home)}")
    for status, answer in operation["responses"].items():
        if _SUCCESS.match(status):
            lines.append(_answer(status, _resolved(document, answer), home))
    codes = [f"[`{code}`](/docs/problems#{code})" for code in operation["x-problem-codes"]]
    lines.append(f"**Problems**: {', '.join(codes)}" if codes else "")
    return "\n\n".join(line for line in lines if line)


def _answer(status: str, answer: Json, home: Mapping[str, str]) -> str:
    types = [
        f"{_type(each['schema'], home)} (`{media}`)"
        for media, each in answer.get("content", {}).items()
    ]
    headers = [
        f"`{name}`" for name in answer.get("headers", ()) if not name.startswith("RateLimit")
    ]
    with_headers = f"; headers {', '.join(headers)}" if headers else ""
    return f"**{status}**: {' or '.join(types) or answer['description']}{with_headers}"


def _schema(schemas: Json, name: str, home: Mapping[str, str]) -> str:
    """Return the members of a schema as Markdown; if it extends another schema, a link replaces the
    members of that."""
    schema = schemas[name]
    parents = [_type(each, home) for each in schema.get("allOf", ()) if "$ref" in each]
    own = [each for each in (schema, *schema.get("allOf", ())) if "properties" in each]
    rows = [
        (
            f"`{name}`",
            _type(each, home),
            _meaning(
                {**schemas.get(each.get("$ref", "").rpartition("/")[2], {}), **each},
                name in part.get("required", ()),
            ),
        )
        for part in own
        for name, each in part["properties"].items()
    ]
    example = next(iter(schema.get("examples", ())), None)
    parts = [
        schema.get("description", ""),
        f"The members of {' and '.join(parents)}, and:" if parents else "",
        _table(("member", "type", "meaning"), rows) if rows else _type(schema, home),
        f"```json\n{json.dumps(example, ensure_ascii=False, indent=2)}\n```" if example else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _meaning(schema: Json, required: bool) -> str:
    default = f" Default: `{json.dumps(schema['default'])}`." if "default" in schema else ""
    return f"{schema.get('description', '')}{default}{'' if required else ' *Optional.*'}".strip()


def _type(schema: Json, home: Mapping[str, str]) -> str:
    """Return a schema in a few words, with links to the objects it names."""
    if match := _REFERENCE.match(schema.get("$ref", "")):
        name = match[2]
        return f"[{name}](/docs/api/{home[name]}#{name.lower()})" if name in home else name
    if values := schema.get("enum", schema.get("x-extensible-enum")):
        words = ", ".join(f"`{json.dumps(each)}`" for each in values)
        return words if "enum" in schema else f"{words}, or others"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(each, home) for each in schema[key]))
    types = schema.get("type", "any")
    words = " or ".join([types] if isinstance(types, str) else types)
    if "items" in schema:
        return f"{words} of {_type(schema['items'], home)}"
    if isinstance(values := schema.get("additionalProperties"), Mapping) and values:
        return f"{words} of {_type(values, home)}"
    return f"{words} ({schema['format']})" if "format" in schema else words


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _resolved(document: Json, part: Json) -> Json:
    if match := _REFERENCE.match(part.get("$ref", "")):
        return dict(document["components"][match[1]][match[2]])
    return part
