"""ndeflib decodes the messages that nfcprog encodes, and the other way round."""

import ndef

from support import check, expect_equal, json_object, nfcprog, raw_message, write_message


def decoded(folder, *options):
    """The records that ndeflib's strict decoder sees after `nfcprog write` with `options`."""
    reader = f"sim:ntag216,file={folder / 'tag.txt'}"
    nfcprog("write", *options, "--reader", reader)
    return list(ndef.message_decoder(raw_message(reader, folder), errors="strict"))


@check("ndeflib decodes a URI record")
def uri(folder):
    (record,) = decoded(folder, "--uri", "https://example.com/t/1")
    expect_equal((record.type, record.iri), ("urn:nfc:wkt:U", "https://example.com/t/1"), "record")


@check("ndeflib decodes text records in two languages, in their order")
def text(folder):
    records = decoded(folder, "--text", "Hello", "--lang", "de-CH", "--text", "Grüezi")
    seen = [(record.text, record.language) for record in records]
    expect_equal(seen, [("Hello", "en"), ("Grüezi", "de-CH")], "records")


@check("ndeflib decodes media, external and Android application records in the order of the options")
def order(folder):
    (folder / "data").write_bytes(bytes(range(256)))
    records = decoded(
        folder, "--android-app", "com.example.app", "--external", f"example.com:x=@{folder / 'data'}",
        "--uri", "https://example.com/", "--mime", "text/plain=ok")
    seen = [(record.type, bytes(record.data)) for record in records]
    expect_equal(seen, [
        ("urn:nfc:ext:android.com:pkg", b"com.example.app"),
        ("urn:nfc:ext:example.com:x", bytes(range(256))),
        ("urn:nfc:wkt:U", b"\x04example.com/"),
        ("text/plain", b"ok")], "records")


@check("ndeflib decodes a smart poster with titles and an action")
def smart_poster(folder):
    (record,) = decoded(
        folder, "--smart-poster", "https://example.com/,title=Hi,title:de=Hallo,action=save")
    expect_equal(
        (record.resource.iri, dict(record.titles), record.action),
        ("https://example.com/", {"en": "Hi", "de": "Hallo"}, "save"), "smart poster")


@check("ndeflib decodes a Wi-Fi credential")
def wifi(folder):
    (record,) = decoded(folder, "--wifi", "bench,password=secret12")
    expect_equal(record.type, "application/vnd.wfa.wsc", "type")
    credential = record.get_attribute("credential")
    expect_equal(
        (credential.get_attribute("ssid").value, credential.get_attribute("network-key").value),
        (b"bench", b"secret12"), "credential")


@check("nfcprog names every record that ndeflib encoded")
def encoded(folder):
    records = [
        ndef.UriRecord("tel:+49301234"), ndef.TextRecord("Grüß Gott", "de"),
        ndef.SmartposterRecord("https://example.com/", {"en": "Hi"}, action="exec"),
        ndef.Record("image/png", "icon", b"\x89PNG"), ndef.Record("urn:nfc:ext:example.com:y", "", b"1")]
    message = folder / "message.ndef"
    message.write_bytes(b"".join(ndef.message_encoder(records)))
    reader = f"sim:ntag216,file={folder / 'tag.txt'}"
    written = write_message(reader, message)
    expect_equal(raw_message(reader, folder), message.read_bytes(), "message")
    read = json_object(nfcprog("read", "--json", "--reader", reader))
    expect_equal(read["records"], written["records"], "records read back")
    uri, text, poster, image, external = read["records"]
    expect_equal((uri["tnf"], uri["type"], uri["uri"]), (1, "U", "tel:+49301234"), "URI record")
    expect_equal((text["text"], text["language"]), ("Grüß Gott", "de"), "text record")
    expect_equal((poster["type"], poster["uri"]), ("Sp", "https://example.com/"), "smart poster")
    expect_equal(
        (image["tnf"], image["type"], image["id"], image["payload"]),
        (2, "image/png", "69636f6e", b"\x89PNG".hex()), "media record")
    expect_equal(
        (external["tnf"], external["type"], external["payload"]), (4, "example.com:y", "31"), "external record")


# ndeflib does not join chunks, so it is not asked about them; the three chunks of `abcdefghi`.
@check("nfcprog joins chunks and writes them whole")
def chunks(folder):
    message = folder / "message.ndef"
    message.write_bytes(bytes.fromhex(
        "b20a03746578742f706c61696e616263" "360003646566" "560003676869"))
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    write_message(reader, message)
    (record,) = ndef.message_decoder(raw_message(reader, folder), errors="strict")
    expect_equal((record.type, bytes(record.data)), ("text/plain", b"abcdefghi"), "record")
