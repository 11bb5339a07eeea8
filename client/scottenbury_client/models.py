"""What the API takes and gives. Generated from openapi.yaml by client/generate.py."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class ChallengedInput(TypedDict):
    """Whom to challenge on a ladder."""
    player: str
    """The player's id."""


class SeasonEntryInput(TypedDict):
    """What a player may send who enters."""
    salt: NotRequired[str | None]
    """Your share of the draw, and of the shuffles of your games. Default: the commitment."""


class SeasonInput(TypedDict):
    """A season to announce. A league starts at a moment, or as soon as enough players wait; a ladder at once, and takes neither `division`, `starts_at`, `players`, `bots` nor `follows`."""
    name: str
    """The name that everybody sees."""
    format: NotRequired[Literal['league', 'ladder']]
    """Default: `league`."""
    edition: NotRequired[str]
    """Default: `iello`."""
    tactics: NotRequired[bool]
    """Default: `false`."""
    expert: NotRequired[bool]
    """Default: `false`."""
    clock: NotRequired[ClockInput | None]
    """Default: a bank of 3 days, and 12 hours for each turn; on a ladder vacations do not count. In a league `days_per_move` and times that do not count are not possible, on a ladder a fixed end is not."""
    division: NotRequired[int | None]
    """The best number of players of a division. Default: 6."""
    starts_at: NotRequired[str | None]
    """When it starts at the latest. Without it, it waits for so many players."""
    players: NotRequired[int | None]
    """How many have to wait for it to start."""
    bots: NotRequired[list[str]]
    """Bots that fill short divisions, in this order."""
    follows: NotRequired[str | None]
    """The season whose last table orders the divisions. It waits for that one to end."""


class MessageReportInput(TypedDict):
    """A message for the operator to see."""
    number: int
    """The number of the message."""
    reason: NotRequired[str]
    """What is wrong with it, for the operator. Default: ``."""


class ReadMarkInput(TypedDict):
    """How far the caller has read."""
    number: int
    """The number of the last message that I have read."""


class MessageInput(TypedDict):
    """A message to send."""
    text: str
    """At most 40 lines. Control characters are left out."""


class OrdersInput(TypedDict):
    """The standing orders."""
    claim_proved: NotRequired[bool]
    """Claim every Stone that can be proved: after my play, and at the start of my turn if the edition allows it. Default: `false`."""
    pass_when_stuck: NotRequired[bool]
    """Pass if no card can be played. Default: `false`."""
    turn: NotRequired[TurnOrderInput | None]
    """The turn to play as soon as it is the caller's; null for none."""


class TurnOrderInput(TypedDict):
    """A turn to play later."""
    actions: list[str]
    """The turn to play if all of it is legal when my turn comes. Nothing can follow a Recruiter or a draw."""
    when: NotRequired[list[str]]
    """Play it only if the opponent's turn contained all these actions."""


class EmptyInput(TypedDict):
    """An empty object."""


class TurnInput(TypedDict):
    """Actions of one turn, all or none."""
    actions: list[str]
    """The actions, in action text."""


class TargetInput(TypedDict):
    """A card on the table."""
    card: str
    """The code of the card."""
    stone: int
    """The number of the Stone."""


class PracticeInput(TypedDict):
    """The choices of a practice game."""
    step: NotRequired[int]
    """The event to go on after. Default: `0`."""
    seat: NotRequired[Seat]
    """Yours; else that of the finished game, or whose turn it is."""
    bot: NotRequired[str]
    """Who plays the other seat. Default: `steward`."""


class RematchInput(TypedDict):
    """What may come with a rematch."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""


class JoinInput(TypedDict):
    """What a player who joins may send."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    invite: NotRequired[str | None]
    """The token from the invitation."""
    name: NotRequired[str | None]
    """Without a token: the name of the guest who joins, which registers them."""


class GameInput(TypedDict):
    """A game to create."""
    edition: NotRequired[str]
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
    """The pace; null for no clock."""
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    rated: NotRequired[bool | None]
    """Whether its result changes ratings. Default: between people and between bots. Never: without a clock, in private, with one's own bots."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""
    opponent: NotRequired[OpponentInput | None]
    """Whom to invite; null leaves the seat to whoever has the invite."""
    language: NotRequired[str | None]
    """The language of mails to an opponent by `email`, unless an account there has one. Default: yours."""
    message: NotRequired[str | None]
    """What you write in the mail to an opponent by `email`: a line without links or addresses."""
    listed: NotRequired[bool]
    """Show the game in the lobby, where anyone may take the free seat, and then among the public games (`GET /v1/games?public=true`). Default: `false`."""


class CounterOfferInput(TypedDict):
    """What shall differ from the challenge."""
    edition: NotRequired[str]
    """The edition of the rules."""
    tactics: NotRequired[bool]
    """Whether Tactic cards are in play."""
    expert: NotRequired[bool]
    """Whether the edition's expert rules apply."""
    rounds: NotRequired[int]
    """Rounds of the match."""
    first_player: NotRequired[Literal['creator', 'opponent', 'random', 'scotland']]
    """Who begins."""
    seat: NotRequired[Seat]
    """The seat."""
    clock: NotRequired[ClockInput | None]
    """The pace; null for no clock."""
    private: NotRequired[bool]
    """Only its players may see the game."""
    rated: NotRequired[bool | None]
    """Whether its result changes ratings. Default: between people and between bots. Never: without a clock, in private, with one's own bots."""
    invitation_days: NotRequired[int | None]
    """Days to wait for the other player. Default: 14."""
    seal: NotRequired[str | None]
    """A seal from `POST /v1/seals`. The game then uses the secret that the server committed to before it knew any salt."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""


class SeatInput(TypedDict):
    """What a player may send when taking a seat."""
    salt: NotRequired[str | None]
    """This player's share of the shuffle. Without one the game's commitment is used."""
    visited_scotland: NotRequired[str | None]
    """Your last day in or near Scotland, for `first_player: scotland`."""


class ChannelChangeInput(TypedDict):
    """Changes to a channel; what is left out stays."""
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


class ChannelGroupsInput(TypedDict):
    """The groups of messages to turn on or off."""
    turn: NotRequired[bool]
    """That it is your turn."""
    reminder: NotRequired[bool]
    """That your time is passing."""
    invitation: NotRequired[bool]
    """Invitations and challenges."""
    over: NotRequired[bool]
    """That a game is over."""
    message: NotRequired[bool]
    """What the opponent writes or proposes."""
    vacation: NotRequired[bool]
    """That a vacation ends."""


class PushoverTargetInput(TypedDict):
    """Where messages by Pushover go."""
    user: str
    """Your user key."""
    token: str
    """The token of your application."""


class SlackTargetInput(TypedDict):
    """Where messages on Slack go."""
    url: str
    """The address of an incoming webhook, as Slack shows it."""


class DiscordTargetInput(TypedDict):
    """Where messages on Discord go."""
    url: str
    """The address of a webhook, as Discord shows it."""


class TelegramTargetInput(TypedDict):
    """Where messages by Telegram go."""
    token: str
    """The token of your bot, from @BotFather."""
    chat: str
    """The chat's id, or its public name with an @."""


class GotifyTargetInput(TypedDict):
    """Where messages by Gotify go."""
    url: str
    """The server."""
    token: str
    """The token of an application."""


class NtfyTargetInput(TypedDict):
    """Where messages by ntfy go."""
    url: str
    """The server, such as `https://ntfy.sh`."""
    topic: str
    """Whoever knows it can read along: choose one that nobody guesses."""
    token: NotRequired[str]
    """An access token, where the server wants one."""


class PushTargetInput(TypedDict):
    """Where push messages go."""
    endpoint: str
    """As the browser's `PushSubscription` has it, by https."""
    p256dh: str
    """The browser's public key, base64url."""
    auth: str
    """The browser's secret, base64url."""


class WebhookTargetInput(TypedDict):
    """Where a webhook leads."""
    url: str
    """Where signed messages are posted, by https."""


class CalendarInput(TypedDict):
    """The whole calendar."""
    zone: str
    """The time zone, also that of mail."""
    sleep: NotRequired[SleepInput | None]
    """Ten hours at most, past midnight or not."""
    vacations: NotRequired[list[VacationInput]]
    """The vacations that are not over; what is not named ends now."""
    by_itself: NotRequired[bool]
    """Where your time is out, let a day of vacation begin by itself, as long as there are any. Default: `false`."""


VacationInput = TypedDict(
    "VacationInput",
    {
        "from": "str",
        "to": "str",
    },
)


SleepInput = TypedDict(
    "SleepInput",
    {
        "from": "str",
        "to": "str",
    },
)


class GameSettingsInput(TypedDict):
    """Changes to a game's settings; what is left out stays."""
    delivery: NotRequired[Literal['at_once', 'until_visit', 'digest', 'off', None]]
    """How mail about this game comes; null: like all mail. `at_once`; `until_visit`: one mail, then none until the player's next visit or request; `digest`: once a day, all in one mail; `off`: never."""
    messages_wanted: NotRequired[bool]
    """Whether I take messages in this game."""
    note: NotRequired[str]
    """It replaces the note; an empty one deletes it."""


