"""Workbooks as lists, written by openpyxl."""

import datetime
import pathlib
import zipfile

import openpyxl

from series import holding
from support import binary, check, expect, expect_equal, nfcprog, program

FILES = pathlib.Path(__file__).parent.parent / "WorkbooksTests/Files"
TEMPLATE = "https://example.com/{code}/{serial}"


def workbook(path, rows, formats={}, sheet="Reel"):
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    for cell, code in formats.items():
        book.active[cell].number_format = code
    book.save(path)
    return path


def with_part(source, path, name, change):
    """A copy of the workbook in which `change` was made to one part."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == name else data)
    return path


@check("a workbook's rows are on the tags, by their numbers, and the same command finishes the rest")
def rows_on_tags(folder):
    rows = [["code", "serial", "lock"]] + [[f"{number:04}", number, False] for number in range(1, 21)]
    formats = {f"B{row}": "00000" for row in range(2, 23)}
    table = workbook(folder / "jobs.xlsx", rows, formats)
    words = ["provision", table, "--template", TEMPLATE, "--journal", folder / "journal"]
    reader = f"sim:ntag213*30,save={folder / 'tags'}"
    nfcprog(*words, "--count", "8", "--reader", reader)
    nfcprog(*words, "--reader", reader + ",seed=2")
    found = holding(folder / "tags")
    expect_equal(set(found), {f"https://example.com/{number:04}/{number:05}" for number in range(1, 21)}, "links")
    expect(all(len(tags) == 1 for tags in found.values()), str(found))
    nfcprog("journal", "verify", folder / "journal")
    # A row that was added needs a word, one that was changed is named.
    workbook(table, rows + [["0021", 21, False]], formats)
    nfcprog(*words, "--reader", reader, status=65)
    rows[3][1] = 99
    workbook(table, rows, formats)
    outcome = nfcprog(*words, "--reader", reader, status=65)
    expect("line 4" in outcome.errors, str(outcome))


@check("what a workbook has in place of a value is named with its row, and nothing is written")
def no_values(folder):
    table = workbook(
        folder / "jobs.xlsx",
        [["code", "serial"], ["A", datetime.date(2026, 11, 27)], ["B", 0.5], ["C", "=1+1"], [], ["D", 1e16], ["E", "#N/A"]],
        {"B3": "0%"})
    tag = f"sim:ntag213,file={folder / 'tag'}"
    outcome = nfcprog("provision", table, "--template", TEMPLATE, "--journal", "none", "--reader", tag, status=65)
    for line, word in (2, "a date"), (3, "its format shows otherwise"), (4, "a formula"), (6, "shortened"), (7, "error"):
        expect(any(f"line {line}, column serial" in text and word in text for text in outcome.errors.splitlines()),
               f"line {line}: {outcome}")
    # The same columns are of no account where no message has them.
    nfcprog("provision", table, "--template", "https://example.com/{code}", "--dry-run")


@check("a workbook that is none, damaged or hostile is an error that says so, and so is a sheet that is not there")
def hostile(folder):
    good = workbook(folder / "jobs.xlsx", [["code", "serial"], ["A", 1]])
    sheet = "xl/worksheets/sheet1.xml"
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    files = {
        "bomb": (sheet, lambda data: bomb + data),
        "cut": (sheet, lambda data: data[:-20]),
        "no text": (sheet, lambda data: data.replace(b't="inlineStr"><is><t>A</t></is>', b't="s"><v>9</v>')),
        "order": (sheet, lambda data: data.replace(b'r="2"', b'r="1"')),
        "far": (sheet, lambda data: data.replace(b'r="2"', b'r="9999999999999999999"')),
        "wide": (sheet, lambda data: data.replace(b'"B2"', b'"ZZZZ2"')),
        "no sheet": ("xl/_rels/workbook.xml.rels", lambda data: data.replace(b"sheet1", b"sheet9")),
        "no book": ("_rels/.rels", lambda data: data.replace(b"officeDocument", b"other")),
    }
    for name, (part, change) in files.items():
        path = with_part(good, folder / f"{name}.xlsx", part, change)
        outcome = nfcprog("provision", path, "--template", TEMPLATE, "--dry-run", status=65)
        expect(str(path) in outcome.errors and outcome.errors.count("\n") <= 2, f"{name}: {outcome}")
    (folder / "short.xlsx").write_bytes(good.read_bytes()[:300])
    nfcprog("provision", folder / "short.xlsx", "--template", TEMPLATE, "--dry-run", status=65)
    outcome = nfcprog("provision", good, "--sheet", "Reels", "--template", TEMPLATE, "--dry-run", status=65)
    expect("“Reel”" in outcome.errors, str(outcome))
    nfcprog("provision", "--range", "1..3", "--sheet", "Reel", "--template", "https://example.com/{code}", "--dry-run", status=64)


@check("a workbook from standard input, and one of 10,000 rows")
def large(folder):
    table = workbook(folder / "jobs.xlsx", [["code", "serial"]] + [[f"C{row}", row] for row in range(10_000)])
    outcome = nfcprog("provision", table, "--template", TEMPLATE, "--dry-run")
    expect("10000" in outcome.output.replace(",", ""), str(outcome))
    outcome = program("sh", "-c", '"$0" provision - --template "$1" --dry-run <"$2"', binary(), TEMPLATE, table)
    expect(outcome.status == 0 and "10000" in outcome.output.replace(",", ""), str(outcome))


@check("a workbook that unpacks to more than any list is refused before it fills the memory")
def unpacked(folder):
    good = workbook(folder / "jobs.xlsx", [["code", "serial"], ["A", 1]])
    path = with_part(
        good, folder / "bomb.xlsx", "xl/worksheets/sheet1.xml", lambda data: data.replace(b"<sheetData>", b"<sheetData>" + b" " * 1_000_000_000, 1))
    outcome = nfcprog("provision", path, "--template", TEMPLATE, "--dry-run", status=65)
    expect("bytes when it is unpacked" in outcome.errors, str(outcome))


@check("cells that are merged, and values that a spreadsheet has kept of its formulas, are said; values that it calls old are none")
def merged_and_stale(folder):
    path = workbook(folder / "jobs.xlsx", [["code", "serial"], ["A", 1], ["B", 1], ["C", 1]])
    book = openpyxl.load_workbook(path)
    book.active.merge_cells("B2:B4")
    book.save(path)
    outcome = nfcprog("provision", path, "--template", "https://example.com/{code}", "--dry-run")
    expect("merged (B2:B4)" in outcome.errors + outcome.output, str(outcome))
    outcome = nfcprog("provision", path, "--template", TEMPLATE, "--dry-run", status=65)
    for line in (3, 4):
        expect(f"line {line}, column serial" in outcome.errors, str(outcome))
    computed = FILES / "libreoffice.xlsx"
    words = ["--template", "https://example.com/{code}/{sum:optional}", "--dry-run"]
    outcome = nfcprog("provision", computed, *words, "--sheet", "Reel 7")
    expect("5 cells have formulas" in outcome.errors + outcome.output, str(outcome))
    stale = with_part(computed, folder / "stale.xlsx", "xl/workbook.xml", lambda data: data.replace(b"<calcPr", b'<calcPr fullCalcOnLoad="1"'))
    outcome = nfcprog("provision", stale, *words, "--sheet", "Reel 7", status=65)
    expect("line 2, column sum" in outcome.errors and "line 3, column sum" in outcome.errors, str(outcome))
