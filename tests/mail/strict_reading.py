"""A second opinion on what a mail asks for: which commands its text holds at all, read line by line
with the library's own means, and nothing of the application's."""

import html
import re
import unicodedata
from collections.abc import Iterator
from email import message_from_bytes, policy
from functools import lru_cache
from itertools import pairwise

CARDS = {
    f"{color} {strength}": f"{color[0]}{strength}"
    for color in ("red", "orange", "yellow", "green", "blue", "purple")
    for strength in range(1, 10)
} | {
    "joker": "jok",
    "spy": "spy",
    "shield-bearer": "shb",
    "blind-man's bluff": "bmb",
    "mud fight": "mud",
}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CARD = r"[roygbp][1-9]|[1-9][roygbp]|jok|spy|shb|bmb|mud|str|tra|ban|rec"
_ACTION = re.compile(
    rf"(?:{_CARD})@[1-9]|![1-9]|\+[ct]|(?:str|tra):(?:{_CARD})@[1-9]>[1-9x]|ban:(?:{_CARD})@[1-9]"
    rf"|rec:[ct]{{1,3}}|-(?:{_CARD}),(?:{_CARD})|pass|end"
)
_PLAY = re.compile(r"play (?:the )?(.+) (?:at|on|to) (?:stone )?([1-9])")
_CLAIM = re.compile(r"claim (?:stones? )?([1-9](?:(?:, ?(?:and )?| and | )[1-9])*)")


@lru_cache(5000)
def actions_of(line: str) -> list[str]:
    """The actions that this line asks for; none where it is anything else.

    Programs and phones make lists of lines, set quotation marks, and write numbers as words.
    """
    text = re.sub(r"^(?:\d\d?[.)]|[-*•]) ?|[“”\"]", "", _plain(line).lower()).rstrip(".,; ")
    for figure, word in enumerate(_NUMBERS, 1):
        text = re.sub(rf"\b{word}\b", str(figure), text)
    if found := _PLAY.fullmatch(text):
        card = CARDS.get(found[1], found[1])
        return [_upright(f"{card}@{found[2]}")] if re.fullmatch(_CARD, card) else []
    if found := _CLAIM.fullmatch(text):
        return [f"!{stone}" for stone in re.findall("[1-9]", found[1])]
    if found := re.fullmatch("draw (?:a )?(clan|tactics?)(?: card)?", text):
        return [f"+{found[1][0].upper()}"]
    words = text.split()
    return [_upright(word) for word in words] if all(map(_ACTION.fullmatch, words)) else []


def actions_in(raw: bytes) -> set[str]:
    """All actions that lines of the text ask for which are not marked as quoted, wherever they are
    and however the text's lines continue."""
    lines = [line for text in _texts(raw) for line in text.splitlines()]
    own = [line for line in lines if not line.lstrip().startswith((">", "|"))]
    joined = [
        f"{one.removesuffix(' ')}{between}{other}"
        for one, other in pairwise(own)
        for between in ("", " ")
    ]
    return {action for line in (*own, *joined) for action in actions_of(line)}


def _texts(raw: bytes) -> Iterator[str]:
    message = message_from_bytes(raw, policy=policy.compat32)
    for part in message.walk():
        content = part.get_payload(decode=True)
        if part.is_multipart() or not isinstance(content, bytes):
            continue
        for charset in (part.get_content_charset() or "utf-8", "utf-8", "latin-1"):
            try:
                text = content.decode(charset, "replace")
            except (LookupError, ValueError):
                continue
            yield text
            yield html.unescape(re.sub(r"<(?!mailto:|http)[^<>]*>", "", _broken(text)))


def _broken(source: str) -> str:
    """HTML without style sheets, with a line for each block."""
    flat = re.sub(r"\s+", " ", re.sub(r"(?is)<style\b.*?</style>", "", source))
    return re.sub(r"(?i)<(/?(p|div|tr|li|td|h\d|pre|blockquote)|br)\b[^>]*>", "\n", flat)


def _plain(line: str) -> str:
    line = line.replace("\N{INVISIBLE TIMES}", "\N{REPLACEMENT CHARACTER}")
    dashed = re.sub("[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", line))
    seen = "".join(c for c in dashed if unicodedata.category(c) not in ("Cf", "Cc") or c == "\t")
    named = re.sub(r"\[([^\[\]]+)\](?=\s?[<(]mailto)", r"\1", seen)
    unlinked = re.sub(r"\s?[<\[(](mailto:|https?:)[^>\])\s]*[>\])]", "", named)
    return " ".join(unlinked.split()).strip("*_").strip()


def _upright(action: str) -> str:
    """The action in the form that a log has it."""
    text = action.upper()
    if text in ("PASS", "END"):
        return text.lower()
    return re.sub(">X$", ">x", re.sub(r"\b([1-9])([ROYGBP])\b", r"\2\1", text))
