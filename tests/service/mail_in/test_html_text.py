"""What of an HTML mail is its writer's text."""

import pytest

from service.mail_in.commands import Empty, Unread, read_commands
from service.mail_in.html_text import text_of
from service.mail_in.lines import own_lines
from service.mail_in.message import Text

UNSEEN = (
    '<div style="display:\n none">{}</div>',
    '<div style="DISPLAY:/* */none !important">{}</div>',
    '<div style="color: red; visibility: hidden">{}</div>',
    '<span style="font-size:0px;line-height:0">{}</span>',
    '<span style="opacity:0.0">{}</span>',
    '<p style="mso-hide:all">{}</p>',
    '<font style="color:transparent">{}</font>',
    "<p hidden>{}</p>",
    "<datalist><option>{}</option></datalist>",
    "<iframe>{}</iframe>",
    "<video>{}</video>",
    '<img alt="{}" title="{}">',
    "<!-- {} -->",
    "<!--[if mso]>{}<![endif]-->",
)
STRUCK = (
    "<s>{}</s>",
    "<p><strike>{}</strike></p>",
    "<del><p>{}</p></del>",
    '<span style="text-decoration: line-through">{}</span>',
)


def answer(source: str) -> object:
    return read_commands(own_lines(Text(text_of(source.format(*["play R7 at 3"] * 2)).text)))


@pytest.mark.parametrize("source", UNSEEN)
def test_what_nobody_sees_is_not_read(source: str) -> None:
    assert answer(source) == Empty()


@pytest.mark.parametrize("source", STRUCK)
def test_what_is_struck_out_is_no_command(source: str) -> None:
    assert isinstance(answer(f"{source}<p>claim 4</p>"), Unread)


@pytest.mark.parametrize("style", ["opacity:0.8", "font-size:0.9em", "text-decoration:none"])
def test_what_is_seen_is_read(style: str) -> None:
    assert text_of(f"<b style='{style}'>claim 4</b>").text == "claim 4"


def test_what_stands_in_a_copy_is_known_apart() -> None:
    read = text_of('<p>claim 4</p><div id="divRplyFwdMsg">From</div><p hidden>x</p><p>R7@3</p>')
    assert (read.text.strip(), read.below.split()) == ("claim 4", ["From", "R7@3"])
