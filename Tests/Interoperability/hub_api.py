"""nfcprog-hub beside nfcprog provision: its API and its stream, on a journal and on a pool."""

import json
import signal
import subprocess
import threading
import time
from urllib.parse import quote

from hubs import SECRET, Hub, Stream, expect_end, pool_address, provision, start_bench
from postgres import PASSWORD, Database, Network
from support import LIMIT, binary, check, expect, expect_equal, program


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
        address = pool_address(database, "--viewer", "viewer")
        with Hub(address, environment=SECRET) as hub:
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
        benches = [start_bench(folder / f"state{number}", database.address("A17"), f"sim:ntag213*30,seed={number}") for number in (1, 2)]
        seen = follow(address, "A17", 40, environment=SECRET)
        with Hub(address, environment=SECRET) as hub:
            # Benches wait for further rows until then.
            for _ in range(2):
                status, _, batch = hub.post("/v1/batches/A17/close", {})
                expect_equal((status, batch["closed"]), (200, True), "closing")
            for bench in benches:
                expect_end(bench)
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
            with Hub(address.replace("/orders", "/orders2"), environment=SECRET) as second:
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


def insist(hub, path, value, key):
    """As a client does: sends it again until it has an answer that says something."""
    for _ in range(20):
        status, _, body = hub.post(path, value, Idempotency_Key=key)
        if status != 503:
            break
        time.sleep(0.2)
    return status, body


@check("nfcprog-hub carries a request with an Idempotency-Key out once, also where the database's answer is lost or the hub is killed")
def once(folder):
    with Database() as database:
        pool_address(database)
        network = Network(database.port)
        address = database.address("X", network.port, "hub").split("?")[0]
        order = {"id": "A17", "rows": [{"b": "1"}], "template": "https://example.com/{uid}?b={b}"}
        with Hub(address, environment=SECRET) as hub:
            network.lose_commit()
            status, batch = insist(hub, "/v1/batches", order, "made")
            expect_equal((status, batch.get("jobs")), (201, 1), f"making: {batch}")
            expect_equal(network.mode, "good", "an answer was lost")
            # Two that differ by their tags alone: nothing else would keep them from being added again.
            rows = {"rows": [{"b": "2"}, {"b": "2"}]}
            network.lose_commit()
            for _ in range(2):
                status, batch = insist(hub, "/v1/batches/A17/rows", rows, "rows")
                expect_equal((status, batch.get("jobs")), (200, 3), f"rows: {batch}")
            hub.end(signal.SIGKILL)
        with Hub(address, environment=SECRET) as hub:
            status, _, batch = hub.post("/v1/batches/A17/rows", rows, Idempotency_Key="rows")
            expect_equal((status, batch.get("jobs")), (200, 3), f"rows, to another hub: {batch}")
            status, _, problem = hub.post("/v1/batches/A17/rows", order, Idempotency_Key="rows")
            expect_equal((status, problem["type"]), (422, "urn:nfcprog:hub:reused-key"), "another request with the key")


@check("nfcprog-hub answers while long lists are checked, and closes another batch meanwhile", alone=True)
def long_lists(folder):
    with Database() as database:
        address = pool_address(database)
        with Hub(address, environment=SECRET) as hub:
            expect_equal(hub.post("/v1/batches", {"id": "A17", "csv": "url\nhttps://example.com/1\n"})[0], 201, "a batch")
            statuses = []

            def send(number):
                rows = "code\n" + "".join(f"{number}-{row}\n" for row in range(8_000))
                template = quote("https://example.com/t/{code}", safe="")
                statuses.append(hub.ask(f"/v1/batches?id=L{number}&template={template}", "POST", rows, Content_Type="text/csv")[0])

            senders = [threading.Thread(target=send, args=(number,)) for number in range(4)]
            for sender in senders:
                sender.start()
            time.sleep(0.5)
            longest = 0
            while any(sender.is_alive() for sender in senders):
                for path in ("/health", "/ready", "/v1/batches/A17/board"):
                    start = time.monotonic()
                    expect_equal(hub.ask(path)[0], 200, path)
                    longest = max(longest, time.monotonic() - start)
                if len(statuses) < 3:
                    start = time.monotonic()
                    expect_equal(hub.post("/v1/batches/A17/close", {})[0], 200, "closing")
                    longest = max(longest, time.monotonic() - start)
                time.sleep(0.1)
            expect_equal(statuses, [201] * 4, "the lists")
            expect(longest < 5, f"an answer took {longest:.1f} s")


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
        address = pool_address(database, "--viewer", "viewer")
        with Hub(address, environment=SECRET) as one, Hub(address, environment=SECRET) as two:
            rows = [{"code": number} for number in range(1, 61)]
            status, _, problem = one.post("/v1/batches", {"id": "A17", "rows": rows, "template": "https://example.com/t/{code}"})
            expect_equal(status, 201, f"making: {problem}")
            bench = start_bench(folder / "state", database.address("A17"), "sim:ntag213*60", errors=subprocess.DEVNULL)
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
            with Hub(address, environment=SECRET) as late:
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
