"""The hub's page in Chromium, beside `nfcprog provision` on simulated readers."""

import csv
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from chromium import Chromium
from hub_api import Hub
from postgres import PASSWORD, Database
from support import LIMIT, Difference, binary, check, expect, expect_equal, nfcprog

SCRIPT = (Path(__file__).parent / "hub_page.js").read_text()
PHONE, DESKTOP, WALL = (390, 844), (1280, 800), (1920, 1080)
# Roles that a screen reader says by their names.
NAMED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "image", "progressbar", "region", "dialog",
         "heading", "table", "navigation", "listbox"}
# What a list may hold: markup, a turn of the writing's direction, more than anybody reads.
HOSTILE = ["<img src=x onerror=\"window.hit=1\">", "</td><script>window.hit=1</script>", "A\u202e\u2066moc.elpmaxe",
           "x" * 10000, "{{7*7}}${7*7}", "'\"><svg onload=window.hit=1>"]
TEMPLATE = "https://example.com/t/{code}"
HOSTILE_TEMPLATE = "https://example.com/t/{id}"


class Line:
    """`nfcprog provision` on simulated readers, which works until it is stopped."""

    def __init__(self, *words):
        self.words = [binary(), "provision", *map(str, words)]

    def __enter__(self):
        self.process = subprocess.Popen(
            self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent"})
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


def wait_for(condition, what, limit=LIMIT):
    """Waits until `condition` gives something, and returns it."""
    deadline = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise Difference(f"did not happen within {limit} s: {what}")
        time.sleep(0.05)


def address(hub, query=""):
    return f"http://127.0.0.1:{hub.port}/{query}"


def events(hub, batch):
    """All events of a batch."""
    found, after = [], 0
    while after is not None:
        page = hub.get(f"/v1/batches/{quote(batch)}/events?after={after}&limit=500")
        found += page["events"]
        after = page.get("next")
    return found


def shot(page, name):
    """Keeps a picture of the page in the folder NFCPROG_PICTURES, for whoever wants to look at it."""
    if "NFCPROG_PICTURES" in os.environ:
        page.picture(Path(os.environ["NFCPROG_PICTURES"]) / f"{name}.png")


def hostile_list(folder, count):
    path = folder / "orders.csv"
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["code", "id", "note <b>"])
        for number in range(count):
            rows.writerow([f"{HOSTILE[number % len(HOSTILE)]} {number}", number, HOSTILE[(number + 1) % len(HOSTILE)]])
    return path


def line(folder, source, stations=4, *words, reel="ntag213*400,bad=20%,wrong=5%,pace=real"):
    """A line that works as long as a check looks at it."""
    readers = [word for number in range(stations) for word in ("--reader", f"sim:{reel},seed={number}")]
    return Line(*source, "--journal", folder / "line.journal", "--operator", "Ada <b>L</b>",
                "--hold", "1.5", "--silent", *readers, *words)


def holds_jobs(journal):
    """Whether a line has begun to work on its journal."""
    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as opened:
            return opened.execute("SELECT count(*) FROM event").fetchone()[0] > 0
    except sqlite3.OperationalError:
        return False


def some(hub, count):
    """The batch, once so many tags are finished in it."""
    batch = hub.get("/v1/batches")["batches"][0]["id"]
    wait_for(lambda: hub.get(f"/v1/batches/{batch}")["written"] >= count, f"{count} written tags")
    return batch


def look(page, name, size):
    """The page as it stands: no complaints, nothing too wide, nothing faint."""
    page.ask(SCRIPT)
    shot(page, name)
    found = [f"{name}: {what}" for what in page.complaints()]
    found += [f"{name}: too wide: {what}" for what in page.ask("looked.wide()")]
    found += [f"{name}: cut off: {what}" for what in page.ask("looked.cut()")]
    found += [f"{name}: little contrast: {what}" for what in page.ask("looked.faint(4.5)")]
    if page.ask("window.hit !== undefined || document.querySelector('main img, main script') !== null"):
        found.append(f"{name}: a text of the list became a part of the page")
    return found


