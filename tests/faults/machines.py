"""Collect on machines with bad lines and wrong clocks: `python -m tests.faults.machines`.

A daemon, two workers and PostgreSQL each have a network namespace, a host name and process numbers
of their own (Linux, as root, with iproute2 and a C compiler). All packets to and from the database
pass through this program, which loses or delays them; clocks are set wrong by up to two minutes.
Printed are the faults and everything that was lost or doubled; the exit code is 1 if anything was.
"""

import argparse
import ctypes
import fcntl
import heapq
import os
import random
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests import postgres
from tests.faults import killing, rolling
from tests.faults.killing import until
from tests.faults.soak import Log

DATABASE, SERVICES = "database", "services"
ROLES = ("daemon", "worker-1", "worker-2")
ADDRESSES = {name: f"10.77.0.{n}" for n, name in enumerate((DATABASE, *ROLES, SERVICES), 1)}
MONITOR = Path(sys.executable).with_name("monitor")
_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_CLONE_NEWNET = 0x40000000
_PACKET = 1 << 16
#: Becomes a machine with the name "$0", and then the command.
_MACHINE = 'hostname "$0"; exec "$@"'


@dataclass
class Line:
    """Quality of the line of a machine to the database: share lost, seconds of delay."""

    loss: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True)
class Fault:
    """Something that is wrong at a machine for some seconds."""

    kind: str
    machine: str
    size: float
    seconds: float

    def __str__(self):
        return f"{self.kind} {self.machine} {self.size:+.2f} for {self.seconds:.1f} s"


