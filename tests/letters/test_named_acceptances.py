"""Answers to an invitation by people without an account, with their names in ordinary words."""

import pytest

from letters.letter import read_letter
from letters.mail.lines import WriterFacts
from letters.wishes import AskedWord
from service.mail_in.message import read
from tests.service.mail_in.replies import OURS, mail

ACCEPTED = {
    "Hi Anna, sure, I'm Bertram here.\n\nCheers,\nBert": "Bertram",
    "OK, I accept as Bertram.": "Bertram",
    "Yes please! My name is Bert.": "Bert",
    "Count me in. Bert": "Bert",
    "Count me in. Bertram": "Bertram",
    "Yes, I'd love to. – Bert B.": "Bert",
    (
        "Hi Anna,\n\nthanks for asking! I'd love to play. It's pouring here, so perfect "
        "weather for cards.\n\nBest,\nClara"
    ): ("Clara"),
    "Hey Anna! Yes, let's do it. I'm Tom, by the way.\n\nSent from my iPhone": "Tom",
    "Yes, happy to.\n\nTom": "Tom",
    "Sure, why not! Tom": "Tom",
    "Sure, why not?\n\nTom": "Tom",
    "Great idea Anna, I'm in. Call me Jo.\n\nSent from my iPhone": "Jo",
    (
        "Hello Anna, how are you? We're all well here. Yes, I'd like to play. My name is "
        "Margaret.\n\nMargaret"
    ): ("Margaret"),
    "Yes! Margaret here.": "Margaret",
    "Dear Anna,\n\nYes, I accept your invitation with pleasure.\n\nKind regards,\nMargaret Hill": (
        "Margaret"
    ),
    "yes\n\nTom": "Tom",
    "Yes, sounds fun!\n\nTom\n\nSent from my iPhone": "Tom",
    "I'll play! I'm Tom.": "Tom",
    "Yes, it's Tom here, let's play!": "Tom",
    (
        "Hi Anna! Lovely to hear from you. Yes please, I'd like that. You can call me "
        "Tommy.\n\nCheers\nTom"
    ): ("Tommy"),
    "You're on! Tom": "Tom",
    "Ok, I'm in - Tom": "Tom",
    "Thanks for the invite! I accept. The snow is finally melting here. Tom": "Tom",
    "Yes, gladly. I'll be Bertram.": "Bertram",
    "Accept. Bertram": "Bertram",
    "I accept. My name is Bertram Smith.": "Bertram Smith",
    "Yes. Please call me Bert.": "Bert",
    "Yes I will play, I am Bertram": "Bertram",
    "Put me down as Bert! I'm in.": "Bert",
    "I accept, as Bert.": "Bert",
    "Yes, as Bert please.": "Bert",
    "I'd love to join as Bert.": "Bert",
    "Count me in as Bert!": "Bert",
    "Hi\nI'm in!\nTom\n\n-- \nTom Brown\n07700 900123": "Tom",
    (
        "What a lovely surprise! Of course I'll play. I haven't played in years, so be "
        "gentle with me.\nLove, Clara xx"
    ): ("Clara"),
    (
        "Hallo Anna!\n\nDas ist ja eine nette Überraschung. Ich bin gerne dabei. Hier "
        "schneit es gerade.\n\nViele liebe Grüße\nClara Meyer"
    ): ("Clara"),
    "Hallo Anna, schön von dir zu hören! Ja, ich spiele gerne mit.\nDeine Clara": "Clara",
    "Hallo Anna, klar, ich bin der Bertram.\n\nViele Grüße\nBert": "Bertram",
    "Ja gerne! Ich heiße Bertram.": "Bertram",
    "Ok, ich nehme an als Bertram.": "Bertram",
    "Ich nehme als Bertram an.": "Bertram",
    "Gerne! Bertram": "Bertram",
    "Ich bin dabei. Bert": "Bert",
    (
        "Liebe Anna,\n\nvielen Dank für die Einladung, ich spiele gerne mit. Hier regnet es "
        "seit Tagen.\n\nLiebe Grüße\nClara"
    ): ("Clara"),
    "Hi Anna, ja, machen wir! Ich bin Tom.\n\nVon meinem iPhone gesendet": "Tom",
    "Ja, sehr gerne.\n\nLG Tom": "Tom",
    "Na klar, warum nicht! Tom": "Tom",
    "Super Idee, bin dabei!\n\nGruß\nTom": "Tom",
    (
        "Hallo Anna, wie geht es dir? Uns geht es gut. Ja, ich mache mit. Mein Name ist "
        "Margarete.\n\nMargarete"
    ): ("Margarete"),
    "Ja! Hier ist Margarete.": "Margarete",
    "Liebe Anna,\n\nich nehme die Einladung gerne an.\n\nHerzliche Grüße\nMargarete Hügel": (
        "Margarete"
    ),
    "ja\n\nTom": "Tom",
    "Ja, klingt gut!\n\nTom": "Tom",
    "Klar, ich spiele mit! Nenn mich Tommi.\n\nGruß Tom": "Tommi",
    "Einverstanden. Tom": "Tom",
    "Ja, ich würde gern mitspielen. Ich bin die Lena.": "Lena",
    "Gerne, als Bert.": "Bert",
    "Ja, ich spiele mit als Bert.": "Bert",
    "Oh wie schön, da bin ich dabei! Lena": "Lena",
    "Salut Anna, bien sûr, moi c'est Bertrand.\n\nBises\nBert": "Bertrand",
    "Oui, avec plaisir ! Je m'appelle Bertrand.": "Bertrand",
    "D'accord, j'accepte comme Bertrand.": "Bertrand",
    "J'accepte en tant que Bertrand.": "Bertrand",
    "J'accepte sous le nom de Bertrand.": "Bertrand",
    "Volontiers ! Bertrand": "Bertrand",
    "Je suis partante. Claire": "Claire",
    (
        "Chère Anna,\n\nmerci pour l'invitation, je veux bien jouer. Il pleut ici depuis "
        "trois jours.\n\nBises,\nClaire"
    ): ("Claire"),
    "Coucou Anna, oui, on y va ! C'est Thomas.\n\nEnvoyé de mon iPhone": "Thomas",
    "Oui, très volontiers.\n\nThomas": "Thomas",
    "Bien sûr, pourquoi pas ! Thomas": "Thomas",
    "Bonne idée, je suis partant !\n\nÀ bientôt\nThomas": "Thomas",
    (
        "Bonjour Anna, comment vas-tu ? Ici tout va bien. Oui, je joue avec toi. Mon nom est "
        "Marguerite.\n\nMarguerite"
    ): ("Marguerite"),
    "Oui ! Ici Marguerite.": "Marguerite",
    "Chère Anna,\n\nj'accepte l'invitation avec plaisir.\n\nCordialement,\nMarguerite Colline": (
        "Marguerite"
    ),
    "oui\n\nThomas": "Thomas",
    "Oui, super !\n\nThomas": "Thomas",
    "J'accepte. Thomas": "Thomas",
    "Merci pour l'invitation ! J'accepte. Il neige chez nous. Thomas": "Thomas",
    "Oui, je joue. Appelle-moi Tom.\n\nThomas": "Tom",
    "Avec plaisir, je suis Léa": "Léa",
    "Ça marche ! Léa": "Léa",
    "OK pour moi. Léa": "Léa",
    "Moin Anna, jo, mach ich mit. Gruß, Hein": "Hein",
    "I'm Robert, call me Rob. I accept!": "Rob",
    "Hello! Bert Brown here, happy to play.": "Bert Brown",
    "My name is Bert Brown and I accept.": "Bert Brown",
    "I'm Bert and I'd love to play.": "Bert",
    "I am Bert, and yes, let's play.": "Bert",
    "I accept and my name is Bert": "Bert",
    "Yes. Name: Bert": "Bert",
    "Yes, call me Bert please. Thanks for the invitation": "Bert",
    "I'll take the seat. Bert": "Bert",
    "Ich bin Bert und ich bin dabei.": "Bert",
    "Ich heiße Bert und spiele gerne mit.": "Bert",
    "ja ich will. Bert": "Bert",
    "Je suis Bert et j'accepte.": "Bert",
    "Je m'appelle Bert et je veux bien jouer.": "Bert",
    "Pas de problème, je joue. Bert": "Bert",
    "Hi Anna, we're all fine thanks. Sure, I'd love a game!\n\nBert\n\nSent from my iPhone": "Bert",
    "A game would be lovely! Tom": "Tom",
    "Yesss! Tom": "Tom",
    "I’m in 👍 Tom": "Tom",
    "Okay, let's give it a go! Tom": "Tom",
    "Of course my dear! I have never played this before. Love, Clara": "Clara",
    "Ok, on essaie ! Léa": "Léa",
    "Ja, probieren wir's! Lena": "Lena",
}
"""Whoever accepts in such words has that name, and is asked nothing."""

