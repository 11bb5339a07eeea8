"""Confirmations are read with the courtesies that people write around them, and never where they
are denied, doubted or put off."""

from dataclasses import replace

import pytest

from letters.commands import Empty, TakenBack, Unread, WholeTurn
from letters.days import Day
from letters.grammar import Gift
from letters.letter import read_letter
from letters.mail.quotation import SentWords
from letters.wishes import AskedWord, TakeVacation
from service.mail_in.message import read
from tests.letters.reading import FACTS, letter
from tests.service.mail_in.replies import mail

CONFIRMATIONS = {
    **dict.fromkeys(("accept", "accepte", "annehmen"), "accept"),
    **dict.fromkeys(("rematch", "revanche"), "rematch"),
    **dict.fromkeys(("yes", "oui", "ja"), "yes"),
}
AROUND = (
    *("{}!", "Hi, {}", "Hi Ben, {}.", "Hello! {}", "Bonjour Ben, {}", "Hallo Ben, {}, danke!"),
    *("{} Ada", "{}, Ada", "{}. Thanks, Ada", "Hi Ben,\n\n{}\n\nBest regards\nAda Lovelace"),
    *("{}\n\nThank you so much for the invitation!\n\nAda", "Thanks for the invitation!\n\n{}"),
    *("{}! Looking forward to it.", "With pleasure!\n{}", "Good game!\n\n{}\n\nAda"),
    *("Hallo Ben,\n\ndanke für die Einladung!\n{}\n\nLiebe Grüße\nAda", "{}\nIch freue mich!"),
    *("Bonjour,\n\nmerci pour l'invitation !\n{}\n\nÀ bientôt\nAda", "{}, avec plaisir !"),
    *("Morning, Ben. {}", "Gut gespielt! {}", "Bien joué ! {}", "Thanks Ben. {}"),
    *("{}\n\nSent from my iPhone", "{}\n\n-- \nAda Lovelace\n12 Main Street"),
)
ORIGINAL = "> Ben invites you to a game of Schotten Totten.\n> Answer “accept” or “decline”.\n"
HEADS = (
    *("On Sun, Ben wrote:", "On Sunday Ben wrote:", "On Sun, Ben invites you\nwrote:"),
    *("Am So schrieb Ben:", "Am Sonntag schrieb Ben:", "Am So., schrieb Ben\nKing:"),
    *("Le dim. Ben a écrit :", "Le dimanche, Ben\na écrit :"),
)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("word", CONFIRMATIONS)
def test_courtesies_around_it(word: str, around: str) -> None:
    assert letter(around.format(word)).answer == AskedWord(CONFIRMATIONS[word])


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Hello!\n\nyes, that is my address, thank you.\n\nBest wishes\nAda", "en"),
        ("Yes, it's my e-mail address", "en"),
        ("Ja, das ist meine Adresse, danke!", "de"),
        ("Oui, c’est bien mon adresse, merci", "fr"),
    ],
)
def test_a_yes_that_says_what_is_confirmed(said: str, language: str) -> None:
    answer = letter(said).answer
    assert isinstance(answer, AskedWord)
    assert (answer.word, answer.language) == ("yes", language)


def test_a_denial_confirms_no_address() -> None:
    for said in ("No, that's not my address", "Yes, that is not my address", "My address"):
        assert not isinstance(letter(said).answer, AskedWord)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("word", CONFIRMATIONS)
def test_a_quoted_original_below_a_short_head(word: str, head: str) -> None:
    for gap in ("\n", "\n\n"):
        text = f"{word}\n\nThanks,\nAda\n\n{head}{gap}{ORIGINAL}"
        assert letter(text).answer == AskedWord(CONFIRMATIONS[word])


def test_such_a_head_alone_quotes_nothing() -> None:
    assert isinstance(letter("accept\nOn Sunday Ben wrote: he is away").answer, Unread)
    assert isinstance(letter("accept\nOn Sunday Ben wrote:\nhe is away").answer, Unread)
    assert letter(f"On Sun, Ben wrote:\n{ORIGINAL}").answer == Empty()


