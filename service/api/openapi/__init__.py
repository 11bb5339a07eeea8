"""The OpenAPI document, generated from the endpoints and schemas."""

from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("openapi.yaml")
"""The document as checked in, which servers send: a link to the file at the repository's root."""
