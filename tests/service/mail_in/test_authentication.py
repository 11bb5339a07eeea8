"""Reading `Authentication-Results`, of which strangers write parts."""

import pytest

from service.mail_in.authentication import has_failed


@pytest.mark.parametrize(
    "said",
    [
        'spf=fail smtp.mailfrom="a; dkim=pass"@example.com; dkim=none',
        'spf=softfail smtp.mailfrom="a;dkim=pass;b"@example.com',
        r'spf=fail smtp.mailfrom="\"; dkim=pass; \""@example.com',
        "spf=fail (sender (a(b); dkim=pass; c) d)",
        r"spf=fail (sender \(; dkim=pass; \) d)",
        r"spf=fail (sender \); dkim=pass (d)",
        'spf=pass (a " b) smtp.mailfrom=c; dmarc=fail (")',
        'spf=pass smtp.mailfrom=a"b@example.com; dmarc=fail',
        "dmarc/1=fail; spf=pass",
        "spf / 1 = FAIL",
    ],
)
def test_what_strangers_write_does_not_hide_a_failure(said: str) -> None:
    assert has_failed([f"mx.example.org; {said}"], "mx.example.org")


@pytest.mark.parametrize(
    "said",
    [
        "spf=pass (mx: a (b) c) smtp.mailfrom=x; dkim=pass header.d=x",
        'dkim=pass header.i="@x"; spf=fail',
        "dmarc=pass (p=none; dis=none)",
    ],
)
def test_a_pass_is_one(said: str) -> None:
    assert not has_failed([f"mx.example.org (a;b) 1; {said}"], "mx.example.org")
