"""What the API takes and gives. Generated from openapi.yaml by client/generate.py."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class PlayerSummary(TypedDict):
    id: str
    name: str | None


class Problem(TypedDict):
    type: str
    """The address of a description of this code."""
    title: str
    status: int
    detail: str
    """What is wrong in this case, for people."""
    code: str
    """The stable code, for programs to decide by."""
    errors: NotRequired[dict[str, list[str]]]
    """With validation-failed: messages by field, with dots in nested names. Messages about the whole are under `body` or `query`."""
    version: NotRequired[int]
    """With stale-version or time-out: the current version."""
    refusal: NotRequired[str]
    """If a rule of the game forbids it: which one, more exactly than `code`."""
    rule: NotRequired[int]
    """If a rule of the game forbids it: the number of the ruling."""
    rule_url: NotRequired[str]
    """If a rule of the game forbids it: where to read it, on this server."""
    counterexample: NotRequired[list[str]]
    """With claim-not-proven: cards that beat the formation. If `refusal` is `beatable` they are unseen and would be added to the other side; else they lie there."""
    suggestion: NotRequired[str]
    """With name-taken: a name that is free."""
    players: NotRequired[list[PlayerSummary]]
    """With ambiguous-name: the players with this name, at most 20."""
    bots: NotRequired[list[str]]
    """With bot-not-available: the names of all bots."""
    challenge_status: NotRequired[str]
    """With challenge-closed: the outcome of the challenge."""
    id: NotRequired[str]
    """With already-asked: the open challenge, or the game with it."""
    by: NotRequired[Literal['you', 'opponent']]
    """With messages-off: who turned them off."""
    budget: NotRequired[Literal['account', 'network', 'recipient', 'pair', 'game', 'caller', 'strangers']]
    """With too-many-mails: what they are counted for."""
    retry_after: NotRequired[int]
    """With too-many-mails or too-many-messages: seconds after which to try again, as in the header `Retry-After`."""
    year: NotRequired[int]
    """With vacation-days-exceeded: the year without enough days."""
    seconds_left: NotRequired[int]
    """With vacation-days-exceeded: seconds of vacation left in it."""


class PlayerInput(TypedDict):
    name: str
    email: NotRequired[str | None]
    """The address for mail about turns, used once the link sent to it is confirmed."""


class RegisteredPlayer(TypedDict):
    id: str
    name: str
    token: str
    """The bearer token, shown only once."""


class Player(TypedDict):
    id: str
    name: str
    bot: bool
    created: str | None
    """When the player registered; null for a bot."""


class PlayerList(TypedDict):
    players: list[Player]
    next: str | None
    """The `cursor` of the next page, null on the last."""


class PlayerCounts(TypedDict):
    active: int
    finished: int


class PlayerProfile(TypedDict):
    id: str
    name: str
    bot: bool
    created: str | None
    """When the player registered; null for a bot."""
    games: PlayerCounts
    """How many games the player is in, without private ones."""


class EmailProblem(TypedDict):
    email: str
    how: Literal['refused', 'returned']
    """Whether its mail server refused a mail, or sent one back."""
    why: str
    """What the mail server said."""
    since: str
    last: str
    remedy: str
    """What takes it away."""


MailKinds = TypedDict(
    "MailKinds",
    {
        "turn": "bool",
        "reminder": "bool",
        "started": "bool",
        "over": "bool",
        "invitation": "bool",
        "orders": "bool",
        "abandonment": "bool",
        "pause": "bool",
        "answered": "bool",
        "clock-runs": "bool",
        "time-out": "bool",
        "message": "bool",
        "challenge": "bool",
        "declined": "bool",
        "vacation-ends": "bool",
        "confirmation": "bool",
        "digest": "bool",
    },
)


class Account(TypedDict):
    id: str
    name: str
    email: str | None
    email_verified: bool
    """Whether the address is confirmed, so that mail is sent to it."""
    email_pending: str | None
    """The address that will replace `email` once it is confirmed."""
    email_problem: EmailProblem | None
    """Why mail does not reach the confirmed address, as far as is known."""
    created: str
    mails: MailKinds
    """The kinds of mail that are sent, once the address is confirmed."""


MailKindsInput = TypedDict(
    "MailKindsInput",
    {
        "turn": "NotRequired[bool]",
        "reminder": "NotRequired[bool]",
        "started": "NotRequired[bool]",
        "over": "NotRequired[bool]",
        "invitation": "NotRequired[bool]",
        "orders": "NotRequired[bool]",
        "abandonment": "NotRequired[bool]",
        "pause": "NotRequired[bool]",
        "answered": "NotRequired[bool]",
        "clock-runs": "NotRequired[bool]",
        "time-out": "NotRequired[bool]",
        "message": "NotRequired[bool]",
        "challenge": "NotRequired[bool]",
        "declined": "NotRequired[bool]",
        "vacation-ends": "NotRequired[bool]",
        "confirmation": "NotRequired[bool]",
        "digest": "NotRequired[bool]",
    },
)


class AccountInput(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str | None]
    """A new address, confirmed by the link sent to it; null removes the address."""
    mails: NotRequired[MailKindsInput]
    """The kinds of mail to turn on or off. Others stay as they are."""


class AnswerAddress(TypedDict):
    id: str
    email: str
    added: str
    verified: bool
    """Whether it is confirmed, so that answers from there count."""


class Token(TypedDict):
    id: str
    name: str
    kind: Literal['api', 'session']
    """A program's token, or a browser that is signed in."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    created: str
    expires: str | None
    """When a session expires; null for `api`."""
    last_used: str
    """To the minute. While unused, when it was created."""


