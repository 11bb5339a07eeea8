"""The kinds of notices, one declaration each: what it is about, while what it is sent, in which
group players choose it, and what it says.

A new kind needs a row here and, if it has mail, its templates: `workers/templates/NAME/`.
`workers.policy` decides when it is sent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, Literal

REMINDER: Final = "reminder"
LAST_REMINDER: Final = "last-reminder"
CONFIRMATION: Final = "confirmation"
"""The kind of mail that confirms a turn sent by mail, as readers choose it."""
DIGEST: Final = "digest"
"""The kind of notice that sends the daily digest. Its id names the player and the moment."""
TEST: Final = "test"
"""The kind of notice that a player requests in order to test a channel."""

Subject = Literal["game", "challenge", "player", "mail"]
"""What a notice is about. The subject's id is part of the notice's id."""


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notice. Its texts are templates (`str.format`) over the attributes of its subject,
    as `workers.mail` describes it.

    - `group`: the group by which players turn it on or off, and `label` says what it reports; both
      are empty for a kind that cannot be turned off. One `chosen_as` another goes with that other
    - `status`: the subject's, while the notice is sent; `current`: an attribute that must be true
    - `sender`: the name of the mail's sender (None: the operator's)
    - `line`: its text in a digest; `title` and `text` (by default `line`): those on channels
    - `opening`: the first words of its mail, as text and HTML, by default `line`
    - `template`: the folder of its mail's templates, by default its name
    - `ends`: a kind whose readers alone get it; `is_last`: nothing about its subject follows it
    - `reminders`: the choices of reminders that turn it on
    """

    name: str
    subject: Subject
    group: str | None = None
    label: str = ""
    chosen_as: str | None = None
    status: str | None = None
    current: str | None = None
    sender: str | None = None
    title: str | None = None
    line: str | None = None
    text: str | None = None
    opening: str | None = None
    has_mail: bool = True
    template: str | None = None
    ends: str | None = None
    is_last: bool = False
    reminders: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return self.template or self.name

    @property
    def is_to_reader(self) -> bool:
        """Whether it goes, unrequested, to a reader who may choose when and where."""
        return self.group is not None and self.subject != "mail"

    @property
    def message_type(self) -> str:
        """The type of its messages on channels: `game.turn`."""
        prefix = "calendar" if self.subject == "player" else self.subject
        return f"{'channel' if self.group is None else prefix}.{self.name}"

    def is_current(self, about: object) -> bool:
        """Whether the notice is still true of its subject."""
        if self.status is not None and getattr(about, "status", None) != self.status:
            return False
        return self.current is None or bool(attrgetter(self.current)(about))

    def line_about(self, about: object) -> str:
        """Its text in a digest. Raises ValueError for a kind without words."""
        return self._filled(self.line, about)

    def opening_about(self, about: object) -> str:
        """The first words of its mail, which a template may replace."""
        words = self.opening or self.line
        return "" if words is None else self._filled(words, about)

    def on_channels(self, about: object) -> tuple[str, str]:
        """Its title and text on channels. Raises ValueError for a kind without words."""
        return self._filled(self.title, about), self._filled(self.text or self.line, about)

    def sender_about(self, about: object | None) -> str | None:
        """The name of its mail's sender; None for the operator's."""
        if self.sender is None or (about is None and "{" in self.sender):
            return None
        return self._filled(self.sender, about)

    def _filled(self, template: str | None, about: object) -> str:
        if template is None:
            raise ValueError(f"there are no words for {self.name}")
        return template.format_map(_Attributes(about))


class _Attributes(Mapping[str, object]):
    """The attributes of an object, as the fields of a template."""

    def __init__(self, about: object) -> None:
        self._about = about

    def __getitem__(self, name: str) -> object:
        return getattr(self._about, name)

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self._about))

    def __len__(self) -> int:
        return len(dir(self._about))


