"""Making a game, sitting down and calling it off: what is taken down, and what is refused."""

from typing import Any

import pytest

from engine import (
    EDITIONS,
    Abandon,
    CreateGame,
    JoinGame,
    Resign,
    RuleBroken,
    TakeTurn,
    TimeOut,
    advance,
    decide,
)
from engine.chain import encode
from engine.events import GameAborted, GameEnded, Resigned, RoundEnded, TimedOut
from engine.options import Options, options_for
from engine.shuffle import commitment, first_by_lot, seed

SECRET = "ab" * 32


def made(**wanted: Any) -> CreateGame:
    usual = {
        "player": "ann", "seat": "south", "edition": "iello", "tactics": False, "expert": False,
        "rounds": 1, "first_player": "creator", "secret": SECRET, "salt": "salt of ann",
    }  # fmt: skip
    return CreateGame(**{**usual, **wanted})


def open_game(**wanted: Any) -> Any:
    return advance(None, made(**wanted))[0]


def refused(game: Any, command: Any) -> tuple[str, str, int | None]:
    with pytest.raises(RuleBroken) as caught:
        decide(game, command)
    return caught.value.code, caught.value.refusal, caught.value.ruling


def test_the_first_event_holds_all_that_was_agreed_and_seals_the_secret() -> None:
    terms = {"clock": "P1D", "listed": True}
    game, [created] = advance(
        None,
        made(tactics=True, rounds=3, visited="2024-05-31", first_player="scotland", terms=terms),
    )
    event = encode(created)
    assert (event.type, event.by, event.v) == ("game_created", "south", 1)
    assert event.private == {"secret": SECRET}
    assert event.data == {
        "player": "ann",
        "seat": "south",
        "edition": "iello",
        "tactics": True,
        "expert": False,
        "rounds": 3,
        "first_player": "scotland",
        "rules_version": 2,
        "options": {
            "hand_size": 7,
            "tactics": True,
            "claim_timing": "after_play",
            "joker_limit": "one_per_game",
            "traitor_to": "any",
        },
        "commitment": commitment(SECRET),
        "salt": "salt of ann",
        "visited_scotland": "2024-05-31",
        "terms": terms,
    }
    assert (game.status, game.version, game.creator) == ("open", 1, "south")
    assert game.players == {"north": None, "south": "ann"}
    assert (game.terms, game.secret, game.expert) == (terms, SECRET, False)
    assert game.tactics_played == game.jokers_played == {"north": 0, "south": 0}


def test_a_game_of_the_first_rules_is_made_as_it_was_then() -> None:
    event = encode(*decide(None, made(edition="bga", tactics=True, rules_version=1)))
    assert event.data["rules_version"] == 1
    assert event.data["options"] == {
        "hand_size": 7,
        "tactics": True,
        "claim_timing": "after_play",
        "joker_limit": "one_on_table",
    }


def test_rules_that_are_not_known_are_refused() -> None:
    assert refused(None, made(rules_version=3)) == ("bad-game", "rules-version", None)


def test_the_second_player_gets_the_free_seat_and_the_first_round_starts() -> None:
    game, events = advance(open_game(), JoinGame("bob", "salt of bob", "2026-01-02"))
    joined, started = map(encode, events)
    assert (joined.type, joined.by) == ("player_joined", "north")
    assert joined.data == {
        "player": "bob", "salt": "salt of bob", "visited_scotland": "2026-01-02",
    }  # fmt: skip
    assert (started.type, started.by) == ("round_started", None)
    assert started.data == {"round": 1, "first": "south"}
    assert game.players == {"north": "bob", "south": "ann"}
    assert game.salts == {"north": "salt of bob", "south": "salt of ann"}
    assert (game.version, game.status, game.round, game.turn, game.phase) == (
        3, "active", 1, "south", "play",
    )  # fmt: skip


@pytest.mark.parametrize("rounds", [-1, 0, 100])
def test_a_match_of_no_rounds_or_too_many_is_refused(rounds: Any) -> None:
    assert refused(None, made(rounds=rounds)) == ("bad-game", "rounds", 31)


@pytest.mark.parametrize("rounds", [1, 99])
def test_a_match_has_one_to_ninety_nine_rounds(rounds: int) -> None:
    assert open_game(rounds=rounds).rounds == rounds


def test_an_unknown_way_to_choose_the_first_player_is_refused() -> None:
    assert refused(None, made(first_player="eldest")) == ("bad-game", "first-player", 2)


@pytest.mark.parametrize(
    "visited", ["", "yesterday", "31.05.2026", "2026-05-31T10:00", "2026-5-31"]
)
def test_a_visit_to_scotland_is_a_date(visited: str) -> None:
    told = ("bad-game", "visited-scotland", 2)
    assert refused(None, made(visited=visited)) == told
    assert refused(open_game(), JoinGame("bob", "b", visited)) == told


