"""The game that the front page plays by itself."""

import re

from flask.testing import FlaskClient

from engine.record import from_text
from engine.verify import verify
from service.web.games.showcase import RECORD, STILL, beats, still
from tests.support.showcase import record


def test_it_is_the_game_that_the_bots_play_from_the_seed() -> None:
    text = RECORD.read_text(encoding="utf-8")
    assert text == record()
    assert verify(from_text(text)) is None


def test_the_still_is_what_its_beats_lead_to() -> None:
    cards = [card for spot in still() for card in (*spot.above, *spot.below)]
    assert sorted(cards) == sorted(beat.card for beat in beats()[:STILL] if beat.card)
    assert [number for number, spot in enumerate(still(), 1) if spot.owner] == [4, 5]


def test_the_front_page_holds_the_still_and_all_beats(client: FlaskClient) -> None:
    page = client.get("/").text
    assert f'data-still="{STILL}"' in page
    (told,) = re.findall('data-beats="([^"]+)"', page)
    assert told.split() == [str(beat) for beat in beats()]
    assert len(re.findall('data-stone="[1-9]"', page)) == 9
