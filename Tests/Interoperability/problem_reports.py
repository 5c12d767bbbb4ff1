"""The problem report: one readable file, for its owner alone, without secrets; and --version."""

import re
import stat

from support import binary, check, expect, expect_equal, json_object, nfcprog, program


@check("report-problem bundles version, readers, settings and the last trace, and no planted secret")
def bundle(folder):
    secrets = {"key": "C0FFEE123456", "password": "DEADBEEF", "aasa": "https://ada:hunter2@example.com/x"}
    settings = folder / "nfcprog.toml"
    settings.write_text("[defaults]\ntimeout = 5\n" + "".join(f'{name} = "{value}"\n' for name, value in secrets.items()))
    environment = {
        "NFCPROG_CONFIG": str(settings), "XDG_STATE_HOME": str(folder / "state"), "NFCPROG_KEYS": "A1B2C3D4E5F6",
        "NFCPROG_SET_PASSWORD": "0BADF00D"}
    trace = folder / "session.trace"
    nfcprog("protect", "--set-password", "CAFED00D", "--reader", "sim:ntag213", "--trace", trace, environment=environment)
    nfcprog("info", "--reader", "sim:classic1k", "--trace", trace, "--force", environment=environment)
    report = folder / "report.txt"
    seen = json_object(nfcprog("report-problem", "--json", "--output", report, environment=environment))
    expect_equal((seen["result"], seen["file"], seen["trace"]), ("written", str(report), str(trace)), "object")
    expect_equal(stat.S_IMODE(report.stat().st_mode), 0o600, "mode")
    text = report.read_text()
    for secret in [*secrets.values(), "A1B2C3D4E5F6", "0BADF00D", "CAFED00D"]:
        expect(secret.lower() not in text.lower(), f"{secret} is in the report")
    for word in ["nfcprog 1.", "libnfc ", "timeout = 5", "key = (value left out)", '"command":"4a', "Readers"]:
        expect(word in text, f"{word!r} is not in the report\n{text[:3000]}")


def holds(text, secret):
    """Whether a text holds a secret in any case, as it stands or as hexadecimal with spaces between."""
    return secret.lower() in text.lower().replace(" ", "") or secret.lower() in text.lower()


@check("report-problem says no key of a series, no password of a row, of a pool or of a board, and no token")
def nothing_secret(folder):
    master, old = "00112233445566778899AABBCCDDEEFF", "A0B1C2D3E4F5"
    keys, token = folder / "series.keys", folder / "hub.token"
    keys.write_text(f"scheme = an10922\nmaster = {master}\n")
    token.write_text("tok3n-of-the-hub-0123456789abcdef")
    for path in (keys, token):
        path.chmod(0o600)
    address = "postgresql://ada:p0stgr3s@db.example/nfc?batch=A17"
    settings = folder / "nfcprog.toml"
    settings.write_text(
        f'[defaults]\ntimeout = 5\n[commands.provision]\njournal = "{address}"\n'
        f'on-result = "curl -H \'Authorization: Bearer {token.read_text()}\' x"\n'
        f'[commands.write-url]\nkeys = "{keys}"\n')
    environment = {
        "NFCPROG_CONFIG": str(settings), "XDG_STATE_HOME": str(folder / "state"), "PGPASSWORD": "pgpassw0rd",
        "NFCPROG_JOURNAL": address, "NFCPROG_HUB_TOKEN": token.read_text(), "NFCPROG_KEYS": old}
    table = folder / "jobs.csv"
    table.write_text("code,password\nA,5EC4E7A1\n")
    exported = folder / "exported.keys"
    trace, report = folder / "session.trace", folder / "report.txt"
    runs = [
        ["provision", table, "--template", "https://example.com/{code}", "--journal", folder / "journal", "--reader", "sim:ntag213"],
        ["provision", "--range", "1..1", "--template", "https://example.com/t?n={code}&e={picc}&c={mac}", "--sdm", "--keys", keys,
         "--journal", folder / "proofs", "--export-keys", exported, "--reader", "sim:ntag424"],
        ["journal", "list", address],
    ]
    for words in runs:
        outcome = program(binary(), *words, *(["--trace", trace, "--force"] if words[0] != "journal" else []), environment={**environment, "NFCPROG_JOURNAL": ""})
        if words[0] != "journal":
            expect_equal(outcome.status, 0, str(outcome))
        nfcprog("report-problem", "--output", report, "--force", environment=environment)
        text = report.read_text()
        derived = re.findall("[0-9A-Fa-f]{32}", exported.read_text()) if exported.exists() else []
        expect(derived or words is not runs[-1], "no key was exported")
        for secret in [*derived, master, old, "p0stgr3s", "pgpassw0rd", token.read_text(), "5EC4E7A1"]:
            expect(not holds(text, secret), f"{secret} is in the report after {words[0]}")
        expect("timeout = 5" in text and "journal = (value left out)" in text, text[:3000])


@check("report-problem takes the trace it is given, and says when that cannot be read, 66")
def named_trace(folder):
    environment = {"XDG_STATE_HOME": str(folder / "state")}
    outcome = nfcprog("report-problem", "--output", "-", environment=environment)
    expect("(nothing)" in outcome.output, str(outcome))
    nfcprog("report-problem", "--output", folder / "a", "--trace", folder / "missing", status=66, environment=environment)
    nfcprog("report-problem", "--output", folder / "no" / "a", status=73, environment=environment)


@check("--version has three lines: version, commit, libnfc's version")
def version(folder):
    lines = nfcprog("--version").output.splitlines()
    expect_equal([line.split()[0] for line in lines], ["nfcprog", "commit", "libnfc"], "lines")
