"""Links that open an answer with claims and draws filled in, in a game with Tactic cards."""

from tests.mail.position import Positions
from tests.workers.mail.correspondence import Correspondent, flat, held, links, run, send, text_of
from tests.workers.match import Match


def test_a_claim_that_stands_is_filled_in_below_the_card(positions: Positions) -> None:
    position = positions.put()  # Bob's side of Stone 2 waits for the G9 that he holds
    context, players = position.context, position.players
    games = context.container.games
    match = Match(context, position.before.id, players["north"], players["south"])
    games.play(match.id, match.bob, ["G9@2", "+C"])
    match.play(next(action for action in held(match) if action[2:] == "@1"))
    while match.now().player_to_move() == match.ann:
        match.play(held(match)[0])
    run(context)
    bob = Correspondent(context, context.container.mailbox, "bob@example.org")
    found = links(bob.latest)
    card = next(said for said in found if len(said) == 2)
    assert found[card][1] == f"play {card} at \r\nclaim 2"
    send(match, bob.email, found[card][0], found[card][1].replace("at ", "at 8"))
    assert match.now().game.stone(2).owner == "south"


def test_once_the_card_is_played_claims_and_decks_are_whole_answers(positions: Positions) -> None:
    position = positions.put()
    context, players = position.context, position.players
    match = Match(context, position.before.id, players["north"], players["south"])
    bob = Correspondent(context, context.container.mailbox, "bob@example.org")
    bob.answer("play G9 at 2")
    text = flat(text_of(bob.latest))
    assert "You could also claim: Stone 2." in text
    assert "Answer with “claim 2”; “draw clan” alone ends your turn without a claim." in text
    found = {said: text for said, (_, text) in links(bob.latest).items()}
    assert found == {
        "Claim Stone 2 by mail": "claim 2",
        "Draw a Clan card, without a claim": "draw clan",
        "Draw a Tactic card, without a claim": "draw tactic",
    }
    send(match, bob.email, links(bob.latest)["Draw a Clan card, without a claim"][0], "draw clan")
    assert match.now().player_to_move() == match.ann
