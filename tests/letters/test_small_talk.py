"""Small talk beside a turn is passed over only where it can mean nothing else."""

import pytest

from letters.commands import Unread, WholeTurn
from letters.grammar import may_hold
from letters.letter import OpenQuestion
from letters.mail.lines import Line
from letters.mail.phrases import takes_back
from letters.small_talk import is_small_talk, languages, without_small_talk
from letters.wishes import AskedWord
from tests.letters.reading import letter

NAMES = {"ada", "moore", "@ben"}
TELLING = """
not no never if or unless would could should might may maybe perhaps think guess suppose wonder
wish want later tomorrow soon before until when after once yet still said says told tell asked
wrote reads means instead rather actually sorry oops mistake wrong changed ignore forget cancel
undo last previous earlier already was were did used test testing example draft practice pretend
imagine dream joke kidding fool bet he she they someone friend resign quit but although except
however that it this one what why who whose like as from then than nicht kein oder wenn dass
aber pas jamais ou mais que si pero porque ma se of misschien maar
"""
OF_TWO_LANGUAGES = {"of", "was", "it", "pas", "ma", "si", "se", "but", "que", "as"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Lovely weather here today!",
        "Hope you're good.",
        "Off to the dentist, wish me luck",
        "great to see you at Tom's on Sunday",
        "Sorry this took me a week, we had the grandchildren.",
        "The roses are lovely this year.",
        "How are you?",
        "(the kettle is on)",
        "Schönes Wetter heute!",
        "Il fait beau ici",
        *("This one is tough.", "You are a tough opponent!", "What a game!", "Tricky position!"),
        *("Das wird knapp!", "Ich bin gespannt.", "Hab einen schönen Abend!"),
        *("C'est serré !", "La partie est passionnante !", "Passe une bonne soirée !"),
        "Byeee",
    ],
)
def test_small_talk(sentence: str) -> None:
    assert is_small_talk(sentence, NAMES)


@pytest.mark.parametrize(
    "sentence",
    [
        "My cat typed this",
        "Lovely idea",
        "On Sunday at the party",
        "Love from Carol",
        "Is it lovely?",
        "The garden of my dreams",
        "Only A Dream",
        "Tea at 5",
        "Carol's advice:",
        "the weather says no",
        "lol",
    ],
)
def test_no_small_talk(sentence: str) -> None:
    assert not is_small_talk(sentence, NAMES)


def test_no_word_that_tells_something_is_listed() -> None:
    telling = {*TELLING.split()} - OF_TWO_LANGUAGES
    english = next(each for each in languages() if "garden" in each.topics)
    assert not (english.topics | english.little | english.people) & {*TELLING.split()} - {"of"}
    for language in languages():
        assert not (language.topics | language.little) & telling


def test_no_word_takes_back_or_begins_a_command() -> None:
    for language in languages():
        for word in language.topics:
            assert not takes_back(word), word
            assert not may_hold(word), word


def test_a_sentence_that_may_go_on_in_the_next_line_is_read() -> None:
    lines = [Line(1, "A lovely garden for"), Line(2, "R7 at 3")]
    assert without_small_talk(lines, NAMES) == (lines, [])


def test_the_commands_of_a_line_stay() -> None:
    lines = [Line(1, "Lovely weather here! R7 at 3. Claim 5, off to the garden")]
    commands, left_out = without_small_talk(lines, NAMES)
    assert commands == [Line(1, "R7 at 3. Claim 5")]
    assert [line.text for line in left_out] == ["Lovely weather here!", "off to the garden"]


def test_nothing_is_passed_over_beside_a_quotation() -> None:
    lines = [Line(1, "Lovely sunshine here. “R7 at 3”")]
    assert without_small_talk(lines, NAMES) == (lines, [])


@pytest.mark.parametrize(
    ("said", "turn"),
    [
        ("So glad you're in. I'll put the green six on stone 5, please.", "G6@5"),
        ("How is your mother doing? Blue five on stone 4, please.", "B5@4"),
        ("Blue five on stone 4, please. By the way, the garden is lovely.", "B5@4"),
        ("Lovely weather here. How is your mother doing? Blue five on\nstone 4, please.", "B5@4"),
        ("G7 at 7. Thanks, that was quick!", "G7@7"),
        ("Snow here too, the garden is white. G6 at 5", "G6@5"),
        ("G6 at 5\nSnow here too, the garden is white.", "G6@5"),
    ],
)
def test_what_a_friend_writes_beside_a_turn_is_passed_over(said: str, turn: str) -> None:
    assert letter(said).answer == WholeTurn((turn,))


