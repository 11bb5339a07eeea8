"""One friendly remark does not stop a turn that is clear, and what is unclear is asked about."""

import pytest

from letters.commands import WholeTurn
from letters.letter import OpenQuestion
from tests.letters.reading import letter


@pytest.mark.parametrize(
    ("said", "turn"),
    [
        ("I'll put my red 9 on the third stone please. Nice start!", "R9@3"),
        ("Nice start! Red 9 at 3", "R9@3"),
        ("Ich lege die gelbe 9 an den dritten Stein. Guter Anfang!", "Y9@3"),
        ("Je mets le rouge 9 sur la troisième borne. Beau début !", "R9@3"),
        ("Yellow 9 on the middle stone, and good luck!", "Y9@5"),
        ("Gelbe 9 an den mittleren Stein, und viel Glück!", "Y9@5"),
        ("Jaune 9 sur la borne du milieu, et bonne chance !", "Y9@5"),
        ("Red 9 on the middle one", "R9@5"),
        ("Purple four to the middle one, thanks and good luck to you too!", "P4@5"),
        ("P4 to 5, dir auch viel Glück!", "P4@5"),
        ("P4 en 5, bonne chance à toi aussi !", "P4@5"),
        ("Oh no, sorry! P4 on stone six.", "P4@6"),
        ("Oh nein! Lila 4 an Stein 6", "P4@6"),
        ("Nice one, you got me there! Red seven on three.", "R7@3"),
        ("Rote sieben an den dritten Stein, schönen Sonntag noch!", "R7@3"),
        ("Puh, schwierig. Ich lege die rote 7 zu Stein 3 :-)", "R7@3"),
        ("Wow, tough! Ok: yellow 8, seventh stone.", "Y8@7"),
        ("Hi Ben! nice start :) I put my red 5 on stone 3 then.", "R5@3"),
        ("Hallo Ben! Guter Anfang :) Ich lege die rote 5 an Stein 3 dann.", "R5@3"),
        ("Salut Ben ! Beau début :) Je mets le rouge 5 sur la borne 3 puis.", "R5@3"),
        ("Oh I see. Then I'd like to claim the third stone", "!3"),
        ("I claim the middle stone", "!5"),
        ("I claim the fourth stone", "!4"),
        ("ich leg die 4 in grün an die 1", "G4@1"),
        ("Je pose le 4 en vert sur la borne 1", "G4@1"),
        ("Ich lege dann die rote 5 an Stein 3", "R5@3"),
        ("Hallo Ben, ich lege dann die rote 5 an Stein 3", "R5@3"),
        ("Rote 5 an Stein 3 dann", "R5@3"),
        ("Je pose alors le rouge 5 sur la borne 3", "R5@3"),
        ("Je pose le rouge 5 sur la borne 3 alors.", "R5@3"),
        ("The weather is terrible here today.\n\nRed 3 to stone 4, please.", "R3@4"),
        ("It's been raining all day long and the roof leaks.\n\nRed 3 to stone 4", "R3@4"),
        ("Das Wetter ist schrecklich hier.\n\nRote 3 an Stein 4, bitte.", "R3@4"),
        ("Il pleut sans arrêt ici.\n\nRouge 3 sur la borne 4", "R3@4"),
        ("red four on stone 5 please.\nThanks and greetings from rainy Hamburg", "R4@5"),
        ("Rote 4 an Stein 5\nDanke und Grüße aus dem verregneten Hamburg", "R4@5"),
        ("Rouge 4 sur la borne 5.\nMerci et bonjour de Nantes sous la pluie", "R4@5"),
        ("how exciting, thanks for setting this up. I'll start with my red 7 on stone 5", "R7@5"),
        ("Wie aufregend, danke fürs Einrichten. Ich beginne mit der roten 7 an Stein 5", "R7@5"),
        ("Comme c'est excitant, merci d'avoir organisé ça. Je commence par R7 en 5", "R7@5"),
        ("Oops. Then yellow 1 onto stone 4, cheers!", "Y1@4"),
        ("Ups. Dann gelbe 1 an Stein 4, danke!", "Y1@4"),
        ("Oups. Alors le jaune 1 sur la borne 4, merci !", "Y1@4"),
        ("Haha! R4 at 5", "R4@5"),
        ("How exciting! R4 at 5", "R4@5"),
        ("Wow, great move! R4 at 5", "R4@5"),
        ("R4 at 5, have a great evening everyone", "R4@5"),
        ("R4 at 5. My sister is coming over for dinner tonight.", "R4@5"),
        ("R4 at 5. I just got back from a long walk with the dog.", "R4@5"),
        ("R4 at 5\nMy back hurts from gardening.", "R4@5"),
        ("We finally went to the cinema yesterday. R4 at 5", "R4@5"),
        ("Meine Schwester ist zu Besuch. R4 an 5", "R4@5"),
        ("Ma sœur est en visite. R4 en 5", "R4@5"),
    ],
)
def test_a_turn_beside_a_friendly_remark_takes_one_mail(said: str, turn: str) -> None:
    assert letter(said).answer == WholeTurn((turn,))


