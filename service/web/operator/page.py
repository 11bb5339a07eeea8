"""The server's state for its operator: late and failed notices, failing addresses, players'
reports."""

from typing import Final

from flask import Response, render_template, request

from service.container import get_container
from service.core.timestamps import timestamp
from service.eventlog import parse_notice_id
from service.eventlog.dead_letters import DeadLetter
from service.ops import dead_letters, operating
from service.ops.server_status import ServerStatus, server_status
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.operator.access import operator_name, refusal

_MOST_SHOWN: Final = 100
"""The most dead letters, and the most failing addresses, in the lists."""
_MEGABYTE: Final = 2**20


@blueprint.get("/operator")
def operator() -> Response:
    """Show the whole state at a glance."""
    if (refused := refusal()) is not None:
        return refused
    store = get_container()
    status = server_status(store)
    page = render_template(
        "operator/page.html",
        found=status,
        dead=[_letter(dead) for dead in status.dead[:_MOST_SHOWN]],
        failing=[
            (digest, timestamp(failure.at), failure)
            for digest, failure in sorted(status.failing.items(), key=lambda pair: -pair[1].at)
        ][:_MOST_SHOWN],
        late=[(one, timestamp(one.since)) for one in status.late],
        sizes=[
            (size.memory / _MEGABYTE, size.file / _MEGABYTE, size.keys) for size in status.sizes
        ],
        names=_names(status),
        now=store.now(),
    )
    return personal(page)


@blueprint.post("/operator/dead-letters")
def settle_dead_letters() -> Response:
    """Try a dead letter again, or discard it; or try all of them again."""
    if (refused := refusal()) is not None:
        return refused
    store, named = get_container(), request.form.get("notice")
    chosen = [dead for dead in store.dead_letters.all() if dead.notice == named]
    match request.form.get("do"):
        case "retry":
            for dead in chosen:
                dead_letters.retry(store, dead)
        case "retry-all":
            for dead in store.dead_letters.all():
                dead_letters.retry(store, dead)
        case "discard":
            for dead in chosen:
                store.dead_letters.remove(dead.notice)
    return to("web.operator", _anchor="dead")


@blueprint.post("/operator/addresses")
def clear_address() -> Response:
    """Clear an address's failure, so that mail goes there again."""
    if (refused := refusal()) is not None:
        return refused
    get_container().addresses.failing.clear_digest(request.form.get("address", ""))
    return to("web.operator", _anchor="addresses")


@blueprint.post("/operator/messages")
def settle_report() -> Response:
    """Settle a report: mute the writer, or dismiss it; or let a muted player write again."""
    if (refused := refusal()) is not None:
        return refused
    moderation = get_container().games.conversations.moderation
    reports = {report.id: report for report in moderation.reports()}
    report = reports.get(request.form.get("report", ""))
    match request.form.get("do"):
        case "mute" if report is not None:
            moderation.mute(report.about)
            moderation.dismiss(report.id)
            _log("mute", report.about, f"report {report.id}")
        case "dismiss" if report is not None:
            moderation.dismiss(report.id)
            _log("dismiss a report", report.about, f"report {report.id}")
        case "unmute":
            moderation.unmute(request.form.get("player", ""))
            _log("unmute", request.form.get("player", ""), "")
    return to("web.operator", _anchor="reports")


def _log(act: str, player: str, reason: str) -> None:
    store = get_container()
    name = store.players.names([player]).get(player) or "a former player"
    operating.log(store, operator_name(), act, player, name, reason)


def _letter(dead: DeadLetter) -> dict[str, object]:
    parts = parse_notice_id(dead.notice)
    what = f"{parts.transport} {parts.kind}"
    return {"notice": dead.notice, "at": timestamp(dead.at), "what": what, "error": dead.error}


def _names(status: ServerStatus) -> dict[str, str]:
    """Return the names of the players who reported, were reported or are muted, by id."""
    concerned = {player for report in status.reports for player in (report.by, report.about)}
    names = get_container().players.names(concerned | status.muted.keys())
    return {
        player: names.get(player) or "a former player" for player in concerned | {*status.muted}
    }
