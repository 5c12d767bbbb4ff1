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
from hub_stub import Stub, batch as sample, board as showing, station
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


TILES = "document.querySelector('.tile') && document.querySelector('.connection.live')"
CAUSES = [("refused", 61), ("lost", 20), ("mismatch", 9), ("foreign", 4), ("copy", 3), ("wrong-type", 2), ("reader", 2), ("unread", 1),
          ("in-use", 1), ("scrap", 1)]


def heading(page, number):
    return " ".join(page.ask(f"document.querySelectorAll('.station-name')[{number}].innerText").split())


@check("the hub's page shows one to 32 stations on a wall: each by its own name, nothing cut, and what fails is counted to the last")
def walls(folder):
    found = []
    with Chromium() as browser:
        page = browser.page()
        for count in (1, 2, 4, 5, 6, 8, 9, 12, 16, 20, 32):
            large = count in (4, 32)
            jobs, done = (1_000_000, 999_999) if count == 5 else (20_000, 1_157)
            stations = [station(number, "line-b" if count == 12 and number > 5 else "line-a") for number in range(count)]
            shown = showing(sample("A 17", jobs, done, scrap=100, reserved=3, closed=count == 8), stations, CAUSES, secondsLeft=180_000)
            with Stub(shown) as stub:
                for size in [WALL, (1280, 720), (3840, 2160), (1080, 1920)] if large else [WALL]:
                    for theme in ("light", "dark") if large else ("light",):
                        page.size(*size, theme)
                        page.open(address(stub, "?batch=A%2017&wall"), until=TILES)
                        name = f"wall-{count}-{size[0]}-{theme}"
                        found += look(page, name, size)
                        least = page.ask("looked.least()")
                        if least < 0.0086 * min(size):
                            found.append(f"{name}: letters of {least} px")
                        for what in ("rate", "next"):
                            if page.ask(f"[...document.querySelectorAll('.tile .{what}')].filter((one) => !looked.seen(one) && one.textContent).length"):
                                found.append(f"{name}: no {what}")
                        if page.ask("document.scrollingElement.scrollHeight > innerHeight"):
                            found.append(f"{name}: higher than the screen")
                own = heading(page, count - 1)
                expect_equal(own, f"st-{count} · line-b" if count == 12 else f"st-{count}", "the last station's heading")
                if count <= 8:
                    for what in ("job", "tag", "age", "why"):
                        if not page.ask(f"[...document.querySelectorAll('.tile .{what}')].some((one) => looked.seen(one))") and (what != "why" or count > 1):
                            found.append(f"{count} stations: no {what}")
                    rows = page.ask("[...document.querySelectorAll('.causes tbody tr')].map((row) => row.innerText.split(/\\s*\\n\\s*|\\t/))")
                    expect_equal(sum(int(row[-1]) for row in rows), sum(number for _, number in CAUSES), f"failures on the wall: {rows}")
                    expect(1 < len(rows) < len(CAUSES) and "more causes" in rows[-1][0], f"{rows}")
                    last = page.ask("document.querySelector('.causes tbody tr:last-child').getBoundingClientRect().bottom <= "
                                    "document.querySelector('.failures').getBoundingClientRect().bottom")
                    expect(last, f"the last cause is cut off: {rows}")
                # What the hub says of its trouble leaves the tiles room.
                page.size(*WALL)
                page.open(address(stub, "?batch=A%2017&wall"), until=TILES)
                stub.say("trouble", {"detail": "The database does not answer: connection to server at \"127.0.0.1\", port 54797 failed."})
                page.wait("document.querySelector('.connection.lost')")
                time.sleep(0.2)
                found += look(page, f"wall-{count}-lost", WALL)
        # A name that is written from the right keeps its beginning.
        name = "\u0645\u062d\u0637\u0629 " * 12
        with Stub(showing(sample("A17", 10), [station(0, station=name)])) as stub:
            page.size(*PHONE)
            page.open(address(stub), until=TILES)
            expect_equal(page.ask("getComputedStyle(document.querySelector('.own')).direction"), "rtl", "the name's direction")
    expect(not found, "\n".join(found))


@check("the hub's page says at once what the hub says of its trouble, and loads anew where the journal is another one")
def troubles(folder):
    first = showing(sample("A17", 300, 12), [station(0)])
    with Stub(first) as stub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(stub, "?batch=A17"), until=TILES)
        stub.trouble = "The database does not answer: no route to host."
        stub.say("trouble", {"detail": stub.trouble})
        page.wait("document.querySelector('.connection.lost')?.innerText.includes('no route to host')", 3)
        expect(page.ask("document.documentElement.classList.contains('stale')"), "old figures look as if they were live")
        expect("The figures are from" in page.ask("document.querySelector('.connection').innerText"), "the figures' time")
        stub.show(showing(sample("A17", 300, 13), [station(0)], last=101))
        page.wait("document.querySelector('.connection.live') && !document.documentElement.classList.contains('stale')", 3)
        page.wait("document.querySelector('.done').textContent === '13'", 3)
        # A board that is a moment older than the page's events is no other journal.
        page.ask("window.mark = 1")
        stub.boards = [showing(sample("A17", 300, 14), [station(0)], last=101)]
        stub.say("board", {**stub.boards[0], "lastEvent": 99})
        page.wait("document.querySelector('.done').textContent === '14'", 3)
        time.sleep(2)
        expect_equal(page.ask("window.mark"), 1, "the page's mark")
        # Fewer events: a database that was restored.
        stub.show(showing(sample("A17", 300, 5), [station(0)], last=40))
        page.wait("window.mark === undefined && document.querySelector('.done')?.textContent === '5'", 10)
        page.ask("window.mark = 1")
        # Another list under this name.
        stub.show(showing(sample("A17", 300, 7, made="2026-11-21T08:00:00.000Z"), [station(0)], last=400))
        page.wait("window.mark === undefined && document.querySelector('.done')?.textContent === '7'", 10)


