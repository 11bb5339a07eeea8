"""The bot `random`: any legal action, each as likely as the next. It claims only by luck."""

import random
from collections.abc import Mapping
from typing import Any


def choose(view: Mapping[str, Any], rng: random.Random) -> str:
    """One of the actions that `view` lists as legal, in action text."""
    action: str = rng.choice(view["legal"])
    return action
