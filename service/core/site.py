"""A site of parts, each built at its first use from the others that it needs."""

import inspect
from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any, ClassVar, Generic, TypeVar

T = TypeVar("T")
_BUILDING = RLock()


class Part(Generic[T]):
    """A part of a `Site`, as its attribute: what `make` returns, called once for each site.

    Each parameter gets what `given` makes of the site, or else the part made by its type, or else
    the site's attribute, or setting, of its name without underscores in front.
    """

    def __init__(self, make: Callable[..., T], **given: Callable[[Any], object]) -> None:
        self.make = make
        self._given = given

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, site: "Site", owner: type) -> T:
        with _BUILDING:
            if self._name not in vars(site):  # found first from now on
                found = {need.name: self._found(site, need) for need in self._needs}
                vars(site)[self._name] = self.make(
                    **{name: value for name, value in found.items() if value is not inspect._empty}
                )
        built: T = vars(site)[self._name]
        return built

    @cached_property
    def _needs(self) -> list[inspect.Parameter]:
        return list(inspect.signature(self.make).parameters.values())

    def _found(self, site: "Site", need: inspect.Parameter) -> object:
        if need.name in self._given:
            return self._given[need.name](site)
        return site.part_for(need.annotation, need.name.lstrip("_"), need.default)


class Site:
    """Parts, and those of the site below it, if any."""

    below: "Site | None" = None
    _names: ClassVar[dict[object, str]]

    def __init_subclass__(cls) -> None:
        parts = ((name, part) for name, part in vars(cls).items() if isinstance(part, Part))
        cls._names = {part.make: name for name, part in parts}

    def part_for(self, kind: object, name: str, default: object) -> object:
        """The part that is made by `kind`, or else the attribute or setting of this name."""
        if kind in self._names:
            return getattr(self, self._names[kind])
        for source in (self, getattr(self, "settings", None)):
            if hasattr(source, name):
                return getattr(source, name)
        return default if self.below is None else self.below.part_for(kind, name, default)
