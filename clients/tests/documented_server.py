"""A server that knows of the API only what schemas/openapi.json says.

It refuses each request with a path, parameter or field that the document does not have, and each of its own responses is
checked in the same way. It answers every question at once, with the first thing that fits. A client that works with it
uses nothing that is not documented.
"""

from __future__ import annotations

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterable
from urllib.parse import parse_qs, urlsplit

DOCUMENT = json.loads((Path(__file__).parents[2] / "schemas/openapi.json").read_text())

HTTP_HEADERS = {"accept", "accept-encoding", "accept-language", "authorization", "connection", "content-length"}
HTTP_HEADERS |= {"content-type", "host", "sec-fetch-mode", "user-agent"}


class Undocumented(Exception):
    """Something that the document does not have."""


def operation(method: str, path: str) -> dict[str, Any]:
    for template, operations in DOCUMENT["paths"].items():
        pattern = re.sub(r"\{\w+\}", r"[^/]+", template)
        if re.fullmatch(pattern, path) and method.lower() in operations:
            return operations[method.lower()]
    raise Undocumented(f"{method} {path}")


def applicable(schema: dict[str, Any], value: Any) -> list[dict[str, Any]]:
    """The schema and all that it refers to or combines; of alternatives, those that the value does not contradict."""
    if "$ref" in schema:
        return applicable(DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], value)
    found = [schema]
    for part in schema.get("allOf", []):
        found += applicable(part, value)
    for alternative in alternatives(schema, value):
        parts = applicable(alternative, value)
        if not any(contradicts(part, value) for part in parts):
            found += parts
    return found


def alternatives(schema: dict[str, Any], value: Any) -> list[dict[str, Any]]:
    """Only one if the value has the property that discriminates between them."""
    discriminator = schema.get("discriminator", {})
    name = discriminator.get("propertyName")
    if "mapping" in discriminator and isinstance(value, dict) and name in value:
        if value[name] not in discriminator["mapping"]:
            raise Undocumented(f"{name} {value[name]}")
        return [{"$ref": discriminator["mapping"][value[name]]}]
    return [*schema.get("oneOf", []), *schema.get("anyOf", [])]


def contradicts(schema: dict[str, Any], value: Any) -> bool:
    """Whether the value has a field that this schema allows only with other values, such as another `kind`."""
    if not isinstance(value, dict):
        return False
    lists = {name: it["enum"] for name, it in schema.get("properties", {}).items() if "enum" in it}
    return any(name in value and value[name] not in names for name, names in lists.items())


def check(schema: dict[str, Any], value: Any, where: str) -> None:
    """Every field of the value must be a field of the schema, and every name a name that it lists."""
    known = applicable(schema, value)
    if isinstance(value, list):
        for item in value:
            check({"anyOf": [it["items"] for it in known if "items" in it]}, item, f"{where}[]")
    elif isinstance(value, dict):
        fields: dict[str, list[dict[str, Any]]] = {}
        for part in known:
            for name, of_field in part.get("properties", {}).items():
                fields.setdefault(name, []).append(of_field)
        takes_any = not fields or any(it.get("additionalProperties") not in (None, False) for it in known)
        for name, of_field in value.items():
            if name in fields:
                check({"anyOf": fields[name]}, of_field, f"{where}.{name}")
            elif not takes_any:
                raise Undocumented(f"{where}.{name}")
    elif value is not None:
        names = [name for it in known for name in it.get("enum", [])]
        if names and value not in names:
            raise Undocumented(f"{where} {value}")


def check_request(
    method: str, path: str, query: Iterable[str] = (), body: Any = None, headers: Iterable[str] = ()
) -> dict[str, Any]:
    found = operation(method, path)
    parameters = {it["name"].lower() for it in found.get("parameters", [])}
    for name in query:
        if name not in parameters:
            raise Undocumented(f"{method} {path}?{name}=")
    for name in headers:
        if name.lower() not in parameters | HTTP_HEADERS:
            raise Undocumented(f"{method} {path} with the header {name}")
    if body is not None:
        check(found["requestBody"]["content"]["application/json"]["schema"], body, f"{method} {path}")
        # Questions are asked in the form in which responses have them.
        for question in body.get("questions", []):
            check({"$ref": "#/components/schemas/QuestionResponse"}, question, f"{method} {path}.questions[]")
    return found


def value_for(question: dict[str, Any]) -> Any:
    """An answer that fits the question."""
    if question.get("optional"):
        return None
    kind = question.get("kind", "choice" if "choices" in question else "text")
    first = (question.get("choices") or [""])[0]
    first = first if isinstance(first, str) else first.get("value", first["label"])
    values = {"confirm": True, "number": question.get("min", 1), "date": "2027-03-27", "text": "some text"}
    values |= {"date_range": {"start": "2027-03-27", "end": "2027-03-28"}}
    return [first] if question.get("several") else values.get(kind, first)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    inquiries: dict[str, dict[str, Any]] = {}
    found: list[str] = []

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.handle_request("GET", None)

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        self.handle_request("POST", json.loads(self.rfile.read(length)) if length else None)

    def handle_request(self, method: str, body: Any) -> None:
        url = urlsplit(self.path)
        try:
            found = check_request(method, url.path, parse_qs(url.query), body, self.headers)
            if url.path == "/events":
                return self.send_event()
            response = self.response_to(method, url.path, body)
            status = next(it for it in found["responses"] if it.startswith("2"))
            schema = found["responses"][status]["content"]["application/json"]["schema"]
            check(schema, response, f"the response to {method} {url.path}")
            self.respond(int(status), "application/json", json.dumps(response).encode())
        except Undocumented as undocumented:
            Handler.found.append(str(undocumented))
            problem = {"code": "undocumented", "detail": str(undocumented)}
            self.respond(400, "application/problem+json", json.dumps(problem).encode())

    def response_to(self, method: str, path: str, body: Any) -> Any:
        parts = path.strip("/").split("/")
        if method == "POST" and parts == ["inquiries"]:
            name = f"inq_{len(self.inquiries)}"
            self.inquiries[name] = body
            return {"id": name, "status": "pending", "key": body["key"]}
        if parts[-1] == "links":
            return {"url": "http://127.0.0.1/link"}
        if parts[-1] == "withdraw":
            return {"id": parts[1], "status": "withdrawn", "result": {"content": "withdrawn"}}
        questions = self.inquiries[parts[1]]["questions"]
        answers = [{"question": it["id"], "value": value_for(it)} for it in questions]
        return {"id": parts[1], "status": "answered", "outcome": {"type": "answered", "answers": answers}}

    def send_event(self) -> None:
        inquiry = {"id": "inq_0", "status": "pending"}
        data = {"change": "asked", "sequence": 7, "inquiry": inquiry}
        check({"$ref": "#/components/schemas/InquiryEvent"}, data, "event inquiry")
        self.respond(200, "text/event-stream", f"event: inquiry\nid: 7\ndata: {json.dumps(data)}\n\n".encode())

    def respond(self, status: int, content_type: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def start() -> ThreadingHTTPServer:
    """The server, which handles requests once `serve_forever` runs."""
    Handler.inquiries, Handler.found = {}, []
    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


if __name__ == "__main__":
    server = start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read(0)
    server.serve_forever()
