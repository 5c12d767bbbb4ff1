"""nfcprog-hub beside nfcprog provision: its API, its stream, and who may not ask it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from postgres import PASSWORD, Database
from support import LIMIT, binary, check, expect, expect_equal, nfcprog, program

TOKEN = "a-token-of-24-characters"


def hub_binary():
    return str(Path(binary()).with_name("nfcprog-hub"))


class Hub:
    """A running hub."""

    def __init__(self, journal, *words, port=0, environment=None):
        values = dict(os.environ, SWIFT_BACKTRACE="enable=no", **(environment or {}))
        self.process = subprocess.Popen(
            [hub_binary(), str(journal), "--listen", f"127.0.0.1:{port}", *map(str, words)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=values)
        self.line = self.process.stderr.readline()
        expect(" shows " in self.line, f"the hub says {self.line!r}")
        self.port = int(self.line.split("//")[1].split("/")[0].rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)
        self.process.stderr.close()

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(LIMIT)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)

    def ask(self, path, method="GET", body=None, **headers):
        """The status, the headers and the body."""
        connection = self.connect()
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        status, _, body = self.ask(path, **headers)
        expect(status == 200, f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def post(self, path, value, **headers):
        status, answer, body = self.ask(path, "POST", json.dumps(value), Content_Type="application/json", **headers)
        return status, answer, json.loads(body)

    def send(self, data, wait=True):
        """Bytes as they stand; gives what comes back until the hub closes, or says something."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT) as line:
            line.sendall(data)
            return line.recv(65536) if wait else b""


class Stream:
    """The events of a batch."""

    def __init__(self, hub, batch, after, **headers):
        self.connection = hub.connect()
        self.connection.request(
            "GET", f"/v1/batches/{quote(batch, safe='')}/events/stream", headers={"Last-Event-ID": str(after), **headers})
        self.answer = self.connection.getresponse()
        expect(self.answer.status == 200, f"the stream's status is {self.answer.status}")

    def messages(self):
        """(event, id, data), until the line ends."""
        fields = {}
        while True:
            try:
                line = self.answer.readline()
            except (OSError, http.client.HTTPException):
                return
            if not line:
                return
            line = line.decode().rstrip("\n")
            if not line:
                if "data" in fields:
                    yield fields.get("event"), fields.get("id"), json.loads(fields["data"])
                fields = {}
            elif not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value

    def close(self):
        self.connection.close()


