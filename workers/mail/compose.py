"""Composes the finished message from a kind of mail and its variables.

The words are in `templates/KIND/`: `subject.txt`, `body.txt` and `body.html`. Every header but Date
follows from the notice, so sending it again sends the same mail.
"""

import html
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_eval_context, select_autoescape
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from letters.inert import UNSEEN_MARK
from service.accounts.email_addresses import ADDRESS
from service.accounts.faces import mail_style
from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import kind_of
from service.core.words import Words
from service.eventlog import NoticeParts
from service.games import GUEST
from service.games.notices import GAME_REMOVED
from service.mail_in.addresses import ReplyTo
from service.mail_in.outcome import NOTE
from service.mail_in.wording import Commands
from workers.context import WorkerContext
from workers.due import About
from workers.mail import position
from workers.mail.answers import ready_answers, reply_to, ways_beside_cards, ways_to_answer
from workers.mail.digest import Digest
from workers.mail.game import GameMail
from workers.mail.mailer import Address, Body, Message, build
from workers.mail.season import SeasonMail
from workers.mail.subjects import WRITERS, AccountMail

WIDTH: Final = 72
MARGIN: Final = "| "
"""Starts every line about cards and moves, so that such a line never reads as a move when
somebody's answer quotes it."""

_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_UNSEEN: Final = re.compile(f"{UNSEEN_MARK}(.+?){UNSEEN_MARK}")
_BEFORE_NUMBER: Final = re.compile(r"(?<=[^\W\d_]) (?=[1-9]\b)")
"""The space between a Stone and its number."""
_DID: Final = re.compile(r"\b(played|discarded|moved|took|put|found|drew|claimed|[Aa]nd) ")
_TEXT_OF_HTML: Final = re.compile(r"(?<=>)[^<>]+(?=<)")
_AUTOMATIC: Final = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""These headers keep automatic responders silent: RFC 3834, and Exchange's own."""


def compose(
    words: Words, context: WorkerContext, notice: NoticeParts, mail: AccountMail
) -> Message:
    """Compose a mail about an account. Raises `UnsafeMail` if the address is invalid."""
    to, is_answered = Address("", mail.to), mail.reply_to is not None
    variables = {
        "link": mail.link,
        "answered": is_answered,
        "reason": mail.reason,
        "name": mail.name,
    }
    envelope = _envelope(context, notice, to)
    return _message(words, context, notice, to, variables, envelope, reply_to=mail.reply_to)