@pytest.mark.parametrize(
    "said",
    [
        "I'm not sure. I'll put the green six on stone 5, please.",
        "He said 'go on'. I'll put the green six on stone 5, please.",
        "How is your hand? Blue five on stone 4?",
        "What would you have done in my place? I almost thought of blue five on\nstone 4, please.",
        "Lovely weather here and how is your mother doing? Blue five on\n\nstone 4, please.",
    ],
)
def test_other_sentences_beside_a_turn_are_asked_about(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    "said",
    [
        "yes please, sorry for the chatter",
        "Yes. Sorry for the chatter!",
        "Oops! Yes, sorry about that.",
        "yes thats what I meant, sorry",
        "Yes, sorry about the typo!",
        "Ja, sorry für den Tippfehler",
        "Oui, désolée",
        "Hello, sure, this is my adress. Thank you!",
        "Klar, das bin ich",
        "Bien sûr, c'est moi",
        "Yes, sorry about that",
    ],
)
def test_an_excuse_stands_beside_a_yes(said: str) -> None:
    assert letter(said).answer == AskedWord("yes")


@pytest.mark.parametrize(
    "said",
    [
        "Oops, I meant the orange 8 to stone 5. Thank you!",
        "Ich meinte O8 an 5",
        "Je voulais dire O8 en 5",
    ],
)
def test_what_was_meant_instead_is_asked_about(said: str) -> None:
    read = letter(said)
    assert isinstance(read.answer, Unread)
    assert read.question == OpenQuestion(WholeTurn(("O8@5",)))


@pytest.mark.parametrize(
    "said", ["I meant no harm. O8 at 5", "I meant O8 at 5, not really", "Oops, I meant nothing"]
)
def test_nothing_is_guessed_where_more_is_taken_back(said: str) -> None:
    assert letter(said).question is None


@pytest.mark.parametrize(
    "said",
    [
        *("Oops! Sorry about that.", "Oops! Yes, sorry, I meant R8", "Sorry about the typo!"),
        *("Yes, sorry about the typo, R8", "Yes, sorry about the typo. But not R8"),
        *("yes thats what I meant, or not", "yes, this is not my adress", "Sure, is this me?"),
    ],
)
def test_an_excuse_alone_is_no_yes(said: str) -> None:
    assert letter(said).answer != AskedWord("yes")


@pytest.mark.parametrize(
    "said",
    ["Then only yellow 3 to stone 5.", "Dann nur Gelb 3 an 5", "Alors seulement jaune 3 en 5"],
)
def test_a_turn_may_be_what_is_left_of_another(said: str) -> None:
    assert letter(said).answer == WholeTurn(("Y3@5",))


@pytest.mark.parametrize(
    "said", ["Talk tomorrow. Then only Y3 at 5", "Only then Y3 at 5", "Then only if Y3 at 5"]
)
def test_but_one_for_later_is_not(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    "said",
    [
        "Good game. I give up.",
        "I'd like to resign. Well played!",
        "I think I'll resign.",
        "I'm afraid I resign.",
        "I'm afraid I resign, your yellows are too strong.",
        "I'm afraid I have to give up. Well played!",
    ],
)
def test_a_sentence_that_resigns_is_asked_about(said: str) -> None:
    read = letter(said)
    assert read.resigns or read.answer == AskedWord("resign")


@pytest.mark.parametrize(
    "said",
    [
        "I won't give up.",
        "I give up sugar.",
        "I'm afraid I resign tomorrow.",
        "Should I give up?",
        "I'd like to resign soon",
    ],
)
def test_others_resign_nothing(said: str) -> None:
    assert not letter(said).resigns