def faults(seed, count):
    """So many faults of all kinds and machines, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311
    made = []
    for n in range(count):
        kind = ("partition", "loss", "delay", "clock")[n % 4]
        size, longest = {
            "partition": (1.0, 20.0),  # longer than a lease, or shorter
            "loss": (chance.uniform(0.05, 0.4), 8.0),
            "delay": (chance.uniform(0.1, 0.8), 8.0),
            "clock": (chance.uniform(-120, 120), 8.0),
        }[kind]
        machines = ROLES if kind == "clock" else (*ROLES, DATABASE)
        made.append(Fault(kind, chance.choice(machines), size, chance.uniform(1.0, longest)))
    chance.shuffle(made)
    return made


class Network:
    """Namespaces, and a thread that carries packets between them."""

    def __init__(self):
        self._prefix = f"monitor-{os.getpid()}-"
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self.lines = {name: Line() for name in ADDRESSES}
        self.lost = self.carried = 0
        self._chance = random.Random(0)  # noqa: S311
        self._is_over = threading.Event()
        self._wires = {}
        for name, address in ADDRESSES.items():
            self._ip("netns", "add", self.space(name))
            with self.inside(name):
                wire = os.open("/dev/net/tun", os.O_RDWR)
                how = struct.pack("16sH22x", b"line", _IFF_TUN | _IFF_NO_PI)
                fcntl.ioctl(wire, _TUNSETIFF, how)
                os.set_blocking(wire, False)
                self._ip("address", "add", f"{address}/24", "dev", "line")
                for device in ("line", "lo"):
                    self._ip("link", "set", device, "up")
            self._wires[bytes(map(int, address.split(".")))] = name, wire
        self._carrier = threading.Thread(target=self._carry, daemon=True)
        self._carrier.start()

    def _ip(self, *words):
        subprocess.run(["ip", *words], check=True)

    def space(self, name):
        """The namespace of a machine."""
        return self._prefix + name

    @contextmanager
    def inside(self, name):
        """This thread, and what it begins, is on a machine."""
        space = os.open(f"/run/netns/{self.space(name)}", os.O_RDONLY)
        try:
            self._enter(space)
            yield
        finally:
            self._enter(self._home)
            os.close(space)

    def _enter(self, space):
        if self._libc.setns(space, _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "a network namespace cannot be entered")

    def close(self):
        self._is_over.set()
        self._carrier.join()
        for _, wire in self._wires.values():
            os.close(wire)
        for name in ADDRESSES:
            self._ip("netns", "delete", self.space(name))

    def _carry(self):
        waiting, serial = [], 0
        names = {wire: name for name, wire in self._wires.values()}
        while not self._is_over.is_set():
            ready, _, _ = select.select(list(names), [], [], 0.005 if waiting else 0.1)
            for wire in ready:
                packet = os.read(wire, _PACKET)
                if packet[0] >> 4 != 4 or packet[16:20] not in self._wires:
                    continue
                name, there = self._wires[packet[16:20]]
                delay = self._delay({names[wire], name})
                if delay is None:
                    self.lost += 1
                    continue
                serial += 1
                heapq.heappush(waiting, (time.monotonic() + delay, serial, there, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, there, packet = heapq.heappop(waiting)
                with suppress(OSError):  # a machine that takes no more loses it
                    os.write(there, packet)
                    self.carried += 1

    def _delay(self, machines):
        """Seconds until a packet arrives; None where it is lost."""
        if DATABASE not in machines:
            return 0.0
        bad = [self.lines[name] for name in machines]
        if any(self._chance.random() < line.loss for line in bad):
            return None
        return sum(line.delay * self._chance.uniform(0.5, 1.5) for line in bad if line.delay)


class Installation(rolling.Installation):
    """Each role on a machine of its own."""

    roles = ROLES

    def __init__(self, url, home, addresses, network, library):
        name = url.partition("@/")[2].partition("?")[0]
        far = f"postgresql+psycopg://monitor@{ADDRESSES[DATABASE]}/{name}"
        super().__init__(url, home, addresses, far)
        self._network, self._library = network, library
        for role in ROLES:
            self.set_clock(role, 0)
            (home / role).mkdir()

    def prefix(self, role):
        machine = ["unshare", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child"]
        space = ["ip", "netns", "exec", self._network.space(role)]
        return [*space, *machine, "sh", "-c", _MACHINE, role]

    def environment(self, role=""):
        skewed = {
            "LD_PRELOAD": str(self._library),
            "SKEW_FILE": str(self.home / f"{role}.skew"),
            "MONITOR_HOME": str(self.home / role),
        }
        return super().environment() | (skewed if role else {})

    def set_clock(self, role, seconds):
        """The clock of a machine is wrong by so much from now on."""
        (self.home / f"{role}.skew").write_text(f"{seconds:8.0f}")

    def stop(self, role):
        process = self.processes[role]
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
        return process.wait(120)

    def suffer(self, fault):
        """Put a fault on, for its time."""
        line = self._network.lines[fault.machine]
        if fault.kind == "clock":
            self.set_clock(fault.machine, fault.size)
        elif fault.kind == "delay":
            line.delay = fault.size
        else:
            line.loss = fault.size
        time.sleep(fault.seconds)
        line.loss = line.delay = 0.0


def run(here, network, wanted, log):
    """Collect under these faults; gives what was seen."""
    watch = rolling.Watch(here, log)
    assert here.command(MONITOR, "init", str(here.home / "starter"))[0] == 0
    for role in ROLES:
        here.start(role, MONITOR)
    until(lambda: rolling.ended(here, "2000-01-01"), "a tick of each job", 300)
    for number, fault in enumerate(wanted, 1):
        [(answers,)] = here.select("SELECT COUNT(*) FROM exchanges")
        log(f"{number:3}  {fault}  ({answers} answers)")
        here.suffer(fault)
    for role in ROLES:
        here.set_clock(role, 0)
    log("lines and clocks are well again")
    now = datetime.now(UTC)
    until(lambda: rolling.ended(here, now), "ticks after the faults", 400)
    watch.check(all(one.poll() is None for one in here.processes.values()), "nobody has died")
    watch.finish()
    with network.inside(SERVICES):
        watch.everything(MONITOR, len(wanted), ("missed", "overlapped"))
    events = dict(here.select("SELECT kind, COUNT(*) FROM events GROUP BY 1"))
    log(f"events: {events}")
    log(f"packets carried {network.carried}, lost {network.lost}")
    return watch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", default="1", help="of kinds, machines and moments")
    parser.add_argument("--output", type=Path, default=Path("out/machines.md"))
    chosen = parser.parse_args()
    log = Log(chosen.output)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="machines-")))
        library = folder / "skew.so"
        source = Path(__file__).with_name("skew.c")
        compiler = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
        subprocess.run(compiler, check=True)
        network = stack.enter_context(closing(Network()))
        with network.inside(SERVICES):
            addresses = stack.enter_context(killing.services(host=ADDRESSES[SERVICES]))
        with network.inside(DATABASE):
            settings = {"listen_addresses": ADDRESSES[DATABASE]}
            server = stack.enter_context(postgres.running(**settings))
        with (server.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.77.0.0/24 trust\n")
        server.execute("SELECT pg_reload_conf()")
        home = folder / "home"
        home.mkdir()
        url = server.url(server.create())
        here = Installation(url, home, addresses, network, library)
        wanted = faults(chosen.seed, chosen.faults)
        with closing(here):
            try:
                watch = run(here, network, wanted, log)
            except BaseException as error:
                for role in ROLES:
                    error.add_note(f"--- {role}\n{here.said(role)[-3000:]}")
                raise
            if watch.faults:
                for role in ROLES:
                    log(f"--- {role}\n{here.said(role)[-3000:]}")
        kinds = Counter(fault.kind for fault in wanted)
        log(f"{len(wanted)} faults ({dict(kinds)}); {len(watch.faults) or 'nothing'} amiss")
    return 1 if watch.faults else 0


if __name__ == "__main__":
    sys.exit(main())
