"""Five lessons, each with one board and one idea: the reader plays until the Stone is claimed.

The turn is built in the URL, as in a game; nothing is sent or stored.
"""

from typing import Final, NamedTuple

from flask import abort, render_template, request

import engine
from service.core.words import N_
from service.games.turn_draft import draft_turn
from service.text.claim_words import claim_states
from service.web.blueprint import blueprint
from service.web.game.page import turn_of
from service.web.game.turn_choices import UnsentTurn
from service.web.language import reader_words
from service.web.reference.judge import YOU, SetStone, board_of, set_up


class Lesson(NamedTuple):
    """A board, the Stone to claim on it, the task, and the idea it teaches (`learned`). Title, task
    and idea are messages.

    `asked` is the play that the task names, in action text; `""` if the reader has to find it.
    """

    title: str
    task: str
    game: engine.Game
    stone: int
    learned: str
    asked: str = ""


LESSONS: Final = (
    Lesson(
        N_("A Stone"),
        N_(
            "Each side can hold three cards. The stronger three win the Stone. Your opponent has "
            "a run on Stone 5: 4, 5, 6 in any colours. Yours in one colour beats it. Press Red 9 "
            "in your hand, then your side of Stone 5, then Claim."
        ),
        set_up({5: SetStone("R7 R8", "Y4 O5 G6"), 2: SetStone("", "B1")}, "Y3 B2 R9"),
        5,
        N_(
            "You play one card a turn. In a game you then press Send, and draw another card. "
            "Whoever claims three Stones side by side, or any five, wins."
        ),
        asked="R9@5",
    ),
    Lesson(
        N_("Formations"),
        N_(
            "From the strongest: three in a row of one colour, three alike, three of one colour, "
            "three in a row, anything else. Your opponent has three 8s on Stone 4. Which of your "
            "cards beats them?"
        ),
        set_up({4: SetStone("G7 G5", "R8 O8 P8"), 6: SetStone("B2", "Y2")}, "G9 Y6 G6 B7"),
        4,
        N_(
            "A colour run beats three alike, though its sum is lower. Sums decide only between "
            "two formations of one kind; between equal sums, the side that was complete first "
            "wins."
        ),
    ),
    Lesson(
        N_("Claiming by proof"),
        N_(
            "At Stone 3 your opponent lacks a card. Only Green 7 would beat you there, and it "
            "lies on Stone 7 for all to see. So you need not wait: play any card, then claim "
            "Stone 3."
        ),
        set_up({3: SetStone("R4 R5 R6", "G8 G9"), 7: SetStone("P2 Y1", "G7 B3")}, "O1 Y6 B9"),
        3,
        N_("A Stone can be claimed as soon as no card that may still come could beat you there."),
    ),
    Lesson(
        N_("An unfinished claim"),
        N_(
            "The same Stone 3, but nobody sees Green 7: you hold it. Cards in hands prove "
            "nothing. Make the claim provable, then claim."
        ),
        set_up({3: SetStone("R4 R5 R6", "G8 G9"), 7: SetStone("P2 Y1", "B3")}, "O1 Y6 G7"),
        3,
        N_(
            "Only cards that lie face-up count. A card that your opponent waits for can serve "
            "you best on another Stone."
        ),
    ),
    Lesson(
        N_("A Tactic card"),
        N_(
            "Some games have a second deck. A Joker counts as any Clan card, chosen when the "
            "Stone is claimed. You need Blue 8 on Stone 6, and it lies on Stone 2. Claim Stone "
            "6."
        ),
        set_up(
            {6: SetStone("B7 B9", "R9 G9 O9"), 2: SetStone("Y2", "B8")}, "R1 P2 JOK", tactics=True
        ),
        6,
        N_(
            "The Joker became Blue 8, although that card lies elsewhere. Nine more Tactic cards "
            "bend the rules; each says in a game what it does."
        ),
    ),
)


@blueprint.get("/learn/<int:number>")
def lesson(number: int) -> str:
    """Show a lesson, with the unsent turn in the URL."""
    if not 1 <= number <= len(LESSONS):
        abort(404)
    shown = LESSONS[number - 1]
    unsent = UnsentTurn(request.args.getlist("turn"), request.args.get("chosen", ""))
    draft = draft_turn(shown.game, YOU, unsent.actions)
    is_done = draft.game.stone(shown.stone).owner == YOU
    # The reasons are those of the board before the claim, which closes the Stone.
    before = draft_turn(shown.game, YOU, draft.actions[:-1]).game if is_done else draft.game
    words = reader_words()
    turn = turn_of(words, draft, engine.view(draft.game, YOU), unsent)
    return render_template(
        "lesson.html",
        number=number,
        last=len(LESSONS),
        lesson=shown,
        turn=turn,
        is_done=is_done,
        claim_state=claim_states(words, before, YOU)[shown.stone],
        waiting=0,  # how many games wait is for other pages: this one takes no store
        **board_of(
            words, draft.game, turn, claim_states(words, draft.game, YOU), asked=shown.stone
        ),
    )
