"""Schemas of accounts and tokens."""

from typing import Annotated, Final, NotRequired, TypedDict

from marshmallow.validate import Length, OneOf

from service.accounts.email_addresses import How
from service.accounts.notice_kinds import CHOICES
from service.accounts.player import ArchiveChoice
from service.accounts.privacy import PresenceChoice
from service.accounts.tokens import SCOPES, Kind
from service.api.schemas.fields import EmailAddress, Language, Name, NewName, cursor
from service.api.schemas.in_game import MessageShape
from service.api.schemas.inputs import Limit
from service.api.schemas.outputs import TOKEN, GameEventShape, NextCursor
from service.api.schemas.settings import NOTE, CalendarShape, ChannelShape, SettingsShape
from service.core.shapes import NOW, Default, Example, Shown, Timestamp, flags, rules
from service.games.shapes import ChallengeShape, OrdersShape, PlayerShape, RatingsShape

MailKinds = flags("MailKinds", CHOICES)
_KINDS: Final = {
    kind: Annotated[bool, f"Whether a mail tells {what}."] for kind, what in CHOICES.items()
}
MailKindsInput = TypedDict("MailKindsInput", _KINDS, total=False)  # type: ignore[misc]
BOT: Final = {
    "id": "robotwizltorzwi4",
    "name": "Deep Stone (bot)",
    "bot": True,
    "owner": {"id": "mfzwizltorzwi4tf", "name": "Ada", "bot": False},
    "created_at": NOW,
}
Scope = Annotated[str, OneOf(SCOPES)]


@rules(change=True, example={"name": "Ada", "mails": {"started": False}})
class AccountInput(TypedDict, total=False):
    """Changes to the account; what is left out stays."""

    name: Annotated[NewName, Example("Ada Lovelace")]
    email: Annotated[EmailAddress | None, Example("ada@example.org")]
    """A new address, confirmed by the link sent to it; null removes the address."""

    mails: Annotated[dict[str, bool], MailKindsInput]
    """The kinds of mail to turn on or off. Others stay as they are."""

    language: Language | None
    """The language of pages and mails; null: that of the browser."""

    archive: ArchiveChoice


class TokenInput(TypedDict):
    """A token to be made."""

    name: Annotated[Name, Example("my bot")]
    """A name for you to recognize it by."""
    scopes: Annotated[list[Scope], Length(1, len(SCOPES)), Shown(("games:read", "games:play"))]
    """Only scopes that the caller's own token has."""


class OwnBotInput(TypedDict):
    """A new bot."""

    name: Annotated[NewName, Example("Deep Stone")]


class SignInInput(TypedDict):
    """A code of a browser that is signed in, and a name for the token."""

    code: Annotated[str, Length(1, 40), Example("q7xk-m2vd-a5tz")]
    """With or without its hyphens."""
    name: Annotated[Name, Default("terminal")]
    """A name for you to recognize the token by."""


class AnswerAddressShape(TypedDict):
    """A further address from which the player answers mails."""

    id: Annotated[str, Shown("5b1e28460f3a9c7d")]
    email: Annotated[str, Shown("ada@example.com")]
    created_at: Timestamp
    verified: Annotated[bool, Shown(False)]
    """Whether it is confirmed, so that answers from there count."""


class EmailProblemShape(TypedDict):
    """Why mail does not reach an address."""

    email: str
    how: How
    """Whether its mail server refused a mail, or sent one back."""
    why: str
    """What the mail server said."""
    first_at: Timestamp
    last_at: Timestamp
    remedy: str
    """What takes it away."""


