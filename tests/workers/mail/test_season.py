"""The two mails of a season, and entering the next one by answering."""

import pytest

from service.core.times import DAY, timestamp
from service.mail.mailbox import Mailbox
from service.seasons import running
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from tests.support.clock import Clock
from tests.workers.mail.correspondence import Correspondent, flat, kinds, run, text_of
from tests.workers.match import registered
from workers.context import WorkerContext

NAMES = ("Ann", "Bob", "Cy", "Dora")


@pytest.fixture
def people(context: WorkerContext) -> list[str]:
    return [registered(context, name) for name in NAMES]


@pytest.fixture
def ann(context: WorkerContext, mailbox: Mailbox) -> Correspondent:
    return Correspondent(context, mailbox, "ann@example.org")


def season_of(context: WorkerContext, people: list[str], **rules: object) -> Season:
    """A season that all have entered, and that has begun."""
    built = context.container
    season = built.seasons.announce(
        NewSeason("Spring league", players=4, **rules),  # type: ignore[arg-type]
        None,
        "operator",
    )
    for player in people:
        built.seasons.enter(season.id, player, None, "api")
    built.season_clock.run_all()
    return built.seasons.get(season.id)


def play_out(context: WorkerContext, season: Season) -> None:
    """North resigns each game, and the worker takes the results."""
    for game in season.games.values():
        context.container.games.resign(game["game"], game["north"])
    run(context)


def ended_before_another(
    context: WorkerContext, people: list[str], ann: Correspondent, players: int = 5
) -> tuple[Season, str]:
    """Play a season out when one that follows it, of so many players, waits. Return that one, and
    where an answer to Ann's mail goes."""
    season = season_of(context, people)
    run(context)
    following = context.container.seasons.announce(
        NewSeason("Summer league", players=players, follows=season.id), None, "operator"
    )
    play_out(context, season)
    last = ann.mails()[kinds(ann).index("season-ended")]
    return following, str(last["Reply-To"])


def mails(of: Correspondent, kind: str) -> list[str]:
    places = [place for place, each in enumerate(kinds(of)) if each == kind]
    return [flat(text_of(of.mails()[place])) for place in places]


def ladder_of(context: WorkerContext, people: list[str]) -> Season:
    built = context.container
    made = built.seasons.announce(NewSeason("The hill", format="ladder"), None, "operator")
    for player in people:
        made = built.seasons.enter(made.id, player, None, "api")
    return made


@pytest.mark.parametrize("begins", ["challenger", "challenged"])
def test_a_challenge_on_a_ladder_is_one_mail_to_the_challenged_that_says_so(
    context: WorkerContext,
    people: list[str],
    ann: Correspondent,
    mailbox: Mailbox,
    monkeypatch: pytest.MonkeyPatch,
    begins: str,
) -> None:
    first = {"challenger": "creator", "challenged": "opponent"}[begins]
    monkeypatch.setattr(running, "first_player", lambda season: first)
    hill, bob = ladder_of(context, people), Correspondent(context, mailbox, "bob@example.org")
    context.container.seasons.challenge(hill.id, people[1], people[0], "api")
    context.container.now.time += 600  # type: ignore[attr-defined]
    run(context)
    assert len(kinds(ann)) == 1
    told = flat(text_of(ann.mails()[0]))
    assert "Bob challenges you on the ladder “The hill”" in told
    if begins == "challenged":
        assert "You play first." in told
        assert "3 days" in told
    else:
        assert "and plays first." in told
        assert "Bob challenges you" in str(ann.mails()[0]["From"])
    assert all("challenges you" not in text_of(mail) for mail in bob.mails())


def test_who_is_taken_off_a_ladder_is_told_why(
    context: WorkerContext, people: list[str], ann: Correspondent, clock: Clock
) -> None:
    hill = ladder_of(context, people)
    clock.time += 15 * DAY
    context.container.season_clock.run_all()
    assert context.container.seasons.get(hill.id).withdrawn.keys() == {*people}
    run(context)
    (told,) = mails(ann, "season-ended")
    assert told.startswith("You are no longer on the ladder “The hill”.")
    assert "You gave no sign of life for 14 days." in told
    assert f"/seasons/{hill.id}" in told


