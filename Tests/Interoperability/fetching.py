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

APP = "Q7K2M9P4ZX.com.example.app"
LINK = "https://example.com/t/1"
CDN = "app-site-association.cdn-apple.com"
WELL_KNOWN = "/.well-known/apple-app-site-association"


def association(pattern):
    return json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": [{"/": pattern}]}]}})


class Network:
    """A web server for all names, and a proxy that leads to it whoever is asked for.

    `files` maps host and path to the text of a file, or to status, text and headers; `asked` collects what was asked for.
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
                found = network.files.get(place, (404, "", {}))
                status, body, headers = found if isinstance(found, tuple) else (200, found, {})
                if status == "hang up":
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body.encode())

            do_HEAD = do_GET

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
            "check-link", LINK, "--aasa", "example.com", "--app-id", APP, "--json", environment=network.environment,
            status=65))
        expect_equal((seen["wakesApp"], [finding["code"] for finding in seen["findings"]]),
                     (False, ["cdn-differs", "link-unmatched", "cdn-decides-otherwise"]), "check-link")
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


# The CDN's answer, exit status, opens, a finding's code, words of the explanation.
REFUSALS = [
    ((404, "", {"Apple-Failure-Reason": "SWCERR00101 Bad HTTP Response: 403 Forbidden"}), 65, "browser", "cdn-refused", "AASA-Bot"),
    ((404, "", {"Apple-Failure-Reason": "SWCERR00101 Bad HTTP Response: 301 Moved"}), 65, "browser", "cdn-refused", "redirects"),
    ((404, "", {"Apple-Failure-Reason": "SWCERR00301 Timeout"}), 65, "browser", "cdn-refused", "slowly"),
    ((404, "", {"Apple-Failure-Reason": "SWCERR00302 certificate expired"}), 65, "browser", "cdn-refused", "certificate"),
    ((404, "", {"Apple-Failure-Reason": "SWCERR00402 file too large"}), 65, "browser", "cdn-refused", "128 KB"),
    ((404, "", {}), 65, "browser", "cdn-without-file", "no file"),
    ((200, association("/u/*"), {}), 65, "browser", "cdn-decides-otherwise", "site's own file"),
    ((503, "", {}), 75, "unknown", "cdn-not-compared", "not known"),
    (("hang up", "", {}), 75, "unknown", "cdn-not-compared", "not known"),
]

for number, (answer, status, opens, code, words) in enumerate(REFUSALS):

    @check(f"devices get what the CDN has ({answer[0]}, {answer[2] or 'no reason'}): {status}, and the tag is left alone")
    def refusal(folder, answer=answer, status=status, opens=opens, code=code, words=words):
        tag = folder / "my.tag"
        claim = ["--app-id", APP, "--aasa"]
        with Network(folder, {("example.com", WELL_KNOWN): association("/t/*"), (CDN, "/a/v1/example.com"): answer}) as network:
            for source in ("auto", "example.com", f"https://example.com{WELL_KNOWN}"):
                outcome = nfcprog("check-link", LINK, *claim, source, "--json", environment=network.environment, status=status)
                seen = json_object(outcome)
                found = [finding for finding in seen["findings"] if finding["code"] == code]
                expect_equal((seen["wakesApp"], seen["opens"]), (False, opens), str(seen))
                expect(found and words in found[0]["message"], str(seen))
                for value in answer[2].values():
                    expect(value in found[0]["message"], str(seen))
            outcome = nfcprog("write-url", LINK, *claim, "auto", "--reader", f"sim:ntag213,file={tag}",
                              environment=network.environment, status=status)
            expect("Nothing was written" in outcome.errors and not tag.exists(), str(outcome))
            outcome = nfcprog("provision", "--range", "1..2", "--template", "https://example.com/t/{code}", *claim, "auto",
                              "--reader", "sim:ntag213*2", environment=network.environment, status=status)
            source = folder / "source.ndef"
            source.write_bytes(bytes.fromhex("D1011055046578616D706C652E636F6D2F742F31"))
            nfcprog("clone", "--from", source, *claim, "auto", "--count", "1", "--reader", "sim:ntag213",
                    environment=network.environment, status=status)
            # The operator knows better.
            seen = json_object(nfcprog(
                "write-url", LINK, *claim, "auto", "--trust-site", "--json", "--reader", f"sim:ntag213,file={tag}",
                environment=network.environment))
            expect_equal(seen["verified"], True, str(seen))
            expect("site-trusted" in [finding["code"] for finding in seen["link"]["iphone"]["findings"]], str(seen))
        expect(b"example.com/t/1" in memory(tag), "the link on the tag")


@check("by a wildcard in the entitlement the parent's file is asked for, and no other")
def parent(folder):
    with site(folder) as network:
        nfcprog("check-link", "https://www.example.com/t/1", "--aasa", "auto", "--app-id", APP, "--entitlement",
                "applinks:*.example.com", environment=network.environment)
    expect_equal({place for place in network.asked if place[1] != "/t/1"}, {
        ("example.com", WELL_KNOWN), ("example.com", "/apple-app-site-association"), (CDN, "/a/v1/example.com")}, "asked")


@check("a link that its site redirects is told, asked for once")
def redirected(folder):
    files = {("example.com", WELL_KNOWN): association("/t/*"), (CDN, "/a/v1/example.com"): association("/t/*"),
             ("example.com", "/t/1"): (302, "", {"Location": "https://www.example.com/other"})}
    with Network(folder, files) as network:
        seen = json_object(nfcprog("check-link", LINK, "--aasa", "auto", "--json", environment=network.environment))
        found = [finding for finding in seen["findings"] if finding["code"] == "link-redirects"]
        expect(found and "https://www.example.com/other" in found[0]["message"], str(seen))
        expect_equal(network.asked.count(("example.com", "/t/1")), 1, "asked")
        network.asked.clear()
        json_object(nfcprog("check-link", LINK, "--json", environment=network.environment, status=65))
        expect_equal(network.asked, [], "without --aasa nobody is asked")
