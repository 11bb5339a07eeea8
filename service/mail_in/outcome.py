"""The outcome of an incoming mail: how it ended, and what to answer."""

from typing import Any, Final, Literal, NamedTuple

from service.mail_in.addresses import Purpose

VIA: Final = "mail"
"""How the log marks what came by mail."""
PLAYED: Final = "reply-played"
BOARD: Final = "reply-board"
REFUSED: Final = "reply-refused"
HELP: Final = "reply-help"
NOTE: Final = "reply-note"
"""An answer without a board: there is no game, or it may not be shown."""
DESK: Final = "reply-desk"
"""An answer about no one game: a list of the reader's games and of what they can write."""
KINDS: Final = (PLAYED, BOARD, REFUSED, HELP, NOTE, DESK)
"""The kinds of our answers."""
MARKED: Final = "bounce-marked"
POLICY: Final = "bounce-policy"
"""Labels that count bounces which marked an address: it failed for good, or a rule of its mail
server refused the mail."""


class Outcome(NamedTuple):
    """How a mail ended: `label` is what it is counted as; without a `kind` nobody is answered.

    The answer goes to `player`; at `email`, if they wrote from a further address of theirs. To
    somebody without an account it goes to `email` alone.

    - `about`: the game or challenge of the answer's thread; for a bounce, the id of the notice in
      the mail that came back
    - `game`: the game that the answer shows as it is now, None for none
    - `sentences`: the text of the answer
    - `confirms`: the purpose of the answer's reply address, if a reply to it confirms something
    - `offer`: an invitation or a challenge that the reader has not answered yet
    - `name`: the name that the answer proposes to somebody without an account
    - `question`: the mark of a question about a turn at version `asked_at`, or about a wish
    - `made`: the game or challenge that a reply can call off
    - `has_link`: whether the reader is to pass on the link of that game
    - `language`: that of the answer to somebody without an account; None if it is not known
    - `page`: the path of the page that the answer links to
    - `address`: the reply address of a question about an address, which the answer asks again
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
    language: str | None = None
    address: str | None = None

    def to_json(self) -> dict[str, object]:
        return {**self._asdict(), "sentences": list(self.sentences)}


def read_outcome(data: dict[str, Any]) -> Outcome:
    """Read the outcome that `to_json` wrote."""
    return Outcome(**{**data, "sentences": tuple(data["sentences"])})


class Dropped(Exception):
    """A mail that nobody is to answer; the message is what it is counted as."""
