"""A letter with a play among other words is asked about, and plays nothing by itself."""

import pytest

from letters.commands import Unread, WholeTurn
from letters.guesses import SeveralPlays
from letters.mail.lines import Line
from service.core.words import ENGLISH
from service.mail_in.unclear import of_unread
from tests.mail.position import Positions
from tests.service.mail_in.letter_situations import ada
from tests.service.mail_in.letters_table import follows, played_by


def test_a_yes_plays_the_whole_turn_that_was_read(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer("Dear me, such a hand. play R7 at 3, claim 5. Ben will weep.")
    assert "Line 1: “Dear me, such a hand. … Ben will weep.”" in text
    assert "Did you mean “play R7 at 3”, “claim 5”, and nothing else?" in text
    assert position.played() == []
    ada(position).answer("yes")
    assert played_by(position) == follows(position, "R7@3 !5")


def test_the_question_stays_open_under_an_answer_that_is_not_understood(
    positions: Positions,
) -> None:
    position = positions.put("claims")
    ada(position).answer("Dear me, such a hand. play R7 at 3, claim 5. Ben will weep.")
    for unread in ("My thoughts entirely, old bean", ""):
        text = ada(position).answer(unread)
        assert "Did you mean “play R7 at 3”, “claim 5”, and nothing else?" in text
        assert position.played() == []
    ada(position).answer("Yes, exactly so!")
    assert played_by(position) == follows(position, "R7@3 !5")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I give up, well played Ben!", "You want to resign."),
        ("Gut gespielt, Ben, ich gebe auf!", "You want to resign."),
        ("J'abandonne, bien joué Ben !", "You want to resign."),
        ("I had better give up, I was never as good", "You give up with the one word"),
        ("Perhaps we should pause, dear Ben, it is late", "A pause is offered with"),
    ],
)
def test_an_open_question_swallows_no_other_command(
    positions: Positions, said: str, told: str
) -> None:
    position = positions.put("claims")
    ada(position).answer("Dear me, such a hand. play R7 at 3, claim 5. Ben will weep.")
    text = ada(position).answer(said)
    assert told in text
    assert "Did you mean" not in text
    assert position.played() == []


def test_of_two_plays_the_writer_chooses_but_not_the_other_players_card(
    positions: Positions,
) -> None:
    text = ada(positions.put("claims")).answer("I see Y6 on 2, you rascal. Play R7 at 3")
    assert "Did you mean “play R7 at 3”, and nothing else?" in text

    position = positions.put("claims")
    text = ada(position).answer("R7 at 3 or G4 at 6, I am torn. claim 5")
    assert "“play R7 at 3”, “claim 5” or “play G4 at 6”, “claim 5”" in text
    ada(position).answer("yes")
    assert position.played() == []
    ada(position).answer("G4 at 6, claim 5")
    assert played_by(position) == follows(position, "G4@6 !5")


def test_an_unclear_turn_that_cannot_be_played_says_why(positions: Positions) -> None:
    text = ada(positions.put("claims")).answer("I dare say B9 at 3 will do, dear")
    assert "Your mail seems to mean “play B9 at 3”, but: You do not hold" in text
    text = ada(positions.put("stale")).answer("I dare say R7 at 3 will do, dear")
    assert "You have already played that turn" in text
    assert "I dare say" not in text


SIGNED = "\n\nRegards\nAda\n\n-- \nAda King, beekeeper and bell-ringer\nBees are wonderful"


