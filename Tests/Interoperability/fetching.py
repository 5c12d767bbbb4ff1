"""Fetching a site association as a user would have it fetched: through a proxy, with a certificate authority of its own."""

import contextlib
import http.server
import json
import select
import socket
import ssl
import subprocess
import threading
from pathlib import Path

from support import check, expect, expect_equal, json_object, memory, nfcprog

APP = "ABCDE12345.com.example.app"
LINK = "https://example.com/t/1"
CDN = "app-site-association.cdn-apple.com"
WELL_KNOWN = "/.well-known/apple-app-site-association"


def association(pattern):
    return json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": [{"/": pattern}]}]}})


class Network:
    """A web server for all names, and a proxy that leads to it whoever is asked for.

    `files` maps host and path to the text of a file; `asked` collects what was asked for.
    """

    def __init__(self, folder, files):
        self.files, self.asked = files, []
        script = Path(__file__).parent.parent / "SiteFetchingTests" / "make-certificates"
        subprocess.run(["/bin/sh", script, folder], check=True, capture_output=True)
        network = self

        class Site(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                place = (self.headers["host"], self.path)
                network.asked.append(place)
                body = network.files.get(place)
                self.send_response(404 if body is None else 200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body or "")))
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, *_):
                pass

        class Proxy(http.server.BaseHTTPRequestHandler):
            def do_CONNECT(self):
                self.send_response(200)
                self.end_headers()
                with socket.create_connection(("127.0.0.1", network.site.server_port)) as far:
                    ends = {self.connection: far, far: self.connection}
                    with contextlib.suppress(OSError):
                        while True:
                            for end in select.select(list(ends), [], [], 10)[0]:
                                data = end.recv(65536)
                                if not data:
                                    return
                                ends[end].sendall(data)

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "good.pem", folder / "good.key")
        self.site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        self.site.socket = context.wrap_socket(self.site.socket, server_side=True)
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        self.environment = {
            "https_proxy": f"http://127.0.0.1:{self.proxy.server_port}", "SSL_CERT_FILE": str(folder / "root.pem")}

    def __enter__(self):
        for server in (self.site, self.proxy):
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for server in (self.site, self.proxy):
            server.shutdown()
            server.server_close()


def site(folder, pattern="/t/*", cdn="/t/*"):
    return Network(folder, {
        ("example.com", WELL_KNOWN): association(pattern), (CDN, "/a/v1/example.com"): association(cdn)})


@check("write-url --aasa auto fetches the link's own site and Apple's CDN, then writes the tag")
def fetched_and_written(folder):
    tag = folder / "my.tag"
    with site(folder) as network:
        seen = json_object(nfcprog(
            "write-url", LINK, "--aasa", "auto", "--app-id", APP, "--json", "--reader", f"sim:ntag213,file={tag}",
            environment=network.environment))
    expect_equal((seen["result"], seen["verified"]), ("written", True), "report")
    expect_equal(sorted(network.asked), sorted([
        ("example.com", WELL_KNOWN), ("example.com", "/apple-app-site-association"), (CDN, "/a/v1/example.com")]),
        "what was asked for")
    expect(b"example.com/t/1" in memory(tag), "the link on the tag")


@check("write-url --aasa auto with a fetched file that leaves the link to the browser: 65, the tag untouched")
def fetched_and_refused(folder):
    tag = folder / "my.tag"
    with site(folder, pattern="/u/*", cdn="/u/*") as network:
        outcome = nfcprog(
            "write-url", LINK, "--aasa", "auto", "--app-id", APP, "--reader", f"sim:ntag213,file={tag}",
            environment=network.environment, status=65)
    expect("Nothing was written" in outcome.errors, str(outcome))
    expect(not tag.exists() or b"example" not in memory(tag), "the tag")


@check("check-link and lint-aasa fetch a domain; a CDN that says otherwise is told")
def compared(folder):
    with site(folder, cdn="/u/*") as network:
        seen = json_object(nfcprog(
            "check-link", LINK, "--aasa", "example.com", "--app-id", APP, "--json", environment=network.environment))
        expect_equal((seen["wakesApp"], [finding["code"] for finding in seen["findings"]]),
                     (True, ["cdn-differs", "cdn-decides-otherwise"]), "check-link")
        outcome = nfcprog("lint-aasa", "example.com", environment=network.environment)
        expect("cdn-differs" in outcome.output, str(outcome))


@check("a certificate authority that the system does not know is no reason to trust: 65, fetch-certificate")
def untrusted(folder):
    with site(folder) as network:
        seen = json_object(nfcprog(
            "check-link", LINK, "--aasa", "auto", "--json", status=65,
            environment={"https_proxy": network.environment["https_proxy"]}))
    expect("fetch-certificate" in [finding["code"] for finding in seen["findings"]], str(seen))
    expect_equal(network.asked, [], "what was asked for")


@check("https_proxy and SSL_CERT_FILE that say something impossible: 78, the proxy's password not repeated")
def impossible(folder):
    words = ["check-link", LINK, "--aasa", "auto"]
    outcome = nfcprog(*words, environment={"https_proxy": "http://me:Geheim@127.0.0.1:1"}, status=78)
    expect("https_proxy" in outcome.errors and "Geheim" not in outcome.errors, str(outcome))
    outcome = nfcprog(*words, environment={"SSL_CERT_FILE": str(folder / "none.pem")}, status=78)
    expect("SSL_CERT_FILE" in outcome.errors and "none.pem" in outcome.errors, str(outcome))
