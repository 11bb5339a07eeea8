"""Prints `openapi.yaml` as JSON.

Run this program by its path, in a process of its own: it imports nothing of the server, and its
memory is freed when it ends.
"""

import json
import sys
from pathlib import Path

import yaml

source = Path(__file__).with_name("openapi.yaml").read_bytes()
json.dump(yaml.load(source, yaml.CSafeLoader), sys.stdout, ensure_ascii=False)