# The order is that of the choices in the API.
_CHOSEN: Final = (
    NoticeKind(
        "turn",
        "game",
        group="turn",
        label="that it is your turn",
        current="is_turn_open",
        sender="{opponent_as_sender} · your turn",
        title="Your turn: {title}",
        line="{turn_news}",
    ),
    NoticeKind(
        REMINDER,
        "game",
        group="reminder",
        label="that the time for your turn is passing",
        current="is_same_turn",
        sender="{opponent_as_sender} · still your turn",
        title="Still your turn: {title}",
        line="You have until {deadline}.",
        reminders=("both", "half"),
    ),
    NoticeKind(
        LAST_REMINDER,
        "game",
        group="reminder",
        chosen_as=REMINDER,
        current="is_same_turn",
        sender="{opponent_as_sender} · time nearly up",
        title="Still your turn: {title}",
        line="You have until {deadline}.",
        reminders=("both", "last"),
    ),
    NoticeKind(
        "started",
        "game",
        group="invitation",
        label="that a game has begun",
        current="is_opening",
        sender="{opponent_as_sender} · your game has begun",
        title="Begun: {title}",
        line="Your game against {opponent} has begun.",
        opening="Your game against {opponent} has begun. They play first.",
    ),
    NoticeKind(
        "over",
        "game",
        group="over",
        label="that a game is over",
        current="is_over",
        sender="{end_as_sender}",
        title="Over: {title}",
        line="{ending}",
        opening="{how_it_ended}",
        text="{whole_result}",
        is_last=True,
    ),
    NoticeKind(
        "invitation",
        "game",
        group="invitation",
        label="that somebody invites you to a game, or calls it off",
        status="open",
        sender="{opponent_as_sender} {invites}",
        title="An invitation",
        line="{host} {invites_to_game}.",
    ),
    NoticeKind(
        "called-off",
        "game",
        group="invitation",
        chosen_as="invitation",
        status="aborted",
        sender="{opponent_as_sender} called it off",
        title="Called off",
        line="{host} has called off the game to which you were invited.",
        ends="invitation",
    ),
    NoticeKind(
        "orders",
        "game",
        group="turn",
        label="that a plan of yours was cancelled",
        current="cancelled",
        sender="{opponent_as_sender} · plan cancelled",
        title="Your turn: {title}",
        line="Your plan was cancelled in the game against {opponent}.",
        opening="Your plan for the game against {opponent} was cancelled.",
    ),
    NoticeKind(
        "abandonment",
        "game",
        group="message",
        label="that your opponent would rather abandon a game",
        current="is_abandonment_offered",
        sender="{opponent_as_sender} offers to abandon",
        title="A proposal: {title}",
        line="{offers[abandonment]}",
    ),
    NoticeKind(
        "pause",
        "game",
        group="message",
        label="that your opponent would like to pause the clock",
        current="is_pause_offered",
        sender="{opponent_as_sender} offers a pause",
        title="A proposal: {title}",
        line="{offers[pause]}",
    ),
    NoticeKind(
        "answered",
        "game",
        group="message",
        label="that an offer of yours was answered, or lapsed",
        current="own_offer",
        sender="{opponent_as_sender} {own_offer.as_sender}",
        title="Your offer: {title}",
        line="{own_offer.sentence}",
    ),
    NoticeKind(
        "clock-runs",
        "game",
        group="turn",
        label="that a pause of the clock is over and your time runs again",
        current="is_pause_over",
        sender="{opponent_as_sender} · your time runs again",
        title="Your time runs again: {title}",
        line="The pause is over in your game against {opponent}: you have until {deadline}.",
    ),
    NoticeKind(
        "time-out",
        "game",
        group="turn",
        label="that you can claim a win on time",
        current="can_claim_time",
        sender="{opponent_as_sender} is out of time",
        title="Time is out: {title}",
        line="{opponent}'s time is out: the win is yours to claim.",
    ),
    NoticeKind(
        "message",
        "game",
        group="message",
        label="that your opponent has written to you",
        current="written.lines",
        sender="{opponent_as_sender} wrote to you",
        title="A message: {title}",
        line="{opponent} has written to you in your game.",
        opening="{opponent} has written to you.",
    ),
    NoticeKind(
        "challenge",
        "challenge",
        group="invitation",
        label="that somebody challenges you, or withdraws it",
        status="open",
        sender="{challenge_as_sender}",
        title="You are challenged",
        line="{challenger} challenges you to a game.",
        is_last=True,
    ),
    NoticeKind(
        "declined",
        "challenge",
        group="invitation",
        label="that a challenge of yours was declined or has expired",
        status="declined",
        sender="{end_as_sender}",
        title="Your challenge was declined",
        line="{ending}",
        template="challenge-closed",
        is_last=True,
    ),
    NoticeKind(
        "expired",
        "challenge",
        group="invitation",
        chosen_as="declined",
        status="expired",
        sender="{end_as_sender}",
        title="Your challenge has expired",
        line="{ending}",
        template="challenge-closed",
        is_last=True,
    ),
    NoticeKind(
        "withdrawn",
        "challenge",
        group="invitation",
        chosen_as="challenge",
        status="withdrawn",
        sender="{end_as_sender}",
        title="A challenge was withdrawn",
        line="{ending}",
        template="challenge-closed",
        ends="challenge",
        is_last=True,
    ),
    NoticeKind(
        "vacation-ends",
        "player",
        group="vacation",
        label="that a vacation of yours ends in a day",
        title="Your vacation ends",
        line="{sentence}",
        is_last=True,
    ),
    NoticeKind(
        "reply-played",
        "mail",
        group=CONFIRMATION,
        label="that the turn you sent by mail was played",
        chosen_as=CONFIRMATION,
        sender="{turn_played_as_sender}",
    ),
    NoticeKind(
        DIGEST,
        "player",
        label="once a day about all your games",
        sender="Scottenbury · {headline}",
        is_last=True,
    ),
)
_NOT_CHOSEN: Final = (
    NoticeKind("reply-refused", "mail", sender="Scottenbury · nothing was played"),
    NoticeKind("reply-help", "mail", sender="Scottenbury · how to play by mail"),
    *(NoticeKind(f"reply-{name}", "mail") for name in ("board", "note", "desk")),
    *(
        NoticeKind(name, "player")
        for name in ("verify", "sign-in", "address-changed", "answer-address")
    ),
    *(NoticeKind(name, "player") for name in ("answer-address-added", "game-removed")),
    *(
        NoticeKind(name, "game", has_mail=False)
        for name in ("pack", "list", "flag-held", "left", "analysis")
    ),
    *(NoticeKind(name, "player", has_mail=False) for name in (TEST, "unused-guest", "calendar")),
    *(NoticeKind(name, "mail", has_mail=False) for name in ("mail-in", "strangers-mail-in")),
)
KINDS: Final[Mapping[str, NoticeKind]] = {kind.name: kind for kind in (*_CHOSEN, *_NOT_CHOSEN)}
"""All kinds by name."""


def kind_of(name: str) -> NoticeKind:
    """Return the kind of this name; a kind from an earlier version is about a game."""
    return KINDS.get(name) or NoticeKind(name, "game", has_mail=False)


CHOICES: Final[Mapping[str, str]] = {
    kind.chosen_as or kind.name: kind.label for kind in _CHOSEN if kind.label
}
"""The kinds of mail that a reader can turn off, with descriptions."""
GROUP_WORDS: Final = {
    "turn": "my turns, and plans that were cancelled",
    "reminder": "my time running out",
    "invitation": "invitations, challenges, games that start",
    "over": "games that end",
    "message": "messages and proposals",
    "vacation": "my vacation, a day before it ends",
    CONFIRMATION: "turns I sent by mail, once played",
}
"""The description of each group of kinds from which a player chooses."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    group: tuple(
        dict.fromkeys(kind.chosen_as or kind.name for kind in _CHOSEN if kind.group == group)
    )
    for group in GROUP_WORDS
}
"""The kinds that a player turns on or off together."""


def chosen_as(kind: str) -> str:
    """Return the kind with which a reader turns off notices of this kind."""
    return kind_of(kind).chosen_as or kind
