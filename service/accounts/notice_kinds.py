"""The kinds of notices, one declaration each: what it is about, while what it is sent, in which
group players choose it, and what it says.

A new kind needs a row here and, if it has mail, its templates: `workers/templates/NAME/`.
`workers.policy` decides when it is sent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Final, Literal

from service.core.words import N_, PLACE, Words

REMINDER: Final = "reminder"
LAST_REMINDER: Final = "last-reminder"
CONFIRMATION: Final = "confirmation"
"""The kind of mail that confirms a turn sent by mail, as readers choose it."""
DIGEST: Final = "digest"
"""The kind of notice that sends the daily digest. Its id names the player and the moment."""
TEST: Final = "test"
"""The kind of notice that a player requests in order to test a channel."""

Subject = Literal["game", "challenge", "season", "player", "mail"]
"""What a notice is about. The subject's id is part of the notice's id."""
Text = str | Callable[[Any], str]
"""A message whose places are attributes of a notice's subject, as `workers.mail` describes it; or,
where one message does not fit all, what finds the text in the subject."""


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notice.

    - `group`: the group by which players turn it on or off, and `label` says what it reports; both
      are empty for a kind that cannot be turned off. One `chosen_as` another goes with that other
    - `status`: the subject's, while the notice is sent; `current`: an attribute that must be true
    - `sender`: the name of the mail's sender (None: the operator's)
    - `line`: its text in a digest; `title` and `text` (by default `line`): those on channels
    - `opening`: the first words of its mail, as text and HTML, by default `line`
    - `template`: the folder of its mail's templates, by default its name
    - `ends`: a kind whose readers alone get it; `is_last`: nothing about its subject follows it
    - `reminders`: the choices of reminders that turn it on
    - `in_sight`: of its news, while the reader has in sight the page that shows it (for a rematch,
      the old game's): they are `told` by it, or the notice `waits` until they act on it
    - `glance`: seconds for which a page has to be in sight after an event to have told it
    - `bot_in_sight`: of a bot's news, that they are told as soon as they are seen
    - `also_on`: the other pages that show its news as it comes: the `list` of games, and
      that of another `game`
    - `tells_messages`: its mail tells the other player's new messages
    """

    name: str
    subject: Subject
    group: str | None = None
    label: str = ""
    chosen_as: str | None = None
    status: str | None = None
    current: str | None = None
    sender: Text | None = None
    title: Text | None = None
    line: Text | None = None
    text: Text | None = None
    opening: Text | None = None
    has_mail: bool = True
    template: str | None = None
    ends: str | None = None
    is_last: bool = False
    reminders: tuple[str, ...] = ()
    in_sight: Literal["told", "waits"] | None = None
    glance: int = 10
    bot_in_sight: bool = False
    also_on: tuple[Literal["list", "game"], ...] = ()
    tells_messages: bool = False

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
        name = self.name.removeprefix(f"{self.subject}-")
        return f"{'channel' if self.group is None else prefix}.{name}"

    def is_current(self, about: object) -> bool:
        """Whether the notice is still true of its subject."""
        if self.status is not None and getattr(about, "status", None) != self.status:
            return False
        return self.current is None or bool(attrgetter(self.current)(about))

    def line_about(self, words: Words, about: object) -> str:
        """Its text in a digest. Raises ValueError for a kind without words."""
        return self._said(words, self.line, about)

    def opening_about(self, words: Words, about: object) -> str:
        """The first words of its mail, which a template may replace."""
        text = self.opening or self.line
        return "" if text is None else self._said(words, text, about)

    def on_channels(self, words: Words, about: object) -> tuple[str, str]:
        """Its title and text on channels. Raises ValueError for a kind without words."""
        text = self.text or self.line
        return self._said(words, self.title, about), self._said(words, text, about)

    def sender_about(self, words: Words, about: object | None) -> str | None:
        """The name of its mail's sender; None for the operator's."""
        if self.sender is None or (about is None and self._is_of_subject):
            return None
        return self._said(words, self.sender, about)

    @property
    def _is_of_subject(self) -> bool:
        """Whether its sender's name depends on its subject."""
        return not isinstance(self.sender, str) or bool(PLACE.search(self.sender))

    def _said(self, words: Words, text: Text | None, about: object) -> str:
        if text is None:
            raise ValueError(f"there are no words for {self.name}")
        if not isinstance(text, str):
            return text(about)
        return words.say(text, **{place: getattr(about, place) for place in PLACE.findall(text)})


