#!/usr/bin/env python3
"""Package registries on addresses of a network namespace of their own, and a command that runs beside them.

    unshare --net --mount python3 registries.py DIRECTORY -- COMMAND...

Every name below is an address of this namespace's loopback, outside the ranges for private networks; nothing leads out of
the namespace. `DIRECTORY` gets the certificate of the authority (`ca.pem`) and `requests.txt`: a line `HOST PATH` for each
request that reached a server. The command ends the run.
"""

import base64
import fcntl
import hashlib
import http.server
import io
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import tarfile
import threading
import zipfile

ADDRESS = "93.184.215.14"
HOSTS = [
    "registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "files.pythonhosted.org", "index.crates.io", "static.crates.io",
    "proxy.golang.org", "github.com", "listed.example", "unlisted.example",
]


def loopback():
    """Brings the loopback device up, with one more address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        def flags(name):
            request = struct.pack("16sH22x", name, 0x1 | 0x8 | 0x40)
            fcntl.ioctl(s, 0x8914, request)
        flags(b"lo")
        address = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(ADDRESS))
        fcntl.ioctl(s, 0x8916, address)
        flags(b"lo:1")


def mounted(directory):
    """Names and trust, as the programs of the system find them."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    hosts = os.path.join(directory, "hosts")
    with open(hosts, "w") as file:
        file.write("127.0.0.1 localhost\n" + "".join(f"{ADDRESS} {name}\n" for name in HOSTS))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    with open(os.path.join(directory, "ca.pem")) as file:
        own = file.read()
    bundle = os.path.join(directory, "bundle.pem")
    for place in ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]:
        if os.path.isfile(place):
            with open(bundle, "w") as file:
                file.write(own)
            subprocess.run(["mount", "--bind", bundle, os.path.realpath(place)], check=True)


def certificates(directory):
    """An authority, and a certificate of it for all names."""
    def openssl(*args, stdin=None):
        subprocess.run(["openssl", *args], check=True, cwd=directory, capture_output=True, input=stdin)
    names = ",".join(f"DNS:{name}" for name in HOSTS)
    with open(os.path.join(directory, "own.ext"), "w") as file:
        file.write(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=authority",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=registries")
    openssl("x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "own.pem", "-days", "2",
            "-extfile", "own.ext")


def archive(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def npm(host):
    tarball = archive({
        "package/package.json": json.dumps({"name": "served", "version": "1.0.0", "main": "index.js"}),
        "package/index.js": "module.exports = 'from the registry'\n",
    })
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    version = {
        "name": "served", "version": "1.0.0", "main": "index.js",
        "dist": {"tarball": f"https://{host}/served/-/served-1.0.0.tgz", "integrity": integrity, "shasum": hashlib.sha1(tarball).hexdigest()},
    }
    document = {
        "name": "served", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version},
        "time": {"created": "2020-01-01T00:00:00.000Z", "modified": "2020-01-01T00:00:00.000Z", "1.0.0": "2020-01-01T00:00:00.000Z"},
    }
    return {"/served": json.dumps(document).encode(), "/served/-/served-1.0.0.tgz": tarball}


def pages(directory):
    """What each host answers: path to content."""
    wheel = zipped({
        "served.py": "WORDS = 'from the registry'\n",
        "served-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: served\nVersion: 1.0\n",
        "served-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "served-1.0.dist-info/RECORD": "served.py,,\nserved-1.0.dist-info/METADATA,,\nserved-1.0.dist-info/WHEEL,,\nserved-1.0.dist-info/RECORD,,\n",
    })
    name = "served-1.0-py3-none-any.whl"
    link = f"https://files.pythonhosted.org/{name}#sha256={hashlib.sha256(wheel).hexdigest()}"
    crate = archive({
        "served-1.0.0/Cargo.toml": '[package]\nname = "served"\nversion = "1.0.0"\nedition = "2021"\n',
        "served-1.0.0/src/lib.rs": 'pub const WORDS: &str = "from the registry";\n',
    })
    entry = {"name": "served", "vers": "1.0.0", "deps": [], "cksum": hashlib.sha256(crate).hexdigest(), "features": {}, "yanked": False}
    module = "github.com/acme/served@v1.0.0/"
    golang = zipped({
        module + "go.mod": "module github.com/acme/served\n",
        module + "served.go": 'package served\n\nconst Words = "from the registry"\n',
    })
    at = "/github.com/acme/served/@v/"
    bare = os.path.join(directory, "acme.git")
    work = os.path.join(directory, "acme")
    subprocess.run(
        ["bash", "-ec", f"rm -rf {bare} {work}; git init -q -b main {work}; cd {work}; echo from the forge > README; git add .; "
         f"git -c user.name=a -c user.email=a@b commit -qm one; git clone -q --bare . {bare}; cd {bare}; git update-server-info"],
        check=True, env={"PATH": os.environ["PATH"], "HOME": directory})
    repository = {}
    for place, _, files in os.walk(bare):
        for file in files:
            path = os.path.join(place, file)
            with open(path, "rb") as content:
                repository["/acme/served.git/" + os.path.relpath(path, bare)] = content.read()
    return {
        "registry.npmjs.org": npm("registry.npmjs.org"),
        "registry.yarnpkg.com": npm("registry.yarnpkg.com"),
        "pypi.org": {"/simple/served/": f'<html><body><a href="{link}">{name}</a></body></html>'.encode()},
        "files.pythonhosted.org": {f"/{name}": wheel},
        "index.crates.io": {
            "/config.json": b'{"dl": "https://static.crates.io/crates"}',
            "/se/rv/served": (json.dumps(entry) + "\n").encode(),
        },
        "static.crates.io": {"/crates/served/1.0.0/download": crate},
        "proxy.golang.org": {
            at + "list": b"v1.0.0\n",
            at + "v1.0.0.info": b'{"Version": "v1.0.0", "Time": "2020-01-01T00:00:00Z"}',
            at + "v1.0.0.mod": b"module github.com/acme/served\n",
            at + "v1.0.0.zip": golang,
        },
        "github.com": repository,
        "listed.example": {"/": b"from a listed host\n"},
        "unlisted.example": {"/": b"from an unlisted host\n"},
    }


def serve(directory):
    known = pages(directory)
    log = open(os.path.join(directory, "requests.txt"), "a", buffering=1)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            host = (self.headers.get("Host") or "").split(":")[0]
            path = self.path.split("?")[0]
            log.write(f"{host} {path}\n")
            content = known.get(host, {}).get(path)
            self.send_response(200 if content is not None else 404)
            if path.endswith("/"):
                self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content or b"")

        do_HEAD = do_GET

        def log_message(self, *args):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(directory, "own.pem"), os.path.join(directory, "own.key"))
    for port, tls in [(443, True), (80, False)]:
        server = http.server.ThreadingHTTPServer((ADDRESS, port), Handler)
        if tls:
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()


def main():
    directory = os.path.abspath(sys.argv[1])
    command = sys.argv[sys.argv.index("--") + 1:]
    loopback()
    certificates(directory)
    mounted(directory)
    serve(directory)
    sys.exit(subprocess.run(command, check=False).returncode)


main()
