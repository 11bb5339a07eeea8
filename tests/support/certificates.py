"""A certificate authority of the tests' own, and the certificate of a server on this machine."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificates(NamedTuple):
    """The authority's certificate, a PEM file, and the context of a server that it vouches for."""

    authority: Path
    server: ssl.SSLContext


def certificates(folder: Path) -> Certificates:
    """New ones, for `localhost` and 127.0.0.1."""
    ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    ca = _certificate("An authority for tests", ca_key, None)
    own = _certificate("localhost", key, (ca, ca_key))
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    (folder / "server.pem").write_bytes(private + own.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return Certificates(folder / "ca.pem", context)


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None,
) -> x509.Certificate:
    """Of this name, signed by the issuer, or else by itself as an authority."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signer, signing_key = (issuer[0].subject, issuer[1]) if issuer else (subject, key)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    of_signer = x509.SubjectKeyIdentifier.from_public_key(signing_key.public_key())
    builder = (
        x509.CertificateBuilder(signer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(of_signer),
            critical=False,
        )
        .add_extension(
            x509.SubjectAlternativeName(names)
            if issuer
            else x509.KeyUsage(*(flag == 5 for flag in range(9))),
            critical=issuer is None,
        )
    )
    return builder.sign(signing_key, hashes.SHA256())
