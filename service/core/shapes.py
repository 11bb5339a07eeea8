"""The shapes of requests and answers, each declared once, as a `TypedDict`.

Both are plain data: dumping a game view through a schema takes longer than everything else in the
request. So mypy checks the functions that make and take them, tests check answers against the
document, and the document has a component for each shape: its docstring and the text below each
member describe it, and what `Annotated` adds to a type are further keywords of JSON Schema, or
checks of requests (`schemas.fields`).
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache, partial
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
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from marshmallow import ValidationError, validate

from engine import Seat

Json = dict[str, Any]
Shape = TypeVar("Shape")


class Keyword(NamedTuple):
    """A keyword of JSON Schema that `Annotated` adds to a type."""

    name: str
    value: Any


Example: Final = partial(Keyword, "example")
"""A keyword that is also the member's value in the example of the whole."""


class Pattern(validate.Validator):
    """The whole text matches `regex`, which must mean the same in JavaScript.

    `description` completes the sentence "Must be …".
    """

    def __init__(self, regex: str, description: str) -> None:
        self.regex = re.compile(regex)
        self._description = description

    def __call__(self, text: str) -> str:
        # Not `match`: in Python `$` also matches before a final line break.
        if self.regex.fullmatch(text) is None:
            raise ValidationError(f"Must be {self._description}.")
        return text


class Reads(NamedTuple):
    """Reads the text of a member. `invalid` is what is said of anything but a text; `keywords` say
    in the document what `read` takes."""

    read: Callable[[str], object]
    invalid: str = "Not a valid string."
    keywords: tuple[Keyword, ...] = ()


class Shown(NamedTuple):
    """A member's value in the example of the whole."""

    value: object


class Default(NamedTuple):
    """What a member of a request is if it is left out."""

    value: object


class Alternative(NamedTuple):
    """One form of a body: the members it must have and may have, which distinguish it from other
    forms.

    `flags` are members with the only value they may have in this form.
    """

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    flags: Mapping[str, object] = {}

    def __str__(self) -> str:
        further = [name for name in self.optional if name not in self.flags]
        needed = " and ".join(self.required)
        return f"{needed} (optionally {', '.join(further)})" if further else needed

    def fits(self, body: Mapping[str, object], distinguishing: frozenset[str]) -> bool:
        """Whether the `distinguishing` members of a body are those of this form."""
        members = distinguishing & body.keys()
        return (
            members.issuperset(self.required)
            and members.issubset((*self.required, *self.optional))
            and all(body.get(name, value) == value for name, value in self.flags.items())
        )


class Rules(NamedTuple):
    """What a request as a whole has to be.

    It has one of the forms `alternatives`, if there are any; no body fits two. A `change` has at
    least one member. `check` raises `ValidationError`; `keywords` say the same in the document.
    Without `defaults` those of the members do not hold. `example` is one of the whole, if it does
    not follow from those of its members.
    """

    alternatives: tuple[Alternative, ...] = ()
    change: bool = False
    check: Callable[[Any], None] | None = None
    keywords: Mapping[str, object] = {}
    defaults: bool = True
    example: Mapping[str, object] | None = None

    @property
    def distinguishing(self) -> frozenset[str]:
        """The members by which the alternatives differ."""
        forms = self.alternatives
        return frozenset(name for form in forms for name in (*form.required, *form.optional))


RULES: Final[dict[type, Rules]] = {}


def rules(*alternatives: Alternative, **others: Any) -> Callable[[type[Shape]], type[Shape]]:
    """Declare the rules of a request."""

    def declare(shape: type[Shape]) -> type[Shape]:
        RULES[shape] = Rules(alternatives, **others)
        return shape

    return declare


def rules_of(shape: type) -> Rules:
    return RULES.get(shape, Rules())


NOW: Final = "2026-11-21T12:00:00Z"
Timestamp = Annotated[str, Keyword("format", "date-time"), Shown(NOW)]
"""A moment as RFC 3339 has it, in UTC."""
Day = Annotated[str, Keyword("format", "date")]

