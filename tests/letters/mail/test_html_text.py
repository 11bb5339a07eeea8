"""What of an HTML mail is its writer's text."""

import pytest

from letters.commands import Empty, Unread, WholeTurn, read_commands
from letters.mail.body import Text
from letters.mail.html_text import HIDDEN, text_of
from letters.mail.lines import read_lines

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


DOUBTFUL = (
    # by a style sheet
    "<style>.x{{display:none}}</style><p class=x>{}</p>",
    "<p class='a x'>{}</p><style>p.x , b {{ color:red; DISPLAY : none !important }}</style>",
    "<style><!-- /* c */ td #x > div.y.z {{font-size:0}} --></style><div id=x class='z y'>{}</div>",
    "<style>@media all{{ @supports (a) {{ .x{{visibility:hidden}} }} }}</style><b class=x>{}</b>",
    r"<style>.x{{d\69splay:no\6e e}}</style><p class=x>{}</p>",
    "<!--[if !mso]><style>#x{{opacity:0}}</style><![endif]--><p id=x>{}</p>",
    "<style>.x{{mso-hide:all</style><p class=x>{}</p>",
    "<style>*{{color:#fefefe}}</style><p>{}</p>",
    "<style>.x{{display:none}} .x{{display:block}}</style><p class=x>{}</p>",
    # by its colour
    '<p style="color:#fff">{}</p>',
    '<p style="color: RGB(255, 255, 255)">{}</p>',
    '<p style="color:hsl(0, 0%, 99%)">{}</p>',
    "<font color=white>{}</font>",
    '<font color="#FFFFFE">{}</font>',
    '<p style="color:#ffff0000">{}</p>',
    '<p style="color:rgba(0,0,0,.05)">{}</p>',
    '<div style="background:#123456 url(x)"><p style="color:#133557">{}</p></div>',
    '<table bgcolor=black><td><font color="#000">{}</font></td></table>',
    '<div style="color:navy"><p style="background:navy">{}</p></div>',
    '<div style="color:white"><p style="background:transparent">{}</p></div>',
    '<p style="-webkit-text-fill-color:white">{}</p>',
    '<body style="background:#111"><p style="color:#eee">{}</p>',
    '<table style="background: black"><tr><td><font color=white>{}</font></table>',
    # by its size or place
    '<p style="font-size:1px">{}</p>',
    '<p style="font:normal 0.1em/0 Arial">{}</p>',
    '<p style="opacity:.1">{}</p>',
    '<p style="height:0;overflow:hidden">{}</p>',
    '<p style="max-height: 0px; overflow-y: scroll">{}</p>',
    '<p style="position:absolute;left:-9999px">{}</p>',
    '<p style="text-indent:-100em">{}</p>',
    '<p style="margin:0 0 0 -2000px">{}</p>',
    '<p style="transform: scale(0)">{}</p>',
    '<p style="position:absolute;clip:rect(0 0 0 0)">{}</p>',
    f"{'<b>' * 300}<p style='display:none'>{{}}</p>",
)
SEEN = (
    '<p style="color:#222;background:#fff">{}</p>',
    '<span style="color:windowtext">{}</span>',
    '<p style="font:16px/1.5 system-ui;margin:0 0 0 12px;text-indent:-18.0pt">{}</p>',
    '<p style="font:700 12pt Arial;font-size:100%;opacity:.9;max-height:20px">{}</p>',
    '<p style="line-height:1;overflow:hidden;width:100%;height:10px">{}</p>',
    "<style>.x{{display:none}} a.y:hover{{color:#fff}} .y .x{{opacity:0}}</style><p class=y>{}</p>",
    "<style>@media (prefers-color-scheme:dark){{p{{color:#fff}}}} @media print{{p{{display:none}}}}"
    "</style><p>{}</p>",
    "<style>p.MsoNormal{{margin:0cm;font-size:11.0pt;color:windowtext}}</style>"
    "<p class=MsoNormal>{}</p>",
)


def answer(source: str) -> object:
    return read_commands(read_lines(Text(text_of(source.format(*["play R7 at 3"] * 2)).text)).lines)


@pytest.mark.parametrize("source", UNSEEN)
def test_what_nobody_sees_is_not_read(source: str) -> None:
    assert answer(source) == Empty()


@pytest.mark.parametrize("source", DOUBTFUL)
def test_what_may_be_hidden_is_never_played(source: str) -> None:
    found = answer(f"{source}<p>claim 4</p>")
    assert isinstance(found, Unread)
    assert found.lines[0].text == f"{HIDDEN}play R7 at 3"


@pytest.mark.parametrize("source", SEEN)
def test_what_is_surely_seen_is_played(source: str) -> None:
    assert answer(source) == WholeTurn(("R7@3",))


def test_politeness_may_be_hidden() -> None:
    seen = "<p>claim 4</p><p style='color:#fdfdfd'>Sent from my Galaxy</p>"
    assert answer(seen) == WholeTurn(("!4",))


def test_where_style_sheets_say_too_much_all_is_in_doubt() -> None:
    sheet = "".join(f".a{number}{{{{color:red}}}}" for number in range(301))
    assert isinstance(answer(f"<style>{sheet}</style><p>{{}}</p>"), Unread)


@pytest.mark.parametrize("source", STRUCK)
def test_what_is_struck_out_is_no_command(source: str) -> None:
    assert isinstance(answer(f"{source}<p>claim 4</p>"), Unread)


@pytest.mark.parametrize("style", ["opacity:0.8", "font-size:0.9em", "text-decoration:none"])
def test_what_is_seen_is_read(style: str) -> None:
    assert text_of(f"<b style='{style}'>claim 4</b>").text == "claim 4"


def test_what_stands_in_a_copy_is_known_apart() -> None:
    read = text_of('<p>claim 4</p><div id="divRplyFwdMsg">From</div><p hidden>x</p><p>R7@3</p>')
    assert (read.text.strip(), read.below.split()) == ("claim 4", ["From", "R7@3"])