def test_the_signature_that_was_asked_about_stands_below_the_yes_too(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer(f"play G4 at 6{SIGNED}")
    assert "are these lines your signature" in text
    assert position.played() == []
    text = ada(position).answer(f"Ja{SIGNED}")
    assert played_by(position) == follows(position, "G4@6")


@pytest.mark.parametrize(
    "text", ["Ja{}\nBut ask Ben first", "Ja, vielleicht{}", "play R7 at 3{}", "But wait{}"]
)
def test_nothing_else_is_confirmed_by_that_signature(positions: Positions, text: str) -> None:
    position = positions.put("claims")
    ada(position).answer(f"play G4 at 6{SIGNED}")
    ada(position).answer(text.format(SIGNED))
    assert position.played() == []


def test_a_yes_is_no_faulty_line(positions: Positions) -> None:
    position = positions.put("claims")
    ada(position).answer(f"play G4 at 6{SIGNED}")
    text = ada(position).answer(f"Ja{SIGNED}\nEvery garden needs a hive")
    assert "“Ja”" not in text
    assert "hive" in text


def test_thanks_beside_a_turn_need_no_mention(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer("R7 at 3, please, and thank you for your message")
    assert position.played() != []
    assert "Not passed on" not in text


def test_what_was_meant_instead_is_played_by_a_yes(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer("Oops, I meant the red 7 to stone 3. Thank you!")
    assert "Did you mean “play R7 at 3”, and nothing else?" in text
    assert position.played() == []
    ada(position).answer("yes please, sorry for the chatter")
    assert played_by(position) == follows(position, "R7@3")


def test_an_unclear_turn_out_of_turn_is_told_first_whose_turn_it_is(positions: Positions) -> None:
    position = positions.put("claims")
    ada(position).answer("play G4 at 6, claim 5, draw clan")
    text = ada(position).answer("Lovely, then I take stone 6.")
    assert text.startswith("Nothing was played. It is Ben’s turn.")


UNSENT = "Your message to the other player was not passed on: “Lovely to play with you”"


@pytest.mark.parametrize(
    ("situation", "said"),
    [
        ("stale", "Yellow 8 to the fourth stone"),
        ("open", "Yellow 9 to the fourth stone"),
        ("open", "Whatever shall I play, the walrus asked"),
        ("open", "I dare say B9 at 3 will do, dear"),
        ("open", "R7 at 3 or G4 at 6, I am torn"),
        ("stale", "I dare say R7 at 3 will do, dear"),
        ("resigning", "Whatever shall I do, the walrus asked"),
    ],
)
def test_a_message_with_a_refused_turn_does_not_vanish_without_a_word(
    positions: Positions, situation: str, said: str
) -> None:
    position = positions.put(situation)
    text = ada(position).answer(f"{said}\nsay: Lovely to play with you")
    assert UNSENT in text
    assert "Send it again with a turn that can be played, or alone." in text
    assert position.played() == []


def test_a_message_with_a_question_goes_along_with_the_yes(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer("play G4 at 6, claim 3\nsay: Lovely to play with you")
    assert "your message is passed on then too" in text
    assert "not passed on" not in text
    text = ada(position).answer("yes")
    assert "Your message was passed on to the other player." in text
    assert played_by(position) == follows(position, "G4@6")


def test_a_turn_is_played_though_nothing_can_be_claimed_with_it(positions: Positions) -> None:
    position = positions.put("open")
    text = ada(position).answer("R7 at 3, claim all")
    assert "No Stone could be claimed with this turn." in text
    assert played_by(position) == follows(position, "R7@3")
    position = positions.put("open")
    assert "No Stone can be claimed now." in ada(position).answer("claim all")
    assert position.played() == []
    position = positions.put("claims")
    assert "could be claimed" not in ada(position).answer("G4 at 6, claim all")
    assert played_by(position) == follows(position, "G4@6 !5")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Sorry, I meant the green four. It goes on the sixth stone.", "play G4 at 6"),
        ("G4 at 6. I take the fifth stone too.", "play G4 at 6”, “claim 5"),
        ("G4 auf 6. Ich nehme auch den fünften Stein.", "play G4 at 6”, “claim 5"),
        ("G4 sur 6. Je prends aussi la cinquième borne.", "play G4 at 6”, “claim 5"),
        ("I think I will put the four on stone 6.", "play G4 at 6"),
        ("Ich lege die Vier auf Stein 6", "play G4 at 6"),
    ],
)
def test_ordinary_words_are_asked_about(positions: Positions, said: str, asked: str) -> None:
    position = positions.put("claims")
    assert f"Did you mean “{asked}”, and nothing else?" in ada(position).answer(said)
    assert position.played() == []


@pytest.mark.parametrize(
    "said",
    [
        *("I claim stone 3 and play my R7 there", "I claim the third stone. Red 7 goes there."),
        *("Ich beanspruche Stein 3 und lege dort meine rote 7", "Ich nehme Stein 3, R7 geht dahin"),
        *("Je revendique la borne 3 et je pose mon R7 là", "Je revendique la 3 et j’y pose mon R7"),
    ],
)
def test_a_play_there_is_at_the_stone_named_before(positions: Positions, said: str) -> None:
    position = positions.put("claims")
    text = ada(position).answer(said)
    assert "Did you mean “claim 3”, “play R7 at 3”, and nothing else?" in text
    ada(position).answer("yes")
    assert played_by(position) == follows(position, "R7@3 !3")


def test_of_a_play_there_at_one_of_two_stones_no_part_is_guessed(positions: Positions) -> None:
    position = positions.put("claims")
    assert "Did you mean" not in ada(position).answer("I claim stones 3 and 5 and play R7 there")
    assert position.played() == []


def test_a_card_named_by_its_strength_alone_may_be_one_of_two(positions: Positions) -> None:
    position = positions.put("middle")
    text = ada(position).answer("the seven on stone 1")
    assert "Did you mean “play R7 at 1”, and nothing else?" in text
    refused = ada(position).answer("the eight on stone 1")
    assert "Did you mean" not in refused
    assert "Which card" not in refused
    assert position.played() == []
    turns = tuple(WholeTurn((play,)) for play in ("R2@1", "G2@1"))
    unread = Unread((Line(1, "the two on stone 1"),))
    said = of_unread(ENGLISH, unread, SeveralPlays(turns, is_of_strength=True))
    assert (
        "Which card do you mean: “play R2 at 1” or “play G2 at 1”? Answer with the one" in said[2]
    )


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        (
            "R7 at 3. The weather is dreadful and we are all indoors.",
            "“The weather is dreadful and we are all indoors.”",
        ),
        ("R7 at 3, the weather is murky here", "“the weather is murky here”"),
        ("Our cat is an odd fellow. R7 at 3. Thanks!", "“Our cat is an odd fellow.”"),
        ("Odd cat. R7 at 3. Odder dog.", "“Odd cat. … Odder dog.”"),
    ],
)
def test_only_the_words_that_were_the_trouble_are_quoted(
    positions: Positions, said: str, quoted: str
) -> None:
    position = positions.put("claims")
    text = ada(position).answer(said)
    assert f"Line 1: {quoted} Did you mean “play R7 at 3”" in text
    assert position.played() == []
    ada(position).answer("yes")
    assert played_by(position) == follows(position, "R7@3")