class QuietHours(TypedDict):
    begin: str
    end: str


class MailGroups(TypedDict):
    turn: bool
    reminder: bool
    invitation: bool
    over: bool
    message: bool
    vacation: bool
    confirmation: bool


class MailSettings(TypedDict):
    delivery: Literal['at_once', 'until_visit', 'digest', 'off']
    """How mail comes: `at_once`; `until_visit`: one mail, then none until the player has opened a page or asked the API anything; `digest`: once a day, all in one mail; `off`: never."""
    digest_at: str
    time_zone: str
    quiet: QuietHours | None
    reminders: Literal['both', 'half', 'last']
    """Which reminders come; turn off the group `reminder` for none."""
    groups: MailGroups
    """Which mails come: that it is my turn, that its time is passing, invitations and challenges, that a game is over, what the opponent proposes, that a turn which I sent by mail was played. `mails` in `/me` divides them further."""
    games: dict[str, Literal['at_once', 'until_visit', 'digest', 'off']]
    """How mail about single games comes, by their ids."""


DailyHours = TypedDict(
    "DailyHours",
    {
        "from": "str",
        "to": "str",
    },
)


Period = TypedDict(
    "Period",
    {
        "from": "str",
        "to": "str",
    },
)


class VacationAllowance(TypedDict):
    year: int
    seconds: int
    spent: int


class Calendar(TypedDict):
    zone: str
    sleep: DailyHours | None
    vacations: list[Period]
    by_itself: bool
    vacation_account: list[VacationAllowance]


class ChannelGroups(TypedDict):
    turn: bool
    reminder: bool
    invitation: bool
    over: bool
    message: bool
    vacation: bool


class ChannelTrouble(TypedDict):
    since: str
    why: str


class Channel(TypedDict):
    id: str
    type: Literal['webhook', 'push', 'ntfy', 'gotify', 'telegram', 'discord', 'slack', 'pushover']
    name: str
    leads_to: str
    """Where it leads, without what is a secret."""
    groups: ChannelGroups
    fallback: bool
    games_off: list[str]
    state: Literal['working', 'failing', 'off']
    """`off`: it gets nothing, because a message failed for a day, because the other side has closed it, or because its player wants so."""
    trouble: ChannelTrouble | None
    last_delivered: str | None
    created: str


class Clock(TypedDict):
    days_per_move: NotRequired[int]
    bank_days: NotRequired[int]
    increment_hours: NotRequired[int]
    cap_days: NotRequired[int]
    until: NotRequired[str]
    weekends_off: NotRequired[bool]
    sleeping_hours: NotRequired[bool]
    vacations: NotRequired[bool]
    time_out: NotRequired[Literal['auto', 'claim']]


Challenge = TypedDict(
    "Challenge",
    {
        "edition": "Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']",
        "tactics": "bool",
        "expert": "bool",
        "rounds": "int",
        "first_player": "Literal['creator', 'opponent', 'random', 'scotland']",
        "clock": "Clock | None",
        "id": "str",
        "status": "Literal['open', 'accepted', 'declined', 'withdrawn', 'countered', 'expired']",
        "from": "PlayerSummary",
        "to": "PlayerSummary",
        "created": "str",
        "expires": "str",
        "seat": "Seat",
        "private": "bool",
        "commitment": "str | None",
        "salt": "str | None",
        "counters": "str | None",
        "counter_offer": "str | None",
        "game": "str | None",
    },
)


class TurnOrder(TypedDict):
    actions: list[str]
    when: list[str]


class OrderResult(TypedDict):
    outcome: Literal['played', 'cancelled']
    actions: list[str]
    version: int
    """The version of the game when this was decided."""
    code: str | None
    """Why it was cancelled: the code of the problem with the turn, or `not-as-foreseen` if the condition was not met."""
    detail: str | None


class Orders(TypedDict):
    version: int
    """The version of the game."""
    claim_proved: bool
    pass_when_stuck: bool
    turn: TurnOrder | None
    last: OrderResult | None
    """The outcome of the latest conditional turn."""


class Message(TypedDict):
    number: int
    """Messages of a game are numbered from 1."""
    by: Seat
    at: str
    via: Literal['api', 'web', 'mail']
    text: str
    """Plain text, with line ends."""


class ExportedGame(TypedDict):
    id: str
    record: list[GameEvent]
    """The record as the player may see it."""
    orders: Orders
    messages: list[Message]
    """What the two players have written to each other."""
    note: str
    """The player's own note."""


class AccountExport(TypedDict):
    exported: str
    player: Account
    answer_addresses: list[AnswerAddress]
    """Further addresses that the player answers mails from."""
    tokens: list[Token]
    muted: list[str]
    """The kinds of mail that the player has turned off."""
    mail_signature: list[str]
    """Lines that are passed over in mails of the player's."""
    mail: MailSettings
    messages_wanted: bool
    """Whether the player takes messages from other players."""
    presence: Literal['never', 'days', 'live']
    """What opponents see of when the player was last here."""
    calendar: Calendar
    channels: list[Channel]
    """Channels, without their secrets."""
    challenges: list[Challenge]
    """Open challenges."""
    games: list[ExportedGame]


class AnswerAddressList(TypedDict):
    addresses: list[AnswerAddress]


class AnswerAddressInput(TypedDict):
    email: str


class TokenInput(TypedDict):
    name: str
    """A name for you to recognize it by."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    """Only scopes that the caller's own token has."""


