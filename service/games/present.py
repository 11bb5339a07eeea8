"""Games as their readers may see them: views, summaries, lines of the record."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import engine
from engine import chain
from service.games.stored import StoredGame

Names = Mapping[str, str]


def game_view(stored: StoredGame, reader: str | None, names: Names) -> dict[str, Any]:
    """The game view: what the engine lets the reader's seat see, and what the log adds to it."""
    return {
        "id": stored.id,
        **engine.view(stored.game, stored.seat_of(reader)),
        "players": _players(stored, names),
        "deadline": stored.deadline_text,
        "head": stored.head,
    }


def summary(stored: StoredGame, reader: str, names: Names) -> dict[str, Any]:
    """A game in a list: who plays, how it stands, whose turn it is."""
    game = stored.game
    return {
        "id": stored.id,
        "version": stored.version,
        "status": game.status,
        "edition": game.edition,
        "tactics": game.tactics,
        "expert": game.expert,
        "rounds": game.rounds,
        "seat": stored.seat_of(reader),
        "players": _players(stored, names),
        "turn": game.turn,
        "deadline": stored.deadline_text,
        "winner": game.winner,
        "reason": game.reason,
        "created": stored.created,
    }


def redacted(
    stored: StoredGame, reader: str | None, texts: Iterable[str]
) -> list[chain.StoredEvent]:
    """Lines of the record, without what the reader may not see yet."""
    seat, over = stored.seat_of(reader), stored.game.over
    return [chain.redact(json.loads(text), seat, over) for text in texts]


def to_json(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _players(stored: StoredGame, names: Names) -> dict[str, Any]:
    return {
        seat: None if player is None else {"id": player, "name": names.get(player)}
        for seat, player in stored.game.players.items()
    }
