"""Checks that a webhook delivery comes from your server."""

from __future__ import annotations

import hmac
import json
import time
from typing import Any


def verify(body: bytes, signature: str | None, secret: str, *, now: float | None = None) -> dict[str, Any]:
    """The delivery as JSON: `{"type": "inquiry_resolved", "inquiry": {…}}`. Raises `ValueError` if it is forged, or older
    than five minutes. `body` is the request body exactly as it arrived, `signature` its `askback-signature` header, and
    `secret` what `askback webhook-secret` prints. A delivery may come twice, with the same `webhook-id` header."""
    parts = [part.strip().partition("=")[::2] for part in (signature or "").split(",")]
    sent_at = next((value for name, value in parts if name == "t"), "")
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + body, "sha256").hexdigest()
    if not any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts):
        raise ValueError("the signature does not match the body")
    if abs((time.time() if now is None else now) - int(sent_at)) > 300:
        raise ValueError("the delivery is too old, or a clock is wrong")
    return dict(json.loads(body))
