"""Bots as players: a turn of theirs is a job like any other."""

import pytest

from service.bots import BOTS
from service.games import NewGame, StoredGame
from tests.service.clock import Clock
from workers.context import Office
from workers.handlers.deliver import deliver

STEWARD = BOTS["steward"].player


def against(office: Office, bot: str, **options: object) -> tuple[str, StoredGame]:
    """A game of Ann (north) against a bot that begins; Ann's id and the game."""
    ann = office.players.register("Ann").player.id
    wanted = NewGame(**{"bot": bot, "first_player": "opponent", **options})  # type: ignore[arg-type]
    return ann, office.games.create(ann, wanted)


def bots_notices(office: Office) -> list[str]:
    return [notice.id for notice in office.log.pending() if ".bot." in notice.id]


def test_a_game_against_a_bot_starts_at_once(office: Office):
    ann, game = against(office, "steward")
    assert game.game.status == "active"
    assert game.game.players == {"north": ann, "south": STEWARD}
    assert office.players.names([STEWARD]) == {STEWARD: "Steward (bot)"}


def test_its_turn_is_played_by_a_job_and_written_as_a_bot_s(office: Office):
    _, game = against(office, "steward")
    (notice,) = bots_notices(office)
    assert notice == f"{game.id}.3.{STEWARD}.bot.turn"
    assert deliver(office, notice) == "played"
    after = office.games.load(game.id)
    assert after.game.turn == "north"
    lines = office.games.events(after, None, after=3)
    assert {line["via"] for line in lines} == {"bot"}


def test_a_repeated_job_finds_nothing_to_do(office: Office):
    _, game = against(office, "steward")
    (notice,) = bots_notices(office)
    deliver(office, notice)
    version = office.log.version(game.id)
    assert deliver(office, notice) == "dropped"
    assert office.log.version(game.id) == version


def test_two_jobs_for_the_same_turn_play_it_once(office: Office, monkeypatch):
    _, game = against(office, "steward")
    (notice,) = bots_notices(office)
    play = office.games.play

    def overtaken(*args, **options):
        monkeypatch.setattr(office.games, "play", play)
        deliver(office, notice)
        return play(*args, **options)

    monkeypatch.setattr(office.games, "play", overtaken)
    deliver(office, notice)
    turns = [line for line in office.games.events(game, None) if line["type"] == "turn_ended"]
    assert len(turns) <= 1
    assert office.games.load(game.id).game.turn == "north"


def test_a_person_who_moved_is_followed_by_the_bot_and_the_bot_by_a_mail(office: Office):
    ann, game = against(office, "random", first_player="creator")
    moved = office.games.play(game.id, ann, office.games.view(game, ann)["legal"][:1])
    (notice,) = bots_notices(office)
    deliver(office, notice)
    assert bots_notices(office) == []
    mails = [due.id for due in office.log.pending() if ".mail." in due.id]
    assert mails == [f"{game.id}.{moved.version + 3}.{ann}.mail.turn"]


@pytest.mark.parametrize("kind", [{}, {"tactics": True}, {"edition": "scottentots"}])
def test_a_whole_game_between_a_bot_and_who_plays_anything(office: Office, clock: Clock, kind):
    ann, game = against(office, "steward", **kind)
    while not (stored := office.games.load(game.id)).game.over:
        for notice in bots_notices(office):
            deliver(office, notice)
        stored = office.games.load(game.id)
        if stored.player_to_move() == ann:
            office.games.play(game.id, ann, office.games.view(stored, ann)["legal"][:1])
    assert stored.game.status == "finished"


def test_a_bot_gets_no_mail(office: Office):
    ann, game = against(office, "steward")
    office.games.resign(game.id, ann)
    mailed = [due.id.split(".")[2] for due in office.log.pending() if ".mail." in due.id]
    assert mailed == [ann]


def test_a_bot_that_is_here_no_more_is_dropped(office: Office):
    _, game = against(office, "steward")
    assert deliver(office, f"{game.id}.3.botretired222222.bot.turn") == "dropped"
