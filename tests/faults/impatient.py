"""The web server with short time limits and small caps: `python -m tests.faults.impatient`."""

from service.realtime import places, serving
from service.server import http_server

HEAD_SECONDS = 4
SECONDS = 2
CONNECTIONS = 20
STREAMS_OF_PLAYER, STREAMS_OF_ADDRESS = 2, 4

if __name__ == "__main__":
    http_server.HEAD_SECONDS = HEAD_SECONDS
    serving.BODY_TIMEOUT = SECONDS
    serving.KEEP_ALIVE = 1.0  # type: ignore[misc]
    places.MAX_WAITING_OF_PLAYER = STREAMS_OF_PLAYER  # type: ignore[misc]
    places.MAX_WAITING_OF_ADDRESS = STREAMS_OF_ADDRESS  # type: ignore[misc]
    http_server.READ_SECONDS = SECONDS  # type: ignore[misc]
    http_server.PER_ADDRESS = CONNECTIONS  # type: ignore[misc]
    http_server.INTERVAL = 0.2  # type: ignore[misc]
    http_server.main()