COMPONENTS: Final = "#/components/schemas/"
_TYPES: Final[dict[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def components(shapes: Iterable[type], *, requests: bool = False) -> dict[str, Json]:
    """The JSON schemas of these shapes and of all in them, by name.

    An answer refers to the one that it extends if that is among them, or else has its members too.
    """
    found: dict[str, type] = {}
    left = list(shapes)
    while left:
        shape = left.pop()
        if component_name(shape) not in found:
            found[component_name(shape)] = shape
            left += _shapes_in(*get_type_hints(shape, include_extras=True).values())
    if requests:
        return {name: _request(shape) for name, shape in found.items()}
    return {name: _component(shape, found) for name, shape in found.items()}


def flags(name: str, members: Iterable[str]) -> type:
    """A shape of yes and no, of which a request names some; `descriptions.yaml` describes it and
    its members."""
    asked = name.endswith("Input")
    return TypedDict(name, dict.fromkeys(members, bool), total=not asked)  # type: ignore[operator,no-any-return]


def component_name(shape: type) -> str:
    return shape.__name__.removesuffix("Shape")


def reference(shape: type) -> Json:
    return {"$ref": COMPONENTS + component_name(shape)}


def properties_of(shape: type) -> dict[str, Json]:
    """The JSON schemas of its members."""
    described = words(shape)
    return {
        name: schema_of_type(hint)
        | ({"description": described[name]} if described.get(name) else {})
        for name, hint in get_type_hints(shape, include_extras=True).items()
    }


def _request(shape: type) -> Json:
    """The component of a request. It has all members, and says defaults in words: client generators
    read the keyword `default` as "always present", and ask their users for every such member."""
    properties, rules = properties_of(shape), rules_of(shape)
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    needed = [name for name in properties if name in required(shape)]
    if needed := [name for name in needed if "default" not in properties[name]]:
        schema["required"] = needed
    for field in properties.values():
        default = field.pop("default", None)
        if rules.defaults and isinstance(default, str | int):
            sentence = f"Default: `{str(default).lower()}`."
            field["description"] = " ".join(filter(None, [field.get("description"), sentence]))
    if rules.change:
        schema["minProperties"] = 1
    text = source_of(shape).text
    return {**schema, **rules.keywords, **({"description": text} if text else {})}


def required(shape: type) -> frozenset[str]:
    """Its members that are always there, by default at least."""
    return shape.__required_keys__  # type: ignore[attr-defined,no-any-return]


def _component(shape: type, found: dict[str, type]) -> Json:
    parent = next((each for each in parents(shape) if component_name(each) in found), None)
    inherited = get_type_hints(parent) if parent else {}
    properties = {n: field for n, field in properties_of(shape).items() if n not in inherited}
    schema: Json = {"type": "object", "properties": properties}
    if needed := sorted(required(shape) & properties.keys()):
        schema["required"] = needed
    if parent:
        schema = {"allOf": [reference(parent), schema]}
    text = source_of(shape).text
    return {**schema, "description": text} if text else schema


def schema_of_type(hint: Any) -> Json:
    """The JSON schema of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return reference(hint)
    if origin is NotRequired:
        return schema_of_type(args[0])
    if origin is Annotated:
        return _annotated(schema_of_type(args[0]), args[1:])
    if hint == Seat:
        return {"$ref": f"{COMPONENTS}Seat"}
    if origin is Literal:
        return {**schema_of_type(type(args[0])), "enum": list(args)}
    if origin is list:
        return {"type": "array", "items": schema_of_type(args[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of_type(args[1])}
    if origin in (Union, UnionType):
        return _union([schema_of_type(each) for each in args])
    if hint is date:
        return {"type": "string", "format": "date"}
    return {"type": _TYPES[hint]} if hint in _TYPES else {}


def _annotated(schema: Json, added: Iterable[Any]) -> Json:
    for each in added:
        schema = reference(each) if is_typeddict(each) else schema | _keywords(each, schema)
    return schema


def _keywords(added: object, schema: Json) -> Json:
    """What something that `Annotated` adds means in JSON Schema."""
    found: Json = {}
    match added:
        case str():
            return {"description": added}
        case Keyword(name, value):
            return {name: list(value) if isinstance(value, tuple) else value}
        case Default(value):
            return {"default": value}
        case validate.Length(min=least, max=most):
            of = "Items" if schema["type"] == "array" else "Length"
            found = {f"min{of}": least, f"max{of}": most}
        case validate.Range(min=least, max=most):
            found = {"minimum": least, "maximum": most}
        case validate.OneOf(choices=choices):
            return {"enum": list(choices)}
        case validate.Email():
            return {"format": "email"}
        case Pattern(regex=regex):
            return {"pattern": regex.pattern}
        case Reads(keywords=keywords):
            return dict(keywords)
    return {name: value for name, value in found.items() if value is not None}


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


def parents(shape: type) -> list[type]:
    """The shapes that it extends."""
    module = sys.modules[shape.__module__]
    return [getattr(module, name) for name in source_of(shape).parents if name != "TypedDict"]


def words(shape: type) -> dict[str, str]:
    """The descriptions of members, inherited ones too."""
    inherited = {name: text for each in parents(shape) for name, text in words(each).items()}
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
