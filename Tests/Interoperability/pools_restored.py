"""A pool that is restored from a backup: every code on one tag, whatever the database has forgotten."""

from hubs import SECRET, Hub, pool_address
from pool_benches import expect_pool, variables
from postgres import Database
from series import TEMPLATE, jobs
from support import check, expect, expect_equal, nfcprog


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
            return nfcprog("provision", *jobs(10), "--timeout", "60", "--journal", database.address("A17"),
                           "--reader", reader, *words, environment=variables(folder, 0), status=status)

        work(1, 3, 0, "--count", 3)
        restore(database, dump)
        said = work(2, 10, 65).errors
        expect("3 jobs of this list" in said and "--restored" in said, said)
        said = work(3, 3, 0, "--count", 3, "--restored").errors
        expect("3 tags" in said, said)
        work(4, 10, 0)
        expect_pool(database, folder, "A17", 10)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))
        nfcprog("provision", *jobs(10), "--restored", "--journal", str(folder / "file.journal"), "--reader", "sim:ntag213",
                environment=variables(folder, 0), status=64)


@check("a batch that a hub makes again after a restore goes on no second tags: every code on one tag")
def made_again(folder):
    with Database() as database:
        pool = pool_address(database)
        dump = back_up(database)
        rows = "code\n" + "".join(f"{number:04}\n" for number in range(1, 11))

        def make():
            with Hub(pool, environment=SECRET) as hub:
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

        def work(bench, seed, tags, *words):
            reader = f"sim:ntag213*{tags},seed={seed},save={folder / 'tags'}"
            nfcprog("provision", *jobs(10), "--timeout", "60", "--journal", database.address("A17"), "--reader", reader,
                    *words, environment=variables(folder, bench))

        work(0, 1, 3, "--count", 3)
        dump = back_up(database)
        work(0, 2, 3, "--count", 3)
        restore(database, dump)
        # The bench that knows more starts first, as Docs/Pool.md has it.
        work(0, 3, 1, "--count", 1)
        work(1, 4, 4)
        expect_pool(database, folder, "A17", 10)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))
