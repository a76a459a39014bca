"""Build the container image and run its daemon: `python -m tests.image` (Linux, as root).

The image is built by podman from docs/deploy/Dockerfile; `--bootstrap` makes its base with
debootstrap, where registries of images cannot be reached. The daemon then runs from the image as
its user, without capabilities, on a read-only file system, and is asked by the image's own health
check. The exit code is 1 if something is not as it should be, 3 where a program is missing.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCKERFILE = ROOT / "docs" / "deploy" / "Dockerfile"
#: What a registry stores and a machine downloads: layers, compressed.
MOST_BYTES = 450_000_000
_BUILT = "localhost/gbmonitor"
_PATIENCE = 120
_LACKING = 3
_UNREAD = ("doc", "man", "locale", "info")
#: Mounts "$1" for reading at "$2" with a home "$3"; becomes the user "$4" without rights, in "$5".
_CONTAINER = """
mount --bind "$1" "$2" && mount -o remount,bind,ro "$2"
mount --bind "$3" "$2$5" && mount -t tmpfs tmpfs "$2/tmp"
mount -t proc proc "$2/proc" && mount --rbind /dev "$2/dev"
root=$2 user=$4 home=$5; shift 5
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \\
  --bounding-set=-all --inh-caps=-all sh -c 'cd "$0"; exec "$@"' "$home" "$@"
"""


def say(is_well, what):
    sys.stdout.write(f"{'ok   ' if is_well else 'FAULT'}  {what}\n")
    sys.stdout.flush()
    return [] if is_well else [what]


def podman(store, *words, **how):
    command = ["podman", "--root", str(store), "--storage-driver", "vfs", *map(str, words)]
    return subprocess.run(command, check=True, **how)


def told(store, *words):
    return podman(store, *words, capture_output=True, text=True).stdout.strip()


def bootstrap(store, folder):
    """Make the base of the Dockerfile from Debian's packages, under its name."""
    [name] = set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE))
    release, base = name.rpartition("-")[2], folder / "base"
    packages = "python3,python3-venv,python3-pip,ca-certificates"
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={packages}", release, str(base)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    (base / "usr/bin/python").symlink_to("python3")
    # as in the slim images of Debian: neither manuals nor translations
    unread = "".join(f"path-exclude /usr/share/{part}/*\n" for part in _UNREAD)
    (base / "etc/dpkg/dpkg.cfg.d/slim").write_text(unread)
    # as this machine finds packages: certificates, and where pip looks
    for path in ("/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf"):
        if Path(path).exists():
            shutil.copyfile(path, f"{base}{path}")
    shutil.rmtree(base / "var/cache/apt/archives")
    shutil.rmtree(base / "var/lib/apt/lists")
    for part in _UNREAD:
        shutil.rmtree(base / "usr/share" / part, ignore_errors=True)
    with subprocess.Popen(["tar", "-C", str(base), "-c", "."], stdout=subprocess.PIPE) as packed:
        podman(store, "import", "-", f"docker.io/library/{name}", stdin=packed.stdout)
    shutil.rmtree(base)


def compressed(folder):
    """Bytes of all files of an image, as a layer is compressed."""
    with (
        subprocess.Popen(["tar", "-C", str(folder), "-c", "."], stdout=subprocess.PIPE) as packed,
        subprocess.Popen(["gzip"], stdin=packed.stdout, stdout=subprocess.PIPE) as small,
    ):
        return sum(len(part) for part in iter(lambda: small.stdout.read(1 << 20), b""))


class Container:
    """Runs commands of an image, all on one read-only file system with one home."""

    def __init__(self, image, config, folder):
        self._image, self._folder = image, folder
        self.user = config["User"].partition(":")[0]
        self.environment = dict(word.split("=", 1) for word in config["Env"])
        self.home = folder / "home"
        self.home.mkdir(mode=0o700)
        os.chown(self.home, int(self.user), int(self.user))
        (folder / "root").mkdir()

    def begin(self, *words):
        place = [self._image, self._folder / "root", self.home, self.user]
        arguments = [*map(str, place), self.environment["MONITOR_HOME"], *words]
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-euc", _CONTAINER, "sh", *arguments],
            env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def run(self, *words):
        """(exit code, what it says)."""
        process = self.begin(*words)
        said, _ = process.communicate(timeout=_PATIENCE)
        return process.returncode, said.strip()

    @contextmanager
    def running(self, *words):
        process = self.begin(*words)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


def check_running(container, config):
    """Run the daemon as the image says; gives what is wrong."""
    program = config["Entrypoint"]
    code, said = container.run("id")
    wrong = say((code, f"uid={container.user}" in said) == (0, True), said)
    code, said = container.run("touch", "/opt/monitor/x")
    wrong += say(code != 0, f"the file system cannot be written: {said}")
    code, said = container.run("grep", "-E", "CapEff|NoNewPrivs", "/proc/self/status")
    wrong += say("CapEff:\t0000000000000000" in said, " ".join(said.split()))
    code, said = container.run(*program, "init", ".")
    wrong += say(code == 0, f"monitor init: {said.splitlines()[-1]}")
    for path in (container.home / "jobs").glob("*.toml"):
        path.unlink()
    # podman tells of no health check of an image
    check = json.loads(re.findall(r"^ +CMD (\[.*\])$", DOCKERFILE.read_text(), re.MULTILINE)[0])
    with container.running(*program, *config["Cmd"]) as daemon:
        began = time.monotonic()
        while (code := container.run(*check)[0]) and time.monotonic() - began < _PATIENCE:
            time.sleep(1)
        seconds = time.monotonic() - began
        wrong += say(code == 0, f"health check of the daemon: {code} after {seconds:.0f} s")
        daemon.send_signal(signal.SIGTERM)
        code = daemon.wait(_PATIENCE)
        wrong += say(code == 0, f"the daemon ends: {code}")
    return wrong + say(container.run(*check)[0] != 0, "health check without a daemon fails")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bootstrap", action="store_true", help="make the base by debootstrap")
    chosen = parser.parse_args()
    needed = ["podman", "unshare", "setpriv", *(["debootstrap"] if chosen.bootstrap else [])]
    if lacking := [name for name in needed if not shutil.which(name)]:
        sys.stderr.write(f"the image cannot be built here without {', '.join(lacking)}\n")
        return _LACKING
    if os.getuid():
        sys.stderr.write("the image cannot be built and mounted here but by root\n")
        return _LACKING
    with tempfile.TemporaryDirectory(prefix="image-", dir="/var/tmp") as name:
        folder = Path(name)
        store = folder / "store"
        if chosen.bootstrap:
            bootstrap(store, folder)
        pull = "--pull=never" if chosen.bootstrap else "--pull=missing"
        podman(
            store, "build", "--isolation", "chroot", "--network", "host", pull, "--format",
            "docker", "--layers=false", "--file", DOCKERFILE,
            "--ignorefile", f"{DOCKERFILE}.dockerignore", "--tag", _BUILT, ROOT,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        image = Path(told(store, "image", "mount", _BUILT))
        [facts] = json.loads(told(store, "image", "inspect", _BUILT))
        size = compressed(image)
        wrong = say(size <= MOST_BYTES, f"{size / 1e6:.0f} MB compressed")
        sys.stdout.write(f"       {facts['Size'] / 1e6:.0f} MB unpacked\n")
        config = facts["Config"]
        wrong += check_running(Container(image, config, folder), config)
        podman(store, "image", "unmount", _BUILT, stdout=subprocess.DEVNULL)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