@pytest.mark.parametrize(
    ("said", "stone"),
    [
        ("The red 7 goes next to the purple 7.", 5),
        ("Put R7 beside my red 8, please. It snows and the cat is asleep on my cards.", 3),
        ("Next to my red 9 I put the red 7", 3),
        ("Die rote 7 kommt neben die rote 8.", 3),
        ("Le rouge 7 à côté du rouge 8, s'il te plaît", 3),
        ("I'll put my red 7 on the third one", 3),
        ("Meine rote 7 auf den dritten, bitte", 3),
        ("Je pose mon rouge 7 sur la troisième", 3),
        ("let's do red 7 on stone 3, thanks!", 3),
        ("Hmm... red 7 to number 3 then.", 3),
        ("Can I put red 7 on stone 3 please?", 3),
        ("How about red 7 on stone 3?", 3),
        ("Could I have red 7 at stone 3?", 3),
        ("Might I please have red 7 at stone 3?", 3),
        ("May I get R7 at 3?", 3),
        ("Can I just try the red 7 on stone 3?", 3),
        ("Dürfte ich die rote 7 an Stein 3 haben?", 3),
        ("Könnte ich mal die rote 7 auf Stein 3 versuchen?", 3),
        ("Est-ce que je pourrais avoir le rouge 7 sur la borne 3 ?", 3),
        ("Puis-je prendre le rouge 7 pour la borne 3 ?", 3),
        ("Darf ich bitte die rote 7 an Stein 3 legen?", 3),
        ("Puis-je mettre le rouge 7 sur la borne 3 ?", 3),
        ("Hmm, rote 7 zur Nummer 3 dann.", 3),
        ("Red seven goes next to my red eight", 3),
        ("Could you put my red 7 on the third stone? Thanks!", 3),
        ("Kannst du meine rote 7 auf den dritten Stein legen? Danke!", 3),
        ("Peux-tu mettre mon rouge 7 sur la troisième ? Merci !", 3),
    ],
)
def test_a_turn_in_ordinary_words_is_asked_about(
    positions: Positions, said: str, stone: int
) -> None:
    position = positions.put("claims")
    text = ada(position).answer(said)
    assert position.played() == []
    if stone == 5:
        assert f"Your mail seems to mean “play R7 at {stone}”, but:" in text
        return
    assert f"Did you mean “play R7 at {stone}”" in text
    ada(position).answer("Ja, genau!")
    assert played_by(position) == follows(position, f"R7@{stone}")


