"""Judges whether the reader of an HTML mail sees its text.

No cascade is computed: an element may hide its text, and all elements in it theirs, if its own
style or a style sheet gives it a property that can hide or strike out text. Text has to be dark,
and its background light. The HTML of ordinary mail programs does none of this.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from letters.words import words

Attributes = Mapping[str, str | None]

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->|!important", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?")
_SURELY: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|color:transparent|(?:font-size|opacity):0+(?:\.0+)?(?:%|[a-z]+)?)(?=;|$)"
)
_HIDES: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|text-decoration[a-z-]*:[^;]*line-through|content-visibility:hidden"
    r"|font(?:-size)?:(?:[^;]* )?(?:0*[0-3](?:\.\d+)?(?:px|pt)|0?\.[0-3]\d*[a-z%]|0(?=[/ ;]|$))"
    r"|font-size:[12]?\d(?:\.\d+)?%|opacity:(?:0*(?:\.[0-2]\d*)?(?=;|$)|[12]?\d(?:\.\d+)?%)"
    r"|filter:[^;]*opacity\(|clip(?:-path)?:(?!none|auto)|transform:[^;]*(?:scale|\d{3})"
    r"|translate:[^;]*\d{3}|(?:scale|zoom):0"
    r"|(?:left|top|right|bottom|inset|text-indent|margin[a-z-]*):[^;]*"
    r"(?:-\d{3}|-\d\d+(?:\.\d+)?(?:em|rem|v[hw]|%)|\d{4})"
    r"|(?:max-)?(?:height|width):[01](?:\.\d+)?(?:px|pt|em|rem|%|v[hw])?(?=;|$)"
    r"|line-height:0(?:px|pt|em)?(?=;|$))"
)
_INK: Final = re.compile(r"(?:^|;)(?:color|-webkit-text-fill-color):([^;]{0,60})")
_PAPER: Final = re.compile(r"(?:^|;)background(?:-color)?:([^;]{0,60})")
_COLOUR: Final = re.compile(r"#([0-9a-f]{3,8})\b|rgba?\(([^()]*)\)|([a-z-]+)")
_DARK_NAMES: Final = words("html_visibility", "dark_names")
_LIGHT_NAMES: Final = words("html_visibility", "light_names")
_DARK: Final = frozenset(_DARK_NAMES.split())
_LIGHT: Final = frozenset(_LIGHT_NAMES.split())
_DARKEST_PAPER, _LIGHTEST_INK, _FAINTEST = 0.8, 0.75, 0.5
"""Limits from 0 to 1: brightness of backgrounds, brightness of text, and opacity of text."""
_PASSING: Final = re.compile(r":(?:hover|active|focus|visited|link|before|after|:)")
_NAMES: Final = re.compile(r"(?:^|[.#])[\w-]+")
_MOST_RULES: Final = 300
_LONGEST: Final = 64 * 1024


class Sheets:
    """The elements that the style sheets of a mail may hide, by the last name of each selector:
    `p`, `.x`, `#y`.

    The rest of a selector is ignored. If the sheets are too long, all text is `doubtful`.
    """

    def __init__(self, source: str) -> None:
        css = _plain("\n".join(_sheets(source)))
        rules = list(_rules(css[:_LONGEST]))
        self.doubtful = len(rules) > _MOST_RULES or len(css) > _LONGEST
        self._hidden = {name for name, style in rules if _hides(style)}

    def may_hide(self, tag: str, attributes: Attributes) -> bool:
        """Whether the sheets may hide this element."""
        if not self._hidden:
            return False
        names = {"*", tag, f"#{attributes.get('id') or ''}".lower()}
        names.update(f".{name}" for name in (attributes.get("class") or "").lower().split())
        return not names.isdisjoint(self._hidden)


def hides_surely(attributes: Attributes) -> bool:
    """Whether the element's own style surely hides it."""
    return "hidden" in attributes or _hiding(attributes.get("style") or "").hides_surely


def may_hide(tag: str, attributes: Attributes, sheets: Sheets) -> bool:
    """Whether text in this element may be hidden or struck out."""
    if sheets.may_hide(tag, attributes) or _hiding(attributes.get("style") or "").may_hide:
        return True
    inks = (attributes.get("color"), attributes.get("text"))
    paper = attributes.get("bgcolor")
    return any(ink and not _is_dark(ink.lower()) for ink in inks) or bool(
        paper and not _is_light(paper.lower())
    )


