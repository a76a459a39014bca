"""Every page of `monitor serve` under twenty users at once, and the size of the first page.

    python bench/web.py --database postgresql://.../archive [--users 20] [--seconds 60] \
        [--think 1] [--processes 1]

Serves the archive as `monitor serve` does, in `--processes` of its own, and has so many users turn
its pages: each opens a page at random, of a random series, run or answer, waits for it, and looks
at it for `--think` seconds on average (0: never looks, asks on at once). Printed are the median and
the 95th percentile of each page, from the request to the last byte, beside those of a page that
reads nothing (`/login`), which stands for the program and the network alone. With more than 40
users each 40 come from a loopback address of their own, as one address may open 50 connections.

An archive of 10 million answers is made by `bench/nightly.py --database ...`. It has no findings:
their pages are then turned in a smaller one, which is made for it (in `--beside`) and said so.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import _web_findings
from monitor.store.database import connect

BAR = 0.150
#: Seconds with hundreds of users.
MANY_BAR = 1.0
FIRST_BYTES = 200_000
REFERENCE = "/login"
FINDINGS, FINDING = "/changes", "/changes/{id}"
SEED = 20_261_122
SAMPLE = 400
#: Users of one address.
OF_ADDRESS = 40
#: What few answers of a run fit, or none: all of them have to be looked through.
RARE = ("outcome=blocked", "outcome=timeout", "key=none", "target=none", "outcome=unreadable")


def numbers(url):
    """Numbers that pages are about, drawn from the archive."""
    database = connect(url, Path("bodies"))
    draw = random.Random(SEED)  # noqa: S311 - the same pages in each run
    with database.read() as connection:

        def some(sql, **values):
            return [tuple(row) for row in connection.execute(sa.text(sql), values)]

        points = some("SELECT series_id, run_id, id FROM points WHERE is_current ORDER BY id")
        runs = some("SELECT id FROM runs ORDER BY id")
        changes = some("SELECT id FROM changes WHERE is_current ORDER BY id LIMIT 2000")
        (last,) = some("SELECT MAX(id) FROM attempts")
    database.close()

    def few(rows, most):
        return draw.sample(rows, min(most, len(rows)))

    drawn = few(points, SAMPLE)
    answers = [draw.randrange(1, last[0] + 1) for _ in range(SAMPLE)]
    wanted = {
        "/": ["/"],
        "/ of a job": ["/?page=2"],
        "/series": [f"/series?page={page}" for page in range(1, 6)],
        "/series?scope=": [f"/series?scope=&page={page}" for page in (1, 20, 80)],
        "/series/{id}": [f"/series/{series}" for series, _, _ in drawn],
        "/series/{id}/ticks/{run}": [f"/series/{s}/ticks/{run}" for s, run, _ in drawn],
        "/points/{id}": [f"/points/{point}" for _, _, point in drawn],
        FINDINGS: [f"/changes?page={page}" for page in range(1, 6)],
        FINDING: [f"/changes/{one[0]}" for one in few(changes, 200)],
        "/compare": ["/compare"],
        "/professions": ["/professions"],
        "/stereotypes": ["/stereotypes"],
        "/query": ["/query?text=the+nurse+and+the+engineer"],
        "/runs": [f"/runs?page={page}" for page in range(1, 5)],
        "/runs/{id}": [f"/runs/{one[0]}" for one in few(runs, 40)],
        "/runs/{id}/answers": [f"/runs/{one[0]}/answers" for one in few(runs, SAMPLE)],
        "/runs/{id}/answers?...": [
            f"/runs/{one[0]}/answers?{about}" for one in few(runs, SAMPLE) for about in RARE
        ],
        "/evidence/{id}": [f"/evidence/{number}" for number in answers],
        "/methods": ["/methods"],
        "/methods/{measure}": ["/methods/masculine_rate", "/methods/gsr"],
        "/reports": ["/reports"],
        REFERENCE: [REFERENCE],
    }  # fmt: skip
    return {name: some for name, some in wanted.items() if some}  # no change, no page of one


def served(url, log, processes):
    """(process, address) of `monitor serve` of an archive."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MONITOR_")}
    words = ("serve", "--port", "0", "--processes", str(processes))
    process = subprocess.Popen(
        [sys.executable, "-m", "monitor.cli", *words],
        env=environment | {"MONITOR_DATABASE_URL": url}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for line in process.stderr:
        log.append(line)
        if found := re.search(r"serving (http://\S+)/", line):
            return process, found[1]
    raise SystemExit("".join(log))


async def user(client, paths, until, think, draw, took, bad):
    while time.monotonic() < until:
        if think:  # before, as users do not come all at the same moment
            await asyncio.sleep(draw.expovariate(1 / think))
        name = draw.choice(list(paths))
        path = draw.choice(paths[name])
        begun = time.perf_counter()
        answer = await client.get(path)
        took[name].append(time.perf_counter() - begun)
        if answer.status_code != 200:
            bad[f"{name} {answer.status_code}"] += 1


def client_of(address, number):
    """A client of so many users, with a loopback address of its own."""
    limits = httpx.Limits(max_connections=OF_ADDRESS, max_keepalive_connections=OF_ADDRESS)
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{number + 1}", limits=limits)
    return httpx.AsyncClient(base_url=address, timeout=60, transport=transport)


async def load(address, paths, users, seconds, think):
    took, bad = defaultdict(list), defaultdict(int)
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(client_of(address, number))
            for number in range(-(-users // OF_ADDRESS))
        ]
        for name in paths:  # what is made once, as templates are
            await clients[0].get(paths[name][0])
        first = await clients[0].get("/")
        begun = time.monotonic()
        draws = [random.Random(SEED + number) for number in range(users)]  # noqa: S311
        some = [
            user(clients[n // OF_ADDRESS], paths, begun + seconds, think, d, took, bad)
            for n, d in enumerate(draws)
        ]
        await asyncio.gather(*some)
        return took, bad, len(first.content), time.monotonic() - begun


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def turned(url, paths, chosen):
    """Serves an archive, has users turn these pages, and prints how long each took."""
    process, address = served(url, [], chosen.processes)
    try:
        result = asyncio.run(load(address, paths, chosen.users, chosen.seconds, chosen.think))
    finally:
        process.terminate()
        process.wait()
    took, bad, first, seconds = result
    n = sum(map(len, took.values()))
    reference = statistics.median(took[REFERENCE])
    looks = f"looking for {chosen.think:g} s each" if chosen.think else "asking on at once"
    busy = os.getloadavg()[0]
    print(f"{chosen.users} users {looks}, {n / seconds:.0f} pages a second; load {busy:.1f}")
    bar = BAR if chosen.users <= OF_ADDRESS else MANY_BAR
    print(f"{'page':28}{'n':>6}{'median ms':>11}{'95 % ms':>9}{'x login':>9}  bar {bar * 1000:.0f}")
    for name in paths:
        if took[name]:
            p95, middle = percentile(took[name], 0.95), statistics.median(took[name])
            said = f"{middle / reference:>9.1f}  {'met' if p95 < bar else 'MISSED'}"
            print(f"{name:28}{len(took[name]):>6}{middle * 1000:>11.1f}{p95 * 1000:>9.1f}{said}")
    for what, times in bad.items():
        print(f"not 200: {what}, {times} times")
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", required=True)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--beside", default="",
        help="SQLAlchemy URL of an empty database for findings; a SQLite file if left out",
    )  # fmt: skip
    chosen = parser.parse_args()
    paths = numbers(chosen.database)
    first = turned(chosen.database, paths, chosen)
    said = "met" if first < FIRST_BYTES else "MISSED"
    print(f"first page {first:,} bytes, bar {FIRST_BYTES:,}: {said}")
    if FINDING not in paths:
        with tempfile.TemporaryDirectory() as folder:
            url = chosen.beside or f"sqlite:///{folder}/monitor.db"
            print(f"\nno findings in it; in another one: {_web_findings.fill(url)}")
            turned(url, numbers(url), chosen)


if __name__ == "__main__":
    main()
