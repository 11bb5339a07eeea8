"""What an answer says of a game that is over: its result and what can still be said, no board."""

import pytest

from engine import Seat
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.games import arranged, played
from tests.workers.mail.correspondence import Correspondent, Pair, flat, held, run, text_of
from tests.workers.match import Match
from workers.context import WorkerContext


@pytest.fixture
def over(pair: Pair) -> Pair:
    pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
    run(pair.match.context)
    return pair


@pytest.mark.parametrize("said", ["R7@3", "that was fun", "can we do another?", "play a card"])
def test_a_refusal_shows_the_result_and_no_board(over: Pair, said: str) -> None:
    text = over.bob.answer(said)
    assert "Ann resigned" in text
    assert "Answer with “rematch” to play again" in text
    assert "Your hand" not in text
    assert "such as “play" not in text
    assert "A turn: " not in text
    assert "below the turn" not in text


def test_the_board_is_sent_if_it_is_asked_for(over: Pair) -> None:
    assert "Your hand" in over.bob.answer("show")


def test_words_that_are_no_command_can_be_passed_on(over: Pair) -> None:
    text = over.bob.answer("that was fun")
    assert "If these words are for the other player, write “say:” before each line." in text
    assert text.lower().count("nothing was played") == 1


def test_a_message_is_confirmed_by_the_way_to_its_game(over: Pair) -> None:
    assert over.bob.answer("say: thanks").endswith(f"/games/{over.match.id}")


def test_that_it_is_your_turn_is_said_once(
    context: WorkerContext, match: Match, mailbox: Mailbox, bob: Correspondent
) -> None:
    challenges = context.container.games.challenges
    challenges.make(match.ann, match.bob, NewGame(first_player="opponent"))
    run(context)
    text = bob.answer("accept")
    assert text.startswith("You are in the game. It is your turn.")
    assert "Your turn" not in text


def test_a_line_about_a_turn_is_answered_with_the_example_of_the_hand_alone(pair: Pair) -> None:
    text = pair.bob.answer("play something")
    card = held(pair.match)[0].partition("@")[0]
    assert text.count("“play ") == 2  # with the line as it was written
    assert f"such as “play {card} at" in flat(text)


@pytest.mark.parametrize("word", ["accept", "I accept!", "I’d love to play. See you in a bit!"])
def test_whoever_answers_an_invitation_may_greet_the_host(
    context: WorkerContext, match: Match, mailbox: Mailbox, word: str
) -> None:
    cy = Correspondent(context, mailbox, "cy@example.org")
    context.container.games.create(match.ann, NewGame(opponent_email="cy@example.org"))
    run(context)
    said = cy.answer(f"Hi Ann,\n\n{word}\n\nBest wishes\nCy")
    assert said.startswith("You are in the game.")
    bob = Correspondent(context, mailbox, "bob@example.org")
    context.container.games.challenges.make(match.ann, match.bob, NewGame())
    run(context)
    assert bob.answer(f"Hi Ann,\n\n{word}\n\nBob").startswith("You are in the game.")


def test_three_adjacent_stones_and_five_in_all_are_both_told(pair: Pair) -> None:
    container = pair.match.context.container
    people: dict[Seat, str] = {"north": pair.match.ann, "south": pair.match.bob}
    highest = [f"{clan}{value}" for clan in "ROYGB" for value in (7, 8, 9)]
    others = [f"{clan}{value}" for clan in "ROYGB" for value in (1, 3, 5)]
    hands = {"north": highest[:6], "south": others[:6]}
    deck = [card for both in zip(highest[6:], others[6:], strict=True) for card in both]
    game = arranged(container, people, hands, deck)
    for at, stone in enumerate((1, 2, 4, 5, 3)):
        for card in range(3):
            turn = f"{highest[3 * at + card]}@{stone}" + (f" !{stone}" if card == 2 else "")
            theirs = 3 * at + card
            reply = f"{others[theirs]}@{6 + theirs // 3 if theirs < 12 else 3}"
            played(container, game, people, turn, *([reply] if theirs < 14 else []))
    run(pair.match.context)
    reason = "won with three adjacent Stones, and five in all."
    assert any(f"Ann {reason}" in flat(text_of(mail)) for mail in pair.bob.mails())
