"""`readers`, names for readers, and settings in the environment and in a file."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from support import Difference, Simulation, binary, check, expect, expect_equal, json_object, nfcprog, program


def settings(folder, text):
    """The environment in which `text` is the settings file."""
    (folder / "nfcprog.toml").write_text(text)
    return {"XDG_CONFIG_HOME": str(folder)}


@check("readers --udev-rules prints one rule a line, each for a device")
def udev_rules(folder):
    lines = nfcprog("readers", "--udev-rules").output.splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    expect(any('ATTR{idVendor}=="072f"' in rule for rule in rules), "no rule for the ACR122")
    for rule in rules:
        expect(rule.startswith(("SUBSYSTEM==", "ACTION==", "LABEL=")) and "#" not in rule, rule)
    verifier = shutil.which("udevadm")
    if verifier:
        path = folder / "60-nfcprog.rules"
        path.write_text("\n".join(lines) + "\n")
        outcome = program(verifier, "verify", path)
        expect(outcome.status == 0 or "Unknown command" in outcome.errors, str(outcome))


@check("readers --check READER opens that one alone, by its path, its connstring or its name in the settings")
def one_reader(folder):
    with Simulation("ntag213") as board:
        settings = folder / "nfcprog.toml"
        settings.write_text(f"[readers]\nleft = '{board.port}'\n")
        for name in (board.port, f"pn532_uart:{board.port}", "left"):
            outcome = nfcprog("readers", "--check", name, environment={"NFCPROG_CONFIG": str(settings)})
            expect(board.port in outcome.output and "PN532 v1.6" in outcome.output, str(outcome))
        seen = json_object(nfcprog("readers", "--check", board.port, "--json"))
        expect("firmware" in json.dumps(seen), f"{seen}")
    for words, status, text in ((["/dev/none"], 69, "/dev/none"), (["nobody"], 69, "nobody"), (["sim:ntag213"], 64, "simulated")):
        outcome = nfcprog("readers", "--check", *words, status=status)
        expect(text in outcome.output + outcome.errors, str(outcome))
    nfcprog("readers", "/dev/none", status=64)


@check("a device that is no serial line is called that, 69, whoever has it open")
def no_serial_line(folder):
    with open("/dev/null"):
        outcome = nfcprog("info", "--reader", "pn532_uart:/dev/null", status=69)
    expect("not a serial port" in outcome.errors and "busy" not in outcome.errors, str(outcome))


@check("a reader has the name that the settings file gives it, and its own port behind")
def named_reader(folder):
    # A name of its own: the terminal's may go to another board as soon as this one is gone.
    port = folder / "board"
    with Simulation("ntag213", "--link", port):
        environment = settings(folder, f'[readers]\nleft = "{port}"\n[defaults]\nreader = "left"\n')
        expect("ntag213" in nfcprog("info", environment=environment).output, "by default")
        expect("ntag213" in nfcprog("info", "--reader", "left", environment=environment).output, "by name")
    outcome = nfcprog("info", environment=environment, status=69)
    expect("left" in outcome.errors, str(outcome))


@check("an option counts before the environment, that before the file, that before the default")
def precedence(folder):
    environment = settings(folder, '[defaults]\nreader = "sim:ntag213"\n[commands.info]\njson = true\n')
    expect_equal(json_object(nfcprog("info", environment=environment))["tag"], "ntag213", "the file")
    environment["NFCPROG_READER"] = "sim:ntag215"
    expect_equal(json_object(nfcprog("info", environment=environment))["tag"], "ntag215", "the environment")
    seen = json_object(nfcprog("info", "--reader", "sim:ntag216", environment=environment))
    expect_equal(seen["tag"], "ntag216", "the option")
    environment["NFCPROG_JSON"] = "no"
    outcome = nfcprog("info", environment=environment)
    expect("ntag215" in outcome.output and not outcome.output.startswith("{"), str(outcome))


@check("records in the settings file keep their place in the message")
def records(folder):
    environment = settings(folder, '[commands.write]\nandroid-app = "com.example.app"\n')
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("write", "--uri", "https://example.com/t/1", "--reader", reader, environment=environment)
    seen = json_object(nfcprog("read", "--json", "--reader", reader))
    expect_equal(sorted(record["type"] for record in seen["records"]), ["U", "android.com:pkg"], "records")


@check("settings that mean nothing end every command with 78, name the line, and touch no tag")
def wrong_settings(folder):
    image = folder / "tag.txt"
    for text, words in (
            ("[defaults]\ntimout = 2\n", ["line 2", "timout"]),
            ("[defaults]\n\n\ntimeout = \"soon\"\n", ["line 4", "soon"]),
            ("timeout = 2\n", ["line 1", "timeout"]),
            ("[readers]\nleft = 5\n", ["line 2", "left"]),
            ("[commands.wirte]\nquiet = true\n", ["line 1", "wirte"]),
            ("[defaults]\nquiet = maybe\n", ["line 2"])):
        outcome = nfcprog(
            "write-url", "https://example.com/", "--reader", f"sim:ntag213,file={image}", status=78,
            environment=settings(folder, text))
        for word in words:
            expect(word in outcome.errors, f"{word!r} is missing\n{outcome}")
    outcome = nfcprog("info", "--reader", "sim:ntag213", environment={"NFCPROG_TIMEOUT": "soon"}, status=78)
    expect("NFCPROG_TIMEOUT" in outcome.errors, str(outcome))
    nfcprog("info", environment={"NFCPROG_CONFIG": str(folder / "absent.toml")}, status=78)
    expect(not image.exists(), "the tag was reached")
    expect("USAGE" in nfcprog("--help", environment=settings(folder, "x = 1\n")).output, "help")


@check("a secret in the settings file is repeated by no message")
def secrets(folder):
    environment = settings(folder, '[defaults]\npassword = "c0ffee"\n')
    outcome = nfcprog("info", "--reader", "sim:ntag213", environment=environment, status=78)
    expect("c0ffee" not in outcome.output + outcome.errors, str(outcome))


def completed(script, words):
    """What bash offers behind `words`, divided at colons and equal signs as it divides them."""
    parts = [part for word in words for part in re.findall(r"[:=]|[^:=]+", word)]
    line = " ".join(words)
    commands = (f"source {script}; COMP_WORDS=({' '.join(map(shlex.quote, parts))}); COMP_CWORD={len(parts) - 1}; COMP_LINE={shlex.quote(line)}; "
                f"COMP_POINT={len(line)}; $(complete -p nfcprog | sed 's/.* -F \\([^ ]*\\).*/\\1/') nfcprog {shlex.quote(parts[-1])} {shlex.quote(parts[-2])}; "
                "printf '%s\\n' \"${COMPREPLY[@]}\" \"$COMP_WORDBREAKS\"")
    done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, env=dict(os.environ, PATH=f"{Path(binary()).resolve().parent}:{os.environ['PATH']}"))
    expect(":" in done.stdout.splitlines()[-1], "the script changes how bash divides the words of other programs")
    return done.stdout.split()


@check("completion scripts are made for bash, zsh and fish, and bash takes its own")
def completions(folder):
    for shell in ("bash", "zsh", "fish"):
        script = nfcprog("--generate-completion-script", shell).output
        expect("write-url" in script and "udev-rules" in script, f"{shell}: {script[:300]}")
        if shell == "bash":
            path = folder / "completion"
            path.write_text(script)
            done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, env=os.environ)
            if done.returncode != 0:
                raise Difference(done.stderr)
            for words, wanted in ((["nfcprog", "write-url", "--tag", "ntag21"], "ntag213"), (["nfcprog", "provision", "--tag", "an"], "any"),
                                  (["nfcprog", "info", "--reader", "sim:ntag2"], "ntag213"), (["nfcprog", "info", "--reader", "sim:"], "ntag213"), (["nfcprog", "wri"], "write-url"),
                                  (["nfcprog", "emulate", "--reader", "sim:ph"], "android")):
                expect(any(wanted in word for word in completed(path, words)), f"{words}: {completed(path, words)}")
