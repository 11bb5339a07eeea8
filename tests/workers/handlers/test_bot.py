"""Bots as players: a turn of theirs is a job like any other."""

from typing import Any

import pytest

from service.bots import BOTS
from service.games import NewGame, StoredGame
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from workers.context import WorkerContext

STEWARD = BOTS["steward"].player


def against(context: WorkerContext, bot: str, **options: object) -> tuple[str, StoredGame]:
    """A game of Ann (north) against a bot that begins; Ann's id and the game."""
    ann = context.container.registrations.register("Ann").player.id
    wanted = NewGame(**{"bot": bot, "first_player": "opponent", **options})  # type: ignore[arg-type]
    return ann, context.container.games.create(ann, wanted)


def bots_notices(context: WorkerContext) -> list[str]:
    return [notice.id for notice in context.container.log.outbox.pending() if ".bot." in notice.id]


def test_a_game_against_a_bot_starts_at_once_and_sends_it_no_mail(context: WorkerContext) -> None:
    ann, game = against(context, "steward")
    assert game.game.status == "active"
    assert game.game.players == {"north": ann, "south": STEWARD}
    assert context.container.players.names([STEWARD]) == {STEWARD: "Steward (bot)"}

    context.container.games.resign(game.id, ann)
    mailed = [
        due.id.split(".")[2] for due in context.container.log.outbox.pending() if ".mail." in due.id
    ]
    assert mailed == [ann]


def test_its_turn_is_played_by_a_job_and_written_as_a_bot_s(context: WorkerContext) -> None:
    _, game = against(context, "steward")
    (notice,) = bots_notices(context)
    assert notice == f"{game.id}.3.{STEWARD}.bot.turn"
    assert deliver(context, notice) == "played"
    after = context.container.games.load(game.id)
    assert after.game.turn == "north"
    lines = context.container.games.history.lines(after, None, after=3)
    assert {line["via"] for line in lines} == {"bot"}


def test_a_repeated_job_finds_nothing_to_do(context: WorkerContext) -> None:
    _, game = against(context, "steward")
    (notice,) = bots_notices(context)
    deliver(context, notice)
    version = context.container.log.events.version(game.id)
    assert deliver(context, notice) == "dropped"
    assert context.container.log.events.version(game.id) == version


def test_two_jobs_for_the_same_turn_play_it_once(
    context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, game = against(context, "steward")
    (notice,) = bots_notices(context)
    play = context.container.games.play

    def overtaken(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(context.container.games, "play", play)
        deliver(context, notice)
        return play(*args, **options)

    monkeypatch.setattr(context.container.games, "play", overtaken)
    deliver(context, notice)
    turns = [
        line
        for line in context.container.games.history.lines(game, None)
        if line["type"] == "turn_ended"
    ]
    assert len(turns) <= 1
    assert context.container.games.load(game.id).game.turn == "north"


def test_a_person_who_moved_is_followed_by_the_bot_and_the_bot_by_a_mail(
    context: WorkerContext,
) -> None:
    ann, game = against(context, "random", first_player="creator")
    moved = context.container.games.play(
        game.id, ann, context.container.games.view(game, ann).legal[:1]
    )
    (notice,) = bots_notices(context)
    deliver(context, notice)
    assert bots_notices(context) == []
    mails = [due.id for due in context.container.log.outbox.pending() if ".mail." in due.id]
    assert mails == [f"{game.id}.{moved.version + 3}.{ann}.mail.turn"]


@pytest.mark.parametrize("kind", [{}, {"tactics": True}, {"edition": "scottentots"}])
def test_a_whole_game_between_a_bot_and_who_plays_anything(
    context: WorkerContext, clock: Clock, kind: dict[str, Any] | dict[str, bool] | dict[str, str]
) -> None:
    ann, game = against(context, "steward", **kind)
    while not (stored := context.container.games.load(game.id)).game.over:
        for notice in bots_notices(context):
            deliver(context, notice)
        stored = context.container.games.load(game.id)
        if stored.player_to_move() == ann:
            context.container.games.play(
                game.id, ann, context.container.games.view(stored, ann).legal[:1]
            )
    assert stored.game.status == "finished"


def test_a_bot_that_is_here_no_more_is_dropped(context: WorkerContext) -> None:
    _, game = against(context, "steward")
    assert deliver(context, f"{game.id}.3.botretired222222.bot.turn") == "dropped"


def test_the_deal_of_the_day_meets_the_same_moves_with_the_same_answers(
    context: WorkerContext,
) -> None:
    container, played = context.container, list[list[object]]()
    for name in ("Ann", "Bob"):
        player = container.registrations.register(name).player.id
        stored = container.games.daily.begin(player)
        while (mover := stored.player_to_move()) is not None:
            if mover == STEWARD:
                (notice,) = [each for each in bots_notices(context) if stored.id in each]
                deliver(context, notice)
                stored = container.games.load(stored.id)
            else:
                legal = container.games.view(stored, player).legal
                stored = container.games.play(stored.id, player, [legal[0]])
        lines = container.games.history.lines(stored, player, after=2)
        played.append([(line["type"], line["by"], line["data"]) for line in lines])
    assert played[0] == played[1]
