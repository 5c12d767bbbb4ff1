"""provision on a pool of jobs in PostgreSQL: two benches, and all that reads the pool."""

import csv
import json
import signal
import sqlite3

from labels import template
from pool_benches import start, variables
from postgres import ESCAPED, PASSWORD, Database
from printers import Printer
from series import TEMPLATE, Boards, holding, jobs
from support import LIMIT, Difference, check, expect, expect_equal, nfcprog


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
        words = ["provision", *jobs(10), "--timeout", "60"]
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
        other = ["--range", "0001..0010", "--template", "https://example.com/other/{code}"]
        refused = run("provision", *other, "--journal", address, "--reader", "sim:ntag213*1", status=65, bench=2)
        expect("not those of this list" in refused.errors, str(refused))
        run("provision", *jobs(12), "--extend", "--journal", address, "--reader", "sim:ntag213*2,seed=4", "--timeout", "60")
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
        expect_equal(run("journal", "list", viewer).output, "A17: 12 jobs of 0001..0010\n", "list")
        benches = [json.loads(line) for line in run("journal", "benches", viewer, "--json").output.splitlines()]
        expect_equal(sorted(row["finished"] for row in benches), [6, 6], "benches")
        expect_equal(sum(row["claimed"] for row in benches), 0, "claims that are left")
        run("journal", "export", viewer, folder / "copy.journal")
        run("journal", "verify", folder / "copy.journal")
        with sqlite3.connect(folder / "copy.journal") as copy:
            expect_equal(copy.execute("SELECT count(*) FROM job WHERE state = 'written'").fetchone()[0], 12, "copy")
        run("journal", "export", viewer, folder / "copy.journal", status=73)
        tag = f"ntag213,file={folder / 'tag'}"
        run("provision", *jobs(1), "--start-over", "--journal", database.address("B"), "--reader", f"sim:{tag}")
        run("audit", "--journal", database.address("B"), "--reader", f"sim:{tag}")
        # A viewer may not work, and a bench may not take jobs away.
        run("provision", *other, "--journal", database.address("C", user="viewer"), "--reader", "sim:ntag213", status=69)
        said.append(database.sql("SELECT command FROM nfcprog.session"))
        for text in said:
            expect(PASSWORD not in text and ESCAPED not in text, f"the password was said: {text}")


@check("a dry run of provision on a pool asks what the run asks: tags, copies, other messages, and which job is next")
def planned(folder):
    with Database() as database:
        address = database.address("A")

        def run(*words, status=0, bench=0, journal=address):
            return nfcprog("provision", *jobs(3), "--journal", journal, "--timeout", "2",
                           *words, environment=variables(folder, bench), status=status)

        def reader(name, uid):
            return "--reader", f"sim:ntag213,uid={uid},file={folder / name}"

        def end(code):
            """The last page of a message with this code."""
            return (code[2:].encode() + b"\xfe\0").hex(" ").upper()

        first, copy, other, blank = (reader(name, f"04AABBCCDDEE8{place}") for place, name in enumerate("abcd"))
        run("--dry-run", *first, status=78)
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        # The batch is not there yet: the dry run does not make it.
        expect(end("0001") in run("--dry-run", *first).output, "the first job")
        expect_equal(database.sql("SELECT count(*) FROM nfcprog.batch"), "0", "batches")
        run("--count", "1", *first)
        nfcprog("write-url", TEMPLATE.replace("{code}", "0001"), *copy)
        nfcprog("write-url", "https://example.com/other", *other)
        for tag, words, said in (
            (first, [], "on a tag with this UID"), (first, ["--overwrite"], "on a tag with this UID"),
            (copy, [], "it is a copy"), (copy, ["--overwrite"], "it is a copy"), (other, [], "holds another message already"),
            (other, ["--rewrite"], "holds another message already"),
        ):
            outcome = run("--dry-run", *words, *tag, status=77, bench=1)
            expect(said in outcome.errors, str(outcome))
            run("--count", "1", *words, *tag, status=77)
        for words, tag in ([], blank), (["--overwrite"], other):
            outcome = run("--dry-run", *words, *tag, bench=1)
            expect(end("0002") in outcome.output, str(outcome))
        # The tag has its job already, and gets that one again.
        outcome = run("--dry-run", "--rewrite", *first, bench=1)
        expect("it already holds this" in outcome.output, str(outcome))
        run("--count", "1", "--overwrite", *other)
        run("--count", "1", *blank)
        expect("No job is left" in run("--dry-run", *blank).output, "the end")
        run("--dry-run", *blank, status=69, journal=address.replace("bench@", "bench:wr0ng@"))


