"""A person with a browser that runs no scripts: reads a page by names and presses its buttons."""

from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urlencode

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

_VOID: Final = ("br", "hr", "img", "input", "link", "meta")


class Element:
    """An element of a page."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None") -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @cached_property
    def text(self) -> str:
        """What is read out of it."""
        if self.attributes.get("aria-hidden") == "true":
            return ""
        if self.attributes.get("role") == "img":
            return self.attributes["aria-label"]
        parts = [part if isinstance(part, str) else part.text for part in self.children]
        return " ".join("".join(parts).split()) if self.parent is None else "".join(parts)

    @cached_property
    def name(self) -> str:
        """Its accessible name."""
        return self.attributes.get("aria-label") or " ".join(self.text.split())

    def all(self, *tags: str) -> "Iterator[Element]":
        """The elements of these tags in it, in their order."""
        for child in self.children:
            if isinstance(child, Element):
                if child.tag in tags:
                    yield child
                yield from child.all(*tags)

    def within(self, tag: str) -> "Element | None":
        """The nearest element of this tag around it."""
        around = self.parent
        while around is not None and around.tag != tag:
            around = around.parent
        return around


def _value(control: Element) -> str:
    """What a control of a form sends as the page has it."""
    options = [*control.all("option")]
    chosen = [option for option in options if "selected" in option.attributes] or options
    return (chosen or [control])[0].attributes.get("value", "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self._here = Element("page", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self._here)
        self._here.children.append(element)
        if tag not in _VOID:
            self._here = element

    def handle_endtag(self, tag: str) -> None:
        assert self._here.tag == tag, f"</{tag}> ends <{self._here.tag}>"
        assert self._here.parent is not None
        self._here = self._here.parent

    def handle_data(self, data: str) -> None:
        self._here.children.append(data)


def read(page: str) -> Element:
    """The page as a tree. Fails where an element is not ended."""
    reader = _Reader()
    reader.feed(page)
    assert reader.root is reader._here, f"<{reader._here.tag}> is never ended"
    return reader.root


class Visitor:
    """A person on a page."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self._take(client.get("/"))

    def go(self, path: str) -> None:
        """Open a page."""
        self._take(self._client.get(path, follow_redirects=True))

    def press(self, name: str, /, **typed: str) -> None:
        """Press the one button of this name, with what was typed into its form's fields."""
        button = self.button(name)
        form = self._form_of(button)
        fields = self._fields(form, button, typed)
        action = form.attributes.get("action", self.path).partition("#")[0]
        if form.attributes["method"] == "get":
            self.go(f"{action.partition('?')[0]}?{urlencode(fields)}")
        else:
            self.post(action, fields)

    def post(self, action: str, fields: list[tuple[str, str]]) -> None:
        """Send a form."""
        sent = self._client.post(
            action,
            data=urlencode(fields),
            content_type="application/x-www-form-urlencoded",
            follow_redirects=True,
        )
        self._take(sent)

    def button(self, name: str) -> Element:
        """The one button of this name that can be pressed."""
        found = [button for button in self._buttons if button.name == name]
        assert len(found) == 1, f"{len(found)} buttons {name!r} among {self.buttons}"
        return found[0]

    @property
    def buttons(self) -> list[str]:
        """The names of all buttons that can be pressed, in their order."""
        return [button.name for button in self._buttons]

    @property
    def send_button(self) -> str:
        """The name of the one button that sends the turn, which says what is sent."""
        (name,) = [name for name in self.buttons if name.startswith("Send: ")]
        return name

    @property
    def can_send(self) -> bool:
        """Whether the turn can be sent as it is."""
        return any(name.startswith("Send: ") for name in self.buttons)

    def send(self) -> None:
        """Send the turn."""
        self.press(self.send_button)

    @property
    def hand(self) -> list[str]:
        """The cards in the group `Your hand`."""
        groups = [each for each in self.page.all("div") if each.name == "Your hand"]
        return [button.name for group in groups for button in group.all("button")]

    @property
    def status(self) -> str:
        """What the page says first."""
        (found,) = [p for p in self.page.all("p") if p.attributes.get("role") == "status"]
        return " ".join(found.text.split())

    def fields_of(self, name: str) -> tuple[str, list[tuple[str, str]]]:
        """Where the form of this button goes, and its fields."""
        button = self.button(name)
        form = self._form_of(button)
        return form.attributes.get("action", self.path), self._fields(form, button, {})

    def _fields(
        self, form: Element, pressed: Element, typed: dict[str, str]
    ) -> list[tuple[str, str]]:
        """What a form sends, in the order of the page, as browsers do."""
        fields = []
        for control in self.page.all("input", "select", "button"):
            mine = control is pressed or (
                control.tag != "button" and control.within("form") is form
            )
            if mine and (name := control.attributes.get("name")):
                fields.append((name, typed.get(name, _value(control))))
        return fields

    def _form_of(self, button: Element) -> Element:
        if "form" in button.attributes:
            owner = button.attributes["form"]
            (form,) = [each for each in self.page.all("form") if each.attributes.get("id") == owner]
            return form
        form = button.within("form")
        assert form is not None, f"{button.name} is in no form"
        return form

    def _take(self, answer: TestResponse) -> None:
        self.answer = answer
        self.path = answer.request.path
        self.page = read(answer.text)
        found = self.page.all("button")
        self._buttons = [each for each in found if "disabled" not in each.attributes]
