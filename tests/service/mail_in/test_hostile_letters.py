"""Letters in which somebody hides what would take a turn back, or what would be one."""

from email.message import EmailMessage

import pytest

from service.mail_in.sentences import PASSED_ON
from tests.mail.position import Position, Positions
from tests.service.mail_in.letter_situations import ADA
from tests.workers.mail.correspondence import text_of


def label_of(
    position: Position, text: str, page: str | None = None, subject: str = "Re: Scottenbury"
) -> str:
    """Hand in a letter of Ada's with this text, and what is `page` of it as HTML."""
    message = EmailMessage()
    message["From"], message["To"] = f"Ada King <{ADA}>", str(position.answered["Reply-To"])
    message["Subject"], message["Message-ID"] = subject, "<hostile@example.org>"
    message.set_content(text)
    if page is not None:
        message.set_content(page, subtype="html")
    label = position.hand_in(str(position.answered["Reply-To"]), ADA, message.as_bytes())
    assert bool(position.played()) == (label == "played")
    return label


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Do Not", "do not play R7 at 3"),
        ("Do Not", "play R7 at 3\n\nnot"),
        ("Wait", "play R7 at 3, wait"),
        ("Stop", "play R7 at 3\n\nhey stop"),
        ("Ignore That", "play R7 at 3\n\nIgnore that!"),
        ("Nicht", "R7 an 3 nicht"),
        ("取消", "play R7 at 3\n\n取消"),
        ("I Might", "I might play R7 at 3"),
        ("Should", "should I play R7 at 3"),
        ("If", "if I play R7 at 3"),
        ("Bob Played", "Bob played R7 at 3"),
        ("Old Thought", "Old thought R7 at 3"),
    ],
)
def test_the_name_of_the_other_player_hides_no_word(
    positions: Positions, name: str, text: str
) -> None:
    position = positions.put("open")
    position.context.container.players.rename(position.players["south"], name)
    assert label_of(position, text) == "refused"


@pytest.mark.parametrize(
    "name", ["Redo", "Undo", "Stop", "Wait", "Rewind", "Replay", "Pass", "Change", "Resign", "Draw"]
)
def test_a_name_that_takes_back_or_is_of_the_game_is_asked_about_behind_thanks(
    positions: Positions, name: str
) -> None:
    position = positions.put("open")
    position.context.container.players.rename(position.players["south"], name)
    assert label_of(position, f"play R7 at 3\n\nThanks {name}") == "refused"


@pytest.mark.parametrize(
    "line",
    [
        "I take that back",
        "redo",
        "Change that to B4",
        "make it 5",
        "I prefer the green one",
        "I resign",
        "Blue 4",
        "B4",
        "stop, that one is not mine",
    ],
)
def test_a_line_below_two_dashes_that_wants_another_turn_refuses_this_one(
    positions: Positions, line: str
) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\n-- \n{line}") == "refused"


@pytest.mark.parametrize(
    "line", ["claim 4", "say: I am not sure", "say: hello", "12 Mill Road, Leeds, LS1 4AP"]
)
def test_any_other_line_below_two_dashes_is_named_in_the_answer(
    positions: Positions, line: str
) -> None:
    position = positions.put("open")
    assert label_of(position, f"play R7 at 3\n\n-- \n{line}") == "played"
    answer = position.mails()[0].get_body(("plain",)).get_content()
    assert "Line 4: " in answer
    assert PASSED_ON not in answer