@check("the hub's page shows a line on a telephone, a desk and a wall, light and dark: nothing wide, faint, unnamed or run")
def shows(folder):
    source = hostile_list(folder, 400)
    with line(folder, [source, "--template", HOSTILE_TEMPLATE]), Chromium() as browser:
        wait_for(lambda: holds_jobs(folder / "line.journal"), "the journal")
        with Hub(folder / "line.journal") as hub:
            batch = some(hub, 8)
            uid = next(event["uid"] for event in events(hub, batch) if event["kind"] == "written")
            views = {"batches": "view=batches", "jobs": f"batch={batch}&view=jobs", "history": f"batch={batch}&view=history",
                     "job": f"batch={batch}&job=4", "tag": f"batch={batch}&tag={uid}", "search": "q=%3Cimg", "nothing": "batch=none"}
            page, found = browser.page(), []
            for theme in ("light", "dark"):
                for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
                    page.size(*size, theme)
                    page.open(address(hub, f"?batch={batch}"), until="document.querySelector('.tile') && document.querySelector('.connection.live')")
                    found += look(page, f"{name}-{theme}", size)
                    roles = page.names()
                    found += [f"{name}: {role} without a name" for role, text in roles if role in NAMED and not text.strip()]
                    for role, text in (("navigation", "Pages"), ("progressbar", "Jobs done"), ("heading", "Stations"), ("status", "")):
                        expect(any(one == role and text in other for one, other in roles), f"no {role} “{text}”")
                for name, query in views.items():
                    size = PHONE if theme == "light" else DESKTOP
                    page.size(*size, theme)
                    page.open(address(hub, f"?{query}"), until="document.querySelector('#main h1')")
                    if name == "nothing":
                        expect("no batch" in page.ask("document.body.innerText").lower(), page.ask("document.body.innerText"))
                        page.complaints()  # The browser tells of the 404.
                    found += look(page, f"{name}-{theme}", size)
                page.size(*WALL, theme)
                page.open(address(hub, f"?batch={batch}&wall"), until="document.querySelector('.tile') && document.querySelector('.connection.live')")
                found += look(page, f"wall-{theme}", WALL)
                expect(page.ask("document.scrollingElement.scrollHeight <= innerHeight"), "the wall is higher than its screen")
                small = [(word, height) for word, height in page.ask("looked.letters()") if height < 0.05 * WALL[1]]
                expect(not small, f"letters on the wall: {small}")
            expect(not found, "\n".join(found))
            # The texts are there, as they are in the list.
            page.open(address(hub, f"?batch={batch}&job=1"), until="document.querySelector('.facts')")
            text = page.ask("document.querySelector('.facts').innerText")
            expect(HOSTILE[0] in text and HOSTILE[1] in text and "Column note <b>" in text, text)
            page.open(address(hub, f"?batch={batch}&job=3"), until="document.querySelector('.facts')")
            text = page.ask("document.body.innerText")
            expect("moc.elpmaxe" in text and "\u202e" not in text and "\u2066" not in text, text[:500])


@check("the hub's page follows the line, says when its hub is gone, and leaves nothing out when it is there again")
def follows(folder):
    words = ["--range", "1..400", "--width", "4", "--template", TEMPLATE]
    with line(folder, words, 3), Chromium() as browser:
        wait_for(lambda: holds_jobs(folder / "line.journal"), "the journal")
        with Hub(folder / "line.journal") as hub:
            batch = some(hub, 2)
            page = browser.page()
            page.size(*DESKTOP)
            page.open(address(hub, f"?batch={batch}"), until="document.querySelector('.tile') && document.querySelector('.newest tbody tr')")
            page.ask(SCRIPT)
            page.ask("looked.remember()")
            done = "Number(document.querySelector('.done').textContent)"
            before = page.ask(done)
            page.wait(f"{done} > {before}")
            page.wait("looked.events.size > 15")
            expect_equal(page.complaints(), [], "complaints")
            hub.end(signal.SIGKILL)
            page.wait("document.querySelector('.connection.lost')?.innerText.includes('Connection lost')")
            expect(page.ask("document.documentElement.classList.contains('stale')"), "old figures look as if they were live")
            shot(page, "lost")
            expect_equal(page.ask("looked.faint(4.5)"), [], "contrast without a hub")
            # The line goes on meanwhile.
            with Hub(folder / "line.journal", port=hub.port) as hub:
                missed = hub.get(f"/v1/batches/{batch}/board")["lastEvent"]
                page.wait("document.querySelector('.connection.live') && !document.documentElement.classList.contains('stale')")
                page.wait(f"Math.max(...looked.events) > {missed}")
                shown = set(page.ask("[...looked.events]"))
                verdicts = {event["id"] for event in events(hub, batch) if event["kind"] not in ("reserved", "resumed", "retried")}
                first, last = min(shown), max(shown)
                expect_equal(sorted(shown), sorted(number for number in verdicts if first <= number <= last), "events that the page has shown")


