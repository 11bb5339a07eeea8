"""The pages: plain HTML that needs no JavaScript and asks nothing of any other site.

A GET changes nothing here, so that a program which follows links does no harm.
"""

from service.web import account, errors, games, home, mailbox, rules, sign_in, unsubscribe
from service.web.blueprint import blueprint

__all__ = [
    "account",
    "blueprint",
    "errors",
    "games",
    "home",
    "mailbox",
    "rules",
    "sign_in",
    "unsubscribe",
]