def test_lines_passed_over_are_named_in_their_order(positions: Positions) -> None:
    position = positions.put("open")
    signed = "-- \n12 Mill Road, Leeds, LS1 4AP\n020 7946 0000"
    assert label_of(position, f"play R7 at 3\n\n{signed}") == "played"
    answer = position.mails()[0].get_body(("plain",)).get_content()
    assert 0 < answer.index("Line 4: ") < answer.index("Line 5: ")


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Ada King · Ringstr. 5 · 0171 2223344", "played"),
        ("Ada King | www.example.org | +44 20 7946 0000", "played"),
        ("Ada King · Stone 5 · 0171 2223344", "refused"),
        ("Ada King · Ersatzplatz 4", "refused"),
        ("Ada King · im Mai · 0171 2223344", "refused"),
        ("Ada King · Misclick", "refused"),
        ("Ada King · G4 | 4", "refused"),
    ],
)
def test_a_signature_on_one_line_holds_nothing_but_its_parts(
    positions: Positions, line: str, label: str
) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\n-- \n{line}") == label


@pytest.mark.parametrize(
    "text",
    ["Hi Ben, R7 at 3", "Ben,\n\nR7 at 3", "R7 at 3, thanks Ben", "R7 at 3\n\nCheers Ben\nAda x"],
)
def test_the_other_player_may_be_greeted(positions: Positions, text: str) -> None:
    assert label_of(positions.put("open"), text) == "played"


@pytest.mark.parametrize("name", ["Redo", "Avoid", "Negative", "Von Wegen", "Bench"])
@pytest.mark.parametrize(
    "text",
    [
        "{}, R7 at 3",
        "R7 at 3, {}",
        "R7 at 3. {}!",
        "R7 at 3\n\nThanks. {}",
        "R7 at 3, please {}",
        "R7 at 3, best {}",
    ],
)
def test_only_a_greeting_makes_a_name_of_a_word(positions: Positions, name: str, text: str) -> None:
    position = positions.put("open")
    position.context.container.players.rename(position.players["south"], name)
    assert label_of(position, text.format(name)) == "refused"