@pytest.mark.parametrize(
    ("said", "word"),
    [
        *((said, "accept") for said in ("I accept", "I accept!", "Yes, I accept.", "OK, accept")),
        *((said, "accept") for said in ("I gladly accept", "I'd love to accept, thanks")),
        *((said, "accept") for said in ("I accept the invitation", "I accept your challenge.")),
        *((said, "accept") for said in ("J'accepte avec plaisir !", "J'accepte ton invitation")),
        *((said, "accept") for said in ("Ich nehme gerne an", "Ich nehme deine Einladung an")),
        *((said, "rematch") for said in ("Yes, rematch please", "I'd like a rematch, please")),
        *((said, "rematch") for said in ("Rematch?", "A rematch?", "How about a rematch?")),
        *((said, "rematch") for said in ("Rematch??", "Rematch?!")),
        *((said, "rematch") for said in ("Revanche ?", "Une revanche ?", "Je veux une revanche")),
        *((said, "rematch") for said in ("Revanche?", "Revanche bitte", "Ich will eine Revanche")),
        *((said, "yes") for said in ("Yes, I'm sure", "Yes, that's right.", "yes, go ahead")),
        *(
            (said, "yes")
            for said in ("Yes, Ben!", "Oh yes!", "Yes, I'd love to!", "Yes, really", "Ja klar!")
        ),
        *((said, "yes") for said in ("Ja, wirklich", "Oui, je confirme.", "Good game! Yes")),
        *((said, "accept") for said in ("I accept, Ben", "Ja, ich nehme die Einladung an")),
        *((said, "no") for said in ("No, Ben", "Nein, leider nicht", "Non, désolée")),
        *((said, "decline") for said in ("I decline", "I decline the invitation, sorry")),
        *((said, "decline") for said in ("Je décline l'invitation", "Ich lehne leider ab")),
        *(
            (said, "resign")
            for said in ("Yes, I want to resign", "Ja, ich gebe auf", "yes, resign")
        ),
        *(
            (said, "yes")
            for said in ("Ja, gerne!", "Ja, genau", "Oui, bien sûr", "Oui, volontiers")
        ),
        *((said, "yes") for said in ("Ja, genau so!", "Yes, exactly!", "Yes, exactly so.")),
        *((said, "yes") for said in ("Yes, that's what I meant", "Ja, das meine ich", "ja genau")),
        *((said, "yes") for said in ("Oui, c'est ça !", "Oui, c'est bien ça", "Oui, exactement")),
        *((said, "yes") for said in ("Yes, that one. Thanks!", "Yes please, exactly that one.")),
        *(
            (said, "yes")
            for said in ("Yes, please do!", "Please do.", "Go ahead!", "That's right.")
        ),
        *((said, "yes") for said in ("Ja, die meinte ich. Danke!", "Ja, mach das bitte", "Genau!")),
        *((said, "yes") for said in ("Oui, celle-là. Merci !", "Exactement, merci !", "C'est ça")),
        *(
            (said, "accept")
            for said in ("Na klar, ich nehme an! Los geht's.", "How kind! I accept")
        ),
        *((said, "accept") for said in ("Quelle bonne idée ! J'accepte.", "OK, ich nehme an")),
        *((said, "rematch") for said in ("Schade, aber kein Problem! Revanche?",)),
        *((said, "accept") for said in ("gerne, ich nehme an!", "Gern, ich nehme an. Danke!")),
        *(
            (said, "accept")
            for said in (
                "Sure, with pleasure.\nYes, I accept.",
                "Das passt mir gut!\nJa, ich nehme an.",
            )
        ),
        *((said, "accept") for said in ("Sure, with pleasure! I accept.", "Ça me va ! J'accepte.")),
        *(
            (said, "rematch")
            for said in (
                "Congratulations! Rematch?",
                "Glückwunsch! Revanche?",
                "Félicitations ! Une revanche ?",
            )
        ),
    ],
)
def test_whole_sentences(said: str, word: str) -> None:
    assert letter(said).answer == AskedWord(word)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "said",
    [
        *("I don't accept", "I do not accept.", "I can't accept", "Accept? No.", "accept?"),
        *("accept if you play slowly", "I accept, if Ben agrees", "accept unless it is rated"),
        *(
            "I'd accept, but not this week",
            "I will accept tomorrow",
            "Maybe accept",
            "please accept",
        ),
        *(
            "accept\nNo, wait",
            "accept\n\nActually, not yet.",
            "Should I accept?",
            "yes?",
            "Yes, but",
        ),
        *("no rematch please", "No rematch.", "rematch? No!", "rematch, but not now", "Not yes"),
        *("rematch tomorrow", "I'd like a rematch some day", "rematch if you want", "No yes"),
        *(
            "Do you want a rematch",
            "Ben wants a rematch",
            "Ben, accept",
            "Ada, accept",
            "Hi Ada, yes",
        ),
        *(
            "Je n'accepte pas",
            "J'accepte si tu joues vite",
            "Pas de revanche",
            "oui, mais plus tard",
        ),
        *("Ich nehme nicht an", "annehmen, wenn du willst", "keine Revanche", "ja, aber später"),
        *("accepte ?", "oui ?", "ja?", "annehmen?", "ich nehme an, du kommst", "Ich nehme an"),
        *("Das passt mir nicht gut! Annehmen", "Sure, with pleasure, but next week. I accept."),
        *("Congratulations? Accept", "Congratulations on nothing! Rematch?"),
        *("I accept that you won", "I accept defeat", "yes and no", "accept or decline"),
    ],
)
def test_denied_doubted_or_conditional(said: str) -> None:
    for text in (said, f"Hi Ben,\n\n{said}\n\nThanks!\nAda"):
        assert isinstance(letter(text).answer, Unread | TakenBack)


