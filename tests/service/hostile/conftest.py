"""The server under test and the players of the API's tests."""

from tests.service.api.conftest import _only_what_is_declared as _only_what_is_declared
from tests.service.api.conftest import ada as ada
from tests.service.api.conftest import app as app
from tests.service.api.conftest import bob as bob
from tests.service.api.conftest import client as client
from tests.service.api.conftest import clock as clock
from tests.service.api.conftest import container as container
from tests.service.api.conftest import eve as eve
from tests.service.api.conftest import game as game
