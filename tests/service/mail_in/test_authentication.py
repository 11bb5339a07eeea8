"""Reading `Authentication-Results`, of which strangers write parts."""

import pytest

from service.mail_in.senders import has_failed, results

SERVER = "mx.example.net"
ANN = "ann@example.org"
FAILED = "spf=softfail smtp.mailfrom=example.org"
"""What makes a mail fail unless something vouches for its sender."""


def fails(*said: str, sender: str = ANN) -> bool:
    return has_failed([f"{SERVER}; {each}" for each in said], SERVER, sender)


@pytest.mark.parametrize(
    "said",
    [
        'spf=fail smtp.mailfrom="a; dkim=pass"@example.com; dkim=none',
        'spf=fail smtp.mailfrom="a; dkim=pass header.d=example.org"@example.com; dkim=none',
        'spf=softfail smtp.mailfrom="a;dkim=pass;b"@example.com',
        r'spf=fail smtp.mailfrom="\"; dkim=pass header.d=example.org; \""@example.com',
        "spf=fail (sender (a(b); dkim=pass header.d=example.org; c) d)",
        r"spf=fail (sender \(; dkim=pass header.d=example.org; \) d)",
        r"spf=fail (sender \); dkim=pass (d)",
        'spf=pass (a " b) smtp.mailfrom=c; dmarc=fail (")',
        'spf=pass smtp.mailfrom=a"b@example.com; dmarc=fail',
        "dmarc/1=fail; spf=pass smtp.mailfrom=example.org",
        "spf / 1 = FAIL",
        f'{FAILED}; dkim=pass header.i="x header.d=example.org"@evil.example',
        f'{FAILED}; dkim=pass header.i="@example.org"@evil.example',
        'spf=pass smtp.mailfrom="@example.org"@evil.example; dkim=fail header.d=example.org',
        # a server that writes no quotation marks where they belong
        "spf=pass smtp.mailfrom=ann@example.org x@evil.example; dkim=fail header.d=example.org",
        f"{'dkim=pass header.d=evil.example; ' * 300}dmarc=fail header.from=example.org",
    ],
)
def test_what_strangers_write_does_not_hide_a_failure(said: str) -> None:
    assert fails(said)


@pytest.mark.parametrize(
    "said",
    [
        "spf=pass (mx: a (b) c) smtp.mailfrom=ann@example.org; dkim=fail header.d=list.example",
        "spf=pass smtp.mailfrom=bounce+1@mail.example.org; dkim=fail header.d=x",
        'spf=pass smtp.mailfrom="a b"@example.org; dkim=fail header.d=x',
        "spf = pass smtp.mailfrom=<ann@example.org>; dkim=fail",
        f"{FAILED}; dkim=pass header.d=example.org",
        f'{FAILED}; DKIM=Pass Header.D=Example.ORG. header.b="ab/c=" header.s=s1',
        f'{FAILED}; dkim=pass (2048-bit; ok) header.d="example.org" reason="a b"',
        f"{FAILED}; dkim=pass header.i=@news.example.org header.s=s1",
        f"{FAILED}; dkim=fail header.d=example.org; dkim=pass header.d=example.org",
        f"{FAILED}; dkim=pass header.d=esp.example; dkim=pass header.d=example.org",
        f"{FAILED}; dmarc=pass (p=none; dis=none) header.from=example.org",
        f"{FAILED};dmarc=pass action=none header.from=EXAMPLE.org;compauth=pass reason=100",
        f"dmarc=pass; {FAILED}; dkim=fail header.d=example.org",
    ],
)
def test_a_pass_for_the_domain_of_the_sender_outweighs_a_failure(said: str) -> None:
    assert not fails(said)