ASKED = {
    "Let's go! Bert": "Bert",
    "Ready when you are. Bert": "Bert",
    "Sounds like fun, I'm in. Tell me what to do. Bert": "Bert",
    "Ja, fang an! Bert": "Bert",
    "Vas-y, commence ! Bert": "Bert",
    "Yes, we had a lovely weekend. Tom": "Tom",
    "ok\n\nTom": "Tom",
    "Go on then. Tom": "Tom",
    "Why not. Tom": "Tom",
    "Yes please. How do I start?\nTom": "Tom",
    "Yes. We're all well.\n\nTom": "Tom",
    "Oui. Tout va bien.\n\nThomas": "Thomas",
    "Yes please! My name is Bert. But only next week.": "Bert",
    "Hello Anna! Lovely to hear from you, and yes, count me in.\n\nBest\nTom Brown": "Tom",
    "Danke für die Einladung! Ich nehme an. Bei uns schneit es. Tom": "Tom",
    "I'm in! My mother is in hospital. Tom": "Tom",
    "Ja, ich bin's, Tom. Lass uns spielen!": None,
    "Jo, bin dabei, Lena": None,
    "Count me in. Bert isn't sure": None,
    "I accept, as Bert insists.": None,
    "Ich nehme an, Bertram kommt auch.": None,
    "Ich bin dabei, wenn Bert kommt.": None,
    "Count me in, Bert": None,
    "I'm Luc. I'm Lena. Count me in!": None,
}
"""Whoever writes so may accept: they are asked, under which name too."""

