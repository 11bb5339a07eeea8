"""Mails that come back, as mail servers write them (RFC 3464), for tests."""

from itertools import count

_numbers = count()


def delivery_report(
    to: str,
    action: str = "failed",
    status: str = "5.1.1",
    recipient: str = "bob@example.org",
    of: str = "",
) -> bytes:
    """A report like Postfix's, of a mail to this recipient that has the Message-ID `of`."""
    return f"""\
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
Auto-Submitted: auto-replied
Message-ID: <{next(_numbers)}@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="4C9.1/mx"

This is a MIME-encapsulated message.

--4C9.1/mx
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

R4@3

--4C9.1/mx
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
X-Postfix-Sender: rfc822; {to}
Arrival-Date: Sat, 21 Nov 2026 20:00:00 +0000 (UTC)

Final-Recipient: rfc822; {recipient}
Original-Recipient: rfc822;{recipient}
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 {status} <{recipient}>: nobody
    of that name

--4C9.1/mx
Content-Description: Undelivered Message
Content-Type: message/rfc822

From: Scottenbury <scottenbury@scottenbury.test>
To: {recipient}
Subject: your turn
Message-ID: {of}
X-Scottenbury-Game: aaaaaaaaaaaaaaaaaaaa

play R4 at 3

--4C9.1/mx--
""".replace("\n", "\r\n").encode()
