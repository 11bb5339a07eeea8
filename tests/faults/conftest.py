"""Either web server, for what real connections bring."""

from collections.abc import Iterator

import pytest

from tests.faults.raw import MAIL_TOKEN
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.web_server import GRANIAN, GUNICORN, WebServer


@pytest.fixture(scope="package", params=[GRANIAN, GUNICORN], ids=["granian", "gunicorn"])
def web(
    request: pytest.FixtureRequest,
    redis_server: SocketServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[WebServer]:
    """A server that takes mail too, and has the key of `settings()`."""
    known = settings()
    server = WebServer(
        redis_server.url,
        tmp_path_factory.mktemp("data"),
        program=request.param,
        SCOTTENBURY_SECRET_KEY=known.secret_key,
        SCOTTENBURY_WEB_WORKERS="1",
        SCOTTENBURY_BASE_URL=known.base_url,
        SCOTTENBURY_ALLOWED_HOSTS="localhost",
        SCOTTENBURY_MAIL_IN_TOKEN=MAIL_TOKEN,
    )
    yield server
    server.stop()
