"""The server's own bots in words: how hard each is to beat, and how it plays."""

from typing import Final

from service.core.words import N_, Words

LEVELS: Final = {
    # Note: how hard a bot is to beat, as in "Steward (hard)"; as the next four
    "easiest": N_("easiest"),
    "easy": N_("easy"),
    "medium": N_("medium"),
    "hard": N_("hard"),
    "hardest": N_("hardest"),
}
CHARACTERS: Final = {
    "random": N_("Plays any card anywhere. A child beats it."),
    "shepherd": N_("Dreams one turn in five, and claims what it can."),
    "piper": N_("Loves strong formations, and cares little for yours."),
    "steward": N_("Keeps order: weighs every Stone before it plays."),
    "strategist": N_("Tries each turn three hundred times in its head."),
}
"""How each bot plays, by its name."""


def bot_label(words: Words, name: str, level: str) -> str:
    """The words by which a page offers a bot: `Steward (hard)`."""
    # Note: a bot, and how hard it is to beat: "Steward (hard)"
    return words.say("%(bot)s (%(level)s)", bot=name.title(), level=words.say(LEVELS[level]))
