"""A worker that waits for a mail server or a receiver for as long as a test takes:
`python -m tests.faults.patient_worker`.
"""

import sys

from workers.channels import egress
from workers.mail import mailer

LONGER_THAN_A_TEST = 600.0

if __name__ == "__main__":
    mailer.TIMEOUT = LONGER_THAN_A_TEST
    egress.READ_TIMEOUT = LONGER_THAN_A_TEST  # type: ignore[misc]
    egress.TOTAL_TIMEOUT = LONGER_THAN_A_TEST  # type: ignore[misc]
    from workers.__main__ import main

    sys.exit(main())