@pytest.mark.parametrize(
    "visits", [("2026-01-01", "2026-01-01"), ("2026-01-01", None), (None, "2026-01-01")]
)
def test_ruling_2_the_lot_over_equal_or_missing_visits_falls_on_either_seat(
    visits: tuple[str | None, str | None],
) -> None:
    begun = set()
    for salt in "abcdefgh":
        game = open_game(first_player="scotland", visited=visits[0], salt=salt)
        game = advance(game, JoinGame("bob", "b", visits[1]))[0]
        assert game.turn == first_by_lot(seed(SECRET, salt, "b"))
        begun.add(game.turn)
    assert begun == {"north", "south"}


def test_both_seats_taken_and_a_seat_opposite_oneself_are_refused() -> None:
    game = open_game()
    assert refused(game, JoinGame("ann", "a")) == ("seat-taken", "own-game", None)
    full = advance(game, JoinGame("bob", "b"))[0]
    assert refused(full, JoinGame("eve", "e")) == ("seat-taken", "seat-taken", None)


@pytest.mark.parametrize(
    "command", [TakeTurn("south", ["R1@1"]), Resign("south"), TimeOut("south")]
)
def test_nothing_is_played_before_the_second_player_sits(command: Any) -> None:
    assert refused(open_game(), command) == ("game-not-started", "game-not-started", None)


@pytest.mark.parametrize("command", [JoinGame("bob", "b"), Resign("south"), Abandon(None)])
def test_there_is_nothing_to_do_in_no_game(command: Any) -> None:
    assert refused(None, command) == ("game-not-started", "no-game", None)


def test_calling_off_before_the_start_tells_the_secret_and_nobody_wins() -> None:
    game, [event] = advance(open_game(), Abandon("south"))
    assert event == GameAborted("south", SECRET)
    assert (game.over, game.status, game.winner, game.reason) == (True, "aborted", None, None)
    for command in (Abandon(None), JoinGame("bob", "b"), Resign("south")):
        assert refused(game, command) == ("game-over", "game-over", None)


def test_the_end_by_agreement_tells_scores_and_secret() -> None:
    game = advance(open_game(rounds=3), JoinGame("bob", "b"))[0]
    game, [event] = advance(game, Abandon(None))
    assert event == GameEnded(None, None, "agreement", {"north": 0, "south": 0}, SECRET)
    assert (game.status, game.turn, game.phase, game.secret) == ("finished", None, None, SECRET)


def test_time_out_and_resignation_say_who() -> None:
    game = advance(open_game(), JoinGame("bob", "b"))[0]
    late = advance(game, TimeOut("south"))[1]
    points = {"north": 5, "south": 0}
    assert late[:2] == [TimedOut("south"), RoundEnded(1, "north", "time-out", points, points)]
    resigned, *endings = advance(game, Resign("north"))[1]
    assert resigned == Resigned("north")
    assert [type(event) for event in endings] == [RoundEnded, GameEnded]


# Editions


@pytest.mark.parametrize(
    ("edition", "timing", "tactics"),
    [
        ("iello", "after_play", ("one_per_game", "any")),
        ("bga", "after_play", ("one_on_table", "another")),
        ("reference-card", "after_play", ("one_per_game", "any")),
        ("community", "any_time", ("one_on_table", "any")),
    ],
)
def test_an_edition_is_a_set_of_options(
    edition: str, timing: str, tactics: tuple[str, str]
) -> None:
    assert options_for(edition, False, False) == Options(6, False, timing, *tactics)
    assert options_for(edition, True, False) == Options(7, True, timing, *tactics)
    assert options_for(edition, True, True) == Options(7, True, "before_play", *tactics)
    assert options_for(edition, True, True, 1) == Options(7, True, "before_play", tactics[0], "any")
    assert options_for(edition, False, True).claim_timing == "before_play"


def test_scottentots_claims_first_and_has_neither_tactics_nor_expert() -> None:
    options = options_for("scottentots", False, False)
    assert options == Options(6, False, "before_play", "one_per_game")
    told = "no-such-combination"
    tactics = made(edition="scottentots", tactics=True)
    assert refused(None, tactics) == (told, "no-tactics", None)
    assert refused(None, made(edition="scottentots", expert=True)) == (told, "no-expert", 3)


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleBroken) as caught:
        decide(None, made(edition="house"))
    assert (caught.value.code, caught.value.refusal) == ("unknown-edition", "unknown-edition")
    assert all(name in caught.value.detail for name in EDITIONS)


def test_editions_have_titles_for_readers() -> None:
    assert {name: edition.title for name, edition in EDITIONS.items()} == {
        "iello": "IELLO, 2016",
        "bga": "Board Game Arena",
        "reference-card": "Reference card",
        "scottentots": "Scottentots, 1999",
        "community": "Community summary",
    }
