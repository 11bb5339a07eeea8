"""Adapter of chikinn/battle-line: `naive` and `sniper`. Run in the folder of that program."""

import json
import random
import sys

import bl_classes
import bot_utils
from players import naive_player, sniper_player

NAMES = {
    "Co": "SPY",
    "Sh": "SHB",
    "Al": "JOK",
    "Da": "JOK",
    "Fo": "BMB",
    "Mu": "MUD",
    "Sc": "REC",
    "Re": "STR",
    "De": "BAN",
    "Tr": "TRA",
}
BOTS = {"naive": naive_player.NaivePlayer, "sniper": sniper_player.SniperPlayer}
MODES = {"BMB": "fog", "MUD": "mud"}

for module in (bl_classes, bot_utils, naive_player, sniper_player):
    module.TROOP_CONTENTS = "123456789"  # it plays with a nought


def theirs(cards: list[str]) -> list[str]:
    """Our names of cards in theirs: `7r` for `R7`. A second Joker is `Da`."""
    names = {ours: name for name, ours in NAMES.items() if name != "Da"}
    found = [names[card] if card in names else card[1] + card[0].lower() for card in cards]
    return ["Da" if card == "Al" and "Al" in found[:at] else card for at, card in enumerate(found)]


def ours(card: str) -> str:
    """Their name of a card in ours."""
    return NAMES.get(card) or card[1].upper() + card[0]


def round_of(position: dict) -> bl_classes.Round:
    """Their table, seen by the player who is to move: number 0."""
    seen = bl_classes.Round([], ["me", "you"], False)
    for flag, stone in zip(seen.flags, position["stones"], strict=True):
        flag.played = [theirs(stone["mine"]), theirs(stone["theirs"])]
        flag.special = tuple(MODES[mode] for mode in stone["modes"])
        flag.winner = {"mine": 0, "theirs": 1}.get(stone["owner"])
    seen.h[0].cards = theirs(position["hand"])
    seen.playedLeader = 0 if position["joker_barred"] else None
    gone = {card for flag in seen.flags for side in flag.played for card in side}
    gone |= set(theirs(position["discard"]))
    decks = position["decks"]
    troops = [value + suit for value in "123456789" for suit in bl_classes.TROOP_SUITS]
    tactics = bl_classes.TACTICS if decks["tactic"] else []
    seen.cardsLeft = {
        "troop": [card for card in troops if card not in gone],
        "tactics": [card for card in tactics if card not in gone],
    }
    seen.decks = {"troop": ["?"] * decks["clan"], "tactics": ["?"] * decks["tactic"]}
    seen.best, seen.bestMud = seen.best_empty(), seen.best_empty(True)
    return seen


def plays_of(seen: bl_classes.Round, card: str, target: object) -> list[str]:
    """Their play in our action text."""
    if card not in ("Re", "Tr", "De"):
        return [f"{ours(card)}@{target + 1}"]
    moved, side = target[0], 0 if card == "Re" else 1
    stone = 1 + next(i for i, flag in enumerate(seen.flags) if moved in flag.played[side])
    ruse = f"{ours(card)}:{ours(moved)}@{stone}"
    if card == "De":
        return [ruse]
    return [f"{ruse}>{'x' if target[1] is None else target[1] + 1}"]


bot = BOTS[sys.argv[1]](0)
for line in sys.stdin:
    position = json.loads(line)
    random.seed(position["seed"])
    seen = round_of(position)
    card, target, deck = bot.play(seen)
    plays = [] if card is None else plays_of(seen, card, target)
    if card in NAMES:  # where our rules forbid it, it plays as its parent, without Tactic cards
        card, target, _ = naive_player.NaivePlayer.play(bot, seen)
        plays += [] if card is None else plays_of(seen, card, target)
    print(
        json.dumps({"plays": plays or ["pass"], "deck": "T" if deck == "tactics" else "C"}),
        flush=True,
    )
