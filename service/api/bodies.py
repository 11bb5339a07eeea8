"""The base of what clients send, and how it stands in the document.

JSON Schema says more than a list of fields does, such as which of them exclude each other. It is
declared here once: it is checked as declared, and documented as declared.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from marshmallow import RAISE, Schema, ValidationError, validates_schema

_COMPONENTS: Final = "#/components/schemas/"


class Alternative(NamedTuple):
    """One kind of a body: the members it must and may have, which other kinds have not.

    `flags` are members that are true or false, with the one that they must be if they are given.
    """

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    flags: Mapping[str, bool] = {}

    def __str__(self) -> str:
        further = [name for name in self.optional if name not in self.flags]
        needed = " and ".join(self.required)
        return f"{needed} (optionally {', '.join(further)})" if further else needed

    def fits(self, given: Mapping[str, Any], distinguishing: frozenset[str]) -> bool:
        """Whether the `distinguishing` members of a body make it one of this kind."""
        members = distinguishing & given.keys()
        return (
            members.issuperset(self.required)
            and members.issubset((*self.required, *self.optional))
            and all(given.get(name, value) == value for name, value in self.flags.items())
        )


class Input(Schema):
    """The base of all that clients send. Unknown fields are refused."""

    alternatives: ClassVar[tuple[Alternative, ...]] = ()
    """Of which kinds a body is one; no two fit the same body."""
    keywords: ClassVar[Mapping[str, Any]] = {}
    """What JSON Schema says of the whole beyond its fields, for the document: it is checked by the
    schema's own validators."""

    error_messages: ClassVar = {"type": "Must be an object."}  # type: ignore[misc]

    class Meta:
        unknown = RAISE

    @validates_schema(pass_original=True)
    def _of_one_kind(self, data: Any, original: Mapping[str, Any], **kwargs: Any) -> None:
        kinds = self.alternatives
        if not kinds:
            return
        distinguishing = _distinguishing(kinds)
        if not any(kind.fits(original, distinguishing) for kind in kinds):
            ways = "; ".join(map(str, kinds))
            raise ValidationError(f"Must have exactly one of: {ways}.")


def described(document: dict[str, Any]) -> dict[str, Any]:
    """The document with all that is declared of bodies put into it."""
    schemas = document["components"]["schemas"]
    for kind in _kinds(Input):
        if (found := schemas.get(kind.__name__)) is not None:
            found.update(kind.keywords)
            _tell_defaults(found)
            if kind.alternatives:
                _tell_alternatives(schemas, kind)
    return document


def _kinds(kind: type[Input]) -> Iterator[type[Input]]:
    for narrower in kind.__subclasses__():
        yield narrower
        yield from _kinds(narrower)


def _tell_defaults(schema: dict[str, Any]) -> None:
    """Tell defaults in words: of fields that have the keyword, generators of clients take it that
    they are always there, and ask their users for every one of them."""
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None and default != []:
            said = f"Default: `{str(default).lower()}`."
            field["description"] = " ".join(filter(None, [field.get("description"), said]))


def _tell_alternatives(schemas: dict[str, Any], kind: type[Input]) -> None:
    whole = schemas[kind.__name__]
    for alternative in kind.alternatives:
        schemas[alternative.name] = _described(whole, alternative, kind.alternatives)
    references = [{"$ref": _COMPONENTS + alternative.name} for alternative in kind.alternatives]
    schemas[kind.__name__] = {"oneOf": references}


def _described(
    whole: dict[str, Any], alternative: Alternative, kinds: tuple[Alternative, ...]
) -> dict[str, Any]:
    others = _distinguishing(kinds) - {*alternative.required, *alternative.optional}
    fields = {name: field for name, field in whole["properties"].items() if name not in others}
    for name, value in alternative.flags.items():
        # Generators of clients read no constant in a field that may be left out.
        only = {"const": value} if name in alternative.required else {"not": {"const": not value}}
        fields[name] = {**fields[name], **only}
    required = [*whole.get("required", ()), *alternative.required]
    return {**whole, "properties": fields, "required": required}


def _distinguishing(kinds: tuple[Alternative, ...]) -> frozenset[str]:
    return frozenset(name for kind in kinds for name in (*kind.required, *kind.optional))