class _Hiding(NamedTuple):
    """Whether an element's own style hides it, surely or perhaps."""

    hides_surely: bool
    may_hide: bool


@lru_cache(1000)
def _hiding(style: str) -> _Hiding:
    """Return how this style hides its element. Cached: a program writes few styles, each many
    times."""
    squeezed = _squeezed(_plain(style))
    return _Hiding(_SURELY.search(squeezed) is not None, _hides(squeezed))


def _plain(css: str) -> str:
    bare = _COMMENT.sub("", css.lower())
    return _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)), bare)


def _squeezed(style: str) -> str:
    """Return the declarations without spaces that mean nothing."""
    parts = (part.partition(":") for part in style.split(";"))
    return ";".join(f"{name.strip()}:{' '.join(value[:200].split())}" for name, _, value in parts)


def _hides(style: str) -> bool:
    if _HIDES.search(style):
        return True
    inks, papers = _INK.findall(style), _PAPER.findall(style)
    return not all(map(_is_dark, inks)) or not all(map(_is_light, papers))


def _is_dark(text: str) -> bool:
    return _is_seen(text, _DARK, 0, _LIGHTEST_INK, least_cover=_FAINTEST)


def _is_light(text: str) -> bool:
    return _is_seen(text, _LIGHT, _DARKEST_PAPER, 1, least_cover=0)


def _is_seen(
    text: str, names: frozenset[str], least: float, most: float, *, least_cover: float
) -> bool:
    """Whether each colour in this value is one of these names, or has a brightness from `least` to
    `most` and an opacity of at least `least_cover`."""
    colours = _COLOUR.findall(text.partition("url(")[0])
    if not colours:
        return "url(" in text or not text.strip()
    for digits, numbers, name in colours:
        if name:
            if name not in names:
                return False
            continue
        brightness, cover = _of_hex(digits) if digits else _of_numbers(numbers)
        if cover == 0 and least_cover == 0:
            continue  # nothing is painted behind the text
        if not least <= brightness <= most or cover < least_cover:
            return False
    return True


def _of_hex(digits: str) -> tuple[float, float]:
    each = 1 if len(digits) < 6 else 2
    parts = [int(digits[at : at + each], 16) / (16**each - 1) for at in range(0, len(digits), each)]
    return _brightness(parts), parts[3] if len(parts) > 3 else 1.0


def _of_numbers(text: str) -> tuple[float, float]:
    numbers = re.findall(r"(\d*\.?\d+)(%?)", text)
    if len(numbers) < 3:
        return -1.0, 1.0
    parts = [float(number) / (100 if unit else 255) for number, unit in numbers[:3]]
    cover = [float(number) / (100 if unit else 1) for number, unit in numbers[3:4]]
    return _brightness(parts), cover[0] if cover else 1.0


def _brightness(parts: list[float]) -> float:
    if len(parts) < 3:
        return -1.0
    red, green, blue = parts[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _sheets(source: str) -> Iterator[str]:
    place = 0
    opens, closes = (re.compile(tag, re.IGNORECASE) for tag in ("<style[^<>]*>", "</style"))
    while (opened := opens.search(source, place)) is not None:
        closed = closes.search(source, opened.end())
        place = closed.start() if closed else len(source)
        yield source[opened.end() : place]


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield the last name of each selector, and the declarations for it."""
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
                yield from _of_selectors(selectors, _squeezed(text))


def _is_other_medium(opening: str) -> bool:
    """Whether a block is for paper or for dark screens."""
    return opening.startswith("@media") and ("print" in opening or "dark" in opening)


def _of_selectors(selectors: str, style: str) -> Iterator[tuple[str, str]]:
    for selector in selectors.split(",") if _says_anything(style) else ():
        last = (re.split(r"[\s>+~]+", selector.strip()) or [""])[-1]
        if last and not last.startswith("@") and not _PASSING.search(last):
            yield (_NAMES.findall(last) or ["*"])[-1], style


def _says_anything(style: str) -> bool:
    return bool(_HIDES.search(style) or _INK.search(style) or _PAPER.search(style))
