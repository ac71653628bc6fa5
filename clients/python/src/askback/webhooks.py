"""Checks that a webhook delivery comes from your server."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any, Dict, Optional, cast


class InvalidSignature(ValueError):
    """The delivery is not from a server with this secret, or is too old."""


def verify(body: bytes, signature: str, secret: str, *, now: Optional[float] = None) -> Dict[str, Any]:
    """The delivery as JSON: `{"type": "inquiry.resolved", "inquiry": {…}}`.

    `body` is the request body exactly as it arrived, `signature` its `askback-signature` header, and `secret` what
    `askback webhook-secret` prints. A delivery older than five minutes is refused, so that nobody can replay it.
    """
    parts = [part.strip().partition("=") for part in signature.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not times[0].isdecimal():
        raise InvalidSignature("the signature header has no time")
    if abs((time.time() if now is None else now) - int(times[0])) > 300:
        raise InvalidSignature("the delivery is too old, or a clock is wrong")
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    if not any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, _, value in parts):
        raise InvalidSignature("the signature does not match the body")
    return cast(Dict[str, Any], json.loads(body))
