"""The listener with short time limits: `python -m tests.faults.impatient_listener`."""

import sys

from service.server import smtp_listener

SECONDS = 3.0
LONGEST = 6.0

if __name__ == "__main__":
    smtp_listener.IDLE = SECONDS  # type: ignore[misc]
    smtp_listener.LONGEST = LONGEST  # type: ignore[misc]
    sys.exit(smtp_listener.main())
