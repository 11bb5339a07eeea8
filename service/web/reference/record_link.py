"""A finished game in a link: its packed record, which any Scottenbury replays and checks.

`/replay#RECORD`: the part after `#` stays in the browser until its reader asks for the replay, and
the server needs no copy of the game. RECORD is the stored form of a finished log, in URL-safe
base64; these forms stay readable for ever, and so do links.
"""

import base64
from collections.abc import Sequence
from typing import Final

import segno
from flask import abort, render_template, request, url_for
from markupsafe import Markup
from segno.encoder import DataOverflowError

from engine.chain import StoredEvent, canonical
from engine.record import BadRecord, from_jsonl
from service.container import get_container
from service.core.cache import ThreadSafeCache, recently_used
from service.eventlog.compaction import compact, expand, is_longer
from service.games import StoredGame
from service.web import session
from service.web.blueprint import blueprint
from service.web.installing import absolute

MARK: Final = "/replay#"
"""The part of every link before the record."""
LONGEST: Final = 8000
"""The most characters of a record in a link: some chats and browsers cut longer links."""
_MOST_EVENTS: Final = 2000
"""The most events of a game that is packed: no longer game fits in a link."""
_links: ThreadSafeCache[tuple[str, str], tuple[str, Markup | None]] = recently_used(
    4_000_000, lambda made: 100 + sum(len(part or "") for part in made)
)
"""Links and codes by their place and the head of the game's chain, up to 4 MB."""
_LONGEST_TEXT: Final = 48 * 1024
"""The most bytes of an unpacked record. It is more than any real link needs, and bounds the cost of
reading a forged one."""


@blueprint.get("/games/<game_id>/link")
def record_link(game_id: str) -> str:
    """Show the link of a finished game, and its QR code."""
    invite = request.args.get("invite")
    games = get_container().games
    stored = games.read(game_id, session.player_id(), invite=invite)
    if not stored.is_open_to_all:
        abort(404)
    place = absolute(url_for("web.open_record"))
    link, code = _links.get_or_make((place, stored.head), lambda: _link_of(stored, place))
    return render_template(
        "record_link.html",
        game_id=game_id,
        invite=invite,
        names=games.seat_names(stored),
        link=link,
        code=code,
    )


def _link_of(stored: StoredGame, place: str) -> tuple[str, Markup | None]:
    """Return the link at `place` to a game that is open to all, `""` if it is too long for a link;
    and its QR code, None if it is too long for a code."""
    if stored.version > _MOST_EVENTS:
        return "", None
    record = packed(get_container().games.history.lines(stored, None))
    if len(record) > LONGEST:
        return "", None
    link = f"{place}#{record}"
    try:
        # Any mask can be read; to choose the best takes 0.1 s. A packed record has no patterns.
        code = segno.make(link, error="l", mask=0, micro=False, boost_error=False)
    except DataOverflowError:
        return link, None
    return link, Markup(
        code.svg_inline(scale=3, border=4, light="#fff", dark="#000", svgclass="qr")
    )


def packed(lines: Sequence[StoredEvent]) -> str:
    """Return a full record, packed for a link."""
    value = compact([canonical(line) for line in lines])
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def unpacked(link: str) -> list[StoredEvent]:
    """Return the record in a link. Raises `BadRecord`."""
    record = link.rpartition("#")[2].strip()
    try:
        value = base64.urlsafe_b64decode(record + "=" * (-len(record) % 4))
        if len(record) > LONGEST or is_longer(value, _LONGEST_TEXT):
            raise ValueError("it is longer than any link")
        texts = expand(value)
    except Exception as error:  # what is made up can fail anywhere in the codec
        raise BadRecord(f"the link is damaged or was cut off ({error}).") from error
    return from_jsonl("\n".join(texts))
