"""The text that somebody wrote in an HTML mail, without what it quotes.

Libraries for this print a quotation without any mark, or write marks of their own; here a quotation
is left out, with a mark in its place, and where a mail program begins an unmarked copy of the mail
before, the text ends.
"""

import re
from html.parser import HTMLParser
from typing import Final, NamedTuple

_BREAKS_NAMES: Final = (
    "address article blockquote br center dd div dl dt fieldset figure footer form h1"
    " h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul"
)
_BREAKS: Final = frozenset(_BREAKS_NAMES.split())
_VOID_NAMES: Final = "area base br col embed hr img input link meta source track wbr"
_VOID: Final = frozenset(_VOID_NAMES.split())
_UNSEEN_NAMES: Final = (
    "audio canvas datalist head iframe noembed noframes noscript object script style template title"
    " video"
)
_UNSEEN: Final = frozenset(_UNSEEN_NAMES.split())
_UNSEEN_STYLE: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|color:transparent"
    r"|(?:font-size|opacity):0+(?:\.0+)?(?:%|[a-z]+)?)(?:!important)?(?=;|$)"
)
_STYLE_FILLING: Final = re.compile(r"/\*.*?(?:\*/|\Z)|\s", re.DOTALL)
_STRUCK: Final = frozenset(["del", "s", "strike"])
"""Text that the writer took back: it begins with a tilde, with which no line is a command."""
_QUOTATIONS: Final = frozenset(
    ("protonmail_quote", "tutanota_quote", "yahoo_quoted", "zmail_extra")
)
"""The classes of elements that hold a quotation and nothing else."""
_END_CLASS: Final = "ms-outlook-mobile-reference-message"
_END_IDS: Final = ("divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container")
LONGEST: Final = 256 * 1024
"""Characters of HTML that are read."""
_DECLARATION: Final = re.compile(r"<!--|<!|<\?")
_ENDLESS_TAG: Final = re.compile("<[^>]{4000}")
"""The library takes quadratic time for many tags that are not closed."""
_MARK: Final = ">\n"
"""In place of a quotation, so that a line that introduces it can be told."""
_DEEPEST: Final = 200
"""Elements within each other; what lies deeper is left out."""


class HtmlText(NamedTuple):
    """The text outside quotations: until the copy of another mail begins, and `below`."""

    text: str
    below: str


class _Walk(HTMLParser):
    """Collects the text outside quotations, with that below the beginning of a copy apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.below: list[str] = []
        self.ended = False
        self._open: list[tuple[str, bool]] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in _BREAKS:
            self._write("\n")
        attributes = dict(attrs)
        if _begins_copy(tag, attributes):
            self.ended = True
        if tag == "blockquote":
            self._write(_MARK)
        if tag in _VOID or len(self._open) >= _DEEPEST:
            return
        if tag in _STRUCK or "line-through" in _style(attributes):
            self._write("~")
        hides = tag in _UNSEEN or _is_unseen(attributes) or _is_quotation(tag, attributes)
        self._open.append((tag, hides))
        self._hidden += hides

    def handle_endtag(self, tag: str) -> None:
        """End an element, and those in it that were left open."""
        if any(name == tag for name, _ in self._open):
            while True:
                name, hides = self._open.pop()
                self._hidden -= hides
                if name == tag:
                    break
        if tag in _BREAKS and tag not in _VOID:
            self._write("\n")

    def handle_data(self, data: str) -> None:
        """Keep text as a browser shows it: most line breaks in the source are spaces."""
        is_set = any(name == "pre" for name, _ in self._open)
        self._write(data if is_set else " ".join(data.split("\n")))

    def _write(self, text: str) -> None:
        if not self._hidden:
            (self.below if self.ended else self.parts).append(text)


def text_of(source: str) -> HtmlText:
    """The text of this HTML, a line for each paragraph, without quotations."""
    walk = _Walk()
    plain = _undeclared(source[:LONGEST])
    endless = _ENDLESS_TAG.search(plain)
    walk.feed(plain[: endless.start()] if endless else plain)
    walk.close()
    return HtmlText("".join(walk.parts), "".join(walk.below))


def _undeclared(source: str) -> str:
    """The source without comments and declarations, and without what an open one hides.

    The library takes quadratic time to look for the ends of many that have none.
    """
    kept, place = [], 0
    while (found := _DECLARATION.search(source, place)) is not None:
        kept.append(source[place : found.start()])
        end = "-->" if found[0] == "<!--" else ">"
        closed = source.find(end, found.end())
        if closed < 0:
            return "".join(kept)
        place = closed + len(end)
    return "".join([*kept, source[place:]])


def _classes(attributes: dict[str, str | None]) -> set[str]:
    return {each.removeprefix("x_") for each in (attributes.get("class") or "").lower().split()}


def _begins_copy(tag: str, attributes: dict[str, str | None]) -> bool:
    name = (attributes.get("id") or "").lower().removeprefix("x_")
    return tag == "hr" or _END_CLASS in _classes(attributes) or name in _END_IDS


def _is_quotation(tag: str, attributes: dict[str, str | None]) -> bool:
    return tag == "blockquote" or not _QUOTATIONS.isdisjoint(_classes(attributes))


def _is_unseen(attributes: dict[str, str | None]) -> bool:
    return "hidden" in attributes or bool(_UNSEEN_STYLE.search(_style(attributes)))


def _style(attributes: dict[str, str | None]) -> str:
    return _STYLE_FILLING.sub("", (attributes.get("style") or "").lower())