@pytest.mark.parametrize(
    "said",
    [
        "spf=pass smtp.mailfrom=evil.example; dkim=fail header.d=example.org",
        "spf=pass smtp.helo=example.org; dkim=fail header.d=example.org",
        "spf=pass; dkim=fail header.d=example.org",
        f"{FAILED}; dkim=pass header.d=evil.example",
        f"{FAILED}; dkim=pass",
        f"{FAILED}; dkim=pass header.d=evil.example header.i=@example.org",
        f"{FAILED}; dkim=pass header.d=notexample.org",
        f"{FAILED}; dkim=pass header.d=org",
        f"{FAILED}; dkim=pass header.d=example.org.evil.example",
        f"{FAILED}; dkim=pass header.d=example.org header.d=evil.example",
        f"{FAILED}; dkim=pass header.from=example.org",
        f"{FAILED}; dmarc=pass header.from=evil.example",
        f"{FAILED}; dmarc=bestguesspass header.from=example.org",
        f"{FAILED}; auth=pass smtp.auth=ann@example.org; dmarc=none",
    ],
)
def test_a_pass_for_another_domain_outweighs_none(said: str) -> None:
    assert fails(said)


@pytest.mark.parametrize(
    "said",
    [
        "none",
        "spf=none; dkim=none; dmarc=none",
        "spf=pass smtp.mailfrom=evil.example; dkim=none; dmarc=none",
        "spf=neutral smtp.mailfrom=example.org; dkim=pass header.d=esp.example",
        "spf=temperror; dkim=temperror; dmarc=temperror",
    ],
)
def test_where_nothing_is_known_nothing_has_failed(said: str) -> None:
    assert not fails(said)


@pytest.mark.parametrize(
    "said",
    [
        "dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
        "dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=example.org",
        "dkim=pass header.d=example.org; dmarc = FAIL (p=none) header.from=example.org",
        "dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
        # our server has read another sender in this mail than we have
        "dmarc=pass header.from=evil.example; spf=pass smtp.mailfrom=evil.example",
        "dmarc=none header.from=evil.example; dkim=pass header.d=example.org",
    ],
)
def test_a_fail_of_dmarc_decides(said: str) -> None:
    assert fails(said)


def test_of_several_headers_the_latest_can_vouch_and_each_can_accuse() -> None:
    vouching, accusing = "dkim=pass header.d=example.org", "dkim=fail header.d=example.org"
    assert not fails(vouching, accusing)
    assert fails(accusing, vouching)
    assert fails("dkim=pass header.d=evil.example", FAILED)
    assert fails("dmarc=pass", "dmarc=fail")
    assert not fails("dmarc=none", "dkim=none")


def test_nobody_elses_header_counts() -> None:
    forged = "mail.evil.example; dkim=pass header.d=example.org"
    failed = f"{SERVER.upper()} 1; {FAILED}"
    assert has_failed([forged, failed], SERVER, ANN)
    assert has_failed([f'(c) "{SERVER}" ; {FAILED}'], SERVER, ANN)
    assert not has_failed([forged.replace("pass", "fail")], SERVER, ANN)
    assert not has_failed([failed], None, ANN)
    assert not has_failed([f"{SERVER}.evil.example; {FAILED}", f"not-{failed}"], SERVER, ANN)


@pytest.mark.parametrize(
    ("sender", "domain"),
    [
        ("ann@bücher.example", "xn--bcher-kva.example"),
        ("ann@xn--bcher-kva.example", "BÜCHER.example"),
        ("ann@bu\u0308cher.example", "b\u00fccher.example"),
        ("ann@xn--bcher-kva.example", "post.xn--bcher-kva.example"),
        ("ann@a.xn--bcher-kva.example", "bücher.example"),
    ],
)
def test_domains_in_other_scripts_are_the_same_in_either_form(sender: str, domain: str) -> None:
    said = f"spf=fail smtp.mailfrom=x.example; dkim=pass header.d={domain}"
    assert not fails(said, sender=sender)


@pytest.mark.parametrize(
    ("sender", "domain"),
    [
        ("ann@straße.example", "strasse.example"),
        ("ann@straße.example", "xn--strase-tqa.example"),
        ("ann@example.org", "ex\u0430mple.org"),
        ("ann@xn--a\u0430.example", "xn--.example"),
        ("ann", "ann"),
        ("", ""),
    ],
)
def test_others_are_not(sender: str, domain: str) -> None:
    assert fails(f"spf=fail smtp.mailfrom=x.example; dkim=pass header.d={domain}", sender=sender)


def test_results_are_told_as_they_are() -> None:
    said = [f"{SERVER}; spf=pass a; dkim=pass b; dkim=fail c", "other; dmarc=pass"]
    assert results(said, SERVER) == {"dkim": "fail, pass", "spf": "pass"}
    assert results(said, None) == {}
