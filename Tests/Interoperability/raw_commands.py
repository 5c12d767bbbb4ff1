"""Raw APDUs and tag commands: answers byte for byte, refusals before anything is sent."""

from support import check, expect, expect_equal, json_object, nfcprog


def expect_refused(kind, words, word):
    """`words` end with 65 and say `word`, in JSON too."""
    words = [*words, "--reader", f"sim:{kind}"]
    outcome = nfcprog(*words, status=65)
    expect(word in outcome.errors and outcome.output == "", str(outcome))
    error = json_object(nfcprog(*words, "--json", status=65))["error"]
    expect_equal(error["code"], 65, "JSON")
    expect(word in error["message"], str(error))


@check("apdu reads a card's capability container, with the status of each answer")
def capability_container(folder):
    seen = json_object(nfcprog(
        "apdu", "--aid", "D2760000850101", "00A4000C02E103", "00B000000F", "--json", "--reader", "sim:type4"))
    expect_equal([answer["sw1"] + answer["sw2"] for answer in seen["answers"]], ["9000"] * 3, "statuses")
    expect_equal(seen["answer"], "000f2000f600f60406e104080000" + "00", "container")
    expect_equal((seen["result"], seen["statusText"], seen["tag"]), ("read", "success", "type4"), "object")


@check("an APDU in parts is one APDU")
def parts(folder):
    seen = json_object(nfcprog(
        "apdu", "00", "A4", "04", "00", "07", "D2760000850101", "00", "--json", "--reader", "sim:type4"))
    expect_equal(len(seen["answers"]), 1, "answers")


@check("a card's error is told in words, 77, and what follows it is not sent")
def card_error(folder):
    seen = json_object(nfcprog(
        "apdu", "00A4040007D27600008501FF00", "00B000000F", "--json", "--reader", "sim:type4", status=77))
    expect_equal((seen["sw1"], seen["sw2"], len(seen["answers"])), ("6a", "82", 1), "status")
    expect("not found" in seen["statusText"] and "6A82" in seen["error"]["message"], str(seen))


@check("what is no APDU is refused before anything is sent, 65")
def no_apdu(folder):
    for hexadecimal, word in [
            ("00a5030004b000000033434561", "Lc announces 4"), ("00A400000112501", "15 digits"), ("00b0", "4 bytes"),
            ("zz", "not hexadecimal"), ("00D60000" + "FF" * 300, "at most 261")]:
        expect_refused("type4", ["apdu", hexadecimal], word)
    expect_refused("type4", ["apdu", "--aid", "D276"], "5 to 16 bytes")


@check("apdu refuses a tag that does not speak ISO-DEP, 65")
def no_iso_dep(folder):
    for kind in ["ntag213", "classic1k"]:
        expect_refused(kind, ["apdu", "00A40400"], "ISO-DEP")


@check("transceive writes and reads pages, and gives a version and a fast read as the tag answers them")
def pages(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    seen = json_object(nfcprog(
        "transceive", "60", "A206CAFE0102", "3A0606", "3004", "--json", "--reader", reader))
    answers = [answer["answer"] for answer in seen["answers"]]
    expect_equal(answers[:3], ["0004040201000f03", "", "cafe0102"], "answers")
    expect_equal(answers[3][16:24], "cafe0102", "page 6")


@check("transceive opens a MIFARE Classic sector and reads a block; a wrong key ends it with 77")
def classic(folder):
    seen = json_object(nfcprog(
        "transceive", "6004FFFFFFFFFFFF", "3004", "--json", "--reader", "sim:classic1k"))
    expect_equal(seen["answer"], "00" * 16, "block 4")
    outcome = nfcprog("transceive", "6004A1A2A3A4A5A6", "3004", "--reader", "sim:classic1k", status=77)
    expect("Command 1 of 2" in outcome.errors and "a1a2a3" not in outcome.errors.lower(), str(outcome))


@check("transceive adds length and IDm to a FeliCa command, and masks the card key in a trace")
def felica(folder):
    trace = folder / "trace.jsonl"
    seen = json_object(nfcprog(
        "transceive", "06010B00018000", "0801090001 8087" + "5A" * 16, "--json", "--trace", trace, "--reader", "sim:felica-lite-s"))
    uid = seen["uid"]
    expect_equal((len(uid), seen["tag"]), (16, "felica-lite-s"), "tag")
    expect_equal(seen["answers"][0]["answer"][:24], "07" + uid + "0000" + "01", "answer")
    expect_equal(seen["answers"][1]["answer"], "09" + uid + "0000", "answer to a write")
    expect("5a" * 16 not in trace.read_text().lower(), "the card key is in the trace")
    whole = "06" + uid + "010b00018000"
    for typed in [whole, f"{len(whole) // 2 + 1:02x}{whole}"]:
        again = json_object(nfcprog("transceive", typed, "--json", "--reader", "sim:felica-lite-s"))
        expect_equal(again["answers"][0], seen["answers"][0], typed)


@check("tags of several technologies: info names all, a known reel sees its own, another waits in vain")
def technologies(folder):
    both = "sim:ntag213+felica-lite-s"
    outcome = nfcprog("info", "--reader", both, status=74)
    expect(outcome.errors.count(":") > 8, str(outcome))
    expect_equal(json_object(nfcprog("info", "--json", "--tag", "ntag213", "--reader", both))["tag"], "ntag213", "tag")
    # What is written must be what was meant: only a known reel may have something beside it.
    named = json_object(nfcprog("write-url", "https://example.com/t/1", "--json", "--reader", both, status=74))["error"]["message"]
    expect(named.count(":") > 8, named)
    nfcprog("write-url", "https://example.com/t/1", "--tag", "ntag213", "--reader", both)
    nfcprog("read", "--tag", "felica-lite-s", "--timeout", "0", "--reader", "sim:ntag213", status=75)
    nfcprog("read", "--tag", "ntag999", "--reader", "sim:ntag213", status=64)


@check("--dry-run sends nothing")
def dry_run(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("info", "--reader", reader)
    before = (folder / "tag.txt").read_bytes()
    seen = json_object(nfcprog("transceive", "A206CAFE0102", "--dry-run", "--json", "--reader", reader))
    expect_equal((seen["result"], seen["answers"]), ("planned", []), "object")
    expect_equal((folder / "tag.txt").read_bytes(), before, "tag file")


@check("apdu to a card of type B that was seen and cannot be selected: it is gone, not without ISO-DEP, 74")
def lost_card(folder):
    for kind, status in ("typeb,typeb=lost", 74), ("typeb,typeb=listed", 77), ("typeb", 77):
        outcome = nfcprog("apdu", "00A4040007D276000085010100", "--timeout", "1", "--reader", f"sim:{kind}", status=status)
        expect("does not speak" not in outcome.errors, str(outcome))