FRIENDLY = (
    *("Let's see how that goes", "We'll see.", "Time will tell.", "Your turn!", "Take that"),
    *("Good luck", "Sorry for the delay, was away", "That was a nice claim, well played"),
    *("Well played!", "What a hand!", "That hurts", "So it begins.", "Let's hope for the best"),
    *("Mal sehen!", "Schaun mer mal", "Bin gespannt, was du machst", "Jetzt wird es ernst"),
    *("Und weiter geht's!", "Sorry für die Verspätung, war im Urlaub", "Was für eine Partie!"),
    *("Gut gespielt!", "Das war ein starker Zug von dir", "On va voir.", "À suivre !"),
    *("C'était un beau coup.", "Je croise les doigts", "Désolé du retard, j'étais en vacances"),
    *("Que le meilleur gagne !", "Ça se corse", "Bien vu !", "Quel suspense !"),
)
UNCLEAR = (
    *("unless you mind", "wait", "or not", "actually no", "if you claim, then 5"),
    *("Let's see first", "We'll see if I play that", "Not sure.", "Maybe next time."),
    *("I was wrong", "On second thought", "Let me think about it", "That was the plan"),
    *("I did it before", "My cat typed this", "Let's see how that goes tomorrow"),
    *("then again", "just testing", "He said so", "Mal sehen, ob ich das spiele", "Warte"),
    *("doch nicht", "Vielleicht", "wenn du magst", "Moment noch", "On va voir si je joue ça"),
    *("Attends", "ou pas", "peut-être", "en fait non"),
)


@pytest.mark.parametrize("said", FRIENDLY)
@pytest.mark.parametrize("turn", ["R7@3\n{}", "{}\n\nRed 7 on 3", "Red 7 on 3.\n\n{}\n\nAda"])
def test_what_players_say_of_a_game_is_passed_over(said: str, turn: str) -> None:
    assert letter(turn.format(said)).answer == WholeTurn(("R7@3",))


@pytest.mark.parametrize("said", UNCLEAR)
@pytest.mark.parametrize("turn", ["R7@3\n{}", "Red 7 on 3, {}", "Red 7 on 3.\n\n{}\n\nAda"])
def test_what_may_change_a_turn_is_asked_about(said: str, turn: str) -> None:
    assert not isinstance(letter(turn.format(said)).answer, WholeTurn)


def test_praise_may_stand_above_a_rematch() -> None:
    assert letter("Well played!\n\nrematch").answer == AskedWord("rematch")


@pytest.mark.parametrize(
    "said",
    [
        *("Oh, poor things!", "what a start! Let me see...", "Oh, that hurts."),
        *("Oh, die Armen!", "Was für ein Anfang! Lass mal sehen...", "Oh, das tut weh."),
        *("Oh, les pauvres !", "Quel début ! Voyons voir...", "Oh, ça fait mal."),
    ],
)
def test_a_sigh_may_stand_above_a_turn(said: str) -> None:
    assert letter(f"{said}\n\nRed 7 on 3").answer == WholeTurn(("R7@3",))


@pytest.mark.parametrize("said", ["Oh no!", "Let me see...", "Lass mal sehen", "Voyons..."])
def test_below_a_turn_a_second_look_may_regret_it(said: str) -> None:
    assert not isinstance(letter(f"Red 7 on 3\n\n{said}").answer, WholeTurn)


@pytest.mark.parametrize("said", ["Oh no", "Oh no!!", "Oh nein!", "Oh non !", "Oje", "Oh dear."])
def test_dismay_above_a_clear_turn_alone_is_passed_over(said: str) -> None:
    assert letter(f"{said}\nR7 at 3, claim 5").answer == WholeTurn(("R7@3", "!5"))
    below = letter(f"R7 at 3\n{said}").answer
    assert not isinstance(below, WholeTurn) or said.startswith(("Oje", "Oh dear"))
    for other in ("yes", "accept", "resign", "rematch", "pass", "accept as Ben"):
        assert not isinstance(letter(f"Oh no!\n{other}").answer, AskedWord | WholeTurn)


@pytest.mark.parametrize(
    "said", ["I am too busy.", "Sorry, too tired", "Ich bin zu müde.", "Je suis trop occupée."]
)
def test_a_reason_not_to_play_beside_an_acceptance_is_asked_about(said: str) -> None:
    for accepted in ("accept as Ben", "accept", "ich nehme an als Ben", "j'accepte"):
        for text in (f"{said}\n{accepted}", f"{accepted}\n{said}"):
            assert not isinstance(letter(text).answer_to_invitation, AskedWord)
