"""Whatever comes in: never an error, never silence, never a turn that the mail does not hold."""

import contextlib
import re
from email.message import EmailMessage
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letters.commands import WholeTurn
from service.core.errors import RequestRejected
from service.mail_in.message import MalformedMail, read
from tests.mail.position import BOB, Position, Positions
from tests.mail.replies_read import HARMLESS, HOSTILE, OUTCOMES, commands, raw_reply, template_of
from tests.mail.strict_reading import actions_in, actions_of

REPLIES = [name for name in OUTCOMES if not name.startswith("malformed")]
PLAYED = [name for name in REPLIES if "played" in OUTCOMES[name]]
UNREAD = (
    "What a swindle!",
    "or R5@4?",
    "claim the lot",
    "- no claim 3",
    "I pass",
    "show",
    "the end",
)
"""Lines that nobody is to misunderstand. A command in a list, like "- claim 3", is one; with any
other word beside it, it is none."""

CONTENT = (
    *("text/plain", "text/plain; charset=utf-16; format=flowed; delsp=yes", "text/html", "x"),
    *("multipart/mixed; boundary=b", 'multipart/alternative; boundary="b', "message/rfc822"),
    *("text/plain; charset=utf-7", "application/octet-stream", "text/html; charset=iso-2022-jp"),
)
MACHINES = re.compile(
    rb"(?im)^(auto-submitted|precedence|list-|x-auto|x-mail|return-path|mailing-list|subject: .*"
    rb"(auto|undeliver)|content-type: multipart/report)"
)

pieces = st.sampled_from(
    [b"\n", b"> ", b" ", b"=\n", b"=3D", b"--", b"\xff", b"\xe2\x80\x8b", b"G9@2", b"<div>"]
) | st.binary(max_size=6)
changes = st.lists(
    st.tuples(
        st.sampled_from(["insert", "replace", "delete", "repeat", "cut"]),
        st.floats(0, 1),
        st.integers(0, 90),
        pieces,
    ),
    min_size=1,
    max_size=4,
)


def changed(raw: bytes, change: tuple[str, float, int, bytes]) -> bytes:
    """The mail with something done to it, somewhere."""
    kind, where, length, piece = change
    place = int(where * len(raw))
    before, part, after = raw[:place], raw[place : place + length], raw[place + length :]
    match kind:
        case "insert":
            return before + piece + part + after
        case "replace":
            return before + piece + after
        case "delete":
            return before + after
        case "repeat":
            return before + part + part + after
        case _:
            return before


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(REPLIES), st.sampled_from([HARMLESS, HOSTILE]), changes)
def test_a_changed_reply_plays_nothing_that_it_does_not_hold(
    name: str, answered: EmailMessage, done: list[tuple[str, float, int, bytes]]
) -> None:
    raw = raw_reply(name, answered)
    for change in done:
        raw = changed(raw, change)
    with contextlib.suppress(MalformedMail):
        found = commands(raw)
        if isinstance(found, WholeTurn):
            assert set(found.actions) <= actions_in(raw)


def first_lines() -> dict[str, int]:
    """Where the first command stands in the replies that can be read as they are: in others it
    stands in HTML, or encoded."""
    found = {}
    for name in PLAYED:
        lines = template_of(name).split("\n")
        first = next((at for at, line in enumerate(lines) if actions_of(line)), None)
        if first is not None and name != "encoding-uuencode":
            found[name] = first
    return found


FIRST_LINES = first_lines()


def test_what_is_played_stands_in_the_mail() -> None:
    assert len(PLAYED) > 200
    for name in PLAYED:
        played = set(OUTCOMES[name]["played"].split())
        assert played, name
        assert played <= actions_in(raw_reply(name, HARMLESS)), name


@pytest.mark.parametrize("name", FIRST_LINES)
def test_nothing_is_played_beside_a_line_that_is_no_command(name: str) -> None:
    lines, first = template_of(name).split("\n"), FIRST_LINES[name]
    for at in (first, first + 1):
        more = UNREAD[crc32(f"{name} {at}".encode()) % len(UNREAD)]
        template = "\n".join([*lines[:at], more, *lines[at:]])
        assert not isinstance(commands(raw_reply(name, HARMLESS, template)), WholeTurn), more


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(CONTENT),
    st.sampled_from(["7bit", "8bit", "quoted-printable", "base64", "x-uuencode", "nonsense"]),
    st.binary(max_size=300) | st.text(max_size=100).map(str.encode),
)
def test_any_content_is_answered(
    positions: Positions, content: str, encoding: str, body: bytes
) -> None:
    head = f"Content-Type: {content}\nContent-Transfer-Encoding: {encoding}\n\n"
    check_answered(positions.put(), head.encode() + body)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(REPLIES), changes)
def test_any_changed_reply_is_answered(
    positions: Positions, name: str, done: list[tuple[str, float, int, bytes]]
) -> None:
    position = positions.put()
    raw = raw_reply(name, position.answered)
    for change in done:
        raw = changed(raw, change)
    check_answered(position, re.sub(rb"(?im)^(from|message-id|x-scottenbury-game): .*\n", b"", raw))


def check_answered(position: Position, content: bytes) -> None:
    """Hand in a mail of Bob's with this content: it is refused at the door, known to be no person's
    by what its head says, or answered."""
    mails = len(position.mails())
    raw = f"From: Bob <{BOB}>\nMessage-ID: <any@example.org>\n".encode() + content
    try:
        label = position.hand_in(str(position.answered["Reply-To"]), BOB, raw)
    except RequestRejected:
        with pytest.raises(MalformedMail):
            read(raw)
        return
    answers = [mail["Auto-Submitted"] for mail in position.mails()[: len(position.mails()) - mails]]
    if label in ("automatic", "bounce", "list"):
        assert answers == []
        assert MACHINES.search(raw)
        return
    assert answers.count("auto-replied") == 1
    if position.played():
        assert actions_in(raw)