@check("two benches of one machine: what a killed one leaves is handed on or said, and each keeps its own label file")
def one_machine(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        printer, results = Printer(), folder / "results"

        def words(batch, seed, tags, *more):
            return [*jobs(6), "--start-over", "--journal", database.address(batch), "--timeout", "120",
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
            """Starts two: the first writes a tag, and keeps its place as it waits for more, until it is interrupted."""
            one = start(folder, 0, words(batch, 1, 1, *first))
            passed(one)
            return one, start(folder, 0, words(batch, 2, tags, "--count", tags, *second))

        def end(one):
            one.send_signal(signal.SIGINT)
            said = one.communicate(timeout=LIMIT)[0]
            expect_equal(one.returncode, 130, said)
            return said

        # The second is killed when its tag has passed and the printer has not said that it is ready for the label.
        printing = ["--label", printer.address, "--label-template", template(folder), "--on-result"]
        printer.delay = 1.5
        one, two = both("A", 3, [], [*printing, "sleep 10"])
        passed(two)
        two.kill()
        two.communicate()
        printer.delay = 0
        sentence = "Another bench of this machine was stopped and has left 1 label not printed and 1 result not handed on."
        said = end(one)
        expect(sentence in said, said)
        # A bench that prints nothing does not take its place; one that does hands all on.
        outcome = run("A", 3, 1, "--count", 1)
        expect(sentence in outcome.errors, str(outcome))
        outcome = run("A", 4, 3, *printing, f"echo $NFCPROG_JOB >>{results}")
        expect("1 result of earlier runs is sent again." in outcome.errors and sentence not in outcome.errors, str(outcome))
        expect_equal((len(printer.labels), len(results.read_text().split())), (4, 4), "labels and results of this place")

        # Each has its own label file, in whichever order they are started.
        files = [folder / "a.csv", folder / "b.csv"]
        one, two = both("B", 1, ["--label", files[0]], ["--label", files[1]])
        expect_equal((two.communicate(timeout=LIMIT)[0].count("PASS"), two.returncode), (1, 0), "the second")
        end(one)
        run("B", 3, 5, "--label", files[1])
        before = [file.read_text() for file in files]
        expect_equal([text.count("\n") for text in before], [2, 6], "rows with their header")
        for place in (1, 0, 1):
            outcome = run("B", 5, 1, "--label", files[place])
            expect(str(files[place]) not in outcome.errors, str(outcome))
        expect_equal([file.read_text() for file in files], before, "label files")


@check("rows of a pool that are too long for a bench's tags hold up none behind them, are said at the end, and go on larger tags at another bench")
def long_rows(folder):
    table = folder / "jobs.csv"
    table.write_text("code\n" + "".join(f"{number:02}{'x' * 140 if number <= 20 else ''}\n" for number in range(1, 31)))
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", environment=variables(folder, 0))
        words = ["provision", table, "--template", TEMPLATE, "--journal", database.address("A17"), "--timeout", "2"]
        small = nfcprog(*words, "--reader", "sim:ntag213*12,seed=1", environment=variables(folder, 0), status=65)
        expect("10 passed" in small.output and "Row 1 needs a larger tag" in small.errors and "20 jobs are left" in small.errors, str(small))
        again = nfcprog(*words, "--reader", "sim:ntag213*1,seed=2", environment=variables(folder, 0), status=65)
        expect("needs a larger tag" in again.errors, str(again))
        nfcprog(*words, "--reader", "sim:ntag216*20,seed=3", environment=variables(folder, 1))
        expect_equal(database.sql("SELECT state, count(*) FROM nfcprog.job GROUP BY state"), "written|30", "states")


@check("a list of which one message is on a tag of a batch is refused: under another name, as another file, with a journal, and without the database")
def known_messages(folder):
    table, other = folder / "jobs.csv", folder / "other.csv"
    table.write_text("code\nA\nB\nC\n")
    other.write_text("code\nE\nB\nF\n")
    # Simulated readers are a rehearsal, and no use of the list.
    with Database() as database, Boards(folder, 1, "ntag213*80,pace=real") as boards:
        nfcprog("journal", "init", database.owner, "--bench", "bench", environment=variables(folder, 0))

        def run(table, journal, status, *words, bench=0):
            outcome = nfcprog("provision", table, "--template", TEMPLATE, "--timeout", "1", "--journal", journal, *words, *boards.options(),
                              environment=variables(folder, bench), status=status)
            doubled = {link: tags for link, tags in holding(folder / "tags").items() if len(tags) > 1}
            expect(not doubled, f"on two tags: {doubled}")
            return outcome

        run(table, database.address("A17"), 0, "--count", "2")
        refused = run(other, database.address("A18"), 65, bench=1)
        expect("line 3, B, is on a tag already, as job 2 of the batch A17" in refused.errors, str(refused))
        expect_equal(database.sql("SELECT count(*) FROM nfcprog.batch"), "1", "batches")
        table.write_text("code\nA\nB\nD\n")
        for journal in (database.address("A18"), folder / "line.journal"):
            refused = run(table, journal, 65)
            expect("is on a tag already, as job 1 of the batch" in refused.errors, str(refused))
        database.kill()
        refused = run(table, folder / "line.journal", 65)
        expect("whose database does not answer" in refused.errors, str(refused))
        # What the batch does not have is on no tag of it.
        table.write_text("code\nX\nY\n")
        run(table, folder / "new.journal", 0)
        expect_equal(len(holding(folder / "tags")), 4, "tags")
        database.revive()
