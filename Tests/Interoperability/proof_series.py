"""NTAG 424 DNA in series: proofs and keys of provision and clone, derived passwords, what is refused before a tag is touched."""

from concurrent.futures import ThreadPoolExecutor

from proofs import MASTER, TEMPLATE, UID, fixed, key_file
from support import binary, check, expect, expect_equal, json_object, nfcprog, program


@check("provision gives every tag its own proof, the journal and the label no key, and audit knows the tags again")
def series(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    journal, tags = folder / "run.journal", folder / "tags"
    template = "https://example.com/{code}?e={picc}&c={mac}"
    nfcprog("provision", "--range", "1..3", "--template", template, "--sdm", "--keys", path, "--journal", journal,
            "--reader", f"sim:ntag424*3,save={tags}", "--json")
    files = sorted(tags.iterdir())
    expect_equal(len(files), 3, "tags")
    seen = set()
    for file in files:
        tag = f"sim:ntag424,uid={file.stem.split('-')[-1]},file={file}"
        url = json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]
        answer = json_object(nfcprog("verify-sun", url, "--keys", path, "--template", template, "--json"))
        seen.add((answer["uid"], url.split("?")[0]))
        nfcprog("audit", "--journal", journal, "--reader", tag)
    expect_equal(len(seen), 3, "different tags and addresses")
    exported = folder / "server.txt"
    again = ["provision", "--range", "1..3", "--template", template, "--sdm", "--keys", path, "--journal", journal,
             "--reader", "sim:ntag424", "--timeout", "0", "--export-keys", exported]
    nfcprog(*again)
    text = exported.read_text()
    expect_equal(exported.stat().st_mode & 0o777, 0o600, "mode")
    expect(all(uid in text for uid, _ in seen) and MASTER not in text, text)
    nfcprog(*again, "--export-master-id", status=73)
    expect_equal(exported.read_text(), text, "a file that is not replaced")
    nfcprog(*again, "--export-master-id", "--force")
    expect("master-id" in exported.read_text() and "key " not in exported.read_text(), exported.read_text())
    content = b"".join(p.read_bytes() for p in folder.iterdir() if p.name.startswith("run.journal"))
    expect(bytes.fromhex(MASTER) not in content and MASTER.encode() not in content, "the journal holds the master key")


def url_of(tag):
    return json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]