_of_game = partial(NoticeKind, subject="game")
_of_challenge = partial(NoticeKind, subject="challenge", group="invitation", is_last=True)
_closed_challenge = partial(
    _of_challenge,
    sender=attrgetter("end_as_sender"),
    line=attrgetter("ending"),
    template="challenge-closed",
)
_of_season = partial(NoticeKind, subject="season")

# The order is that of the choices in the API.
_CHOSEN: Final = (
    _of_game(
        "turn",
        group="turn",
        label=N_("that it is your turn"),
        current="is_turn_open",
        sender=N_("%(opponent_as_sender)s · your turn"),
        title=N_("Your turn: %(title)s"),
        line=attrgetter("turn_news"),
        in_sight="waits",
        bot_in_sight=True,
        also_on=("list", "game"),
        tells_messages=True,
    ),
    _of_game(
        REMINDER,
        group="reminder",
        label=N_("that the time for your turn is passing"),
        current="is_same_turn",
        sender=N_("%(opponent_as_sender)s · still your turn"),
        title=N_("Still your turn: %(title)s"),
        line=N_("You have until %(deadline)s."),
        reminders=("both", "half"),
    ),
    _of_game(
        LAST_REMINDER,
        group="reminder",
        chosen_as=REMINDER,
        current="is_same_turn",
        sender=N_("%(opponent_as_sender)s · time nearly up"),
        title=N_("Still your turn: %(title)s"),
        line=N_("You have until %(deadline)s."),
        reminders=("both", "last"),
    ),
    _of_game(
        "started",
        group="invitation",
        label=N_("that a game has begun"),
        current="is_opening",
        sender=attrgetter("beginning_as_sender"),
        title=N_("Begun: %(title)s"),
        line=attrgetter("beginning_in_brief"),
        opening=attrgetter("beginning"),
        tells_messages=True,
        in_sight="told",
    ),
    _of_game(
        "over",
        group="over",
        label=N_("that a game is over"),
        current="is_over",
        sender=attrgetter("end_as_sender"),
        title=N_("Over: %(title)s"),
        line=attrgetter("ending"),
        opening=attrgetter("how_it_ended"),
        text=attrgetter("whole_result"),
        is_last=True,
        tells_messages=True,
        in_sight="told",
        glance=3,  # the whole page turns to it
    ),
    _of_game(
        "invitation",
        group="invitation",
        label=N_("that somebody invites you to a game, or cancels it"),
        status="open",
        sender=attrgetter("invites_as_sender"),
        title=N_("An invitation"),
        line=attrgetter("invites_to_game"),
        in_sight="waits",
        tells_messages=True,
    ),
    _of_game(
        "called-off",
        group="invitation",
        chosen_as="invitation",
        status="aborted",
        sender=N_("%(opponent_as_sender)s cancelled the game"),
        title=N_("Cancelled"),
        line=N_("%(host)s has cancelled the game to which you were invited."),
        ends="invitation",
    ),
    _of_game(
        "orders",
        group="turn",
        label=N_("that a plan of yours was cancelled"),
        current="cancelled",
        sender=N_("%(opponent_as_sender)s · plan cancelled"),
        title=N_("Your turn: %(title)s"),
        line=N_("Your plan was cancelled in the game against %(opponent)s."),
        opening=N_("Your plan for the game against %(opponent)s was cancelled."),
        in_sight="told",
    ),
    _of_game(
        "abandonment",
        group="message",
        label=N_("that your opponent offers to end a game without a winner"),
        current="is_abandonment_offered",
        sender=N_("%(opponent_as_sender)s offers an end"),
        title=N_("A proposal: %(title)s"),
        line=attrgetter("offered_end"),
        in_sight="told",
    ),
    _of_game(
        "pause",
        group="message",
        label=N_("that your opponent would like to pause the clock"),
        current="is_pause_offered",
        sender=N_("%(opponent_as_sender)s offers a pause"),
        title=N_("A proposal: %(title)s"),
        line=attrgetter("offered_pause"),
        in_sight="told",
    ),
    _of_game(
        "answered",
        group="message",
        label=N_("that an offer of yours was answered, or lapsed"),
        current="own_offer",
        sender=attrgetter("own_offer.as_sender"),
        title=N_("Your offer: %(title)s"),
        line=attrgetter("own_offer.sentence"),
        in_sight="told",
    ),
    _of_game(
        "clock-runs",
        group="turn",
        label=N_("that a pause of the clock is over and your time runs again"),
        current="is_pause_over",
        sender=N_("%(opponent_as_sender)s · your time runs again"),
        title=N_("Your time runs again: %(title)s"),
        line=N_(
            "The pause is over in your game against %(opponent)s: you have until %(deadline)s."
        ),
        in_sight="told",
    ),
    _of_game(
        "time-out",
        group="turn",
        label=N_("that you can claim a win on time"),
        current="can_claim_time",
        sender=N_("%(opponent_as_sender)s is out of time"),
        title=N_("Time is out: %(title)s"),
        line=N_("%(opponent)s’s time is out: the win is yours to claim."),
        in_sight="told",
    ),
    _of_game(
        "message",
        group="message",
        label=N_("that your opponent has written to you"),
        current="unread",
        tells_messages=True,
        sender=N_("%(opponent_as_sender)s wrote to you"),
        title=N_("A message: %(title)s"),
        line=N_("%(opponent)s has written to you in your game."),
        opening=N_("%(opponent)s has written to you."),
        in_sight="waits",
        also_on=("list",),
    ),
    _of_challenge(
        "challenge",
        label=N_("that somebody challenges you, or withdraws it"),
        status="open",
        sender=attrgetter("challenge_as_sender"),
        title=N_("You are challenged"),
        line=N_("%(challenger)s challenges you to a game."),
        in_sight="waits",
        also_on=("list",),
    ),
    _closed_challenge(
        "declined",
        label=N_("that a challenge of yours was declined or has expired"),
        status="declined",
        title=N_("Your challenge was declined"),
    ),
    _closed_challenge(
        "expired", chosen_as="declined", status="expired", title=N_("Your challenge has expired")
    ),
    _closed_challenge(
        "withdrawn",
        chosen_as="challenge",
        status="withdrawn",
        title=N_("A challenge was withdrawn"),
        ends="challenge",
    ),
    _of_season(
        "season-started",
        group="invitation",
        chosen_as="started",
        current="has_begun",
        sender=N_("%(title)s has begun"),
        title=N_("Begun: %(title)s"),
        line=N_("The season “%(title)s” has begun."),
    ),
    _of_season(
        "season-ended",
        group="over",
        chosen_as="over",
        current="is_over",
        sender=attrgetter("end_as_sender"),
        title=attrgetter("end_as_title"),
        line=attrgetter("ending"),
        is_last=True,
    ),
    NoticeKind(
        "vacation-ends",
        "player",
        group="vacation",
        label=N_("that a vacation of yours ends in a day"),
        title=N_("Your vacation ends"),
        line=attrgetter("sentence"),
        is_last=True,
    ),
    NoticeKind(
        "reply-played",
        "mail",
        group=CONFIRMATION,
        label=N_("that the turn you sent by mail was played"),
        chosen_as=CONFIRMATION,
        sender=attrgetter("turn_played_as_sender"),
    ),
    NoticeKind(
        DIGEST,
        "player",
        label=N_("once a day about all your games"),
        sender=N_("Scottenbury · %(headline)s"),
        is_last=True,
    ),
)
_NOT_CHOSEN: Final = (
    NoticeKind("reply-refused", "mail", sender=N_("Scottenbury · nothing was played")),
    NoticeKind("reply-help", "mail", sender=N_("Scottenbury · how to play by mail")),
    *(NoticeKind(f"reply-{name}", "mail") for name in ("board", "note", "desk")),
    *(
        NoticeKind(name, "player")
        for name in ("verify", "sign-in", "address-changed", "answer-address")
    ),
    *(NoticeKind(name, "player") for name in ("answer-address-added", "game-removed")),
    *(
        NoticeKind(name, "game", has_mail=False)
        for name in ("pack", "list", "flag-held", "left", "analysis", "result")
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
    "turn": N_("my turns, and plans that were cancelled"),
    "reminder": N_("my time running out"),
    "invitation": N_("invitations, challenges, games that start"),
    "over": N_("games that end"),
    "message": N_("messages and proposals"),
    "vacation": N_("my vacation, a day before it ends"),
    CONFIRMATION: N_("turns I sent by mail, once played"),
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