NOT_ACCEPTED = [
    "Yes, I'm well. Tom",
    "Yes, we're all well.\n\nTom",
    "Yes, it's pouring here. Tom",
    "Ja, uns geht es gut. Tom",
    "Oui, tout va bien ici. Thomas",
    "Yes, lovely to hear from you.\n\nTom",
    "Hi Anna, sure, I'm Bertram here, but not today.\n\nBert",
    "I'd accept as Bertram if it were shorter.",
    "OK, I accept as soon as Bertram is back.",
    "Count me in when Bert is back.",
    "Count Bert in",
    "Bert is in",
    "Yes, I'd love to. – Bert is away until Sunday",
    "Sure, why not ask Bert?",
    "Sure, Bert will",
    "Yes? Bert",
    "Who is Bert?",
    "I'm Bertram here, who are you?",
    "Go on then without me. Tom",
    "You're on holiday? Tom",
    "I'll play tomorrow. I'm Tom.",
    "I'll play with Tom instead.",
    "Yes, Tom would like that. Me not so much.",
    "Yes, sounds fun, but no.\n\nTom",
    "Yes, as Bert would say.",
    "Yes, as Bert said, no.",
    "I'd love to join as Bert did.",
    "Count me in as soon as Bert can.",
    "Accept as Bert asked.",
    "I accept as Anna and Bert said.",
    "Put me down as undecided.",
    "Yes, I'm busy. Tom",
    "Thanks for the invite! The snow is finally melting here. Tom",
    "I'm Tom",
    "Tom",
    "No thanks. Tom",
    "I'm not in. Tom",
    "Not in the mood, sorry. Tom",
    "I would accept. Tom",
    "Bert accepted as Bertram.",
    "Bert says count me in",
    "Sounds fun? Tom",
    "Don't count me in. Bert",
    "Gerne ein andermal. Bertram",
    "Ich nehme als Bertram nicht an.",
    "Ich nehme an dass Bertram das will.",
    "Ich nehme an als ob nichts wäre.",
    "Ja, warum nicht morgen? Tom",
    "Na klar, warum nicht gleich so? Tom",
    "Ich bin dabei abzuwaschen. Bert",
    "Hallo Anna, klar ist das schade, ich bin der Bertram.",
    "Ich heiße Bertram und habe keine Zeit.",
    "Gerne, als Bert noch lebte.",
    "Gerne, als nächstes.",
    "Mach ich mit Tom aus.",
    "Nein danke. Tom",
    "J'accepte comme convenu avec Bertrand.",
    "J'accepterais comme Bertrand si...",
    "D'accord, comme Bertrand.\nMais pas aujourd'hui.",
    "Je ne suis pas partante. Claire",
    "Pourquoi pas demain ? Thomas",
    "Pourquoi ? Thomas",
    "Pas pour moi. Léa",
    "OK pour moi si Léa joue.",
    "Ça marche pas. Léa",
    "Non merci. Thomas",
    "Bien sûr que non. Thomas",
    "Volontiers un autre jour. Bertrand",
    "Oui, super, mais non.\n\nThomas",
    "Thanks, but count me out. Bert",
    "I'm Bert and I am busy.",
    "I'm Bert and I'd love to play next week.",
    "I'm Bert and Anna says I accept.",
    "My name is Bert and I do not accept.",
    "Anna and I'm in. Bert",
    "Bert and Tom here, we accept.",
    "I know Tom and I accept.",
    "Ich bin Bert und habe keine Zeit.",
    "Ich bin Bert und du?",
    "Je suis Bert et je refuse.",
    "Name: Bert",
    "I accept and my name is mud.",
    "Ja, ich will nicht. Bert",
    "Ready or not. Bert",
    "Count me in? Bert",
    "Great idea, Anna. Not for me though. Bert",
    "Why not? Because I am busy. Tom",
    "Let's play chess. Tom",
    "I'd like to know who you are. Tom",
    "Happy to help. Tom",
    "Lovely to hear from you.\n\nTom",
    "Schön, von dir zu hören.\n\nTom",
    "Uns geht es gut.\n\nTom",
    "Das klingt gut, aber leider. Tom",
    "Machen wir nicht. Tom",
    "Je joue au tennis. Léa",
    "Ça me va pas. Léa",
    "Tout va bien ici. Léa",
]


