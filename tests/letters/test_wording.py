"""A turn in the words that people use, and the same words when no turn is meant."""

import pytest

from letters.commands import Unread, WholeTurn, read_commands
from letters.grammar import items_of
from letters.guesses import SeveralPlays, guessed
from letters.mail.lines import Line
from letters.mail.sign_offs import may_be_name

FORMS = {
    "R7 at 3": "R7@3",
    "I'll go with the red 7 on stone 3.": "R7@3",
    "Let's dump the blue 2 on stone 8": "B2@8",
    "Card: green 4, Stone: 1": "G4@1",
    "Card: green 4 / Stone: 1": "G4@1",
    "R7. Stone 3.": "R7@3",
    "3: R7": "R7@3",
    "R7 3": "R7@3",
    "At 7: Y8": "Y8@7",
    "On stone 7 I play my yellow 8": "Y8@7",
    "Red 7, third stone": "R7@3",
    "die blaue 1 bitte an Stein 3.": "B1@3",
    "die orange 6 bitte an Stein 5.": "O6@5",
    "die rote Sieben bitte auf Stein 3.": "R7@3",
    "die rote 7, bitte, an Stein 3": "R7@3",
    "die rote 7 dann an Stein 3": "R7@3",
    "die rote 7 mal auf Stein 3": "R7@3",
    "the green 9 please on stone 4": "G9@4",
    "le rouge 7 s'il te plaît sur la borne 3": "R7@3",
    "Ich lege die rote 7 bitte an Stein 3": "R7@3",
    "for my turn, I place the 7 of red on the third stone please": "R7@3",
    "Red 7 next to red 8 on stone 3 it is": "R7@3",
    "Here goes: R7 → stone 3 this time": "R7@3",
    "gelbe acht auf stein eins": "Y8@1",
    "Ich möchte die grüne 4 auf den sechsten Stein legen": "G4@6",
    "7 rouge en 3": "R7@3",
    "le 4 vert sur la première borne": "G4@1",
    "el siete rojo a la piedra 3": "R7@3",
    "il sette rosso sulla pietra 3": "R7@3",
    "o sete vermelho na pedra 3": "R7@3",
    "rode zeven op steen drie": "R7@3",
    "Blå tvåa på sten 1": "B2@1",
    "R7 at 3 and with that I claim the stone": "R7@3 !3",
    "R7 on 3, I claim both 3 and 5": "R7@3 !3 !5",
    "R7 at 3, and claim stone 5 and stone 8": "R7@3 !5 !8",
    "I claim stones 5, 8 and stone 9": "!5 !8 !9",
    "Joker on 4, and a tactic card please": "JOK@4 +T",
    "use the Spy on stone 2 and draw from the clan deck": "SPY@2 +C",
    "Strategist: discard my R8 from stone 3, draw clan": "STR:R8@3>x +C",
    "I play the Strategist and move my green 5 from stone 4 to stone 9": "STR:G5@4>9",
    "Banshee: their B5 at 2": "BAN:B5@2",
    "use the Banshee on Ben's blue 9 at stone 7": "BAN:B9@7",
    "Traitor: take G4 from 6 to 2": "TRA:G4@6>2",
    "Recruiter: two clan cards and a tactic card": "REC:CCT",
    "put R3 and G4 back": "-R3,G4",
    "🔴7 ➡️ stone 7": "R7@7",
    "I wish to put the violet four at the ninth stone": "P4@9",
    "Yellow 1 at 5. Stone 5 is mine!": "Y1@5 !5",
    "I'm taking stone 8, that one's mine now": "!8",
    "B9 at 5 and I win that stone (5)": "B9@5 !5",
    "Red 7 on stone five, and then I take both five and eight": "R7@5 !5 !8",
    "gelb 1 auf Stein 4, und Stein 8 gehört mir": "Y1@4 !8",
    "G2, 4. Claim 5.": "G2@4 !5",
    "G2... at 9!!! Claim 5!!!": "G2@9 !5",
    "B9@2, claim 5/8": "B9@2 !5 !8",
    "R7 at 2 and claim the 5 and the 8": "R7@2 !5 !8",
    "Je joue le 7 rouge sur la borne 3 et je revendique la 5 et la 8": "R7@3 !5 !8",
    "gioco l'arancione 5 sulla pietra 3": "O5@3",
    "R7 auf 9, 5 und 8 beanspruchen": "R7@9 !5 !8",
    "Answer: “play P4 at 1”, “claim 5”, “claim 8”.": "P4@1 !5 !8",
    "B9 at 4 yayyyy": "B9@4",
    "Green 2 at stone 5 which completes it. I claim stone 5": "G2@5 !5",
    "playR7 at 3, claim5, claim8": "R7@3 !5 !8",
    "R7at3": "R7@3",
    "r7 3 c5 c8": "R7@3 !5 !8",
    "R7-3, claim 5 then 8": "R7@3 !5 !8",
    "R7/3": "R7@3",
    "Turn: G2 at 7. Claims: 5 and 8.": "G2@7 !5 !8",
    "G2 at 3 + both claims (5, 8)": "G2@3 !5 !8",
    "O5 at 3. Claim both stones (5 and 8).": "O5@3 !5 !8",
    "I would like to play my O5 at stone 1 and to claim stone 5 and stone 8": "O5@1 !5 !8",
    "R7 on 3. I'd also like to claim 5 and 8.": "R7@3 !5 !8",
    "stones 5 and 8 are mine. R7 at 3": "!5 !8 R7@3",
    "Je joue P4 en 6 et je réclame 5 et 8": "P4@6 !5 !8",
    "R7 auf 3. Außerdem beanspruche ich 5 und 8": "R7@3 !5 !8",
    "R7 auf 3, ich hole mir die Steine 5 und 8": "R7@3 !5 !8",
    "Pongo el R7 en la piedra 3 y reclamo las piedras 5 y 8": "R7@3 !5 !8",
}
CONTRARY = (
    *("not", "don't", "never", "if", "or", "maybe", "yesterday", "instead of", "would", "unless"),
    *("instead", "rather", "stattdessen", "plutôt", "doch nicht", "bitte nicht"),
    *("but", "almost", "Ben plays", "I played", "next turn", "without", "you", "nicht", "oder"),
    *("jamais", "ou", "quizás", "forse", "talvez", "misschien", "kanske", "nie"),
)