@pytest.mark.parametrize(
    "said",
    [
        "accept as Cy",
        "accept as Cy.",
        "Hi Ben, accept as Cy",
        "accept as Cy, thanks!",
        "accept as Cy\nLooking forward to it!",
        *("Yes, accept as Cy", "I accept as Cy", "accept as Cy\n\nThanks\nCy"),
        *("Das passt mir gut! Annehmen als Cy", "Sure, with pleasure. Accept as Cy"),
        *("gerne! annehmen als Cy", "Gerne annehmen als Cy", "Ich nehme gerne an als Cy"),
        *("accept as Cy please", "accept as Cy :)", "accept as “Cy”", "annehmen als 'Cy'"),
    ],
)
def test_the_name_ends_where_courtesies_begin(said: str) -> None:
    assert letter(said).answer == AskedWord("accept", "Cy")


@pytest.mark.parametrize(
    "name",
    [
        *("Night Owl", "The Duke", "Never Mind", "No One", "Long", "Mai", "jean de la tour"),
        *("Dr. Cy", "J. R. Smith", "Cy Smith, Jr", "O'Brien", "Anna-Lena", "Bob 2", "P!nk"),
    ],
)
def test_all_kinds_of_names(name: str) -> None:
    assert letter(f"accept as {name}").answer == AskedWord("accept", name)


@pytest.mark.parametrize(
    "said",
    [
        *("as soon as possible", "as long as it is unrated", "as usual", "as is", "as promised"),
        *("as Cy after Christmas", "as Cy in March", "as Cy from Monday", "as cy vielleicht"),
        *("as I am free", "as I'm bored", "as Ben suggested", "as quickly as you can"),
        *("AS LONG AS WE PLAY SLOWLY", "as agreed on Sunday", "as you like", "as a favour"),
        *("as Cy, but not this week", "as Cy. Only if unrated", "as Cy unless it is rated"),
        *("as Cy? No!", "as Cy... no wait", "as Cy - once I am back", "as Cy (not now)"),
        "as :)",
        *("as Cy and thanks for the invitation", "as Cy when I'm back", "as Cy. It rains."),
    ],
)
def test_what_is_no_name_is_no_consent(said: str) -> None:
    assert isinstance(letter(f"accept {said}").answer, Unread)


