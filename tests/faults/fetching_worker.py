"""A worker that looks for mail and for notices at short intervals.

    python -m tests.faults.fetching_worker [LEASE]

`LEASE` is the seconds for which it holds what it works on, and delays that if it dies; those of
real workers unless given.
"""

import sys

from service.mail_in import polling
from workers import __main__ as worker
from workers import leases, relay


def main() -> int:
    polling.PAUSE = worker.FETCH_PERIOD = relay.PERIOD = 0.1  # type: ignore[misc]
    if sys.argv[1:]:
        seconds = float(sys.argv[1])
        leases.LEASE = relay.LEASE = polling.LEASE = seconds  # type: ignore[attr-defined, misc]
        polling.RENEWAL = seconds / 4  # type: ignore[misc]
    return worker.main()


if __name__ == "__main__":
    sys.exit(main())
