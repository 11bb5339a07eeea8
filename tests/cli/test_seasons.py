"""The commands `season` and `verify-season`."""

import json
import re
from pathlib import Path

import pytest

from service.container import Container
from service.eventlog import keys
from service.seasons.store import EVENT
from tests.cli.runner import run
from tests.service.seasons.leagues import League

pytestmark = pytest.mark.usefixtures("environment")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    from random import Random

    league = League(division=4).enter(5).start().play(Random(1)).end()
    return written(tmp_path / "season.jsonl", league)


def written(path: Path, league: League) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in league.lines))
    return path


def test_a_season_is_announced_and_listed(store: Container) -> None:
    told = run("season", "announce", "Spring", "--players", 6, "--bot", "steward")
    assert told.exit_code == 0, told.output
    (season,) = store.seasons.all()
    assert told.output.strip().endswith(f"/seasons/{season.id}")
    assert season.rules.clock == {"bank_days": 3, "increment_hours": 12}
    assert (season.rules.players, season.rules.bots) == (6, ["steward"])
    assert run("season", "list").output.split() == [season.id, "open", "0", "Spring"]


def test_one_that_cannot_be_read_is_named_beside_the_others(store: Container) -> None:
    for name in ("Spring", "Autumn"):
        run("season", "announce", name, "--players", 6)
    (bad,) = (each for each in store.seasons.all() if each.rules.name == "Autumn")
    store.redis.xadd(keys.season_key(bad.id), {EVENT: "{"}, id="9-0")
    listed = run("season", "list").output
    assert "Spring" in listed
    assert f"The log of season {bad.id} is damaged" in listed
    told = run("reindex")
    assert told.exit_code == 1
    assert f"The log of season {bad.id} is damaged" in told.output
    assert "Not read: 1 season, named above." in told.output


def test_one_with_a_fixed_end_starts_on_its_date(store: Container) -> None:
    told = run(
        *("season", "announce", "Spring", "--starts", "2026-12-01T18:00"),
        *("--until", "2027-01-15T00:00"),
    )
    if told.exit_code:  # the machine has another year
        assert "A season starts within a year from now." in told.output
        return
    (season,) = store.seasons.all()
    assert season.rules.starts_at == "2026-12-01T18:00:00Z"
    assert season.rules.clock == {"until": "2027-01-15T00:00:00Z"}


def test_impossible_rules_are_refused_in_a_line(store: Container) -> None:
    refused = run("season", "announce", "Spring")
    assert refused.exit_code == 1
    assert refused.output == "Error: A season starts at a moment, or once enough players wait.\n"
    assert run("season", "announce", "Spring", "--division", 9).exit_code == 2
    long_ago = "0001-01-01"
    for rules, why in (
        (("--players", 10**26), "A season waits for at most 1000 players."),
        (("--starts", long_ago), "A season starts within a year from now."),
        (("--starts", "2026-12-01", "--until", long_ago), "A"),
    ):
        refused = run("season", "announce", "Spring", *rules)
        assert refused.exit_code == 1
        assert refused.output.startswith(f"Error: {why}"), refused.output


def test_a_sound_log_is_said_to_be_and_what_it_does_not_show(played: Path) -> None:
    told = run("verify-season", played)
    assert told.exit_code == 0, told.output
    assert "5 players (divisions: 1), 20 pairs, the tables of 20 results." in told.output
    assert "Proved by the record of the game: 0 of 20 results." in told.output
    assert "Sealed before anybody entered: the cards of 0 of 20 games." in told.output
    assert "Not shown: " in told.output
    ended = json.loads(played.read_text().splitlines()[-1])
    rows = re.findall(r"(?m)^ +([1-5]) +(\d+)  (\w+)", told.output)
    assert [player for *_, player in rows] == ended["data"]["tables"][0]
    assert sum(int(points) for _, points, _ in rows) == 2 * 20


def test_a_changed_one_is_named_by_its_event(played: Path) -> None:
    played.write_text(played.read_text().replace('"salt 3"', '"salt 4"'))
    told = run("verify-season", played)
    assert told.exit_code == 1
    assert told.output == (
        "Error: Not sound: event 6: its hash is not that of its content and the event before.\n"
    )


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a": 1}'])
def test_what_is_no_log_is_said_in_a_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    told = run("verify-season", path)
    assert told.exit_code == 1
    assert len(told.output.splitlines()) == 1


def test_the_log_before_proves_the_order(tmp_path: Path, played: Path) -> None:
    from service.seasons.table import order_after
    from service.seasons.verify import verify

    before = verify([json.loads(line) for line in played.read_text().splitlines()]).season
    league = League("t" * 20, division=4, follows=before.id).enter(5).start(order_after(before))
    after = written(tmp_path / "after.jsonl", league)
    assert "Not checked: the order" in run("verify-season", after).output
    assert "Not checked" not in run("verify-season", after, "--before", played).output