@pytest.mark.parametrize(
    "said",
    [
        "Red 9 on the third stone from the left",
        "R4 at 5\nOops.",
        "Oops. Then not yellow 1 onto stone 4",
        "Oops. I start with red 7 on stone 5, no wait",
        "Oops, red 4 at 5 was wrong",
        "How exciting, but R4 at 5",
        "How exciting if R4 at 5",
        "My sister is coming over for dinner, so tomorrow R4 at 5",
        "My sister says R4 at 5",
        "My sister says hello, R4 at 5",
        "Greetings from Hamburg, where Carol played R4 at 5",
        "Do I start with R4 at 5?",
        "You start with R4 at 5",
        "Red 9 on the third stone from the right",
        "Red 9 on the third stone of yours",
        "Red 9 on the middle one of the left three",
        "Red 9 to you too on the middle one",
        "Oh no, sorry, not P4 on stone six.",
        "Oh no, sorry! Not P4 on stone six.",
        "Oh no, sorry! P4 on stone six, no wait",
        "Oh no, sorry, P4 on stone six was wrong",
        "Red 9 on the middle stone of the left three",
        "Red 9 on the middle stone 4",
        "Red 9 on the middle stone or on the third",
        "Nice start! but red 9 on the third stone",
        "Nice start, red 9 on the third stone",
        "I see, red 9 at 3",
        "I see red 9 on the middle stone",
        "I see. You put red 9 on the middle stone",
        "Talk tomorrow. I see. Then red 9 at 3",
        "See you tomorrow! Red 9 at 3 then",
        "Hi Ben! Talk tomorrow. Red 9 at 3 then",
        "Bis morgen! Rote 9 an Stein 3 dann",
        "Wir reden morgen. Ich lege dann die rote 9 an Stein 3",
        "Wenn es regnet, lege ich dann die rote 9 an Stein 3",
        "À demain ! Rouge 9 sur la borne 3 alors",
        "If it rains, red 3 to stone 4",
        "It's raining, so not red 3 to stone 4",
        "If the weather is awful, I stay.\n\nRed 3 to stone 4",
        "The weather is awful for it.\n\nRed 3 to stone 4",
        "I'd like to claim the third stone if I can",
        "Would I like to claim the third stone?",
        "You put yellow 9 on the middle stone",
        "> Yellow 9 on the middle stone, and good luck!",
        "“You said: yellow 9 on the middle stone”, and good luck!",
    ],
)
def test_what_may_mean_something_else_is_not_played(said: str) -> None:
    assert not isinstance(letter(said).answer, WholeTurn)


@pytest.mark.parametrize(
    "said", ["Red 9 on the third stone from the right", "Red 9 on the third stone of yours"]
)
def test_a_stone_that_is_counted_otherwise_is_not_proposed(said: str) -> None:
    assert letter(said).question is None


@pytest.mark.parametrize(
    "said",
    [
        "I think I'd like to put my yellow 7 next to the fourth stone please.",
        "Yellow 7 beside the fourth stone",
        "Ich würde die gelbe 7 gern neben den vierten Stein legen",
        "Je mets le 7 jaune à côté de la quatrième borne",
    ],
)
@pytest.mark.parametrize("message", ["", "Hello Ben"])
def test_a_card_beside_a_stone_is_asked_about_with_the_message(said: str, message: str) -> None:
    question = letter(f"{said}\n\nsay: {message}" if message else said).question
    assert isinstance(question, OpenQuestion)
    assert question == OpenQuestion(WholeTurn(("Y7@4",), message))


@pytest.mark.parametrize(
    "said",
    [
        "Could you put my red 7 on the third stone? Thanks!",
        "Kannst du die rote 7 auf Stein 3 legen?",
    ],
)
def test_a_request_that_is_not_clear_is_asked_about(said: str) -> None:
    assert letter(said).question == OpenQuestion(WholeTurn(("R7@3",)))


@pytest.mark.parametrize(
    "said",
    [
        *("thanks Ben, see you tomorrow", "thanks Ben, see you tomorow", "see you tomorrow"),
        *("danke Ben, bis morgen", "merci Ben, à demain"),
    ],
)
def test_a_courtesy_below_a_message_holds_no_turn_up(said: str) -> None:
    answer = letter(f"Red 9 at 3\nsay: Good move\n{said}").answer
    assert isinstance(answer, WholeTurn)
    assert answer.actions == ("R9@3",)


@pytest.mark.parametrize("said", ["tomorrow", "no", "I'll play tomorrow", "bis morgen warten"])
def test_words_that_put_off_below_a_message_do(said: str) -> None:
    assert not isinstance(letter(f"Red 9 at 3\nsay: Good move\n{said}").answer, WholeTurn)
