"""A back end that asks, and gives its page the token of that one question: python3 back_end.py

ASKBACK_URL and ASKBACK_TOKEN (an administrator's) stay here; the page gets neither.
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

ASKBACK_URL = os.environ["ASKBACK_URL"]
ASKBACK_TOKEN = os.environ["ASKBACK_TOKEN"]
HERE = Path(__file__).parent
TYPES = {"/plain.html": "text/html", "/plain.js": "text/javascript"}


def askback(path: str, body: dict) -> dict:
    headers = {"Authorization": f"Bearer {ASKBACK_TOKEN}", "Content-Type": "application/json"}
    request = Request(ASKBACK_URL + path, json.dumps(body).encode(), headers)
    with urlopen(request) as response:
        return json.load(response)


class BackEnd(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/deploy":
            question = {"text": "Deploy now?", "kind": "confirm"}
            inquiry = askback("/inquiries", {"questions": [question]})["id"]
            token = askback(f"/inquiries/{inquiry}/tokens", {"expires_in": "1h"})["token"]
            query = urlencode({"server": ASKBACK_URL, "inquiry": inquiry, "token": token})
            self.send_response(303)
            self.send_header("Location", f"/plain.html?{query}")
            self.end_headers()
        elif path in TYPES:
            self.send_response(200)
            self.send_header("Content-Type", TYPES[path])
            self.end_headers()
            self.wfile.write((HERE / path[1:]).read_bytes())
        else:
            self.send_error(404)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), BackEnd)
print(f"http://127.0.0.1:{server.server_port}/deploy", flush=True)
server.serve_forever()
