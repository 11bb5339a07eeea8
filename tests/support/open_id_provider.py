"""An OpenID provider on the loopback address, with keys of its own, that says what a test says."""

import base64
import hashlib
import json
import threading
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

CLIENT = "scottenbury"
SECRET = "sesame, open the club"
GUS = {"sub": "248289761001", "preferred_username": "gus"}


class OpenIdProvider:
    """Listens while it is entered; a browser is signed in as Gus at once.

    `claims` are added to those of ID tokens, those that are None left out; `signer` and `algorithm`
    sign them. `requests` lists the paths asked for, and `redeemed` the fields sent for tokens.
    While `status` is not 200, it answers nothing else. `cuts` breaks answers off, and `padding` is
    added to them.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.key = _own_key()
        self.signer: Any = self.key
        self.algorithm = "RS256"
        self.published: list[Any] = [self.key]
        self.claims: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.status = 200
        self.cuts = False
        self.padding = 0
        self.requests: list[str] = []
        self.redeemed: list[dict[str, str]] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}/realms/club"

    def __enter__(self) -> "OpenIdProvider":
        threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def sign_in(self, url: str, **claims: Any) -> str:
        """Sign somebody in at this address; the path and query to which their browser returns."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{self.issuer}/auth?")
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        self.claims = {**GUS, **claims}
        query = urlencode({"code": code, "state": asked["state"], "iss": self.issuer})
        back = urlsplit(asked["redirect_uri"])
        self._back_at = f"{back.scheme}://{back.netloc}"
        return f"{back.path}?{query}"

    def id_token(self, asked: dict[str, str]) -> str:
        """What the provider says of whoever came with this request."""
        now = int(self._clock())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": "one"}
        if self.algorithm == "none":
            return f"{_encoded(header)}.{_encoded(claims)}."
        return jwt.encode(header, claims, self.signer, [self.algorithm])

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """The answer to a request."""
        self.requests.append(path)
        if self.status != 200:
            return self.status, {}
        if path.endswith("/openid-configuration"):
            return 200, {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/auth",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                **self.metadata,
            }
        if path.endswith("/keys"):
            return 200, KeySet(self.published).as_dict(private=False)
        return self._redeem(form)

    def _redeem(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        self.redeemed.append(form)
        asked = self._codes.pop(form.get("code", ""), None)
        proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if asked is None or _base64(proof) != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        return 200, {
            "access_token": "an access token",
            "token_type": "Bearer",
            "id_token": self.id_token(asked),
        }

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not self.path.partition("?")[0].endswith("/auth"):
                    self._answer({})
                    return
                back = provider.sign_in(f"http://{self.headers['Host']}{self.path}")
                self.send_response(302)
                self.send_header("Location", f"{provider._back_at}{back}")
                self.end_headers()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                self._answer({**form, "authorization": self.headers.get("Authorization", "")})

            def _answer(self, form: dict[str, str]) -> None:
                status, document = provider.answer(self.path, form)
                body = json.dumps(document).encode() + b" " * provider.padding
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if provider.cuts else body)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler


@cache
def _own_key() -> RSAKey:
    """The key of every provider: to make one takes a tenth of a second."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


def stranger_key() -> RSAKey:
    """A key that the provider does not publish, under the id of one that it does."""
    return RSAKey.generate_key(2048, {"kid": "one"})


def elliptic_key() -> ECKey:
    """A key of another kind."""
    return ECKey.generate_key("P-256", {"kid": "one", "use": "sig"})


def shared_key() -> OctKey:
    """A key of the client's secret, which is no proof of the provider's."""
    return OctKey.import_key(SECRET, {"kid": "one"})


def _encoded(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value).encode())


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
