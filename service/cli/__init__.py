"""The command `scottenbury`. Each command is imported when it is called."""

from typing import Final

import click

from service.cli.errors import CommandGroup

COMMANDS: Final = {
    "serve": "serve:serve",
    "worker": "worker:worker",
    "mail-in": "mail_in:take_in",
    "doctor": "operate:doctor",
    "dead-letters": "dead_letters:dead_letters",
    "operator": "operator:operator",
    "mute": "operator:mute",
    "verify": "verify:verify",
    "play": "terminal.play:play",
    "replay": "records:show",
    "judge": "records:judge",
    "import": "operate:import_record",
    "backup": "operate:backup",
    "restore": "operate:restore",
    "reindex": "operate:reindex",
    "new-key": "operate:new_key",
}
"""By name: the module of this package, and the command in it."""


@click.group(
    cls=CommandGroup, within=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="scottenbury")
def main() -> None:
    """Slow games of Schotten Totten: serve them, and read their records.

    `scottenbury serve` is all a newcomer needs. Settings come from the environment
    (SCOTTENBURY_PORT, SCOTTENBURY_DATA, …); docs/operate/configure.md lists them.
    """
