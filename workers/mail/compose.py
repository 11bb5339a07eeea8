"""Composes the finished message from a kind of mail and its variables.

The words are in `templates/KIND/`: `subject.txt`, `body.txt` and `body.html`. Every header but Date
follows from the notice, so sending it again sends the same mail.
"""

import html
import re
import textwrap
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from service.accounts.email_addresses import ADDRESS
from service.accounts.mail_preferences import Subscription
from service.eventlog import NoticeParts
from service.games import GUEST
from service.games.notices.notifications import GAME_REMOVED
from service.mail_in.addresses.reply_addresses import ReplyTo
from workers.context import WorkerContext
from workers.kinds import About, kind_of
from workers.mail import position
from workers.mail.answers import ready_answers, reply_to, ways_to_answer
from workers.mail.digest import Digest
from workers.mail.game import GameMail
from workers.mail.message import Address, Body, Message, build
from workers.mail.subjects import WRITERS, AccountMail

WIDTH: Final = 72
MARGIN: Final = "| "
"""Starts every line about cards and moves, so that such a line never reads as a move when
somebody's answer quotes it."""

_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_DID: Final = re.compile(r"\b(played|discarded|moved|took|put|found|drew|claimed|[Aa]nd) ")
_TEXT_OF_HTML: Final = re.compile(r"(?<=>)[^<>]+(?=<)")
_AUTOMATIC: Final = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""These headers keep automatic responders silent: RFC 3834, and Exchange's own."""


def compose(context: WorkerContext, notice: NoticeParts, mail: AccountMail) -> Message:
    """Compose a mail about an account. Raises `UnsafeMail` if the address is invalid."""
    sender = _sender(context)
    headers = {
        **_date(context),
        "Message-ID": message_id(context, notice),
        **({"Reply-To": mail.reply_to} if mail.reply_to else {}),
        **_AUTOMATIC,
    }
    site = context.container.settings.base_url
    variables = {
        "link": mail.link,
        "site": site,
        "answered": mail.reply_to is not None,
        "words": mail.words,
    }
    to = Address("", mail.to)
    return _message(notice.kind, sender, to, headers, variables, _envelope(context, notice, to))


