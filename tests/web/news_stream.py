"""The stream of news as an answer holds it before it waits."""

import json
import re
from typing import Any, Final, NamedTuple

from flask import request
from flask.testing import FlaskClient

from service.realtime.deferred import DEFERRAL, OpenStream
from service.realtime.places import Caller
from service.realtime.serving import CALLER

STREAM: Final = {"Accept": "text/event-stream"}


class Heard(NamedTuple):
    """The part of a stream that an answer holds; what it waits for, and whose it is."""

    status: int
    text: str
    waits: OpenStream | None
    caller: Caller | None

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(data) for data in re.findall("^data: (.*)$", self.text, re.M)]

    @property
    def last_id(self) -> str:
        return str(re.findall("^id: (.*)$", self.text, re.M)[-1])


def listen(client: FlaskClient, path: str, last_id: str | None = None) -> Heard:
    headers = STREAM if last_id is None else {**STREAM, "Last-Event-ID": last_id}
    with client:
        answer = client.get(path, headers=headers)
        environ = request.environ
        return Heard(answer.status_code, answer.text, environ.get(DEFERRAL), environ.get(CALLER))
