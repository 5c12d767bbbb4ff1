"""The problem report: one readable file, for its owner alone, without secrets; and --version."""

import stat

from support import check, expect, expect_equal, json_object, nfcprog


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
    nfcprog("info", "--reader", "sim:classic1k", "--trace", trace, environment=environment)
    report = folder / "report.txt"
    seen = json_object(nfcprog("report-problem", "--json", "--output", report, environment=environment))
    expect_equal((seen["result"], seen["file"], seen["trace"]), ("written", str(report), str(trace)), "object")
    expect_equal(stat.S_IMODE(report.stat().st_mode), 0o600, "mode")
    text = report.read_text()
    for secret in [*secrets.values(), "A1B2C3D4E5F6", "0BADF00D", "CAFED00D"]:
        expect(secret.lower() not in text.lower(), f"{secret} is in the report")
    for word in ["nfcprog 1.", "libnfc ", "timeout = 5", "key = (value left out)", '"command":"4a', "Readers"]:
        expect(word in text, f"{word!r} is not in the report\n{text[:3000]}")


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
