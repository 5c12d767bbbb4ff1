"""The hub's page beside `nfcprog provision`: what it shows of a line, and of a hub that is killed."""

import csv
import os
import signal
import sqlite3
import subprocess
from urllib.parse import quote

from chromium import Chromium
from hub_pages import DESKTOP, NEWEST, PHONE, SCRIPT, TEMPLATE, TILES, WALL, address, look, shot, wait_for
from hubs import Hub
from support import LIMIT, binary, check, expect, expect_equal

# Roles that a screen reader says by their names.
NAMED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "image", "progressbar", "region", "dialog",
         "heading", "table", "navigation", "listbox"}
# What a list may hold: markup, a turn of the writing's direction, more than anybody reads.
HOSTILE = ["<img src=x onerror=\"window.hit=1\">", "</td><script>window.hit=1</script>", "A\u202e\u2066moc.elpmaxe",
           "x" * 10000, "{{7*7}}${7*7}", "'\"><svg onload=window.hit=1>"]
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


def events(hub, batch):
    """All events of a batch."""
    found, after = [], 0
    while after is not None:
        page = hub.get(f"/v1/batches/{quote(batch)}/events?after={after}&limit=500")
        found += page["events"]
        after = page.get("next")
    return found


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
                    page.open(address(hub, f"?batch={batch}"), until=TILES)
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
                page.open(address(hub, f"?batch={batch}&wall"), until=TILES)
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
    words = ["--range", "0001..0400", "--template", TEMPLATE]
    with line(folder, words, 3), Chromium() as browser:
        wait_for(lambda: holds_jobs(folder / "line.journal"), "the journal")
        with Hub(folder / "line.journal") as hub:
            batch = some(hub, 2)
            page = browser.page()
            page.size(*DESKTOP)
            page.open(address(hub, f"?batch={batch}"), until=NEWEST)
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
