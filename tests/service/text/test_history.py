"""What happened, in sentences."""

from typing import Any

import engine
from engine import Event
from engine.chain import EncodedEvent
from engine.events import GameAborted, Passed, TurnEnded
from service.core.words import ENGLISH
from service.text.card_names import count_cards
from service.text.event_words import outcome, score
from service.text.game_terms import join_words
from service.text.history import narrate, told_to, turn_of, turns_by_event
from tests.service.text.table import NAMES, begun, lines, turns

SEALED = {"clan": 2, "tactic": 1}


def told(*events: Event | EncodedEvent, seat: engine.Seat | None = None) -> list[str]:
    return [sentence.text for sentence in narrate(ENGLISH, lines(events, seat), NAMES)]


def change(type_: str, data: dict[str, Any], cards: list[str] | None = None) -> EncodedEvent:
    return EncodedEvent(type_, "south", data, None if cards is None else {"cards": cards})


def test_a_game_is_told_turn_by_turn() -> None:
    game, first = begun()
    game, then = turns(game, "R4@3", "O7@3")

    assert told(*first, *then) == [
        "Ann created the game.",
        "Bob joined.",
        "Ann got the first turn.",
        "Ann played R4 on Stone 3.",
        "Bob played O7 on Stone 3.",
    ]


def test_turns_are_those_of_both_players_and_begin_anew_in_each_round() -> None:
    dealt = EncodedEvent("round_started", None, {}, None)
    played, over = (EncodedEvent(kind, "north", {}, None) for kind in ("card_played", "turn_ended"))
    claimed, ruse = (
        EncodedEvent(kind, "south", {}, None) for kind in ("stone_claimed", "ruse_played")
    )
    told = lines([dealt, claimed, played, over, claimed, ruse, over, dealt, played])

    assert [turn_of(told, at) for at in range(1, 8)] == [
        (0, 2),
        (1, 2),
        (1, 2),
        (1, 2),
        (2, 2),
        (2, 2),
        (2, 2),
    ]
    assert [turn_of(told, at) for at in (8, 9)] == [(0, 1), (1, 1)]
    assert turn_of(told[:5], 5) == (2, 2)
    assert turns_by_event(told) == {2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 9: 1}


def test_each_sentence_knows_its_last_event() -> None:
    game, first = begun()
    _, then = turns(game, "R4@3")

    sentences = narrate(ENGLISH, lines([*first, *then]), NAMES)

    assert [sentence.seq for sentence in sentences] == [1, 2, 3, 6]
    assert {sentence.at for sentence in sentences} == {"2026-11-21T12:00:00Z"}


def test_a_player_is_told_the_cards_that_only_they_may_see() -> None:
    drawn = change("card_drawn", {"deck": "clan"}, ["G3"])

    assert told(drawn, seat="south") == ["Bob drew G3."]
    assert told(drawn, seat="north") == []


def test_a_draw_is_told_where_the_deck_was_chosen() -> None:
    drawn = change("card_drawn", {"deck": "tactic"}, ["JOK"])

    assert told(drawn, seat="north") == ["Bob drew a Tactic card."]


def test_the_first_turn_that_draws_nothing_says_so() -> None:
    turn = [
        change("card_played", {"card": "R4", "stone": 3}),
        change("turn_ended", {"next": "north"}),
    ]

    assert told(*turn, Passed("north"), *turn) == [
        "Bob played R4 on Stone 3 and found no card left to draw.",
        "Ann passed.",
        "Bob played R4 on Stone 3.",
    ]


def test_every_ruse_has_its_words() -> None:
    target = {"card": "R7", "stone": 3}
    ruses = [
        {"card": "STR", "target": target, "to": 5},
        {"card": "STR", "target": target, "to": "x"},
        {"card": "BAN", "target": target},
        {"card": "TRA", "target": target, "to": 6},
    ]

    assert [told(change("ruse_played", ruse)) for ruse in ruses] == [
        ["Bob moved R7 from Stone 3 to Stone 5 with the Strategist."],
        ["Bob discarded R7 from Stone 3 with the Strategist."],
        ["Bob discarded R7 from Stone 3 with the Banshee."],
        ["Bob took R7 from Stone 3 to Stone 6 with the Traitor."],
    ]


