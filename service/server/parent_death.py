"""Tie a process to its parent, so that nothing outlives a supervisor that was killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
# Loaded here, in the parent: between fork and exec as little as possible may happen.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def end_with_parent(parent: int) -> None:
    """Ask the kernel for SIGTERM when the process `parent`, which started this one, ends.

    Only Linux offers this; elsewhere it does nothing. The kernel watches the thread that forked,
    so a supervisor must start its children from its main thread.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before prctl was called
        os._exit(1)
