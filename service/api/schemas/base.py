"""The bases of the schemas that check requests."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple, TypeVar

from marshmallow import RAISE, Schema, ValidationError, validates_schema

Base = TypeVar("Base", bound=Schema)


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


class Input(Schema):
    """The base of all requests. Unknown fields are rejected.

    The docstring and the text below each field describe it in the document.
    """

    alternatives: ClassVar[tuple[Alternative, ...]] = ()
    """The forms that a body can have, if there are several. Declared once, checked here and
    documented by `openapi.details`. No body fits two of them."""
    keywords: ClassVar[Mapping[str, object]] = {}
    """JSON Schema keywords for the whole object. They only appear in the document; the schema's own
    validators check them."""

    error_messages: ClassVar = {"type": "Must be an object."}  # type: ignore[misc]

    class Meta:
        unknown = RAISE

    @validates_schema(pass_original=True)
    def _check_alternatives(
        self, data: object, original: Mapping[str, object], **kwargs: object
    ) -> None:
        if not self.alternatives:
            return
        distinguishing = distinguishing_members(self.alternatives)
        if not any(form.fits(original, distinguishing) for form in self.alternatives):
            forms = "; ".join(map(str, self.alternatives))
            raise ValidationError(f"Must have exactly one of: {forms}.")


class ChangeInput(Input):
    """The base of changes: at least one member has to be given."""

    keywords: ClassVar = {"minProperties": 1}

    @validates_schema
    def _not_empty(self, data: dict[str, object], **kwargs: object) -> None:
        if not data:
            raise ValidationError(f"Must have at least one of: {', '.join(self.fields)}.")


def distinguishing_members(alternatives: tuple[Alternative, ...]) -> frozenset[str]:
    """The members by which these forms differ."""
    return frozenset(name for form in alternatives for name in (*form.required, *form.optional))


def subclasses(base: type[Base]) -> Iterator[type[Base]]:
    """All schemas that extend this one."""
    for subclass in base.__subclasses__():
        yield subclass
        yield from subclasses(subclass)