@pytest.mark.parametrize(
    "line",
    [
        *("Avoid", "Too Bad", "Typo", "Ada Declines", "Tom Misclicked", "Ada\nApril Fool"),
        *("Morgen", "Alto", "Joke", "Will Redo", "Tom?", "Tom 3", "Dr.", "Red", "Tom: R3 at 4"),
    ],
)
def test_below_a_closing_only_names_are_passed_over(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\nCheers,\n{line}") == "refused"


@pytest.mark.parametrize(
    "line",
    [
        *("Wilhelmina", "tom", "DEREK", "Raj x", "Dr. Karl-Heinz King", "Mary Ann", "Moni :)"),
        *("LG Heike", "Liebe Grüße, Moni", "Groetjes, Marloes", "Un abrazo\nNuria", "Gr. Wim"),
    ],
)
def test_below_a_command_a_given_name_is_passed_over(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\n{line}") == "played"


@pytest.mark.parametrize(
    "text",
    [
        # A correction that looks like an address, a number or a title.
        *("play R7 at 3\nsorry\nR7 Lane 4\nAda", "R7 on 4\nsorry\nplace R3", "yes\nsorry\nLane 4"),
        *(
            "R7 at 3\nAnyway\nplace g4",
            "R7 auf 5\nSorry\nPlatz 3\nLG Ada",
            "R7 at 3\nAda\nSTR R7 3 5",
        ),
        *("R7 at 3\n\nAda\nPractice Run", "R7 at 3\nAda\nPark It", "R7 at 3\n\nThanks\nWeg"),
        *("R7 at 3\nAda\nR3 4TH", "R7 at 3\nThanks\nPlace G4, 4", "R7 at 3\nAda\nErsatzplatz 4"),
        *("R7 at 3\n3 ------- 4", "R7 at 3\n4 4 4 4 4", "24.12.2026\n\nplay R7 at 3\n\nAda"),
        # Another card or Stone, or a word of doubt, that is a name somewhere.
        *("R7 at 3\n\nPietra otto", "R7 at 3\n\nSten fem", "R7 at 3\n\nRossa tre", "R7 at 3\ntre!"),
        *("R7 at 3\nLeva!\nGrazie", "R7 a 3, grazie, leva", "R7 at 3\n\nGeri", "R7 at 3\n\nDursun"),
        *("R7 at 3\nsorry, Pietra otto!\nThanks, Ada", "R7 at 3\n\nUnknown", "R7 at 3\n\ndon t"),
        # Words of somebody else, or to them.
        *('"R7 at 3"\n- Tom', "«R7 at 3»\nTom", "play R7 at 3\n\nRegards,\nBen", "R7 at 3\n\nBen"),
        *("LG Heike\n\nR7 at 3\n\nLG Ada", "Thanks Tom,\n\nplay R7 at 3\n\nAda"),
        *("R7 at 3\n\nDear Heike,\n\nThanks", "R7 at 3\n\nYour move, Heike", "R7 at 3\n\nOpponent"),
        # Half a sentence.
        *("R7 at 3 and\nAda", "R7 at 3 and then\nTom", "R7 at 3 +\nTom", "R7 at 3, then\nTom"),
        *("R7 at 3 und dann\n\nLG Heike", "R7 at 3\nand\nTom", "R7 at 3, danach\nHeike"),
        # Doubts below two dashes.
        *("R7 at 3\n--\nmake that 4", "R7 at 3\n--\nonly joshing", "R7 at 3\n--\nIn theory"),
        *("R7 at 3\n--\nSleep on it", "R7 at 3\n--\nBen wrote this", "R7 at 3\n-- \nnext week"),
        *(
            "R7 at 3\n-- \nR3 there",
            "R7 at 3\n-- \nfour",
            "R7 at 3\n-- \nj/k",
            "R7 at 3\n-- \nim Mai 2027",
        ),
        *("R7 at 3\n-- \nMisclick", "R7 at 3\n-- \nUnter Vorbehalt", "R7 at 3\n-- \nHm, hm"),
        *("R7 at 3\n-- \nG4@4", "yes\n\n-- \nG4 at 4", "R7 at 3\n-- \nGrön fyra på sten fyra"),
        # A play that comes after something else.
        *("Talk tomorrow. Then I'll play R7 at 3.", "See you on Sunday. R7 at 3 then."),
        *("Your turn! Then I'll play R7 at 3.", "I'm off to the dentist, then R7 at 3."),
        *("Bis Sonntag! Dann R7 auf 3.", "À demain. Puis R7 en 3", "A dopo. Poi gioco R7 a 3."),
        # A letter to the writer.
        *("Hi Ada,\n\nR7 at 3\n\nLove Tom", "Hey Ada\n\nlay R7 at 3\n\nCheers\nDerek"),
        *("Hi Ada, please play R7 at 3 for me. Thanks, Heike", "Ada,\n\nR7 at 3\n\nTom"),
        *("R7 at 3. Your turn, Ada!", "R7 at 3\n\nYours sincerely, Ben", "Hi Ada,\n\nyes\n\nTom"),
        *(
            "Good morning Ada!\n\nPlease play R7 at 3.\n\nThank you\nIngrid",
            "Ada, R7 at 3\n\nLG Heike",
        ),
        *("Thanks Ada!\n\nR7 at 3\n\nTom", "Ada, sorry for the delay.\n\nR7 at 3\n\nTom"),
        # A turn that is announced, and missing.
        *("R7 auf 3. Guter Zug! Hier meiner:", "R7 at 3. Nice move. Here's mine"),
        *(
            "R7 at 3. My move:",
            "R7 at 3 - ouch. Here's my move:\n\nAda",
            "R7 en 3. Joli coup. À moi",
        ),
        *("What a move, R7 at 3!", "R7 at 3. And ...", "R7 at 3. Then\nAda"),
        # Messages and marked lines that take it back.
        "R7 at 3\nsay: sorry, that was a typo, I meant G4 at 4",
        *("R7 at 3\nsay: wait, not this one", "R7 at 3\n\n> make that 4 please"),
    ],
)
def test_what_stands_beside_a_turn_may_say_no(positions: Positions, text: str) -> None:
    situation = "asked" if "yes" in text else "open"
    assert label_of(positions.put(situation), text) == "refused"


@pytest.mark.parametrize(
    "text",
    [
        *("R7 at 3 then", "Right then. R7 at 3", "R7 at 3, thanks Tom", "Then I'll play R7 at 3."),
        *("Here's mine:\nR7 at 3", "Nice move!\nR7 at 3", "Hi Scottenbury,\n\nR7 at 3"),
    ],
)
def test_what_says_no_such_thing_is_played(positions: Positions, text: str) -> None:
    assert label_of(positions.put("open"), text) == "played"


@pytest.mark.parametrize("subject", ["NOT YET", "only joking", "noch nicht spielen"])
def test_a_subject_of_the_writer_s_own_may_say_no(positions: Positions, subject: str) -> None:
    assert label_of(positions.put("open"), "R7 at 3", subject=subject) == "refused"


def test_a_mail_to_somebody_else_is_asked_about(positions: Positions) -> None:
    assert label_of(positions.put("open"), "Hi Wilhelmina,\n\nplay R7 at 3\n\nAda") == "refused"


@pytest.mark.parametrize(
    "line",
    [
        *("Industriestr. 7, 26121 Oldenburg", "14 Beech Close", "Ludlow SY8 1XX"),
        *(
            "Pringle & Marsh Roofing Ltd",
            "T: 01986 555 178  M: 07700 900347",
            "Tél. : 01 55 55 01 72",
        ),
        *("Responsable achats", "Hon. Secretary, Wenlow Bowls Club", "Tel. 0441 5550 23"),
    ],
)
def test_below_a_name_firms_and_addresses_are_passed_over(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\nAda\n{line}") == "played"


@pytest.mark.parametrize(
    "line",
    [
        *("R3 at 4, Beech Close", "Stone 4 SY8 1XX", "26121 Changed", "Not Ludlow SY8 1XX"),
        *("T: R3 at 4", "Close 4!", "Ludlow SY8 1XX?"),
    ],
)
def test_a_command_is_no_address(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\nAda\n{line}") == "refused"


@pytest.mark.parametrize("line", ["Ada", "ada king", "Ada x", "A.", "A. K.", "AK", "A xx", "x"])
def test_below_a_closing_the_writer_s_name_is_passed_over(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\nCheers,\n{line}") == "played"


@pytest.mark.parametrize("praise", ["Best move:", "Your move:", "Nice move", "Love", "Yours"])
def test_praise_of_a_move_does_not_play_it(positions: Positions, praise: str) -> None:
    assert label_of(positions.put("open"), f"{praise} R7 at 3") == "refused"


@pytest.mark.parametrize(
    "line",
    [
        *("Nevermind", "NVM", "Strike That", "Retracted", "Cancelling", "Postponed", "Oups"),
        *("Rückgängig", "Widerruf", "Annulé", "Anulado", "Geannuleerd", "Cofam", "Zrušeno"),
        *("Отменяю", "Ακυρώνω", "Vazgeç", "Ångrar", "Peruutan", "Visszavonom", "Renunț"),
        *("Claim Three", "Draw Tactic", "Resign", "Pass", "Help"),
    ],
)
def test_a_command_or_a_word_of_taking_back_is_no_name(positions: Positions, line: str) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\nThanks\n{line}") != "played"


@pytest.mark.parametrize(
    "line",
    [
        *("Claim 3", "!3", "G4@4", "PLAY G4 AT 4", "SORRY G4@4", "PS | play G4 at 4 | ok"),
        *("STRIKE THAT", "NEVERMIND", "REVERT PLEASE", "Please | remove this turn"),
    ],
)
def test_a_command_or_a_word_of_taking_back_is_no_title(positions: Positions, line: str) -> None:
    text = f"play R7 at 3\n\nRegards,\nAugusta\n{line}"
    assert label_of(positions.put("open"), text) != "played"


_TAKEN_BACK = "<p>Wait, I changed my mind.</p>"
_PICTURE = f"<img src='data:image/png;base64,{'A' * 6000}'>"


@pytest.mark.parametrize(
    "below",
    [
        f"{_PICTURE}{_TAKEN_BACK}",
        f'<p style="{"a:b;" * 1500}">more</p>{_TAKEN_BACK}',
        f"{'<i></i>' * 40_000}{_TAKEN_BACK}",
        f"<noscript>{_TAKEN_BACK}</noscript>",
        f"<details open>{_TAKEN_BACK}</details>",
        f"<object>{_TAKEN_BACK}</object>",
        f"<div style='display:none;display:block'>{_TAKEN_BACK}</div>",
        f"<div style='font-size:0'><p style='font-size:14px'>{_TAKEN_BACK}</p></div>",
        f"<div style='visibility:hidden'><p style='visibility:visible'>{_TAKEN_BACK}</p></div>",
        f"<div style='color:transparent'><p style='color:black'>{_TAKEN_BACK}</p></div>",
    ],
)
def test_no_html_hides_that_a_turn_is_taken_back(positions: Positions, below: str) -> None:
    page = f"<p>play R7 at 3</p>{below}"
    assert label_of(positions.put("open"), "play R7 at 3", page) == "refused"


def test_a_picture_within_the_text_does_no_harm(positions: Positions) -> None:
    page = f"<p>play R7 at 3</p>{_PICTURE}<p>Thanks</p>"
    assert label_of(positions.put("open"), "play R7 at 3", page) == "played"


def test_a_file_shown_in_the_text_hides_no_word(positions: Positions) -> None:
    position = positions.put("open")
    message = EmailMessage()
    message["From"], message["Subject"], message["Message-ID"] = ADA, "Re: x", "<f@example.org>"
    message.set_content("play R7 at 3")
    message.add_attachment("Wait!", disposition="inline", filename="ATT00001.txt")
    address = str(position.answered["Reply-To"])
    assert position.hand_in(address, ADA, message.as_bytes()) == "refused"
    assert not position.played()


@pytest.mark.parametrize("quoted", ["> Wait, I changed my mind.", "> not yet", "> R7\n> nein"])
def test_what_is_taken_back_within_marks_that_nobody_explains_is_the_writers_own(
    positions: Positions, quoted: str
) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\n\n{quoted}") == "refused"


def test_our_own_mail_within_such_marks_takes_nothing_back(positions: Positions) -> None:
    position = positions.put("open")
    text = position.answered.get_body(("plain",))
    assert text is not None
    marked = "\n".join(f"> {line}" for line in text.get_content().split("\n"))
    assert label_of(position, f"play R7 at 3\n\n{marked}") == "played"


NO = "No wait, ignore that, I changed my mind!"
HEAD = "On Tue, 24 Nov 2026, Scottenbury <scottenbury@play.example.org> wrote:"


@pytest.mark.parametrize(
    "above",
    [
        f"{HEAD}\n" + "> Ann played O4 on Stone 9. It is your turn.\n" * 2100,
        "\n" * 2100,
        (" " * 1800 + "\n") * 40,
        f"{HEAD}\n> " + "word " * 14_000,
        f"-- \n{HEAD}\n" + ">\n" * 2100,
    ],
)
def test_no_length_hides_that_a_turn_is_taken_back(positions: Positions, above: str) -> None:
    position = positions.put("open")
    assert label_of(position, f"play R7 at 3\n\n{above}\n{NO}") == "refused"
    assert "[cut off]" in position.mails()[0].get_body(("plain",)).get_content()


@pytest.mark.parametrize("count", [3000, 80_000])
def test_no_number_of_breaks_does(positions: Positions, count: int) -> None:
    page = f"<p>play R7 at 3</p>{'<br>' * count}<p>{NO}</p>"
    assert label_of(positions.put("open"), "play R7 at 3", page) == "refused"


def copy_of(position: Position, *, insert: str = "", below: str = "") -> str:
    """What Outlook writes below an answer, with a line inserted or below it."""
    head = (
        "-----Original Message-----\nFrom: Scottenbury <scottenbury@play.example.org>\nSent:"
        f" Tuesday, November 24, 2026 4:00 AM\nTo: Ada\nSubject: {position.answered['Subject']}"
    )
    text = position.answered.get_body(("plain",)).get_content().split("\n")
    return "\n".join([head, "", *text[:4], "", insert, "", *text[4:], "", below])


@pytest.mark.parametrize(
    "said",
    [
        *(NO, "Scratch that", "I changed my mind", "undo", "No wait", "no!", "Nein, doch nicht"),
        *("wait", "Attends", "not yet", "Please wait."),
    ],
)
@pytest.mark.parametrize("place", ["insert", "below"])
def test_a_copy_without_marks_hides_no_word(positions: Positions, place: str, said: str) -> None:
    position = positions.put("open")
    text = f"play R7 at 3\n\n{copy_of(position, **{place: said})}"
    assert label_of(position, text) == "refused"
    assert said[:7] in text_of(position.mails()[0])


def test_the_copy_alone_takes_nothing_back(positions: Positions) -> None:
    position = positions.put("open")
    assert label_of(position, f"play R7 at 3\n\n{copy_of(position)}") == "played"


@pytest.mark.parametrize("said", ["", NO])
def test_a_quotation_in_html_hides_no_word(positions: Positions, said: str) -> None:
    position = positions.put("open")
    quoted = position.answered.get_body(("html",)).get_content()
    page = f"<p>play R7 at 3</p><p>{HEAD}</p><blockquote>{quoted}<p>{said}</p></blockquote>"
    assert label_of(position, "play R7 at 3", page) == ("refused" if said else "played")


@pytest.mark.parametrize(
    "comment",
    [
        "<!--[if mso]><p>No wait</p><![endif]-->",
        "<!--><p>No wait</p><!-- -->",
        "<!-- a --!><p>No wait</p><!-- -->",
    ],
)
def test_no_comment_in_html_hides_a_word(positions: Positions, comment: str) -> None:
    page = f"<p>play R7 at 3</p>{comment}"
    assert label_of(positions.put("open"), "play R7 at 3", page) == "refused"


def test_the_settings_that_outlook_writes_take_nothing_back(positions: Positions) -> None:
    settings = (
        "<!--[if gte mso 9]><xml><w:LidThemeAsian>X-NONE</w:LidThemeAsian></xml><![endif]-->"
        "<!--[if !mso]><style>v\\:* {behavior:url(#default#VML); border:none}</style><![endif]-->"
    )
    page = f"{settings}<p>play R7 at 3</p>"
    assert label_of(positions.put("open"), "play R7 at 3", page) == "played"


@pytest.mark.parametrize("said", ["No wait", "See you"])
@pytest.mark.parametrize(
    ("kind", "disposition"),
    [
        *(("markdown", "inline"), ("enriched", "inline"), ("x-note", "inline")),
        *(("rtf", "inline"), ("calendar", "inline"), ("plain", "attachment")),
    ],
)
def test_a_part_that_only_some_programs_show_hides_no_word(
    positions: Positions, kind: str, disposition: str, said: str
) -> None:
    position = positions.put("open")
    message = EmailMessage()
    message["From"], message["Subject"], message["Message-ID"] = ADA, "Re: x", "<k@example.org>"
    message.set_content("play R7 at 3")
    message.add_attachment(said, subtype=kind, disposition=disposition)
    label = position.hand_in(str(position.answered["Reply-To"]), ADA, message.as_bytes())
    assert label == ("refused" if said == "No wait" else "played")


@pytest.mark.parametrize("said", ["never mind, not that one", "nevermind", "not that one"])
def test_a_message_that_takes_the_turn_back_is_not_passed_on(
    positions: Positions, said: str
) -> None:
    assert label_of(positions.put("open"), f"play R7 at 3\nsay: {said}") == "refused"
