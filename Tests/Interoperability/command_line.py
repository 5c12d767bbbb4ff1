"""nfcprog as a command: exit codes and what stands where."""

from support import check, expect, nfcprog


@check("nfcprog --help explains itself on standard output")
def help_text(folder):
    outcome = nfcprog("--help")
    expect("USAGE: nfcprog" in outcome.output, str(outcome))


@check("an unknown option is a usage error, 64, explained on standard error")
def unknown_option(folder):
    outcome = nfcprog("--frobnicate", status=64)
    expect("--frobnicate" in outcome.errors and outcome.output == "", str(outcome))