class CreatedToken(TypedDict):
    id: str
    name: str
    kind: Literal['api', 'session']
    """A program's token, or a browser that is signed in."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    created: str
    expires: str | None
    """When a session expires; null for `api`."""
    last_used: str
    """To the minute. While unused, when it was created."""
    token: str
    """The bearer token, shown only once."""


class TokenList(TypedDict):
    tokens: list[Token]
    next: str | None
    """The `cursor` of the next page, null on the last."""


SleepInput = TypedDict(
    "SleepInput",
    {
        "from": "str",
        "to": "str",
    },
)


VacationInput = TypedDict(
    "VacationInput",
    {
        "from": "str",
        "to": "str",
    },
)


class CalendarInput(TypedDict):
    zone: str
    """The time zone, also that of mail."""
    sleep: NotRequired[SleepInput | None]
    """Ten hours at most, past midnight or not."""
    vacations: NotRequired[list[VacationInput]]
    """The vacations that are not over; what is not named ends now."""
    by_itself: NotRequired[bool]
    """Where your time is out, let a day of vacation begin by itself, as long as there are any. Default: `false`."""


class ChannelGroupsInput(TypedDict):
    turn: NotRequired[bool]
    reminder: NotRequired[bool]
    invitation: NotRequired[bool]
    over: NotRequired[bool]
    message: NotRequired[bool]
    vacation: NotRequired[bool]


class WebhookTargetInput(TypedDict):
    url: str
    """Where signed messages are posted, by https."""


class PushTargetInput(TypedDict):
    endpoint: str
    """As the browser's `PushSubscription` has it, by https."""
    p256dh: str
    """The browser's public key, base64url."""
    auth: str
    """The browser's secret, base64url."""


class NtfyTargetInput(TypedDict):
    url: str
    """The server, such as `https://ntfy.sh`."""
    topic: str
    """Whoever knows it can read along: choose one that nobody guesses."""
    token: NotRequired[str]
    """An access token, where the server wants one."""


class GotifyTargetInput(TypedDict):
    url: str
    """The server."""
    token: str
    """The token of an application."""


class TelegramTargetInput(TypedDict):
    token: str
    """The token of your bot, from @BotFather."""
    chat: str
    """The chat's id, or its public name with an @."""


class DiscordTargetInput(TypedDict):
    url: str
    """The address of a webhook, as Discord shows it."""


class SlackTargetInput(TypedDict):
    url: str
    """The address of an incoming webhook, as Slack shows it."""


class PushoverTargetInput(TypedDict):
    user: str
    """Your user key."""
    token: str
    """The token of your application."""


class CreatedChannel(TypedDict):
    id: str
    type: Literal['webhook', 'push', 'ntfy', 'gotify', 'telegram', 'discord', 'slack', 'pushover']
    name: str
    leads_to: str
    """Where it leads, without what is a secret."""
    groups: ChannelGroups
    fallback: bool
    games_off: list[str]
    state: Literal['working', 'failing', 'off']
    """`off`: it gets nothing, because a message failed for a day, because the other side has closed it, or because its player wants so."""
    trouble: ChannelTrouble | None
    last_delivered: str | None
    created: str
    secret: str | None
    """What signs a webhook's messages, shown only once; null for others."""


class ChannelList(TypedDict):
    channels: list[Channel]
    push_key: str | None
    """The `applicationServerKey` with which a browser asks for push; null where this server sends none."""


class ChannelChangeInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    on: NotRequired[bool]
    """Turn the channel on, whatever trouble it had, or off."""


class ChannelSecret(TypedDict):
    secret: str
    """Shown only once."""


class RequestedDelivery(TypedDict):
    id: str
    """The delivery that will come."""


class Delivery(TypedDict):
    id: str
    """Of a webhook: its `webhook-id`, the same for every attempt."""
    kind: str
    game: str | None
    first: str
    """The first attempt."""
    last: str
    """The latest attempt."""
    attempts: int
    state: Literal['waiting', 'delivered', 'failed', 'dropped']
    """`waiting`: it is tried again; `dropped`: it was no longer true by then."""
    answer: int | None
    """The HTTP status of the last answer that was no success."""
    why: str | None


class DeliveryList(TypedDict):
    deliveries: list[Delivery]
    next: str | None
    """The `cursor` of the next page, null on the last."""


class PrivateLinks(TypedDict):
    calendar: str | None
    """The deadlines of my turns, as a calendar (ICS)."""
    atom: str | None
    """My turns, as an Atom feed."""


class RuleOptions(TypedDict):
    hand_size: int
    """Cards in a full hand."""
    claim_timing: Literal['after_play', 'before_play', 'any_time']
    """When Stones can be claimed: ruling 3."""
    joker_limit: Literal['one_per_game', 'one_on_table']
    """When a player may play a second Joker: ruling 22."""
    traitor_to: Literal['any', 'another']
    """Where a Traitor may put a card: at any Stone, even the same one, or only at another: ruling 26."""


class EditionCombination(TypedDict):
    tactics: bool
    expert: bool
    options: RuleOptions


class Edition(TypedDict):
    name: str
    """The `edition` of a game."""
    title: str
    """For people."""
    combinations: list[EditionCombination]
    """All combinations that the edition has, the basic game first."""


class EditionList(TypedDict):
    editions: list[Edition]


class Bot(TypedDict):
    name: str
    """The `bot` of an opponent, such as `random`."""
    player: PlayerSummary
    """The bot as a player."""


class BotList(TypedDict):
    bots: list[Bot]


