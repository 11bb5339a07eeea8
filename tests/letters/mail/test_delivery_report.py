"""What reports of mail servers say, whatever they look like."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letters.mail.body import DeliveryReport
from service.mail_in.message import MalformedMail, read
from tests.support.delivery_reports import delivery_report

RAW = delivery_report("bounce@example.org")

EXCHANGE = b"""\
From: <postmaster@example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain

Delivery has failed to these recipients or groups.
--y--
--x
Content-Type: message/delivery-status

Reporting-MTA: dns;mx.example.com

Final-recipient: RFC822;bob@example.org
Action: failed
Status: 5.1.10
Diagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found

--x--
"""


def test_a_report_of_another_program() -> None:
    assert read(EXCHANGE).body.report == DeliveryReport(
        "for_good", "5.1.10 550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found"
    )


def test_of_several_recipients_the_worst_counts() -> None:
    two = EXCHANGE.replace(
        b"Final-recipient",
        b"Final-recipient: rfc822;a@b.c\nAction: delayed\nStatus: 4.4.1\n\nFinal-recipient",
    )
    report = read(two).body.report
    assert report is not None
    assert report.result == "for_good"


def test_a_report_in_the_mail_that_came_back_is_none() -> None:
    outer = b"Content-Type: multipart/report; boundary=o\n\n--o\nContent-Type: message/rfc822\n\n"
    assert read(outer + EXCHANGE + b"\n--o--\n").body.report is None


@pytest.mark.parametrize("kind", ["multipart/mixed", "text/plain"])
def test_a_mail_of_another_kind_is_no_report(kind: str) -> None:
    assert read(EXCHANGE.replace(b"multipart/report", kind.encode())).body.report is None


@given(st.data())
def test_no_report_makes_reading_fail(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(RAW)))
    length = data.draw(st.integers(0, 60))
    other = data.draw(
        st.binary(max_size=40) | st.sampled_from([b"\r\n\r\n", b"Action: failed\r\n"])
    )
    with contextlib.suppress(MalformedMail):
        report = read(RAW[:at] + other + RAW[at + length :]).body.report
        assert report is None or report.said.isprintable()
        assert report is None or len(report.said) <= 300
