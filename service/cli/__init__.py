"""The command `scottenbury`."""

import click

from service.cli.dead_letters import dead_letters
from service.cli.errors import CommandGroup
from service.cli.mail_in import take_in
from service.cli.operate import backup, doctor, import_record, new_key, reindex, restore
from service.cli.operator import mute, operator
from service.cli.records import judge, show, verify
from service.cli.serve import serve, worker

COMMANDS: tuple[click.Command, ...] = (
    *(serve, worker, take_in, doctor, dead_letters),
    *(operator, mute),
    *(verify, show, judge, import_record),
    *(backup, restore, reindex, new_key),
)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="scottenbury")
def main() -> None:
    """Slow games of Schotten Totten: serve them, and read their records.

    `scottenbury serve` is all a newcomer needs. Settings come from the environment
    (SCOTTENBURY_PORT, SCOTTENBURY_DATA, …); docs/operate.md lists them.
    """


for command in COMMANDS:
    main.add_command(command)