class OpenGame(TypedDict):
    edition: Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']
    tactics: bool
    expert: bool
    rounds: int
    first_player: Literal['creator', 'opponent', 'random', 'scotland']
    clock: Clock | None
    id: str
    created: str
    expires: str
    """How long it waits for a second player."""
    creator: PlayerSummary
    seat: Seat
    """The free seat."""


class Lobby(TypedDict):
    games: list[OpenGame]
    next: str | None
    """The `cursor` of the next page, null on the last."""


class ChallengeList(TypedDict):
    challenges: list[Challenge]
    next: str | None
    """The `cursor` of the next page, null on the last."""


class SeatInput(TypedDict):
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""


class PlayersBySeat(TypedDict):
    north: PlayerSummary | None
    south: PlayerSummary | None


class CountsBySeat(TypedDict):
    north: int
    south: int


class Stone(TypedDict):
    number: int
    owner: Seat | None
    north: list[str]
    """North's cards, in the order played."""
    south: list[str]
    """South's cards, in the order played."""
    modes: list[str]
    """The Combat Modes on the Stone."""
    completed_first: Seat | None


class Hand(TypedDict):
    cards: list[str] | None
    """The cards. Until the game is over, null for everyone but their holder."""
    clan: int
    tactic: int


class Hands(TypedDict):
    north: Hand
    south: Hand


class DeckSizes(TypedDict):
    clan: int
    tactic: int


class Banks(TypedDict):
    north: int
    south: int


OpenPeriod = TypedDict(
    "OpenPeriod",
    {
        "from": "str",
        "to": "str | None",
    },
)


TurnPause = TypedDict(
    "TurnPause",
    {
        "from": "str",
        "to": "str | None",
        "reason": "Literal['agreement', 'outage', 'untold', 'vacation']",
        "seat": "Seat | None",
    },
)


class CalendarInForce(TypedDict):
    zone: str
    sleep: DailyHours | None
    vacations: list[Period]


class CalendarsInForce(TypedDict):
    north: CalendarInForce | None
    south: CalendarInForce | None


class ClockState(TypedDict):
    turn_seconds: int
    """The time for this turn, pauses aside."""
    banks: Banks | None
    paused: OpenPeriod | None
    pauses: list[TurnPause]
    """The pauses of this turn but for weekends and sleeping hours."""
    calendars: CalendarsInForce


class Game(TypedDict):
    id: str
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    edition: Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    players: PlayersBySeat
    turn: Seat | None
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    imported: bool
    """Whether it was imported from a record."""
    round: int
    scores: CountsBySeat
    phase: Literal['play', 'return', 'finish', None]
    stones: list[Stone]
    hands: Hands
    decks: DeckSizes
    discard: list[str]
    tactics_played: CountsBySeat
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    options: RuleOptions
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat."""
    created_at: str
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    clock_state: ClockState | None
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log. Keep it, and it shows later whether the events of a record up to here are those that were played."""


class EmptyInput(TypedDict):
    pass


