"""Collecting over HTTP, every answer durably committed, beside a bare httpx loop.

Both ask the same questions, eight in flight, of the same server in a process of its own that
answers after 20 ms. Rounds alternate, so that the load of the machine meets both.
"""

import asyncio
import csv
import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from bench._size import size
from monitor import pipeline
from monitor.fetch.http import HttpFetcher, Way
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store import migrations
from monitor.store.database import connect

QUESTIONS = size(800, 16)
IN_FLIGHT = 8
DELAY = 0.02
ROUNDS = size(5, 1)
BAR = 0.85


@contextmanager
def loopback(delay: float):
    """Yields the port of a server that ends with this block."""
    command = [sys.executable, Path(__file__).parent / "_loopback.py", str(delay)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline())
    finally:
        process.communicate()


def texts(count: int = QUESTIONS) -> list[str]:
    return [f"I am tired for the {number}th time today." for number in range(count)]


async def _bare(port: int) -> None:
    waiting = iter(texts())
    async with httpx.AsyncClient() as client:

        async def ask() -> None:
            for text in waiting:
                body = {"q": text, "source": "en", "target": "pt", "format": "text"}
                answer = await client.post(f"http://127.0.0.1:{port}/translate", json=body)
                answer.raise_for_status()
                json.loads(answer.content)

        await asyncio.gather(*(ask() for _ in range(IN_FLIGHT)))


def write_list(folder: Path, count: int = QUESTIONS, name: str = "bench") -> None:
    """The first version of a list of so many sentences."""
    (folder / "lists").mkdir()
    with (folder / "lists" / f"{name}@1.csv").open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["key", "text", "stereotype"])
        writer.writerows((f"k{n}", text, n % 16 + 1) for n, text in enumerate(texts(count)))
    (folder / "lists" / f"{name}@1.toml").write_text(
        f'name = "{name}"\nversion = 1\nsource_lang = "en"\ntitle = "Bench"\n'
        'status = "unvalidated"\nlicence = "CC0-1.0"\n'
    )


def audit_of(folder: Path, port: int):
    """A job of one list of sentences and one server."""
    write_list(folder)
    (folder / "bench.toml").write_text(
        'name = "bench"\ndescription = "Bench"\n[schedule]\ncron = "0 5 * * mon"\n'
        '[[lists]]\nname = "bench@1"\n[[engines]]\nname = "libretranslate"\ntargets = ["pt"]\n'
        f"pace = 1000000\nin_flight = {IN_FLIGHT}\n"
        f'config = {{ base_url = "http://127.0.0.1:{port}" }}\n'
        '[[measures]]\nname = "masculine_rate"\n'
    )
    return load_audit(folder / "bench.toml")


def rates() -> tuple[list[float], list[float]]:
    """(ours, bare) in requests a second, a pair per round."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as name, loopback(DELAY) as port:
        folder = Path(name)
        audit = audit_of(folder, port)
        database = connect(f"sqlite:///{folder / 'bench.db'}", folder / "bodies")
        migrations.upgrade(database)
        asyncio.run(_bare(port))
        first = datetime.now(UTC)
        for number in range(ROUNDS):
            started = time.perf_counter()
            asyncio.run(_bare(port))
            bare.append(QUESTIONS / (time.perf_counter() - started))
            tick = pipeline.start(
                database, audit, RunKind.MANUAL, first + timedelta(seconds=number)
            )
            started = time.perf_counter()
            pipeline.ask(database, audit, tick, HttpFetcher(Way()), lambda *_: None)
            ours.append(QUESTIONS / (time.perf_counter() - started))
            with database.read() as connection:
                query = "SELECT COUNT(*) FROM exchanges WHERE outcome = 'ok'"
                kept = connection.exec_driver_sql(query).scalar()
            assert kept == QUESTIONS * (number + 1), f"{kept} answers are kept"
        database.close()
    return ours, bare


def result() -> tuple[float, float, float]:
    """(ours, bare, ratio): medians; the ratio is the median of the rounds' own."""
    ours, bare = rates()
    ratio = statistics.median(o / b for o, b in zip(ours, bare, strict=True))
    return statistics.median(ours), statistics.median(bare), ratio


if __name__ == "__main__":
    mine, reference, share = result()
    print(
        f"collecting {mine:,.0f}/s, bare httpx loop {reference:,.0f}/s: {share:.1%} (bar {BAR:.0%})"
    )
