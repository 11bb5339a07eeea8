"""Tests of what keeps games for ever: packing, backup, verification, the operator's commands."""
