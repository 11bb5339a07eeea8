"""Players' names: their rules, which of them look alike, and the index that gives each name to one
player only.

Names appear in others' mail headers, subjects and pages. Only one player can have a name and all
names that look like it: a name is stored under each of its skeletons, and two names that look alike
share one. The table of look-alikes is Unicode's (UTS #39), a copy beside this module: with an
updated table from a library the server would not find stored names any more.

All keys contain `{names}`, so that they are in the same slot of a Redis Cluster, and one script can
take all of a name's keys or none.

st:{names}:held:DIGEST    hash: id of the player who has the name → unix seconds since when. Older
                          versions let several share a name. `GONE` instead of an id: a deleted
                          account had the name; nobody may take it until the key expires
st:{names}:listed         sorted set, all scores 0: FOLDED NUL PLAYER, one for each player, in the
                          order of the bytes; it can be rebuilt from the players
st:{names}:complete       `2` once every player is in the index and in the list; older versions had
                          another index

A name is listed after a player takes it, and removed after the player gives it up. So an entry of
the list may be stale, but none is missing for long: check the player before you show one.
"""

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, cast

from marshmallow import fields

from letters.inert import visible
from service.bots import BOTS
from service.core import ids
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client, script_beside
from service.core.redis.snapshot_keys import DIGEST, derived_key, kept_key, text
from service.core.times import DAY
from service.core.words import N_, Words