def compose_for_reader(
    context: WorkerContext,
    notice: NoticeParts,
    to: Address,
    about: About | Digest,
    subscription: Subscription,
) -> Message:
    """Compose a mail about a game, a challenge or a vacation, or a digest. Raises `UnsafeMail`."""
    sender, game = _sender(context), about if isinstance(about, GameMail) else None
    answered = reply_to(notice, game)
    address = context.container.incoming_mail.addresses.write(answered) if answered else None
    unsubscribe = context.container.mail_preferences.url(subscription)
    by_mail = context.container.incoming_mail.unsubscribing.write(subscription)
    headers = {
        **_date(context),
        **_thread(context, notice, notice.subject),
        **({"Reply-To": address} if address else {}),
        **_AUTOMATIC,
        "List-Id": f"<{notice.subject}.{_domain(context)}>",
        "List-Unsubscribe": f"<{unsubscribe}>" + (f", <mailto:{by_mail}>" if by_mail else ""),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if not isinstance(about, Digest):
        headers["X-Scottenbury-Game"] = notice.subject
    if game is not None:
        headers["X-Scottenbury-Version"] = str(game.stored.version)
        headers["X-Scottenbury-Head"] = game.stored.head
    site = context.container.settings.base_url
    more = {"unsubscribe": unsubscribe, "site": site, **_answering(address, answered, game)}
    envelope = _envelope(context, notice, to)
    named = _named(sender, notice.kind, about)
    return _message(notice.kind, named, to, headers, {**about.variables, **more}, envelope)


def compose_reply(
    context: WorkerContext,
    notice: NoticeParts,
    about: str,
    to: Address,
    variables: Mapping[str, Any],
    answered: ReplyTo | None,
) -> Message:
    """Compose an answer to an incoming mail, in the thread of its game or challenge. `answered` is
    what a reply to it is about.

    It repeats nothing from the head of the incoming mail, and its envelope has no sender, so that
    no machine answers it in turn. Raises `UnsafeMail`.
    """
    sender = _sender(context)
    address = context.container.incoming_mail.addresses.write(answered) if answered else None
    headers = {
        **_date(context),
        **_thread(context, notice, about or notice.subject),
        **({"Reply-To": address} if address else {}),
        **_AUTOMATIC,
        "Auto-Submitted": "auto-replied",
        "X-Scottenbury-Game": about or notice.subject,
    }
    more = {
        "site": context.container.settings.base_url,
        **_answering(address, answered, variables["game"]),
    }
    named = _named(sender, notice.kind, variables["game"])
    return _message(notice.kind, named, to, headers, {**variables, **more}, "")


def _answering(
    address: str | None, answered: ReplyTo | None, game: GameMail | None
) -> dict[str, object]:
    """Return the templates' variables about answering; `address` is the reply address, None if the
    mail cannot be answered."""
    return {
        "ways_to_answer": ways_to_answer(answered if address else None, game),
        "ready": ready_answers(address, answered, game),
    }


def _envelope(context: WorkerContext, notice: NoticeParts, to: Address) -> str:
    """Return the envelope's sender: the address to which an undeliverable mail returns."""
    container = context.container
    of = notice.recipient
    if of in (GUEST, ADDRESS):
        of = next((owner.id for owner in container.players.owners(to.email)), notice.subject)
    address = container.incoming_mail.bouncing.write(of, to.email, container.now())
    return address or _sender(context).email


def _sender(context: WorkerContext) -> Address:
    return Address(*parseaddr(context.container.settings.mail_from))


def _named(sender: Address, kind: str, about: About | Digest | None) -> Address:
    """Return the sender, with a name that fits the subject of the mail."""
    name = kind_of(kind).sender(about)
    return sender if name is None else Address(name, sender.email)


def _date(context: WorkerContext) -> dict[str, str]:
    return {"Date": format_datetime(datetime.fromtimestamp(context.container.now(), UTC))}


def message_id(context: WorkerContext, notice: NoticeParts) -> str:
    """Return the Message-ID of the mail of this notice, the same each time."""
    is_of_account = notice.kind in WRITERS and notice.kind != GAME_REMOVED
    of = "" if is_of_account else f".{notice.recipient}"
    return f"<{notice.subject}.{notice.version}{of}.{notice.kind}@{_domain(context)}>"


def _thread(context: WorkerContext, notice: NoticeParts, about: str) -> dict[str, str]:
    """Return the headers with the mail's own id and the root of its game's thread. No mail has the
    root as its id; every mail answers it."""
    root = f"<{about}@{_domain(context)}>"
    return {"Message-ID": message_id(context, notice), "In-Reply-To": root, "References": root}


def _domain(context: WorkerContext) -> str:
    return _sender(context).email.rpartition("@")[2]


def _message(
    kind: str,
    sender: Address,
    to: Address,
    headers: Mapping[str, str],
    variables: Mapping[str, object],
    envelope: str,
) -> Message:
    folder = kind_of(kind).folder
    subject = _render(f"{folder}/subject.txt", variables).strip()
    text = _unbroken(_spaced(_render(f"{folder}/body.txt", variables), empty_lines=1))
    page = _render(f"{folder}/body.html", {**variables, "subject": subject})
    shown = _spaced(_TEXT_OF_HTML.sub(_unbroken_html, page), empty_lines=0)
    message = build(sender, to, subject, headers, Body(text, shown))
    return message._replace(sender=envelope)


def _render(template: str, variables: Mapping[str, object]) -> str:
    return _templates.get_template(template).render(variables)


def _spaced(text: str, empty_lines: int) -> str:
    """Return the text with each run of empty lines, which templates leave, replaced by
    `empty_lines` empty lines."""
    return re.sub(r"\n{2,}", "\n" * (1 + empty_lines), text).strip("\n") + "\n"


def _unbroken(text: str) -> str:
    """Return the text with no-break spaces where a part that reads as a command would begin a
    line."""
    # Here, as a worker needs it for its first mail: the words take 0.3 s and 7 MB.
    from service.mail_in.words.inert_prose import unbroken

    return unbroken(text)


def _unbroken_html(match: re.Match[str]) -> str:
    """Return the text of an HTML element with the no-break spaces that `_unbroken` adds."""
    if " " not in match[0]:
        return match[0]
    read = html.unescape(match[0])
    spaces = iter([new for old, new in zip(read, _unbroken(read), strict=True) if old == " "])
    return re.sub(" ", lambda _: next(spaces), match[0])


def _wrapped(lines: Iterable[str]) -> list[str]:
    """Wrap sentences into lines with a margin."""
    width = WIDTH - len(MARGIN)
    parts = (
        textwrap.wrap(_unbroken(line), width, subsequent_indent="  ") for line in lines if line
    )
    return [MARGIN + part for wrapped in parts for part in wrapped]


def _whole(sentence: str) -> str:
    """Return the sentence with no break between a verb and its card, so that no line begins with a
    card."""
    return _DID.sub(f"\\1{_NO_BREAK}", sentence)


def _paragraph(sentence: str) -> str:
    """Wrap a sentence into a paragraph without a margin."""
    return "\n".join(textwrap.wrap(_unbroken(sentence), WIDTH))


def _drawn(lines: Iterable[str]) -> list[str]:
    """Return the lines of a drawing, which keep their columns, with a margin."""
    return [f"{MARGIN}{line}".rstrip() for line in lines]


_templates: Final = Environment(
    loader=PackageLoader("workers"),
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,  # otherwise each mail checks the files for changes
)
_templates.globals |= {"light": position.LIGHT, "dark": position.DARK}
_templates.filters |= {
    "wrapped": _wrapped,
    "drawn": _drawn,
    "paragraph": _paragraph,
    "whole": _whole,
}