@check("keys from a list's columns: the exported file checks the tags, one reading is taken once, and a tag given back frees its job")
def listed_keys(folder):
    rows = [[bytes([0x10 * row + n + 1] * 16).hex() for n in range(5)] for row in range(3)]
    table, journal, tags = folder / "jobs.csv", folder / "run.journal", folder / "tags"
    table.write_text("code,k0,k1,k2,k3,k4\n" + "".join(f"c{n},{','.join(keys)}\n" for n, keys in enumerate(rows)))
    exported, template = folder / "server.txt", "https://example.com/{code}?e={picc}&c={mac}"
    words = ["provision", table, "--template", template, "--sdm", "--keys", "column:k", "--journal", journal]
    nfcprog(*words, "--export-keys", folder / "id.txt", "--export-master-id", "--reader", f"sim:ntag424*3,save={tags}", status=64)
    expect(not tags.exists() or not list(tags.iterdir()), "a tag was written")
    nfcprog(*words, "--export-keys", exported, "--reader", f"sim:ntag424*3,save={tags}")
    text = exported.read_text()
    expect(all(keys[2] in text and keys[1] in text for keys in rows), "keys 1 and 2 of all tags")
    expect(not any(keys[n] in text for keys in rows for n in (0, 3, 4)), "a key that no server needs")
    counters = folder / "seen.txt"
    for file in sorted(tags.iterdir()):
        reader = f"sim:ntag424,file={file}"
        url = url_of(reader)
        for more in ([], ["--template", template]):
            seen = json_object(nfcprog("verify-sun", url, "--keys", exported, "--json", *more))
            expect_equal((seen["result"], seen["uid"]), ("genuine", file.stem.split("-")[-1]), "proof")
        with ThreadPoolExecutor(6) as pool:
            taken = list(pool.map(lambda _: program(binary(), "verify-sun", url, "--keys", exported, "--counters", counters).status,
                                  range(6)))
        expect_equal(sorted(taken), [0] + [77] * 5, "takings of one reading")
    others = folder / "others.txt"
    others.write_text("\n".join(line for line in text.splitlines() if not line.startswith(seen["uid"])))
    others.chmod(0o600)
    nfcprog("verify-sun", url, "--keys", others, status=77)
    refused = nfcprog("write-url", "https://example.com/?e={picc}&c={mac}", "--sdm", "--keys", exported, "--reader", "sim:ntag424", status=65)
    expect("verify-sun" in refused.errors and rows[0][1] not in refused.errors, refused.errors)
    # Given back with the keys of its row, which stand in no journal.
    row = next(keys for keys in rows if keys[2] in text and f"{seen['uid']} = {keys[2]}" in text)
    own = key_file(folder, "scheme = fixed\n" + "".join(f"key{n} = {key}\n" for n, key in enumerate(row)), "row.txt")
    master = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    nfcprog("reset-sdm", "--keys", master, "--journal", journal, "--reader", reader, status=65)
    nfcprog("reset-sdm", "--keys", own, "--journal", journal, "--dry-run", "--reader", reader)
    expect_equal(json_object(nfcprog("journal", "verify", journal, "--json"))["written"], 3, "a dry run")
    for _ in range(2):
        nfcprog("reset-sdm", "--keys", own, "--journal", journal, "--reader", reader)
        seen = json_object(nfcprog("journal", "verify", journal, "--json"))
        expect_equal((seen["written"], seen["pending"], seen["scrap"], seen["consistent"]), (2, 1, 0, True), "after it was given back")
    nfcprog("audit", "--journal", journal, "--reader", reader, status=65)
    nfcprog(*words, "--reader", reader, "--timeout", "0")
    expect_equal(json_object(nfcprog("journal", "verify", journal, "--json"))["written"], 3, "put on it again")


