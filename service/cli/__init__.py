"""The command `scottenbury`. Each command is imported when it is called."""

from typing import Final

import click

from service.cli.output import CommandGroup

COMMANDS: Final = {
    "serve": "serve:serve",
    "worker": "worker:worker",
    "mail-in": "operator:take_in",
    "doctor": "operate:doctor",
    "dead-letters": "operator:dead_letters",
    "operator": "operator:operator",
    "invite": "operator:invite",
    "mute": "operator:mute",
    "account": "operator:account",
    "acts": "operator:acts",
    "remove-game": "operator:remove",
    "verify": "records:verify",
    "season": "seasons:season",
    "verify-season": "seasons:verify_season",
    "play": "terminal.play:play",
    "replay": "records:show",
    "judge": "records:judge",
    "import": "operate:import_record",
    "backup": "operate:backup",
    "restore": "operate:restore",
    "export-archive": "operate:export_archive",
    "reindex": "operate:reindex",
    "new-key": "operate:new_key",
}
"""The module of this package, and the command in it, by the command's name."""


def _show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the program's name and version, and whether its rules are compiled."""
    if not asked:
        return
    from importlib.metadata import version

    from engine import COMPILED

    engine = "compiled" if COMPILED else "pure"
    click.echo(f"{context.info_name}, version {version('scottenbury')}, engine: {engine}")
    context.exit()


@click.group(
    cls=CommandGroup, within=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Slow games of Schotten Totten: serve them, and read their records.

    `scottenbury serve` is all a newcomer needs. Settings come from the environment
    (SCOTTENBURY_PORT, SCOTTENBURY_DATA, …); docs/operate/configure.md lists them.
    """
