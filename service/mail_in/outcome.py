"""What a mail that came in has led to, and what is answered."""

from typing import Any, Final, Literal, NamedTuple

from service.mail_in.addresses.reply_addresses import Purpose

PLAYED: Final = "reply-played"
BOARD: Final = "reply-board"
REFUSED: Final = "reply-refused"
HELP: Final = "reply-help"
NOTE: Final = "reply-note"
"""An answer without a board: there is no game, or it may not be shown."""
DESK: Final = "reply-desk"
"""An answer about no one game: the reader's games, and what can be written."""
KINDS: Final = (PLAYED, BOARD, REFUSED, HELP, NOTE, DESK)
"""The kinds of our answers."""


class Outcome(NamedTuple):
    """How a mail ended: `label` is what it is counted as; without a `kind` nobody is answered.

    The answer goes to `player`, at `email` where they answered from a further address of theirs, or
    to `email` alone where nobody has an account yet. It shows `game` as
    it stands, unless that is None; `about` is the game or challenge of its thread, or the id of the
    notice told by a mail of ours that came back. To answer it `confirms` what ends the game, where
    that is set; an `offer`, an invitation or a challenge, is still to be answered. `name` is that
    which the answer shows to somebody without an account, who would have it. `question` marks
    what is asked about a turn at the version `asked_at`, or about a wish. `made` is the game or
    challenge that can be called off by an answer, `has_link` whether its link is to be passed on;
    `page` the path of the page that the answer leads to.
    """

    label: str
    kind: str | None = None
    player: str | None = None
    email: str | None = None
    about: str = ""
    game: str | None = None
    sentences: tuple[str, ...] = ()
    confirms: Purpose | None = None
    offer: Literal["invitation", "challenge"] | None = None
    name: str | None = None
    question: str = ""
    asked_at: int = 0
    made: str = ""
    has_link: bool = False
    page: str = ""

    def to_json(self) -> dict[str, object]:
        """The outcome as plain data."""
        return {**self._asdict(), "sentences": list(self.sentences)}


def read_outcome(data: dict[str, Any]) -> Outcome:
    """The outcome that `to_json` wrote."""
    return Outcome(**{**data, "sentences": tuple(data["sentences"])})


class Dropped(Exception):
    """A mail that nobody is to answer; the message is what it is counted as."""