MAX_NAME: Final = 40
"""The most characters that a name may have."""
_ENCODED: Final = "=?"
"""The beginning of an encoded word of a mail header (RFC 2047), which mail programs would
decode."""
_DOTS: Final = ".\u3002"
"""The dots that separate the labels of a domain, after NFKC (UTS 46)."""
_ADDRESS: Final = re.compile(
    rf"""://                        # of a URL with its scheme
    | \bwww[{_DOTS}]
    | \w@\w                         # of a mail address
    | \w[{_DOTS}][^\W\d_]{{2}}      # a name and a top-level domain
    | \d[{_DOTS}]\d+[{_DOTS}]\d+[{_DOTS}]\d  # of an IPv4 address
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN: Final = ("L", "M", "N")
"""The first letters of Unicode's categories of letters, their marks, and digits."""
BOT_SIGN: Final = " (bot)"
"""The end of every bot's name; no other player's name contains it."""
NOBODY: Final = "Somebody"
NAMELESS: Final = "Guest"
"""The name of a guest who has given none; a number follows if it is taken."""


def is_nameless(name: str) -> bool:
    """Whether this is the name of a guest who has given none."""
    return _NAMELESS.fullmatch(name) is not None


def shown_name(words: Words, name: str) -> str:
    """Return a name as a reader sees it: in their language for a guest who has given none."""
    nameless = _NAMELESS.fullmatch(name)
    if nameless is None:
        return name
    # Note: the name of a player who has given none; several are numbered
    return words.say("Guest %(number)s", number=nameless[1]) if nameless[1] else words.say("Guest")


_NAMELESS: Final = re.compile(rf"{NAMELESS}(?: (\d+))?")


def without_sign(name: str) -> str:
    """Return the name of a bot without `BOT_SIGN`."""
    return name.removesuffix(BOT_SIGN)


def with_sign(name: str) -> str:
    """Return the name with `BOT_SIGN` at its end; a long name is cut."""
    return without_sign(name)[: MAX_NAME - len(BOT_SIGN)].rstrip() + BOT_SIGN


def has_address(text: str) -> bool:
    """Whether a text holds a web or mail address, or what mail programs make a link of."""
    return _ADDRESS.search(unicodedata.normalize("NFKC", text)) is not None


def name_problem(name: str) -> str | None:
    """Return the reason why a name is not allowed, as a sentence for the player; None if it is."""
    shown = unicodedata.normalize("NFKC", name)
    if not name.isprintable():  # control, format and bidirectional characters, lone surrogates
        return "Only printable characters can stand in a name."
    if _ENCODED in shown:
        return "A name cannot contain `=?`."
    if has_address(name):
        return "A name cannot contain a web or mail address. Put a space after a dot."
    return None


def displayable(name: str) -> str:
    """Return the name as a mail may show it: without invisible characters.

    Older versions stored names that break these rules: only their letters and digits are shown.
    """
    if name_problem(name) is None:
        return visible(name).strip() or NOBODY
    shown = (c if unicodedata.category(c)[0] in _PLAIN else " " for c in name)
    return " ".join("".join(shown).split()) or NOBODY


_TABLE: Final = Path(__file__).parent / "lookalikes" / "confusables.txt"
_BLANK: Final = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    "\U00013441\U00013442\U0001d159"
)
"""Invisible characters, besides the variation selectors."""
_SELECTORS: Final = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_ACCENTS: Final = ((1, 1), (10, 36), (200, 255))
"""Combining classes of marks that do not distinguish names: overlays, points of Hebrew, Arabic and
Syriac, marks above or below a letter. Other marks, like vowel signs and voicing marks, do."""
_ROUNDS: Final = 5
"""The most passes until the text no longer changes; every character needs fewer."""


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of the name: of the name as written, and of the name in lower case.

    A skeleton is a text in which look-alike characters are equal. Two names could be mistaken for
    each other if they share one.
    """
    return frozenset({_skeleton(name), folded(name)})


def look_alike(name: str, other: str) -> bool:
    """Whether two names could be mistaken for each other."""
    return not skeletons(name).isdisjoint(skeletons(other))


def folded(name: str) -> str:
    """Return the name without case, accents and look-alikes.

    If two names begin alike, their results begin alike as well.
    """
    return _skeleton(name.casefold())


def _skeleton(text: str) -> str:
    # First by Unicode's own rules, so that all names it treats as equal are equal here.
    for _ in range(_ROUNDS):
        before = text
        text = _with_prototypes(unicodedata.normalize("NFD", text))
        text = _with_prototypes(unicodedata.normalize("NFKD", text)).casefold()
        if text == before:
            break
    return text


def _with_prototypes(text: str) -> str:
    plain = "".join(character for character in text if not _is_dropped(character))
    return unicodedata.normalize("NFD", plain.translate(_prototypes()))


def _is_dropped(character: str) -> bool:
    if character in _BLANK or unicodedata.category(character) == "Me":
        return True
    code, accent = ord(character), unicodedata.combining(character)
    return any(low <= code <= high for low, high in _SELECTORS) or any(
        low <= accent <= high for low, high in _ACCENTS
    )


@lru_cache(maxsize=1)
def _prototypes() -> dict[int, str]:
    lines = (line.split() for line in _TABLE.read_text("ascii").splitlines() if line[0] != "#")
    return {
        int(source, 16): "".join(chr(int(code, 16)) for code in target) for source, *target in lines
    }


_LISTED: Final = "st:{names}:listed"
_SEPARATOR: Final = "\0"
_AFTER_ALL: Final = b"\xff"
"""A byte that sorts after every text in UTF-8."""
_BATCH: Final = 1000
MAX_FOLDED: Final = 100
"""The most characters of a folded name that are stored: some letters fold to many."""
CURSOR: Final = rf"[^\0]{{1,100}}\0{PLAYER_ID}"
"""A regular expression for the cursor of an entry."""


class NameEntry(NamedTuple):
    """A player in the list, and the `cursor` of that entry: the next page begins after it."""

    player: str
    cursor: str


class NameList:
    """The list of all names."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, name: str, player: str) -> None:
        """Add the player under this name. May be repeated."""
        self._redis.zadd(_LISTED, {_cursor(name, player): 0})

    def remove(self, name: str, player: str, *, new_name: str | None = None) -> None:
        """Remove the entry of a former name, unless that of `new_name` is the same. May be
        repeated."""
        if new_name is None or _cursor(name, player) != _cursor(new_name, player):
            self._redis.zrem(_LISTED, _cursor(name, player))

    def page(self, prefix: str, after: str | None, most: int) -> list[NameEntry]:
        """Return up to `most` players whose names begin with `prefix`, after this cursor.

        A name equal to the prefix comes first.
        """
        begin = _fold(prefix).encode()
        start = b"[" + begin if after is None else b"(" + after.encode()
        end = b"(" + begin + _AFTER_ALL
        if start[1:] < begin:  # a cursor of another prefix
            start = b"[" + begin
        members = self._redis.zrangebylex(_LISTED, start, end, 0, most)
        return [NameEntry(_player_of(cursor), cursor) for cursor in cast(list[str], members)]

    def sweep(self, name_of: Callable[[str], str | None]) -> None:
        """Remove the entries of names that players no longer have."""
        start = b"-"
        while members := cast(list[str], self._redis.zrangebylex(_LISTED, start, b"+", 0, _BATCH)):
            for cursor in members:
                player = _player_of(cursor)
                if (name := name_of(player)) is None or _cursor(name, player) != cursor:
                    self._redis.zrem(_LISTED, cursor)
            start = b"(" + members[-1].encode()


