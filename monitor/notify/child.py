"""A process of its own that hands one message to Apprise: JSON on standard input and output.

In go {"title", "body", "addresses": [...], "seconds"}, out come the codes of `FAULTS`, one for
each address, empty where it went out. A process, because a server that answers a byte every few
seconds can only be ended with it, and because whatever the libraries in it log, print or raise may
hold an address: all of that ends here.
"""

import json
import logging
import os
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable
from threading import Thread, get_ident
from time import monotonic
from typing import Any

#: What the libraries say of a fault, and what it is. The first that fits counts.
_SIGNS = (
    ("login", r"\b535\b|authentication"),
    ("unknown_host", r"resolve|getaddrinfo|name or service not known"),
    ("tls", r"certificate|ssl|starttls"),
    ("late", r"timed out"),
    ("unreachable", r"refused|unreachable|reset|aborted|closed|no route"),
)
_STATUS = re.compile(r"\berror=([1-5][0-9]{2})\b")
_FAULT = "Socket Exception: "
#: The path of an address may have any word in it.
_PATH = re.compile(r" with url: .*? \(Caused by ", re.DOTALL)


class _LogLines(logging.Handler):
    """Handler that collects (level, line) of each thread.

    Apprise keeps the lines of one delivery by a handler that comes and goes. Where several threads
    deliver, one that goes makes the logger pass over the next, whose line is lost. This one is the
    first and stays.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._lines: dict[int, list[tuple[str, str]]] = defaultdict(list)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines[get_ident()].append((record.levelname, record.getMessage()))

    def of_this_thread(self) -> list[tuple[str, str]]:
        return self._lines[get_ident()]


_LOG_LINES = _LogLines()


def find_code(logged: Iterable[tuple[str, str]]) -> str:
    """Return the code of a fault by what Apprise logged, as (level, line).

    The message itself, and what a server answered, are in lines that are not looked at.
    """
    faults = []
    for level, line in logged:
        if level == "WARNING" and (status := _STATUS.search(line)):
            return f"http_{status[1]}"
        if line.startswith(_FAULT):
            faults.append(_PATH.sub(" ", line.removeprefix(_FAULT)))
    text = " ".join(faults).lower()
    return next((name for name, pattern in _SIGNS if re.search(pattern, text)), "refused")


def send_to_address(address: str, title: str, body: str) -> str:
    """Send a message to one address; return the code of a fault, empty if none."""
    import apprise  # noqa: PLC0415 - takes a while to import, and is of this process alone

    asset = apprise.AppriseAsset(
        app_id="monitor",
        app_desc="monitor",
        app_url="",
        async_mode=False,
        interpret_emojis=False,
        secure_logging=True,
        service_timeout=0,
        storage_mode=apprise.PersistentStoreMode.MEMORY,
    )
    courier = apprise.Apprise(asset=asset)
    if not courier.add(address):
        return "unusable"
    if courier.notify(
        body=body,
        title=title,
        notify_type=apprise.NotifyType.INFO,
        body_format=apprise.NotifyFormat.TEXT,
    ):
        return ""
    return find_code(_LOG_LINES.of_this_thread())


def send_to_all(addresses: list[str], title: str, body: str, seconds: float) -> list[str]:
    """Send a message to all addresses at once; those without an answer are `late`."""
    codes = ["late"] * len(addresses)

    def one(place: int) -> None:
        try:
            codes[place] = send_to_address(addresses[place], title, body)
        except ImportError:
            codes[place] = "missing"
        except Exception:  # noqa: BLE001 - its words may hold the address
            codes[place] = "broken"

    threads = [Thread(target=one, args=(index,), daemon=True) for index in range(len(addresses))]
    end = monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - monotonic()))
    return list(codes)


def silence_libraries() -> None:
    """Discard what libraries log or warn of."""
    warnings.simplefilter("ignore")
    quiet = logging.getLogger()
    quiet.handlers[:] = [logging.NullHandler()]
    library = logging.getLogger("apprise")
    library.handlers[:] = [_LOG_LINES]
    library.setLevel(logging.DEBUG)  # faults are told apart by lines of this level
    logging.raiseExceptions = False


def main() -> None:
    """Send the message on standard input."""
    silence_libraries()
    request: dict[str, Any] = json.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    json.dump(send_to_all(**request), answers)
    answers.flush()
    os._exit(0)  # threads that hang would be waited for


if __name__ == "__main__":
    main()