def test_who_stands_on_a_ladder_that_is_ended_is_told_so(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    hill = ladder_of(context, people)
    context.container.season_clock.end(hill.id)
    run(context)
    (told,) = mails(ann, "season-ended")
    assert told.startswith("The season “The hill” is over.")
    assert "The host has ended this ladder." in told
    assert "Games that are going on are played to their end, and rated." in told


def test_a_league_that_is_called_off_says_so(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    built = context.container
    season = built.seasons.announce(NewSeason("Winter league", players=9), None, "operator")
    built.seasons.enter(season.id, people[0], None, "api")
    built.season_clock.end(season.id)
    run(context)
    (told,) = mails(ann, "season-ended")
    assert "The host cancelled it before it began." in told


def test_who_leaves_a_ladder_is_not_told_so(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    hill = ladder_of(context, people)
    context.container.seasons.withdraw(hill.id, people[0], "api")
    context.container.season_clock.run_all()
    run(context)
    assert kinds(ann) == []


def test_there_is_one_at_the_start_and_one_with_the_table_at_the_end(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    season = season_of(context, people)
    run(context)
    (begun,) = mails(ann, "season-started")
    assert begun.startswith("The season “Spring league” has begun.")
    assert "against" in begun
    assert all(name in begun for name in NAMES[1:])
    assert "6 games, all at once." in begun
    play_out(context, season)
    assert context.container.seasons.get(season.id).ended
    (over,) = mails(ann, "season-ended")
    assert over.startswith("The season “Spring league” is over.")
    assert all(f" {name} " in over for name in NAMES)
    assert "6 3-0-3" in over
    assert f"/seasons/{season.id}" in over
    assert {kind for kind in kinds(ann) if kind.startswith("season")} == {
        "season-started",
        "season-ended",
    }


def test_an_answer_to_the_last_one_enters_the_next(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    following, reply_to = ended_before_another(context, people, ann)
    (over,) = mails(ann, "season-ended")
    assert "The next season, Summer league, waits for players." in over
    assert "To enter the next season, answer “accept”." in over
    said = ann.answer("yes\nsay: see you all there", to=reply_to)
    assert "You have entered the season “Summer league”." in said
    assert "Your message was not passed on" in said
    (entry,) = context.container.seasons.get(following.id).entries
    assert entry.player == people[0]
    assert context.container.season_store.lines(following.id)[-1]["via"] == "mail"


def test_only_its_own_player_can_answer_it(
    context: WorkerContext, people: list[str], ann: Correspondent, mailbox: Mailbox
) -> None:
    following, reply_to = ended_before_another(context, people, ann)
    Correspondent(context, mailbox, "eve@example.org").answer("accept", to=reply_to)
    assert context.container.seasons.get(following.id).active == []
    assert "refused" not in ann.answer("no", to=reply_to)
    assert context.container.seasons.get(following.id).active == []


def test_an_answer_that_comes_too_late_is_told_so(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    following, reply_to = ended_before_another(context, people, ann, players=4)
    for player in [*people[1:], registered(context, "Zoe")]:
        context.container.seasons.enter(following.id, player, None, "api")
    context.container.season_clock.run_all()
    said = ann.answer("accept", to=reply_to)
    assert "That season has started: nobody enters it now." in said


def test_an_answer_enters_the_season_that_the_mail_named_and_no_later_one(
    context: WorkerContext, people: list[str], ann: Correspondent
) -> None:
    seasons = context.container.seasons
    named, reply_to = ended_before_another(context, people, ann)
    other = seasons.announce(
        NewSeason("Blitz", players=4, follows=named.rules.follows, clock={"bank_days": 1}),
        None,
        "operator",
    )
    said = ann.answer("accept", to=reply_to)
    assert "You have entered the season “Summer league”." in said
    assert seasons.get(other.id).active == []
    assert seasons.get(named.id).active == [people[0]]


def test_a_season_that_nobody_else_entered_tells_that_it_is_not_played(
    context: WorkerContext, people: list[str], ann: Correspondent, clock: Clock
) -> None:
    built = context.container
    season = built.seasons.announce(
        NewSeason("Winter league", starts_at=timestamp(clock() + DAY)), None, "operator"
    )
    built.seasons.enter(season.id, people[0], None, "api")
    clock.time += DAY
    built.season_clock.run_all()
    run(context)
    (over,) = mails(ann, "season-ended")
    assert "Too few had entered, so it is not played." in over
