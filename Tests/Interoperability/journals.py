"""Journals of provisioned series, looked at with other programs: SQLite, a CSV reader, an HTML parser."""

import csv
import html.parser
import json
import shutil
import sqlite3

from support import check, expect, expect_equal, json_object, nfcprog


def series(folder):
    """Twenty jobs on simulated tags, some of them bad. Returns the journal."""
    journal = folder / "line.journal"
    nfcprog(
        "provision", "--range", "1..20", "--template", "https://example.com/t/{code}?<&>\"{uid}", "--journal", journal,
        "--operator", "<b>Ada</b>", "--label", folder / "labels.csv", "--reader", "sim:ntag213*60,bad=40%")
    return journal


def ask(journal, sql):
    connection = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


class Page(html.parser.HTMLParser):
    """Which elements a page has, whether each is closed, and what it takes from elsewhere."""

    VOID = {"meta", "br", "img", "link"}

    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.references, self.text = [], set(), [], ""
        self.feed(text)
        expect_equal(self.open, [], "elements left open")

    def handle_starttag(self, name, attributes):
        self.names.add(name)
        self.references += [value for key, value in attributes if key in ("src", "href", "action", "onload", "onerror")]
        if name not in self.VOID:
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.names.add(name)

    def handle_endtag(self, name):
        expect_equal(self.open.pop(), name, "element that is closed")

    def handle_data(self, data):
        self.text += data


@check("a journal is a SQLite file that says which job is on which tag, and what happened")
def tables(folder):
    journal = series(folder)
    jobs = ask(journal, "SELECT number, state, lower(hex(uid)) FROM job ORDER BY number")
    expect_equal([job[0] for job in jobs], list(range(1, 21)), "jobs")
    expect_equal({job[1] for job in jobs}, {"written"}, "states")
    expect_equal(len({job[2] for job in jobs}), 20, "tags")
    labels = list(csv.DictReader(open(folder / "labels.csv", newline="")))
    expect_equal({(int(row["job"]), row["uid"]) for row in labels}, {(job[0], job[2]) for job in jobs}, "labels")
    returned = ask(journal, "SELECT count(*) FROM event WHERE kind = 'returned'")[0][0]
    expect(returned > 0, "no tag was bad")
    expect_equal(ask(journal, "PRAGMA integrity_check"), [("ok",)], "integrity")


@check("report gives the same jobs and tags as CSV, as JSON Lines and as a page")
def reports(folder):
    journal = series(folder)
    lines = [json.loads(line) for line in nfcprog("report", "--journal", journal, "--json").output.splitlines()]
    rows = list(csv.DictReader(nfcprog("report", "--journal", journal, "--csv", "-").output.splitlines()))
    expect_equal([line["type"] for line in lines], ["summary"] + [row["row"] for row in rows], "rows")
    for line, row in zip(lines[1:], rows):
        for name in ("outcome", "uid", "tag", "uri", "sha256", "time", "station", "cause", "text"):
            expect_equal(line.get(name, ""), row[name], name)
    summary = lines[0]
    expect_equal((summary["written"], summary["complete"], summary["inconsistencies"]), (20, True, []), "summary")
    tags = [row for row in rows if row["row"] == "tag"]
    expect_equal(summary["attempts"], sum(row["outcome"] in ("written", "failed", "scrap", "held") for row in tags), "attempts")
    nfcprog("report", "--journal", journal, "--html", folder / "report.html")
    page = Page((folder / "report.html").read_text())
    expect(not page.names & {"script", "img", "link", "iframe"} and page.references == [], f"{page.references}")
    expect("<b>Ada</b>" in page.text, "the operator's name is not text")
    for row in tags:
        expect(":".join(row["uid"][i:i + 2] for i in range(0, 14, 2)).upper() in page.text, f"{row['uid']} is not on the page")


@check("journal verify and report tell a journal that somebody meddled with, 65")
def meddling(folder):
    journal = series(folder)
    expect_equal(json_object(nfcprog("journal", "verify", journal, "--json"))["findings"], [], "findings")
    connection = sqlite3.connect(journal)
    trigger = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'job_order'").fetchone()[0]
    connection.executescript(
        "DROP TRIGGER job_order; UPDATE job SET state = 'pending', uid = NULL, message_digest = NULL,"
        "message_length = NULL, uri = NULL, is_locked = NULL, is_protected = NULL WHERE number = 7;" + trigger)
    connection.close()
    seen = json_object(nfcprog("journal", "verify", journal, "--json", status=65))
    expect_equal([finding["code"] for finding in seen["findings"]], ["state"], "findings")
    expect("Job 7" in nfcprog("report", "--journal", journal, status=65).output, "job 7 is not told")
    # What a job says is held against its row, and then what its tag holds against what it makes.
    (folder / "other").mkdir()
    other = series(folder / "other")
    connection = sqlite3.connect(other)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE job SET records = replace(records, 'example', 'examples') WHERE number = 5")
    connection.commit()
    connection.executescript("".join(f"{sql};" for _, sql in triggers))
    connection.close()
    seen = json_object(nfcprog("journal", "verify", other, "--json", status=65))
    expect(["row"] == [finding["code"] for finding in seen["findings"]] and "ob 5" in seen["findings"][0]["text"], str(seen))


@check("what is no journal, of a later version, or not there is refused: 65, 66; a report that cannot be written: 73")
def wrong_files(folder):
    journal = series(folder)
    nfcprog("journal", "verify", folder / "none", status=66)
    nfcprog("report", "--journal", folder, status=66)
    nfcprog("journal", "verify", folder / "labels.csv", status=65)
    nfcprog("report", "--journal", journal, "--csv", folder / "none" / "report.csv", status=73)
    nfcprog("report", "--journal", journal, "--html", "/dev/full", status=73)
    nfcprog("report", "--journal", journal, "--csv", "-", "--json", status=64)
    later = folder / "later.journal"
    shutil.copy(journal, later)
    connection = sqlite3.connect(later)
    connection.execute("INSERT INTO grdb_migrations VALUES ('99')")
    connection.commit()
    connection.close()
    expect("later version" in nfcprog("report", "--journal", later, status=65).errors, "the reason is not told")
