"""A web server that players' messages go to, for tests: it keeps what it gets, and answers, hangs
or drips as a test says."""

import ssl
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Received(NamedTuple):
    """A request that came."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class Receiver:
    """Listens on the loopback address while it is entered.

    Answers with `status` and `headers`. While `hangs`, it takes a request and answers nothing;
    while `drips`, it sends a head that has no end. `raw` is sent in place of any answer;
    `on_request` is called before it.
    """

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.hangs = self.drips = False
        self.endless_body = False
        self.raw: bytes | None = None
        self.on_request: Callable[[], None] = lambda: None
        self.body = b"not for players"
        self.asked_for: list[str | None] = []
        self._ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def use_tls(
        self, name: str, folder: Path, *, valid_from: int = -1, issuer: str | None = None
    ) -> Path:
        """Speak TLS, with a certificate for this name, valid for two hours from so many hours
        on, and signed by itself or another; the file that holds it."""
        chain, key = folder / "chain.pem", folder / "key.pem"
        _certify(name, chain, key, valid_from, issuer)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        context.sni_callback = lambda sock, asked, own: self.asked_for.append(asked)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        return chain

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                receiver.received.append(Received(self.path, dict(self.headers), body))
                receiver.on_request()
                receiver.answer(self)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        if self.hangs:
            self._ending.wait()
            return
        if self.raw is not None:
            self._write(handler, self.raw)
            return
        handler.send_response(self.status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        if self.drips:
            self._drip(handler)
            return
        handler.end_headers()
        self._write(handler, self.body)
        while self.endless_body and self._write(handler, b"x" * 65536):
            pass

    def _drip(self, handler: BaseHTTPRequestHandler) -> None:
        handler.flush_headers()
        while self._write(handler, b"x") and not self._ending.wait(0.05):
            pass

    def _write(self, handler: BaseHTTPRequestHandler, data: bytes) -> bool:
        try:
            handler.wfile.write(data)
        except OSError:
            return False
        return True


def _certify(name: str, chain: Path, key: Path, valid_from: int, issuer: str | None) -> None:
    """Write a key and a certificate that signs itself, or that another key has signed."""
    private = ec.generate_private_key(ec.SECP256R1())
    signer = ec.generate_private_key(ec.SECP256R1()) if issuer else private
    begin = datetime.now(UTC) + timedelta(hours=valid_from)
    builder = x509.CertificateBuilder().subject_name(_named(name))
    builder = builder.issuer_name(_named(issuer or name))
    builder = builder.public_key(private.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(begin).not_valid_after(begin + timedelta(hours=2))
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    certificate = builder.add_extension(names, critical=False).sign(signer, hashes.SHA256())
    chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
