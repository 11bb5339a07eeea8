"""Tests of what keeps games for ever: compaction, backup, verification, the operator's commands."""