@pytest.mark.parametrize("form", FORMS)
def test_a_turn_in_words(form: str) -> None:
    assert [str(item) for item in items_of(form, {"ben"}) or ()] == FORMS[form].split()


@pytest.mark.parametrize(
    "line", ["O5 at 2, claim both", "O5 at 2 and I'll have both of those stones"]
)
def test_a_claim_of_both_stones(line: str) -> None:
    assert [str(item) for item in items_of(line) or ()] == ["O5@2", "claim both"]


@pytest.mark.parametrize(
    "line", ["beanspruche alle", "Ich beanspruche alle Steine.", "je revendique toutes les bornes"]
)
def test_a_claim_of_all_stones(line: str) -> None:
    assert read_commands([Line(1, line)]) == WholeTurn((), dependent=("claim all",))
    assert isinstance(read_commands([Line(1, f"{line.rstrip('.')} 3")]), Unread)


@pytest.mark.parametrize("form", FORMS)
def test_no_turn_where_another_word_stands_beside_it(form: str) -> None:
    words = form.split(" ")
    for other in CONTRARY:
        among = [" ".join([*words[:at], other, *words[at:]]) for at in range(len(words) + 1)]
        beside = [f"{other}: {form}", f"{other}, {form}", f"{form}, {other}", f"{form}. {other}."]
        assert [line for line in (*among, *beside) if items_of(line, {"ben"})] == []
        for lines in ((form, other), (other, form)):
            assert isinstance(read_commands([Line(1, text) for text in lines]), Unread)


@pytest.mark.parametrize(
    "between", ["lieber", "bitte lieber", "bitte nicht", "dann doch nicht", "später", "please not"]
)
def test_no_turn_where_such_words_stand_between_card_and_stone(between: str) -> None:
    assert items_of(f"die rote 7 {between} an Stein 3") is None


@pytest.mark.parametrize("form", FORMS)
def test_no_turn_where_it_is_asked(form: str) -> None:
    for line in (f"{form}?", f"{form.rstrip('.')} ?", f"{form}. Hm?", f"Is it? {form}"):
        assert items_of(line, {"ben"}) is None


