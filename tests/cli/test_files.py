"""Whatever file a command is given: one line, and exit code 1 or 2, never a traceback."""

import io
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.cli import files, main
from service.core.redis.client import Client
from tests.support.processes import COMMAND, ROOT, clean_environment
from tests.support.servers import SocketServer
from tests.support.settings import settings

RECORD = ROOT / "tests" / "golden" / "bga+expert-resigned-0.jsonl"
READING = ("verify", "replay", "import", "restore")
DEEP = "[" * 50_000


@pytest.fixture(autouse=True)
def _environment(
    redis: Client, redis_server: SocketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL", redis_server.url)
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", settings().secret_key)


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


def refused(told: Result) -> str:
    """The one line on standard error."""
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code in (1, 2)
    *usage, error = told.stderr.strip().split("\n")
    assert not usage or usage[0].startswith(("Usage:", "Checking", "Backing up")), told.stderr
    assert "Traceback" not in told.stderr
    assert error.startswith("Error: ")
    return error


@pytest.mark.parametrize("command", READING)
class TestReading:
    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"\n", b"hello", b"\xff\xfe\x00", os.urandom(100), b"{}", b"7", b"null", b"[]"),
            *(DEEP.encode(), b"\x1b[2J\x1b]0;Sound\x07"),
        ],
        ids=[
            *("empty", "break", "text", "utf-16", "random", "object", "number", "null", "list"),
            *("deep", "escapes"),
        ],
    )
    def test_what_is_something_else(self, command: Any, tmp_path: Path, content: Any) -> None:
        file = tmp_path / "file"
        file.write_bytes(content)
        assert "\x1b" not in refused(run(command, file))

    def test_what_is_not_there(self, command: Any, tmp_path: Path) -> None:
        refused(run(command, tmp_path / "nowhere"))

    def test_a_folder(self, command: Any, tmp_path: Path) -> None:
        refused(run(command, tmp_path))

    def test_what_may_not_be_read(
        self, command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As root may read everything, the refusal is made here."""
        file = tmp_path / "file"
        file.write_text("")
        opened = io.open

        def deny(path: Any, *args: Any, **options: Any) -> Any:
            if str(path) == str(file):
                raise PermissionError(13, "Permission denied")
            return opened(path, *args, **options)

        for opener in ("builtins.open", "io.open"):
            monkeypatch.setattr(opener, deny)
        assert "Permission denied" in refused(run(command, file))

    def test_what_never_ends(self, command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "_LONGEST_RECORD", 1000)
        refused(run(command, "/dev/zero"))

    def test_a_name_with_escapes_in_it(self, command: Any, tmp_path: Path) -> None:
        file = tmp_path / "\x1b[2JSound"
        file.write_text("hello")
        assert "\x1b" not in run(command, file).output


class TestRestore:
    def test_a_record_is_no_backup_and_that_is_said_once(self) -> None:
        told = run("restore", RECORD)
        assert told.output.count("\n") <= 2
        assert "is no backup" in refused(told)

    def test_not_even_with_every_flag(self, redis: Client) -> None:
        told = run("restore", RECORD, "--salvage", "--trust-foreign-backup")
        assert "is no backup" in refused(told)
        assert list(redis.scan_iter()) == []


class TestBackup:
    def test_into_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        told = run("backup", tmp_path / "nowhere" / "file")
        assert "No such file or directory" in refused(told)

    def test_where_nothing_may_be_written(self) -> None:
        refused(run("backup", "/proc/file"))

    def test_a_place_that_cannot_even_be_looked_at(self, tmp_path: Path) -> None:
        """As root may look everywhere, the name is too long here."""
        assert "cannot be written: File name too long" in refused(
            run("backup", tmp_path / ("x" * 300))
        )

    @pytest.mark.parametrize("place", ["", "/dev/null"])
    def test_over_what_is_no_file(self, tmp_path: Path, place: str) -> None:
        before = os.stat(place or tmp_path)
        refused(run("backup", place or tmp_path))
        assert os.stat(place or tmp_path).st_rdev == before.st_rdev

    def test_through_a_link_to_the_file_that_it_names(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "file")
        assert run("backup", tmp_path / "link").exit_code == 0
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600

    def test_on_a_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        assert "No space left on device" in refused(run("backup", tmp_path / "file"))
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        *(["backup", "file"], ["restore", RECORD], ["import", RECORD], ["reindex"], ["doctor"]),
        *(["verify", "--all"], ["verify", RECORD]),
    ],
    ids=lambda arguments: " ".join(map(str, arguments))[:15],
)
def test_no_data_folder_is_left_behind(
    arguments: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCOTTENBURY_SECRET_KEY")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SCOTTENBURY_DATA")
    run(*arguments)
    monkeypatch.delenv("SCOTTENBURY_REDIS_URL")
    run(*arguments)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_redis_that_fails_in_the_middle_is_one_line(
    redis: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redis.exceptions import ConnectionError  # noqa: A004

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("Connection closed\nby server.")

    monkeypatch.setattr("service.ops.backup.BackupSeal.line", fail)
    assert "Redis failed: Connection closed by server." in refused(run("backup", tmp_path / "x"))
    assert list(tmp_path.iterdir()) == []


def test_standard_input_that_is_closed() -> None:
    ended = subprocess.run(
        f"{COMMAND} verify - <&-",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )
    assert (ended.returncode, ended.stderr) == (1, "Error: - cannot be read: it is closed.\n")


def test_the_help_is_not_cut() -> None:
    commands = run("--help").output.partition("Commands:")[2]
    assert len(commands.split("\n")) > len(main.commands)
    assert "..." not in commands