class CounterOfferInput(TypedDict):
    edition: NotRequired[Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']]
    tactics: NotRequired[bool]
    expert: NotRequired[bool]
    rounds: NotRequired[int]
    first_player: NotRequired[Literal['creator', 'opponent', 'random', 'scotland']]
    seat: NotRequired[Seat]
    clock: NotRequired[ClockInput | None]
    private: NotRequired[bool]
    """Only its players may see the game."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""


class Seal(TypedDict):
    seal: str
    """Send it once, when you create a game or a challenge."""
    commitment: str
    """SHA-256 of the secret, as in the game that the seal is used for."""
    expires_at: str
    """When it expires."""


class GameInput(TypedDict):
    edition: NotRequired[Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']]
    """Default: `iello`."""
    tactics: NotRequired[bool]
    """Default: `false`."""
    expert: NotRequired[bool]
    """Default: `false`."""
    rounds: NotRequired[int]
    """Default: `1`."""
    first_player: NotRequired[Literal['creator', 'opponent', 'random', 'scotland']]
    """Default: `random`."""
    seat: NotRequired[Seat]
    """Default: `north`."""
    clock: NotRequired[ClockInput | None]
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    opponent: NotRequired[OpponentInput | None]
    listed: NotRequired[bool]
    """Show the game in the lobby, where anyone may take the free seat. Default: `false`."""


class CreatedGame(TypedDict):
    id: str
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    edition: Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    players: PlayersBySeat
    turn: Seat | None
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    imported: bool
    """Whether it was imported from a record."""
    round: int
    scores: CountsBySeat
    phase: Literal['play', 'return', 'finish', None]
    stones: list[Stone]
    hands: Hands
    decks: DeckSizes
    discard: list[str]
    tactics_played: CountsBySeat
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    options: RuleOptions
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat."""
    created_at: str
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    clock_state: ClockState | None
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log. Keep it, and it shows later whether the events of a record up to here are those that were played."""
    invite: str
    """The holder of the invite may take the free seat."""
    invite_url: str
    """A link for the opponent, to a page where they can join."""


class GameSummary(TypedDict):
    id: str
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    edition: Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    players: PlayersBySeat
    turn: Seat | None
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    imported: bool
    """Whether it was imported from a record."""
    created: str


class GameList(TypedDict):
    games: list[GameSummary]
    next: str | None
    """The `cursor` of the next page, null on the last."""


class JoinInput(TypedDict):
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    invite: NotRequired[str | None]
    name: NotRequired[str | None]
    """Without a token: the name of the guest who joins, which registers them."""


class GuestGame(TypedDict):
    id: str
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    edition: Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    players: PlayersBySeat
    turn: Seat | None
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    imported: bool
    """Whether it was imported from a record."""
    round: int
    scores: CountsBySeat
    phase: Literal['play', 'return', 'finish', None]
    stones: list[Stone]
    hands: Hands
    decks: DeckSizes
    discard: list[str]
    tactics_played: CountsBySeat
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    options: RuleOptions
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat."""
    created_at: str
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    clock_state: ClockState | None
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log. Keep it, and it shows later whether the events of a record up to here are those that were played."""
    account: RegisteredPlayer
    """The guest's account. Add an address with `PATCH /v1/me` to keep it."""


class Abandonment(TypedDict):
    version: int
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status of the game: `finished` once both have agreed."""
    offered_by: Seat | None
    """The seat that offers it; null if neither does."""
    offer: int | None
    """The number of the offer; another offer has a higher one."""


class AbandonmentInput(TypedDict):
    offer: NotRequired[int | None]
    """The number of the opponent's offer that is agreed to."""


class RematchInput(TypedDict):
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""


class PauseOffer(TypedDict):
    version: int
    offered_by: Seat | None
    until: str | None
    """Until when the clock is to stand, if that is offered."""
    offer: int | None
    """The number of the offer; another offer has a higher one."""
    paused: OpenPeriod | None
    """The pause that was agreed last, if it was not ended."""


class TargetInput(TypedDict):
    card: str
    stone: int


class TurnInput(TypedDict):
    actions: list[str]


class TurnOrderInput(TypedDict):
    actions: list[str]
    """The turn to play if all of it is legal when my turn comes. Nothing can follow a Recruiter or a draw."""
    when: NotRequired[list[str]]
    """Play it only if the opponent's turn contained all these actions."""


class OrdersInput(TypedDict):
    claim_proved: NotRequired[bool]
    """Claim every Stone that can be proved: after my play, and at the start of my turn if the edition allows it. Default: `false`."""
    pass_when_stuck: NotRequired[bool]
    """Pass if no card can be played. Default: `false`."""
    turn: NotRequired[TurnOrderInput | None]


class MessageRefusal(TypedDict):
    code: str
    detail: str


class MessageList(TypedDict):
    messages: list[Message]
    """The newest first."""
    next: str | None
    """The `cursor` of the next page, null on the last."""
    unread: int
    """How many messages of the opponent's I have not read."""
    wanted: bool
    """Whether I take messages in this game."""
    refusal: MessageRefusal | None
    """Why I cannot write now; null if I can."""


class MessageInput(TypedDict):
    text: str
    """At most 40 lines. Control characters are left out."""


class MessageSettingsInput(TypedDict):
    wanted: bool
    """Whether I take messages."""


class MessageSettings(TypedDict):
    wanted: bool


class ReadMarkInput(TypedDict):
    number: int
    """The number of the last message that I have read."""


class MessageReportInput(TypedDict):
    number: int
    """The number of the message."""
    reason: NotRequired[str]
    """What is wrong with it, for the operator. Default: ``."""


class Note(TypedDict):
    text: str


class NoteInput(TypedDict):
    text: str
    """It replaces the note; an empty one deletes it."""


class QuietHoursInput(TypedDict):
    begin: str
    end: str
    """It may be on the next day."""


class MailGroupsInput(TypedDict):
    turn: NotRequired[bool]
    reminder: NotRequired[bool]
    invitation: NotRequired[bool]
    over: NotRequired[bool]
    message: NotRequired[bool]
    vacation: NotRequired[bool]
    confirmation: NotRequired[bool]


class MailSettingsInput(TypedDict):
    delivery: NotRequired[Literal['at_once', 'until_visit', 'digest', 'off']]
    """How mail comes: `at_once`; `until_visit`: one mail, then none until the player has opened a page or asked the API anything; `digest`: once a day, all in one mail; `off`: never."""
    digest_at: NotRequired[str]
    """When the daily digest comes."""
    time_zone: NotRequired[str]
    """The time zone of `digest_at` and `quiet`, from the IANA database."""
    quiet: NotRequired[QuietHoursInput | None]
    """Mail that falls due in these hours comes when they end, unless the player's time to move ends before that. null: there are none."""
    reminders: NotRequired[Literal['both', 'half', 'last']]
    """Which reminders come; turn off the group `reminder` for none."""
    groups: NotRequired[MailGroupsInput]
    """The groups of mails to turn on or off. Others stay as they are."""


class GameMailSettings(TypedDict):
    delivery: Literal['at_once', 'until_visit', 'digest', 'off', None]
    """What was chosen for this game; null: nothing."""
    effective: Literal['at_once', 'until_visit', 'digest', 'off']
    """How mail about this game comes therefore."""


class GameMailSettingsInput(TypedDict):
    delivery: Literal['at_once', 'until_visit', 'digest', 'off', None]
    """How mail about this game comes; null: like all mail. `at_once`; `until_visit`: one mail, then none until the player has opened a page or asked the API anything; `digest`: once a day, all in one mail; `off`: never."""


class GameEventList(TypedDict):
    version: int
    events: list[GameEvent]
    next: int | None
    """The `after` of the next page, null if there is none yet."""


class StreamMessage(TypedDict):
    id: str
    """The event's number or position. Send the last one as `Last-Event-ID` to resume."""
    event: str
    """The type of the event."""
    data: str
    """The event as JSON."""


Formation = TypedDict(
    "Formation",
    {
        "rank": "str",
        "total": "int",
        "as": "list[str]",
    },
)


class Proof(TypedDict):
    stone: int
    claimable: bool
    """Whether the claim is proved, even if this is not the moment to claim."""
    reason: str
    mine: Formation | None
    theirs: Formation | None
    counterexample: list[str] | None
    """With `beatable`: unseen Clan cards that, added to the other side, would beat the caller's."""


class ProofList(TypedDict):
    version: int
    proofs: list[Proof]


class NewsItem(TypedDict):
    game: str
    event: GameEvent


class NewsList(TypedDict):
    events: list[NewsItem]
    next: str
    """The `after` of the next request."""
    reset: bool
    """Whether `after` is too old, so that events may be missing. If so, read the games themselves, and go on from `next`."""


class MoveClockInput(TypedDict):
    days_per_move: int
    """So many days for each turn."""
    weekends_off: NotRequired[bool]
    """Saturdays and Sundays do not count."""
    sleeping_hours: NotRequired[bool]
    """The sleeping hours in a player's calendar do not count."""
    vacations: NotRequired[bool]
    """The vacations in a player's calendar do not count."""
    time_out: NotRequired[Literal['auto', 'claim']]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more time (`claim`). Default: `auto`."""


class BankClockInput(TypedDict):
    bank_days: int
    """So many days for each player's whole round."""
    increment_hours: NotRequired[int]
    """Hours that each turn adds to the bank of who played it."""
    cap_days: NotRequired[int]
    """The days up to which these hours fill a bank."""
    weekends_off: NotRequired[bool]
    """Saturdays and Sundays do not count."""
    sleeping_hours: NotRequired[bool]
    """The sleeping hours in a player's calendar do not count."""
    vacations: NotRequired[bool]
    """The vacations in a player's calendar do not count."""
    time_out: NotRequired[Literal['auto', 'claim']]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more time (`claim`). Default: `auto`."""


class FixedEndClockInput(TypedDict):
    until: str
    """The fixed end: whoever has the turn then loses. For single rounds."""
    time_out: NotRequired[Literal['auto', 'claim']]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more time (`claim`). Default: `auto`."""


class DaysInput(TypedDict):
    days: int


class HoursInput(TypedDict):
    hours: int


class PauseOfferInput(TypedDict):
    until: NotRequired[str | None]
    """When the clock runs again. Without it: once either resumes it."""


class PauseAgreementInput(TypedDict):
    offer: int
    """The number of the opponent's offer that is agreed to."""


class PlayerOpponentInput(TypedDict):
    player: str
    """A player's id. That player may take the seat without the invite."""


class EmailOpponentInput(TypedDict):
    email: str
    """The invite is sent to this address."""


class BotOpponentInput(TypedDict):
    bot: Literal['random', 'steward']
    """The name of a bot, from `GET /v1/bots`. The game starts at once."""


class ChallengeByIdInput(TypedDict):
    edition: NotRequired[Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']]
    """Default: `iello`."""
    tactics: NotRequired[bool]
    """Default: `false`."""
    expert: NotRequired[bool]
    """Default: `false`."""
    rounds: NotRequired[int]
    """Default: `1`."""
    first_player: NotRequired[Literal['creator', 'opponent', 'random', 'scotland']]
    """Default: `random`."""
    seat: NotRequired[Seat]
    """Default: `north`."""
    clock: NotRequired[ClockInput | None]
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    player: str
    """Whom to challenge, by id."""


class ChallengeByNameInput(TypedDict):
    edition: NotRequired[Literal['iello', 'bga', 'reference-card', 'scottentots', 'community']]
    """Default: `iello`."""
    tactics: NotRequired[bool]
    """Default: `false`."""
    expert: NotRequired[bool]
    """Default: `false`."""
    rounds: NotRequired[int]
    """Default: `1`."""
    first_player: NotRequired[Literal['creator', 'opponent', 'random', 'scotland']]
    """Default: `random`."""
    seat: NotRequired[Seat]
    """Default: `north`."""
    clock: NotRequired[ClockInput | None]
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    name: str
    """Whom to challenge, by name, in any case."""


CardMoveInput = TypedDict(
    "CardMoveInput",
    {
        "card": "str",
        "stone": "int",
        "claims": "NotRequired[list[int]]",
        "draw": "NotRequired[Literal['clan', 'tactic']]",
        "pass": "NotRequired[bool]",
    },
)


RuseMoveInput = TypedDict(
    "RuseMoveInput",
    {
        "card": "str",
        "target": "TargetInput",
        "to": "NotRequired[int | Literal['discard']]",
        "claims": "NotRequired[list[int]]",
        "draw": "NotRequired[Literal['clan', 'tactic']]",
        "pass": "NotRequired[bool]",
    },
)


RecruiterMoveInput = TypedDict(
    "RecruiterMoveInput",
    {
        "card": "str",
        "draws": "list[Literal['clan', 'tactic']]",
        "claims": "NotRequired[list[int]]",
        "draw": "NotRequired[Literal['clan', 'tactic']]",
        "pass": "NotRequired[bool]",
    },
)


PassMoveInput = TypedDict(
    "PassMoveInput",
    {
        "claims": "NotRequired[list[int]]",
        "draw": "NotRequired[Literal['clan', 'tactic']]",
        "pass": "Literal[True]",
    },
)


class OneClaimInput(TypedDict):
    stone: int


class SeveralClaimsInput(TypedDict):
    stones: list[int]


class WebhookChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    webhook: WebhookTargetInput
    """Messages to a program of yours, signed as Standard Webhooks describes."""


class PushChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    push: PushTargetInput
    """Messages to a browser, from its `PushSubscription`."""


class NtfyChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    ntfy: NtfyTargetInput
    """ntfy, the public server or your own."""


class GotifyChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    gotify: GotifyTargetInput
    """A Gotify server."""


class TelegramChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    telegram: TelegramTargetInput
    """A chat on Telegram."""


class DiscordChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    discord: DiscordTargetInput
    """A channel on Discord."""


class SlackChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    slack: SlackTargetInput
    """A channel on Slack."""


class PushoverChannelInput(TypedDict):
    name: NotRequired[str]
    """A name for you."""
    groups: NotRequired[ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation` invitations and challenges, `over` that a game is over, `message` what the opponent proposes. Others stay as they are; a new channel tells everything."""
    fallback: NotRequired[bool]
    """Used only where mail and all other channels have failed for good."""
    games_off: NotRequired[list[str]]
    """The games of which it tells nothing."""
    pushover: PushoverTargetInput
    """Pushover."""


class GameCreatedEventDataOptions(TypedDict):
    hand_size: int
    tactics: bool
    claim_timing: str
    joker_limit: str
    traitor_to: NotRequired[Literal['any', 'another']]


class GameCreatedEventData(TypedDict):
    player: str
    seat: Seat
    edition: str
    tactics: bool
    expert: bool
    rounds: int
    first_player: str
    rules_version: int
    options: GameCreatedEventDataOptions
    commitment: str
    salt: str
    visited_scotland: str | None
    terms: dict[str, Any]
    """What was agreed beyond the rules."""


class GameCreatedEventPrivate(TypedDict):
    secret: str


class GameCreatedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['game_created']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: GameCreatedEventData
    private: GameCreatedEventPrivate | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class PlayerJoinedEventData(TypedDict):
    player: str
    salt: str
    visited_scotland: str | None


class PlayerJoinedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['player_joined']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: PlayerJoinedEventData
    private: None
    salt: str | None
    hash: str


class RoundStartedEventData(TypedDict):
    round: int
    first: Seat


class RoundStartedEventPrivate(TypedDict):
    clan: list[str]
    tactic: list[str]


class RoundStartedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['round_started']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: RoundStartedEventData
    private: RoundStartedEventPrivate | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class CardPlayedEventData(TypedDict):
    card: str
    stone: int


class CardPlayedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['card_played']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: CardPlayedEventData
    private: None
    salt: str | None
    hash: str


class RusePlayedEventDataTarget(TypedDict):
    card: str
    stone: int


class RusePlayedEventDataDraws(TypedDict):
    clan: int
    tactic: int


class RusePlayedEventData(TypedDict):
    card: str
    target: NotRequired[RusePlayedEventDataTarget]
    to: NotRequired[int | Literal['x']]
    draws: NotRequired[RusePlayedEventDataDraws]


class RusePlayedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['ruse_played']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: RusePlayedEventData
    private: None
    salt: str | None
    hash: str


class CardsRecruitedEventData(TypedDict):
    clan: int
    tactic: int


class CardsRecruitedEventPrivate(TypedDict):
    cards: list[str]


class CardsRecruitedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['cards_recruited']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: CardsRecruitedEventData
    private: CardsRecruitedEventPrivate | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class CardsReturnedEventData(TypedDict):
    clan: int
    tactic: int


class CardsReturnedEventPrivate(TypedDict):
    cards: list[str]


class CardsReturnedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['cards_returned']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: CardsReturnedEventData
    private: CardsReturnedEventPrivate | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class PassedEventData(TypedDict):
    pass


class PassedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['passed']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: PassedEventData
    private: None
    salt: str | None
    hash: str


StoneClaimedEventDataMine = TypedDict(
    "StoneClaimedEventDataMine",
    {
        "rank": "Literal['sum', 'run', 'color', 'three-of-a-kind', 'color-run']",
        "total": "int",
        "as": "list[str]",
    },
)


StoneClaimedEventDataTheirs = TypedDict(
    "StoneClaimedEventDataTheirs",
    {
        "rank": "Literal['sum', 'run', 'color', 'three-of-a-kind', 'color-run']",
        "total": "int",
        "as": "list[str]",
    },
)


class StoneClaimedEventData(TypedDict):
    stone: int
    reason: str
    mine: StoneClaimedEventDataMine
    theirs: StoneClaimedEventDataTheirs | None


class StoneClaimedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['stone_claimed']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: StoneClaimedEventData
    private: None
    salt: str | None
    hash: str


class CardDrawnEventData(TypedDict):
    deck: Literal['clan', 'tactic']


class CardDrawnEventPrivate(TypedDict):
    cards: list[str]


class CardDrawnEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['card_drawn']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: CardDrawnEventData
    private: CardDrawnEventPrivate | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class TurnEndedEventData(TypedDict):
    next: Seat


class TurnEndedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['turn_ended']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: TurnEndedEventData
    private: None
    salt: str | None
    hash: str


class ResignedEventData(TypedDict):
    pass


class ResignedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['resigned']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: ResignedEventData
    private: None
    salt: str | None
    hash: str


class TimedOutEventData(TypedDict):
    seat: Seat


class TimedOutEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['timed_out']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: TimedOutEventData
    private: None
    salt: str | None
    hash: str


class RoundEndedEventDataPoints(TypedDict):
    north: int
    south: int


class RoundEndedEventDataScores(TypedDict):
    north: int
    south: int


class RoundEndedEventData(TypedDict):
    round: int
    winner: Seat | None
    reason: str
    points: RoundEndedEventDataPoints
    scores: RoundEndedEventDataScores


class RoundEndedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['round_ended']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: RoundEndedEventData
    private: None
    salt: str | None
    hash: str


class GameEndedEventDataScores(TypedDict):
    north: int
    south: int


class GameEndedEventData(TypedDict):
    winner: Seat | None
    reason: str
    scores: GameEndedEventDataScores
    secret: str


class GameEndedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['game_ended']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: GameEndedEventData
    private: None
    salt: str | None
    hash: str


class GameAbortedEventData(TypedDict):
    secret: str


class GameAbortedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['game_aborted']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: GameAbortedEventData
    private: None
    salt: str | None
    hash: str


class CalendarChangedEventData(TypedDict):
    zone: str
    sleep: list[str] | None
    vacations: list[list[str]]
    next_turn: NotRequired[bool]


class CalendarChangedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['calendar_changed']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: CalendarChangedEventData
    private: None
    salt: str | None
    hash: str


class TimeGivenEventData(TypedDict):
    seat: Seat
    seconds: int


class TimeGivenEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['time_given']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: TimeGivenEventData
    private: None
    salt: str | None
    hash: str


class ClockPausedEventData(TypedDict):
    until: str | None


class ClockPausedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['clock_paused']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: ClockPausedEventData
    private: None
    salt: str | None
    hash: str


class ClockResumedEventData(TypedDict):
    pass


class ClockResumedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['clock_resumed']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: ClockResumedEventData
    private: None
    salt: str | None
    hash: str


ClockAdjustedEventData = TypedDict(
    "ClockAdjustedEventData",
    {
        "seat": "Seat | None",
        "reason": "Literal['outage', 'untold', 'vacation']",
        "from": "str",
        "to": "str",
    },
)


class ClockAdjustedEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['clock_adjusted']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: ClockAdjustedEventData
    private: None
    salt: str | None
    hash: str


class FlagHeldEventData(TypedDict):
    seat: Seat
    until: str


class FlagHeldEvent(TypedDict):
    seq: int
    v: int
    """The schema version of this event type."""
    at: str
    type: Literal['flag_held']
    by: Seat | None
    via: Literal['api', 'web', 'mail', 'order', 'bot', 'clock']
    data: FlagHeldEventData
    private: None
    salt: str | None
    hash: str


class GameWebhookDataOpponent(TypedDict):
    id: str
    name: str


class GameWebhookData(TypedDict):
    game: str
    """The game's id."""
    version: int
    """The game's version, as in its `ETag`."""
    head: str
    """The last hash of the game's log."""
    seat: Seat | None
    """Your seat; null while you are invited."""
    opponent: GameWebhookDataOpponent | None
    """Null if there is none (yet)."""
    deadline: str | None
    """Until when the turn has to be played; null without a clock that runs."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class GameWebhook(TypedDict):
    type: Literal['game.turn', 'game.orders', 'game.reminder', 'game.last-reminder', 'game.started', 'game.invitation', 'game.over', 'game.clock-runs', 'game.time-out', 'game.message', 'game.abandonment', 'game.pause', 'game.answered', 'game.called-off']
    timestamp: str
    """When the latest event of the game happened, the challenge was made, or else this was written."""
    data: GameWebhookData


class ChallengeWebhookData(TypedDict):
    challenge: str
    """The challenge's id."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class ChallengeWebhook(TypedDict):
    type: Literal['challenge.challenge', 'challenge.declined', 'challenge.expired', 'challenge.withdrawn']
    timestamp: str
    """When the latest event of the game happened, the challenge was made, or else this was written."""
    data: ChallengeWebhookData


class DigestWebhookData(TypedDict):
    turns: int
    """In how many games it is your turn."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class DigestWebhook(TypedDict):
    type: Literal['channel.digest']
    timestamp: str
    """When the latest event of the game happened, the challenge was made, or else this was written."""
    data: DigestWebhookData


class PlainWebhookData(TypedDict):
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class PlainWebhook(TypedDict):
    type: Literal['calendar.vacation-ends', 'channel.test']
    timestamp: str
    """When the latest event of the game happened, the challenge was made, or else this was written."""
    data: PlainWebhookData


GameEvent: TypeAlias = GameCreatedEvent | PlayerJoinedEvent | RoundStartedEvent | CardPlayedEvent | RusePlayedEvent | CardsRecruitedEvent | CardsReturnedEvent | PassedEvent | StoneClaimedEvent | CardDrawnEvent | TurnEndedEvent | ResignedEvent | TimedOutEvent | RoundEndedEvent | GameEndedEvent | GameAbortedEvent | CalendarChangedEvent | TimeGivenEvent | ClockPausedEvent | ClockResumedEvent | ClockAdjustedEvent | FlagHeldEvent
ChannelInput: TypeAlias = WebhookChannelInput | PushChannelInput | NtfyChannelInput | GotifyChannelInput | TelegramChannelInput | DiscordChannelInput | SlackChannelInput | PushoverChannelInput
ClockInput: TypeAlias = MoveClockInput | BankClockInput | FixedEndClockInput
ChallengeInput: TypeAlias = ChallengeByIdInput | ChallengeByNameInput
OpponentInput: TypeAlias = PlayerOpponentInput | EmailOpponentInput | BotOpponentInput
TimeInput: TypeAlias = DaysInput | HoursInput
PauseInput: TypeAlias = PauseOfferInput | PauseAgreementInput
MoveInput: TypeAlias = CardMoveInput | RuseMoveInput | RecruiterMoveInput | PassMoveInput
ClaimsInput: TypeAlias = OneClaimInput | SeveralClaimsInput
WebhookMessage: TypeAlias = GameWebhook | ChallengeWebhook | DigestWebhook | PlainWebhook
Seat: TypeAlias = Literal['north', 'south']