def test_a_recruiter_is_told_with_its_cards_to_its_player_alone() -> None:
    events = [
        change("ruse_played", {"card": "REC", "draws": SEALED}),
        change("cards_recruited", SEALED, ["R1", "G2", "SPY"]),
        change("cards_returned", {"clan": 1, "tactic": 1}, ["R1", "SPY"]),
    ]

    assert told(*events, seat="north") == [
        "Bob played the Recruiter, drawing 2 Clan cards and 1 Tactic card "
        "and put 1 Clan card and 1 Tactic card under the decks."
    ]
    assert told(*events, seat="south") == [
        "Bob played the Recruiter, drawing 2 Clan cards and 1 Tactic card, "
        "found R1, G2 and Spy and put R1 and Spy under the decks."
    ]


def test_a_claim_names_the_formation() -> None:
    mine = {"rank": "color-run", "total": 24, "as": ["R7", "R8", "R9"]}
    claim = {"stone": 4, "reason": "unbeatable", "mine": mine, "theirs": None}

    assert told(change("stone_claimed", claim)) == ["Bob claimed Stone 4 (colour run, sum 24)."]


def test_a_claim_by_sum_alone_names_the_sum_once() -> None:
    mine = {"rank": "sum", "total": 14, "as": ["R1", "G5", "B8"]}
    claim = {"stone": 4, "reason": "unbeatable", "mine": mine, "theirs": None}

    assert told(change("stone_claimed", claim)) == ["Bob claimed Stone 4 (sum 14)."]


def test_claims_of_one_turn_share_their_verb() -> None:
    mine = {"rank": "color-run", "total": 24, "as": ["R7", "R8", "R9"]}
    claim = {"stone": 4, "reason": "unbeatable", "mine": mine, "theirs": None}
    events = [change("stone_claimed", claim), change("stone_claimed", {**claim, "stone": 5})]

    assert told(*events) == [
        "Bob claimed Stone 4 (colour run, sum 24) and Stone 5 (colour run, sum 24)."
    ]


def test_the_end_is_told_once() -> None:
    game, first = begun()
    _, end = engine.advance(game, engine.Resign("south"))

    assert told(*first, *end)[3:] == ["Bob resigned.", "Ann won."]


def test_whoever_resigned_the_last_round_may_have_won_the_match() -> None:
    assert outcome(ENGLISH, "north", "resignation", NAMES, rounds=3) == "Ann won the match."


def test_a_resignation_after_a_turn_is_a_sentence_of_its_own() -> None:
    game, _ = begun()
    game, turn = turns(game, "R4@3")
    _, end = engine.advance(game, engine.Resign("north"))
    untold = [event for event in (*turn, *end) if not isinstance(event, TurnEnded)]

    assert told(*untold)[:2] == ["Ann played R4 on Stone 3.", "Ann resigned."]


def test_a_round_of_a_match_is_told_with_its_points() -> None:
    game, first = begun(rounds=2)
    _, end = engine.advance(game, engine.TimeOut("north"))

    assert told(*first, *end)[3:] == [
        "Ann ran out of time.",
        "Round 1: Bob won on time. Ann 0, Bob 5.",
        "Round 2 began. Bob got the first turn.",
    ]


def test_a_game_that_is_called_off() -> None:
    assert told(GameAborted("north", "")) == ["The game was cancelled."]


def test_a_pass_and_the_end_of_a_turn() -> None:
    assert told(change("passed", {}), change("turn_ended", {"next": "north"})) == ["Bob passed."]


def test_words_for_lists_counts_and_results() -> None:
    assert [
        join_words([]),
        join_words(["a"]),
        join_words(["a", "b"]),
        join_words(["a", "b", "c"], "or"),
    ] == ["", "a", "a and b", "a, b or c"]
    assert count_cards(ENGLISH, 0, 2) == "2 Tactic cards"
    assert outcome(ENGLISH, None, "stalemate", NAMES) == "A draw by stalemate."
    assert outcome(ENGLISH, "north", "resignation", NAMES) == "Ann won: Bob resigned."
    assert outcome(ENGLISH, "north", "resignation", NAMES, "south") == "Ann won: you resigned."
    assert score(ENGLISH, {"north": 5, "south": 2}, NAMES) == "Ann 5, Bob 2."


