"""Lists and journals that are copied, brought back, corrected and put in another order, with kills between: no code is on two tags."""

import os
import random
import shutil

from kills import run_and_kill
from series import Boards, TEMPLATE, holding
from support import LIMIT, check, expect, expect_equal, nfcprog

# Each takes some five seconds; NFCPROG_EXHAUSTIVE makes a thousand kills and copies of them.
ROUNDS = 3 if "NFCPROG_EXHAUSTIVE" not in os.environ else 150
ROWS = 8


def write_list(path, codes):
    path.write_text("code,n\n" + "".join(f"{code},{number}\n" for number, code in enumerate(codes)))


def words_of(place, journal="line.journal"):
    return [place / "jobs.csv", "--template", TEMPLATE, "--journal", place / journal, "--timeout", "1"]


def expect_once(folder):
    doubled = {address: tags for address, tags in holding(folder / "tags").items() if len(tags) > 1}
    expect(not doubled, f"on more than one tag: {doubled}")


def one_round(folder, number):
    """What hands do with a list and its journal, in any order."""
    folder.mkdir()
    place, copies = folder / "series", []
    place.mkdir()
    codes = [f"{number:03}{row}" for row in range(ROWS)]
    write_list(place / "jobs.csv", codes)
    refused = 0
    with Boards(folder, 1, "ntag213*80,pace=real") as boards:
        def run(words, kill):
            status, text = run_and_kill([*words, *boards.options()], random.uniform(0.2, 1.2) if kill else LIMIT)
            expect_once(folder)
            expect(status in (None, 0, 65, 74, 75, 77), f"{status}: {text}")
            return status == 65

        run([*words_of(place), "--count", "2"], False)
        for step in range(8):
            deed = random.choice(["run", "kill", "copy", "work", "restore", "restore-journal", "correct", "swap"])
            if deed in ("run", "kill"):
                run([*words_of(place), "--count", "2"], deed == "kill")
            elif deed == "copy":
                copies.append(folder / f"copy{step}")
                shutil.copytree(place, copies[-1])
            elif deed == "work" and copies:
                refused += run(words_of(random.choice(copies)), random.random() < 0.3)
            elif deed == "restore" and copies:
                shutil.rmtree(place)
                shutil.copytree(random.choice(copies), place)
                refused += run([*words_of(place), "--count", "2"], False)
            elif deed == "restore-journal" and copies:
                for path in place.glob("line.journal*"):
                    path.unlink()
                for path in random.choice(copies).glob("line.journal*"):
                    shutil.copy(path, place)
                refused += run([*words_of(place), "--count", "2"], False)
            elif deed in ("correct", "swap"):
                changed = codes[:]
                if deed == "correct":
                    changed[random.randrange(ROWS)] = f"{number:03}x{step}"
                else:
                    one, other = random.sample(range(ROWS), 2)
                    changed[one], changed[other] = changed[other], changed[one]
                kept = (place / "jobs.csv").read_text()
                write_list(place / "jobs.csv", changed)
                # Another journal, as somebody takes it who is told that the list has changed.
                refused += run(words_of(place, f"other{step}.journal"), False)
                (place / "jobs.csv").write_text(kept)
    return refused


@check("lists and journals copied, brought back, corrected and killed at: no code is on two tags", alone=True)
def copies_and_kills(folder):
    random.seed(20261126)
    refused = sum(one_round(folder / str(number), number) for number in range(ROUNDS))
    expect(refused > 0, "nothing was refused")


@check("a journal that was copied or brought back is refused, and one that was moved goes on")
def copies_refused(folder):
    place = folder / "a"
    place.mkdir()
    write_list(place / "jobs.csv", [f"c{number}" for number in range(6)])

    def run(place, seed, *words, status=0):
        return nfcprog("provision", *words_of(place), *words, "--reader", f"sim:ntag213*8,seed={seed},save={folder / 'tags'}", status=status)

    run(place, 0, "--count", "2")
    shutil.copytree(place, folder / "b")
    outcome = run(folder / "b", 1, status=65)
    expect("is a copy" in outcome.errors and str(place / "line.journal") in outcome.errors, str(outcome))
    run(place, 2, "--count", "2")
    # The whole folder as it was, and the journal alone.
    shutil.move(place, folder / "later")
    shutil.copytree(folder / "b", place)
    outcome = run(place, 3, status=65)
    expect("is a copy" in outcome.errors and "event" in outcome.errors, str(outcome))
    shutil.rmtree(place)
    shutil.rmtree(folder / "b")
    # A series that was moved goes on where it is.
    run(folder / "later", 4)
    expect_once(folder)
    expect_equal(len(holding(folder / "tags")), 6, "codes on tags")


@check("a list with one corrected row or two rows in another order is refused under another journal, and its own takes what is on no tag")
def corrected_lists(folder):
    # Simulated readers are a rehearsal, and no use of the list.
    with Boards(folder, 1, "ntag213*80,pace=real") as boards:
        check_corrections(folder, boards)


def check_corrections(folder, boards):
    table, codes = folder / "jobs.csv", [f"d{number}" for number in range(6)]
    write_list(table, codes)

    def run(*words, journal="line.journal", status=0):
        return nfcprog("provision", *words_of(folder, journal), *words, *boards.options(), status=status)

    run("--count", "3")
    for number, changed in enumerate((["e0", *codes[1:]], [*codes[:5], "e5"], [codes[1], codes[0], *codes[2:]], codes[::-1], codes[2:])):
        write_list(table, changed)
        outcome = run(journal=f"other{number}.journal", status=65)
        expect("is on a tag already" in outcome.errors and str(folder / "line.journal") in outcome.errors, str(outcome))
        expect_once(folder)
    # The last row is on no tag, the first one is.
    write_list(table, [*codes[:5], "e5"])
    outcome = run(status=65)
    expect("--corrected" in outcome.errors and "d5" in outcome.errors, str(outcome))
    write_list(table, ["e0", *codes[1:]])
    outcome = run("--corrected", status=65)
    expect("1 row that differs is on tags" in outcome.errors, str(outcome))
    write_list(table, [*codes[:5], "e5", "d6"])
    run("--extend", "--corrected")
    expect_once(folder)
    expect_equal(set(holding(folder / "tags")), {f"https://example.com/t/{code}" for code in [*codes[:5], "e5", "d6"]}, "codes on tags")
    nfcprog("journal", "verify", folder / "line.journal")
