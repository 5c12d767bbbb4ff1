"""The hub's page with boards that a check makes up: walls, troubles, other batches."""

import time

from chromium import Chromium
from hub_pages import DESKTOP, PHONE, TILES, WALL, address, look
from hub_stub import Stub, batch as sample, board as showing, station
from support import check, expect, expect_equal

CAUSES = [("refused", 61), ("lost", 20), ("mismatch", 9), ("foreign", 4), ("copy", 3), ("wrong-type", 2), ("reader", 2), ("unread", 1),
          ("in-use", 1), ("scrap", 1)]


def heading(page, number):
    return " ".join(page.ask(f"document.querySelectorAll('.station-name')[{number}].innerText").split())


@check("the hub's page shows one to 32 stations on a wall: each by its own name, nothing cut, and what fails is counted to the last", long=True)
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

        def questions():
            return sum(path.endswith("/board") for path in stub.asked)

        before = questions()
        stub.trouble = "The database does not answer: no route to host."
        stub.say("trouble", {"detail": stub.trouble})
        page.wait("document.querySelector('.connection.lost')?.innerText.includes('no route to host')")
        expect(page.ask("document.documentElement.classList.contains('stale')"), "old figures look as if they were live")
        expect("The figures are from" in page.ask("document.querySelector('.connection').innerText"), "the figures' time")
        stub.show(showing(sample("A17", 300, 13), [station(0)], last=101))
        page.wait("document.querySelector('.connection.live') && !document.documentElement.classList.contains('stale')")
        page.wait("document.querySelector('.done').textContent === '13'")
        expect_equal(questions(), before, "boards that the page has asked for: the stream says it at once")
        # A board that is a moment older than the page's events is no other journal.
        page.ask("window.mark = 1")
        stub.boards = [showing(sample("A17", 300, 14), [station(0)], last=101)]
        stub.say("board", {**stub.boards[0], "lastEvent": 99})
        page.wait("document.querySelector('.done').textContent === '14'")
        time.sleep(2)
        expect_equal(page.ask("window.mark"), 1, "the page's mark")
        # Fewer events: a database that was restored.
        stub.show(showing(sample("A17", 300, 5), [station(0)], last=40))
        page.wait("window.mark === undefined && document.querySelector('.done')?.textContent === '5'")
        page.ask("window.mark = 1")
        # Another list under this name.
        stub.show(showing(sample("A17", 300, 7, made="2026-11-21T08:00:00.000Z"), [station(0)], last=400))
        page.wait("window.mark === undefined && document.querySelector('.done')?.textContent === '7'")


@check("the hub's page shows the batch that is worked on, stays with it in a search, and takes none for one that is not there")
def chooses(folder):
    # Somebody has begun with a newer order, and has left it.
    boards = [showing(sample("next", 300), [], last=0), showing(sample("left", 300, 7), [], last=90),
              showing(sample("now", 300, 12), [station(0)], last=80), showing(sample("old", 300, 40), [station(0)], last=70)]
    with Stub(*boards) as stub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(stub), until=TILES)
        expect_equal(page.ask("document.querySelector('h1').textContent"), "Batch now", "the batch without one in the address")
        # Nobody works any more: where something has happened last.
        for one in stub.boards:
            one["stations"] = []
        page.open(address(stub, "?wall"), until="document.querySelector('h1')")
        expect_equal(page.ask("document.querySelector('h1').textContent"), "Batch left", "the batch that nobody works on")
        stub.boards = stub.boards[1:] + [showing(sample("old", 300, 40), [station(0)])]
        stub.boards.pop(-2)
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


@check("the hub's page says on which day a time of its chart was, and how fast a slow line is; the focus stays where it is")
def long_and_slow(folder):
    marks = "[...document.querySelectorAll('.times span')].map((one) => one.textContent)"
    hours = showing(sample("A17", 300, 12), [station(0, tagsPerHour=0.2)], tagsPerHour=0.2, periodSeconds=3600, 
                    periods=[{"start": f"2026-11-20T{hour:02}:00:00.000Z", "written": 3, "failed": 0} for hour in range(20)])
    days = [{"start": f"2026-11-{day}T00:00:00.000Z", "written": 3, "failed": 0} for day in range(10, 20)]
    with Stub(hours) as stub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(stub, "?batch=A17"), until=TILES)
        expect_equal(page.ask(marks)[:2], ["20 Nov 00:00", "20 Nov 06:00"], "the chart's times")
        expect("0.2 an hour" in page.ask("document.querySelector('.rate').textContent"), "the rate of the station")
        expect_equal(page.ask("[...document.querySelectorAll('.figure')][2].innerText.split(/\\n/)[1]"), "0.2", "tags an hour")
        # The tag changes below the focus, and the stations change their places.
        page.ask("document.querySelector('.job a').focus()")
        stub.show({**hours, "periodSeconds": 86400, "periods": days, "stations": [station(1), station(0, job={"number": 77, "name": "BIG-77"})]})
        page.wait("document.querySelectorAll('.tile').length === 2")
        expect_equal(page.ask("[document.activeElement.textContent, document.activeElement.getAttribute('href')]"),
                     ["Job 77 – BIG-77", "/?batch=A17&job=77"], "the element with the focus")
        expect_equal(page.ask(marks), ["10 Nov", "16 Nov"], "the chart's days")
        # Nobody works any more.
        stub.show({**{name: value for name, value in hours.items() if name not in ("tagsPerHour", "secondsLeft")},
                   "stations": [station(6), station(0, word="ENDED", bin=None, next="the run has ended")]})
        page.wait("document.querySelector('.tiles').innerText.includes('nobody works on it')")
        # All is done: how long it took and how fast it went, in place of Live.
        expect_equal(page.ask("document.getElementById('connection').innerText"), "Live", "the connection")
        stub.show({**{name: value for name, value in hours.items() if name not in ("tagsPerHour", "secondsLeft")}, "batch": sample("A17", 300, 300),
                   "workSeconds": 720, "stations": [station(0, word="ENDED", bin=None, next="the run has ended")]})
        page.wait("document.getElementById('connection').innerText === 'Finished in 12 min, 1,500 tags an hour'")
        figures = page.ask("document.querySelector('.tiles').innerText")
        expect("Time taken" in figures and "12 min" in figures and "1,500" in figures and "Time left" not in figures, figures)
        stub.show(hours)
        page.wait("document.getElementById('connection').innerText === 'Live'")
        # With the system's own colours the bars are there.
        page.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        colours = page.ask("['.fill', '.bar .good'].map((one) => getComputedStyle(document.querySelector(one)).backgroundColor)"
                           ".concat(getComputedStyle(document.querySelector('.progress')).backgroundColor)")
        expect(colours[0] != colours[2] and colours[1] != colours[2], f"bars in forced colours: {colours}")


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