@pytest.mark.parametrize(
    "said",
    [
        *("accepte comme prévu", "j'accepte comme Cy, mais pas cette semaine"),
        *("j'accepte comme toujours", "annehmen als Cy, aber nicht diese Woche"),
        "ich nehme an als Cy wenn du langsam spielst",
    ],
)
def test_nor_in_other_languages(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    "said",
    [
        *("Yes, we had a lovely weekend", "Yes, all is well here!", "Yes. It's raining here."),
        *(
            "Yes, I know",
            "Yes,\nwe had a lovely weekend",
            "Oh no, I was ill",
            "PS: yes, we had guests",
        ),
        *("Yes.\nIt's raining here.", "No\nI was ill", "Yes!\nAll is well here.\n\nAda"),
        *("Well played, yes", "Gut gespielt, ja!", "Bien joué, oui", "Nice move, no"),
        *("Yes, that was a good move!", "Yes, you play well", "Ja, das war ein guter Zug"),
    ],
)
def test_yes_and_no_to_what_somebody_else_asked(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("vielen Dank für die Einladung, ich bin gern dabei!", AskedWord("accept")),
        ("danke! Ich nehme die Einladung gerne an.\n\nannehmen als Bo", AskedWord("accept", "Bo")),
        ("Ja, sehr gerne!\n\naccept as Bo", AskedWord("accept", "Bo")),
        ("I accept the invitation.\naccept as Bo\n\nThanks!", AskedWord("accept", "Bo")),
        ("Ja, sehr gerne! Ich freue mich drauf. Bis gleich", AskedWord("yes")),
        ("Ja, sehr gerne!\n\nBis gleich\nAda", AskedWord("yes")),
        ("Thanks for the rematch, I'm in! See you in a bit", AskedWord("accept")),
        ("Danke für die Revanche, ich bin dabei!", AskedWord("accept")),
        ("Danke für die Einladung! Ich nehme sie gerne an.", AskedWord("accept")),
        ("I accept the rematch, thanks!", AskedWord("accept")),
        ("Merci, j'accepte ta revanche !", AskedWord("accept")),
        ("Oui, avec plaisir ! À tout à l'heure", AskedWord("yes")),
    ],
)
def test_sentences_that_accept_agree_with_the_command(said: str, wanted: AskedWord) -> None:
    assert letter(said).answer == wanted


@pytest.mark.parametrize(
    "said",
    [
        *("accept as Bo\naccept as Cy", "I accept.\ndecline", "no\naccept as Bo"),
        *("Ich bin nicht dabei\nannehmen als Bo", "annehmen als Bo\nwenn Cy nicht mag"),
        *("yes\naccept as Bo\n?", "ich bin gern dabei, wenn du willst"),
    ],
)
def test_sentences_that_do_not_agree_accept_nothing(said: str) -> None:
    assert not isinstance(letter(said).answer, AskedWord)


@pytest.mark.parametrize("said", ["{}\n\n?", "? {}!", "Hi Ben\n?\n{}", "{} ?!"])
@pytest.mark.parametrize("word", ["accept", "yes", "decline"])
def test_a_question_mark_alone_doubts_beside_small_talk_too(word: str, said: str) -> None:
    text = f"It's raining here.\n\n{said.format(word)}"
    assert isinstance(letter(text).answer, Unread)


def test_no_word_below_two_dashes_is_read_beside_small_talk() -> None:
    for word in CONFIRMATIONS:
        assert letter(f"Lovely weather here.\n\n-- \nAda\n{word}").answer == Empty()


