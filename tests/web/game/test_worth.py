"""What the turns of a finished game were worth, on its page."""

import html
import re
from itertools import combinations
from math import dist
from statistics import fmean

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.bots.analysis import Estimate, WeighedTurn
from service.container import Container
from service.core.words import ENGLISH
from service.games.analysis import Balance, KeyMoment, key_moments, turning_point
from service.web.game.chances import chart_of
from service.web.game.worth import players_worth, turn_numbers
from tests.support.application import Server
from tests.support.weighing import weigh_turns
from tests.web.people import send
from tests.web.shown import Shown, begin, play_on, signed_in

BUTTON = "How good were the moves?</button>"


@pytest.fixture
def over(container: Container, game: Shown) -> Shown:
    """A game that Bob has resigned after ten turns."""
    play_on(container, game)
    container.games.resign(game.id, game.bob)
    return game


def panel(client: FlaskClient, game: Shown) -> str:
    """The panel, as text in one line."""
    page = client.get(f"/games/{game.id}").text
    (found,) = re.findall(r'<section class="worth".*?</section>', page, re.S)
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", found)).split())


def test_a_running_game_has_neither_button_nor_panel(server: Server, game: Shown) -> None:
    play_on(server.container, game, 2)
    path = f"/games/{game.id}"
    for player in (game.ann, game.bob):
        reader = signed_in(server.app, player)
        for page in (path, f"{path}?at=4"):
            assert "worth" not in reader.get(page).text
        assert send(reader, path, f"{path}/analysis").status_code == 409
    assert "worth" not in server.app.test_client().get(f"/games/{game.id}").text


def test_a_match_between_two_rounds_has_none_either(app: Flask, container: Container) -> None:
    match = begin(container, ann="Ada", rounds=2)
    play_on(container, match, 2)
    container.games.resign(match.id, match.bob)
    assert container.games.load(match.id).game.round == 2
    assert "worth" not in signed_in(app, match.ann).get(f"/games/{match.id}").text


def test_turns_are_numbered_in_their_round_as_the_replay_counts_them() -> None:
    turns = [
        WeighedTurn(seq, played, "north", "R4@1", Estimate(0.5, 0), (), None, None, None, None, ())
        for seq, played in ((4, 1), (7, 1), (12, 2))
    ]
    assert turn_numbers(ENGLISH, turns) == {4: "1", 7: "2", 12: "1 (round 2)"}
    assert [tick.number for tick in chart_of(turns, [], "south").ticks] == [1, 2, 1]


def test_no_mark_of_the_chart_covers_another() -> None:
    turns = [
        WeighedTurn(seq, 1, "north", "R4@1", Estimate(chance, 0), (), None, None, None, None, ())
        for seq, chance in enumerate((0.5, 0.52, 0.55, *[0.1] * 30, 0.98, 0.99))
    ]
    most = [KeyMoment("play", turns[at], Estimate(0.1, 0)) for at in (0, 1, 2, 2, 33, 34, 20)]
    marks = chart_of(turns, most, "south").marks
    assert [mark.number for mark in marks] == [1, 2, 3, 4, 5, 6, 7]
    assert (marks[0].lift, marks[6].lift) == (0, 0)
    spots = [(mark.x * 2.7, mark.y * 1.7 + mark.lift) for mark in marks]  # on a phone
    assert min(y for _, y in spots) >= 0
    assert min(dist(one, other) for one, other in combinations(spots, 2)) >= 20


def test_a_finished_game_is_weighed_at_the_press_of_a_button(server: Server, over: Shown) -> None:
    ann, path = signed_in(server.app, over.ann), f"/games/{over.id}"
    assert BUTTON in ann.get(path).text
    pressed = send(ann, path, f"{path}/analysis")
    assert (pressed.status_code, pressed.headers["Location"]) == (303, f"{path}#worth")
    assert "Waiting in line" in panel(ann, over)
    assert "A game usually takes less than a minute." in panel(ann, over)
    assert "before it" not in panel(ann, over)
    weigh_turns(server.container, over.id, upto=4)
    assert "4 of 10 turns weighed" in panel(ann, over)
    assert re.search(rf'href="{path}\?look=\d+#worth">Look again</a>', ann.get(path).text)
    weigh_turns(server.container, over.id)
    listed = re.findall(r'<ol class="telling-turns">(.*?)</ol>', ann.get(path).text)
    marks = re.findall(r'<b class="mattered"[^>]*>(\d)<', ann.get(path).text)
    assert sorted(marks) == [str(each + 1) for each in range(listed[0].count("<li>"))] != []
    assert BUTTON not in ann.get(path).text


