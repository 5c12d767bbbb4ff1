"""Why nfcprog-hub does not start."""

import socket

from hubs import TOKEN, hub_binary, provision, token_file
from postgres import Database
from support import LIMIT, check, expect, nfcprog, program


@check("nfcprog-hub says why it does not start")
def starts(folder):
    path = folder / "line.journal"
    provision(folder, path, 1, "--reader", "sim:ntag213*1").wait(LIMIT)
    readable = token_file(folder, "readable", TOKEN, 0o644)
    short = token_file(folder, "short", "short")
    secret = token_file(folder, "secret", TOKEN)
    (folder / "other").write_text("no journal")
    taken = socket.create_server(("127.0.0.1", 0))
    cases = (
        ([folder / "none.journal"], 66, "There is no journal"),
        ([folder / "other"], 65, "is not a journal"),
        (["postgresql://127.0.0.1:1/none"], 69, ""),
        ([path, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"], 69, "another program listens there"),
        ([path, "--listen", "0.0.0.0:0"], 78, "--token-file"),
        ([path, "--behind-proxy"], 78, "--token-file"),
        ([path, "--token-file", readable], 78, "chmod"),
        ([path, "--token-file", short], 78, "needs 16"),
        ([path, "--token-file", folder / "none"], 66, "cannot be read"),
        ([path, "--listen", "a:b"], 64, "HOST:PORT"),
        ([path, "--listen", "8411"], 64, "write :8411"),
        ([path, "--host", "https://hub.factory.example"], 64, "a name alone"),
        (["postgresql://127.0.0.1:1/none?none=1"], 64, "cannot be read"),
        ([path, "--listen", "0.0.0.0:0", "--token-file", secret], 78, "--behind-proxy"),
        ([], 64, "file|address"),
        ([path, "--journal", path], 64, "one journal"),
        (["--journal", folder / "none.journal"], 66, "There is no journal"),
    )
    for words, status, text in cases:
        outcome = program(hub_binary(), *words)
        expect(outcome.status == status and text in outcome.errors, str(outcome))
        expect(TOKEN not in outcome.output + outcome.errors, "the token is not said")
    taken.close()
    outcome = program(hub_binary(), "--version")
    expect(outcome.status == 0 and outcome.output.startswith("nfcprog-hub "), str(outcome))


@check("nfcprog-hub is started again where the database may let it in later, and not where its batch is not there")
def waits(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        wrong = database.address("A17").replace("bench@", "bench:wr0ng@")
        for address, status, text in ((wrong, 69, "no user bench with this password"), (database.owner + "&batch=A17", 66, "no batch A17")):
            outcome = program(hub_binary(), address)
            expect(outcome.status == status and text in outcome.errors, str(outcome))
            expect("wr0ng" not in outcome.errors, "the password is not said")