@pytest.mark.parametrize(
    "head",
    [
        *("On Sunday evenings only, as Ben wrote:", "On Monday to Friday only, as you\nwrote:"),
        *("Am Sonntag nur, wie Ben schrieb:", "Le dimanche seulement, comme Ben a écrit :"),
    ],
)
def test_a_sentence_above_a_quotation_is_no_head(head: str) -> None:
    assert isinstance(letter(f"accept\n\n{head}\n> Shall we?").answer, Unread)


BROKEN = "> That was fun, and I never thought that anybody here would say"


@pytest.mark.parametrize("word", [*CONFIRMATIONS, "give 2 days", "resign", "vacation until 3 Jan"])
def test_the_end_of_a_quoted_line_that_was_broken_again(word: str) -> None:
    assert isinstance(letter(f"Thanks!\n\n{BROKEN}\n{word}\n> to me.").answer, Unread)
    sent = SentWords.of(f"Ben says: that was fun, shall we? I thought so, {word}.")
    said = f"> Ben says: that was fun, shall we? I thought so,\n{word}."
    body = read(mail(said)).body
    assert isinstance(read_letter(body, "", replace(FACTS, sent=sent)).answer, Unread)


@pytest.mark.parametrize("word", CONFIRMATIONS)
def test_an_answer_right_below_a_quoted_question(word: str) -> None:
    for above in ("> Do you really want to end the game now, and without a winner?", "> Well"):
        assert letter(f"{above}\n{word}").answer == AskedWord(CONFIRMATIONS[word])


@pytest.mark.parametrize(
    "said",
    [
        *("Hi Ben, resign!", "Hello Ben, give 2 days", "Hallo Ben, aufgeben", "resign, Ben"),
        *("accept, Ben", "Ben, accept", "Well played. Resign!"),
    ],
)
def test_what_the_other_player_is_told_to_do(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize("said", ["Hi Ben, I resign", "Hallo Ben, ich gebe auf"])
def test_what_the_writer_does(said: str) -> None:
    assert letter(said).answer == AskedWord("resign")


def test_a_gift_behind_a_greeting() -> None:
    assert letter("Hi Ben, I give 2 days").answer == Gift(2 * 86_400)
    assert letter("Hi Ben,\n\ngive 2 days").answer == Gift(2 * 86_400)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        *(
            (said, AskedWord("rematch"))
            for said in ("rematch", "Revanche!", "Good game!\n\nRematch?")
        ),
        *((said, AskedWord("resign")) for said in ("I resign.", "Hallo Ben, ich gebe auf.")),
        *((said, AskedWord("yes")) for said in ("yes", "Ja!")),
        ("offer an end", AskedWord("offer an end")),
        ("vacation until 24 Dec", TakeVacation(None, Day(12, 24))),
        ("give 2 days", Gift(2 * 86_400)),
    ],
)
def test_a_message_may_stand_below_other_commands_than_a_turn(
    said: str, wanted: AskedWord | Gift | TakeVacation
) -> None:
    read = letter(f"{said}\n\nsay: that was quick!\nsag: Bis bald")
    assert (read.answer, read.message) == (wanted, "that was quick!\nBis bald")
    for more in ("say: hi\nR7@3", "R7@3\nsay: hi", "no\nsay: hi", "say: ignore this mail"):
        unclear = letter(f"{said}\n{more}")
        assert isinstance(unclear.answer, Unread | TakenBack)


def test_and_below_what_accepts() -> None:
    read = letter("accept as Cy\nsay: hi")
    assert (read.answer, read.message) == (AskedWord("accept", "Cy"), "hi")
    read = letter("Hi Ben,\n\nyes, I'd love to play!\n\nsay: hello\n\nAda")
    assert (read.accepted, read.message) == (AskedWord("accept"), "hello")


