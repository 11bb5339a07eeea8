"""The shapes of answers, each declared once, as a `TypedDict`.

Answers are plain data: dumping a game view through a schema takes longer than everything else in
the request. So mypy checks the functions that make them, tests check them against the document, and
the document has a component for each shape: its docstring and the text below each member describe
it, and what `Annotated` adds to a type are further keywords of JSON Schema.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import getsource
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Json = dict[str, Any]


class Keyword(NamedTuple):
    """A keyword of JSON Schema that `Annotated` adds to a type."""

    name: str
    value: str | int | tuple[str, ...]


Timestamp = Annotated[str, Keyword("format", "date-time")]
"""A moment as RFC 3339 has it, in UTC."""
Day = Annotated[str, Keyword("format", "date")]

_COMPONENTS: Final = "#/components/schemas/"
_TYPES: Final[dict[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def components(shapes: Iterable[type]) -> dict[str, Json]:
    """The JSON schemas of these shapes and of all in them, by name.

    A shape refers to the one that it extends if that is among them, or else has its members too.
    """
    found: dict[str, type] = {}
    left = list(shapes)
    while left:
        shape = left.pop()
        if component_name(shape) not in found:
            found[component_name(shape)] = shape
            left += _shapes_in(*get_type_hints(shape, include_extras=True).values())
    return {name: _component(shape, found) for name, shape in found.items()}


def flags(name: str, members: Iterable[str]) -> type:
    """A shape of yes and no; `descriptions.yaml` describes it and its members."""
    return TypedDict(name, dict.fromkeys(members, bool))  # type: ignore[operator,no-any-return]


def component_name(shape: type) -> str:
    return shape.__name__.removesuffix("Shape")


def reference(shape: type) -> Json:
    return {"$ref": _COMPONENTS + component_name(shape)}


def _component(shape: type, found: dict[str, type]) -> Json:
    parent = next((each for each in _parents(shape) if component_name(each) in found), None)
    inherited = get_type_hints(parent) if parent else {}
    described = words(shape)
    properties = {
        name: _schema(hint) | ({"description": described[name]} if described.get(name) else {})
        for name, hint in get_type_hints(shape, include_extras=True).items()
        if name not in inherited
    }
    schema: Json = {"type": "object", "properties": properties}
    if required := sorted(shape.__required_keys__ & properties.keys()):  # type: ignore[attr-defined]
        schema["required"] = required
    if parent:
        schema = {"allOf": [reference(parent), schema]}
    text = source_of(shape).text
    return {**schema, "description": text} if text else schema


def _schema(hint: Any) -> Json:
    """The JSON schema of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return reference(hint)
    if origin is NotRequired:
        return _schema(args[0])
    if origin is Annotated:
        return _annotated(_schema(args[0]), args[1:])
    if origin is Literal:
        return {**_schema(type(args[0])), "enum": list(args)}
    if origin is list:
        return {"type": "array", "items": _schema(args[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(args[1])}
    if origin in (Union, UnionType):
        return _union([_schema(each) for each in args])
    return {"type": _TYPES[hint]} if hint in _TYPES else {}


def _annotated(schema: Json, added: Iterable[Any]) -> Json:
    for each in added:
        if is_typeddict(each):
            schema = reference(each)
        elif isinstance(each, Keyword):
            schema[each.name] = list(each.value) if isinstance(each.value, tuple) else each.value
        else:
            schema["description"] = each
    return schema


def _union(schemas: list[Json]) -> Json:
    *others, last = schemas
    if last != {"type": "null"} or len(others) > 1:
        return {"oneOf": schemas}
    (schema,) = others
    if "type" not in schema:
        return {"anyOf": schemas}
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **values}


def _shapes_in(*hints: Any) -> Iterator[type]:
    for hint in hints:
        if is_typeddict(hint):
            yield hint
        yield from _shapes_in(*get_args(hint))


class Source(NamedTuple):
    """What the source of a shape says beside types: the names of those that it extends, its
    description, and those of its members."""

    parents: list[str]
    text: str
    members: dict[str, str]


def source_of(shape: type) -> Source:
    """What the source of this class says of it."""
    return _sources(shape.__module__).get(shape.__name__, Source([], "", {}))


def _parents(shape: type) -> list[type]:
    module = sys.modules[shape.__module__]
    return [getattr(module, name) for name in source_of(shape).parents if name != "TypedDict"]


def words(shape: type) -> dict[str, str]:
    """The descriptions of members, inherited ones too."""
    inherited = {name: text for each in _parents(shape) for name, text in words(each).items()}
    return inherited | source_of(shape).members


@cache
def _sources(module: str) -> dict[str, Source]:
    body = ast.parse(getsource(sys.modules[module])).body
    found = {name: Source([], text, {}) for name, text in _texts(body).items()}
    for each in body:
        if isinstance(each, ast.ClassDef):
            parents = [base.id for base in each.bases if isinstance(base, ast.Name)]
            text = " ".join((ast.get_docstring(each) or "").split())
            found[each.name] = Source(parents, text, _texts(each.body))
    return found


def _texts(body: list[ast.stmt]) -> dict[str, str]:
    """The text below each assignment, if any, by the name that is assigned to."""
    texts = {}
    for statement, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            text = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                text = " ".join(str(following.value.value).split())
            (name,) = [each.id for each in ast.walk(statement) if isinstance(each, ast.Name)][:1]
            texts[name] = text
    return texts
