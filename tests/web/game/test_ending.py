"""The end of a game: flags, the claim that took the lead for good, and the way on."""

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import pytest
from flask import Flask

import engine
from engine import Seat
from engine.chain import StoredEvent
from service.accounts.faces import drawing, face_of
from service.bots import BOTS
from service.container import Container
from service.core.words import ENGLISH, Words
from service.games import NewGame
from service.text.drawing import moor
from service.web.game.endings import LeadTaken, ending
from tests.engine import positions
from tests.engine.positions import position
from tests.support.application import Server
from tests.support.games import arranged, played
from tests.web.people import both, browser_of
from tests.web.shown import Shown, signed_in

NAMES = {"north": "Ann", "south": "Bob"}
VIEW = engine.view(position(), None)


def lines(
    claims: Iterable[Seat], winner: str | None, reason: str, *, before_play: bool = False
) -> list[StoredEvent]:
    """A round in which each turn claims the next Stone, for the player named."""
    told: list[tuple[str, str | None, dict[str, Any]]] = []
    formation = {"rank": "sum", "total": 9, "as": ["R1", "G3", "B5"]}
    for stone, by in enumerate(claims, 1):
        play = ("card_played", by, {"card": "R1", "stone": stone})
        data = {"stone": stone, "reason": "complete", "mine": formation, "theirs": formation}
        claim = ("stone_claimed", by, data)
        told += [claim, play] if before_play else [play, claim]
        told.append(("turn_ended", by, {"next": "north"}))
    ended = {"round": 1, "winner": winner, "reason": reason, "points": {}, "scores": {}}
    told.append(("round_ended", None, ended))
    made = [
        {"seq": seq, "v": 1, "at": "2026-01-01T00:00:00Z", "type": name, "by": by, "data": data}
        | {"via": "web", "private": None}
        for seq, (name, by, data) in enumerate(told, 1)
    ]
    return cast(list[StoredEvent], made)


def taken(*args: Any, **options: Any) -> LeadTaken | None:
    return ending(ENGLISH, VIEW, lines(*args, **options), NAMES).lead_taken


N: Seat = "north"
S: Seat = "south"


@pytest.mark.parametrize(
    ("claims", "reason", "turn"),
    [
        ([N, N, N], "three-adjacent", 1),
        ([S, N, N, S, N, N, N], "five-stones", 5),
        ([N, S, S, N, N, N], "five-stones", 5),
        ([N, S, N, N, S], "resignation", 3),
    ],
)
def test_it_is_the_claim_after_which_the_winner_led_to_the_end(
    claims: list[Seat], reason: str, turn: int
) -> None:
    found = taken(claims, N, reason)
    assert found is not None
    assert (found.turn, found.seq) == (turn, 3 * turn)
    assert found.words.startswith(f"Ann claimed Stone {turn} ")


@pytest.mark.parametrize(
    ("claims", "winner", "reason"),
    [
        ([], N, "resignation"),
        ([S], N, "time-out"),
        ([N, S], None, "agreement"),
        ([N], None, "stalemate"),
        ([S, S, S, S, N, N, N], N, "three-adjacent"),
    ],
)
def test_without_a_claim_that_took_the_lead_for_good_none_is_named(
    claims: list[Seat], winner: str | None, reason: str
) -> None:
    assert taken(claims, winner, reason) is None


@pytest.mark.parametrize(
    ("norths", "souths", "row"),
    [
        ((2, 3, 4), (1, 5, 7), (2, 3, 4)),
        ((4, 5, 6, 7), (1, 2, 3), (4, 5, 6, 7)),
        ((2, 3, 4, 7, 9), (1, 5), ()),
    ],
)
def test_three_in_a_row_are_named_where_the_count_would_read_like_a_draw(
    norths: tuple[int, ...], souths: tuple[int, ...], row: tuple[int, ...]
) -> None:
    owners: dict[int, Seat] = {**dict.fromkeys(norths, N), **dict.fromkeys(souths, S)}
    board = position({number: positions.stone(owner=owner) for number, owner in owners.items()})
    view = replace(engine.view(board, None), winner=N, reason="three-adjacent")
    assert ending(ENGLISH, view, [], NAMES).row == row


@pytest.mark.parametrize("before_play", [True, False])
def test_the_claim_that_ends_the_round_is_not_named_again(before_play: bool) -> None:
    assert taken([N, S, N], N, "resignation", before_play=before_play) is None


def test_a_claim_before_the_card_belongs_to_the_turn_of_the_card() -> None:
    found = taken([S, N, N, N], N, "five-stones", before_play=True)
    assert found is not None
    assert found.turn == 3


def play_to_the_end(container: Container, game: Shown) -> None:
    while (stored := container.games.load(game.id)).game.turn:
        player = stored.player_to_move()
        assert player is not None
        legal = container.games.view(stored, player).legal
        claims = [text for text in legal if text.startswith("!")]
        container.games.play(
            game.id, player, [claims[0] if claims else legal[stored.version * 11 % len(legal)]]
        )


def test_the_page_of_a_game_that_is_over_tells_it_and_offers_another(
    app: Flask, container: Container, game: Shown
) -> None:
    people = both(app, game)
    assert 'class="end"' not in people["north"].answer.text
    play_to_the_end(container, game)
    stored = container.games.load(game.id)
    winner = stored.game.winner
    assert winner is not None
    for seat, person in people.items():
        person.go(f"/games/{game.id}")
        (end,) = re.findall(r'<section class="end".*?</section>', person.answer.text, re.S)
        assert ("Congratulations!" if seat == winner else "Well played.") in end
        assert re.search(r"<small>Three in a row: Stones \d, \d and \d</small>", end)
        assert "Stones: </span>" not in end
        assert ("</b> You claimed " in " ".join(end.split())) == (seat == winner)
        assert person.buttons.count("Rematch") == 1
        step = re.search(r'href="(/games/[^"]+\?at=(\d+))"', end)
        assert step is not None
        person.go(step[1])
        assert "Back to now" in person.answer.text
        after = container.games.read(game.id, None, at=int(step[2])).game
        assert len(after.stones_of(winner)) > 0
        assert after.turn != winner  # all of that turn is shown