@check("the hub's page shows the batch that is worked on, stays with it in a search, and takes none for one that is not there")
def chooses(folder):
    boards = [showing(sample("next", 300), []), showing(sample("now", 300, 12), [station(0)]), showing(sample("old", 300, 40), [station(0)])]
    with Stub(*boards) as stub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(stub), until=TILES)
        expect_equal(page.ask("document.querySelector('h1').textContent"), "Batch now", "the batch without one in the address")
        page.open(address(stub, "?batch=old"), until=TILES)
        page.ask("document.getElementById('q').focus()")
        page.call("Input.insertText", text="Job 17")
        page.enter()
        page.wait("document.querySelector('h1')?.textContent === 'Search: Job 17'")
        expect("3 jobs found" in page.ask("document.body.innerText"), page.ask("document.body.innerText"))
        expect_equal(page.ask("new URLSearchParams(location.search).get('batch')"), "old", "the batch of a search")
        expect_equal(page.ask("document.getElementById('batch').value"), "old", "the batch that is chosen")
        links = page.ask("[...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href'))")
        expect("/v1/batches/old/report.html" in links and not any("now" in one or "next" in one for one in links), f"{links}")
        page.open(address(stub, "?batch=nope"), until="document.querySelector('#main h1')")
        expect_equal(page.ask("document.getElementById('batch').value"), "", "the batch that is chosen")
        expect("Nothing to show" in page.ask("document.title"), "the title")
        page.complaints()  # The browser tells of the 404.


@check("the hub's page asks with the figures of the moment whether a batch is to be closed, and no more once it is")
def closes(folder):
    with Stub(showing(sample("A17", 300), [station(0)]), takes_batches=True) as stub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(stub, "?batch=A17"), until=TILES)
        page.ask("document.querySelector('.closing button').click()")
        question = "document.querySelector('dialog[open]')?.innerText"
        page.wait(f"{question}?.includes('300 of 300 jobs have no finished tag')")
        stub.show(showing(sample("A17", 300, 18), [station(0)], last=120))
        page.wait(f"{question}?.includes('; 282 of 300 jobs have no finished tag')")
        stub.show(showing(sample("A17", 300, 18, closed=True), [station(0)], last=120))
        page.wait(f"!({question}) && document.querySelector('.closing').hidden")
        expect_equal(page.ask("document.activeElement.id"), "main", "the focus")


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
            # What is not UTF-8 is said, not sent; the focus stays.
            (folder / "latin.csv").write_bytes("code\nM\u00fcller\n".encode("latin-1"))
            page.choose("#new-file", folder / "latin.csv")
            page.ask("document.querySelector('form.new button').focus()")
            page.enter()
            page.wait("document.querySelector('form.new .error').textContent.includes('The list is not UTF-8.')")
            expect_equal(page.ask("document.activeElement.textContent"), "Make the batch", "the focus")
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
            # Without its database the page is not live for a moment, and says what is the matter.
            page.wait("document.querySelector('.connection.live') && document.querySelector('.state')")
            database.kill()
            page.wait("document.querySelector('.connection.lost')?.innerText.includes('The database does not answer')", 5)
            database.revive()
            page.wait("document.querySelector('.connection.live')")


@check("the hub's page asks for the token, tells a wrong one, and lets in with the right one")
def login(folder):
    nfcprog("provision", "--range", "1..3", "--template", TEMPLATE, "--journal", folder / "line.journal", "--reader", "sim:ntag213*5")
    (folder / "token").write_text("correct-horse-battery\n")
    (folder / "token").chmod(0o600)
    with Hub(folder / "line.journal", "--token-file", folder / "token") as hub, Chromium() as browser:
        page = browser.page()
        for theme, size in (("dark", DESKTOP), ("light", PHONE)):
            page.size(*size, theme)
            page.open(address(hub, "?batch=line&wall"), until="document.getElementById('token')")
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
        expect_equal(page.ask("location.pathname + location.search"), "/?batch=line&wall", "where one was")
        # A browser that has signed in can sign out.
        page.open(address(hub), until="document.querySelector('.tile') && document.querySelector('nav a')")
        expect("Sign out" in page.ask("document.getElementById('nav').innerText"), "no link to sign out")
        page.open(address(hub, "?batch=line&wall"), until=TILES)
        # The session ends while the page is open.
        page.ask("fetch('/logout', { method: 'POST' }).then(() => 0)")
        page.ask("import('/assets/api.js').then((api) => { api.get('/v1/batches').catch(() => 0); })")
        page.wait("document.getElementById('token')")
        expect_equal(page.ask("new URLSearchParams(location.search).get('to')"), "/?batch=line&wall", "where one goes back to")
