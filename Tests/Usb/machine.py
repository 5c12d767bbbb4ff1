"""A virtual machine with a real kernel and USB, for machines that have none.

QEMU boots the distribution's kernel; this machine's own root file system is the guest's, read-only below a layer
in memory, so every program here runs there. Packages are downloaded and unpacked into .build-usb, nothing is installed.
"""

import itertools
import json
import lzma
import os
import platform
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent.parent / ".build-usb"
MODULES = ["virtio_pci", "virtio_console", "9pnet_virtio", "9p", "overlay", "vhci_hcd",
           "ftdi_sio", "cp210x", "ch341", "pl2303", "cdc_acm"]
LATER = ["pn533_usb"]


class Unavailable(Exception):
    """Why this cannot run here."""


def fetch():
    """Downloads and unpacks what is missing; returns the folder. Raises Unavailable where that cannot be had."""
    if platform.machine() != "x86_64" or not shutil.which("apt-get"):
        raise Unavailable("it needs Debian's packages on x86-64")
    done = CACHE / "done"
    if done.exists():
        return CACHE
    shutil.rmtree(CACHE, ignore_errors=True)
    packages, host, guest = CACHE / "packages", CACHE / "host", CACHE / "guest"
    for folder in (packages / "partial", host, guest):
        folder.mkdir(parents=True)
    print("Downloading a kernel, udev and QEMU with apt-get into .build-usb", flush=True)
    try:
        depends = _run("apt-cache", "depends", "linux-image-amd64").split()
        kernel = next(word for word in depends if word.startswith("linux-image-") and "amd64" in word and "-" in word[12:]
                      and word != "linux-image-amd64")
        _run("apt-get", "download", kernel, "busybox-static", "udev", "libkmod2", "libudev1", cwd=packages)
        for package in packages.glob("*.deb"):
            _run("dpkg-deb", "-x", package, guest)
            package.unlink()
        if not shutil.which("qemu-system-x86_64"):
            _run("apt-get", "install", "-y", "--no-install-recommends", "--download-only", "-o",
                 f"Dir::Cache::archives={packages}", "qemu-system-x86")
            for package in packages.glob("*.deb"):
                _run("dpkg-deb", "-x", package, host)
    except (subprocess.CalledProcessError, StopIteration) as error:
        raise Unavailable(f"packages cannot be downloaded: {getattr(error, 'stderr', error)}") from error
    # On systems where /lib is a link, a folder /lib of the upper layer would hide it.
    for name in ("bin", "sbin", "lib"):
        if (guest / name).is_dir() and not (guest / name).is_symlink():
            shutil.copytree(guest / name, guest / "usr" / name, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(guest / name)
    shutil.rmtree(packages)
    done.touch()
    return CACHE


def _run(*words, **options):
    return subprocess.run(
        [str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        **options).stdout


class Modules:
    """The kernel's modules and what each needs."""

    def __init__(self, root):
        self.files = {}
        for path in root.glob("usr/lib/modules/*/kernel/**/*.ko*"):
            self.files[path.name.split(".ko")[0].replace("-", "_")] = path

    def content(self, name):
        data = self.files[name].read_bytes()
        return lzma.decompress(data) if data[:6] == b"\xfd7zXZ\0" else data

    def closed(self, names):
        """`names` with all that they need, in an order in which they load."""
        order = {}

        def add(name):
            if name in order or name not in self.files:
                return
            data = self.content(name)
            start = data.find(b"\0depends=") + len(b"\0depends=")
            for needed in data[start : data.index(b"\0", start)].decode().split(","):
                if needed:
                    add(needed.replace("-", "_"))
            order[name] = data

        for name in names:
            add(name)
        return order


INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in {modules}; do insmod /modules/$module.ko; done
mount -t tmpfs layer /layer; mkdir /layer/upper /layer/work
options=trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000
mount -t 9p -o $options root /root; mount -t 9p -o $options guest /guest
mount -t overlay -o lowerdir=/guest:/root,upperdir=/layer/upper,workdir=/layer/work overlay /new
mkdir -p /new/proc /new/sys /new/dev /new/tmp /new/run
mount --move /proc /new/proc; mount --move /sys /new/sys; mount --move /dev /new/dev
mount -t tmpfs run /new/run; mount -t tmpfs tmp /new/tmp; chmod 1777 /new/tmp
mkdir /new/dev/pts /new/dev/shm /new/run/modules; mount -t devpts pts /new/dev/pts; mount -t tmpfs shm /new/dev/shm
ln -s /proc/self/fd /new/dev/fd; cp /modules/* /new/run/modules; cp /bin/busybox /new/run/busybox
ifconfig lo 127.0.0.1 up; hostname bench
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
chroot /new /lib/systemd/systemd-udevd --daemon
chroot /new udevadm trigger --action=add; chroot /new udevadm settle --timeout=10
port=$(grep -l '^agent$' /new/sys/class/virtio-ports/*/name | cut -d/ -f6)
exec chroot /new python3 {agent} /dev/$port {nfcprog}
"""


def archive(entries):
    """A cpio archive as the kernel unpacks it (Documentation/driver-api/early-userspace/buffer-format.rst)."""
    data = bytearray()
    for number, (name, mode, content) in enumerate([*entries, ("TRAILER!!!", 0, b"")]):
        path = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(path), 0)
        data += b"070701" + b"".join(b"%08x" % field for field in fields) + path
        data += bytes(-len(data) % 4) + content
        data += bytes(-len(data) % 4)
    return bytes(data)


class Machine:
    """A booted machine; use it in a `with`."""

    def __init__(self, nfcprog):
        self.cache, self.nfcprog = fetch(), nfcprog
        self.folder = Path(tempfile.mkdtemp(prefix="nfcprog-usb-"))
        self.answers, self.news, self.numbers = {}, threading.Condition(), itertools.count(1)

    def __enter__(self):
        guest = self.cache / "guest"
        modules = Modules(guest)
        first, later = modules.closed(MODULES), modules.closed(LATER)
        # Built into the kernel, or loaded by a check.
        self.later = [name for name in later if name not in first]
        folders = ["bin", "dev", "guest", "layer", "modules", "new", "proc", "root", "sys"]
        init = INIT.format(modules=" ".join(first), agent=HERE / "agent.py", nfcprog=self.nfcprog)
        busybox = next(path for path in (guest / "usr/bin/busybox", guest / "usr/sbin/busybox") if path.exists())
        entries = [(name, 0o040755, b"") for name in folders]
        entries += [("bin/busybox", 0o100755, busybox.read_bytes()), ("init", 0o100755, init.encode())]
        entries += [(f"modules/{name}.ko", 0o100644, data) for name, data in {**later, **first}.items()]
        (self.folder / "initrd").write_bytes(archive(entries))
        self._boot(next(guest.glob("boot/vmlinuz-*")))
        return self

    def _boot(self, kernel):
        environment, words = dict(os.environ), [shutil.which("qemu-system-x86_64")]
        if not words[0]:
            host = self.cache / "host"
            words = [str(host / "usr/bin/qemu-system-x86_64"), "-L", str(host / "usr/share/qemu"),
                     "-L", str(host / "usr/share/seabios")]
            environment["LD_LIBRARY_PATH"] = ":".join(
                str(host / name / "x86_64-linux-gnu") for name in ("usr/lib", "lib"))
        # KVM inside another virtual machine does not always run a stock kernel: it is used where asked for.
        accelerator = os.environ.get("NFCPROG_USB_ACCELERATOR", "tcg")
        words += ["-machine", f"q35,accel={accelerator}", "-cpu", "max", "-m", "1024", "-nodefaults", "-display", "none",
                  "-no-reboot", "-kernel", str(kernel), "-initrd", str(self.folder / "initrd"),
                  "-append", "console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check",
                  "-serial", f"file:{self.folder}/console",
                  "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent,name=agent",
                  "-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off"]
        for name, path in (("root", "/"), ("guest", self.cache / "guest")):
            words += ["-fsdev", f"local,id={name},path={path},security_model=none,readonly=on,multidevs=remap",
                      "-device", f"virtio-9p-pci,fsdev={name},mount_tag={name}"]
        self.process = subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stderr=open(self.folder / "errors", "w"))
        deadline = time.monotonic() + 20
        while True:
            try:
                self.line = socket.socket(socket.AF_UNIX)
                self.line.connect(str(self.folder / "agent"))
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Unavailable("QEMU does not start: " + self._text("errors")) from None
                time.sleep(0.05)
        threading.Thread(target=self._listen, daemon=True).start()
        if self._answer(0, 120) is None:
            raise Unavailable("the machine does not come up:\n" + self._text("console")[-2000:])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _text(self, name):
        return (self.folder / name).read_text(errors="replace")

    def _listen(self):
        try:
            for line in self.line.makefile("rb"):
                answer = json.loads(line)
                with self.news:
                    self.answers[answer["id"]] = answer
                    self.news.notify_all()
        except (OSError, ValueError):
            pass

    def _answer(self, number, limit):
        with self.news:
            self.news.wait_for(lambda: number in self.answers or self.process.poll() is not None, limit)
            return self.answers.pop(number, None)

    def order(self, verb, within=60, **words):
        number = next(self.numbers)
        self.line.sendall(json.dumps({"id": number, "do": verb, "with": words}).encode() + b"\n")
        answer = self._answer(number, within)
        if answer is None or "error" in answer:
            raise RuntimeError(f"{verb} {words}: {answer}")
        return answer

    # What checks use.

    def plug(self, socket, kind, *tags, patience=None):
        """Puts a device into a socket, and waits until udev is done with it."""
        self.order("plug", socket=socket, kind=kind, tags=tags, patience=patience)
        time.sleep(0.5)
        self.run("udevadm", "settle", "--timeout=20")

    def unplug(self, socket):
        self.order("unplug", socket=socket)
        self.run("udevadm", "settle", "--timeout=20")

    def start(self, *words, **options):
        name = f"program {next(self.numbers)}"
        self.order("start", name=name, words=[str(word) for word in words], **options)
        return name

    def wait(self, name, limit=60):
        """Status (None when it had to be killed), output, errors."""
        answer = self.order("wait", limit + 10, name=name, limit=limit)
        return answer["status"], answer["output"], answer["errors"]

    def signal(self, name, number):
        self.order("signal", name=name, number=number)

    def run(self, *words, limit=60, **options):
        return self.wait(self.start(*words, **options), limit)

    def load(self):
        """Loads the kernel's own NFC drivers."""
        for module in self.later:
            self.run("/run/busybox", "insmod", f"/run/modules/{module}.ko")

    def unload(self):
        for module in reversed(self.later):
            self.run("/run/busybox", "rmmod", module)
