"""Benches on a pool of jobs in PostgreSQL, each with a disk of its own."""

import os
import subprocess

from hubs import SECRET
from series import addresses, holding
from support import binary, expect, expect_equal


def variables(folder, bench):
    """A bench's own disk, and its password where libpq looks for it."""
    return {"XDG_STATE_HOME": str(folder / f"state{bench}"), **SECRET}


def start(folder, bench, words):
    values = {name: value for name, value in os.environ.items() if name != "NFCPROG_READER"}
    values.update(variables(folder, bench), SWIFT_BACKTRACE="enable=no", XDG_CONFIG_HOME="/nonexistent")
    return subprocess.Popen(
        [binary(), "provision", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=values)


def expect_pool(database, folder, batch, count):
    """Every job is on exactly one tag by the tags' own memories, and the pool says which."""
    found = holding(folder / "tags")
    expect_equal(set(found), addresses(count), "codes on tags")
    doubled = {address: tags for address, tags in found.items() if len(tags) > 1}
    expect(not doubled, f"on more than one tag: {doubled}")
    rows = database.sql(
        f"SELECT uri || ' ' || encode(uid, 'hex') FROM nfcprog.job JOIN nfcprog.batch ON batch.id = batch WHERE batch.name = '{batch}' AND state = 'written'")
    written = dict(row.split() for row in rows.splitlines())
    expect_equal(written, {address: tags[0] for address, tags in found.items()}, "the pool")