@pytest.mark.parametrize("lines", [("Card: R7", "Stone: 3"), ("Stone: 3", "Play: red 7")])
def test_a_turn_on_two_lines(lines: tuple[str, str]) -> None:
    assert read_commands([Line(1, text) for text in lines]) == WholeTurn(("R7@3",))
    for half in lines:
        assert isinstance(read_commands([Line(1, half)]), Unread)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("G4 at 4. No rush on your side.", ("G4@4",)),
        ("I've been going back and forth all evening. Red 7 on stone 3.", ("R7@3",)),
        ("R7 on 3, which completes my run, so I claim stone 3.", ("R7@3", "!3")),
        ("Let's have some mud: Mud Fight at 1, and tactic for me", ("MUD@1", "+T")),
        ("I know you will get stone 6. R7 at 3", ("R7@3",)),
        ("pley R7 at 3", ("R7@3",)),
        ("red 7 on stone 1. clam 5 and 8", ("R7@1", "!5", "!8")),
        ("Blue 9 at stome 1 please. cliam 8", ("B9@1", "!8")),
        ("r7 at steon 7, and plsy", ("R7@7",)),
        ("Orange 5 on 1. I'll claim 5 now and leave 8 for next turn", ("O5@1", "!5")),
        ("don't need the yellow, Y1 at 3", ("Y1@3",)),
        ("P4 at 1 and claim 8 (not 5 yet, I want Ben to sweat)", ("P4@1", "!8")),
        ("I nearly put B9 at 4 but kept it. So it's G2 at 7 please, and claim 5.", ("G2@7", "!5")),
        ("play R7 at 3 - no sorry, make that B9 at 3. claim 5", ("B9@3", "!5")),
        (
            "Morning. Moving R7 to stone 6 today, claim 5 as the mail says they're mine",
            ("R7@6", "!5"),
        ),
        ("You put R2 in the middle, you rascal. Play B9 at 9. R7 is for next time", ("B9@9",)),
        ("play 05 at 6", ("O5@6",)),
        ("I was going to play R7 at 3. G2 at 6 instead.", ("G2@6",)),
        ("[O5] => [2]; claim [8]", ("O5@2", "!8")),
    ],
)
def test_the_turn_that_is_asked_about(line: str, meant: tuple[str, ...]) -> None:
    turn = guessed([Line(1, line)], {"ben"})
    assert isinstance(turn, WholeTurn)
    assert turn.actions == meant


def test_lines_that_a_program_broke_are_asked_about_together() -> None:
    texts = ("Please be so good as to lay the violet", "four at", "stone 8 and claim", "5")
    turn = guessed([Line(at, text) for at, text in enumerate(texts, 1)], {"ben"})
    assert isinstance(turn, WholeTurn)
    assert turn.actions == ("P4@8", "!5")


@pytest.mark.parametrize(
    "line",
    [
        *("Red 7 on stone 3 would be suicide", "I'd say R7 at 3 or 4", "What if I play R7 at 3?"),
        *("If Ben goes to 4, I play R7 at 3", "Tomorrow I'll play R7 at 3", "not playR7 at 3"),
        *("I had played R7 at 3", "he says play R7 at 3", "don't claim5, R7 at 3 later"),
    ],
)
def test_no_turn_is_asked_about_that_is_not_stated(line: str) -> None:
    assert guessed([Line(1, line)], {"ben"}) is None


@pytest.mark.parametrize(
    ("line", "plays"),
    [
        ("R7 at 3 or G4 at 6, I am torn", ("R7@3", "G4@6")),
        ("My son says R7 at 3, and my wife G4 at 6.", ("R7@3", "G4@6")),
        ("R7 at 3 or B9 at 2? R7 at 3 is safe, B9 at 2 is cheeky.", ("R7@3", "B9@2")),
        ("I see R2 on 5, you rascal. Play B9 at 9. claim 8", ("R2@5 !8", "B9@9 !8")),
    ],
)
def test_of_several_plays_none_is_preferred(line: str, plays: tuple[str, ...]) -> None:
    turns = tuple(WholeTurn(tuple(play.split())) for play in plays)
    assert guessed([Line(1, line)], {"ben"}) == SeveralPlays(turns)


@pytest.mark.parametrize("name", ["Marie", "Ada King", "Will", "Otto", "Sally", "Jürgen", "Ben B."])
def test_a_name_may_be_passed_over(name: str) -> None:
    assert may_be_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Typo", "As If", "Dream On", "Next Week", "I Wish", "Test", "Hypothetically", "In May"),
        *("Not", "Wait", "Ben Plays", "Five", "B2", "Vielleicht", "Quizás", "Magari", "Kanske"),
    ],
)
def test_a_word_that_can_say_no_is_no_name(name: str) -> None:
    assert not may_be_name(name)