class AccountShape(TypedDict):
    """The caller's own account."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str, Shown("Ada")]
    email: Annotated[str | None, Shown("ada@example.org")]
    """The confirmed address, or else the one given; null for none."""
    email_verified: bool
    """Whether the address is confirmed, so that mail is sent to it."""
    email_pending: str | None
    """The address that will replace `email` once it is confirmed."""
    email_problem: EmailProblemShape | None
    """Why mail does not reach the confirmed address, as far as is known."""
    created_at: Timestamp
    mails: Annotated[dict[str, bool], MailKinds]
    """The kinds of mail that are sent, once the address is confirmed."""
    language: Annotated[str | None, Shown("en")]
    """The language that the player chose; null: that of their browser."""
    archive: ArchiveChoice


class MeShape(TypedDict):
    """Who the caller is. All but the first and the last members take the scope `account`."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str, Shown("Ada")]
    email: NotRequired[Annotated[str | None, Shown("ada@example.org")]]
    email_verified: NotRequired[Annotated[bool, Shown(True)]]
    """Whether the address is confirmed, so that mail is sent to it."""
    email_pending: NotRequired[str | None]
    """The address that will replace `email` once it is confirmed."""
    email_problem: NotRequired[EmailProblemShape | None]
    """Why mail does not reach the confirmed address, as far as is known."""
    created_at: Timestamp
    mails: NotRequired[Annotated[dict[str, bool], MailKinds]]
    """The kinds of mail that are sent, once the address is confirmed."""
    language: NotRequired[Annotated[str | None, Shown("en")]]
    """The language that the player chose; null: that of their browser."""
    archive: NotRequired[ArchiveChoice]
    scopes: Annotated[list[Scope], Shown(("games:read", "account"))]


class OwnBotListShape(TypedDict):
    """My bots."""

    bots: Annotated[list[PlayerShape], Shown((BOT,))]
    """The bots."""


class TokenShape(TypedDict):
    """A token, without its secret."""

    id: Annotated[str, Shown("0f3a9c5d7b1e2846")]
    name: Annotated[str, Shown("my bot")]
    """What its owner calls it."""
    kind: Kind
    """A program's token, or a browser that is signed in."""
    scopes: Annotated[list[Scope], Shown(("games:read", "games:play"))]
    created_at: Timestamp
    expires_at: Timestamp | None
    """When a session expires; null for `api`."""
    last_used_at: Timestamp
    """To the minute. While unused, when it was created."""


class CreatedTokenShape(TokenShape):
    """A new token, with its secret."""

    token: Annotated[str, Shown(TOKEN)]
    """The bearer token, shown only once."""


class TokensQuery(TypedDict):
    cursor: NotRequired[Annotated[str, cursor(r"\S{1,40} [0-9a-f]{16}")]]
    limit: Annotated[Limit, Default(100)]


class TokenListShape(TypedDict):
    """A page of tokens."""

    tokens: list[TokenShape]
    next: NextCursor


class ExportedGameShape(TypedDict):
    """A game as its player may see it."""

    id: Annotated[str, Shown("onrw65dumvxhs5dporxw")]
    record: list[GameEventShape]
    """The record as the player may see it."""
    orders: OrdersShape
    messages: list[MessageShape]
    """What the two players have written to each other."""
    note: Annotated[str, Shown(NOTE)]
    """The player's own note."""


class IdentityShape(TypedDict):
    """A sign-in elsewhere that opens an account."""

    issuer: Annotated[str, Shown("trusted-header")]
    """`trusted-header`: the host's sign-in; else an OpenID provider."""
    subject: Annotated[str, Shown("ada")]
    """Who one is there."""
    label: Annotated[str, Shown("ada")]
    """A name for people."""
    linked_at: Timestamp
    """Since when it does."""


class AccountExportShape(SettingsShape):
    """Everything that the server stores about the caller."""

    exported_at: Timestamp
    """When this was put together."""
    player: AccountShape
    """The account itself."""
    face: Annotated[str, Shown("GR-stag")]
    """The mark that the player has chosen, such as `GR-stag`: its clan, its tartan and its figure;
    empty for the mark that follows from the id."""
    answer_addresses: list[AnswerAddressShape]
    """Further addresses that the player answers mails from."""
    identities: list[IdentityShape]
    """Sign-ins elsewhere that open the account."""
    tokens: list[TokenShape]
    muted: Annotated[list[str], Shown(("started",))]
    """The kinds of mail that the player has turned off."""
    mail_signature: Annotated[list[str], Shown(("head of analytical engines",))]
    """Lines that are passed over in mails of the player's."""
    presence: Annotated[PresenceChoice, Shown("days")]
    """What opponents see of when the player was last here."""
    calendar: CalendarShape
    """The player's calendar."""
    channels: Annotated[list[ChannelShape], Shown(())]
    """Channels, without their secrets."""
    challenges: Annotated[list[ChallengeShape], Shown(())]
    """Open challenges."""
    ratings: RatingsShape
    """Now."""
    bots: Annotated[list[PlayerShape], Shown(())]
    """The player's own bots."""
    games: list[ExportedGameShape]
    """Every game of the player's."""
