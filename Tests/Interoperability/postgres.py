"""PostgreSQL for checks: the distribution's, in a folder of its own on loopback; and a network that can be cut."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from support import Difference, alone, shared_folder

# With the characters that mean something in an address.
PASSWORD = "s3cret/of:the@bench"
ESCAPED = "s3cret%2Fof%3Athe%40bench"


def programs():
    """Where initdb is; a check that needs it fails loudly without."""
    roots = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    roots += [Path(path) for path in ("/opt/homebrew/opt/postgresql/bin/initdb",) if Path(path).exists()]
    if not roots:
        raise Difference("PostgreSQL is not installed (Debian: postgresql; Tests/prepare --peers installs it): pools are NOT tested")
    return roots[-1].parent


class Database:
    """A server with the database `orders` and the user `bench`, who comes over TCP with a password."""

    def __init__(self, libraries=()):
        """`libraries`: what the server loads beside itself, to measure with."""
        self.bin, self.libraries = programs(), libraries
        # The server's user has to get there.
        self.folder = Path(tempfile.mkdtemp(prefix="nfcprog-pg-", dir="/tmp"))
        self.folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.copy_template()
        for attempt in range(5):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
            try:
                self.start()
                break
            except subprocess.CalledProcessError:
                # Another program has taken the port meanwhile.
                if attempt == 4:
                    raise
        # As the owner, over the socket.
        self.owner = f"postgresql:///orders?host={self.folder}&port={self.port}&user=owner"

    def copy_template(self):
        """Takes the files of a server that has the database and the users, which the first of a run makes for all."""
        template = shared_folder() / "postgres"
        with alone("postgres"):
            if not template.exists():
                self.command("initdb", "-D", self.folder / "data", "-U", "owner", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
                self.write("data/pg_hba.conf", "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
                # With one process and no network, so that it needs no port.
                self.command("postgres", "--single", "-D", self.folder / "data", "postgres", input=(
                    f"CREATE ROLE bench LOGIN PASSWORD '{PASSWORD}'\nCREATE ROLE viewer LOGIN PASSWORD '{PASSWORD}'\n"
                    "CREATE DATABASE orders\n"))
                # Whole or not there.
                self.command("cp", "-a", self.folder / "data", self.folder / "whole")
                shutil.move(self.folder / "whole", template)
                return
        self.command("cp", "-a", template, self.folder / "data")

    def write(self, name, text):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_text(text)
        if os.geteuid() == 0:
            shutil.chown(path, "postgres")

    def command(self, program, *words, input=""):
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        path = self.bin / program
        with open(self.folder.with_suffix(".log"), "a") as log:
            subprocess.run(
                [*user, path if path.exists() else program, *map(str, words)], check=True, cwd="/", stdout=log, stderr=log, text=True,
                input=input)

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c max_connections=200"
        if self.libraries:
            options += f" -c shared_preload_libraries={','.join(self.libraries)}"
        self.command("pg_ctl", "-D", self.folder / "data", "-w", "-t", "60", "-l", self.folder / "log", "-o", options, "start")

    def kill(self):
        """As a power cut does, with all its processes."""
        number = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        os.kill(number, signal.SIGKILL)

    def crash(self):
        """Kills it and starts it again."""
        self.kill()
        self.revive()

    def revive(self):
        """Starts it again after it was killed."""
        for attempt in range(40):
            time.sleep(0.2)
            try:
                return self.start()
            except subprocess.CalledProcessError:
                if attempt == 39:
                    raise

    def sql(self, text, database="orders"):
        done = subprocess.run(
            [self.bin / "psql", "-h", self.folder, "-p", str(self.port), "-U", "owner", "-d", database, "-Atqc", text],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise Difference(f"psql: {done.stderr}")
        return done.stdout.strip()

    def address(self, batch, port=None, user="bench"):
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/orders?batch={batch}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.command("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.with_suffix(".log").unlink(missing_ok=True)


class Network:
    """A TCP proxy between a bench and the database. Cut, it closes what is open, or swallows it in silence, or the answer to one COMMIT."""

    def __init__(self, target):
        self.target, self.sockets, self.lock = target, [], threading.Lock()
        self.mode = "good"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def cut(self, silently=False):
        with self.lock:
            self.mode = "silent" if silently else "cut"
            if not silently:
                self.close()

    def lose_commit(self):
        """The next batch or rows that are loaded arrive, and whoever sends them does not hear of it."""
        self.mode = "commit"

    def heal(self):
        with self.lock:
            # What was swallowed is gone, and both ends have to notice.
            self.close()
            self.mode = "good"

    def close(self):
        for end in self.sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.sockets = []

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            with self.lock:
                if self.mode == "cut":
                    near.close()
                    continue
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    near.close()
                    continue
                self.sockets += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self.pump, args=ends, daemon=True).start()

    def pump(self, source, sink):
        loads = False
        try:
            while data := source.recv(65536):
                loads = loads or b"COPY nfcprog.job" in data
                is_last = self.mode == "commit" and loads and b"COMMIT" in data
                if is_last:
                    self.mode = "good"
                    source.shutdown(socket.SHUT_RDWR)
                if self.mode in ("good", "commit"):
                    sink.sendall(data)
                if is_last:
                    time.sleep(0.5)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