def test_who_looks_on_sees_the_end_and_no_rematch(server: Server, game: Shown) -> None:
    play_to_the_end(server.container, game)
    page = server.app.test_client().get(f"/games/{game.id}").text
    assert "Took the lead for good on turn " in page
    assert "turning point" not in page.lower()
    assert "Rematch" not in page


def test_a_finished_game_has_a_picture_to_share_that_is_the_same_for_everybody(
    app: Flask, container: Container, game: Shown
) -> None:
    path = f"/games/{game.id}/end.png"
    ann, stranger = signed_in(app, game.ann), app.test_client()
    assert ann.get(path).status_code == 404
    play_to_the_end(container, game)
    answers = [who.get(path) for who in (ann, stranger)]
    assert [(each.status_code, each.mimetype) for each in answers] == [(200, "image/png")] * 2
    assert answers[0].data == answers[1].data
    assert answers[0].headers["Cache-Control"] == "no-store"
    page = app.test_client().get(f"/games/{game.id}").text
    assert f'<meta property="og:image" content="http://scottenbury.test{path}">' in page
    assert re.search(f'<a href="{path}" download', page)


@pytest.mark.parametrize("seat", ["north", "south"])
def test_the_picture_shows_the_side_of_whoever_played_a_bot_below(
    container: Container, app: Flask, monkeypatch: pytest.MonkeyPatch, seat: Seat
) -> None:
    drawn: list[tuple[str, ...]] = []

    def preview(
        words: Words,
        title: str,
        lines: tuple[str, ...],
        spots: tuple[moor.Spot, ...],
        marks: tuple[str, ...],
    ) -> bytes:
        drawn.append((*lines, *spots[2].below, *marks))
        return b""

    monkeypatch.setattr(moor, "preview", preview)
    ann = container.registrations.register("Ann").player.id
    made = container.games.create(ann, NewGame(bot="steward", seat=seat, first_player="creator"))
    card = made.game.hands[seat][0]
    container.games.play(made.id, ann, [f"{card}@3"])
    container.games.resign(made.id, ann)
    app.test_client().get(f"/games/{made.id}/end.png")
    marks = [drawing(face_of(player)) for player in (ann, BOTS["steward"].player)]
    assert drawn == [("Ann 0 : 0 Steward (bot)", card, *marks)]


def test_a_name_that_no_font_has_leaves_the_marks_of_the_players(server: Server) -> None:
    ann = server.container.registrations.register("太郎").player.id
    pictures = set()
    for figure in ("stag", "boat"):
        server.container.players.choose_face(ann, f"GR-{figure}")
        made = server.container.games.create(ann, NewGame(bot="steward", first_player="creator"))
        server.container.games.resign(made.id, ann)
        pictures.add(server.app.test_client().get(f"/games/{made.id}/end.png").data)
    assert len(pictures) == 2


def test_a_running_game_shows_its_board_to_chats_as_spectators_see_it(
    app: Flask, game: Shown
) -> None:
    page = app.test_client().get(f"/games/{game.id}").text
    (picture,) = re.findall(r'property="og:image" content="http://scottenbury.test([^"]+)"', page)
    answer = app.test_client().get(html.unescape(picture))
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert "at=" in picture
    assert "og:image" not in signed_in(app, game.ann).get(f"/games/{game.id}").text


def test_the_picture_of_a_private_game_is_for_its_players(app: Flask, container: Container) -> None:
    ann, bob = (browser_of(app, container, name) for name in ("Ann", "Bob"))
    made = container.games.create(ann.player, NewGame(private=True))
    invite = container.games.invitations.token(made.id)
    container.games.join(made.id, bob.player, invite=invite)
    container.games.resign(made.id, bob.player)
    path = f"/games/{made.id}/end.png"
    assert app.test_client().get(path).status_code == 404
    assert ann.client.get(path).status_code == 200


def test_three_adjacent_stones_and_five_in_all_are_both_named(server: Server) -> None:
    ann, bob = (browser_of(server.app, server.container, name) for name in ("Ann", "Bob"))
    people: dict[Seat, str] = {"north": ann.player, "south": bob.player}
    highest = [f"{clan}{value}" for clan in "ROYGB" for value in (7, 8, 9)]
    others = [f"{clan}{value}" for clan in "ROYGB" for value in (1, 3, 5)]
    hands = {"north": highest[:6], "south": others[:6]}
    deck = [card for pair in zip(highest[6:], others[6:], strict=True) for card in pair]
    game = arranged(server.container, people, hands, deck)
    for at, stone in enumerate((1, 2, 4, 5, 3)):
        for card in range(3):
            turn = f"{highest[3 * at + card]}@{stone}" + (f" !{stone}" if card == 2 else "")
            theirs = 3 * at + card
            reply = f"{others[theirs]}@{6 + theirs // 3 if theirs < 12 else 3}"
            played(server.container, game, people, turn, *([reply] if theirs < 14 else []))
    reason = "won with three adjacent Stones, and five in all"
    page = ann.get(f"/games/{game}")
    assert f"You {reason}" in page.partition('id="story"')[0]
    assert f"You {reason}" in page.partition('id="story"')[2]
    assert reason in bob.get(f"/games/{game}")
    assert f"You {reason}." in ann.get("/")
    assert f"Ann {reason}." in bob.get(f"/players/{ann.player}")
