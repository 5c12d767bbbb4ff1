"""The hub's page as somebody uses it: by keyboard, with a new batch, with the token."""

from chromium import Chromium
from hub_pages import DESKTOP, NEWEST, PHONE, SCRIPT, TEMPLATE, TILES, address, look, shot
from hubs import SECRET, Hub, token_file
from postgres import Database
from support import check, expect, expect_equal, nfcprog


@check("the hub's page can be used with the keyboard alone, and shows where it is")
def keyboard(folder):
    nfcprog("provision", "--range", "1..6", "--template", TEMPLATE, "--journal", folder / "line.journal", "--reader", "sim:ntag213*9,bad=20%")
    with Hub(folder / "line.journal") as hub, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(address(hub), until=NEWEST)
        page.ask(SCRIPT)
        page.tab()
        first = page.ask("looked.focus()")
        expect("Skip" in first["name"] and first["shows"] and first["inside"], f"the first stop: {first}")
        page.enter()
        page.wait("document.activeElement.id === 'main'")
        page.open(address(hub), until=NEWEST)
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


@check("a batch of a pool is made, extended and closed in the hub's page, and mistakes in its lists are told")
def makes(folder):
    (folder / "good.csv").write_text("code\nA1\nA2\nA3\n")
    (folder / "bad.csv").write_text("code\nA1\nA1\n\"A 3\n")
    with Database() as database, Chromium() as browser:
        nfcprog("journal", "init", database.owner, "--hub", "bench")
        with Hub(database.address("").split("?")[0], environment=SECRET) as hub:
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
            # More rows: with a mistake none, then all.
            page.ask("document.querySelector('.adding button').click()")
            page.wait("document.querySelector('.adding dialog').open")
            (folder / "more.csv").write_text("code\nA4\nA1\n")
            page.choose("#rows-file", folder / "more.csv")
            page.ask("document.querySelector('form.more button:not([type])').click()")
            page.wait("document.querySelector('form.more .error li')")
            page.complaints()  # The browser tells of the status.
            expect_equal(look(page, "rows", PHONE), [], "the form")
            expect_equal(hub.get("/v1/batches")["batches"][0]["jobs"], 3, "jobs")
            (folder / "right.csv").write_text("code\nA4\nA5\n")
            page.choose("#rows-file", folder / "right.csv")
            page.ask("document.querySelector('form.more button:not([type])').click()")
            page.wait("!document.querySelector('.adding dialog').open && document.querySelector('.all')?.textContent === 'of 5 done'")
            expect("the batch has 5 jobs now" in page.ask("document.querySelector('.adding').innerText"), "what was added")
            page.ask("document.querySelector('.closing button').click()")
            page.wait("document.querySelector('.closing dialog').open")
            shot(page, "question")
            page.ask("document.querySelector('.closing dialog .danger').click()")
            page.wait("document.querySelector('.state')?.textContent.includes('closed')")
            expect(hub.get("/v1/batches")["batches"][0]["closed"], "the batch is open")
            # Without its database the page is not live for a moment, and says what is the matter.
            page.wait("document.querySelector('.connection.live') && document.querySelector('.state')")
            database.kill()
            page.wait("document.querySelector('.connection.lost')?.innerText.includes('The database does not answer')")
            database.revive()
            page.wait("document.querySelector('.connection.live')")


@check("the hub's page asks for the token, tells a wrong one, and lets in with the right one")
def login(folder):
    nfcprog("provision", "--range", "1..3", "--template", TEMPLATE, "--journal", folder / "line.journal", "--reader", "sim:ntag213*5")
    token = token_file(folder, text="correct-horse-battery\n")
    with Hub(folder / "line.journal", "--token-file", token) as hub, Chromium() as browser:
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
