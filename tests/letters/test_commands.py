"""What of an answer is understood, and that nothing that is quoted is."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letters.commands import Empty, Unread, WholeTurn, read_commands
from letters.grammar import Gift
from letters.inert import UNSEEN_MARK
from letters.mail.body import Text
from letters.mail.lines import read_lines
from letters.wishes import AskedWord
from service.core.times import DAY
from service.mail_in.message import read
from tests.service.mail_in.replies import ATTRIBUTIONS, KNOWN, SIGNATURES, UNMARKED, mail, quoted

PLAYED = WholeTurn(("G1@9", "!2"))


def commands(text: str, **of_text: bool) -> object:
    return read_commands(read_lines(Text(text, **of_text), KNOWN).lines, {"ada"})


class TestMessages:
    """Lines that are passed on to the other player."""

    @pytest.mark.parametrize(
        ("text", "actions", "message"),
        [
            ("say: well played", (), "well played"),
            ("Say : Well played!\n", (), "Well played!"),
            ("SAY:Hi\nsay: and bye.", (), "Hi\nand bye."),
            ("G1@9 !2\nsay: sorry", PLAYED.actions, "sorry"),
            ("G1@9\n\nclaim 2\n\nsay: sorry\n\nAda", PLAYED.actions, "sorry"),
            ("say: R7@3", (), "R7@3"),
            ("say: resign", (), "resign"),
            ("say: Thanks", (), "Thanks"),
            ("G1@9 !2\nMessage: R7@3", PLAYED.actions, "R7@3"),
            ("G1@9 !2\nNachricht: gut gespielt", PLAYED.actions, "gut gespielt"),
            ("message : bien joué", (), "bien joué"),
            ("say: On Sat, Nov 21, 2026 at 10:30 I said:", (), None),
        ],
    )
    def test_marked_lines(self, text: str, actions: tuple[str, ...], message: str | None) -> None:
        told = text[5:] if message is None else message
        assert commands(text) == WholeTurn(actions, told)
        assert commands(f"{text}\n\n{ATTRIBUTIONS['gmail-en']}\n{quoted()}") == WholeTurn(
            actions, told
        )

    @pytest.mark.parametrize(
        "text",
        [
            "say:",
            "say: \nwell played",
            "well played\nsay: indeed",
            "say: you could\nclaim 3",  # a long line is cut on its way
            "say: you should\npass",
            "say: x\nresign",
            "resign\nsay: x",
            "show\nsay: x",
            "say well played",
            "I say: well played",
            "- say: well played",
        ],
    )
    def test_whatever_is_not_marked_is_never_passed_on(self, text: str) -> None:
        assert isinstance(commands(text), Unread)

    @pytest.mark.parametrize("mark", ["> ", ">", "| ", "Ada> "])
    def test_nor_what_is_quoted(self, mark: str) -> None:
        assert commands(f"{mark}say: I give up") == Empty()
        assert commands(f"G1@9 !2\n{mark}say: I give up") == PLAYED


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
@pytest.mark.parametrize("command", ["G1@9 !2", "play G1 at 9\nclaim 2"])
def test_an_answer_above_the_quotation(attribution: str, command: str) -> None:
    text = f"{command}\n\n{ATTRIBUTIONS[attribution]}\n{quoted()}\n"
    assert commands(text) == PLAYED
    assert commands(text.replace("\n\n", "\n", 1)) == PLAYED


@pytest.mark.parametrize("attribution", [name for name in ATTRIBUTIONS if name != "gmx"])
def test_an_answer_below_the_quotation(attribution: str) -> None:
    assert commands(f"{ATTRIBUTIONS[attribution]}\n{quoted()}\n\nG1@9 !2\n") == PLAYED


@pytest.mark.parametrize("attribution", [name for name in ATTRIBUTIONS if name != "gmx"])
def test_an_answer_within_the_quotation(attribution: str) -> None:
    text = f"{ATTRIBUTIONS[attribution]}\n{quoted()}\nG1@9\n{quoted()}\nclaim 2\n{quoted()}"
    assert commands(text) == PLAYED


@pytest.mark.parametrize("above", UNMARKED)
def test_an_answer_above_a_quotation_without_marks(above: str) -> None:
    assert commands(f"G1@9\nclaim 2\n\n{UNMARKED[above]}\n{quoted(mark='')}\n") == PLAYED


@pytest.mark.parametrize("above", UNMARKED)
def test_below_a_quotation_without_marks_nothing_is_read(above: str) -> None:
    assert commands(f"\n{UNMARKED[above]}\n{quoted(mark='')}\n\nG1@9\n") == Empty()


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("attribution", ["gmail-en", "apple", "thunderbird-de"])
def test_signatures_are_not_read(signature: str, attribution: str) -> None:
    signed = f"G1@9 !2\n{SIGNATURES[signature]}\n"
    assert commands(f"Hi,\n\n{signed}\n{ATTRIBUTIONS[attribution]}\n{quoted()}") == PLAYED
    assert commands(signed) == PLAYED


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("R7@3", ("R7@3",)),
        ("7r@3 !3 +c", ("R7@3", "!3", "+C")),
        ("Play r7 at 3.", ("R7@3",)),
        ("PLAY RED 7 ON STONE 3", ("R7@3",)),
        ("play the joker at 5", ("JOK@5",)),
        ("play blind-man's bluff at 5", ("BMB@5",)),
        ("play Blind-Man’s Bluff at 5", ("BMB@5",)),
        ("claim 3", ("!3",)),
        ("claim 3, 5 and 6", ("!3", "!5", "!6")),
        ("draw clan", ("+C",)),
        ("draw tactic", ("+T",)),
        ("Draw a Tactic card.", ("+T",)),
        ("pass", ("pass",)),
        ("end", ("end",)),
        ("pass\nclaim 3\nend", None),
        ("-R1,JOK", ("-R1,JOK",)),
        ("STR:R7@3>5", ("STR:R7@3>5",)),
        ("REC:CCT", ("REC:CCT",)),
        ("Ｒ７＠３", ("R7@3",)),
        ("play\u00a0R7\u00a0at\u00a03", ("R7@3",)),
        ("R7\u200b@3\ufeff", ("R7@3",)),
        ("–R1,JOK", ("-R1,JOK",)),
        ("R7@3<mailto:R7@3>", ("R7@3",)),
        ("[R7@3](mailto:R7@3) !3", ("R7@3", "!3")),
        ("*R7@3*", ("R7@3",)),
        ("claim 3\npass", None),
        ("R7@3\nshow", None),
        ("show\nR7@3", None),
        ("R7@3 please", ("R7@3",)),
        ("R7@3, perhaps", None),
        ("R7@3\nWhat a game!", None),
        ("I play R7 at 3", ("R7@3",)),
        ("“R7@3”", ("R7@3",)),
        ("“R7@3”.", None),
        ("‹R7@3›", None),
        (f"{UNSEEN_MARK}R7@3{UNSEEN_MARK}", None),
        ("play R7 at 10", None),
        ("play R0 at 1", None),
        ("claim 3 4x", None),
        ("R7@3 R8@4 " * 20, None),
    ],
)
def test_the_grammar(written: str, turn: tuple[str, ...] | None) -> None:
    found = commands(written)
    assert found == WholeTurn(turn) if turn else isinstance(found, Unread)


WIN, PAUSE, ABANDONMENT = (
    AskedWord("claim the win"),
    AskedWord("agree", about="pause"),
    AskedWord("agree", about="abandonment"),
)
GUESSES = {
    WIN: (
        *("claim the win", "I claim the win", "Claim the win!", "claim win", "claim a win on time"),
        *("win on time", "claim victory", "claim the game", "claim on time", "claim time"),
    ),
    Gift(2 * DAY): (
        *("give 2 days", "Give two days.", "give 2 more days", "give 2 days more", "give 48 hours"),
        *("I give 2 days", "give him 2 days", "give them two more days", "give her 2 days!"),
    ),
    Gift(7 * DAY): ("give a week", "give one week", "give 7 days", "give another week"),
    AskedWord("agree"): (
        "agree",
        "I agree",
        "Agreed",
        "sure, agreed",
        "Yes, I agree.",
        "Agree!",
        "agree.",
    ),
    PAUSE: (
        *("agree to the pause", "I agree to the pause", "agree to pause", "accept the pause"),
        *("agree to pause the clock", "agree to pausing the clock", "I accept a pause"),
    ),
    ABANDONMENT: (
        *("agree to abandon", "agree to abandon it", "agree to abandon the game"),
        *("agree to end it", "I agree to end the game", "agree to ending this game"),
        *("I agree to abandon the game", "accept the abandonment", "agree to abandoning the game"),
    ),
    AskedWord("decline", about="pause"): ("decline the pause", "refuse the pause", "decline pause"),
    AskedWord("decline", about="abandonment"): (
        *("decline the abandonment", "refuse abandonment", "decline to abandon the game"),
        *("decline to end it", "refuse to end the game"),
    ),
}
NOT_UNDERSTOOD = (
    *(
        "I win",
        "win",
        "I claim",
        "time is out",
        "time out",
        "please claim the win",
        "claim the lot",
    ),
    *("claim the win 3", "claim 3 on time", "I want to claim the win", "Bob lost on time"),
    *("give", "give 2", "give 0 days", "give 1.5 days", "give -2 days", "give me 2 days"),
    *("give more time", "give Bob 2 days", "give 2 days to Bob", "give 2 stones", "give up"),
    *("ok", "I do not agree", "agree with Bob", "we agree", "abandon"),
    *("agree?", "agree or decline", "pause", "pause the clock", "I agree, good game"),
)


@pytest.mark.parametrize(
    ("wanted", "guess"), [(wanted, each) for wanted, guesses in GUESSES.items() for each in guesses]
)
def test_what_people_try(wanted: object, guess: str) -> None:
    assert commands(guess) == wanted
    assert commands(f"Hi,\n\n{guess}\n\nThanks\nAda") == wanted


@pytest.mark.parametrize("guess", NOT_UNDERSTOOD)
def test_what_is_refused_with_help(guess: str) -> None:
    assert isinstance(commands(guess), Unread)


@pytest.mark.parametrize("line", ["claim the win", "give 2 days", "agree", "agree to the pause"])
@pytest.mark.parametrize("more", ["R7@3", "claim 3", "say: sorry", "Your time is out!", "agree"])
def test_it_stands_alone(line: str, more: str) -> None:
    assert isinstance(commands(f"{line}\n{more}"), Unread)
    assert isinstance(commands(f"{more}\n{line}"), Unread)


@pytest.mark.parametrize("word", ["show", "help", "resign", "agree", "accept", "decline"])
def test_words_stand_alone_on_the_first_line(word: str) -> None:
    assert commands(f"{word.title()}.\n\n-- \nAda") == AskedWord(word)
    assert isinstance(commands(f"R7@3\n{word}"), Unread)
    assert isinstance(commands(f"please {word}"), Unread)


def test_a_name_comes_with_accept() -> None:
    assert commands("Accept as Ada L.") == AskedWord("accept", "Ada L.")


def test_nothing_is_found_in_nothing() -> None:
    assert commands("") == Empty()
    assert commands(quoted()) == Empty()


def test_flowed_lines_are_whole_again() -> None:
    assert commands("R7@3 \n!3\n> claim \n> 4\n", flowed=True) == WholeTurn(("R7@3", "!3"))
    assert commands("play R7 a \nt 3", flowed=True, delsp=True) == WholeTurn(("R7@3",))
    assert commands(" >R7@3\n R8@4", flowed=True) == WholeTurn(("R8@4",))


def test_an_openpgp_signature_is_no_line() -> None:
    signed = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n- -R1,JOK\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQ@3\n-----END PGP SIGNATURE-----\n"
    )
    assert commands(signed) == WholeTurn(("-R1,JOK",))


@settings(deadline=None)
@given(st.lists(st.sampled_from(["R7@3", "claim 3", "foo", "> R8@4", "", "show", "end"])))
def test_a_turn_holds_exactly_the_lines_that_were_written(lines: list[str]) -> None:
    found = commands("\n".join(lines))
    own = [line for line in lines if line and not line.startswith(">")]
    if isinstance(found, WholeTurn):
        assert len(found.actions) == len(own)
        assert "foo" not in own
        assert "show" not in own


@given(st.text(), st.booleans(), st.booleans())
def test_any_text_is_read_without_an_error(text: str, flowed: bool, delsp: bool) -> None:
    read_commands(read_lines(Text(text, flowed, delsp)).lines)


def test_many_replies_in_all_styles() -> None:
    """Each way to attribute, with each way to sign: as many as 400 mails."""
    for above, signature in itertools.product(ATTRIBUTIONS, SIGNATURES):
        raw = mail(f"G1@9 !2\n{SIGNATURES[signature]}\n\n{ATTRIBUTIONS[above]}\n{quoted()}\n")
        assert read_commands(read_lines(read(raw).body.text, KNOWN).lines) == PLAYED, (
            above,
            signature,
        )


def test_a_line_that_is_too_long_to_be_read_whole_is_no_command() -> None:
    for filling in (" ", "\u200d"):
        found = read_commands(
            read_lines(Text(f"resign{filling * 2500}, he said, but I do not.")).lines
        )
        assert isinstance(found, Unread)
