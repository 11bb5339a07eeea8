"""More time by mail: who can give it, how, and what the receipt says; and turns out of turn."""

import pytest

from service.mail.mailbox import Mailbox
from tests.workers.mail.correspondence import Correspondent, Pair, held, run
from tests.workers.match import Match

HOW = "Only the other player can give you time, and you them: with “give 2 days”"


@pytest.fixture
def writer(timed: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(timed.context, mailbox, "bob@example.org")


@pytest.mark.parametrize(
    "said",
    [
        "I need more time, please",
        "could you give me two more days?",
        "give Ann more time",
        "Ich brauche mehr Zeit",
        "J'ai besoin de plus de temps",
    ],
)
def test_who_asks_for_time_is_told_who_can_give_it(
    timed: Match, writer: Correspondent, said: str
) -> None:
    version = timed.now().version
    answer = writer.answer(said)
    assert HOW in answer
    assert "“offer a pause until" in answer
    assert timed.now().version == version


@pytest.mark.parametrize("said", ["give Ann 2 more days, she is busy", "give 2 days"])
def test_the_receipt_of_given_time_tells_of_nothing_else(
    timed: Match, writer: Correspondent, said: str
) -> None:
    answer = writer.answer(said)
    assert [line["type"] for line in timed.lines()][-1] == "time_given"
    assert "You gave the other player 2 days" in answer
    assert "You joined" not in answer
    assert "You created" not in answer


@pytest.mark.parametrize(
    "said",
    ["give Ann 2 days if she is busy", "give Ann 2 days, she is a cheat", "Bob, give 2 days"],
)
def test_time_is_not_given_on_a_condition(timed: Match, writer: Correspondent, said: str) -> None:
    version = timed.now().version
    writer.answer(said)
    assert timed.now().version == version


@pytest.mark.parametrize("said", ["plan O6 at 7", "whatever comes next"])
def test_out_of_turn_nothing_speaks_of_words_below_a_turn(pair: Pair, said: str) -> None:
    pair.bob.answer(held(pair.match)[0])
    answer = pair.bob.answer(said)
    assert "below the turn" not in answer


def test_a_turn_out_of_turn_is_told_that_it_can_be_planned(pair: Pair) -> None:
    pair.bob.answer(held(pair.match)[0])
    answer = pair.bob.answer("plan O6 at 7")
    assert "It is Ann’s turn. You can plan yours ahead on the game’s page" in answer
    assert f"/games/{pair.match.id}" in answer


def test_giving_up_is_asked_about_without_a_contradiction(pair: Pair) -> None:
    answer = pair.bob.answer("I give up, you win.")
    assert "To confirm, answer “yes”." in answer
    assert "Not passed on" not in answer
    pair.bob.answer("yes")
    assert pair.match.now().game.over


def test_another_one_is_a_rematch(pair: Pair) -> None:
    pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
    run(pair.match.context)
    assert "Ann is asked for a rematch." in pair.bob.answer("Let's have another one!")


@pytest.mark.parametrize(
    "said",
    [
        "Let's not have another one",
        "Let's have another one if you like",
        "Let's have another one tomorrow",
        "Shall we not have another one?",
    ],
)
def test_another_one_that_is_not_meant_now_is_no_rematch(pair: Pair, said: str) -> None:
    pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
    run(pair.match.context)
    assert "is asked for a rematch" not in pair.bob.answer(said)


@pytest.mark.parametrize(
    "said",
    [
        "I give Ann three more days",
        "I’ll give Ann three more days to move.",
        "I give you three more days, no hurry",
        "Hi Ann, I would like to give you 3 days",
    ],
)
def test_time_is_given_in_a_whole_sentence(timed: Match, writer: Correspondent, said: str) -> None:
    answer = writer.answer(said)
    assert [line["type"] for line in timed.lines()][-1] == "time_given"
    assert "You gave the other player 3 days" in answer


@pytest.mark.parametrize(
    "said",
    [
        "give Bob three more days",
        "Ann, give Bob 2 days",
        "please give me 2 days",
        "I give you three more days if you resign",
        "I would give you 2 days",
    ],
)
def test_time_is_not_given_to_its_writer_nor_on_a_condition(
    timed: Match, writer: Correspondent, said: str
) -> None:
    version = timed.now().version
    writer.answer(said)
    assert timed.now().version == version


@pytest.mark.parametrize(
    "said",
    [
        "How much time do I have left?",
        "Wie viel Zeit habe ich noch?",
        "combien de temps me reste-t-il ?",
    ],
)
def test_who_asks_for_the_time_left_is_told(timed: Match, writer: Correspondent, said: str) -> None:
    version = timed.now().version
    assert "Your turn · 2 days left · until" in writer.answer(said)
    assert timed.now().version == version


@pytest.mark.parametrize("said", ["Can you stop the reminders?", "No more reminders, please"])
def test_who_wants_no_reminders_is_told_how(timed: Match, writer: Correspondent, said: str) -> None:
    assert "“mails” shows which mails you get" in writer.answer(said)


@pytest.mark.parametrize(
    "said",
    [
        "I would like to stop playing",
        "I’d like to stop playing. Sorry!",
        "Ich möchte aufhören",
        "je voudrais arrêter de jouer",
    ],
)
def test_who_wants_to_stop_playing_is_asked_whether_they_resign(
    timed: Match, writer: Correspondent, said: str
) -> None:
    version = timed.now().version
    assert "Please confirm." in writer.answer(said)
    assert timed.now().version == version
    writer.answer("Yep, exactly that")
    assert timed.now().game.over


@pytest.mark.parametrize(
    "said",
    [
        "I want to stop playing unless you mind",
        "I would like to stop playing tonight",
        "I have to stop playing now",
        "When would you like to stop playing?",
    ],
)
def test_who_only_stops_for_now_is_not_asked(
    timed: Match, writer: Correspondent, said: str
) -> None:
    assert "Please confirm." not in writer.answer(said)


@pytest.mark.parametrize(
    "said", ["Well done! {}", "Hi Ann, nice to play you! {}", "Well done!\n\nNice to play you.\n{}"]
)
def test_friendly_words_stand_beside_a_turn(timed: Match, writer: Correspondent, said: str) -> None:
    version = timed.now().version
    card, _, stone = held(timed)[0].partition("@")
    writer.answer(said.format(f"play {card} at {stone}"))
    assert timed.now().version > version


@pytest.mark.parametrize(
    "said",
    [
        "Well done! I resign. {}",
        "Nice to play you, but I resign. {}",
        "Well done, {}",
        "Well done? {}",
        "Nice to play you. Not {}",
    ],
)
def test_friendly_words_hide_no_others(timed: Match, writer: Correspondent, said: str) -> None:
    version = timed.now().version
    card, _, stone = held(timed)[0].partition("@")
    writer.answer(said.format(f"play {card} at {stone}"))
    assert timed.now().version == version
    assert not timed.now().game.over