def test_a_game_that_waits_says_how_many_are_before_it(server: Server, over: Shown) -> None:
    for notice in ("1", "2"):
        server.container.games.analyses.line.enter(notice)
    ann, path = signed_in(server.app, over.ann), f"/games/{over.id}"
    send(ann, path, f"{path}/analysis")
    assert "Waiting in line: 2 games before it" in panel(ann, over)


def test_the_table_adds_up_and_names_cards_and_turns_as_the_chart_does(
    app: Flask, container: Container, over: Shown
) -> None:
    weigh_turns(container, over.id)
    page = signed_in(app, over.ann).get(f"/games/{over.id}").text.replace("\N{MINUS SIGN}", "-")
    table = page.partition("Every turn</summary>")[2].partition("</table>")[0]
    for which in ("of-below", "of-above"):
        rows = [row for row in table.split("<tr")[1:] if which in row]
        losses = [float(each) for row in rows for each in re.findall(r"<td>(-?\d+\.\d+) %,", row)]
        assert len(losses) == len(rows) == 5
        (tile,) = re.findall(rf'<div class="{which}">.*?<b>(-?[\d.]+) %</b> a turn', page, re.S)
        assert float(tile) == pytest.approx(fmean(losses), abs=0.1)
    turns = container.games.analyses.of(container.games.load(over.id)).turns
    assert table.count(", as good<") == sum(turn.played in turn.best for turn in turns) > 0
    assert " to <span" in table
    assert "±" not in table

    page = signed_in(app, over.ann).get(f"/games/{over.id}").text
    table = page.partition("Every turn</summary>")[2].partition("</table>")[0]
    links = re.findall(r"at=(\d+)\">(\d+)<", table)
    ends = [turn.drawn_at + 1 for turn in turns if turn.drawn_at is not None]
    assert links == [(str(end), str(at)) for at, end in enumerate(ends, 1)]
    assert table.count('<span class="chip') >= 10
    assert not re.search(r">[ROYGBP][1-9]\b", table)

    page = signed_in(app, over.ann).get(f"/games/{over.id}").text
    assert re.findall(r'<text class="share"[^>]*>([^<]+)<', page) == ["100 %", "50 %", "0 %"]
    assert re.findall(r'<text class="tick"[^>]*>(\d+)<', page) == ["2", "4", "6", "8", "10"]


def test_the_turning_point_is_the_largest_fall_on_the_chart(
    app: Flask, container: Container, over: Shown
) -> None:
    assert "turning point" not in signed_in(app, over.ann).get(f"/games/{over.id}").text
    weigh_turns(container, over.id)
    found = turning_point(container.games.analyses.of(container.games.load(over.id)).turns)
    assert found is not None
    whose = "your" if found.after.seat == "north" else "Bob’s"
    shares = [round(100 * turn.chance.value) for turn in (found.before, found.after)]
    words = f"{whose} chance to win fell from {shares[0]} % to {shares[1]} % (± 11)"
    assert f"The turning point of the chances: {words}" in panel(signed_in(app, over.ann), over)


def test_whoever_looks_on_sees_it_and_has_no_button(
    client: FlaskClient, container: Container, over: Shown
) -> None:
    page = client.get(f"/games/{over.id}").text
    assert BUTTON not in page
    assert 'id="worth"' not in page
    weigh_turns(container, over.id)
    assert "as Ann could judge it" in panel(client, over)


def test_it_names_the_turns_that_mattered_and_says_what_it_is_not(
    app: Flask, container: Container, over: Shown
) -> None:
    weigh_turns(container, over.id)
    text = panel(signed_in(app, over.ann), over)
    most = key_moments(container.games.analyses.of(container.games.load(over.id)).turns)
    assert most
    for each in most:
        who = "You" if each.turn.seat == "north" else "Bob"
        did = "drew" if each.what == "draw" else "played"
        assert f"{who} {did}" in text
    assert text.index("They do not add up to the result") < text.index("What mattered most")
    assert "They do not measure skill" in text
    assert "fewer than ten say little" in text
    assert re.search(r"\(±\s\d+\) by draws: (un)?(lucky|neither lucky nor unlucky)", text)
    assert re.search(r"Average mistake: [0-9.]+ % a turn \(±\s[0-9.]+\)", text)


