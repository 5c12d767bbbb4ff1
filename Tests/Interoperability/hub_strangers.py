"""Who may not ask nfcprog-hub, and what it does not wait for."""

import signal
import socket
import threading
import time

from hubs import TOKEN, Hub, hub_binary, provision, token_file
from support import LIMIT, Difference, check, expect, expect_equal, nfcprog, program


@check("nfcprog-hub keeps others out, and nothing that is sent to it is a failure of its own")
def strangers(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    token = token_file(folder)
    with Hub(path) as hub:
        expect_equal(hub.ask("/v1/batches", Host="evil.example")[0], 421, "another host")
        expect_equal(hub.ask("/v1/batches", Host=f"localhost:{hub.port}")[0], 200, "this host")
        expect_equal(hub.post("/v1/batches/line/close", {}, Origin="http://evil.example")[0], 403, "another origin")
        huge = "9" * 30
        for target in (
            "/..%2f..%2fetc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/x", "/%00", "/v1/batches/%ff", "/v1/batches/%zz",
            "/v1/batches/line/events?limit=" + huge, f"/v1/batches/line/events?after={huge}", "/v1/batches/line/jobs/" + huge,
            "/" + "a" * 9000, "//", "/v1/batches/line/jobs?name=" + "%C3%A9" * 500,
        ):
            status = hub.ask(target)[0]
            expect(400 <= status < 500 or target == "//", f"{target[:60]}: {status}")
        status = hub.ask("/v1/batches/line/events/stream", Last_Event_ID="9223372036854775808")[0]
        expect_equal(status, 400, "an event's number beyond 64 bits")
        for method in ("HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH"):
            status = hub.ask("/v1/batches", method)[0]
            expect(status == (200 if method == "HEAD" else 405), f"{method}: {status}")
        start = f"GET /health HTTP/1.1\r\nHost: localhost:{hub.port}\r\n".encode()
        for data in (
            b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfe\r\n\r\n", start + b"X: " + b"a" * 40000 + b"\r\n\r\n",
            start + b"".join(b"X%d: a\r\n" % number for number in range(500)) + b"\r\n",
            start.replace(b"GET /health", b"POST /v1/batches/line/close") + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            start.replace(b"GET /health", b"POST /v1/batches") + b"Content-Type: text/csv\r\nContent-Length: 99999999999\r\n\r\n",
        ):
            answer = hub.send(data)
            expect(not answer or b" 4" in answer[:13], f"{data[:60]}: {answer[:80]}")
            # A request that is none gets its reason all the same.
            expect(not answer or b"application/problem+json" in answer, f"{data[:60]}: {answer[:400]}")
        # A body that never ends holds up nobody.
        open_lines = [socket.create_connection(("127.0.0.1", hub.port)) for _ in range(30)]
        for line in open_lines:
            line.sendall(start.replace(b"GET /health", b"POST /v1/batches/line/close")
                         + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
        expect_equal(hub.ask("/health")[0], 200, "health")
        for line in open_lines:
            line.close()
        # It may have 300 answers at once, and 50 a second in the long run: all are asked for before the first is read.
        with socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT) as line:
            line.sendall((start + b"\r\n") * 1000)
            seen = b""
            while b"HTTP/1.1 429 " not in seen and (more := line.recv(65536)):
                seen += more
        expect(seen.startswith(b"HTTP/1.1 200 ") and b"HTTP/1.1 429 " in seen, f"a client that asks without a pause: {seen[-300:]}")
        expect(hub.process.poll() is None, "the hub is there")
    with Hub(path, "--token-file", token) as hub:
        expect_equal(hub.ask("/v1/batches")[0], 401, "without the token")
        expect_equal(hub.ask("/v1/batches", Authorization="Bearer " + TOKEN[:-1])[0], 401, "another token")
        expect_equal(hub.ask("/v1/batches", Authorization="Bearer " + TOKEN)[0], 200, "the token")
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        status, headers, body = hub.ask("/login", "POST", "token=" + TOKEN, **form)
        expect(status == 303 and TOKEN not in str(headers), f"{status} {headers}")
        cookie = headers["Set-Cookie"].split(";")[0]
        expect_equal(hub.ask("/v1/batches", Cookie=cookie)[0], 200, "the cookie")
    with Hub(path, "--token-file", token) as hub:
        expect_equal(hub.ask("/v1/batches", Cookie=cookie)[0], 200, "the cookie, after the hub was started again")


@check("nfcprog-hub ends the exports of clients that have gone, and with SIGTERM within two seconds, and leaves no file")
def abandoned_exports(folder):
    path, scratch = folder / "line.journal", folder / "tmp"
    scratch.mkdir()
    table = folder / "jobs.csv"
    with open(table, "w") as file:
        file.write("code,a,b\n")
        for number in range(80_000):
            file.write(f"{number:08},{'x' * 40},{'y' * 40}\n")
    nfcprog("provision", table, "--template", "https://example.com/t/{code}", "--journal", path, "--count", "1", "--reader", "sim:ntag213", limit=LIMIT * 4)
    with Hub(path, environment={"TMPDIR": str(scratch)}) as hub:
        def begin():
            line = socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT)
            line.sendall(b"GET /v1/batches/line/report HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return line

        for line in [begin() for _ in range(40)]:
            line.close()
        began = time.monotonic()
        while (status := hub.ask("/v1/batches/line/report", "HEAD")[0]) != 200:
            expect(status == 429 and time.monotonic() < began + LIMIT, f"an export behind forty that nobody takes: {status}")
            time.sleep(0.1)
        expect_equal(list(scratch.iterdir()), [], "files that are left")
        lines = [begin() for _ in range(8)]
        time.sleep(0.3)
        began = time.monotonic()
        expect_equal(hub.end(signal.SIGTERM), 0, "the end")
        expect(time.monotonic() - began < 4, f"the hub ends after {time.monotonic() - began:.1f} s")
        expect_equal(list(scratch.iterdir()), [], "files that are left at the end")
        for line in lines:
            line.close()


# Requests of somebody who has no business there, and how a hub without a token answers.
ATTACKS = [
    ("GET /v1/batches", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("GET /v1/batches/line/report.html", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
    ("GET /v1/batches/line/jobs.csv", {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ("GET /metrics", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("POST /v1/batches/line/close", {"Origin": "http://evil.example", "Content-Type": "application/json"}, 403),
    ("POST /v1/batches/line/close", {"Origin": "null", "Content-Type": "text/plain"}, 403),
    ("GET /v1/batches", {"X-Forwarded-For": "10.0.0.7"}, 403),
    ("GET /v1/batches", {"X-Forwarded-Proto": "https"}, 403),
    ("GET /", {"Via": "1.1 proxy"}, 403),
    ("GET /v1/batches", {"Forwarded": "for=10.0.0.7"}, 403),
    ("GET /v1/batches", {"X-Real-IP": "10.0.0.7"}, 403),
    ("GET /v1/batches", {"Host": "hub.factory.example"}, 421),
    ("GET /v1/batches", {"Host": "localhost.evil.example"}, 421),
    ("GET /v1/batches", {"Host": "127.0.0.1@evil.example"}, 421),
    ("GET /", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
    ("GET /v1/batches", {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
]


@check("nfcprog-hub refuses each request of the list of attacks, and who sends them takes nothing of what others may ask")
def attacks(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    with Hub(path) as hub:
        for request, headers, status in ATTACKS:
            method, target = request.split(" ")
            found = hub.ask(target, method, "{}" if method == "POST" else None, **{name.replace("-", "_"): value for name, value in headers.items()})[0]
            expect_equal(found, status, f"{request} {headers}")
        for _ in range(600):
            hub.ask("/v1/batches", Sec_Fetch_Site="cross-site")
        expect_equal(hub.ask("/v1/batches")[0], 200, "who watches the line")
        remark = hub.process.stderr.readline()
        expect("--token-file" in remark, f"the hub says {remark!r}")
    for token in ("a" * 20, "0123456789abcdef0123456789abcdef", "12345678901234567890"):
        refused = program(hub_binary(), path, "--token-file", token_file(folder, text=token))
        expect(refused.status == 78 and "guessed" in refused.errors and token not in refused.errors, str(refused))
    refused = program(hub_binary(), path, "--host", "hub.factory.example")
    expect(refused.status == 78 and "--token-file" in refused.errors, str(refused))


def whole_answer(hub, request):
    """All that comes back until the hub ends the connection: the status line, the headers by their names in small letters, and the rest."""
    with socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT) as line:
        line.sendall(request)
        answer = b""
        while more := line.recv(65536):
            answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    start, *fields = head.decode().split("\r\n")
    return start, {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}, body


def dechunked(body):
    """What the chunks of a body hold."""
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        count = int(size, 16)
        whole, body = whole + rest[:count], rest[count + 2:]
    return whole


@check("nfcprog-hub gives a client of HTTP/1.0 no chunks: a length, or an answer that ends with the connection")
def earlier_clients(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    with Hub(path) as hub:
        old, new = ((b"%%s %%s HTTP/1.%d\r\nHost: localhost\r\n" % version) for version in (0, 1))
        for target, has_length in (
            (b"/health", True), (b"/v1/batches/line/board", True), (b"/v1/batches/line/jobs.csv", True), (b"/v1/batches/line/jobs.json", False),
            (b"/v1/batches/line/report.html", None), (b"/", True), (b"/assets/hub.js", True), (b"/nowhere", True),
        ):
            _, fields, expected = whole_answer(hub, new % (b"GET", target) + b"Connection: close\r\n\r\n")
            is_chunked = fields.get("transfer-encoding") == "chunked"
            expect(has_length is None or is_chunked != has_length, f"{target}, HTTP/1.1: {fields}")
            # Also one that would keep the connection gets one answer on it.
            for more in (b"", b"Connection: keep-alive\r\n"):
                start, fields, body = whole_answer(hub, old % (b"GET", target) + more + b"\r\n")
                expect(start.startswith("HTTP/1.0 " + ("404" if target == b"/nowhere" else "200")), f"{target}: {start}")
                expect("transfer-encoding" not in fields, f"{target}: {fields}")
                expect_equal(fields.get("connection"), "close", f"the connection of {target}")
                expect_equal("content-length" in fields, not is_chunked, f"the length of {target}")
                expect("content-length" not in fields or int(fields["content-length"]) == len(body), f"{target}: {fields}")
                if is_chunked:
                    expect(body and dechunked(expected) == body, f"{target}: {body[:80]} {expected[:80]}")
                else:
                    expect(target == b"/v1/batches/line/board" or body == expected, f"{target}: {body[:200]}")
        start, fields, body = whole_answer(hub, old % (b"HEAD", b"/v1/batches/line/jobs.json") + b"\r\n")
        expect(start == "HTTP/1.0 200 OK" and not body and "transfer-encoding" not in fields, f"HEAD: {start} {fields} {body}")
        # 100 (Continue) is unknown to it.
        start, _, body = whole_answer(hub, old % (b"POST", b"/v1/batches") + b"Content-Type: text/csv\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\ncode")
        expect(start.startswith("HTTP/1.0 4"), f"POST: {start} {body}")
        # Requests before it on the connection get their own kind of answer.
        health = new % (b"GET", b"/v1/batches/line/jobs.json")
        start, fields, body = whole_answer(hub, health + b"\r\n" + old % (b"GET", b"/health") + b"\r\n")
        expect(start == "HTTP/1.1 200 OK" and fields.get("transfer-encoding") == "chunked", f"HTTP/1.1 first: {start} {fields}")
        expect(b"0\r\n\r\nHTTP/1.0 200 OK\r\n" in body, f"HTTP/1.0 behind it: {body[-300:]}")
        # A stream has no end but that of the connection.
        with socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT) as line:
            line.sendall(old % (b"GET", b"/v1/batches/line/events/stream") + b"Last-Event-ID: 0\r\n\r\n")
            seen = b""
            while b"event: happened" not in seen and (more := line.recv(65536)):
                seen += more
            head, _, body = seen.partition(b"\r\n\r\n")
            expect(head.startswith(b"HTTP/1.0 200") and b"chunked" not in head, str(head))
            expect(body.startswith(b"retry: 2000\n\nevent: ") and b"event: happened" in body, str(body[:600]))
            expect_equal(hub.end(signal.SIGTERM), 0, "the status after SIGTERM")
            while more := line.recv(65536):
                seen += more


def refused(hub, head=b""):
    """A connection on which a body is begun that nobody takes."""
    line = socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT)
    line.sendall(b"POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" + head + b"\r\n1\r\nx\r\n")
    return line


def pieces_until_cut(line, piece, pause):
    """How often `piece` can be sent on a connection until the hub ends it."""
    end, count = time.monotonic() + LIMIT, 0
    while time.monotonic() < end:
        try:
            line.sendall(piece)
        except OSError:
            return count
        count += 1
        time.sleep(pause)
    raise Difference("the hub takes a body that it has refused, and does not end the connection")


def drip(line):
    """Goes on sending, a little at a time, until the other side has had enough."""
    try:
        while True:
            line.sendall(b"x")
            time.sleep(0.2)
    except OSError:
        pass


@check("nfcprog-hub does not wait for the rest of what it has refused, and holds so many bytes of bodies and no more")
def bodies(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    token = token_file(folder)
    with Hub(path, "--token-file", token) as hub:
        lines = [refused(hub) for _ in range(100)]
        for line in lines:
            expect(line.recv(65536).startswith(b"HTTP/1.1 401"), "without the token")
        pieces_until_cut(lines[0], b"1\r\nx\r\n", 0.2)
        for line in lines:
            line.close()
        line = refused(hub)
        # A megabyte may pass, and what the system holds back: that ends it, and not two seconds of hundreds.
        sent = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        expect(pieces_until_cut(line, sent, 0) < 32, "a large body is cut at once")
        line.close()
        # A body that comes whole costs nobody the connection.
        connection = hub.connect()
        for _ in range(3):
            connection.request("POST", "/v1/batches", b"x" * 5000, {"Content-Type": "text/csv"})
            answer = connection.getresponse()
            answer.read()
            expect_equal(answer.status, 401, "a whole body without the token")
        connection.close()
    with Hub(path) as hub:
        start = b"POST /v1/batches?id=B HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
        length = b"Content-Length: %d\r\n" % (64 << 20)
        holding = []
        for _ in range(2):
            line = socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT)
            line.sendall(start + length + b"\r\n")
            for _ in range(63):
                line.sendall(b"x" * (1 << 20))
            holding.append(line)
        time.sleep(1)
        with socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT) as line:
            line.sendall(start + length + b"\r\n")
            pieces_until_cut(line, b"x" * (1 << 20), 0)
            answer = line.recv(65536)
            expect(answer.startswith(b"HTTP/1.1 503") and b"urn:nfcprog:hub:busy" in answer, str(answer[:900]))
            expect(b"Retry-After" in answer, str(answer[:900]))
        for line in holding:
            line.close()
        for _ in range(50):
            status, _, problem = hub.ask("/v1/batches?id=B", "POST", b"x" * (4 << 20), Content_Type="text/csv")
            if status != 503:
                break
            time.sleep(0.1)
        expect_equal(status, 409, f"when there is room again: {problem}")
        waiting = hub.send(start + b"Content-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        expect(waiting.startswith(b"HTTP/1.1 100 "), str(waiting))
        two = hub.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
        expect(two.startswith(b"HTTP/1.1 400 "), str(two))
        _, headers, body = hub.ask("/v1/batches")
        _, whole, _ = hub.ask("/v1/batches", "HEAD")
        expect_equal((whole["Content-Length"], headers["Content-Length"]), (str(len(body)),) * 2, "the length of a HEAD")
        # What is of unknown length has none, and no chunk behind it.
        connection = hub.connect()
        for path, length in (("jobs.json", None), ("jobs.csv", True), ("jobs.json", None), ("events/stream", None)):
            connection.request("HEAD", f"/v1/batches/line/{path}")
            answer = connection.getresponse()
            expect_equal((answer.status, answer.read()), (200, b""), f"HEAD of {path}")
            expect_equal(answer.headers["Content-Length"] is not None, length is not None, f"the length of {path}")
        connection.close()
        # Half a request holds up nobody who ends the hub.
        line = socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT)
        line.sendall(start + b"Content-Length: 1000\r\n\r\nx")
        threading.Thread(target=drip, args=(line,), daemon=True).start()
        time.sleep(0.5)
        expect_equal(hub.end(signal.SIGTERM), 0, "the status after SIGTERM")
        line.close()
