"""Whether somebody who looks at an HTML mail sees its text.

Some of that is certain, by an element's own style. The rest is a guess: style sheets, colours,
sizes and places can hide text, and show it again. So it is in doubt.
"""

import colorsys
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

Attributes = Mapping[str, str | None]
Colour = tuple[float, float, float] | str | None
"""Red, green and blue from 0 to 1; a name; None for one that is not known."""

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->|!important", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?")
_UNSEEN: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|color:transparent"
    r"|(?:font-size|opacity):0+(?:\.0+)?(?:%|[a-z]+)?)(?=;|$)"
)
_DOUBTFUL: Final = re.compile(
    r"(?:^|;)(?:content-visibility:hidden"
    r"|font(?:-size)?:(?:[^;]* )?(?:0*[0-3](?:\.\d+)?(?:px|pt)|0?\.[0-3]\d*[a-z%]|0(?=[/ ;]|$))"
    r"|font-size:[12]?\d(?:\.\d+)?%|opacity:(?:0?\.[0-2]|[12]?\d(?:\.\d+)?%)|filter:[^;]*opacity\("
    r"|clip(?:-path)?:(?!none|auto)|transform:[^;]*(?:scale|\d{3})|translate:[^;]*\d{3}"
    r"|(?:scale|zoom):0|(?:left|top|right|bottom|inset|text-indent|margin[a-z-]*):[^;]*"
    r"(?:-\d{3}|-\d\d+(?:\.\d+)?(?:em|rem|v[hw]|%)|\d{4}))"
)
_NO_ROOM: Final = re.compile(
    r"(?:^|;)(?:(?:max-)?(?:height|width):(?:[01](?:\.\d+)?(?:px|pt)?|0(?:em|rem|%|v[hw]))"
    r"|line-height:0(?:px|pt|em)?)(?=;|$)"
)
_CUT: Final = re.compile(r"(?:^|;)overflow(?:-[xy])?:(?!visible)")
_COLOUR: Final = re.compile(r"#([0-9a-f]{3,8})\b|(rgb|hsl)a?\(([^()]*)\)|([a-z-]{3,20})")
_WHITES: Final = (
    "white snow ivory ghostwhite floralwhite azure mintcream whitesmoke seashell aliceblue honeydew"
    " lavenderblush oldlace linen cornsilk lightyellow beige lavender antiquewhite lightcyan"
    " lemonchiffon window"
)
_NAMED: Final = {"black": (0.0, 0.0, 0.0), **dict.fromkeys(_WHITES.split(), (1.0, 1.0, 1.0))}
_OTHER_WORDS: Final = (
    "auto border-box bottom canvastext center contain content-box cover fixed initial left"
    " linear-gradient local no-repeat none padding-box radial-gradient repeat repeat-x repeat-y"
    " revert right scroll top transparent var windowtext"
)
_NO_COLOURS: Final = frozenset(_OTHER_WORDS.split())
_KEPT: Final = ("inherit", "currentcolor", "unset")
_NEAR: Final = 1 / 8
"""How far two colours may lie apart that nobody tells one from the other."""
_PASSING: Final = re.compile(r":(?:hover|active|focus|visited|link|before|after|:)")
_NAMES: Final = re.compile(r"(?:^|[.#])[\w-]+")
_MOST_RULES: Final = 300
_LONGEST: Final = 64 * 1024
_LONGEST_VALUE: Final = 200


class _Said(NamedTuple):
    """What declarations say: of the colours, the last values."""

    hides: bool = False
    no_room: bool = False
    cut: bool = False
    ink: str | None = None
    paper: str | None = None

    def also(self, other: "_Said") -> "_Said":
        """What both say, the other later."""
        hides, no_room, cut = (one or two for one, two in zip(self[:3], other[:3], strict=True))
        return _Said(hides, no_room, cut, other.ink or self.ink, other.paper or self.paper)


class Sheets:
    """What the style sheets of a mail say, by the last name of each selector: `p`, `.x` or `#y`.

    No cascade: whether the rest of a selector fits is not asked, so that a rule may count for more
    elements than a browser finds. Where the sheets say too much, all text is `doubtful`.
    """

    def __init__(self, source: str) -> None:
        css = _plain("\n".join(_sheets(source)))
        rules = [rule for rule in _rules(css[:_LONGEST]) if rule[1] != _Said()]
        self.doubtful = len(rules) > _MOST_RULES or len(css) > _LONGEST
        self._said: dict[str, _Said] = {}
        for name, said in rules:
            self._said[name] = self._said.get(name, _Said()).also(said)

    def said_of(self, tag: str, attributes: Attributes) -> _Said:
        """What they say of this element; an id counts for more than a class, that than a tag."""
        classes = (attributes.get("class") or "").lower().split()
        names = (
            "*",
            tag,
            *(f".{one}" for one in classes),
            f"#{attributes.get('id') or ''}".lower(),
        )
        found = _Said()
        for name in names:
            if name in self._said:
                found = found.also(self._said[name])
        return found


