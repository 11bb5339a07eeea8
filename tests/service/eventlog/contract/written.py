"""What these tests write to a log."""

from service.eventlog import Notice, notice_id

GAME, OTHER = "abcdefghijklmnopqrst", "tsrqponmlkjihgfedcba"


NOW = 1_000_000.0


MINUTE = 60.0


def events(*names: str) -> list[str]:
    return [f'{{"type":"{name}"}}' for name in names]


def notice(game: str = GAME, version: int = 1, due: float = NOW, kind: str = "turn") -> Notice:
    return Notice(notice_id(game, version, "player", "mail", kind), due)