class SettingsInput(TypedDict):
    """Changes to settings; what is left out stays."""
    mail: NotRequired[MailSettingsInput]
    """Changes to how mail comes."""
    messages_wanted: NotRequired[bool]
    """Whether I take messages."""
    contact: NotRequired[ContactSettingsInput]
    """Whether challenges come."""


class ContactSettingsInput(TypedDict):
    """Whether challenges may come."""
    challenges: bool
    """Whether I take challenges and rematches."""


class MailSettingsInput(TypedDict):
    """Changes to how mail comes; what is left out stays."""
    delivery: NotRequired[Literal['at_once', 'until_visit', 'digest', 'off']]
    """How mail comes: `at_once`; `until_visit`: one mail, then none until the player's next visit or request; `digest`: once a day, all in one mail; `off`: never."""
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


class MailGroupsInput(TypedDict):
    """The groups of mails to turn on or off."""
    turn: NotRequired[bool]
    """That it is your turn."""
    reminder: NotRequired[bool]
    """That your time is passing."""
    invitation: NotRequired[bool]
    """Invitations and challenges."""
    over: NotRequired[bool]
    """That a game is over."""
    message: NotRequired[bool]
    """What the opponent writes or proposes."""
    vacation: NotRequired[bool]
    """That a vacation ends."""
    confirmation: NotRequired[bool]
    """That a turn sent by mail was played."""


class QuietHoursInput(TypedDict):
    """Hours in which no mail shall come."""
    begin: str
    """When they begin, as `22:00`."""
    end: str
    """It may be on the next day."""


class OwnBotInput(TypedDict):
    """A new bot."""
    name: str
    """Its name; printable characters."""


class SignInInput(TypedDict):
    """A code of a browser that is signed in, and a name for the token."""
    code: str
    """With or without its hyphens."""
    name: NotRequired[str]
    """A name for you to recognize the token by. Default: `terminal`."""


class TokenInput(TypedDict):
    """A token to be made."""
    name: str
    """A name for you to recognize it by."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    """Only scopes that the caller's own token has."""


class AccountInput(TypedDict):
    """Changes to the account; what is left out stays."""
    name: NotRequired[str]
    """The name that everybody sees."""
    email: NotRequired[str | None]
    """A new address, confirmed by the link sent to it; null removes the address."""
    mails: NotRequired[MailKindsInput]
    """The kinds of mail to turn on or off. Others stay as they are."""
    language: NotRequired[str | None]
    """The language of pages and mails; null: that of the browser."""
    archive: NotRequired[Literal['no', 'nameless', 'named']]
    """Whether my finished games may be studied: without my name, or with both names."""


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


class PlayerInput(TypedDict):
    """A new player."""
    name: str
    """The name that everybody sees; printable characters."""
    email: NotRequired[str | None]
    """The address for mail about turns, used once the link sent to it is confirmed."""
    invitation: NotRequired[str | None]
    """The end of a link that the operator gave, where `GET /v1` does not say that registration is open."""


class StreamMessage(TypedDict):
    """One of the many messages of a stream."""
    id: str
    """The event's number or position. Send the last one as `Last-Event-ID` to resume."""
    event: str
    """The type of the event."""
    data: str
    """The event as JSON."""


class Game(TypedDict):
    """A game as the caller may see it."""
    season: NotRequired[SeasonPlace]
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    practice: NotRequired[Practice]
    """Where a practice game came from; else absent."""
    daily: NotRequired[str]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""
    id: str
    """Its id."""
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeat
    """The players."""
    turn: Seat | None
    """The seat to move; null if nobody is."""
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""
    round: int
    """The number of the current round, from 1."""
    scores: CountsBySeat
    """Points of the match so far, by seat."""
    phase: Literal['play', 'return', 'finish', None]
    """What is to be done in this turn; null if nobody is to move."""
    stones: list[Stone]
    """The nine Stones."""
    hands: Hands
    """The hands."""
    decks: DeckSizes
    """Cards left in the decks."""
    discard: list[str]
    """Cards out of play."""
    tactics_played: CountsBySeat
    """How many Tactic cards each side has played."""
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    """The pace; null for no clock."""
    options: RuleOptions
    """The options that the rules depend on."""
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat, and find the game later."""
    rated: bool
    """Whether the result changes ratings."""
    ratings: RatingsBySeat | None
    """What the result did to ratings; null before the end, and if it does not count."""
    created_at: str
    """When it was created."""
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    """When it ended; null before."""
    clock_state: ClockState | None
    """How the clock runs; null without one."""
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log: it shows later whether a record holds what was played."""


class ClockState(TypedDict):
    """What has happened to a running clock. Count nothing down from it: `deadline` says when."""
    turn_seconds: int
    """The time for this turn, pauses aside."""
    banks: Banks | None
    """What the banks hold; null without banks."""
    paused: OpenPeriod | None
    """The pause that the players agreed; null if it runs."""
    pauses: list[TurnPause]
    """The pauses of this turn but for weekends and sleeping hours."""
    calendars: CalendarsInForce
    """The calendars that it goes by."""


class CalendarsInForce(TypedDict):
    """By seat; null where every hour counts, or weekends are those of UTC."""
    north: CalendarInForce | None
    """North's."""
    south: CalendarInForce | None
    """South's."""


class CalendarInForce(TypedDict):
    """The calendar that a clock goes by."""
    zone: str
    """The time zone, by its name in the IANA database."""
    sleep: DailyHours | None
    """The hours of the night that do not count; null for none."""
    vacations: list[Period]
    """The vacations."""


Period = TypedDict(
    "Period",
    {
        "from": "str",
        "to": "str",
    },
)


