"""The colours of mails: the same as on pages, but as values, because a mail loads no stylesheet."""

from typing import Final

LIGHT: Final = {
    "paper": "#f3efe3",
    "sheet": "#fffcf5",
    "ink": "#20271e",
    "quiet": "#4f5849",
    "line": "#d9d1bd",
    "moss": "#2f5d3f",
    "moss-ink": "#ffffff",
    "table": "#d3dfbd",
}
"""Colours in light mode, by their names in `service/web/static/scottenbury.css`."""
DARK: Final = {
    "paper": "#131813",
    "sheet": "#1d241c",
    "ink": "#edeadd",
    "quiet": "#adb4a3",
    "line": "#364034",
    "moss": "#a3cb90",
    "moss-ink": "#10160d",
    "table": "#2b3a27",
}
"""The same colours for a mail program in dark mode."""
STONE: Final = ("#949b8d", "#14170f")
"""The colours of an unclaimed Stone and of the text on it. Cards and Stones have the same colours
in dark mode."""
CLAIMED: Final = {"north": ("#853b76", "#ffffff"), "south": ("#14578c", "#ffffff")}
"""The colours of a Stone that this seat has claimed, and of the text on it."""
