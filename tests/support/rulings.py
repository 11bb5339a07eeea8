"""The rulings of `engine/rules.md`."""

from pathlib import Path
from typing import Final

DOCUMENT: Final = (Path(__file__).parents[2] / "engine/rules.md").read_text(encoding="utf-8")
RULINGS: Final = range(1, 32)
