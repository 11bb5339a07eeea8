"""What people write: reads letters and commands, and makes others' words harmless in ours.

`mail/` takes the writer's own lines out of a mail; the grammar of a line is in `grammar`, that of a
whole letter in `letter`.
"""