def provision(folder, journal, count, *words, environment=None):
    """Starts to write the numbers from 1 to `count`."""
    values = dict(os.environ, SWIFT_BACKTRACE="enable=no", XDG_CONFIG_HOME="/nonexistent", **(environment or {}))
    return subprocess.Popen(
        [binary(), "provision", "--range", f"1..{count}", "--template", "https://example.com/t/{code}", "--journal", str(journal),
         "--timeout", "2", *map(str, words)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=values, cwd=folder)


def check_line(hub, batch, count):
    """What the API says of a batch whose `count` jobs are all written."""
    path = f"/v1/batches/{quote(batch)}"
    board = hub.get(path + "/board")
    expect_equal(board["batch"]["written"], count, "written")
    expect(board["batch"]["complete"], "the batch is complete")
    expect(hub.get(path + "/stations")["stations"][0]["word"] == "ENDED", "the station's run has ended")
    jobs, after = [], 0
    while after is not None:
        page = hub.get(f"{path}/jobs?state=written&limit=7&after={after}")
        jobs, after = jobs + page["jobs"], page.get("next")
    expect_equal([job["number"] for job in jobs], list(range(1, count + 1)), "jobs")
    job = hub.get(path + "/jobs/3")
    expect_equal((job["batch"], job["uri"], job["uid"]), (batch, jobs[2]["uri"], jobs[2]["uid"]), "a job")
    expect("written" in [event["kind"] for event in job["events"]], "the job's events")
    expect(hub.get("/v1/tags/" + job["uid"])["events"][0]["batch"] == batch, "the tag's events")
    for text in (job["uid"], job["name"], "3"):
        found = [(one["batch"], one["number"]) for one in hub.get("/v1/search?q=" + quote(text))["jobs"]]
        expect((batch, 3) in found, f"search for {text}: {found}")
    expect_equal(len(hub.get(path + "/jobs.json")["jobs"]), count, "jobs.json")
    status, headers, table = hub.ask(path + "/jobs.csv")
    expect(status == 200 and headers["Content-Type"].startswith("text/csv"), f"{status} {headers}")
    expect(table.count(b"https://example.com/t/") >= count, "jobs.csv")
    status, _, report = hub.ask(path + "/report")
    expect_equal(json.loads(report.splitlines()[0])["written"], count, "report")
    status, headers, page = hub.ask(path + "/report.html")
    expect(status == 200 and b"</html>" in page, "report.html")
    expect("default-src 'none'" in headers["Content-Security-Policy"], str(headers))
    _, _, metrics = hub.ask("/metrics")
    expect(f'nfcprog_jobs{{batch="{batch}",state="written"}} {count}' in metrics.decode(), metrics.decode())


def follow(journal, batch, count, environment=None):
    """Takes the stream until `count` jobs are written; kills the hub twice. Gives the events' numbers."""
    seen, port, last = [], 0, 0
    for stops in (15, 30, None):
        with Hub(journal, port=port, environment=environment) as hub:
            port = hub.port
            stream = Stream(hub, batch, last)
            boards = 0
            for event, number, data in stream.messages():
                if event == "board":
                    boards += 1
                    if stops is None and data["batch"]["written"] == count and data["lastEvent"] == last:
                        break
                    continue
                expect_equal((event, int(number)), ("happened", data["id"]), "an event")
                last = data["id"]
                seen.append(last)
                if stops and len(seen) >= stops:
                    break
            expect(boards > 0, "the stream begins with the board")
            stream.close()
            if stops:
                hub.end(signal.SIGKILL)
    return seen


@check("nfcprog-hub shows a journal while it is written; a stream goes on behind its last event after the hub was killed")
def journal(folder):
    path = folder / "A 17.journal"
    run = provision(folder, path, 40, "--reader", "sim:ntag213*40")
    while program(binary(), "report", "--journal", path).status:
        expect(run.poll() is None or path.exists(), "provision has no journal")
        time.sleep(0.1)
    seen = follow(path, "A 17", 40)
    expect_equal(run.wait(LIMIT), 0, "provision")
    with Hub(path) as hub:
        numbers, after = [], 0
        while after is not None:
            page = hub.get(f"/v1/batches/A%2017/events?limit=13&after={after}")
            numbers, after = numbers + [event["id"] for event in page["events"]], page.get("next")
        expect_equal(seen, numbers, "events of the streams")
        check_line(hub, "A 17", 40)
        expect(not hub.get("/v1/batches")["takesBatches"], "a journal takes no batches")
        for path, body in (("/v1/batches", {"id": "B", "csv": "url\n"}), ("/v1/batches/A%2017/close", {})):
            status, _, problem = hub.post(path, body)
            expect((status, problem["type"]) == (409, "urn:nfcprog:hub:one-journal"), f"{status} {problem}")
        expect_equal(hub.end(signal.SIGTERM), 0, "the status after SIGTERM")


@check("nfcprog-hub on a pool: a batch comes as CSV, two benches write it, rows are added, it is closed")
def pool(folder):
    with Database() as database:
        secret = {"PGPASSWORD": PASSWORD}
        database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--viewer", "viewer", "--hub", "hub")
        address = database.address("X", user="hub").replace("?batch=X", "")
        with Hub(address, environment=secret) as hub:
            expect(PASSWORD not in hub.line, hub.line)
            rows = "code\n" + "".join(f"{number}\n" for number in range(1, 31))
            query = "?id=A17&template=" + quote("https://example.com/t/{code}", safe="")
            for _ in range(2):
                status, headers, body = hub.ask("/v1/batches" + query, "POST", rows, Content_Type="text/csv")
                expect((status, headers["Location"]) == (201, "/v1/batches/A17"), f"{status} {body}")
            expect_equal(json.loads(body)["jobs"], 30, "jobs")
            status, _, problem = hub.post("/v1/batches", {"id": "A17", "csv": "url\nhttps://example.com/x\n"})
            expect_equal((status, problem["type"]), (409, "urn:nfcprog:hub:exists"), "another list")
            status, _, problem = hub.post("/v1/batches", {"id": "A18", "csv": "url\nnot a url\n"})
            expect(status == 422 and problem["mistakes"], f"{status} {problem}")
            key = {"Idempotency_Key": "rows-1"}
            for _ in range(2):
                status, _, batch = hub.post("/v1/batches/A17/rows", {"rows": [{"code": number} for number in range(31, 41)]}, **key)
                expect_equal((status, batch["jobs"]), (200, 40), "rows were added once")
            status, _, problem = hub.post("/v1/batches/A17/rows", {"rows": []}, **key)
            expect_equal(status, 422, "another request with the key")
        benches = []
        for number in (1, 2):
            state = dict(secret, XDG_STATE_HOME=str(folder / f"state{number}"))
            words = ["--reader", f"sim:ntag213*30,seed={number}"]
            values = dict(os.environ, XDG_CONFIG_HOME="/nonexistent", **state)
            benches.append(subprocess.Popen(
                [binary(), "provision", "--journal", database.address("A17"), "--timeout", "20", *words],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=values))
        seen = follow(address, "A17", 40, environment=secret)
        with Hub(address, environment=secret) as hub:
            # Benches wait for further rows until then.
            for _ in range(2):
                status, _, batch = hub.post("/v1/batches/A17/close", {})
                expect_equal((status, batch["closed"]), (200, True), "closing")
            for bench in benches:
                _, errors = bench.communicate(timeout=LIMIT)
                expect_equal(bench.returncode, 0, errors)
            events = hub.get("/v1/batches/A17/events?limit=1000")["events"]
            expect_equal(seen, [event["id"] for event in events][: len(seen)], "events of the streams")
            check_line(hub, "A17", 40)
            expect_equal(len(hub.get("/v1/batches/A17/stations")["stations"]), 2, "stations")
            status, _, problem = hub.post("/v1/batches/A17/rows", {"rows": [{"code": 99}]})
            expect_equal((status, problem["type"]), (409, "urn:nfcprog:hub:closed"), "rows of a closed batch")
            # A dump, restored into another database, is the same pool.
            place = ["-h", database.folder, "-p", database.port, "-U", "owner"]
            dump = database.folder / "orders.dump"
            database.command("pg_dump", *place, "--format=custom", "--schema=nfcprog", f"--file={dump}", "orders")
            database.command("createdb", *place, "orders2")
            database.command("pg_restore", *place, "--exit-on-error", "--dbname=orders2", dump)
            with Hub(address.replace("/orders", "/orders2"), environment=secret) as second:
                check_line(second, "A17", 40)
            database.kill()
            for _ in range(100):
                status, headers, body = hub.ask("/v1/batches")
                if status == 503:
                    break
                time.sleep(0.1)
            expect(status == 503 and headers["Retry-After"], f"{status} {body}")
            expect(PASSWORD.encode() not in body, "the password is not said")
            database.revive()
            for _ in range(100):
                if hub.ask("/v1/batches")[0] == 200:
                    break
                time.sleep(0.1)
            expect_equal(hub.get("/v1/batches/A17")["written"], 40, "written, after the database came back")


def pieces(hubs, batch, count):
    """Takes a few events at a time, from one hub after the other, until `count` jobs are written."""
    last, turn = 0, 0
    while True:
        stream = Stream(hubs[turn % len(hubs)], batch, last)
        turn += 1
        taken = 0
        for event, number, data in stream.messages():
            if event == "board" and data["batch"]["written"] == count and data["lastEvent"] == last:
                stream.close()
                return
            if number:
                expect(event != "happened" or int(number) > last, f"{number} comes after {last}")
                expect(int(number) >= last, f"{event} goes back from {last} to {number}")
                last = int(number)
            if event == "happened":
                yield last
                taken += 1
                if taken > turn % 3:
                    break
        stream.close()


@check("nfcprog-hub gives no event twice to a client that comes back at once, to another hub or to one that has just started")
def returning(folder):
    with Database() as database:
        secret = {"PGPASSWORD": PASSWORD}
        database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--viewer", "viewer", "--hub", "hub")
        address = database.address("X", user="hub").replace("?batch=X", "")
        with Hub(address, environment=secret) as one, Hub(address, environment=secret) as two:
            rows = [{"code": number} for number in range(1, 61)]
            status, _, problem = one.post("/v1/batches", {"id": "A17", "rows": rows, "template": "https://example.com/t/{code}"})
            expect_equal(status, 201, f"making: {problem}")
            values = dict(os.environ, XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME=str(folder / "state"), **secret)
            bench = subprocess.Popen(
                [binary(), "provision", "--journal", database.address("A17"), "--timeout", "20", "--reader", "sim:ntag213*60"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=values)
            seen = list(pieces([one, two], "A17", 60))
            events = one.get("/v1/batches/A17/events?limit=1000")["events"]
            expect_equal(seen, [event["id"] for event in events], "events, a few at a time")
            # Somebody has drawn a number, and keeps it to himself while others add events.
            insert = ("INSERT INTO nfcprog.event (batch, uuid, bench, kind, started_at, duration) "
                      "SELECT id, uuid_send(gen_random_uuid()), 'x', 'passed', 0, 0 FROM nfcprog.batch;")
            slow = subprocess.Popen(
                [database.bin / "psql", "-h", database.folder, "-p", str(database.port), "-U", "owner", "-d", "orders", "-Atq"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            slow.stdin.write(f"BEGIN; {insert}\n\\echo drawn\n")
            slow.stdin.flush()
            expect_equal(slow.stdout.readline(), "drawn\n", "psql")
            database.sql(insert)
            last = seen[-1]
            with Hub(address, environment=secret) as late:
                stream = Stream(late, "A17", last)
                messages = stream.messages()
                event, number, board = next(messages)
                expect_equal((event, number, board["lastEvent"]), ("board", str(last), last), "what a new hub knows")
                expect_equal(late.get(f"/v1/batches/A17/events?after={last}")["events"], [], "events behind one that is missing")
                slow.stdin.write("COMMIT;\n")
                slow.stdin.close()
                numbers = []
                while len(numbers) < 2:
                    event, number, _ = next(messages)
                    if event == "happened":
                        numbers.append(int(number))
                expect(last < numbers[0] < numbers[1], f"{numbers} after {last}")
                database.kill()
                events = [next(messages)]
                while events[-1][0] != "trouble":
                    events.append(next(messages))
                detail = events[-1][2]["detail"]
                expect(detail and PASSWORD not in detail, detail)
                database.revive()
                # Said once, and over with the next board.
                expect_equal(next(messages)[0], "board", "when the database is back")
                stream.close()
            slow.wait(LIMIT)
            bench.kill()
            bench.wait(LIMIT)


@check("nfcprog-hub keeps others out, and nothing that is sent to it is a failure of its own")
def strangers(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    token = folder / "token"
    token.write_text(TOKEN + "\n")
    token.chmod(0o600)
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
        statuses = {hub.ask("/health")[0] for _ in range(400)}
        expect_equal(statuses, {200, 429}, "a client that asks without a pause")
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


def refused(hub, head=b""):
    """A connection on which a body is begun that nobody takes."""
    line = socket.create_connection(("127.0.0.1", hub.port), timeout=LIMIT)
    line.sendall(b"POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" + head + b"\r\n1\r\nx\r\n")
    return line


def is_cut(line, piece, pause, seconds):
    """Whether the hub ends a connection on which `piece` is sent again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            line.sendall(piece)
        except OSError:
            return True
        time.sleep(pause)
    return False


@check("nfcprog-hub does not wait for the rest of what it has refused, and holds so many bytes of bodies and no more")
def bodies(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    token = folder / "token"
    token.write_text(TOKEN + "\n")
    token.chmod(0o600)
    with Hub(path, "--token-file", token) as hub:
        drip = b"1\r\nx\r\n"
        lines = [refused(hub) for _ in range(100)]
        for line in lines:
            expect(line.recv(65536).startswith(b"HTTP/1.1 401"), "without the token")
        expect(is_cut(lines[0], drip, 0.2, 10), "a body that drips after its request was refused")
        for line in lines:
            line.close()
        line = refused(hub)
        # Two seconds are not what ends it: it is too much.
        sent = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        begun = time.monotonic()
        expect(is_cut(line, sent, 0, 10), "a large body after its request was refused")
        expect(time.monotonic() - begun < 1.9, "a large body is cut at once")
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
            is_cut(line, b"x" * (1 << 20), 0, 5)
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
        time.sleep(0.5)
        begun = time.monotonic()
        expect_equal(hub.end(signal.SIGTERM), 0, "the status after SIGTERM")
        expect(time.monotonic() - begun < 8, "the hub ends soon")
        line.close()


@check("nfcprog-hub says why it does not start")
def starts(folder):
    path = folder / "line.journal"
    provision(folder, path, 1, "--reader", "sim:ntag213*1").wait(LIMIT)
    (folder / "token").write_text(TOKEN)
    (folder / "token").chmod(0o644)
    (folder / "short").write_text("short")
    (folder / "short").chmod(0o600)
    (folder / "secret").write_text(TOKEN)
    (folder / "secret").chmod(0o600)
    (folder / "other").write_text("no journal")
    taken = socket.create_server(("127.0.0.1", 0))
    cases = (
        ([folder / "none.journal"], 66, "There is no journal"),
        ([folder / "other"], 65, "is not a journal"),
        (["postgresql://127.0.0.1:1/none"], 69, ""),
        ([path, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"], 69, "another program listens there"),
        ([path, "--listen", "0.0.0.0:0"], 78, "--token-file"),
        ([path, "--behind-proxy"], 78, "--token-file"),
        ([path, "--token-file", folder / "token"], 78, "chmod"),
        ([path, "--token-file", folder / "short"], 78, "needs 16"),
        ([path, "--token-file", folder / "none"], 66, "cannot be read"),
        ([path, "--listen", "a:b"], 64, "HOST:PORT"),
        ([path, "--listen", "0.0.0.0:0", "--token-file", folder / "secret"], 78, "--behind-proxy"),
        ([], 64, "file|address"),
        ([path, "--journal", path], 64, "one journal"),
        (["--journal", folder / "none.journal"], 66, "There is no journal"),
    )
    for words, status, text in cases:
        outcome = program(hub_binary(), *words)
        expect(outcome.status == status and text in outcome.errors, str(outcome))
        expect(TOKEN not in outcome.output + outcome.errors, "the token is not said")
    taken.close()
    outcome = program(hub_binary(), "--version")
    expect(outcome.status == 0 and outcome.output.startswith("nfcprog-hub "), str(outcome))