def compose_for_reader(
    context: WorkerContext,
    notice: NoticeParts,
    to: Address,
    about: About | Digest,
    subscription: Subscription,
) -> Message:
    """Compose a mail about a game, a challenge, a season or a vacation, or a digest.

    Raises `UnsafeMail`.
    """
    words, game = about.words, about if isinstance(about, GameMail) else None
    answered = about.answered if isinstance(about, SeasonMail) else reply_to(notice, game)
    address = context.container.mail_addresses.replies.write(answered) if answered else None
    unsubscribe = context.container.mail_preferences.url(subscription)
    by_mail = context.container.mail_addresses.unsubscribing.write(subscription)
    headers = {
        "List-Id": f"<{notice.subject}.{_domain(context)}>",
        "List-Unsubscribe": f"<{unsubscribe}>" + (f", <mailto:{by_mail}>" if by_mail else ""),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if not isinstance(about, Digest):
        headers["X-Scottenbury-Game"] = notice.subject
    if game is not None:
        headers["X-Scottenbury-Version"] = str(game.stored.version)
        headers["X-Scottenbury-Head"] = game.stored.head
    to_guest = notice.recipient == GUEST
    answering = _answering(words, context, address, answered, game, to_guest=to_guest)
    kind = kind_of(notice.kind)
    return _message(
        words,
        context,
        notice,
        to,
        {
            **about.variables,
            "opening": kind.opening_about(words, about),
            "unsubscribe": unsubscribe,
            **answering,
        },
        _envelope(context, notice, to),
        name=kind.sender_about(words, about),
        thread=notice.subject,
        reply_to=address,
        more=headers,
    )


def compose_reply(
    words: Words,
    context: WorkerContext,
    notice: NoticeParts,
    about: str,
    to: Address,
    variables: Mapping[str, Any],
    answered: ReplyTo | None,
    asking: str | None,
) -> Message:
    """Compose an answer to an incoming mail, in the thread of its game or challenge. `answered` is
    what a reply to it is about; a reply to a question about an address goes to `asking`.

    It repeats nothing from the head of the incoming mail, and its envelope has no sender, so that
    no machine answers it in turn. Raises `UnsafeMail`.
    """
    address = context.container.mail_addresses.replies.write(answered) if answered else None
    about, game = about or notice.subject, variables["game"]
    headers = {"Auto-Submitted": "auto-replied", "X-Scottenbury-Game": about}
    to_guest = notice.recipient == ADDRESS
    answering = _answering(words, context, address, answered, game, to_guest=to_guest)
    if answered and answered.purpose == "turn" and game.is_to_move and notice.kind == NOTE:
        answering |= {"ways_to_answer": [], "ways_beside_cards": []}  # it shows no hand
    variables = {**variables, **answering}
    return _message(
        words,
        context,
        notice,
        to,
        variables,
        "",
        name=kind_of(notice.kind).sender_about(words, game),
        thread=about,
        reply_to=address or asking,
        more=headers,
    )


def _answering(
    words: Words,
    context: WorkerContext,
    address: str | None,
    answered: ReplyTo | None,
    game: GameMail | None,
    *,
    to_guest: bool,
) -> dict[str, object]:
    """Return the templates' variables about answering; `address` is the reply address, None if the
    mail cannot be answered."""
    ready = ready_answers(words, address, answered, game)
    host = game.host if game else _host(context, answered)
    return {
        "ways_to_answer": ways_to_answer(
            words, answered if address else None, game, host, to_guest=to_guest
        ),
        "ways_beside_cards": ways_beside_cards(words, game) if game and ready.cards else [],
        "ready": ready,
    }


def _host(context: WorkerContext, answered: ReplyTo | None) -> str:
    """Return the name of the player whose invitation was answered; empty if it is none."""
    if answered is None or answered.purpose not in ("invitation", "naming"):
        return ""
    stored = context.container.games.repository.latest(answered.game)
    if stored is None:
        return ""
    player = context.container.players.find(stored.game.players[stored.game.creator] or "")
    return player.name if player else ""


def _envelope(context: WorkerContext, notice: NoticeParts, to: Address) -> str:
    """Return the envelope's sender: the address to which an undeliverable mail returns."""
    container = context.container
    of = notice.recipient
    if of in (GUEST, ADDRESS):
        of = next((owner.id for owner in container.players.owners(to.email)), notice.subject)
    address = container.mail_addresses.bouncing.write(of, to.email, container.now())
    return address or _sender(context).email


def _sender(context: WorkerContext) -> Address:
    return _parsed(context.container.settings.mail_from)


@cache
def _parsed(mail_from: str) -> Address:
    return Address(*parseaddr(mail_from))


def message_id(context: WorkerContext, notice: NoticeParts) -> str:
    """Return the Message-ID of the mail of this notice, the same each time."""
    is_of_account = notice.kind in WRITERS and notice.kind != GAME_REMOVED
    of = "" if is_of_account else f".{notice.recipient}"
    return f"<{notice.subject}.{notice.version}{of}.{notice.kind}@{_domain(context)}>"


def _message(
    words: Words,
    context: WorkerContext,
    notice: NoticeParts,
    to: Address,
    variables: Mapping[str, object],
    envelope: str,
    *,
    name: str | None = None,
    thread: str | None = None,
    reply_to: str | None = None,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Message:
    """Return the message from us, or from us under the `name` that fits its subject. No mail has
    the root of its `thread` as its id; every mail answers it."""
    sender, root = _sender(context), f"<{thread}@{_domain(context)}>"
    headers = {
        "Date": format_datetime(datetime.fromtimestamp(context.container.now(), UTC)),
        "Message-ID": message_id(context, notice),
        "Content-Language": words.language,
        **({"In-Reply-To": root, "References": root} if thread else {}),
        **({"Reply-To": reply_to} if reply_to else {}),
        **_AUTOMATIC,
        **more,
    }

    settings = context.container.settings
    templates = _templates(words, settings.takes_mail)

    def rendered(template: str, **others: str) -> str:
        path = f"{kind_of(notice.kind).folder}/{template}"
        return templates.get_template(path).render(**variables, **others, site=settings.base_url)

    subject = _of_head(rendered("subject.txt"))
    text = _spaced(rendered("body.txt"), empty_lines=1)
    page = rendered("body.html", subject=subject)
    if settings.takes_mail:
        text, page = _unbroken(text), _TEXT_OF_HTML.sub(_unbroken_html, page)
    page = _TEXT_OF_HTML.sub(lambda match: _BEFORE_NUMBER.sub(_NO_BREAK, match[0]), page)
    body = Body(text, _spaced(page, empty_lines=0))
    named = sender if name is None else Address(_of_head(name), sender.email)
    return build(named, to, subject, headers, body)._replace(sender=envelope)


def _of_head(text: str) -> str:
    """Return the text with plain spaces, as in French, and with marks that are seen: a head with
    others counts as unsafe."""
    return " ".join(_UNSEEN.sub(r"‹\1›", text).split())


def _domain(context: WorkerContext) -> str:
    return _sender(context).email.rpartition("@")[2]


def _spaced(text: str, empty_lines: int) -> str:
    """Return the text with each run of empty lines, which templates leave, replaced by
    `empty_lines` empty lines."""
    return re.sub(r"\n{2,}", "\n" * (1 + empty_lines), text).strip("\n") + "\n"


def _unbroken(text: str) -> str:
    """Return the text with no-break spaces where a part that reads as a command would begin a
    line."""
    # Here, as a worker needs it for its first mail: the words take 0.3 s and 7 MB.
    from letters.inert_prose import unbroken

    return unbroken(text)


def _unbroken_html(match: re.Match[str]) -> str:
    """Return the text of an HTML element with the no-break spaces that `_unbroken` adds."""
    if " " not in match[0]:
        return match[0]
    read = html.unescape(match[0])
    spaces = iter([new for old, new in zip(read, _unbroken(read), strict=True) if old == " "])
    return re.sub(" ", lambda _: next(spaces), match[0])


@cache
def _templates(words: Words, is_answered: bool) -> Environment:
    """Return the templates, whose messages these words say; of mails that can be answered, no line
    can be read as a command."""
    kept_whole = _unbroken if is_answered else str

    def wrapped(lines: Iterable[str]) -> list[str]:
        """Wrap sentences into lines with a margin."""
        width = WIDTH - len(MARGIN)
        parts = (
            textwrap.wrap(kept_whole(line), width, subsequent_indent="  ") for line in lines if line
        )
        return [MARGIN + part for wrapped in parts for part in wrapped]

    templates = Environment(
        loader=PackageLoader("workers"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,  # otherwise each mail checks the files for changes
    )
    templates.globals |= {"light": position.LIGHT, "dark": position.DARK, "face": None}
    templates.globals |= {"mail_style": mail_style, "language": words.language}
    templates.globals |= {"commands": Commands(words.language), **_messages(words)}
    templates.filters |= {
        "wrapped": wrapped,
        # The lines of a drawing, which keep their columns, with a margin.
        "drawn": lambda lines: [f"{MARGIN}{line}".rstrip() for line in lines],
        "paragraph": lambda sentence: "\n".join(textwrap.wrap(kept_whole(sentence), WIDTH)),
        # No break between a verb and its card, so that no line begins with a card.
        "whole": lambda sentence: _DID.sub(f"\\1{_NO_BREAK}", sentence),
    }
    return templates


def _messages(words: Words) -> dict[str, Callable[..., str]]:
    """Return `_` and `plural` for templates: in HTML, places that are not markup are escaped."""

    @pass_eval_context
    def say(html: EvalContext, message: str, **places: object) -> str:
        if not html.autoescape:
            return words.say(message, **places)
        marked = Markup(escape(words.say(message)))
        return marked % places if places else marked

    @pass_eval_context
    def plural(html: EvalContext, one: str, many: str, number: int, **places: object) -> str:
        text = words.plural(one, many, number, **places)
        return Markup(escape(text)) if html.autoescape else text

    return {"_": say, "plural": plural}
