"""What holds of a game whatever is played."""

from engine.cards import (
    ALL_CLAN,
    BIT,
    CLAN_CARDS,
    COMBAT_MODES,
    ELITE_TROOPS,
    SEATS,
    TACTIC_CARDS,
    bits,
    in_order,
)
from engine.game import STONES, Cards, Game, Stone


def violations(game: Game) -> list[str]:
    """Return every broken invariant of the round, in words; empty for a sound game."""
    if game.round == 0:
        return []
    return [*_card_violations(game), *_stone_violations(game), *_count_violations(game)]


def _card_violations(game: Game) -> list[str]:
    everywhere = [*game.discard, *game.decks["clan"], *game.decks["tactic"]]
    for seat in SEATS:
        everywhere += game.hands[seat]
    for stone in game.stones:
        everywhere += (*stone.sides["north"], *stone.sides["south"], *stone.modes)
    expected = in_order(CLAN_CARDS + (TACTIC_CARDS if game.options.tactics else ()))
    faults = []
    if in_order(everywhere) != expected:
        faults.append(f"{len(everywhere)} cards are accounted for, not the {len(expected)}")
    shown = [card for stone in game.stones for side in stone.sides.values() for card in side]
    if game.unseen != ALL_CLAN & ~bits((*shown, *game.discard)):
        faults.append("the unseen Clan cards are not those that lie face-up nowhere")
    if any(card not in BIT for card in game.decks["clan"]):
        faults.append("a Tactic card is in the Clan deck")
    if any(card in BIT for card in game.decks["tactic"]):
        faults.append("a Clan card is in the Tactic deck")
    return faults


def _stone_violations(game: Game) -> list[str]:
    faults = []
    for number, stone in zip(STONES, game.stones, strict=True):
        full = {seat for seat in SEATS if len(stone.sides[seat]) == stone.side_size}
        if any(len(side) > stone.side_size for side in stone.sides.values()):
            faults.append(f"Stone {number} holds more cards on a side than it has room for")
        if set(stone.completed) != full:
            faults.append(f"Stone {number} has the wrong sides marked as complete")
        if any(at > game.version for at in stone.completed.values()):
            faults.append(f"Stone {number} was completed in the future")
        if len(set(stone.completed.values())) != len(stone.completed):
            faults.append(f"Stone {number} has both sides completed at one moment")
        if stone.owner and stone.owner not in full:
            faults.append(f"Stone {number} was claimed from an incomplete side")
        if any(card not in BIT and card not in ELITE_TROOPS for card in _cards_on(stone)):
            faults.append(f"Stone {number} has a card on a side that cannot lie there")
        if any(mode not in COMBAT_MODES for mode in stone.modes):
            faults.append(f"Stone {number} has a mode that is not one")
    return faults


def _count_violations(game: Game) -> list[str]:
    faults = []
    for seat in SEATS:
        # A Recruiter replaces itself and adds two; the round may end before two go back.
        recruited = game.phase is None or (game.phase == "return" and seat == game.turn)
        limit = game.options.hand_size + (2 if recruited else 0)
        if len(game.hands[seat]) > limit:
            faults.append(f"{seat} holds {len(game.hands[seat])} cards")
    if abs(game.tactics_played["north"] - game.tactics_played["south"]) > 1:
        faults.append("a player is more than one Tactic card ahead")
    if (game.turn is None) != (game.phase is None):
        faults.append("there is a turn without a phase, or a phase without a turn")
    if (game.status == "active") != (game.turn is not None):
        faults.append("an active game has nobody to move, or one that is not has somebody")
    return faults


def _cards_on(stone: Stone) -> Cards:
    return stone.sides["north"] + stone.sides["south"]
