"""Replies as real programs write them, each answering one of our real mails: what each leads to.

They are in `replies/`, what they lead to in `replies/outcomes.toml`.
"""

import re
from email import message_from_bytes
from email.utils import parseaddr
from typing import Any

import pytest

from letters.commands import Empty, Unread, WholeTurn
from service.core.errors import RequestRejected
from service.mail_in.sentences import ENCRYPTED, NO_COMMAND
from tests.mail.position import Position, Positions
from tests.mail.replies_read import FOLDER, HARMLESS, HOSTILE, OUTCOMES, commands, raw_reply
from tests.support.games import GAME
from tests.workers.mail.correspondence import flat, text_of

QUOTATION_MARKS = str.maketrans("", "", "“”")
SAID = {"nothing": NO_COMMAND, "encrypted": ENCRYPTED}


def test_each_reply_has_its_outcome() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(OUTCOMES)


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_reply(positions: Positions, name: str) -> None:
    expected = OUTCOMES[name]
    position = positions.put(expected.get("about", "turn"))
    if meanwhile := expected.get("before"):
        games = position.context.container.games
        games.play(GAME, position.players["south"], meanwhile.split())
    mails, events = len(position.mails()), position.played()

    label = hand_in(position, name)

    answers = position.mails()[: len(position.mails()) - mails]
    if actions := expected.get("played"):
        assert label == "played", flat(text_of(answers[0]))[:400]
        assert position.played() == position.follows(actions)
    elif happens := expected.get("happens"):
        assert [type_ for type_, _, _ in position.played()] == happens
    elif label != "played":
        assert position.played() == events
    assert label == expected.get("outcome", expected.get("ignored", label))
    if "ignored" in expected or label == "malformed-mail":
        assert answers == []
    else:
        (answer,) = [mail for mail in answers if mail["Auto-Submitted"] == "auto-replied"]
        check_answer(flat(text_of(answer)), expected)


@pytest.mark.parametrize("name", [name for name in OUTCOMES if name.split("-")[0] != "malformed"])
def test_what_a_reply_quotes_is_never_a_command(name: str) -> None:
    """As if our mails held commands: they hold none, but other mails in the same thread might."""
    found = commands(raw_reply(name, HOSTILE))
    assert found == commands(raw_reply(name, HARMLESS)) or isinstance(found, Unread | Empty)
    expected = OUTCOMES[name]
    if (actions := expected.get("played")) and not expected.get("copied"):
        assert isinstance(found, WholeTurn)
        assert found.actions == tuple(actions.split())


def hand_in(position: Position, name: str) -> str:
    """Hand in a reply to the mail that is answered; what it was counted as."""
    expected = OUTCOMES[name]
    raw = raw_reply(name, position.answered)
    head = message_from_bytes(raw)
    envelope = expected.get("envelope", parseaddr(str(head["From"]))[1])
    try:
        return position.hand_in(parseaddr(str(head["To"]))[1], envelope, raw)
    except RequestRejected as rejection:
        return rejection.code


def check_answer(answer: str, expected: dict[str, Any]) -> None:
    """Whether the answer says what is wrong, and names all lines that were not understood."""
    if said := expected.get("said"):
        assert SAID[said] in answer
    unread, missed = expected.get("unread", []), expected.get("missed", [])
    if named := [*unread, *missed]:
        bare = answer.translate(QUOTATION_MARKS)
        shown = [f": {line.translate(QUOTATION_MARKS)}" for line in named]
        assert [line for line in shown if line not in bare] == []
        assert len(re.findall(r"Line \d+: ", answer)) == min(len(named), 3)
    assert "This is where I was stuck:" in answer or not unread
    assert ("A copy of another mail" in answer) is bool(missed)
