"""provision on a pool of jobs in PostgreSQL: one bench and four, killed, cut off, restored."""

import csv
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import threading
import time

from hub_api import Hub
from labels import template
from postgres import ESCAPED, PASSWORD, Database, Network
from printers import Printer
from series import Boards, TEMPLATE, addresses, holding, jobs
from support import LIMIT, Difference, binary, check, expect, expect_equal, nfcprog, program

# Jobs, kills of benches and of the database, cuts; NFCPROG_POOL=5000,200,20,20 is the whole proof.
SIZE = [int(number) for number in os.environ.get("NFCPROG_POOL", "40,4,1,2").split(",")]


def variables(folder, bench):
    """A bench's own disk, and its password where libpq looks for it."""
    return {"XDG_STATE_HOME": str(folder / f"state{bench}"), "PGPASSWORD": PASSWORD}


def start(folder, bench, words):
    values = {name: value for name, value in os.environ.items() if name != "NFCPROG_READER"}
    values.update(variables(folder, bench), SWIFT_BACKTRACE="enable=no", XDG_CONFIG_HOME="/nonexistent")
    return subprocess.Popen(
        [binary(), "provision", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=values)


def expect_pool(database, folder, batch, count):
    """Every job is on exactly one tag by the tags' own memories, and the pool says which."""
    found = holding(folder / "tags")
    expect_equal(set(found), addresses(count), "codes on tags")
    doubled = {address: tags for address, tags in found.items() if len(tags) > 1}
    expect(not doubled, f"on more than one tag: {doubled}")
    rows = database.sql(
        f"SELECT uri || ' ' || encode(uid, 'hex') FROM nfcprog.job JOIN nfcprog.batch ON batch.id = batch WHERE batch.name = '{batch}' AND state = 'written'")
    written = dict(row.split() for row in rows.splitlines())
    expect_equal(written, {address: tags[0] for address, tags in found.items()}, "the pool")


@check("provision on a pool: one batch at two benches, and all that reads a journal reads the pool; no password is said")
def pool(folder):
    with Database() as database:
        said = []

        def run(*words, bench=0, **options):
            outcome = nfcprog(*words, environment=variables(folder, bench), **options)
            said.append(outcome.output + outcome.errors)
            return outcome

        address = database.address("A17")
        refused = run("provision", *jobs(10), "--journal", address, "--reader", "sim:ntag213*1", status=78)
        expect("no tables of nfcprog" in refused.errors, str(refused))
        run("journal", "init", database.owner, "--bench", "bench", "--viewer", "viewer")
        words = ["provision", *jobs(10), "--timeout", "1"]
        wrong = address.replace("bench@", "bench:wr0ng@")
        refused = run(*words, "--journal", wrong, "--reader", "sim:ntag213*1", status=69)
        expect("wr0ng" not in str(refused.output + refused.errors), str(refused))
        refused = run(*words, "--journal", address.replace("?batch=A17", ""), "--reader", "sim:ntag213*1", status=64)
        expect("names no batch" in refused.errors, str(refused))
        # The first bench writes four tags, the other the rest.
        run(*words, "--count", "4", "--journal", address, "--reader", "sim:ntag213*4,seed=1", "--label", folder / "labels.csv")
        mine = database.address("A17").replace("bench@", f"bench:{ESCAPED}@")
        run(*words, "--journal", mine, "--reader", "sim:ntag215*9,seed=2", bench=1)
        counts = database.sql("SELECT state, count(*) FROM nfcprog.job GROUP BY state")
        expect_equal(counts, "written|10", "states")
        expect_equal(len(list(csv.DictReader(open(folder / "labels.csv", newline="")))), 4, "labels of the first bench")
        # A bench that begins again finds nothing to do, and another list is refused.
        run(*words, "--journal", address, "--reader", "sim:ntag213*1,seed=3")
        refused = run("provision", *jobs(11), "--journal", address, "--reader", "sim:ntag213*1", status=65)
        expect("--extend" in refused.errors, str(refused))
        other = ["--range", "1..10", "--width", "4", "--template", "https://example.com/other/{code}"]
        refused = run("provision", *other, "--journal", address, "--reader", "sim:ntag213*1", status=65, bench=2)
        expect("not those of this list" in refused.errors, str(refused))
        run("provision", *jobs(12), "--extend", "--journal", address, "--reader", "sim:ntag213*2,seed=4", "--timeout", "2")
        # What reads a journal.
        viewer = database.address("A17", user="viewer")
        verified = json.loads(run("journal", "verify", viewer, "--json").output)
        expect_equal((verified["written"], verified["consistent"], verified["journal"]), (12, True, viewer), "verify")
        head, *rest = [json.loads(line) for line in run("report", "--journal", viewer, "--json").output.splitlines()]
        # A row a job and a row a tag.
        expect_equal(sum(row.get("outcome") == "written" for row in rest), 24, "report")
        run("report", "--journal", viewer, "--html", folder / "page.html", "--csv", folder / "table.csv")
        # The password stands in the address alone.
        secret = viewer.replace("viewer@", f"viewer:{ESCAPED}@")
        outcome = nfcprog("report", "--journal", secret, "--json", environment={"PGPASSWORD": ""})
        expect_equal(len(outcome.output.splitlines()), len(rest) + 1, "report with the password in the address")
        said.append(outcome.output + outcome.errors)
        expect_equal(run("journal", "list", viewer).output, "A17: 12 jobs of 1..10 in 4 digits\n", "list")
        benches = [json.loads(line) for line in run("journal", "benches", viewer, "--json").output.splitlines()]
        expect_equal(sorted(row["finished"] for row in benches), [6, 6], "benches")
        expect_equal(sum(row["claimed"] for row in benches), 0, "claims that are left")
        run("journal", "export", viewer, folder / "copy.journal")
        run("journal", "verify", folder / "copy.journal")
        with sqlite3.connect(folder / "copy.journal") as copy:
            expect_equal(copy.execute("SELECT count(*) FROM job WHERE state = 'written'").fetchone()[0], 12, "copy")
        run("journal", "export", viewer, folder / "copy.journal", status=66)
        tag = f"ntag213,file={folder / 'tag'}"
        run("provision", *jobs(1), "--journal", database.address("B"), "--reader", f"sim:{tag}")
        run("audit", "--journal", database.address("B"), "--reader", f"sim:{tag}")
        # A viewer may not work, and a bench may not take jobs away.
        run("provision", *jobs(1), "--journal", database.address("C", user="viewer"), "--reader", "sim:ntag213", status=69)
        said.append(database.sql("SELECT command FROM nfcprog.session"))
        for text in said:
            expect(PASSWORD not in text and ESCAPED not in text, f"the password was said: {text}")


@check("two benches of one machine: what a killed one leaves is handed on or said, and each keeps its own label file")
def one_machine(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        printer, results = Printer(), folder / "results"

        def words(batch, seed, tags, timeout, *more):
            return [*jobs(6), "--journal", database.address(batch), "--timeout", timeout,
                    "--reader", f"sim:ntag213*{tags},seed={seed},save={folder / batch},pace=real", *more]

        def run(*given, status=0):
            return nfcprog("provision", *words(*given), environment=variables(folder, 0), status=status)

        def passed(process):
            said = []
            for line in process.stdout:
                said.append(line)
                if "PASS" in line:
                    return
            raise Difference(f"no tag passed: {''.join(said)}")

        def both(batch, tags, first, second):
            """Starts two: the first writes a tag, and keeps its place as it waits for more."""
            one = start(folder, 0, words(batch, 1, 1, 8, *first))
            passed(one)
            return one, start(folder, 0, words(batch, 2, tags, 1, *second))

        # The second is killed when its tag has passed and the printer has not said that it is ready for the label.
        printing = ["--label", printer.address, "--label-template", template(folder), "--on-result"]
        printer.delay = 1.5
        one, two = both("A", 3, [], [*printing, "sleep 5"])
        passed(two)
        two.kill()
        two.communicate()
        printer.delay = 0
        sentence = "Another bench of this machine was stopped and has left 1 label not printed and 1 result not handed on."
        said = one.communicate(timeout=LIMIT)[0]
        expect(sentence in said, said)
        # A bench that prints nothing does not take its place; one that does hands all on.
        outcome = run("A", 3, 1, 1, status=75)
        expect(sentence in outcome.errors, str(outcome))
        outcome = run("A", 4, 3, 1, *printing, f"echo $NFCPROG_JOB >>{results}")
        expect("1 result of earlier runs is sent again." in outcome.errors and sentence not in outcome.errors, str(outcome))
        expect_equal((len(printer.labels), len(results.read_text().split())), (4, 4), "labels and results of this place")

        # Each has its own label file, in whichever order they are started.
        files = [folder / "a.csv", folder / "b.csv"]
        for process in both("B", 5, ["--label", files[0]], ["--label", files[1]]):
            process.communicate(timeout=LIMIT)
        run("B", 3, 5, 1, "--label", files[1])
        before = [file.read_text() for file in files]
        expect_equal([text.count("\n") for text in before], [2, 6], "rows with their header")
        for place in (1, 0, 1):
            outcome = run("B", 5, 1, 1, "--label", files[place])
            expect(str(files[place]) not in outcome.errors, str(outcome))
        expect_equal([file.read_text() for file in files], before, "label files")


@check("provision without a list works on a batch that a hub has made: two benches, added rows, the end of the batch")
def made_by_a_hub(folder):
    with Database() as database, Boards(folder, 2, "ntag213*200,pace=real") as boards:
        database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--hub", "hub")
        address, options = database.address("A17"), boards.options()
        alone = ["provision", "--journal", address, "--reader", "sim:ntag213"]
        refused = nfcprog(*alone, environment=variables(folder, 0), status=66)
        expect("no batch A17" in refused.errors, str(refused))
        refused = nfcprog(*alone, "--template", TEMPLATE, status=64)
        expect("leave out --template" in refused.errors, str(refused))
        with Hub(database.address("A17", user="hub").split("?")[0], environment={"PGPASSWORD": PASSWORD}) as hub:
            def rows(numbers):
                return "code,room\n" + "".join(f"{number:04},{number}\n" for number in numbers)

            def wait(count):
                deadline = time.monotonic() + LIMIT
                while (found := hub.get("/v1/batches/A17")["written"]) < count and time.monotonic() < deadline:
                    time.sleep(0.1)
                expect_equal(found, count, "written")

            status, _, batch = hub.post("/v1/batches", {"id": "A17", "csv": rows(range(1, 13)), "template": TEMPLATE, "tag": "ntag213"})
            expect_equal((status, batch.get("jobs")), (201, 12), "the batch")
            benches = [start(folder, number, ["--journal", address, "--timeout", "60", *options[2 * number:2 * number + 2]])
                       for number in range(2)]
            wait(12)
            status, _, batch = hub.post("/v1/batches/A17/rows", {"csv": rows(range(13, 21))})
            expect_equal((status, batch.get("jobs")), (200, 20), "added rows")
            wait(20)
            status, _, problem = hub.post("/v1/batches/A17/rows", {"csv": rows([1])})
            expect("line 2, column code" in str(problem.get("mistakes")), str(problem))
            expect_equal([bench.poll() for bench in benches], [None, None], "benches wait for rows")
            hub.post("/v1/batches/A17/close", {})
            texts = [bench.communicate(timeout=LIMIT)[0] for bench in benches]
            expect_equal([bench.returncode for bench in benches], [0, 0], "\n".join(texts))
            board = hub.get("/v1/batches/A17/board")
            expect_equal({station["word"] for station in board["stations"]}, {"ENDED"}, "the stations at the end")
            expect_equal((board["batch"]["complete"], board["batch"]["closed"]), (True, True), "the batch at the end")
        expect_pool(database, folder, "A17", 20)
        # Where a bench has loaded the batch, its list is asked for.
        nfcprog("provision", *jobs(1), "--journal", database.address("B"), "--reader", "sim:ntag213", environment=variables(folder, 0))
        refused = nfcprog("provision", "--journal", database.address("B"), "--reader", "sim:ntag213", environment=variables(folder, 0), status=66)
        expect("has no list in the database" in refused.errors, str(refused))


@check("provision --follow on a pool: benches wait for rows of a hub and of another bench, also while the database starts anew")
def followed(folder):
    with Database() as database, Boards(folder, 2, "ntag213*200,pace=real") as boards:
        database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--hub", "hub")
        a17, options = database.address("A17"), boards.options()
        nfcprog("provision", "-", "--follow", "--journal", a17, "--reader", "sim:ntag213", status=64)
        nfcprog("provision", *jobs(2), "--follow", "--journal", folder / "journal", "--reader", "sim:ntag213", status=64)
        secret = folder / "secret.csv"
        secret.write_text("code,password\n0001,00112233\n")
        refused = nfcprog("provision", secret, "--template", TEMPLATE, "--follow", "--journal", a17, "--reader", "sim:ntag213", status=64)
        expect("--extend" in refused.errors, str(refused))
        with Hub(database.address("A17", user="hub").split("?")[0], environment={"PGPASSWORD": PASSWORD}) as hub:
            def add(name, numbers, **more):
                rows = [{"code": f"{number:04}"} for number in numbers]
                status, _, batch = hub.post(f"/v1/batches{name}", {"rows": rows, **more})
                expect(status in (200, 201), str(batch))

            def wait(batch, count):
                deadline = time.monotonic() + LIMIT
                while time.monotonic() < deadline:
                    found = hub.get(f"/v1/batches/{batch}").get("written")
                    if found == count:
                        return
                    time.sleep(0.1)
                expect_equal(found, count, f"written of {batch}")

            # A batch of the hub, at a bench without a list; and one that the other bench has loaded.
            add("", range(1, 4), id="A17", template=TEMPLATE.replace("/t/", "/a/"), tag="ntag213")
            follow = ["--follow", "--timeout", "1"]
            benches = [start(folder, 0, ["--journal", a17, *follow, "--names", "left", *options[:2]]),
                       start(folder, 1, [*jobs(2), "--journal", database.address("B"), *follow, *options[2:]])]
            wait("A17", 3)
            wait("B", 2)
            add("/A17/rows", range(4, 9))
            wait("A17", 8)
            time.sleep(2)
            database.crash()
            add("/A17/rows", range(9, 15))
            nfcprog("provision", *jobs(6), "--extend", "--count", "1", "--journal", database.address("B"),
                    "--reader", f"sim:ntag213,save={folder / 'tags'},seed=5", environment=variables(folder, 2))
            wait("A17", 14)
            wait("B", 6)
            expect_equal([bench.poll() for bench in benches], [None, None], "benches wait for rows")
            stations = hub.get("/v1/batches/A17/board")["stations"]
            expect_equal([station["station"] for station in stations], ["left"], "the names of stations")
            hub.post("/v1/batches/A17/close", {})
            # Without a hub: the owner may close a batch, a bench may not.
            refused = nfcprog("journal", "close", database.address("B"), environment=variables(folder, 0), status=69)
            expect("does not allow this" in refused.errors, str(refused))
            closed = nfcprog("journal", "close", f"{database.owner}&batch=B")
            expect("the batch is closed" in closed.output, str(closed))
            more = ["provision", *jobs(4), "--reader", f"sim:ntag213*2,save={folder / 'others'}", "--journal", database.address("D")]
            nfcprog(*more, "--count", "1", environment=variables(folder, 3))
            nfcprog("journal", "close", f"{database.owner}&batch=D")
            outcome = nfcprog(*more, environment=variables(folder, 3))
            expect("The batch is closed: 3 jobs of it are on no tag." in outcome.output, str(outcome))
            refused = nfcprog("journal", "close", f"{database.owner}&batch=C", status=66)
            expect("no batch C" in refused.errors, str(refused))
            texts = [bench.communicate(timeout=LIMIT)[0] for bench in benches]
            expect_equal([bench.returncode for bench in benches], [0, 0], "\n".join(texts))
        found = holding(folder / "tags")
        wanted = addresses(6) | {address.replace("/t/", "/a/") for address in addresses(14)}
        expect_equal(set(found), wanted, "codes on tags")
        expect_equal({len(tags) for tags in found.values()}, {1}, "tags of a code")


@check("provision without its database continues with the jobs that it has claimed, says so in one line, and tells the pool later")
def away(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        failures = []

        def cut(silently):
            try:
                cut_off(folder / f"cut{silently}", database, f"A{silently}", silently)
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=cut, args=(silently,)) for silently in (False, True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


def cut_off(folder, database, batch, silently):
    """A bench whose network is closed, or says nothing more, after its first tags; and is there again later."""
    folder.mkdir()
    network = Network(database.port)
    state = f"SELECT count(*) FROM nfcprog.job JOIN nfcprog.batch ON batch.id = batch WHERE batch.name = '{batch}' AND state = 'written'"
    with Boards(folder, 1, "ntag213*3000,pace=real") as boards:
        words = [*jobs(12), "--journal", database.address(batch, network.port), "--timeout", "30", *boards.options()]
        process = start(folder, 0, words)
        lines = []
        reading = threading.Thread(target=lambda: lines.extend(process.stdout))
        reading.start()
        while process.poll() is None and database.sql(state) == "0":
            time.sleep(0.02)
        network.cut(silently)
        time.sleep(22 if silently else 3)
        expect_equal(process.poll(), None, "".join(lines))
        network.heal()
        expect_equal(process.wait(LIMIT), 0, "".join(lines))
        reading.join()
    text = "".join(lines)
    expect_equal(text.count("this bench continues with the"), 1, text)
    expect("claims no other" in text and "answers again" in text, text)
    meanwhile = text.split("this bench continues with the")[1].split("answers again")[0].splitlines()
    passed = [line for line in meanwhile if "PASS" in line]
    expect(0 < len(passed) <= 4, text)
    expect_equal(int(database.sql(state)), 12, "written")


def place(database):
    return ["-h", str(database.folder), "-p", str(database.port), "-U", "owner"]


def back_up(database):
    dump = database.folder / "dump"
    database.command("pg_dump", "-Fc", *place(database), "-f", dump, "orders")
    return dump


def restore(database, dump):
    database.sql("DROP DATABASE orders WITH (FORCE)", "postgres")
    database.sql("CREATE DATABASE orders", "postgres")
    database.command("pg_restore", *place(database), "-d", "orders", dump)
    nfcprog("journal", "init", database.owner, "--bench", "bench")


@check("a batch that is newer than the restored backup is continued with --restored: every code on one tag")
def newer(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        dump = back_up(database)

        def work(seed, tags, status, *words):
            reader = f"sim:ntag213*{tags},seed={seed},save={folder / 'tags'}"
            return nfcprog("provision", *jobs(10), "--timeout", "2", "--journal", database.address("A17"),
                           "--reader", reader, *words, environment=variables(folder, 0), status=status)

        work(1, 3, 75)
        restore(database, dump)
        said = work(2, 10, 65).errors
        expect("3 jobs of this list" in said and "--restored" in said, said)
        said = work(3, 3, 75, "--restored").errors
        expect("3 tags" in said, said)
        work(4, 10, 0)
        expect_pool(database, folder, "A17", 10)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))
        nfcprog("provision", *jobs(10), "--restored", "--journal", str(folder / "file.journal"), "--reader", "sim:ntag213",
                environment=variables(folder, 0), status=64)


@check("a batch that a hub makes again after a restore goes on no second tags: every code on one tag")
def made_again(folder):
    with Database() as database:
        database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--hub", "hub")
        dump = back_up(database)
        rows = "code\n" + "".join(f"{number:04}\n" for number in range(1, 11))

        def make():
            with Hub(database.address("A17", user="hub").split("?")[0], environment={"PGPASSWORD": PASSWORD}) as hub:
                status, _, batch = hub.post("/v1/batches", {"id": "A17", "csv": rows, "template": TEMPLATE, "tag": "ntag213"})
                expect_equal((status, batch.get("jobs")), (201, 10), "the batch")

        def work(seed, count, status, *words):
            return nfcprog("provision", "--journal", database.address("A17"), "--count", count, *words,
                           "--reader", f"sim:ntag213*{count},seed={seed},save={folder / 'tags'}",
                           environment=variables(folder, 0), status=status)

        make()
        work(1, 3, 0)
        restore(database, dump)
        nfcprog("journal", "init", database.owner, "--hub", "hub")
        make()
        said = work(2, 10, 65).errors
        expect("3 jobs of this list" in said and "--restored" in said, said)
        said = work(3, 7, 0, "--restored").errors
        expect("3 tags" in said, said)
        expect_pool(database, folder, "A17", 10)


@check("a pool that is restored from a backup hears of later runs from its benches: every code on one tag")
def restored(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")

        def work(bench, seed, tags, status):
            reader = f"sim:ntag213*{tags},seed={seed},save={folder / 'tags'}"
            nfcprog("provision", *jobs(10), "--timeout", "2", "--journal", database.address("A17"), "--reader", reader,
                    environment=variables(folder, bench), status=status)

        work(0, 1, 3, 75)
        dump = back_up(database)
        work(0, 2, 3, 75)
        restore(database, dump)
        # The bench that knows more starts first, as Docs/Pool.md has it.
        work(0, 3, 1, 75)
        work(1, 4, 4, 0)
        expect_pool(database, folder, "A17", 10)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))


def lay_down_again(folder, bench, words, text):
    """What an operator does at a bench that ended because only unfinished tags are left: puts them on a reader.

    Gives the options for the bench's next start: a tag that no board has written is not among the tags, and is given up.
    """
    tags = re.findall(r"(?:[0-9A-F]{2}:){6}[0-9A-F]{2}", text.split("may hold an unfinished job:")[1])
    expect(tags, text)
    files = [folder / "tags" / f"{uid.replace(':', '').lower()}.tag" for uid in tags]
    for tag in filter(Path.exists, files):
        # The database may be away meanwhile: the bench then ends in the same way again.
        program(binary(), "provision", *words, "--reader", f"sim:ntag213,file={tag}", environment=variables(folder, bench))
    return [] if all(tag.exists() for tag in files) else ["--release-reserved"]


@check("four benches on a pool, killed with their database and network: every code on exactly one tag by the tags' memories", alone=True)
def chaos(folder):
    count, kills, crashes, cuts = SIZE
    rng = random.Random(20261122)
    with Database() as database, Boards(folder, 4, f"ntag213*{20 * count + 2000},bad=3%,pace=real") as boards:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        networks = [Network(database.port) for _ in range(4)]
        options = boards.options()
        left, lock, outputs = [kills], threading.Lock(), {}

        def work(number):
            words = [*jobs(count), "--journal", database.address("A17", networks[number].port), "--timeout", "20",
                     *options[2 * number:2 * number + 2]]
            chance, given_up = random.Random(number), []
            while True:
                with lock:
                    is_killed = left[0] > 0
                    left[0] -= 1
                process = start(folder, number, [*words, *given_up])
                try:
                    text = process.communicate(timeout=chance.uniform(0.3, 2.5) if is_killed else 60 + 4 * count)[0]
                    outputs[number] = text
                    # A bench begins with its database only; one that waited in vain for others starts again.
                    if process.returncode == 0:
                        return
                    if "No tag that the line waits for" in text:
                        given_up = lay_down_again(folder, number, words[:-2], text)
                    time.sleep(0.2)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    if not is_killed:
                        return

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        events = ["crash"] * crashes + ["cut"] * cuts
        rng.shuffle(events)
        written = "SELECT count(*) FROM nfcprog.job WHERE state = 'written'"
        for number, event in enumerate(events, 1):
            # Evenly over the work.
            while any(thread.is_alive() for thread in threads):
                try:
                    if int(database.sql(written)) >= count * number / (len(events) + 1):
                        break
                except Exception:
                    pass
                time.sleep(0.1)
            if event == "crash":
                database.crash()
            else:
                network = rng.choice(networks)
                network.cut(silently=rng.random() < 0.3)
                time.sleep(rng.uniform(0.1, 1.5))
                network.heal()
        for thread in threads:
            thread.join()
        for text in outputs.values():
            expect("Set tag" not in text, f"a conflict that nobody has caused: {text}")
        expect_pool(database, folder, "A17", count)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))