@check("the hub's page can be used with the keyboard alone, and shows where it is")
def keyboard(folder):
    nfcprog("provision", "--range", "1..6", "--template", TEMPLATE, "--journal", folder / "line.journal", "--reader", "sim:ntag213*9,bad=20%")
    with Hub(folder / "line.journal") as hub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(hub), until="document.querySelector('.tile') && document.querySelector('.newest tbody tr')")
        page.ask(SCRIPT)
        page.tab()
        first = page.ask("looked.focus()")
        expect("Skip" in first["name"] and first["shows"] and first["inside"], f"the first stop: {first}")
        page.enter()
        page.wait("document.activeElement.id === 'main'")
        page.open(address(hub), until="document.querySelector('.tile') && document.querySelector('.newest tbody tr')")
        page.ask(SCRIPT)
        stops = []
        for _ in range(80):
            page.tab()
            stop = page.ask("looked.focus()")
            if stop["tag"] == "BODY" or stops and stop["name"] == stops[0]["name"]:
                break
            stops.append(stop)
        for stop in stops:
            expect(stop["shows"] and stop["inside"], f"the focus does not show: {stop}")
        for wanted in ("Batch", "Live", "History", "Report", "As a table", "All events of this batch"):
            expect(any(wanted in stop["name"] for stop in stops) or wanted == "Batch" and any(stop["id"] == "batch" for stop in stops),
                   f"{wanted} cannot be reached: {[stop['name'] for stop in stops]}")
        # A search from the keyboard.
        page.ask("document.getElementById('q').focus()")
        page.call("Input.insertText", text="3")
        page.enter()
        page.wait("document.querySelector('h1')?.textContent === 'Search: 3'")
        expect("1 job found" in page.ask("document.body.innerText"), page.ask("document.body.innerText"))
        expect_equal(page.complaints(), [], "complaints")


@check("a batch of a pool is made and closed in the hub's page, and mistakes in its list are told")
def makes(folder):
    (folder / "good.csv").write_text("code\nA1\nA2\nA3\n")
    (folder / "bad.csv").write_text("code\nA1\nA1\n\"A 3\n")
    with Database() as database, Chromium() as browser:
        nfcprog("journal", "init", database.owner, "--hub", "bench")
        with Hub(database.address("").split("?")[0], environment={"PGPASSWORD": PASSWORD}) as hub:
            page = browser.page()
            page.size(*PHONE)
            page.open(address(hub), until="document.querySelector('#main .button')")
            page.ask("document.querySelector('#main .button').click()")
            page.wait("document.getElementById('new-id')")
            page.ask(SCRIPT)
            expect_equal(look(page, "form", PHONE), [], "the form")
            page.ask("document.getElementById('new-id').focus()")
            page.call("Input.insertText", text="A17 & <b>")
            page.ask("document.getElementById('new-template').focus()")
            page.call("Input.insertText", text=TEMPLATE)
            page.choose("#new-file", folder / "bad.csv")
            page.ask("document.querySelector('form.new button').click()")
            page.wait("document.querySelector('form.new .error').textContent")
            page.ask("document.querySelector('form.new button').scrollIntoView()")
            shot(page, "mistakes")
            page.complaints()  # The browser tells of the status.
            expect_equal(hub.get("/v1/batches")["batches"], [], "batches")
            page.choose("#new-file", folder / "good.csv")
            page.ask("document.querySelector('form.new button').click()")
            page.wait("document.querySelector('.all')?.textContent === 'of 3 done'")
            expect_equal(look(page, "made", PHONE), [], "the new batch")
            batch, = hub.get("/v1/batches")["batches"]
            expect_equal((batch["id"], batch["jobs"], batch["closed"]), ("A17 & <b>", 3, False), "batch")
            page.ask("document.querySelector('.closing button').click()")
            page.wait("document.querySelector('dialog').open")
            shot(page, "question")
            page.ask("document.querySelector('dialog .danger').click()")
            page.wait("document.querySelector('.state')?.textContent.includes('closed')")
            expect(hub.get("/v1/batches")["batches"][0]["closed"], "the batch is open")


@check("the hub's page asks for the token, tells a wrong one, and lets in with the right one")
def login(folder):
    nfcprog("provision", "--range", "1..3", "--template", TEMPLATE, "--journal", folder / "line.journal", "--reader", "sim:ntag213*5")
    (folder / "token").write_text("correct-horse-battery\n")
    (folder / "token").chmod(0o600)
    with Hub(folder / "line.journal", "--token-file", folder / "token") as hub, Chromium() as browser:
        page = browser.page()
        for theme, size in (("dark", DESKTOP), ("light", PHONE)):
            page.size(*size, theme)
            page.open(address(hub), until="document.getElementById('token')")
            page.complaints()  # The browser tells of the 401.
            expect_equal(look(page, f"login-{theme}", size), [], "the form")
        expect(("textbox", "Token") in page.names(), f"{page.names()}")
        for token, wanted in (("wrong", "document.querySelector('[role=alert]')"), ("correct-horse-battery", "document.querySelector('.tile')")):
            page.ask("document.getElementById('token').focus()")
            page.call("Input.insertText", text=token)
            page.enter()
            page.wait(wanted)
            shot(page, f"login-{token.split('-')[0]}")
        expect_equal(page.ask("document.cookie"), "", "the cookie, for scripts")
