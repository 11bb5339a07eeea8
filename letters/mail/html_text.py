"""Extracts the text that somebody wrote in an HTML mail, without quotations.

Libraries for this write a quotation without any mark, or with marks of their own. Here a mark takes
the place of each quotation, and the text ends where a mail program begins an unmarked copy of the
mail before.
"""

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Final, NamedTuple

from letters.mail.html_visibility import Sheets, hides_surely, may_hide

_BREAKS_NAMES: Final = (
    "address article blockquote br center dd div dl dt fieldset figure footer form h1"
    " h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul"
)
_BREAKS: Final = frozenset(_BREAKS_NAMES.split())
_VOID_NAMES: Final = "area base br col embed hr img input link meta source track wbr"
_VOID: Final = frozenset(_VOID_NAMES.split())
_UNSEEN_NAMES: Final = (
    "audio button canvas datalist details head iframe noembed noframes noscript object script"
    " select style template textarea title video"
)
_UNSEEN: Final = frozenset(_UNSEEN_NAMES.split())
_PERHAPS_SEEN: Final = frozenset(["button", "details", "noscript", "object", "textarea"])
"""Unseen elements that some programs show."""
_STRUCK: Final = frozenset(["del", "s", "strike"])
"""Elements whose text the writer struck out."""
HIDDEN: Final = "\ue000"
"""Marks text that is struck out, or that readers may not see: a line with this mark is no
command."""
_QUOTATIONS: Final = frozenset(
    ("protonmail_quote", "tutanota_quote", "yahoo_quoted", "zmail_extra")
)
"""The classes of elements that hold a quotation and nothing else."""
_SIGNATURES: Final = frozenset(
    (
        "linebreakatbeginningofsignature",
        "gmail_signature",
        "moz-signature",
        "composer_signature",
        "ms-outlook-mobile-signature",
        "protonmail_signature_block",
    )
)
"""The ids and classes of elements with which programs begin a signature."""
_END_CLASS: Final = "ms-outlook-mobile-reference-message"
_END_IDS: Final = ("divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container")
_DECLARATION: Final = re.compile(r"<!--|<!|<\?")
_ENDS_COMMENT: Final = re.compile(r"--!?>")
_ENDS_DECLARATION: Final = re.compile(">")
_TAG: Final = re.compile("<[a-z/]", re.IGNORECASE)
_LONGEST_TAG: Final = 4000
_DATA: Final = re.compile(r"data:[a-z0-9.+/-]{1,80};base64,[a-z0-9+/=\s%]+", re.IGNORECASE)
"""Matches a picture within the text. Written out, it would be longer than any tag."""
_MARK: Final = ">\n"
"""Takes the place of a quotation, so that the attribution line above it can be recognised."""
_MARK_QUOTED: Final = "\n> "
_DASHES: Final = "\n-- \n"
"""Written above a signature, as programs do in plain text."""
_DEEPEST: Final = 200
"""Most levels of elements; deeper text counts as if it may be hidden."""


class HtmlText(NamedTuple):
    """The text outside quotations: `text` above, and `below` from where a copy of another mail
    begins, and behind it what is quoted, with marks. `aside` is what some programs show and others
    do not: the alternative texts of pictures, hidden text, and text for Outlook alone. `is_cut`
    says that the end is not read."""

    text: str
    below: str
    aside: str
    is_cut: bool


class _Element(NamedTuple):
    """An open element.

    - `hides`: its text is left out; it goes to `aside`, unless `hides_everywhere`
    - `hides_everywhere`: it is quoted, or no program shows it
    - `is_doubtful`: its text may be hidden or struck out
    """

    tag: str
    hides: bool
    hides_everywhere: bool
    is_doubtful: bool