def test_it_is_said_which_of_two_logs_is_unsound(tmp_path: Path, played: Path) -> None:
    league = League("t" * 20, follows="s" * 20).enter(4)
    after = written(tmp_path / "after.jsonl", league)
    played.write_text(played.read_text().replace('"salt 3"', '"salt 4"'))
    assert run("verify-season", after, "--before", played).output == (
        "Error: Not sound: the season before, event 6: its hash is not that of its content and the"
        " event before.\n"
    )


def test_removed_games_are_counted(tmp_path: Path) -> None:
    from engine.chain import NO_HASH
    from service.seasons.events import REMOVED, ResultTaken

    league = League().enter(4).start()
    game = next(iter(league.season.games))
    league.add(ResultTaken(game, NO_HASH, None, REMOVED, {"north": 0, "south": 0}))
    told = run("verify-season", written(tmp_path / "removed.jsonl", league))
    assert "Removed by the operator, and counting for nobody: 1." in told.output


def test_a_ladder_is_announced_with_its_clock(store: Container) -> None:
    assert run("season", "announce", "One", "--ladder").exit_code == 0
    assert run("season", "announce", "Two", "--ladder", "--days", 5, "--tactics").exit_code == 0
    assert run("season", "announce", "Three", "--ladder", "--bank-days", 7).exit_code == 0
    clocks = {season.rules.name: season.rules.clock for season in store.seasons.all()}
    assert clocks == {
        "One": {"bank_days": 3, "increment_hours": 12, "vacations": True},
        "Two": {"days_per_move": 5, "vacations": True},
        "Three": {"bank_days": 7, "increment_hours": 12, "vacations": True},
    }
    assert all(season.ladder is not None for season in store.seasons.all())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--players", "6"], "A ladder has no divisions, start, number of players"),
        (["--division", "6"], "A ladder has no divisions"),
        (["--bot", "steward"], "A ladder has no divisions"),
        (["--until", "2027-01-15"], "The games of a ladder end by their own time."),
        (["--days", "3", "--bank-days", "3"], "not several of them"),
        (["--days", "0"], "not in the range"),
    ],
)
def test_what_makes_no_sense_on_a_ladder_is_refused(
    store: Container, options: list[str], why: str
) -> None:
    refused = run("season", "announce", "Ladder", "--ladder", *options)
    assert refused.exit_code > 0
    assert why in refused.output
    assert store.seasons.all() == []


def test_days_for_a_move_are_those_of_a_ladder_alone(store: Container) -> None:
    refused = run("season", "announce", "Spring", "--players", 6, "--days", 3)
    assert "The clock of a season is a bank or a fixed end." in refused.output


def test_the_order_of_a_ladder_is_told_with_names(tmp_path: Path) -> None:
    from tests.service.seasons.ladders import Climbing
    from tests.service.seasons.leagues import player

    ladder = Climbing().enter(0, 1)
    ladder.end(ladder.challenge(1, 0), 1)
    lines = [dict(line) for line in ladder.lines]
    lines[2]["name"], lines[3]["name"] = "Ann", None
    path = tmp_path / "ladder.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    told = run("verify-season", path).output
    assert "Sound: 6 events. Ladder is being played." in told
    assert "each of 1 challenges was allowed, and the order after 1 results." in told
    assert f"   1  {player(1)}\n   2  {player(0)}  Ann\n" in told


def test_a_ladder_is_ended_once(store: Container) -> None:
    assert run("season", "announce", "The hill", "--ladder").exit_code == 0
    (ladder,) = store.seasons.all()
    assert run("season", "end", ladder.id).output == "Ended: The hill.\n"
    assert run("season", "list").output.split() == [ladder.id, "ended", "0", "The", "hill"]
    refused = run("season", "end", ladder.id)
    assert (refused.exit_code, refused.output) == (1, "Error: This season is over.\n")
    assert run("season", "end", "x").output == "Error: There is no season with this id.\n"


def test_it_is_said_how_often_the_cards_were_sealed_anew(tmp_path: Path) -> None:
    from engine.shuffle import commitment
    from service.seasons.events import CardsSealed
    from tests.service.seasons.leagues import CARDS

    league = League().enter(4)
    league.add(CardsSealed(commitment(CARDS), CARDS))
    told = run("verify-season", written(tmp_path / "anew.jsonl", league)).output
    assert "Sealed anew, so that the host could choose among secrets of cards: once." in told
    league.add(CardsSealed(commitment(CARDS), CARDS))
    told = run("verify-season", written(tmp_path / "anew.jsonl", league)).output
    assert "Sealed anew, so that the host could choose among secrets of cards: 2 times." in told
