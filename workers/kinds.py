"""The kinds of notices: each has an entry that says what it is about and how it is worded.

A new kind needs an entry here and the templates of its mail, `templates/NAME/`; if players can turn
it off, its words are among `service.accounts.mail_preferences.KINDS`. `policy` decides when it is
sent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final, Generic, TypeVar

from service.accounts.answer_addresses import CONFIRM, CONFIRMED
from service.accounts.channels.store import TEST
from service.accounts.email_addresses import CHANGED, VERIFY
from service.accounts.links import SIGN_IN
from service.accounts.mail_preferences import CONFIRMATION, LAST_REMINDER, REMINDER
from service.games.agreements.offers import ANSWERED
from service.games.analysis.service import ANALYSIS
from service.games.calendars.store import CALENDAR, VACATION_ENDS
from service.games.change.side_state import ABANDONMENT, PAUSE
from service.games.notices.notifications import (
    CALLED_OFF,
    CLOCK_RUNS,
    FLAG_HELD,
    GAME_REMOVED,
    LEFT,
    TIME_OUT,
    UNUSED_GUEST,
)
from service.mail_in import outcome
from service.mail_in.store import READ, READ_STRANGERS
from workers import current
from workers.mail.game import GameMail
from workers.mail.sender_name import (
    challenge_ended,
    challenger_name,
    end_of_game,
    opponent_and,
    opponent_answered,
    turn_played,
)
from workers.mail.subjects import ChallengeMail, VacationMail

DIGEST: Final = "digest"
"""The kind of notice that sends the daily digest. Its id names the player and the moment."""
About = GameMail | ChallengeMail | VacationMail
"""The subject of a notice to a reader, as its message describes it."""
Of = TypeVar("Of")


class Subject(Enum):
    """The type of a notice's subject. The subject's id is part of the notice's id."""

    GAME = "game"
    CHALLENGE = "challenge"
    PLAYER = "player"
    MAIL = "mail"


@dataclass(frozen=True)
class NoticeKind(Generic[Of]):
    """A kind of notice, about `Of`.

    Players turn it on or off by its `group`, if it has one. It is sent only while `is_current` is
    true of its subject. `line` is its text in a digest, `title` and `text` are those on channels.
    If it `has_mail`, the mail's sender has the name `sender` (None: the operator's name), and its
    templates are in the folder `template` (by default `name`). A kind that `ends` another goes only
    to readers who got the other.
    """

    name: str
    subject: Subject
    group: str | None = None
    is_current: Callable[[Of], bool] = lambda about: True
    line: Callable[[Of], str] | None = None
    title: Callable[[Of], str] | None = None
    text: Callable[[Of], str] | None = None
    sender: Callable[[Of], str | None] = lambda about: None
    has_mail: bool = True
    template: str | None = None
    ends: str | None = None

    @property
    def folder(self) -> str:
        """The folder of its mail's templates."""
        return self.template or self.name

    @property
    def is_to_reader(self) -> bool:
        """Whether it goes, unrequested, to a reader who may choose when and where."""
        return self.group is not None and self.subject is not Subject.MAIL


def kind_of(name: str) -> NoticeKind[object]:
    """Return the kind of this name; a kind from an earlier version is about a game."""
    return KINDS.get(name) or NoticeKind[object](name, Subject.GAME, has_mail=False)


def _game(
    name: str,
    group: str,
    is_current: Callable[[GameMail], bool],
    sender: str | Callable[[GameMail], str],
    title: str,
    line: Callable[[GameMail], str],
    text: Callable[[GameMail], str] | None = None,
    ends: str | None = None,
) -> NoticeKind[GameMail]:
    """Return a kind about a game. On channels the game's title replaces `{}` in `title`. If
    `sender` is a text, the sender's name is the opponent's name and that text."""
    named = opponent_and(sender) if isinstance(sender, str) else sender
    titled = partial(_titled, title)
    return NoticeKind(
        name, Subject.GAME, group, is_current, line, titled, text or line, named, ends=ends
    )


def _ended(status: str, title: str, ends: str | None = None) -> NoticeKind[ChallengeMail]:
    """Return the kind that reports that a challenge is no longer open, because of this status."""
    return NoticeKind(
        status,
        Subject.CHALLENGE,
        "invitation",
        is_current=lambda mail: mail.challenge.status == status,
        line=lambda mail: mail.ending,
        title=lambda mail: title,
        sender=challenge_ended,
        template="challenge-closed",
        ends=ends,
    )


def _titled(title: str, mail: GameMail) -> str:
    return title.format(mail.title)


def _until(mail: GameMail) -> str:
    return f"You have until {mail.deadline}."


def _turn_news(mail: GameMail) -> str:
    return " ".join(filter(None, [mail.news, _until(mail) if mail.deadline else ""]))


def _whole_result(mail: GameMail) -> str:
    return " ".join(mail.result)


def _outcome(mail: GameMail) -> str:
    return mail.own_offer.sentence if mail.own_offer else ""


def _invites(mail: GameMail, to: str = "") -> str:
    return "asks for a rematch" if mail.is_rematch else f"invites you{to}"


