"""provision on a batch of a pool whose rows come from a hub, or from another bench, as it works."""

import time
from concurrent.futures import ThreadPoolExecutor

from hubs import SECRET, Hub, pool_address
from pool_benches import expect_pool, start, variables
from postgres import Database
from series import Boards, TEMPLATE, addresses, holding, jobs
from support import LIMIT, check, expect, expect_equal, nfcprog


@check("provision without a list works on a batch that a hub has made: two benches, added rows, the end of the batch")
def made_by_a_hub(folder):
    with Database() as database, Boards(folder, 2, "ntag213*200,pace=real") as boards:
        pool = pool_address(database)
        address, options = database.address("A17"), boards.options()
        alone = ["provision", "--journal", address, "--reader", "sim:ntag213"]
        refused = nfcprog(*alone, environment=variables(folder, 0), status=66)
        expect("no batch A17" in refused.errors, str(refused))
        refused = nfcprog(*alone, "--template", TEMPLATE, status=64)
        expect("leave out --template" in refused.errors, str(refused))
        with Hub(pool, environment=SECRET) as hub:
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
        nfcprog("provision", *jobs(1), "--start-over", "--journal", database.address("B"), "--reader", "sim:ntag213",
                environment=variables(folder, 0))
        refused = nfcprog("provision", "--journal", database.address("B"), "--reader", "sim:ntag213", environment=variables(folder, 0), status=66)
        expect("has no list in the database" in refused.errors, str(refused))


@check("two hubs of one pool that get the same request with the same key at once carry it out once, and both say so")
def one_key_at_two_hubs(folder):
    with Database() as database:
        pool = pool_address(database)
        with Hub(pool, environment=SECRET) as one, Hub(pool, environment=SECRET) as other:
            one.post("/v1/batches", {"id": "A17", "csv": "code\n0001\n", "template": TEMPLATE})
            for turn in range(15):
                body = {"rows": [{"code": f"{turn:02}{number:04}"} for number in range(200)]}
                with ThreadPoolExecutor(2) as pool_of_two:
                    answers = list(pool_of_two.map(
                        lambda hub: hub.post("/v1/batches/A17/rows", body, Idempotency_Key=f"turn-{turn}"), (one, other)))
                for status, _, batch in answers:
                    # While the first is being answered, the other hub cannot know.
                    expect_equal((status, batch.get("jobs")), (200, 201 + turn * 200), f"turn {turn}: {batch}")
            status, _, problem = other.post("/v1/batches/A17/rows", {"rows": [{"code": "x"}]}, Idempotency_Key="turn-3")
            expect_equal((status, problem["type"].rsplit(":", 1)[-1]), (422, "reused-key"), str(problem))


@check("provision --follow on a pool: benches wait for rows of a hub and of another bench, also while the database starts anew")
def followed(folder):
    with Database() as database, Boards(folder, 2, "ntag213*200,pace=real") as boards:
        pool = pool_address(database)
        a17, options = database.address("A17"), boards.options()
        nfcprog("provision", "-", "--follow", "--journal", a17, "--reader", "sim:ntag213", status=64)
        nfcprog("provision", *jobs(2), "--follow", "--journal", folder / "journal", "--reader", "sim:ntag213", status=64)
        secret = folder / "secret.csv"
        secret.write_text("code,password\n0001,00112233\n")
        refused = nfcprog("provision", secret, "--template", TEMPLATE, "--follow", "--journal", a17, "--reader", "sim:ntag213", status=64)
        expect("--extend" in refused.errors, str(refused))
        with Hub(pool, environment=SECRET) as hub:
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
            expect("owner" in refused.errors, str(refused))
            closed = nfcprog("journal", "close", f"{database.owner}&batch=B")
            expect("the batch is closed" in closed.output, str(closed))
            more = ["provision", *jobs(4), "--reader", f"sim:ntag213*2,save={folder / 'others'}", "--journal", database.address("D")]
            nfcprog(*more, "--count", "1", "--start-over", environment=variables(folder, 3))
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
