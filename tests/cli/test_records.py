"""`scottenbury verify`, `replay` and `judge`, which need no server."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine import Resign, decide, replay
from engine.chain import NO_HASH, encode, encoded, redact, seal, to_event
from engine.nameless import nameless
from engine.record import to_jsonl, to_text
from service.cli import main
from service.container import Container
from service.games import ChangeContext
from service.games.rematches import Wanted
from tests.engine.games import Kind, forged, record_of, whole_game
from tests.support.stored_games import finished, keep


@pytest.fixture
def record() -> Any:
    game, events = whole_game(Kind("iello", tactics=True), 3)
    return record_of(events, game.secret)


def archived(seed: int) -> str:
    """A line of an archive."""
    game, events = whole_game(Kind("scottentots"), seed, salts=("a" * 32, "b" * 32))
    unnamed = nameless(record_of(events, game.secret))
    assert unnamed is not None
    return (
        json.dumps({"id": "2026-11-21.0", "players": None, "record": unnamed}).replace(
            '{"id": ', '{"id":', 1
        )
        + "\n"
    )


def test_verify_says_what_a_nameless_record_is() -> None:
    told = run("verify", "-", stdin=archived(seed=1))
    assert told.exit_code == 0
    assert told.output.startswith("Sound: ")
    assert "A nameless record, made from that of the game: players, moments" in told.output


def test_verify_says_that_a_game_was_for_practice(store: Container) -> None:
    old = finished()
    store.players.ensure_exists("e" * 16, "Eve")
    game_id = keep(store, "a", old)
    begun = store.games.practice.begin(game_id, "e" * 16, Wanted(12), ChangeContext())
    over = store.games.resign(begun.id, "e" * 16)
    told = run("verify", "-", stdin=store.games.history.record(over, None))
    assert told.exit_code == 0
    assert f"For practice: the deal of {game_id} again, from its event 12." in told.output


def test_verify_says_that_a_game_was_a_deal_of_the_day(store: Container) -> None:
    store.players.ensure_exists("e" * 16, "Eve")
    begun = store.games.daily.begin("e" * 16)
    over = store.games.resign(begun.id, "e" * 16)
    told = run("verify", "-", stdin=store.games.history.record(over, None))
    assert told.exit_code == 0
    assert begun.daily is not None
    assert f"The deal of the day, {begun.daily.date}:" in told.output


def run(*arguments: Any, stdin: Any = None) -> Any:
    return CliRunner().invoke(main, arguments, input=stdin)


def test_verify_says_what_was_checked_and_ends_well(record: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(to_jsonl(record))
    told = run("verify", str(path))
    assert told.exit_code == 0
    assert f"Sound: {len(record)} events" in told.output
    assert record[-1]["hash"] in told.output


@pytest.mark.parametrize("form", [to_jsonl, to_text])
def test_verify_reads_both_forms_from_standard_input(record: Any, form: Any) -> None:
    assert run("verify", "-", stdin=form(record)).exit_code == 0


def test_verify_says_that_a_record_alone_does_not_show_what_was_played(record: Any) -> None:
    told = run("verify", "-", stdin=to_jsonl(record))
    assert told.exit_code == 0
    assert "Not shown: that these moves were played." in told.output
    assert "Played:" not in told.output


def test_verify_says_up_to_which_event_a_head_binds(record: Any) -> None:
    heads = [record[9]["hash"].upper(), record[4]["hash"]]
    told = run("verify", "-", "--head", heads[0], "--head", heads[1], stdin=to_jsonl(record))
    assert told.exit_code == 0
    rest = len(record) - 10
    played = f"Played: events 1 to 10, by the head given. No head was given for the last {rest}."
    assert played in told.output
    assert "Not shown" not in told.output
    whole = run("verify", "-", "--head", record[-1]["hash"], stdin=to_jsonl(record))
    assert f"Played: events 1 to {len(record)}, by the head given.\n" in whole.output


def test_a_game_that_was_changed_and_sealed_anew_is_sound_but_not_of_a_head_seen_before(
    record: Any,
) -> None:
    began = record[0]["private"]["secret"]
    start = next(place for place, line in enumerate(record) if line["type"] == "card_played")
    game = replay([to_event(line) for line in record[:start]])
    events = [*map(encoded, record[:start]), *map(encode, decide(game, Resign(game.turn)))]
    made = {"at": record[0]["at"], "via": "api", "secret": began, "previous": NO_HASH}
    text = to_jsonl(list(seal(events, after=0, **made)))
    assert "Sound:" in run("verify", "-", stdin=text).output
    told = run("verify", "-", "--head", record[start + 5]["hash"], stdin=text)
    assert told.exit_code == 1
    assert "Not the game of this head" in told.output
    assert "Played:" not in told.output


@pytest.mark.parametrize("head", ["", "abc", "g" * 64, "a" * 63])
def test_what_is_no_head_is_refused(record: Any, head: str) -> None:
    told = run("verify", "-", "--head", head, stdin=to_jsonl(record))
    assert told.exit_code == 2
    assert "64 hexadecimal digits" in told.output


def test_a_head_binds_what_can_be_seen_of_a_game_that_goes_on(record: Any) -> None:
    open_ = [redact(line, None, over=False) for line in record[:-1]]
    told = run("verify", "-", "--head", open_[-1]["hash"], stdin=to_jsonl(open_))
    assert f"Played: events 1 to {len(open_)}, by the head given." in told.output


def test_verify_names_the_event_of_a_changed_record(record: Any) -> None:
    record[9]["at"] = "2026-11-21T12:00:01Z"
    told = run("verify", "-", stdin=to_jsonl(record))
    assert told.exit_code == 1
    assert "event 10" in told.output


def test_verify_checks_the_chain_of_a_game_that_goes_on(record: Any) -> None:
    shown = [redact(line, "north", over=False) for line in record[:30]]
    told = run("verify", "-", stdin=to_jsonl(shown))
    assert told.exit_code == 0
    assert "The game goes on" in told.output


class TestManyRecords:
    @pytest.fixture
    def many(self) -> list[str]:
        games = [whole_game(Kind("scottentots"), seed) for seed in range(20)]
        return [to_jsonl(record_of(events, game.secret)) for game, events in games]

    def test_files_and_one_after_the_other_in_a_file(self, many: Any, tmp_path: Path) -> None:
        first, rest = tmp_path / "first.jsonl", tmp_path / "rest.jsonl"
        first.write_text(many[0])
        rest.write_text("\n".join(many[1:]))
        told = run("verify", str(first), str(rest))
        assert told.exit_code == 0, told.output
        assert told.output.startswith("Sound: 20 of 20 records, to the game's end. ")
        assert "Not shown: that these moves were played." in told.output
        assert run("verify", "-", stdin="".join(many)).output == told.output

    def test_those_that_are_not_sound_are_named(self, many: Any, tmp_path: Path) -> None:
        path = tmp_path / "many.jsonl"
        path.write_text(
            "".join((many[0], many[1].replace('"by":"north"', '"by":"south"'), many[2]))
        )
        told = run("verify", str(path))
        assert told.exit_code == 1
        assert f"{path}, record 2: Not sound: event 1: " in told.stderr
        assert "record 1:" not in told.stderr
        assert told.stdout.startswith("Sound: 2 of 3 records, to the game's end. ")

    def test_one_that_goes_on_is_told_apart(self, many: Any) -> None:
        game, events = whole_game(Kind("iello"), 3)
        lines = [redact(line, None, over=False) for line in record_of(events, game.secret)[:-1]]
        told = run("verify", "-", stdin=many[0] + to_jsonl(lines))
        assert told.exit_code == 0
        assert told.output.startswith("Sound: 1 of 2 records, to the game's end. 1 more as far as ")

    def test_a_file_may_be_gzipped(self, many: Any, tmp_path: Path) -> None:
        packed = gzip.compress("".join(many).encode())
        (tmp_path / "many.gz").write_bytes(packed)
        told = run("verify", str(tmp_path / "many.gz"))
        assert told.output.startswith("Sound: 20 of 20 records, ")
        assert run("verify", "-", stdin=packed).output == told.output

    @pytest.mark.parametrize("damage", [slice(0, -9), slice(0, 40)])
    def test_a_gzipped_file_that_is_cut_off_is_one_clear_line(
        self, many: Any, damage: slice
    ) -> None:
        told = run("verify", "-", stdin=gzip.compress("".join(many).encode())[damage])
        assert told.exit_code == 1
        assert told.stderr == "Error: - cannot be read: it is damaged.\n"

    def test_lines_of_an_archive_are_named_as_such(self, many: Any) -> None:
        unnamed = archived(seed=1) + archived(seed=2)
        told = run("verify", "-", stdin=unnamed)
        assert told.exit_code == 0, told.output
        assert told.output.startswith("Sound: 2 of 2 records, ")
        assert "2 are nameless records: no head " in told.output
        assert "Not shown" not in told.output
        assert "Not shown" in run("verify", "-", stdin=unnamed + many[0]).output

    def test_a_line_of_an_archive_that_was_changed_is_named(self) -> None:
        changed = archived(seed=1).replace('"by": "north"', '"by": "south"', 1)
        told = run("verify", "-", stdin=changed + archived(seed=2))
        assert told.exit_code == 1
        assert "-, record 1: Not sound: event 1: " in told.stderr

    @pytest.mark.parametrize("record", ["null", "{}", "[]", '[{"type":"game_created"}]'])
    def test_a_line_that_is_no_archives_is_one_clear_line(self, record: str) -> None:
        told = run("verify", "-", stdin=f'{{"id":"1","record":{record}}}')
        assert told.exit_code == 1
        assert told.stderr.startswith("Error: - is no record: ")

    def test_a_head_belongs_to_one_game(self, many: Any) -> None:
        told = run("verify", "-", "--head", "0" * 64, stdin="".join(many[:2]))
        assert told.exit_code == 2
        assert "one RECORD alone" in told.output

    def test_a_replay_shows_one_game(self, many: Any) -> None:
        told = run("replay", "-", stdin="".join(many[:2]))
        assert told.exit_code == 1
        assert "more than one record" in told.output


def test_verify_refuses_what_a_later_version_wrote() -> None:
    game, events = whole_game(Kind("iello"), 3)
    later = forged(events[0], rules_version=7)
    told = run("verify", "-", stdin=to_jsonl(record_of([later, *events[1:]], game.secret)))
    assert told.exit_code == 1
    assert "later version" in told.output


@pytest.mark.parametrize("text", ["", "hello", "{}", "[Edition]", '[Edition "iello"]\n\n1. R7@3\n'])
def test_what_is_no_record_is_one_clear_line(text: str) -> None:
    for command in ("verify", "replay"):
        told = run(command, "-", stdin=text)
        assert told.exit_code == 1
        assert told.output.startswith("Error: - is no record")
        assert len(told.output.splitlines()) == 1


def test_a_file_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    told = run("verify", str(tmp_path / "none.jsonl"))
    assert told.exit_code == 1
    assert "cannot be read" in told.output


def test_replay_tells_the_game_and_shows_the_board(record: Any) -> None:
    told = run("replay", "-", stdin=to_jsonl(record))
    assert told.exit_code == 0
    assert "North created the game." in told.output
    assert "won with" in told.output
    assert told.output.count("Stone  ") == 1


def test_replay_at_a_step_shows_the_game_as_it_stood(record: Any) -> None:
    told = run("replay", "-", "--at", "3", stdin=to_jsonl(record))
    assert "got the first turn" in told.output
    assert "played" not in told.output


def test_replay_by_steps_shows_a_board_after_each(record: Any) -> None:
    told = run("replay", "-", "--steps", stdin=to_jsonl(record))
    assert told.output.count("Stone  ") > 20


def test_replay_shows_a_players_hand_on_request(record: Any) -> None:
    without = run("replay", "-", "--at", "3", stdin=to_jsonl(record)).output
    told = run("replay", "-", "--at", "3", "--seat", "north", stdin=to_jsonl(record)).output
    assert "Your hand:" in told
    assert "Your hand:" not in without


def test_replay_past_the_end_is_refused(record: Any) -> None:
    assert "holds" in run("replay", "-", "--at", "9999", stdin=to_jsonl(record)).output


def test_replay_of_a_game_that_goes_on_tells_what_can_be_seen(record: Any) -> None:
    hidden = [redact(line, None, over=False) for line in record[:30]]
    told = run("replay", "-", stdin=to_jsonl(hidden))
    assert told.exit_code == 0
    assert "got the first turn" in told.output
    assert "The game goes on" in told.output


def test_verify_says_when_a_record_stops_before_the_end(record: Any) -> None:
    ends = [place for place, line in enumerate(record) if line["type"] == "turn_ended"]
    told = run("verify", "-", stdin=to_jsonl(record[: ends[3] + 1]))
    assert "Sound so far, but not to the game's end" in told.output


def test_judge_answers_line_by_line_and_goes_on_after_a_bad_one() -> None:
    good = '{"mine":["R9","R8","R7"],"theirs":["G1"],"seen":[]}'
    told = run("judge", stdin=f"{good}\nnonsense\n\n{good}\n")
    answers = [json.loads(line) for line in told.output.splitlines()]
    assert [answer.get("claimable") for answer in answers] == [True, None, None, True]
    assert answers[1]["error"]["code"] == answers[2]["error"]["code"] == "not-json"
    assert told.exit_code == 1