def begins(name: str, prefix: str) -> bool:
    """Whether a search for this prefix returns this name."""
    return _fold(name).startswith(_fold(prefix))


def _fold(name: str) -> str:
    return folded(name)[:MAX_FOLDED]


def _cursor(name: str, player: str) -> str:
    return f"{_fold(name)}{_SEPARATOR}{player}"


def _player_of(cursor: str) -> str:
    return cursor.rpartition(_SEPARATOR)[2]


GONE: Final = "-"
RETIRED_SECONDS: Final = 30 * DAY
"""Seconds for which nobody may take the name of a deleted account."""
REGISTRATION_SECONDS: Final = 60
"""Seconds after which a registration that has taken a name has either completed or failed."""
LASTING_KEYS: Final = (
    kept_key(
        "st:{names}:held:*",
        "hash",
        fields.Dict(text(f"{PLAYER_ID}|{GONE}"), text("[0-9]{1,10}")),
        DIGEST,
    ),
    # The index of an older version.
    derived_key("st:named:*", "set", DIGEST),
)
"""The keys that a backup may include."""

_SMALL: Final = range(2, 6)
_COMPLETE: Final = "st:{names}:complete"
_FORM: Final = "2"
"""The version of the index and the list, stored in `_COMPLETE`."""
_RESERVED: Final = frozenset().union(
    *(skeletons(text) for bot in BOTS.values() for text in (bot.name, bot.title))
)
_SIGN: Final = folded(BOT_SIGN.strip())

NameOf = Callable[[str], str | None]
"""Returns a player's current name; None if the player does not exist."""


class NameTaken(RequestRejected):
    """Another player has this name or one that looks like it. `suggestion` is a free name."""

    def __init__(self, suggestion: str) -> None:
        free = N_("Another player has this name or one like it. %(name)s is free.")
        super().__init__("name-taken", free, {"name": suggestion}, suggestion=suggestion)
        self.suggestion = suggestion


