"""The bot `random`: any legal action, each as likely as the next. It claims only by luck."""

import random

from engine import View


def choose(view: View, rng: random.Random) -> str:
    """One of the actions that `view` lists as legal, in action text."""
    return rng.choice(view.legal)