def test_what_happens_to_the_clock_is_told() -> None:
    noon, night = "2026-12-24T12:00:00Z", "2026-12-26T23:59:59Z"
    span = {"from": noon, "to": night}
    moment = {"from": noon, "to": "2026-12-24T12:00:42Z"}
    calendar = {"zone": "Europe/Berlin", "sleep": ["23:00", "07:00"], "vacations": [[noon, night]]}
    assert told(
        change("calendar_changed", calendar),
        change("calendar_changed", {"zone": "UTC", "sleep": None, "vacations": []}),
        change("calendar_changed", {"zone": "Asia/Tokyo", "sleep": None, "vacations": []}),
        change("time_given", {"seat": "north", "seconds": 97_200}),
        change("clock_paused", {"until": None}),
        change("clock_paused", {"until": night}),
        change("clock_resumed", {}),
        EncodedEvent("clock_resumed", None, {}),
        EncodedEvent("clock_adjusted", None, {"seat": None, "reason": "outage", **span}),
        EncodedEvent("clock_adjusted", None, {"seat": None, "reason": "outage", **moment}),
        EncodedEvent("clock_adjusted", None, {"seat": "north", "reason": "untold", **span}),
        EncodedEvent("flag_held", None, {"seat": "north", "until": night}),
    ) == [
        "Bob’s calendar in this game: nights from 23:00 to 07:00, vacation from "
        "Thu 24 Dec 2026, 12:00 (UTC) to Sat 26 Dec 2026, 23:59 (UTC), time zone Europe/Berlin.",
        "Bob’s calendar in this game: no nights and no vacation.",
        "Bob’s calendar in this game: time zone Asia/Tokyo.",
        "Bob gave Ann 1 day and 3 hours more.",
        "Bob agreed: the clock is paused.",
        "Bob agreed: the clock is paused until Sat 26 Dec 2026, 23:59 (UTC).",
        "Bob resumed the clock.",
        "The server resumed the clock.",
        "The server was away: Thu 24 Dec 2026, 12:00 (UTC) to Sat 26 Dec 2026, 23:59 (UTC) "
        "does not count.",
        "The server was away for a moment, which does not count.",
        "Ann had not been told of the turn: Thu 24 Dec 2026, 12:00 (UTC) to "
        "Sat 26 Dec 2026, 23:59 (UTC) does not count.",
        "Ann’s time is up, but Ann has not been told of the turn: "
        "nothing ends before Sat 26 Dec 2026, 23:59 (UTC).",
    ]


def test_a_time_zone_alone_is_told_to_nobody_and_nights_are_told_to_players() -> None:
    zone, hours = {"zone": "Asia/Tokyo", "vacations": []}, ["23:00", "07:00"]
    alone, nights, none = lines(
        [
            change("calendar_changed", {**zone, "sleep": None}),
            change("calendar_changed", {**zone, "sleep": hours}),
            change("calendar_changed", {"zone": "UTC", "sleep": None, "vacations": []}),
        ]
    )
    assert told_to([alone, nights, none], "north") == [nights, none]
    assert told_to([alone, nights, none], None) == []


def test_the_reader_of_a_list_of_games_is_called_you_as_grammar_wants_it() -> None:
    night = "2026-12-26T23:59:59Z"
    held = EncodedEvent("flag_held", None, {"seat": "north", "until": night})
    given = change("time_given", {"seat": "north", "seconds": 86_400})
    assert [
        sentence.text for sentence in narrate(ENGLISH, lines([given, held], None), NAMES, "north")
    ] == [
        "Bob gave you 1 day more.",
        "Your time is up, but you have not been told of the turn: "
        "nothing ends before Sat 26 Dec 2026, 23:59 (UTC).",
    ]
