"""Adapter of talargv/Schotten-Totten-UCT, for the base game: `uct`, with the hundred iterations of
its `main.py`. Run in the folder of that program."""

import json
import math
import random
import sys
from importlib import import_module
from types import SimpleNamespace

from schotten_again import BoardWithFakes, Card, Deck, Fakes, Hand, WorkState

COLOURS = "ROYGBP"
ITERATIONS = 100
SORTED = WorkState()  # completions that it has sorted once, as its own games keep them


def card_of(text: str) -> Card:
    """Our card as theirs."""
    return Card(int(text[1]), COLOURS.index(text[0]) + 1)


def board_of(position: dict) -> BoardWithFakes:
    """Their board, as the player who is to move gets it: the deck holds all that he cannot see."""
    stones = position["stones"]
    cards = [
        [Hand([card_of(c) for c in stone[side]]) for stone in stones] for side in ("mine", "theirs")
    ]
    shown = [card for side in cards for hand in side for card in hand]
    unseen = [Card(num, color) for color in range(1, 7) for num in range(1, 10)]
    own = [card_of(text) for text in position["hand"]]
    number = {"mine": 1, "theirs": 2, None: 0}
    on_board = [[Card(num, color) in shown for color in range(1, 7)] for num in range(1, 10)]
    return BoardWithFakes(
        deck=Deck([card for card in unseen if card not in shown and card not in own]),
        stones=[number[stone["owner"]] for stone in stones],
        cards=cards,
        advantage=[number[stone["first"]] for stone in stones],
        cards_on_board=on_board,
        fakes=Fakes(cards, on_board, pre_computed=SORTED),
    )


sys.modules["numpy"] = SimpleNamespace(log=math.log)  # all that it takes of numpy
bot = import_module("MCTS_v2").UCTPlayer(max_iter=ITERATIONS)
for line in sys.stdin:
    position = json.loads(line)
    random.seed(position["seed"])
    hand = [card_of(text) for text in position["hand"]]
    board = board_of(position)
    card, stone = bot.choose_stone_and_card(hand, board)
    play = "pass" if card < 0 else f"{position['hand'][card]}@{stone + 1}"
    print(json.dumps({"plays": [play], "deck": "C"}), flush=True)
