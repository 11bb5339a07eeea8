"""The command line, run in this process."""

from click.testing import CliRunner, Result

from service.cli import main


def run(*arguments: object, stdin: str | bytes | None = None, **env: str) -> Result:
    """What `scottenbury ARGUMENTS` does, in an environment with these variables."""
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin, env=env)
