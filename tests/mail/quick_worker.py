"""A worker that looks fifty times a second what is due: `python -m tests.mail.quick_worker`."""

import sys

from workers import __main__, relay

if __name__ == "__main__":
    relay.PERIOD = 0.02
    sys.exit(__main__.main())
