"""Postfix and Dovecot of this machine, with settings and folders of their own, for as long as a
context lasts. They touch no other mail: all of theirs stays on this machine, in one folder.
"""

import os
import pwd
import smtplib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from typing import Final, NamedTuple

from tests.support.ports import free_ports
from tests.support.waiting import until

PASSWORD: Final = "password-for-tests"
_MAIN: Final = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = {folder}
maillog_file = {folder}/postfix.log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.scottenbury.test
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
smtpd_peername_lookup = no
smtpd_relay_restrictions = permit_mynetworks, reject
virtual_mailbox_domains = example.org, {domain}
virtual_alias_maps = regexp:{folder}/aliases
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
in_flow_delay = 0
"""
_MASTER: Final = """\
127.0.0.1:{smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""
_DOVECOT: Final = """\
protocols = imap lmtp
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
first_valid_uid = 1
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/homes/%u allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""


class MailServers(NamedTuple):
    """Their ports. Each address at example.org has a mailbox; all of the game's share one."""

    folder: Path
    smtp: int
    imap: int
    mailbox: str
    """The user of the game's mailbox."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand a mail to Postfix."""
        with smtplib.SMTP("127.0.0.1", self.smtp, "localhost", 30) as smtp:
            smtp.sendmail(sender, [recipient], raw)

    def queued(self) -> int:
        """How many mails Postfix has still to deliver."""
        queues = ("maildrop", "incoming", "active", "deferred")
        return sum(
            path.is_file()
            for queue in queues
            for path in (self.folder / "queue" / queue).rglob("*")
        )


def missing() -> str | None:
    """What keeps them from being run here; None if they can be."""
    programs = [name for name in ("postfix", "dovecot") if which(name, path=_PATH) is None]
    if programs:
        return f"{' and '.join(programs)} not installed"
    return None if os.geteuid() == 0 else "Postfix is started by root alone"


@contextmanager
def mail_servers(folder: Path, domain: str) -> Iterator[MailServers]:
    """Both, with all addresses at `domain` in the game's mailbox; `folder` is empty, and theirs."""
    smtp, imap, lmtp = free_ports(3)
    folder.chmod(0o755)
    nobody = pwd.getpwnam("nobody")
    for name in ("queue", "data", "homes", "postfix"):
        (folder / name).mkdir()
    os.chown(folder / "homes", nobody.pw_uid, nobody.pw_gid)
    os.chown(folder / "data", pwd.getpwnam("postfix").pw_uid, 0)
    given = {
        "folder": folder,
        "domain": domain,
        "smtp": smtp,
        "imap": imap,
        "lmtp": lmtp,
        "uid": nobody.pw_uid,
        "gid": nobody.pw_gid,
        "password": PASSWORD,
    }
    mailbox = f"games@{domain}"
    (folder / "aliases").write_text(f"/@{domain.replace('.', '[.]')}$/ {mailbox}\n")
    (folder / "postfix" / "main.cf").write_text(_MAIN.format(**given))
    (folder / "postfix" / "master.cf").write_text(_MASTER.format(**given))
    (folder / "dovecot.conf").write_text(_DOVECOT.format(**given))
    dovecot = subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", folder / "dovecot.conf"])
    postfix = ["/usr/sbin/postfix", "-c", folder / "postfix"]
    try:
        subprocess.run([*postfix, "start"], check=True)
        until(lambda: all(map(_listens, (smtp, imap, lmtp))))
        yield MailServers(folder, smtp, imap, mailbox)
    finally:
        subprocess.run([*postfix, "stop"], check=False)
        dovecot.terminate()
        dovecot.wait()


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


_PATH: Final = "/usr/sbin:/usr/bin"