def test_no_word_of_a_message_is_a_command() -> None:
    read = letter("What a game that was\nsay: well, rematch, rematch!")
    assert (read.among, read.resigns) == (None, False)


@pytest.mark.parametrize("above", ["R7@3", "rematch", "accept as Cy"])
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("say: Well played!\nI am so happy today.", "Well played!\nI am so happy today."),
        (
            "say: that was such a lovely evening with all of you, and I\nhope to see you again.",
            "that was such a lovely evening with all of you, and I hope to see you again.",
        ),
        (
            "Nachricht: Das war ein schöner Abend mit euch allen, und ich\nfreue mich auf mehr.",
            "Das war ein schöner Abend mit euch allen, und ich freue mich auf mehr.",
        ),
        ("say: Salut\nici il pleut\net chez toi ?\n\nAda", "Salut\nici il pleut\net chez toi ?"),
        ("say: hi\nhow are you?\nsay: bye", "hi\nhow are you?\nbye"),
        ("say: hi\nhow are you?\n-- \nAda Lovelace", "hi\nhow are you?"),
        ("say: hello\nGood luck!", "hello\nGood luck!"),
        ("say: hello\nHave fun!\nhow are you?", "hello\nHave fun!\nhow are you?"),
        ("sag: hallo\nViel Glück!\n\nLiebe Grüße\nAda", "hallo\nViel Glück!"),
        ("say: hello\n\nGood luck!", "hello"),
        ("say: hello\nBest wishes\nAda", "hello"),
    ],
)
def test_a_message_goes_on_below_its_first_line(above: str, said: str, message: str) -> None:
    read = letter(f"{above}\n{said}")
    turn = read.answer if isinstance(read.answer, WholeTurn) else None
    assert (turn.message if turn else read.message) == message


@pytest.mark.parametrize("above", ["R7@3", "rematch"])
@pytest.mark.parametrize(
    "below",
    [
        *(
            "wait",
            "or not",
            "actually no",
            "claim 3",
            "B4@6",
            "pass",
            "resign",
            "and claim it too.",
        ),
        *("play the red 7 at 3", "put blue 4 to the sixth", "unless you mind.", "ignore this."),
        *("\nThe club is closed.", "Jon Snow, Glasgow", "12 Main Street", "lieber doch anders."),
    ],
)
def test_what_may_be_meant_for_us_is_no_message(above: str, below: str) -> None:
    read = letter(f"{above}\nsay: hi\n{below}")
    assert isinstance(read.answer, Unread | TakenBack), read


@pytest.mark.parametrize(
    "said",
    [
        "Sure, agreed, enjoy your holiday!",
        "Agreed! Have a lovely time.",
        "Yes, I agree. Enjoy your holiday, Ben!",
        "Hi Ben,\n\nsure, agreed.\n\nAda",
        "Klar, einverstanden, viel Spaß!",
        "Einverstanden, schöne Ferien!",
        "Bien sûr, d'accord, bonnes vacances !",
    ],
)
def test_an_offer_is_agreed_to_with_good_wishes(said: str) -> None:
    assert letter(said).answer == AskedWord("agree")


@pytest.mark.parametrize(
    "said",
    [
        "Sure, agreed, if you are back on Monday",
        "Agreed, enjoy your holiday, but no longer than a week",
        "I would have agreed, enjoy your holiday!",
        "Not agreed, enjoy your holiday!",
        "I never agreed. Enjoy your holiday!",
        "Ben agreed, enjoy your holiday!",
        "I agree, lovely weather here!",
        "Agreed? Enjoy your holiday!",
        "Agreed, we had a lovely weekend",
        "Enjoy your holiday!",
        "Nicht einverstanden, viel Spaß!",
        "Pas d'accord, bonnes vacances !",
    ],
)
def test_nothing_is_agreed_to_in_other_words(said: str) -> None:
    assert letter(said).answer != AskedWord("agree")
