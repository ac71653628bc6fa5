"""Which server to ask: `ASKBACK_URL`, or the one that runs for the data directory."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Optional
from urllib.parse import urlsplit

from ._errors import Unreachable


@dataclass(frozen=True)
class Server:
    """An address with its token."""

    url: str
    token: str = field(repr=False)
    must_prove: bool
    """Whether the address is from `server.json`. Another program may listen on the port of a dead
    server, so whoever listens there must prove that it knows the token before it gets the token."""

    @property
    def headers(self) -> Dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    @property
    def is_local(self) -> bool:
        return urlsplit(self.url).hostname in ("127.0.0.1", "::1", "localhost")


class Proof:
    """A request for a proof, and the check of the reply."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._nonce = secrets.token_hex(32)
        self.path = f"/server/proof?nonce={self._nonce}"

    def check(self, reply: Any) -> None:
        message = f"askback server proof 1\n{self._server.url}\n{self._nonce}".encode()
        expected = hmac.new(self._server.token.encode(), message, hashlib.sha256).hexdigest()
        given = str(reply.get("proof", "")) if isinstance(reply, dict) else ""
        if not hmac.compare_digest(expected.encode(), given.encode()):
            raise Unreachable(f"the program at {self._server.url} is not the server of the data directory")


def find_server(url: Optional[str], token: Optional[str], data: Optional[str]) -> Server:
    """Reads environment and files anew each time: a restarted server may have another address."""
    url = url or os.environ.get("ASKBACK_URL")
    if not url or data:
        return _running_server(Path(data) if data else _data_directory())
    token = token or os.environ.get("ASKBACK_TOKEN")
    file = os.environ.get("ASKBACK_TOKEN_FILE")
    if not token and file:
        token = Path(file).read_text().strip()
    return Server(url.rstrip("/"), token or "", must_prove=False)


def _data_directory() -> Path:
    chosen = os.environ.get("ASKBACK_DATA")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local/share") / "askback"


def _running_server(directory: Path) -> Server:
    file = directory / "server.json"
    try:
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise Unreachable(f"other users can read {file}: make it private (mode 600)")
        found = json.loads(file.read_text())
        address, token = str(found["address"]), str(found["token"])
    except FileNotFoundError:
        raise Unreachable(
            f"no server runs for {directory}: start one with `askback serve`, or set ASKBACK_URL"
        ) from None
    except (OSError, ValueError, KeyError) as error:
        raise Unreachable(f"{file} cannot be read: {error!r}") from None
    url = address if "://" in address else f"http://{address}"
    return Server(url.rstrip("/"), token, must_prove=True)