class _Walk(HTMLParser):
    """Collects the text outside quotations; that below the beginning of a copy separately."""

    def __init__(self, sheets: Sheets) -> None:
        super().__init__(convert_charrefs=True)
        self._sheets = sheets
        self.parts: list[str] = []
        self.below: list[str] = []
        self.aside: list[str] = []
        self.quoted: list[str] = []
        self.ended = False
        self._open: list[_Element] = [_Element("", False, False, sheets.doubtful)]
        self._tags: Counter[str] = Counter()
        self._hidden = 0
        self._hidden_everywhere = 0
        self._is_lost = False
        self._is_at_start = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._break(tag)
        attributes = dict(attrs)
        classes, id_ = _classes(attributes), _id(attributes)
        if _END_CLASS in classes or id_ in _END_IDS:
            self.ended = True
        if tag == "blockquote":
            self._write(_MARK)
        if id_ in _SIGNATURES or not _SIGNATURES.isdisjoint(classes):
            self._write(_DASHES)
        if tag == "img" and not self._hidden and not self.ended:
            self.aside.append(attributes.get("alt") or "")
        if tag in _VOID:
            return
        if len(self._open) > _DEEPEST:
            self._is_lost = True
            return
        is_unseen = tag in _UNSEEN and tag not in _PERHAPS_SEEN
        is_quotation = tag == "blockquote" or not _QUOTATIONS.isdisjoint(classes)
        hides_everywhere = is_unseen or is_quotation
        hides = hides_everywhere or tag in _PERHAPS_SEEN or hides_surely(attributes)
        is_doubtful = tag in _STRUCK or may_hide(tag, attributes, self._sheets)
        is_doubtful = is_doubtful or self._open[-1].is_doubtful
        self._open.append(_Element(tag, hides, hides_everywhere, is_doubtful))
        self._tags[tag] += 1
        self._hidden += hides
        self._hidden_everywhere += hides_everywhere

    def handle_endtag(self, tag: str) -> None:
        """End an element, and those in it that were left open."""
        while self._tags[tag]:
            ended = self._open.pop()
            self._tags[ended.tag] -= 1
            self._hidden -= ended.hides
            self._hidden_everywhere -= ended.hides_everywhere
            if ended.tag == tag:
                break
        if tag not in _VOID:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        """Add text as a browser shows it: most line breaks in the source are spaces."""
        if self._hidden and not self._hidden_everywhere and not self.ended:
            self.aside.append(data)
        if self._tags["a"] and (self.ended or self._tags["blockquote"]):
            return  # a link of our own mail's
        if self._tags["blockquote"] and self._open[-1].tag not in _UNSEEN:
            self.quoted.append(data.replace("\n", " "))
        is_set = self._tags["pre"] > 0
        for place, line in enumerate(data.split("\n")):
            self._write(("\n" if is_set else " ") * (place > 0))
            is_doubtful = line.strip() and (self._is_lost or self._open[-1].is_doubtful)
            self._write(f"{HIDDEN}{line}" if is_doubtful else line)

    def _break(self, tag: str) -> None:
        """Begin a line at a block element; a `div` at the start of a line begins none."""
        if tag in _BREAKS and not (tag == "div" and self._is_at_start):
            self._write("\n")
            if self._tags["blockquote"]:
                self.quoted.append(_MARK_QUOTED)

    def _write(self, text: str) -> None:
        if not self._hidden:
            (self.below if self.ended else self.parts).append(text)
            self._is_at_start = text.endswith("\n") or (self._is_at_start and not text.strip())


def text_of(source: str) -> HtmlText:
    """Return the text of this HTML, a line for each paragraph, without quotations."""
    walk = _Walk(Sheets(source))
    shown, conditional, is_open = _undeclared(_DATA.sub("data:", source))
    read = _ended(shown)
    walk.feed(read)
    walk.close()
    aside, is_cut = "\n".join(walk.aside), is_open or len(read) < len(shown)
    if conditional:  # Outlook shows it, but no settings in it
        first, *rest = conditional.split("<xml>")
        of_outlook = text_of("".join([first, *(each.partition("</xml>")[2] for each in rest)]))
        aside, is_cut = f"{aside}\n{of_outlook.text}", is_cut or of_outlook.is_cut
    below = "".join(walk.below)
    if walk.quoted:
        below += _MARK_QUOTED + "".join(walk.quoted)
    return HtmlText("".join(walk.parts), below, aside, is_cut)


def _undeclared(source: str) -> tuple[str, str, bool]:
    """Return the source without comments and declarations, the source in conditional comments, and
    whether one has no end: it hides the rest.

    The library takes quadratic time to look for the ends of many that have none.
    """
    parts, conditional, place = list[str](), list[str](), 0
    while (match := _DECLARATION.search(source, place)) is not None:
        parts.append(source[place : match.start()])
        ends = _ENDS_COMMENT if match[0] == "<!--" else _ENDS_DECLARATION
        closed = ends.search(source, match.start() + 2)
        if closed is None:
            return "".join(parts), "", True
        place = closed.end()
        if source.startswith("<!--[if", match.start()):
            conditional.append(source[match.start() : place].partition(">")[2])
    return "".join([*parts, source[place:]]), "\n".join(conditional), False


def _ended(source: str) -> str:
    """Return the source up to the first tag that has no end, or more than `_LONGEST_TAG`
    characters.

    The library takes quadratic time for many tags without an end, and for the parts of a long one.
    """
    place = 0
    while (opened := _TAG.search(source, place)) is not None:
        closed = source.find(">", opened.end())
        if closed < 0 or closed - opened.start() > _LONGEST_TAG:
            return source[: opened.start()]
        place = closed + 1
    return source


def _classes(attributes: dict[str, str | None]) -> set[str]:
    return {each.removeprefix("x_") for each in (attributes.get("class") or "").lower().split()}


def _id(attributes: dict[str, str | None]) -> str:
    return (attributes.get("id") or "").lower().removeprefix("x_")
