"""What audit, collect and provision say of tags of a journal that are not as they were written, and what a report says of a series."""

from collecting import documents
from proofs import MASTER, key_file
from support import check, expect, expect_equal, json_object, nfcprog

TEMPLATE = "https://example.com/t/{code}"


def provision(folder, journal, reader, *words, jobs="1..1", template=TEMPLATE, **how):
    return nfcprog("provision", "--range", jobs, "--template", template, "--journal", folder / journal,
                   "--reader", reader, "--timeout", "2", *words, **how)


def audit(folder, journal, reader, status=0, *words):
    return json_object(nfcprog("audit", "--journal", folder / journal, "--json", "--reader", reader, *words, status=status))


def collect(folder, journal, reader, status=0):
    return documents(nfcprog("collect", "--expect", folder / journal, "--json", "--reader", reader, "--timeout", "1", status=status))


@check("audit knows tags with a random UID by their keys, and calls none a copy without them")
def random_uids(folder):
    keys, other = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n"), key_file(
        folder, f"scheme = an10922\nmaster = {MASTER[::-1]}\n", "other.keys")
    tags = [f"sim:ntag424,uid=04{number}1a2a3a4a5a6,file={folder / number}" for number in "bc"]
    for tag in tags:
        provision(folder, "L.j", tag, "--sdm", "--lrp", "--random-uid", "--lock", "--keys", keys, "--yes", "--count", "1",
                  jobs="1..2", template="https://example.com/{code}?e={picc}&c={mac}")
    for number, tag in enumerate(tags, 1):
        seen = audit(folder, "L.j", tag, 65)
        expect_equal((seen["state"], seen["proofChecked"] if "proofChecked" in seen else None), ("random-uid", None), str(seen))
        seen = audit(folder, "L.j", tag, 0, "--keys", keys)
        expect_equal((seen["state"], seen["job"]["number"], seen["proofChecked"]), ("agrees", number, True), str(seen))
        nfcprog("audit", "--journal", folder / "L.j", "--reader", tag, "--keys", other, status=65)
    nfcprog("audit", "--journal", folder / "L.j", "--keys", keys, "--reader", tags[0], "--count", "1")


@check("audit and collect --expect name a lock, a password and a mirror that a tag has no more, or has since")
def differences(folder):
    tag = f"sim:ntag213,file={folder / 'tag'}"
    provision(folder, "p.j", tag, "--set-password", "01020304")
    expect_equal(audit(folder, "p.j", tag)["state"], "agrees", "as it was written")
    nfcprog("unprotect", "--password", "01020304", "--reader", tag)
    seen = audit(folder, "p.j", tag, 76)
    expect_equal((seen["differences"], seen["passwordProtected"], seen["journalProtected"]), (["unprotected"], False, True), str(seen))
    nfcprog("lock", "--yes", "--reader", tag)
    seen = audit(folder, "p.j", tag, 76)
    expect_equal((seen["differences"], seen["locked"], seen["journalLocked"]), (["locked", "unprotected"], True, False), str(seen))
    seen = collect(folder, "p.j", tag, 76)
    expect_equal((seen[0]["cause"], seen[0]["locked"], seen[0]["ndefStatus"]), ("changed", True, "readOnly"), str(seen[0]))
    expect_equal((seen[-1]["missing"], list(seen[-1]["faults"])), ([], ["changed"]), str(seen[-1]))
    # The line does not put it with the good ones.
    seen = documents(provision(folder, "p.j", tag, "--set-password", "01020304", "--json", jobs="1..1"))
    expect_equal([one["cause"] for one in seen if one["event"] == "tag"], [], "the list is done")
    open_tag = f"sim:ntag216,uid=04a1a2a3a4a5a6,file={folder / 'open'}"
    locked = f"sim:ntag213,uid=04a1a2a3a4a5a6,file={folder / 'locked'}"
    provision(folder, "l.j", locked, "--lock", "--yes", "--set-password", "01020304")
    nfcprog("write-url", "https://example.com/t/1", "--reader", open_tag)
    seen = audit(folder, "l.j", open_tag, 76)
    expect_equal(seen["differences"], ["type", "unlocked", "unprotected"], str(seen))
    mirror = f"sim:ntag213,uid=04b1a2a3a4a5a6,file={folder / 'mirror'}"
    provision(folder, "m.j", mirror, template="https://example.com/t/{code}?u={mirror:uid}")
    expect_equal(audit(folder, "m.j", mirror)["state"], "agrees", "mirror")
    nfcprog("write-url", "https://example.com/t/1?u=04B1A2A3A4A5A6", "--overwrite", "--reader", mirror)
    expect_equal(audit(folder, "m.j", mirror, 76)["differences"], ["mirror"], "mirror off")


