"""The colours of mails: those of the pages, by value, for a mail fetches nothing."""

from typing import Final

LIGHT: Final = {
    "paper": "#f4f1ea",
    "sheet": "#fffdf8",
    "ink": "#23281f",
    "quiet": "#576050",
    "line": "#d3cebf",
    "moss": "#436139",
    "moss-ink": "#ffffff",
    "table": "#d5dec8",
}
"""By the names in `service/web/static/scottenbury.css`."""
DARK: Final = {
    "paper": "#171a15",
    "sheet": "#20241d",
    "ink": "#e9e8df",
    "quiet": "#a5ab9b",
    "line": "#3a4034",
    "moss": "#96b786",
    "moss-ink": "#12160f",
    "table": "#252c21",
}
"""The same, where the reader's mail program is dark."""
STONE: Final = ("#868d7f", "#14170f")
"""An unclaimed Stone, and the ink on it. Cards and Stones have the same colours in the dark."""
CLAIMED: Final = {"north": ("#8a3f7a", "#ffffff"), "south": ("#1f628a", "#ffffff")}
"""A Stone that this seat has claimed."""
CLANS: Final = {
    "R": ("#9e0e10", "#fff5ea"),
    "O": ("#d17b0a", "#1d1206"),
    "Y": ("#fff98c", "#2a2503"),
    "G": ("#1d7a6e", "#ffffff"),
    "B": ("#94bcf4", "#0b1930"),
    "P": ("#361e52", "#f6ecff"),
}
"""The panel of a Clan card, and the ink on it."""
TACTIC: Final = ("#efe3c4", "#2d2415")