def test_what_says_how_sure_it_is_stands_with_what_explains_it(
    app: Flask, container: Container, over: Shown
) -> None:
    weigh_turns(container, over.id)
    page = signed_in(app, over.ann).get(f"/games/{over.id}").text
    summary, _, figures = page.partition('class="details figures"')
    summary = summary.partition('class="balances"')[2].partition("<table")[0]
    assert summary.count("±") == summary.count('<span class="margin">(±') > 0
    assert "The turning point of the chances" not in summary
    assert "The turning point of the chances" in figures


def test_a_step_tells_what_its_turn_was_worth(server: Server, over: Shown) -> None:
    weigh_turns(server.container, over.id)
    turn = server.container.games.analyses.of(server.container.games.load(over.id)).turns[3]
    page = signed_in(server.app, over.ann).get(f"/games/{over.id}?at={turn.seq + 2}").text
    words = " ".join(re.sub("<[^>]+>", "", page.split('class="worth-here">')[1][:600]).split())
    assert words.startswith(f"Bob: {round(100 * turn.chance.value)} % (± 8) to win after")
    assert "worth-here" not in signed_in(server.app, over.ann).get(f"/games/{over.id}?at=2").text


def test_a_step_forward_from_a_turn_that_mattered_shows_the_next_turn(
    server: Server, over: Shown
) -> None:
    weigh_turns(server.container, over.id)
    reader = signed_in(server.app, over.ann)
    mattered = re.findall(r"at=(\d+)\">turn (\d+)<", reader.get(f"/games/{over.id}").text)
    for at, turn in mattered:
        page = reader.get(f"/games/{over.id}?at={at}").text
        assert f"After turn {turn} of 10" in page
        (forward,) = re.findall(r'data-step="forward" href="[^"]*at=(\d+)', page)
        after = reader.get(f"/games/{over.id}?at={forward}").text
        assert turn == "10" or f"After turn {turn} of 10" not in after
    assert mattered


def test_a_step_whose_turn_is_not_weighed_yet_tells_no_other_s_worth(
    server: Server, over: Shown
) -> None:
    weigh_turns(server.container, over.id, upto=4)
    stored = server.container.games.load(over.id)
    later = [*server.container.games.analyses.turns(stored)][4:]
    reader = signed_in(server.app, over.ann)
    for turn in later:
        assert "worth-here" not in reader.get(f"/games/{over.id}?at={turn.drawn_at}").text


def test_the_line_of_the_reader_is_drawn_upwards(server: Server, over: Shown) -> None:
    weigh_turns(server.container, over.id)
    for player, name, other in ((over.ann, "Ann", "Bob"), (over.bob, "Bob", "Ann")):
        page = signed_in(server.app, player).get(f"/games/{over.id}").text
        assert re.findall(r"Chance that (\w+) wins<", page) == [name]
        assert f"as {other} could judge it" in page
        first = re.findall(r'<polyline class="of-below" points="([\d.]+),([\d.]+)', page)[0]
        turns = server.container.games.analyses.of(server.container.games.load(over.id)).turns
        mine = next(turn for turn in turns if (turn.seat == "north") == (player == over.ann))
        assert float(first[1]) == pytest.approx(100 * (1 - mine.chance.value), abs=0.06)


def test_an_uncertain_sum_is_called_neither_lucky_nor_unlucky() -> None:
    sums = {0.3: "lucky", -0.3: "unlucky", 0.1: "neither lucky nor unlucky"}
    for luck, words in sums.items():
        tile = players_worth(ENGLISH, "north", Balance(1, None, 9, Estimate(luck, 0.08)))
        assert tile.luck_words == f"(±\N{NO-BREAK SPACE}16) by draws: {words}"


def test_a_game_without_a_card_played_is_not_offered_to_be_weighed(
    app: Flask, container: Container, game: Shown
) -> None:
    container.games.resign(game.id, game.bob)
    assert 'id="worth-title"' not in signed_in(app, game.ann).get(f"/games/{game.id}").text