def said_by(text: str) -> tuple[str, str | None]:
    """Whether these words accept or must be asked about, and their writer's name."""
    message = read(mail(text))
    letter = read_letter(message.body, message.subject, WriterFacts({"@Anna"}, ours=OURS))
    called = letter.called
    answer = letter.answer_to_invitation
    if isinstance(answer, AskedWord) and answer.accepts:
        return "accepted", answer.name or called.signed
    among = letter.among
    if isinstance(among, AskedWord) and among.accepts:
        return "asked", among.name or called.introduced or called.signed
    return "none", None


@pytest.mark.parametrize(("said", "name"), ACCEPTED.items())
def test_a_yes_with_a_name_in_ordinary_words_accepts_under_it(said: str, name: str) -> None:
    assert said_by(said) == ("accepted", name)


@pytest.mark.parametrize(("said", "name"), ASKED.items())
def test_what_may_accept_is_asked_about(said: str, name: str | None) -> None:
    assert said_by(said) == ("asked", name)


@pytest.mark.parametrize("said", NOT_ACCEPTED)
def test_other_words_with_a_name_accept_nothing(said: str) -> None:
    assert said_by(said)[0] != "accepted"


@pytest.mark.parametrize(
    "said",
    [
        "Yes, sounds fun, but no.\n\nTom",
        "Don't count me in. Bert",
        "I'm fine, thanks. Tom",
        "Sure, what is this? Tom",
        "Count me in? Bert",
        "Gerne ein andermal. Bertram",
        "Bien sûr que non. Thomas",
        "Tom",
        "Let's play chess. Tom",
    ],
)
def test_who_denies_or_wonders_is_not_asked(said: str) -> None:
    assert said_by(said) == ("none", None)