@pytest.mark.parametrize(
    "said",
    [
        "The red 7 goes next to the purple 4.",  # the opponent's
        "The red 7 goes next to the blue 2.",  # in the writer's hand
        "Does the red 7 go next to the red 8?",
        "I could put the red 7 next to the red 8",
        "Not the red 7 next to the red 8",
        "The red 7 next to the red 8 tomorrow",
        "The red 7 goes next to the red 8, or the green 4 does",
        "If it were my turn, red 7 would go next to red 8",
        "Should my red 7 go on the third one?",
        "Should I put red 7 on stone 3?",
        "Can I put red 7 on stone 3 or is it full?",
        "Could I win if I put red 7 on stone 3?",
        "How about not playing red 7 on stone 3?",
        "Why can I put red 7 on stone 3?",
        "Could I have played red 7 on stone 3?",
        "Might I have put red 7 on stone 3?",
        "Might I have red 7 at stone 3 or will Ben take it?",
        "Could I not have red 7 at stone 3?",
        "Dürfte ich die rote 7 nicht an Stein 3 haben?",
        "The third one has my red 7 in mind, perhaps not",
    ],
)
def test_no_turn_is_guessed_in_other_words(positions: Positions, said: str) -> None:
    position = positions.put("claims")
    text = ada(position).answer(said)
    assert position.played() == []
    assert "Did you mean" not in text


@pytest.mark.parametrize(
    "said",
    [
        "I think I'll put my green 4 on the middle stone to start with.",
        "Ich lege die grüne 4 in die Mitte.",
        "Le vert 4 sur celle du milieu",
    ],
)
def test_the_stone_in_the_middle_is_the_fifth(positions: Positions, said: str) -> None:
    position = positions.put("open")
    assert "Did you mean “play G4 at 5”" in ada(position).answer(said)
    assert position.played() == []
    ada(position).answer("yes")
    assert played_by(position) == follows(position, "G4@5")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I would stop for a bit, my mother is here.", "A pause is offered with “offer a pause”"),
        ("I'm away until the fifth of December, dear Ben", "with “vacation until 3 Jan”"),
        ("Wir sind ab Montag verreist, lieber Ben", "with “vacation until 3 Jan”"),
        ("Can I have two more days please?", "Only the other player can give you time"),
        ("Kann ich bitte noch zwei Tage haben?", "Only the other player can give you time"),
        ("Puis-je avoir deux jours de plus ?", "Only the other player can give you time"),
        ("Please stop sending me these mails", "“mails” shows which mails you get"),
        ("What are my cards?", "The board is sent for the one word “show”"),
    ],
)
def test_what_a_letter_is_about_is_told_with_its_command(
    positions: Positions, said: str, told: str
) -> None:
    position = positions.put("open")
    assert told in ada(position).answer(said)
    assert position.played() == []


@pytest.mark.parametrize("said", ["Our walk was lovely and the sea so blue", "Mails are fun"])
def test_other_words_are_told_no_command(positions: Positions, said: str) -> None:
    text = ada(positions.put("open")).answer(said)
    assert not any(each in text for each in ("is offered with", "Days off", "which mails you get"))