class Look(NamedTuple):
    """How text looks: the colours of `ink` and `paper`, and whether its size or place hides it."""

    ink: Colour = None
    paper: Colour = (1.0, 1.0, 1.0)
    hidden: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be that nobody sees it."""
        if isinstance(self.ink, tuple) and isinstance(self.paper, tuple):
            pairs = zip(self.ink, self.paper, strict=True)
            return self.hidden or max(abs(one - other) for one, other in pairs) < _NEAR
        return self.hidden or (self.ink is not None and self.ink == self.paper)

    def within(self, tag: str, attributes: Attributes, sheets: Sheets) -> "Look":
        """The look in this element."""
        said = sheets.said_of(tag, attributes).also(_said(own_style(attributes)))
        ink, paper = self.ink, self.paper
        for one in (attributes.get("text"), attributes.get("color"), said.ink):
            ink = ink if one is None else _colour(one, ink)
        for one in (attributes.get("bgcolor"), said.paper):
            paper = (one and _colour(one, paper)) or paper
        return Look(ink, paper, self.hidden or said.hides or (said.no_room and said.cut))


def is_unseen(attributes: Attributes) -> bool:
    """Whether the element's own style surely hides it."""
    return "hidden" in attributes or bool(_UNSEEN.search("".join(own_style(attributes).split())))


def own_style(attributes: Attributes) -> str:
    """The declarations in the element itself, in lower case and without comments."""
    return _plain(attributes.get("style") or "")


def _plain(css: str) -> str:
    bare = _COMMENT.sub("", css.lower())
    return _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), bare)


def _sheets(source: str) -> Iterator[str]:
    place = 0
    opens, closes = (re.compile(tag, re.IGNORECASE) for tag in ("<style[^<>]*>", "</style"))
    while (found := opens.search(source, place)) is not None:
        closed = closes.search(source, found.end())
        place = closed.start() if closed else len(source)
        yield source[found.end() : place]


def _rules(css: str) -> Iterator[tuple[str, _Said]]:
    """The last name of each selector, and what is said of it."""
    open_blocks: list[str] = []
    others = 0
    pieces = re.split("([{}])", css + "}}")
    for text, brace in zip(pieces[::2], pieces[1::2], strict=False):
        if brace == "{":
            open_blocks.append(text.rpartition(";")[2].strip())
            others += _is_other_medium(open_blocks[-1])
        elif open_blocks:
            selectors = open_blocks.pop()
            others -= _is_other_medium(selectors)
            if not others:
                yield from _of_selectors(selectors, text)


def _is_other_medium(opening: str) -> bool:
    """Whether a block is for paper or for dark screens."""
    return opening.startswith("@media") and ("print" in opening or "dark" in opening)


def _of_selectors(selectors: str, style: str) -> Iterator[tuple[str, _Said]]:
    said = _said(style)
    for selector in selectors.split(","):
        last = (re.split(r"[\s>+~]+", selector.strip()) or [""])[-1]
        if last and not last.startswith("@") and not _PASSING.search(last):
            yield (_NAMES.findall(last) or ["*"])[-1], said


def _said(style: str) -> _Said:
    parts = (part.partition(":") for part in style.split(";"))
    said = [
        (name.strip(), " ".join(value[:_LONGEST_VALUE].split()))
        for name, _, value in parts
        if value
    ]
    text = ";".join(f"{name}:{value}" for name, value in said)
    inks = [value for name, value in said if name in ("color", "-webkit-text-fill-color")]
    papers = [value for name, value in said if name in ("background", "background-color")]
    return _Said(
        bool(_UNSEEN.search(text) or _DOUBTFUL.search(text)) or any(map(_is_faint, inks)),
        bool(_NO_ROOM.search(text)),
        bool(_CUT.search(text)),
        inks[-1] if inks else None,
        papers[-1] if papers else None,
    )


def _colour(text: str, inherited: Colour) -> Colour:
    """The first colour that stands there; None where it cannot be known."""
    for found in _COLOUR.finditer(text.lower().partition("url(")[0][:_LONGEST_VALUE]):
        digits, function, inner, name = found.groups()
        if name in _KEPT:
            return inherited
        if name is None:
            return _of_hex(digits) if digits else _of_function(function, inner)
        if name not in _NO_COLOURS:
            return _NAMED.get(name, name)
    return None


def _of_hex(digits: str) -> Colour:
    each = 1 if len(digits) < 6 else 2
    parts = (digits[place * each : (place + 1) * each] for place in range(3))
    red, green, blue = (int(one, 16) / (16**each - 1) for one in parts)
    return red, green, blue


def _of_function(kind: str, inner: str) -> Colour:
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?|\.\d+", inner)][:3]
    if len(numbers) < 3:
        return None
    one, two, three = numbers
    if kind == "hsl":
        return colorsys.hls_to_rgb(one / 360 % 1, min(three / 100, 1), min(two / 100, 1))
    most = 100 if "%" in inner else 255
    return one / most, two / most, three / most


def _is_faint(text: str) -> bool:
    """Whether the colour lets nearly all of what lies behind it through."""
    found = _COLOUR.search(text)
    if found is None:
        return False
    if found[1]:
        alpha = {4: found[1][3:] * 2, 8: found[1][6:]}.get(len(found[1]), "ff")
        return int(alpha, 16) < 0x40
    numbers = re.findall(r"(\d*\.?\d+)(%?)", found[3] or "")
    return len(numbers) > 3 and float(numbers[3][0]) / (100 if numbers[3][1] else 1) < 1 / 4