@check("--rewrite leaves a tag alone that somebody has locked or given a password, as audit sees it")
def taken_over(folder):
    for name, words in ("locked", ["lock", "--yes"]), ("protected", ["protect", "--set-password", "A1B2C3D4"]):
        journal, tag = f"{name}.j", f"sim:ntag213,file={folder / name}"
        provision(folder, journal, tag)
        nfcprog(*words, "--reader", tag)
        seen = provision(folder, journal, tag, "--rewrite", "--json", status=77)
        expect_equal([one["cause"] for one in documents(seen) if one["event"] == "tag"], ["changed"], str(seen))
        expect_equal(audit(folder, journal, tag, 76)["differences"], [name], name)
    # A password that is given is the line's business.
    provision(folder, "protected.j", tag, "--rewrite", "--password", "A1B2C3D4")


@check("a series with a password does not go on without it, and its report says that there is one")
def password(folder):
    tag = f"sim:ntag213*4,save={folder / 'tags'}"
    provision(folder, "j", tag, "--set-password", "01020304", "--count", "2", jobs="1..4")
    refused = provision(folder, "j", tag, jobs="1..4", status=65)
    expect("password" in refused.errors, refused.errors)
    provision(folder, "j", tag, "--rewrite", jobs="1..4", status=65)
    text = nfcprog("report", "--journal", folder / "j").output
    expect("Password: yes" in text and "01020304" not in text, text)


@check("a tag of another journal ends a run however far its journal has come, and its job goes on no other tag")
def second_series(folder):
    foreign = f"sim:ntag213,uid=04c1a2a3a4a5a6,file={folder / 'foreign'}"
    nfcprog("write-url", "https://example.com/t/2", "--reader", foreign)
    provision(folder, "new.j", foreign, jobs="1..3", status=65)
    provision(folder, "new.j", f"sim:ntag213,file={folder / 'first'}", "--count", "1", jobs="1..3")
    refused = provision(folder, "new.j", foreign, jobs="1..3", status=65)
    expect("another journal" in refused.errors and "is new" not in refused.errors, refused.errors)


@check("--dry-run knows the types of all rows of a list, as a run does")
def dry_run(folder):
    table = folder / "jobs.csv"
    table.write_text("code,tag\nA,ntag213\nB,ntag215\nC,felica-lite-s\n")
    for tag in ["ntag213", "ntag215", "felica-lite-s"]:
        nfcprog("provision", table, "--template", TEMPLATE, "--dry-run", "--reader", f"sim:{tag}", "--timeout", "5")


@check("a lock that a public key undoes is said on the line, as for one tag")
def weak_locks(folder):
    found = documents(provision(folder, "n.j", f"sim:ntag424,file={folder / 'n'}", "--lock", "--yes", "--json"))
    codes = [finding["code"] for one in found for finding in one.get("findings", [])]
    expect("delivered-keys" in codes, str(found))
    text = provision(folder, "d.j", f"sim:ntag424,file={folder / 'd'}", "--lock", "--yes")
    expect("(delivered-keys)" in text.errors + text.output, str(text))


@check("a line that has read tags of one type waits for a FeliCa tag until it is looked for")
def other_technology(folder):
    seen = documents(nfcprog("collect", "--csv", folder / "m.csv", "--json", "--timeout", "4",
                             "--reader", "sim:ntag213,then=felica-lite-s,then=ntag215"))
    expect_equal(seen[-1]["passed"], 3, str(seen[-1]))


@check("a series whose tags were written again has as many good tags as jobs, by type, and ends well")
def rewritten(folder):
    tag = f"sim:ntag213,file={folder / 'tag'}"
    provision(folder, "r.j", tag)
    provision(folder, "r.j", tag, "--rewrite")
    text = nfcprog("report", "--journal", folder / "r.j").output
    expect("Tags by type: 1 ntag213" in text, text)
