"""Prints the OpenAPI document: `python -m service.api > openapi.yaml`."""

import sys

from service.api.openapi import document

sys.stdout.write(document.text())
