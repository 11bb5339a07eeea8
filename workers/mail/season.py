"""The two mails of a season: that it has begun, and that it is over, with the table as text; the
second tells a player of a ladder that they were taken off, or that it has ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from letters.inert import inert_name
from service.accounts.names import NOBODY, displayable, shown_name
from service.core.errors import RequestRejected
from service.core.words import N_, Words
from service.eventlog import NoticeParts
from service.mail_in.addresses import ReplyTo
from service.seasons.season import Season
from service.seasons.table import Standing, movers, standings
from workers.context import WorkerContext

_LONGEST_NAME = 24
"""The most letters of a name in the table."""


@dataclass(frozen=True)
class SeasonMail:
    """A season as a mail tells it to a player: its name, a few sentences, and the table once it is
    over. `answered` is what an answer to the mail is about, None if there is nothing to answer."""

    words: Words
    season: Season
    title: str
    sentences: Sequence[str]
    rows: Sequence[str]
    link: str
    answered: ReplyTo | None
    is_off: bool = False
    """Whether its reader was taken off the ladder, and has not come back."""

    @property
    def has_begun(self) -> bool:
        return self.season.status == "running"

    @property
    def is_over(self) -> bool:
        return self.is_off or self.season.status == "ended"

    @property
    def end_as_sender(self) -> str:
        """That it is over for the reader, as a sender's name."""
        message = N_("%(title)s: you are off") if self.is_off else N_("%(title)s is over")
        return self.words.say(message, title=self.title)

    @property
    def end_as_title(self) -> str:
        message = N_("Off the ladder: %(title)s") if self.is_off else N_("Over: %(title)s")
        return self.words.say(message, title=self.title)

    @property
    def ending(self) -> str:
        off = N_("You are no longer on the ladder “%(title)s”.")
        message = off if self.is_off else N_("The season “%(title)s” is over.")
        return self.words.say(message, title=self.title)

    @property
    def variables(self) -> dict[str, object]:
        return vars(self)


def season_mail(words: Words, context: WorkerContext, notice: NoticeParts) -> SeasonMail | None:
    """Return the season of this notice, as its recipient is told of it; None if it is gone."""
    seasons, player = context.container.seasons, notice.recipient
    try:
        season = seasons.get(notice.subject)
    except RequestRejected:
        return None
    if season.ladder is not None:
        return _of_ladder(words, context, season, player)
    number = season.division_of.get(player)
    people = [] if number is None else season.divisions[number - 1]
    stored = context.container.players.names(people)
    shown = {one: shown_name(words, displayable(stored.get(one, NOBODY))) for one in people}
    names = {one: inert_name(name) for one, name in shown.items()}
    following, answered = seasons.following(season) if season.ended else None, None
    if following is not None:
        answered = ReplyTo("season", following.id, [*season.entered].index(player) + 1)
    title = inert_name(season.rules.name)
    rows = standings(season, number) if season.ended and number else []
    return SeasonMail(
        words,
        season,
        title,
        _sentences(words, season, player, names, rows, following),
        _table(rows, names),
        f"{context.container.settings.base_url}/seasons/{(following or season).id}",
        answered,
    )


_OFF: Final[Mapping[str, str]] = {
    "away": N_("You gave no sign of life for 14 days. You can enter again, at the bottom."),
    "time-outs": N_(
        "You ran out of time twice. You can enter again after 14 days and two other games in which"
        " both played five turns."
    ),
}
"""Why a player was taken off a ladder, by the reason in its log."""


def _of_ladder(
    words: Words, context: WorkerContext, season: Season, player: str
) -> SeasonMail | None:
    """The mail to a player who was taken off a ladder, or stood on it to its end; None if they are
    on it again."""
    withdrawal = season.withdrawn.get(player)
    why = None if withdrawal is None else _OFF.get(withdrawal.reason)
    is_off = why is not None
    if why is not None:
        said = [words.say(why), words.say("Your games on it that were going on are lost.")]
    elif season.ended and season.has(player):
        said = [
            words.say("The host has ended this ladder."),
            words.say("Games that are going on are played to their end, and rated."),
        ]
    else:
        return None
    link = f"{context.container.settings.base_url}/seasons/{season.id}"
    title = inert_name(season.rules.name)
    return SeasonMail(words, season, title, said, (), link, None, is_off=is_off)


def _sentences(
    words: Words,
    season: Season,
    player: str,
    names: dict[str, str],
    rows: Sequence[Standing],
    following: Season | None,
) -> list[str]:
    number = season.division_of.get(player)
    if number is None and season.ended_by_operator:
        return [words.say("The host cancelled it before it began.")]
    if number is None:
        return [words.say("Too few had entered, so it is not played.")]
    if season.ended is None:
        others = words.joined([name for one, name in names.items() if one != player])
        games = len(season.games_of(player))
        begun = words.say(
            "You play in division %(number)s, against %(names)s: %(games)s games, all at once.",
            number=number,
            names=others,
            games=games,
        )
        return [begun, words.say("You are told of each turn as always.")]
    up, down = movers(season, number, rows)
    said = [words.say("This is the final table of division %(number)s.", number=number)]
    if player in up:
        said.append(words.say("You go up a division."))
    elif player in down and number < len(season.divisions):
        said.append(words.say("You go down a division."))
    if following is not None:
        name = inert_name(following.rules.name)
        said.append(words.say("The next season, %(name)s, waits for players.", name=name))
    return said


def _table(rows: Sequence[Standing], names: dict[str, str]) -> list[str]:
    """The rows of a division's final table: place, name, points, and games won, drawn and lost."""
    width = max((len(names[row.player][:_LONGEST_NAME]) for row in rows), default=0)
    return [
        f"{row.rank or '':>2}  {names[row.player][:_LONGEST_NAME]:{width}}  {row.points:3}"
        f"  {row.won}-{row.drawn}-{row.lost}"
        for row in rows
    ]