def _clock_runs(mail: GameMail) -> str:
    other, until = mail.opponent, mail.deadline
    return f"The pause is over in your game against {other}: you have until {until}."


# fmt: off
_OF_GAMES: Final = (
    _game("turn", "turn", current.is_turn_open,
        "· your turn", "Your turn: {}", _turn_news),
    _game(REMINDER, REMINDER, current.is_same_turn,
        "· still your turn", "Still your turn: {}", _until),
    _game(LAST_REMINDER, REMINDER, current.is_same_turn,
        "· time nearly up", "Still your turn: {}", _until),
    _game("started", "invitation", current.is_opening,
        "· your game has begun", "Begun: {}",
        lambda mail: f"Your game against {mail.opponent} has begun."),
    _game("over", "over", lambda mail: mail.is_over,
        end_of_game, "Over: {}", lambda mail: mail.ending, _whole_result),
    _game("invitation", "invitation", lambda mail: mail.stored.game.status == "open",
        lambda mail: opponent_and(_invites(mail))(mail), "An invitation",
        lambda mail: f"{mail.host} {_invites(mail, ' to a game')}."),
    _game(CALLED_OFF, "invitation", lambda mail: mail.stored.game.status == "aborted",
        "called it off", "Called off",
        lambda mail: f"{mail.host} has called off the game to which you were invited.",
        ends="invitation"),
    _game("orders", "turn", lambda mail: mail.cancelled is not None,
        "· order cancelled", "Your turn: {}",
        lambda mail: f"Your order was cancelled in the game against {mail.opponent}."),
    _game("message", "message", lambda mail: bool(mail.written.lines),
        "wrote to you", "A message: {}",
        lambda mail: f"{mail.opponent} has written to you in your game."),
    _game(ABANDONMENT, "message", current.is_abandonment_offered,
        "offers to abandon", "A proposal: {}",
        lambda mail: mail.offers["abandonment"]),
    _game(PAUSE, "message", current.is_pause_offered,
        "offers a pause", "A proposal: {}",
        lambda mail: mail.offers["pause"]),
    _game(ANSWERED, "message", lambda mail: mail.own_offer is not None,
        opponent_answered, "Your offer: {}", _outcome),
    _game(CLOCK_RUNS, "turn", current.is_pause_over,
        "· your time runs again", "Your time runs again: {}", _clock_runs),
    _game(TIME_OUT, "turn", lambda mail: mail.can_claim_time,
        "is out of time", "Time is out: {}",
        lambda mail: f"{mail.opponent}'s time is out: the win is yours to claim."),
)
# fmt: on
_OF_CHALLENGES: Final[tuple[NoticeKind[ChallengeMail], ...]] = (
    NoticeKind(
        "challenge",
        Subject.CHALLENGE,
        "invitation",
        is_current=lambda mail: mail.challenge.status == "open",
        line=lambda mail: f"{mail.challenger} challenges you to a game.",
        title=lambda mail: "You are challenged",
        sender=challenger_name,
    ),
    _ended("declined", "Your challenge was declined"),
    _ended("expired", "Your challenge has expired"),
    _ended("withdrawn", "A challenge was withdrawn", ends="challenge"),
)
_OF_PLAYERS: Final[tuple[NoticeKind[Any], ...]] = (
    NoticeKind[VacationMail](
        VACATION_ENDS,
        Subject.PLAYER,
        "vacation",
        line=lambda mail: mail.sentence,
        title=lambda mail: "Your vacation ends",
    ),
    NoticeKind(
        DIGEST, Subject.PLAYER, sender=lambda mail: f"Scottenbury · {mail.opening.rstrip('.')}"
    ),
    *(
        NoticeKind(name, Subject.PLAYER)
        for name in (VERIFY, SIGN_IN, CHANGED, CONFIRM, CONFIRMED, GAME_REMOVED)
    ),
)
_OF_MAILS: Final[tuple[NoticeKind[GameMail | None], ...]] = (
    NoticeKind(outcome.PLAYED, Subject.MAIL, CONFIRMATION, sender=turn_played),
    NoticeKind(outcome.REFUSED, Subject.MAIL, sender=lambda _: "Scottenbury · nothing was played"),
    NoticeKind(outcome.HELP, Subject.MAIL, sender=lambda _: "Scottenbury · how to play by mail"),
    *(NoticeKind(name, Subject.MAIL) for name in (outcome.BOARD, outcome.NOTE, outcome.DESK)),
)
_WITHOUT_MAIL: Final[Mapping[str, Subject]] = {
    **dict.fromkeys(("pack", "list", FLAG_HELD, LEFT, ANALYSIS), Subject.GAME),
    **dict.fromkeys((TEST, UNUSED_GUEST, CALENDAR), Subject.PLAYER),
    **dict.fromkeys((READ, READ_STRANGERS), Subject.MAIL),
}
KINDS: Final[Mapping[str, NoticeKind[Any]]] = {
    kind.name: kind
    for kinds in (_OF_GAMES, _OF_CHALLENGES, _OF_PLAYERS, _OF_MAILS)
    for kind in kinds
} | {name: NoticeKind(name, about, has_mail=False) for name, about in _WITHOUT_MAIL.items()}
"""All kinds by name."""
