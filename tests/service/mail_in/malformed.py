"""Mails that are refused however they come, for tests."""

MALFORMED = {
    "a thousand parts": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\n\r\nx\r\n" * 1000,
    "parts in parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(100)
    ),
    "a head of 1.5 MB": b"Subject: x\r\n" * 125_000,
    "a head of 100,000 lines": b"a:\r\n" * 100_000,
    "one header of 1 MB": b"References: " + b"<a@b> " * 170_000 + b"\r\n\r\n",
    "a bare carriage return": b"Subject: x\r\r\n\r\nx\r\n",
    "a zero byte": b"Subject: x\r\n\r\nx\0\r\n",
}