DailyHours = TypedDict(
    "DailyHours",
    {
        "from": "str",
        "to": "str",
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


OpenPeriod = TypedDict(
    "OpenPeriod",
    {
        "from": "str",
        "to": "str | None",
    },
)


class Banks(TypedDict):
    """Seconds left in each player's bank when the turn began."""
    north: int
    """North's."""
    south: int
    """South's."""


class RatingsBySeat(TypedDict):
    """Ratings after a game, null for a bot of the server."""
    north: RatingChange | None
    """North's."""
    south: RatingChange | None
    """South's."""


class RatingChange(TypedDict):
    """A rating after a game."""
    rating: int
    """A strength by Glicko-2, in points."""
    deviation: int
    """Its standard deviation. Pages show ± twice that."""
    before: int
    """Points before it."""


class RuleOptions(TypedDict):
    """The options that the rules depend on."""
    hand_size: int
    """Cards in a full hand."""
    claim_timing: Literal['after_play', 'before_play', 'any_time']
    """When Stones can be claimed: ruling 3."""
    joker_limit: Literal['one_per_game', 'one_on_table']
    """When a player may play a second Joker: ruling 22."""
    traitor_to: Literal['any', 'another']
    """Where a Traitor may put a card: at any Stone, even the same one, or only at another: ruling 26."""


class Clock(TypedDict):
    """The pace agreed, by `days_per_move`, `bank_days` or `until`; the rest is absent."""
    days_per_move: NotRequired[int]
    """Days for each turn."""
    bank_days: NotRequired[int]
    """Days for a player's whole round."""
    increment_hours: NotRequired[int]
    """Hours that each turn adds to the bank."""
    cap_days: NotRequired[int]
    """The days up to which a bank fills."""
    until: NotRequired[str]
    """The fixed end."""
    weekends_off: NotRequired[bool]
    """Whether Saturdays and Sundays do not count."""
    sleeping_hours: NotRequired[bool]
    """Whether sleeping hours do not count."""
    vacations: NotRequired[bool]
    """Whether vacations do not count."""
    time_out: NotRequired[Literal['auto', 'claim']]
    """What happens when time is out."""


class PlayerSummary(TypedDict):
    """A player by id and name."""
    id: str
    """Its id."""
    name: str | None
    """The name that everybody sees."""
    bot: bool
    """Whether a program plays."""


class CountsBySeat(TypedDict):
    """A number for each seat."""
    north: int
    """North's."""
    south: int
    """South's."""


class DeckSizes(TypedDict):
    """Cards left in the decks."""
    clan: int
    """Clan cards."""
    tactic: int
    """Tactic cards."""


class Hands(TypedDict):
    """The hands of both."""
    north: Hand
    """North's."""
    south: Hand
    """South's."""


class Hand(TypedDict):
    """A hand."""
    cards: list[str] | None
    """The cards. Until the game is over, null for everyone but their holder."""
    clan: int
    """Clan cards."""
    tactic: int
    """Tactic cards."""


class Stone(TypedDict):
    """A Stone with its cards."""
    number: int
    """Its number, 1 to 9."""
    owner: Seat | None
    """The seat that has claimed it; null if neither has."""
    north: list[str]
    """North's cards, in the order played."""
    south: list[str]
    """South's cards, in the order played."""
    modes: list[str]
    """The Combat Modes on the Stone."""
    completed_first: Seat | None
    """The seat that completed its side first, of those complete now."""


class PlayersBySeat(TypedDict):
    """The players; null for a seat that is free."""
    north: PlayerSummary | None
    """North's."""
    south: PlayerSummary | None
    """South's."""


class Practice(TypedDict):
    """Where a practice game came from; else absent."""
    game: str
    """The game's id."""
    step: int
    """The event after which it goes on."""
    turn: int
    """The turn of that event's round."""


class SeasonPlace(TypedDict):
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    id: str
    """Its id."""
    round: int
    """The number of the round, from 1."""
    leg: int
    """Which of the games of its pair it is: 1, or 2 with the seats swapped."""


class Season(TypedDict):
    """A season with its tables."""
    id: str
    """Its id."""
    version: int
    """The number of the events of its log."""
    name: str
    """Its name."""
    format: Literal['league', 'ladder']
    """A league in divisions, or a ladder, which goes on until the operator ends it, or nobody has stood on it for 90 days."""
    status: Literal['open', 'running', 'ended']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    clock: Clock
    """The pace of its games."""
    division: int
    """The best number of players of a division; 0 on a ladder, which has none."""
    starts_at: str | None
    """When it starts; null for one that only waits for enough players."""
    wanted: int | None
    """How many players have to wait for it to start; null for one that starts at a moment."""
    bots: list[str]
    """The bots that fill short divisions."""
    follows: str | None
    """The season whose last table orders its divisions."""
    announced_at: str
    """When it was announced: its rules never change."""
    started_at: str | None
    """When it started; null before."""
    ended_at: str | None
    """When it ended; null before. A league that was not played has no `divisions` then."""
    entered: int
    """How many players are in it."""
    commitment: str
    """SHA-256 of the secret of its draws."""
    cards_commitment: str | None
    """SHA-256 of the secret of the cards of all its games to come, which the log of a league shows once it is over; null for seasons of older versions."""
    secret: str | None
    """The secret; null before it starts."""
    head: str
    """The last hash of its log."""
    by: PlayerSummary | None
    """The player who made it; null for the operator."""
    entrants: list[Entrant]
    """Everybody who has entered, in order."""
    blocked: list[str]
    """The ids of those in it whom you have blocked: you may have to play them."""
    divisions: list[Division]
    """The divisions; none before it starts, and on a ladder."""
    ladder: list[Rung]
    """The players of a ladder from the top; none in a league."""


class Rung(TypedDict):
    """A player of a ladder."""
    place: int
    """The place, 1 at the top."""
    player: PlayerSummary
    """The player."""
    entered_at: str
    """When the player entered."""
    games: list[SeasonGame]
    """Their games that are going on; the challenger sits north."""
    obstacle: Literal['ladder-ended', 'not-on-ladder', 'off-ladder', 'yourself', 'below-you', 'too-far-up', 'already-playing', 'two-of-yours', 'two-against-them', 'rematch', None]
    """Why you cannot challenge the player now; null if you can. `not-on-ladder`: you are not on it yourself."""


class SeasonGame(TypedDict):
    """A game of a season. On a ladder `round` is the number of the challenge."""
    game: str
    """The game's id."""
    round: int
    """The number of the round, from 1."""
    leg: int
    """Which of the two games of its pair it is: 1, or 2 with the seats swapped."""
    north: str
    """The id of the player who sits north: in a league they begin, on a ladder they challenged."""
    south: str
    """The id of the other player."""
    over: bool
    """Whether its result is in the table."""
    winner: str | None
    """The winner's id; null for nobody, and before the end."""
    reason: str | None
    """Why."""


class Division(TypedDict):
    """A division."""
    number: int
    """Its number, from 1."""
    table: list[Standing]
    """The players, the best first."""
    games: list[SeasonGame]
    """All games."""


class Standing(TypedDict):
    """A player in the table of a division."""
    player: PlayerSummary
    """The player."""
    rank: int | None
    """The place, from 1; null for a player whose games left the table."""
    points: int
    """2 for each win, 1 for each draw."""
    won: int
    """Games won."""
    drawn: int
    """Games drawn."""
    lost: int
    """Games lost."""
    berger: int
    """Sonneborn-Berger: for each game, the points that it brought times the opponent's points."""
    stones: int
    """Stones won."""
    by_lot: bool
    """Whether the lot decided between the player and an equal one."""
    moves: Literal['up', 'down', None]
    """Where the player goes as the table stands."""


class Entrant(TypedDict):
    """A player who has entered."""
    id: str
    """Its id."""
    name: str | None
    """The name that everybody sees."""
    bot: bool
    """Whether a program plays."""
    withdrawn: Literal['left', 'not-seen', 'gone', 'time-outs', 'away', None]
    """Why the player is not in it any more: `left`; `not-seen` in the week before the start; `gone`: without an account; `time-outs`; `away` from a ladder. Null for who is in it."""


class SeasonPage(TypedDict):
    """A page of seasons."""
    seasons: list[SeasonSummary]
    """The seasons."""
    next: str | None
    """The next `cursor`; null at the end."""


class SeasonSummary(TypedDict):
    """A season in a list."""
    id: str
    """Its id."""
    version: int
    """The number of the events of its log."""
    name: str
    """Its name."""
    format: Literal['league', 'ladder']
    """A league in divisions, or a ladder, which goes on until the operator ends it, or nobody has stood on it for 90 days."""
    status: Literal['open', 'running', 'ended']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    clock: Clock
    """The pace of its games."""
    division: int
    """The best number of players of a division; 0 on a ladder, which has none."""
    starts_at: str | None
    """When it starts; null for one that only waits for enough players."""
    wanted: int | None
    """How many players have to wait for it to start; null for one that starts at a moment."""
    bots: list[str]
    """The bots that fill short divisions."""
    follows: str | None
    """The season whose last table orders its divisions."""
    announced_at: str
    """When it was announced: its rules never change."""
    started_at: str | None
    """When it started; null before."""
    ended_at: str | None
    """When it ended; null before. A league that was not played has no `divisions` then."""
    entered: int
    """How many players are in it."""


class NewsList(TypedDict):
    """What is new in the caller's games."""
    events: list[NewsItem]
    """The events, the oldest first."""
    next: str
    """The `after` of the next request."""
    reset: bool
    """Whether `after` is too old, so that events may be missing. If so, read the games themselves, and go on from `next`."""


class NewsItem(TypedDict):
    """An event, or with `news` a challenge, a message or an offer: exactly one of these members. Skip an item with none that you know."""
    game: NotRequired[str]
    """The id of the game; absent beside a challenge."""
    event: NotRequired[GameEvent]
    """The event."""
    challenge: NotRequired[Challenge]
    """A challenge by or to the caller, as it is now."""
    message: NotRequired[Message]
    """A message in one of the caller's games."""
    offer: NotRequired[Offer]
    """What became of an offer in one of the caller's games."""


class Offer(TypedDict):
    """An offer in a game, as it was made, withdrawn or declined."""
    kind: str
    """What is offered."""
    state: str
    """What became of it."""
    by: Seat
    """The seat that made it."""
    number: int
    """The number to agree to it with."""
    until: str | None
    """The end of the pause; null where it has none."""


class Message(TypedDict):
    """A message between the two players of a game."""
    number: int
    """Messages of a game are numbered from 1."""
    by: Seat
    """The seat that did it; null for the server."""
    created_at: str
    """When it was created."""
    via: str
    """The way it came."""
    text: str
    """Plain text, with line ends."""


Challenge = TypedDict(
    "Challenge",
    {
        "edition": "str",
        "tactics": "bool",
        "expert": "bool",
        "rounds": "int",
        "first_player": "Literal['creator', 'opponent', 'random', 'scotland']",
        "clock": "Clock | None",
        "rated": "bool",
        "from": "PlayerSummary",
        "id": "str",
        "status": "Literal['open', 'accepted', 'declined', 'withdrawn', 'countered', 'expired']",
        "to": "PlayerSummary",
        "created_at": "str",
        "expires_at": "str",
        "seat": "Seat",
        "private": "bool",
        "commitment": "str | None",
        "salt": "str | None",
        "counters": "str | None",
        "counter_offer": "str | None",
        "game": "str | None",
    },
)


class Analysis(TypedDict):
    """What turns and draws were worth."""
    status: Literal['none', 'queued', 'running', 'done']
    """How far it has come."""
    weighed: int
    """How many are weighed."""
    of: int | None
    """How many turns there are, once counted."""
    ahead: int | None
    """How many come before it."""
    north: AnalysedPlayer
    """North's."""
    south: AnalysedPlayer
    """South's."""
    turns: list[AnalysedTurn]
    """Those weighed, in their order."""


class AnalysedTurn(TypedDict):
    """A turn, by what its player could see."""
    seq: int
    """The number of the play's event."""
    round: int
    """The number of the round, from 1."""
    seat: Seat
    """The seat."""
    played: str
    """The play, as action text."""
    chance: Estimate
    """After the play."""
    best: list[str]
    """The best found, with all as good."""
    loss: Estimate | None
    """The chance after `best` less that after `played`."""
    drawn: str | None
    """The Clan card drawn."""
    drawn_at: int | None
    """Its event."""
    luck: Estimate | None
    """The chance with `drawn` less the mean over all draws."""
    missed: list[int]
    """Stones that could have been claimed."""


class Estimate(TypedDict):
    """A chance of winning the round, 0 to 1, or a difference of two."""
    value: float
    """The estimate."""
    error: float
    """Weighed again, 95 % lie within two; 0 if exact."""


class AnalysedPlayer(TypedDict):
    """What a player gave away and drew."""
    loss: Estimate | None
    """The mean of a turn; null while none is compared."""
    luck: Estimate | None
    """The sum of the draws; null while none is weighed."""


class ProofList(TypedDict):
    """The verdicts on all Stones where the caller's side is complete."""
    version: int
    """The game's version, the number of its events."""
    proofs: list[Proof]
    """The verdicts."""


class Proof(TypedDict):
    """Whether a Stone's claim is proved."""
    stone: int
    """The number of the Stone."""
    claimable: bool
    """Whether the claim is proved, even if this is not the moment to claim."""
    reason: str
    """Why."""
    mine: Formation | None
    """The formation of the caller's side; null while incomplete."""
    theirs: Formation | None
    """The formation of the other side; null while incomplete."""
    counterexample: list[str] | None
    """With `beatable`: unseen Clan cards that, added to the other side, would beat the caller's."""


Formation = TypedDict(
    "Formation",
    {
        "as": "list[str]",
        "rank": "str",
        "total": "int",
    },
)


class Archive(TypedDict):
    """A page of the archive."""
    records: list[ArchivedGame]
    """The games."""
    next: str | None
    """The next `cursor`; null at the end."""


class ArchivedGame(TypedDict):
    """A finished game to study."""
    id: str
    """Its id in the archive: the `cursor` to go on after it."""
    players: dict[str, str] | None
    """Names by seat, null unless both want to be named."""
    record: list[GameEvent]
    """Its nameless record."""


class GameEventList(TypedDict):
    """A page of events."""
    version: int
    """The game's version, the number of its events."""
    events: list[GameEvent]
    """The events in their order."""
    next: int | None
    """The `after` of the next page, null if there is none yet."""


class MessageList(TypedDict):
    """A page of messages."""
    messages: list[Message]
    """The newest first."""
    next: str | None
    """The next `cursor`; null at the end."""
    unread: int
    """How many messages of the opponent's I have not read."""
    wanted: bool
    """Whether I take messages in this game."""
    refusal: MessageRefusal | None
    """Why I cannot write now; null if I can."""


class MessageRefusal(TypedDict):
    """Why the caller cannot write."""
    code: str
    """The stable code."""
    detail: str
    """The reason in words."""


class Orders(TypedDict):
    """The standing orders."""
    version: int
    """The version of the game."""
    claim_proved: bool
    """Claim every Stone that can be proved."""
    pass_when_stuck: bool
    """Pass if no card can be played."""
    turn: TurnOrder | None
    """The turn to play as soon as it is the caller's; null for none."""
    last: OrderResult | None
    """The outcome of the latest conditional turn."""


class OrderResult(TypedDict):
    """What became of a turn that was ordered."""
    outcome: Literal['played', 'cancelled']
    """What became of the turn."""
    actions: list[str]
    """The actions, in action text."""
    version: int
    """The version of the game when this was decided."""
    code: str | None
    """Why it was cancelled: the code of the problem with the turn, or `not-as-foreseen` if the condition was not met."""
    detail: str | None
    """The reason in words."""


class TurnOrder(TypedDict):
    """A turn to be played."""
    actions: list[str]
    """The actions, in action text."""
    when: list[str]
    """Played only if the opponent's turn held all these actions."""


class OfferList(TypedDict):
    """The open offers of a game."""
    version: int
    """The game's version, the number of its events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status of the game: `finished` once both have agreed."""
    paused: OpenPeriod | None
    """The pause that was agreed last, if it was not ended."""
    offers: list[Offer]
    """The open offers, at most one of each kind."""


class Lobby(TypedDict):
    """A page of games whose free seat anybody may take."""
    games: list[OpenGame]
    """The games."""
    next: str | None
    """The next `cursor`; null at the end."""


class OpenGame(TypedDict):
    """A game in the lobby."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    first_player: Literal['creator', 'opponent', 'random', 'scotland']
    """Who begins."""
    clock: Clock | None
    """The pace; null for no clock."""
    rated: bool
    """Whether the result changes ratings."""
    id: str
    """Its id."""
    created_at: str
    """When it was created."""
    expires_at: str
    """How long it waits for a second player."""
    creator: PlayerSummary
    """Who waits."""
    seat: Seat
    """The free seat."""


class Seal(TypedDict):
    """The server's promise of a secret that it has drawn."""
    seal: str
    """Send it once, when you create a game or a challenge."""
    commitment: str
    """SHA-256 of the secret, as in the game that the seal is used for."""
    expires_at: str
    """When it expires."""


class GuestGame(TypedDict):
    """The game, and the account made for the guest who joined."""
    season: NotRequired[SeasonPlace]
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    practice: NotRequired[Practice]
    """Where a practice game came from; else absent."""
    daily: NotRequired[str]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""
    id: str
    """Its id."""
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeat
    """The players."""
    turn: Seat | None
    """The seat to move; null if nobody is."""
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""
    round: int
    """The number of the current round, from 1."""
    scores: CountsBySeat
    """Points of the match so far, by seat."""
    phase: Literal['play', 'return', 'finish', None]
    """What is to be done in this turn; null if nobody is to move."""
    stones: list[Stone]
    """The nine Stones."""
    hands: Hands
    """The hands."""
    decks: DeckSizes
    """Cards left in the decks."""
    discard: list[str]
    """Cards out of play."""
    tactics_played: CountsBySeat
    """How many Tactic cards each side has played."""
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    """The pace; null for no clock."""
    options: RuleOptions
    """The options that the rules depend on."""
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat, and find the game later."""
    rated: bool
    """Whether the result changes ratings."""
    ratings: RatingsBySeat | None
    """What the result did to ratings; null before the end, and if it does not count."""
    created_at: str
    """When it was created."""
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    """When it ended; null before."""
    clock_state: ClockState | None
    """How the clock runs; null without one."""
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log: it shows later whether a record holds what was played."""
    account: RegisteredPlayer
    """The guest's account. Add an address with `PATCH /v1/me` to keep it."""


class RegisteredPlayer(TypedDict):
    """A new player, with the token that is the account's only key."""
    id: str
    """Its id."""
    name: str
    """The name that everybody sees."""
    token: str
    """The bearer token, shown only once."""


class GameList(TypedDict):
    """A page of games."""
    games: list[GameSummary]
    """The games."""
    next: str | None
    """The next `cursor`; null at the end."""


class GameSummary(TypedDict):
    """A game in a list."""
    season: NotRequired[SeasonPlace]
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    practice: NotRequired[Practice]
    """Where a practice game came from; else absent."""
    daily: NotRequired[str]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""
    id: str
    """Its id."""
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeat
    """The players."""
    turn: Seat | None
    """The seat to move; null if nobody is."""
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""
    created_at: str
    """When it was created."""
    ended_at: str | None
    """When it ended; null before."""


class CreatedGame(TypedDict):
    """A new game, with its invite."""
    season: NotRequired[SeasonPlace]
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    practice: NotRequired[Practice]
    """Where a practice game came from; else absent."""
    daily: NotRequired[str]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""
    id: str
    """Its id."""
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeat
    """The players."""
    turn: Seat | None
    """The seat to move; null if nobody is."""
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""
    round: int
    """The number of the current round, from 1."""
    scores: CountsBySeat
    """Points of the match so far, by seat."""
    phase: Literal['play', 'return', 'finish', None]
    """What is to be done in this turn; null if nobody is to move."""
    stones: list[Stone]
    """The nine Stones."""
    hands: Hands
    """The hands."""
    decks: DeckSizes
    """Cards left in the decks."""
    discard: list[str]
    """Cards out of play."""
    tactics_played: CountsBySeat
    """How many Tactic cards each side has played."""
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of that moment."""
    invited: PlayerSummary | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address. Null once it is taken."""
    clock: Clock | None
    """The pace; null for no clock."""
    options: RuleOptions
    """The options that the rules depend on."""
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat, and find the game later."""
    rated: bool
    """Whether the result changes ratings."""
    ratings: RatingsBySeat | None
    """What the result did to ratings; null before the end, and if it does not count."""
    created_at: str
    """When it was created."""
    started_at: str | None
    """When the second player joined."""
    ended_at: str | None
    """When it ended; null before."""
    clock_state: ClockState | None
    """How the clock runs; null without one."""
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: str | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log: it shows later whether a record holds what was played."""
    invite: str
    """The holder of the invite may take the free seat."""
    invite_url: str
    """A link for the opponent, to a page where they can join."""


class ChallengeList(TypedDict):
    """A page of challenges."""
    challenges: list[Challenge]
    """The challenges, the newest first."""
    next: str | None
    """The next `cursor`; null at the end."""


class BotList(TypedDict):
    """All bots of this server."""
    bots: list[Bot]
    """The bots."""


class Bot(TypedDict):
    """A player that the server moves."""
    name: str
    """The `bot` of an opponent, such as `random`."""
    player: PlayerSummary
    """The bot as a player."""
    character: str
    """For people."""
    ratings: Ratings
    """As measured."""


class Ratings(TypedDict):
    """By the kind of game."""
    base: PlayerRating
    """Without Tactic cards."""
    tactics: PlayerRating
    """With them."""


class PlayerRating(TypedDict):
    """A rating."""
    rating: int
    """A strength by Glicko-2, in points."""
    deviation: int
    """Its standard deviation. Pages show ± twice that."""
    games: int
    """Rated games."""


class EditionList(TypedDict):
    """All editions."""
    editions: list[Edition]
    """The editions."""


class Edition(TypedDict):
    """An edition of the rules."""
    name: str
    """The `edition` of a game."""
    title: str
    """For people."""
    combinations: list[EditionCombination]
    """All combinations that the edition has, the basic game first."""


class EditionCombination(TypedDict):
    """A combination that the edition has."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    options: RuleOptions
    """The options that the rules depend on."""


class Server(TypedDict):
    """The program that answers."""
    name: str
    """Always `scottenbury`."""
    version: str
    """The version of the program that runs."""
    registration: str
    """Who may register: `open`: everybody; `invited`: whoever holds an invite of a game or of the operator; `closed`: an invitation of the operator."""
    sandbox: bool
    """Whether programs can move clocks here."""


class Channel(TypedDict):
    """A way of being told besides mail."""
    id: str
    """Its id."""
    type: Literal['webhook', 'push', 'ntfy', 'gotify', 'telegram', 'discord', 'slack', 'pushover']
    """The type."""
    name: str
    """What its owner calls it."""
    leads_to: str
    """Where it leads, without what is a secret."""
    groups: ChannelGroups
    """What it tells."""
    fallback: bool
    """Used only where mail and all other channels have failed."""
    games_off: list[str]
    """The games of which it tells nothing, by id."""
    state: Literal['working', 'failing', 'off']
    """`off`: it gets nothing: a message failed for a day, the other side closed it, or its player wants so."""
    trouble: ChannelTrouble | None
    """What is wrong with it; null if nothing is."""
    last_delivered_at: str | None
    """When a message last arrived; null if none has."""
    created_at: str
    """When it was created."""


class ChannelTrouble(TypedDict):
    """What is wrong with a channel."""
    first_at: str
    """When it first happened."""
    why: str
    """The reason in words."""


class ChannelGroups(TypedDict):
    """The groups of messages, and whether each comes."""
    turn: bool
    """That it is your turn."""
    reminder: bool
    """That your time is passing."""
    invitation: bool
    """Invitations and challenges."""
    over: bool
    """That a game is over."""
    message: bool
    """What the opponent writes or proposes."""
    vacation: bool
    """That a vacation ends."""


class ChannelList(TypedDict):
    """All channels of the caller."""
    channels: list[Channel]
    """The channels, the oldest first."""
    push_key: str | None
    """The `applicationServerKey` with which a browser asks for push; null where this server sends none."""


class CreatedChannel(TypedDict):
    """A new channel, with its secret."""
    id: str
    """Its id."""
    type: Literal['webhook', 'push', 'ntfy', 'gotify', 'telegram', 'discord', 'slack', 'pushover']
    """The type."""
    name: str
    """What its owner calls it."""
    leads_to: str
    """Where it leads, without what is a secret."""
    groups: ChannelGroups
    """What it tells."""
    fallback: bool
    """Used only where mail and all other channels have failed."""
    games_off: list[str]
    """The games of which it tells nothing, by id."""
    state: Literal['working', 'failing', 'off']
    """`off`: it gets nothing: a message failed for a day, the other side closed it, or its player wants so."""
    trouble: ChannelTrouble | None
    """What is wrong with it; null if nothing is."""
    last_delivered_at: str | None
    """When a message last arrived; null if none has."""
    created_at: str
    """When it was created."""
    secret: str | None
    """What signs a webhook's messages, shown only once; null for others."""


class Calendar(TypedDict):
    """When the caller's time does not count."""
    zone: str
    """The time zone, by its name in the IANA database."""
    sleep: DailyHours | None
    """The hours of the night that do not count; null for none."""
    vacations: list[Period]
    """The vacations."""
    by_itself: bool
    """Whether a day of vacation begins by itself when time runs out."""
    vacation_account: list[VacationAllowance]
    """The allowance of each year."""


class VacationAllowance(TypedDict):
    """A year's vacation days, in seconds."""
    year: int
    """The calendar year, in UTC."""
    seconds: int
    """Seconds in the year, all told."""
    spent: int
    """Seconds used or planned."""


class GameSettings(TypedDict):
    """What the caller chooses for one game."""
    delivery: Literal['at_once', 'until_visit', 'digest', 'off', None]
    """What was chosen for this game; null: nothing."""
    effective: Literal['at_once', 'until_visit', 'digest', 'off']
    """How mail about this game comes therefore."""
    messages_wanted: bool
    """Whether I take messages in this game."""
    note: str
    """The caller's own note on the game."""


class Settings(TypedDict):
    """What the caller chooses."""
    mail: MailSettings
    """How mail comes."""
    messages_wanted: bool
    """Whether the player takes messages from other players."""
    contact: ContactSettings
    """Who may ask the caller."""


class ContactSettings(TypedDict):
    """Who may ask the caller."""
    challenges: bool
    """Whether I take challenges and rematches."""
    blocked: list[BlockedPlayer]
    """The players whom I have blocked, the latest first."""


class BlockedPlayer(TypedDict):
    """A player whom the caller has blocked."""
    id: str
    """Its id."""
    name: str | None
    """Null if the account is gone."""
    blocked_at: str
    """When."""


class MailSettings(TypedDict):
    """How mail comes."""
    delivery: Literal['at_once', 'until_visit', 'digest', 'off']
    """How mail comes."""
    digest_at: str
    """When the daily digest comes, as `08:00`."""
    time_zone: str
    """Its name in the IANA database."""
    quiet: QuietHours | None
    """Hours without mail; null for none."""
    reminders: Literal['both', 'half', 'last']
    """Which reminders come; turn off the group `reminder` for none."""
    groups: MailGroups
    """Which mails come. `mails` in `/me` divides them further."""
    games: dict[str, Literal['at_once', 'until_visit', 'digest', 'off']]
    """How mail about single games comes, by their ids."""


class MailGroups(TypedDict):
    """The groups of mails, and whether each comes."""
    turn: bool
    """That it is your turn."""
    reminder: bool
    """That your time is passing."""
    invitation: bool
    """Invitations and challenges."""
    over: bool
    """That a game is over."""
    message: bool
    """What the opponent writes or proposes."""
    vacation: bool
    """That a vacation ends."""
    confirmation: bool
    """That a turn sent by mail was played."""


class QuietHours(TypedDict):
    """Hours in which no mail comes."""
    begin: str
    """When they begin, as `22:00`."""
    end: str
    """When they end, as `07:00`."""


class CreatedToken(TypedDict):
    """A new token, with its secret."""
    id: str
    """Its id."""
    name: str
    """What its owner calls it."""
    kind: Literal['api', 'session']
    """A program's token, or a browser that is signed in."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    """What the token may do."""
    created_at: str
    """When it was created."""
    expires_at: str | None
    """When a session expires; null for `api`."""
    last_used_at: str
    """To the minute. While unused, when it was created."""
    token: str
    """The bearer token, shown only once."""


class OwnBotList(TypedDict):
    """My bots."""
    bots: list[Player]
    """The bots."""


class Player(TypedDict):
    """What everybody may see of a player."""
    id: str
    """Its id."""
    name: str
    """The name that everybody sees."""
    bot: bool
    """Whether a program plays."""
    owner: PlayerSummary | None
    """Who registered this bot; null for a person or the server's."""
    created_at: str | None
    """When the player registered; null for a bot."""


class TokenList(TypedDict):
    """A page of tokens."""
    tokens: list[Token]
    """The tokens."""
    next: str | None
    """The next `cursor`; null at the end."""


class Token(TypedDict):
    """A token, without its secret."""
    id: str
    """Its id."""
    name: str
    """What its owner calls it."""
    kind: Literal['api', 'session']
    """A program's token, or a browser that is signed in."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    """What the token may do."""
    created_at: str
    """When it was created."""
    expires_at: str | None
    """When a session expires; null for `api`."""
    last_used_at: str
    """To the minute. While unused, when it was created."""


class AccountExport(TypedDict):
    """Everything that the server stores about the caller."""
    mail: MailSettings
    """How mail comes."""
    messages_wanted: bool
    """Whether the player takes messages from other players."""
    contact: ContactSettings
    """Who may ask the caller."""
    exported_at: str
    """When this was put together."""
    player: Account
    """The account itself."""
    face: str
    """The mark that the player has chosen, such as `GR-stag`: its clan, its tartan and its figure; empty for the mark that follows from the id."""
    answer_addresses: list[AnswerAddress]
    """Further addresses that the player answers mails from."""
    identities: list[Identity]
    """Sign-ins elsewhere that open the account."""
    tokens: list[Token]
    """The tokens."""
    muted: list[str]
    """The kinds of mail that the player has turned off."""
    mail_signature: list[str]
    """Lines that are passed over in mails of the player's."""
    presence: Literal['never', 'days', 'live']
    """What opponents see of when the player was last here."""
    calendar: Calendar
    """The player's calendar."""
    channels: list[Channel]
    """Channels, without their secrets."""
    challenges: list[Challenge]
    """Open challenges."""
    ratings: Ratings
    """Now."""
    bots: list[Player]
    """The player's own bots."""
    games: list[ExportedGame]
    """Every game of the player's."""


class ExportedGame(TypedDict):
    """A game as its player may see it."""
    id: str
    """Its id."""
    record: list[GameEvent]
    """The record as the player may see it."""
    orders: Orders
    """The standing orders."""
    messages: list[Message]
    """What the two players have written to each other."""
    note: str
    """The player's own note."""


class Identity(TypedDict):
    """A sign-in elsewhere that opens an account."""
    issuer: str
    """`trusted-header`: the host's sign-in; else an OpenID provider."""
    subject: str
    """Who one is there."""
    label: str
    """A name for people."""
    linked_at: str
    """Since when it does."""


class AnswerAddress(TypedDict):
    """A further address from which the player answers mails."""
    id: str
    """Its id."""
    email: str
    """An e-mail address."""
    created_at: str
    """When it was created."""
    verified: bool
    """Whether it is confirmed, so that answers from there count."""


class Account(TypedDict):
    """The caller's own account."""
    id: str
    """Its id."""
    name: str
    """The name that everybody sees."""
    email: str | None
    """The confirmed address, or else the one given; null for none."""
    email_verified: bool
    """Whether the address is confirmed, so that mail is sent to it."""
    email_pending: str | None
    """The address that will replace `email` once it is confirmed."""
    email_problem: EmailProblem | None
    """Why mail does not reach the confirmed address, as far as is known."""
    created_at: str
    """When it was created."""
    mails: MailKinds
    """The kinds of mail that are sent, once the address is confirmed."""
    language: str | None
    """The language that the player chose; null: that of their browser."""
    archive: Literal['no', 'nameless', 'named']
    """Whether my finished games may be studied: without my name, or with both names."""


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


class EmailProblem(TypedDict):
    """Why mail does not reach an address."""
    email: str
    """An e-mail address."""
    how: Literal['refused', 'returned']
    """Whether its mail server refused a mail, or sent one back."""
    why: str
    """What the mail server said."""
    first_at: str
    """When it first happened."""
    last_at: str
    """When it last happened."""
    remedy: str
    """What takes it away."""


class Me(TypedDict):
    """Who the caller is. All but the first and the last members take the scope `account`."""
    id: str
    """Its id."""
    name: str
    """The name that everybody sees."""
    email: NotRequired[str | None]
    """An e-mail address."""
    email_verified: NotRequired[bool]
    """Whether the address is confirmed, so that mail is sent to it."""
    email_pending: NotRequired[str | None]
    """The address that will replace `email` once it is confirmed."""
    email_problem: NotRequired[EmailProblem | None]
    """Why mail does not reach the confirmed address, as far as is known."""
    created_at: str
    """When it was created."""
    mails: NotRequired[MailKinds]
    """The kinds of mail that are sent, once the address is confirmed."""
    language: NotRequired[str | None]
    """The language that the player chose; null: that of their browser."""
    archive: NotRequired[Literal['no', 'nameless', 'named']]
    """Whether my finished games may be studied: without my name, or with both names."""
    scopes: list[Literal['games:read', 'games:play', 'account']]
    """What the token may do."""


class PlayerProfile(TypedDict):
    """A player with public counts."""
    id: str
    """Its id."""
    name: str
    """The name that everybody sees."""
    bot: bool
    """Whether a program plays."""
    owner: PlayerSummary | None
    """Who registered this bot; null for a person or the server's."""
    created_at: str | None
    """When the player registered; null for a bot."""
    games: PlayerCounts
    """How many games the player is in, without private ones."""
    ratings: Ratings
    """Now."""
    head_to_head: HeadToHead | None
    """The caller's games against the player; null without a caller, or for oneself."""


class HeadToHead(TypedDict):
    """Games that count for ratings, or would, were they rated."""
    won: int
    """Games the caller won."""
    lost: int
    """Games the caller lost."""
    drawn: int
    """Drawn games."""


class PlayerCounts(TypedDict):
    """Numbers of games that are not private."""
    active: int
    """Games under way."""
    finished: int
    """Games that are over."""


class PlayerList(TypedDict):
    """A page of players."""
    players: list[Player]
    """The players."""
    next: str | None
    """The next `cursor`; null at the end."""


class GameTerms(TypedDict):
    """The options of a game that has not begun."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    first_player: Literal['creator', 'opponent', 'random', 'scotland']
    """Who begins."""
    clock: Clock | None
    """The pace; null for no clock."""
    rated: bool
    """Whether the result changes ratings."""


class GameBasics(TypedDict):
    """What lists and views of games share."""
    season: NotRequired[SeasonPlace]
    """The place of a game in a season; else absent. On a ladder `round` is the number of the challenge."""
    practice: NotRequired[Practice]
    """Where a practice game came from; else absent."""
    daily: NotRequired[str]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""
    id: str
    """Its id."""
    version: int
    """The number of the game's events."""
    status: Literal['open', 'active', 'finished', 'aborted']
    """The status."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeat
    """The players."""
    turn: Seat | None
    """The seat to move; null if nobody is."""
    deadline: str | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: Literal['three-adjacent', 'five-stones', 'stalemate', 'resignation', 'time-out', 'agreement', None]
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""


class Problem(TypedDict):
    """A problem (RFC 9457). Codes may be added, and members."""
    type: str
    """The address of a description of this code."""
    title: str
    """The problem in a few words, the same for every problem of this code."""
    status: int
    """The HTTP status."""
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
    registration: NotRequired[str]
    """With registration-closed: `invited` or `closed`, as `GET /v1`."""
    suggestion: NotRequired[str]
    """With name-taken: a name that is free."""
    players: NotRequired[list[PlayerSummary]]
    """With ambiguous-name: the players with this name, at most 20."""
    bots: NotRequired[list[str]]
    """With bot-not-available: the names of all bots."""
    challenge_status: NotRequired[str]
    """With challenge-closed: the outcome of the challenge."""
    obstacle: NotRequired[Literal['ladder-ended', 'not-on-ladder', 'off-ladder', 'yourself', 'below-you', 'too-far-up', 'already-playing', 'two-of-yours', 'two-against-them', 'rematch']]
    """With challenge-refused: why, as the season's `ladder` shows it for each player."""
    until: NotRequired[str]
    """With entry-barred, if a date is certain: the moment before which nothing else helps."""
    games: NotRequired[int]
    """With entry-barred after time-outs: how many other games have to be finished besides."""
    id: NotRequired[str]
    """With already-asked: the open challenge, or the game with it."""
    by: NotRequired[Literal['you', 'opponent']]
    """With messages-off: who turned them off."""
    budget: NotRequired[Literal['account', 'network', 'recipient', 'pair', 'game', 'caller', 'strangers']]
    """With too-many-mails: what they are counted for."""
    retry_after: NotRequired[int]
    """With too-many-mails or too-many-messages: seconds after which to try again, as in the header `Retry-After`."""
    used_up: NotRequired[bool]
    """With too-many-mails or too-many-messages, always true: an allowance by the hour or the day is used up. Tell your user, rather than wait as after `too-many-requests`."""
    request_id: NotRequired[str]
    """With internal-error or unreadable-log: the request, as in the header `X-Request-Id` and in the server's log."""
    year: NotRequired[int]
    """With vacation-days-exceeded: the year without enough days."""
    seconds_left: NotRequired[int]
    """With vacation-days-exceeded: seconds of vacation left in it."""


class MoveClockInput(TypedDict):
    """So many days for each turn."""
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
    """A bank of days for each round."""
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
    """A fixed end."""
    until: str
    """The fixed end: whoever has the turn then loses. For single rounds."""
    time_out: NotRequired[Literal['auto', 'claim']]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more time (`claim`). Default: `auto`."""


class DaysInput(TypedDict):
    """Time in days."""
    days: int
    """Days."""


class HoursInput(TypedDict):
    """Time in hours."""
    hours: int
    """Hours."""


class GiveTimeInput(TypedDict):
    """Gives the opponent time."""
    give: TimeInput
    """How much."""


class ResumeInput(TypedDict):
    """Ends a pause."""
    resume: Literal[True]
    """Let a paused clock run again."""


class PassTimeInput(TypedDict):
    """Lets time pass in a sandbox."""
    seconds: int
    """How much time passes, in a sandbox."""


class PlayerOpponentInput(TypedDict):
    """A player here."""
    player: str
    """A player's id. That player may take the seat without the invite."""


class EmailOpponentInput(TypedDict):
    """Somebody by mail."""
    email: str
    """The invite is sent to this address."""


class BotOpponentInput(TypedDict):
    """A bot."""
    bot: str
    """The name of a bot, from `GET /v1/bots`. The game starts at once."""


class ChallengeByIdInput(TypedDict):
    """A challenge by the player's id."""
    edition: NotRequired[str]
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
    """The pace; null for no clock."""
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    rated: NotRequired[bool | None]
    """Whether its result changes ratings. Default: between people and between bots. Never: without a clock, in private, with one's own bots."""
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
    """A challenge by the player's name."""
    edition: NotRequired[str]
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
    """The pace; null for no clock."""
    private: NotRequired[bool]
    """Only its players may see the game. Default: `false`."""
    rated: NotRequired[bool | None]
    """Whether its result changes ratings. Default: between people and between bots. Never: without a clock, in private, with one's own bots."""
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
    """A Stone to claim."""
    stone: int
    """The number of the Stone."""


class SeveralClaimsInput(TypedDict):
    """Stones to claim, all or none."""
    stones: list[int]
    """The numbers of the Stones."""


class WebhookChannelInput(TypedDict):
    """A webhook to add."""
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
    """A browser to add."""
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
    """A channel by ntfy to add."""
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
    """A channel by Gotify to add."""
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
    """A chat on Telegram to add."""
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
    """A channel on Discord to add."""
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
    """A channel on Slack to add."""
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
    """A channel by Pushover to add."""
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


class PauseOfferInput(TypedDict):
    """Offers a pause, or agrees to the same."""
    kind: Literal['pause']
    """What is offered."""
    until: NotRequired[str | None]
    """When the clock runs again. Without it: once either resumes it."""


class AbandonmentOfferInput(TypedDict):
    """Offers to end the game without a winner, or agrees."""
    kind: Literal['abandonment']
    """What is offered."""


class AgreementInput(TypedDict):
    """Agrees to the opponent's offer of this number."""
    kind: Literal['pause', 'abandonment']
    """What is offered."""
    number: int
    """The number of the opponent's offer that is agreed to."""


class GameEventBasics(TypedDict):
    """What all events share."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""


class GameCreatedEventDataOptions(TypedDict):
    """The options that the rules depend on."""
    hand_size: int
    """Cards in a full hand."""
    tactics: bool
    """Whether Tactic cards are in play."""
    claim_timing: str
    """When Stones can be claimed."""
    joker_limit: str
    """When a player may play a second Joker."""
    traitor_to: NotRequired[Literal['any', 'another']]
    """Where a Traitor may put a card."""


class GameCreatedEventData(TypedDict):
    """Its facts."""
    player: str
    """The player's id."""
    seat: Seat
    """The seat."""
    edition: str
    """The edition of the rules."""
    tactics: bool
    """Whether Tactic cards are in play."""
    expert: bool
    """Whether the edition's expert rules apply."""
    rounds: int
    """Rounds of the match."""
    first_player: str
    """Who begins."""
    rules_version: int
    """The version of the rules."""
    options: GameCreatedEventDataOptions
    """The options that the rules depend on."""
    commitment: str
    """SHA-256 of the secret, in hex."""
    salt: str
    """What the hash was salted with; null if `private` is."""
    visited_scotland: str | None
    """The player's last day in or near Scotland."""
    terms: dict[str, Any]
    """What was agreed beyond the rules."""


class GameCreatedEventPrivate(TypedDict):
    secret: str
    """What every shuffle follows from, in hex."""


class GameCreatedEvent(TypedDict):
    """The game was created."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['game_created']
    """The type."""
    data: GameCreatedEventData
    """Its facts."""
    private: GameCreatedEventPrivate | None
    """Null if the caller may not see it before the end."""


class PlayerJoinedEventData(TypedDict):
    """Its facts."""
    player: str
    """The player's id."""
    salt: str
    """What the hash was salted with; null if `private` is."""
    visited_scotland: str | None
    """The player's last day in or near Scotland."""


class PlayerJoinedEvent(TypedDict):
    """The second player sat down."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['player_joined']
    """The type."""
    data: PlayerJoinedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class RoundStartedEventData(TypedDict):
    """Its facts."""
    round: int
    """The number of the round, from 1."""
    first: Seat
    """Who begins."""


class RoundStartedEventPrivate(TypedDict):
    clan: list[str]
    """Clan cards."""
    tactic: list[str]
    """Tactic cards."""


class RoundStartedEvent(TypedDict):
    """A round began, and cards were dealt."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['round_started']
    """The type."""
    data: RoundStartedEventData
    """Its facts."""
    private: RoundStartedEventPrivate | None
    """Null if the caller may not see it before the end."""


class CardPlayedEventData(TypedDict):
    """Its facts."""
    card: str
    """The code of the card."""
    stone: int
    """The number of the Stone."""


class CardPlayedEvent(TypedDict):
    """A Clan card, Elite Troop or Combat Mode was played."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['card_played']
    """The type."""
    data: CardPlayedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class RusePlayedEventDataTarget(TypedDict):
    """The card that the Ruse is played on."""
    card: str
    """The code of the card."""
    stone: int
    """The number of the Stone."""


class RusePlayedEventDataDraws(TypedDict):
    """The cards drawn, by deck."""
    clan: int
    """Clan cards."""
    tactic: int
    """Tactic cards."""


class RusePlayedEventData(TypedDict):
    """Its facts."""
    card: str
    """The code of the card."""
    target: NotRequired[RusePlayedEventDataTarget]
    """The card that the Ruse is played on."""
    to: NotRequired[int | Literal['x']]
    """The number of a Stone, or `x` for the discard."""
    draws: NotRequired[RusePlayedEventDataDraws]
    """The cards drawn, by deck."""


class RusePlayedEvent(TypedDict):
    """A Ruse was played."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['ruse_played']
    """The type."""
    data: RusePlayedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class CardsRecruitedEventData(TypedDict):
    """Its facts."""
    clan: int
    """Clan cards."""
    tactic: int
    """Tactic cards."""


class CardsRecruitedEventPrivate(TypedDict):
    cards: list[str]
    """The cards."""


class CardsRecruitedEvent(TypedDict):
    """A Recruiter drew."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['cards_recruited']
    """The type."""
    data: CardsRecruitedEventData
    """Its facts."""
    private: CardsRecruitedEventPrivate | None
    """Null if the caller may not see it before the end."""


class CardsReturnedEventData(TypedDict):
    """Its facts."""
    clan: int
    """Clan cards."""
    tactic: int
    """Tactic cards."""


class CardsReturnedEventPrivate(TypedDict):
    cards: list[str]
    """The cards."""


class CardsReturnedEvent(TypedDict):
    """Cards went back below their decks."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['cards_returned']
    """The type."""
    data: CardsReturnedEventData
    """Its facts."""
    private: CardsReturnedEventPrivate | None
    """Null if the caller may not see it before the end."""


class PassedEventData(TypedDict):
    """Its facts."""


class PassedEvent(TypedDict):
    """No card was played."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['passed']
    """The type."""
    data: PassedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


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
    """Its facts."""
    stone: int
    """The number of the Stone."""
    reason: str
    """Why."""
    mine: StoneClaimedEventDataMine
    """The formation of the caller's side; null while incomplete."""
    theirs: StoneClaimedEventDataTheirs | None
    """The formation of the other side; null while incomplete."""


class StoneClaimedEvent(TypedDict):
    """A Stone was claimed."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['stone_claimed']
    """The type."""
    data: StoneClaimedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class CardDrawnEventData(TypedDict):
    """Its facts."""
    deck: Literal['clan', 'tactic']
    """The deck."""


class CardDrawnEventPrivate(TypedDict):
    cards: list[str]
    """The cards."""


class CardDrawnEvent(TypedDict):
    """A card was drawn."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['card_drawn']
    """The type."""
    data: CardDrawnEventData
    """Its facts."""
    private: CardDrawnEventPrivate | None
    """Null if the caller may not see it before the end."""


class TurnEndedEventData(TypedDict):
    """Its facts."""
    next: Seat
    """The seat to move next."""


class TurnEndedEvent(TypedDict):
    """The turn went over."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['turn_ended']
    """The type."""
    data: TurnEndedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class ResignedEventData(TypedDict):
    """Its facts."""


class ResignedEvent(TypedDict):
    """A player gave up."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['resigned']
    """The type."""
    data: ResignedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class TimedOutEventData(TypedDict):
    """Its facts."""
    seat: Seat
    """The seat."""


class TimedOutEvent(TypedDict):
    """A player's time ran out."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['timed_out']
    """The type."""
    data: TimedOutEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class RoundEndedEventDataPoints(TypedDict):
    """Points of this round, by seat."""
    north: int
    """North's."""
    south: int
    """South's."""


class RoundEndedEventDataScores(TypedDict):
    """Points of the match so far, by seat."""
    north: int
    """North's."""
    south: int
    """South's."""


class RoundEndedEventData(TypedDict):
    """Its facts."""
    round: int
    """The number of the round, from 1."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: str
    """Why."""
    points: RoundEndedEventDataPoints
    """Points of this round, by seat."""
    scores: RoundEndedEventDataScores
    """Points of the match so far, by seat."""


class RoundEndedEvent(TypedDict):
    """A round ended."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['round_ended']
    """The type."""
    data: RoundEndedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class GameEndedEventDataScores(TypedDict):
    """Points of the match so far, by seat."""
    north: int
    """North's."""
    south: int
    """South's."""


class GameEndedEventData(TypedDict):
    """Its facts."""
    winner: Seat | None
    """The seat that won; null for a draw, or while nobody has."""
    reason: str
    """Why."""
    scores: GameEndedEventDataScores
    """Points of the match so far, by seat."""
    secret: str
    """What every shuffle follows from, in hex."""


class GameEndedEvent(TypedDict):
    """The game ended."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['game_ended']
    """The type."""
    data: GameEndedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class GameAbortedEventData(TypedDict):
    """Its facts."""
    secret: str
    """What every shuffle follows from, in hex."""


class GameAbortedEvent(TypedDict):
    """The game was cancelled before it began."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['game_aborted']
    """The type."""
    data: GameAbortedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class CalendarChangedEventData(TypedDict):
    """Its facts."""
    zone: str
    """The time zone, by its name in the IANA database."""
    sleep: list[str] | None
    """The hours of the night that do not count; null for none."""
    vacations: list[list[str]]
    """The vacations."""
    next_turn: NotRequired[bool]
    """Whether it counts from the player's next turn."""


class CalendarChangedEvent(TypedDict):
    """A player's calendar changed."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['calendar_changed']
    """The type."""
    data: CalendarChangedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class TimeGivenEventData(TypedDict):
    """Its facts."""
    seat: Seat
    """The seat."""
    seconds: int
    """Seconds."""


class TimeGivenEvent(TypedDict):
    """A player gave the other more time."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['time_given']
    """The type."""
    data: TimeGivenEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class ClockMovedEventData(TypedDict):
    """Its facts."""
    seconds: int
    """Seconds."""


class ClockMovedEvent(TypedDict):
    """A player let time pass at once; only in a sandbox."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['clock_moved']
    """The type."""
    data: ClockMovedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class ClockPausedEventData(TypedDict):
    """Its facts."""
    until: str | None
    """Until when; null if it is open."""


class ClockPausedEvent(TypedDict):
    """Both agreed to pause."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['clock_paused']
    """The type."""
    data: ClockPausedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class ClockResumedEventData(TypedDict):
    """Its facts."""


class ClockResumedEvent(TypedDict):
    """The clock runs again."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['clock_resumed']
    """The type."""
    data: ClockResumedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


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
    """An interval does not count."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['clock_adjusted']
    """The type."""
    data: ClockAdjustedEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class FlagHeldEventData(TypedDict):
    """Its facts."""
    seat: Seat
    """The seat."""
    until: str
    """Until when; null if it is open."""


class FlagHeldEvent(TypedDict):
    """A time-out waits until the player can be told."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""
    type: Literal['flag_held']
    """The type."""
    data: FlagHeldEventData
    """Its facts."""
    private: None
    """Hidden, or null."""


class OtherGameEvent(TypedDict):
    """An event of a type added later. Skip it, or read the game."""
    seq: int
    """The event's number, from 1."""
    v: int
    """The schema version of this event type."""
    at: str
    """When it happened."""
    type: str
    """The type."""
    by: Seat | None
    """The seat that did it; null for the server."""
    via: str
    """The way it came."""
    data: dict[str, Any]
    """Its facts."""
    private: dict[str, Any] | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    """What the hash was salted with; null if `private` is."""
    hash: str
    """The event's hash in the chain."""


class GameWebhookData(TypedDict):
    """Its facts."""
    game: str
    """The game's id."""
    version: int
    """The game's version, as in its `ETag`."""
    head: str
    """The last hash of the game's log."""
    seat: Seat | None
    """Your seat; null while you are invited."""
    opponent: OtherPlayer | None
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
    """A message about a game."""
    type: Literal['game.turn', 'game.reminder', 'game.last-reminder', 'game.started', 'game.over', 'game.invitation', 'game.called-off', 'game.orders', 'game.abandonment', 'game.pause', 'game.answered', 'game.clock-runs', 'game.time-out', 'game.message']
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: GameWebhookData
    """Its facts."""


class ChallengeWebhookData(TypedDict):
    """Its facts."""
    challenge: str
    """The challenge's id."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class ChallengeWebhook(TypedDict):
    """A message about a challenge."""
    type: Literal['challenge.challenge', 'challenge.declined', 'challenge.expired', 'challenge.withdrawn']
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: ChallengeWebhookData
    """Its facts."""


class SeasonWebhookData(TypedDict):
    """Its facts."""
    season: str
    """The season's id."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class SeasonWebhook(TypedDict):
    """What a season is told of."""
    type: Literal['season.started', 'season.ended']
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: SeasonWebhookData
    """Its facts."""


class DigestWebhookData(TypedDict):
    """Its facts."""
    turns: int
    """In how many games it is your turn."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class DigestWebhook(TypedDict):
    """The daily digest."""
    type: Literal['channel.digest']
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: DigestWebhookData
    """Its facts."""


class PlainWebhookData(TypedDict):
    """Its facts."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class PlainWebhook(TypedDict):
    """A message about nothing in particular."""
    type: Literal['calendar.vacation-ends', 'channel.test']
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: PlainWebhookData
    """Its facts."""


class OtherWebhookData(TypedDict):
    """What it says; members may be added."""
    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: str
    """The page that it is about."""


class OtherWebhook(TypedDict):
    """A message of a type added later."""
    type: str
    """The type."""
    timestamp: str
    """When it happened, or else was written."""
    data: OtherWebhookData
    """What it says; members may be added."""


class OtherPlayer(TypedDict):
    """The other player."""
    id: str
    """The opponent's id."""
    name: str
    """The opponent's name."""


ClockInput: TypeAlias = MoveClockInput | BankClockInput | FixedEndClockInput
ClaimsInput: TypeAlias = OneClaimInput | SeveralClaimsInput
MoveInput: TypeAlias = CardMoveInput | RuseMoveInput | RecruiterMoveInput | PassMoveInput
OfferInput: TypeAlias = PauseOfferInput | AbandonmentOfferInput | AgreementInput
ClockChangeInput: TypeAlias = GiveTimeInput | ResumeInput | PassTimeInput
TimeInput: TypeAlias = DaysInput | HoursInput
OpponentInput: TypeAlias = PlayerOpponentInput | EmailOpponentInput | BotOpponentInput
ChallengeInput: TypeAlias = ChallengeByIdInput | ChallengeByNameInput
ChannelInput: TypeAlias = WebhookChannelInput | PushChannelInput | NtfyChannelInput | GotifyChannelInput | TelegramChannelInput | DiscordChannelInput | SlackChannelInput | PushoverChannelInput
Seat: TypeAlias = Literal['north', 'south']
KnownGameEvent: TypeAlias = GameCreatedEvent | PlayerJoinedEvent | RoundStartedEvent | CardPlayedEvent | RusePlayedEvent | CardsRecruitedEvent | CardsReturnedEvent | PassedEvent | StoneClaimedEvent | CardDrawnEvent | TurnEndedEvent | ResignedEvent | TimedOutEvent | RoundEndedEvent | GameEndedEvent | GameAbortedEvent | CalendarChangedEvent | TimeGivenEvent | ClockMovedEvent | ClockPausedEvent | ClockResumedEvent | ClockAdjustedEvent | FlagHeldEvent
WebhookMessage: TypeAlias = GameWebhook | ChallengeWebhook | SeasonWebhook | DigestWebhook | PlainWebhook | OtherWebhook
GameEvent: TypeAlias = KnownGameEvent | OtherGameEvent
