"""nfcprog-hub behind nginx and Caddy, with the settings that Docs/Hub.md gives."""

import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager
from urllib.parse import quote

from documents import ROOT
from hubs import SECRET, TOKEN, Hub, Stream, expect_end, pool_address, start_bench, token_file
from postgres import Database
from support import LIMIT, Difference, check, expect, expect_equal

NAME = "hub.factory.example"


def settings(proxy):
    """The settings of a proxy as Docs/Hub.md shows them."""
    text = (ROOT / "Docs" / "Hub.md").read_text()
    found = re.search(rf"^    # {proxy}: \S+\n((?:    .*\n)+)", text, re.M)
    expect(found, f"Docs/Hub.md has no settings of {proxy}")
    return "".join(line[4:] + "\n" for line in found[1].splitlines())


def replaced(text, *pairs):
    for old, new in pairs:
        expect(old in text, f"Docs/Hub.md: {old!r} is not in the settings\n{text}")
        text = text.replace(old, new)
    return text


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def start_nginx(folder, hub, port):
    server = replaced(
        settings("nginx"), ("listen 443 ", f"listen 127.0.0.1:{port} "), ("/etc/nginx/hub.", f"{folder}/hub."),
        ("127.0.0.1:8410", f"127.0.0.1:{hub}"))
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{server}}}\n")
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def start_caddy(folder, hub, port):
    site = replaced(
        settings("Caddy"), (NAME, f"{NAME}:{port}"), ("/etc/caddy/hub.", f"{folder}/hub."),
        ("127.0.0.1:8410", f"127.0.0.1:{hub}"))
    (folder / "Caddyfile").write_text(
        f"{{\nadmin off\nauto_https disable_redirects\nstorage file_system {folder}/caddy\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


STARTS = {"nginx": start_nginx, "Caddy": start_caddy}


class Proxied(Hub):
    """A running hub, asked through a proxy from `client`, an address of this machine."""

    def __init__(self, port, context, client="127.0.0.1"):
        self.port, self.context, self.client = port, context, client
        self.origin = f"https://{NAME}:{port}"

    def connect(self):
        connection = http.client.HTTPSConnection(
            NAME, self.port, timeout=LIMIT, context=self.context, source_address=(self.client, 0))
        # The name is in no DNS.
        connection._create_connection = lambda _, *rest: socket.create_connection(("127.0.0.1", self.port), *rest)
        return connection


@contextmanager
def proxied(proxy, folder, hub):
    """The hub behind a proxy with a certificate of its own."""
    program = shutil.which(proxy.lower(), path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    if program is None:
        raise Difference(f"{proxy} is not installed (Tests/prepare --peers installs it): it is NOT tested")
    folder.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=hub", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "hub.key", "-out", folder / "hub.pem"],
        check=True, capture_output=True)
    port = free_port()
    words = STARTS[proxy](folder, hub.port, port)
    with open(folder / "log", "w") as log:
        process = subprocess.Popen([program, *words[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for _ in range(LIMIT * 10):
            expect(process.poll() is None, f"{proxy} ended\n{(folder / 'log').read_text()}")
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        yield Proxied(port, ssl.create_default_context(cafile=folder / "hub.pem"))
    finally:
        process.terminate()
        process.wait(LIMIT)


def signed_in(hub):
    """A browser's way: the form, then the cookie."""
    status, headers, _ = hub.ask("/")
    expect_equal((status, headers["Location"]), (303, "/login"), "the page without a cookie")
    status, headers, _ = hub.ask(
        "/login", "POST", "token=" + TOKEN, Content_Type="application/x-www-form-urlencoded", Origin=hub.origin,
        Sec_Fetch_Site="same-origin")
    cookie = headers["Set-Cookie"] or ""
    expect(status == 303 and "; Secure" in cookie and "HttpOnly" in cookie, f"{status} {headers}")
    cookie = {"Cookie": cookie.split(";")[0]}
    status, headers, page = hub.ask("/", **cookie)
    expect(status == 200 and b"</html>" in page and "default-src 'self'" in headers["Content-Security-Policy"], f"{status} {headers}")
    return cookie


def check_making(hub, batch, cookie):
    """Makes the batch, as the page does it."""
    body = {"id": batch, "rows": [{"code": number} for number in range(1, 7)], "template": f"https://example.com/{batch.encode().hex()}/{{code}}"}
    status, _, problem = hub.post("/v1/batches", body, Origin="https://evil.example", **cookie)
    expect_equal((status, problem["type"]), (403, "urn:nfcprog:hub:not-allowed"), "another site's page")
    status, headers, made = hub.post("/v1/batches", body, Origin=hub.origin, Sec_Fetch_Site="same-origin", **cookie)
    expect_equal((status, headers["Location"], made["jobs"]), (201, "/v1/batches/" + quote(batch, safe=""), 6), "the batch")
    # A large list gets as far as the hub, which looks into it.
    status, headers, _ = hub.ask(
        "/v1/batches", "POST", json.dumps({"other": "a" * (9 << 20)}), Content_Type="application/json", **cookie)
    expect_equal((status, headers["Content-Type"]), (400, "application/problem+json"), "a large body")


def check_stream(hub, batch, cookie, start):
    """Nothing waits in the proxy for what comes after it, and a stream goes on where it was; gives the bench that starts."""
    stream = Stream(hub, batch, 0, **cookie)
    messages = stream.messages()
    event, _, board = next(messages)
    expect_equal((event, board["batch"]["jobs"]), ("board", 6), "the stream begins with the board")
    bench = start()
    numbers, written = [], 0
    for event, number, data in messages:
        if event == "happened":
            numbers.append(int(number))
            written += data["kind"] == "written"
        if written == 6:
            break
    expect_equal(written, 6, "written")
    again = Stream(hub, batch, numbers[2], **cookie)
    events = (int(number) for event, number, _ in again.messages() if event == "happened")
    expect_equal([next(events) for _ in numbers[3:]], numbers[3:], "events behind Last-Event-ID")
    stream.close()
    again.close()
    return bench


def check_left(hub, bearer):
    """Who left is watching nobody: the proxy has told the hub."""
    for _ in range(LIMIT * 4):
        status, _, metrics = hub.ask("/metrics", **bearer)
        expect_equal(status, 200, "metrics")
        if re.search(rb"^nfcprog_hub_watchers 0$", metrics, re.M):
            return
        time.sleep(0.25)
    raise Difference(f"the hub thinks that the streams are open\n{metrics.decode()}")


def check_limits(hub, network):
    """Who guesses tokens waits, whatever he says who he is, and nobody else does. `network`: nobody of it has guessed yet."""

    def guess(client, says):
        form = {"Content_Type": "application/x-www-form-urlencoded", "X_Forwarded_For": says}
        return Proxied(hub.port, hub.context, client).ask("/login", "POST", "token=wrong", **form)[0]

    statuses = [guess(f"127.0.{network}.2", "10.0.0.1")]
    while statuses[-1] == 401 and len(statuses) < 50:
        statuses.append(guess(f"127.0.{network}.2", f"10.0.0.{len(statuses)}"))
    expect_equal(set(statuses), {401, 429}, "guesses")
    expect_equal(guess(f"127.0.{network}.3", f"127.0.{network}.2"), 401, "another client")


def check_plain(hub):
    """The hub's own port, without the proxy."""
    expect_equal(hub.ask("/v1/batches", Host=NAME)[0], 401, "without the token")
    expect_equal(hub.ask("/v1/batches", Host=NAME, Authorization="Bearer " + TOKEN)[0], 200, "with the token")
    expect_equal(hub.ask("/v1/batches", Host="evil.example", Authorization="Bearer " + TOKEN)[0], 421, "another name")


@check("nfcprog-hub behind nginx and Caddy, with the settings of Docs/Hub.md: signing in, batches, live events, limits by client")
def proxies(folder):
    token = token_file(folder)
    bearer = {"Authorization": "Bearer " + TOKEN}
    with Database() as database:
        address = pool_address(database, "--viewer", "viewer")
        words = ["--token-file", token, "--behind-proxy", "--host", NAME]
        with Hub(address, *words, environment=SECRET) as hub:
            check_plain(hub)
            for number, proxy in enumerate(STARTS, 1):
                with proxied(proxy, folder / proxy, hub) as outside:
                    batch = f"A 17/{proxy}"
                    expect_equal(outside.ask("/metrics")[0], 401, "metrics without the token")
                    cookie = signed_in(outside)
                    check_making(outside, batch, cookie)
                    bench = check_stream(
                        outside, batch, cookie,
                        lambda: start_bench(folder / "state", database.address(quote(batch, safe="")), "sim:ntag213*6"))
                    status, _, closed = outside.post(f"/v1/batches/{quote(batch, safe='')}/close", {}, **cookie)
                    expect_equal((status, closed["complete"]), (200, True), "closing")
                    expect_end(bench)
                    check_left(outside, bearer)
                    check_limits(outside, number)
