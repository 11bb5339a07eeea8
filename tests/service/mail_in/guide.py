"""The commands that the guide for players shows."""

import re
from pathlib import Path

GUIDE = (Path(__file__).parents[3] / "docs" / "mail.md").read_text()
TABLE = "\n".join(line for line in GUIDE.split("## For operators")[0].split("\n") if "|" in line)
EXAMPLES = [text for text in re.findall("`([^`]+)`", TABLE) if text != "Reply-To"]
