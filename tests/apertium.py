"""A real Apertium server for tests: nothing comes in, the address of `apertium-apy` goes out.

It needs Debian's packages; `available` says which. It runs offline on a free loopback port.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

MODES = Path("/usr/share/apertium/modes")
PAIRS = ("eng-spa", "eng-cat")
INSTALL = "apt-get install apertium-apy apertium-eng-spa apertium-eng-cat"
#: Where one of these is set, tests against the real server fail instead of being skipped.
REQUIRED_BY = ("CI", "MONITOR_REQUIRE_APERTIUM")
_START_SECONDS, _STOP_SECONDS = 20, 5
_TRIES = 3


def available():
    """An empty string, or what is missing and how to install it."""
    missing = [] if shutil.which("apertium-apy") else ["apertium-apy"]
    missing += [pair for pair in PAIRS if not (MODES / f"{pair}.mode").is_file()]
    return f"{', '.join(missing)} not installed; run {INSTALL}" if missing else ""


def require():
    """Skip with the way to install it, or fail where it has to be there."""
    missing = available()
    if not missing:
        return
    if any(os.environ.get(name) for name in REQUIRED_BY):
        pytest.fail(missing)
    pytest.skip(missing)


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def pairs(url):
    """The pairs that a server has, as (source, target)."""
    data = httpx.get(f"{url}/listPairs", timeout=2, trust_env=False).json()["responseData"]
    return {(one["sourceLanguage"], one["targetLanguage"]) for one in data}


def _ready(process, url, log):
    """Wait for the server; False where it ended, because somebody else took the port."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            return False
        with suppress(httpx.HTTPError, ValueError):
            return {tuple(pair.split("-")) for pair in PAIRS} <= pairs(url)
        time.sleep(0.05)
    raise TimeoutError(f"apertium-apy did not answer in {_START_SECONDS} s:\n{log.read_text()}")


def _end(process):
    """End the server and the pipelines that it has started."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, kind)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)


@contextmanager
def serve():
    """Yield the base address of a server that ends with the block, whatever happens in it."""
    with tempfile.TemporaryDirectory(prefix="apertium-") as folder:
        log = Path(folder) / "apy.log"
        for _ in range(_TRIES):
            port = _free_port()
            command = ["apertium-apy", "-p", str(port), "-j", "1", str(MODES)]
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command, cwd=folder, stdout=output, stderr=output, start_new_session=True
                )
            try:
                if _ready(process, f"http://127.0.0.1:{port}", log):
                    yield f"http://127.0.0.1:{port}"
                    return
            finally:
                _end(process)
        raise RuntimeError(f"apertium-apy does not start:\n{log.read_text()}")
