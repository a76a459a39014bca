"""Reading result pages of about 1 MB: how long, and how many times the bare tree of the same page.

Real captured pages of MONITOR_REFERENCE_DATA where it is set, and one made of this project's own.
The bar is 60 ms for a page of 1 MB.
"""

import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from selectolax.lexbor import LexborHTMLParser

from bench._size import size
from monitor import registry

BAR = 0.060
ROUNDS = size(9, 1)
MEGABYTE = 1_000_000
OWN = Path(__file__).parent.parent / "tests" / "pages" / "google" / "desktop_2025.html"


def padded():
    """A page of 1 MB: its own markup, and scripts as real pages have them."""
    body = OWN.read_bytes()
    script = b"<script>" + b"var x=['\\x3cdiv\\x3e',1,2,3];" * 37_000 + b"</script></body>"
    return body.replace(b"</body>", script[: MEGABYTE - len(body)] + b"</script></body>", 1)


def pages():
    yield "google", "made here", padded()
    folder = os.environ.get("MONITOR_REFERENCE_DATA")
    if not folder:
        return
    for path in sorted(Path(folder, "serps").glob("*/*.html")):
        body = path.read_bytes()
        if 0.9 * MEGABYTE < len(body) < 1.3 * MEGABYTE:
            engine = path.parent.name.removesuffix("-carousel")
            if engine in registry.discover("pages"):
                yield engine, path.name, body


def seconds(call):
    """Median of processor and of wall time."""
    spent = []
    for _ in range(ROUNDS):
        wall, own = perf_counter(), process_time()
        call()
        spent.append((process_time() - own, perf_counter() - wall))
    return median(s for s, _ in spent), median(w for _, w in spent)


def readings():
    """(engine, name, megabytes, seconds of processor time, of wall time, of the bare tree)."""
    for engine, name, body in pages():
        page, source = registry.page(engine), body.decode("utf-8", "replace")
        tree, _ = seconds(lambda: LexborHTMLParser(source))  # noqa: B023
        own, wall = seconds(lambda: page.parse(body))  # noqa: B023
        yield engine, name, len(body) / MEGABYTE, own, wall, tree


def result():
    """(seconds a megabyte of the slowest page, how many times its bare tree)."""
    return max((own / size, own / tree) for _, _, size, own, _, tree in readings())


def main():
    for engine, name, megabytes, own, wall, tree in readings():
        print(
            f"{engine} {name}: {megabytes:.2f} MB in {own * 1e3:.1f} ms of processor time "
            f"({wall * 1e3:.1f} ms), {own / tree:.1f} times a bare lexbor tree"
        )
    worst, _ = result()
    verdict = "met" if worst <= BAR else "MISSED"
    print(f"pages: at most {worst * 1e3:.1f} ms a megabyte (bar {BAR * 1e3:.0f} ms: {verdict})")


if __name__ == "__main__":
    main()