class NameIndex:
    """The names of all players. `now` returns unix seconds; `name_of` looks up a player's current
    name."""

    def __init__(self, redis: Client, name_of: NameOf, now: Callable[[], float]) -> None:
        self._redis = redis
        self._acquire = redis.register_script(script_beside(__file__, "acquire_name"))
        self._retire = redis.register_script(script_beside(__file__, "retire_name"))
        self.list = NameList(redis)
        self._name_of = name_of
        self._now = now

    def acquire(self, name: str, player: str) -> bool:
        """Take this name for the player; return False if another player has one like it.

        May be repeated.
        """
        keys = _keys(name)
        while holder := cast(list[str], self._acquire(keys=keys, args=[player, int(self._now())])):
            if not self._free_unused(*holder):
                return False
        return True

    def name_taken(self, name: str) -> NameTaken:
        """Return the error for a taken name. It suggests a similar name that is free now."""
        return NameTaken(next(filter(self.is_free, _alternatives(name))))

    def free_like(self, name: str, most: int) -> list[str]:
        """Return up to `most` names similar to this one that are free now."""
        return [*islice(filter(self.is_free, _alternatives(name)), most)]

    def add(self, name: str, player: str) -> None:
        """Index the player under this name, even if another player has it too."""
        for key in _keys(name):
            self._redis.hdel(key, GONE)
            self._redis.persist(key)
            self._redis.hsetnx(key, player, str(int(self._now())))
        self.list.add(name, player)

    def release(self, name: str, player: str, *, new_name: str) -> None:
        """Free a name whose player is now called `new_name`. May be repeated."""
        self.list.remove(name, player, new_name=new_name)
        for key in set(_keys(name)).difference(_keys(new_name)):
            self._redis.hdel(key, player)

    def retire(self, name: str, player: str) -> None:
        """Let nobody take the name of a deleted account for a while. May be repeated."""
        self.list.remove(name, player)
        for key in _keys(name):
            self._retire(keys=[key], args=[player, GONE, RETIRED_SECONDS])

    def look_up(self, name: str) -> list[str]:
        """Return the ids of players who may have this name or one like it; check each."""
        holders: set[str] = set()
        for key in _keys(name):
            holders.update(cast(list[str], self._redis.hkeys(key)))
        return sorted(holders - {GONE})

    def is_complete(self) -> bool:
        """Whether every player is indexed."""
        return self._redis.get(_COMPLETE) == _FORM

    def rebuild(self, named: Iterable[tuple[str, str]]) -> None:
        """Index all players, given as pairs of name and id, and drop stale entries. May be
        repeated."""
        for name, player in named:
            self.add(name, player)
        self.list.sweep(self._name_of)
        self._redis.set(_COMPLETE, _FORM)

    def is_free(self, name: str) -> bool:
        """Whether nobody has this name or one like it, and it is not reserved."""
        return not is_mail_reserved(name) and not self._redis.exists(*_keys(name))

    def _free_unused(self, key: str, player: str, since: str) -> bool:
        """Free a name that its player does not use, after an interrupted registration, renaming or
        deletion.

        Return False if the player uses it, or registered less than `REGISTRATION_SECONDS` ago.
        """
        if player == GONE or int(since) > self._now() - REGISTRATION_SECONDS:
            return False
        if (name := self._name_of(player)) is not None and key in _keys(name):
            return False
        self._redis.hdel(key, player)
        return True


def is_mail_reserved(name: str) -> bool:
    """Whether this is the name of one of the server's bots, or could be mistaken for it."""
    return not _RESERVED.isdisjoint(skeletons(name))


def check_free(name: str) -> None:
    """Raise `RequestRejected`, `name-reserved`, for the name of a bot or one like it."""
    if is_mail_reserved(name) or _SIGN in folded(name):
        raise RequestRejected(
            "name-reserved", "This is the name of a bot, or could be mistaken for it."
        )


def _alternatives(name: str) -> Iterator[str]:
    """Yield names similar to this one: with a small number first, then with random numbers."""
    plain = without_sign(name)
    base, sign = re.sub(r" [0-9]+$", "", plain), name.removeprefix(plain)
    for number in _SMALL:
        yield _numbered(base, number, sign)
    while True:
        yield _numbered(base, 1000 + secrets.randbelow(999_000), sign)


def _numbered(base: str, number: int, sign: str) -> str:
    ending = f" {number}{sign}"
    return base[: MAX_NAME - len(ending)].rstrip() + ending


def _keys(name: str) -> list[str]:
    return [f"st:{{names}}:held:{ids.digest(skeleton)}" for skeleton in sorted(skeletons(name))]