@check("what was forgotten is said before the first tag is written, and a plain message is refused for the key")
def forgotten(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    template, tag = "https://example.com/t?e={picc}&c={mac}", f"sim:ntag424,file={folder / 'tag'}"
    refused = nfcprog("write-url", template, "--reader", tag, status=65)
    expect("--sdm --keys" in refused.errors, refused.errors)
    nfcprog("write-url", "https://example.com/t?e={pic}&c={mac}", "--sdm", "--keys", path, "--reader", tag, status=65)
    refused = nfcprog("write-url", "https://example.com/t?e={picc}", "--sdm", "--keys", path, "--reader", tag, status=65)
    expect("no {mac}" in refused.errors, refused.errors)
    refused = nfcprog("write-url", "https://example.com/t?u={mirror:uid}&c={mac}", "--sdm", "--keys", path,
                      "--reader", tag, status=65)
    expect("mirror" in refused.errors, refused.errors)
    tags = folder / "tags"
    nfcprog("provision", "--range", "1..3", "--template", template + "&n={code}", "--sdm", "--keys", path,
            "--journal", folder / "run.journal", "--export-keys", folder / "none" / "server.txt",
            "--reader", f"sim:ntag424*3,save={tags}", status=73)
    expect(not tags.exists() or not list(tags.iterdir()), "a tag was written")
    nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", tag)
    for options in [["--dry-run"], []]:
        refused = nfcprog("write-url", "https://example.com/other", *options, "--reader", tag, status=77)
        expect("key 0" in refused.errors and "reset-sdm" in refused.errors, refused.errors)


@check("a clone of a tag that proves itself proves itself, and never as the source")
def clone(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    source, copy = f"ntag424,uid={UID},file={folder / 'source'}", folder / "copy"
    template = "https://example.com/x?e={picc}&c={mac:example}"
    nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", f"sim:{source}")
    refused = nfcprog("clone", "--count", "1", "--reader", f"sim:{source},then=ntag424,file={copy}", status=65)
    expect("its own UID" in refused.errors, refused.errors)
    nfcprog("clone", "--any-content", "--sdm", "--keys", path, "--count", "1",
            "--reader", f"sim:{source},then=ntag424,file={copy}")
    url = json_object(nfcprog("read", "--json", "--reader", f"sim:ntag424,file={copy}"))["records"][0]["uri"]
    answer = json_object(nfcprog("verify-sun", url, "--template", template, "--keys", path, "--json"))
    expect(answer["result"] == "genuine" and answer["uid"] != UID, str(answer))


@check("a derived password opens its own tag, stands in no output, and a genuine tag is told from others")
def derived(folder):
    path = key_file(folder, MASTER + "\n", "master.txt")
    trace = folder / "trace.jsonl"
    for index in range(2):
        tag = f"sim:ntag213,uid=0411223344556{index},file={folder / f'tag{index}'}"
        done = nfcprog("protect", "--set-password", f"derived:{path}", "--json", "--trace", trace, "--force", "--reader", tag)
        expect_equal(json_object(done)["result"], "written", "protect")
        memory = (folder / f"tag{index}").read_text().splitlines()
        password = next(line for line in memory if line.startswith("Page 43")).split(":")[1].replace(" ", "").lower()
        for text in (done.output, done.errors, trace.read_text().replace(" ", "")):
            expect(password not in text.lower() and MASTER not in text, "a secret is told")
        nfcprog("unprotect", "--reader", tag, status=77)
        nfcprog("unprotect", "--password", f"derived:{path}", "--reader", tag)
    url = "https://example.com/t/1"
    nfcprog("write-url", url, "--genuine", "--reader", "sim:ntag213,uid=04E10CDA993C80")
    nfcprog("write-url", url, "--genuine", "--reader", "sim:ntag213", status=77)


@check("a code that begins nowhere is refused before a reader is opened, and rights are told as the tag has them")
def rights_and_places(folder):
    _, keys = fixed(folder)
    for start in ("zzz", "uid", "https"):
        nfcprog("write-url", f"https://example.com/t?e={{picc}}&c={{mac:{start}}}", "--sdm", "--keys", keys,
                "--reader", "/dev/ttyUSB99", status=65)
    reader = f"sim:ntag424,file={folder / 'tag.txt'}"
    words = ["write-url", TEMPLATE, "--sdm", "--keys", keys, "--json", "--reader", reader]
    written = json_object(nfcprog(*words))
    seen = json_object(nfcprog("info", "--json", "--reader", reader))
    expect_equal(seen["ndefStatus"], written["ndefStatus"], "NDEF status")
    file = [detail["text"] for detail in seen["details"] if detail["label"] == "file E104"]
    expect_equal(["write free" in text for text in file], [seen["ndefStatus"] == "readWrite"], str(file))
    plan = nfcprog(*words[:-3], "--lock", "--dry-run", "--reader", reader).output
    expect("without a key, which the tag must refuse" in plan and "without the password" not in plan, plan)


@check("rules of the data sheet are checked before a reader is opened or a tag touched")
def rules(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    for template in ["https://example.com/?u={uid}&p={picc}", "https://example.com/?e={enc:a}&c={mac}",
                     "https://example.com/?c={mac}&c={mac}", "https://example.com/"]:
        tag = f"sim:ntag424,file={folder / 'tag.txt'}"
        nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", tag, status=65)
    nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", "sim:ntag213", status=65)
    nfcprog("write-url", TEMPLATE, "--sdm", "--reader", "sim:ntag424", status=64)


if __name__ == "__main__":
    import workers

    workers.run_alone(__doc__)
