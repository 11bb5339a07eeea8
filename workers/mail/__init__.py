"""Writing mails and handing them to a mail server."""
