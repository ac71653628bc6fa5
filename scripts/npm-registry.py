"""A registry of npm on loopback: serves the packages of a directory. Prints its address."""

import base64
import hashlib
import http.server
import json
import pathlib
import sys
import tarfile
import urllib.parse

packages = {}
for path in pathlib.Path(sys.argv[1]).glob("*.tgz"):
    with tarfile.open(path) as archive:
        manifest = json.load(archive.extractfile("package/package.json"))
    packages[manifest["name"]] = (manifest, path)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path.split("?")[0]).lstrip("/")
        if name.startswith("files/"):
            return self.reply((pathlib.Path(sys.argv[1]) / pathlib.Path(name).name).read_bytes())
        if name not in packages:
            return self.send_error(404)
        manifest, path = packages[name]
        digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
        tarball = f"http://{self.headers['Host']}/files/{path.name}"
        version = {**manifest, "dist": {"tarball": tarball, "integrity": f"sha512-{digest}"}}
        tag = manifest["version"]
        document = {"name": name, "dist-tags": {"latest": tag}, "versions": {tag: version}}
        return self.reply(json.dumps(document).encode())

    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
