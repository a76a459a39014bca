"""Answers a second that one worker stores durably on SQLite, and whether its memory stays flat.

The engine answers at once: an instant fetcher in the place of the network, one question a request,
so that what is measured is planning, judging, storing and committing. The disk is synchronised at
every transaction (`synchronous = FULL`).
"""

import json
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench._size import size
from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import Answer, Outcome, Pause, RunKind
from monitor.store import migrations
from monitor.store.database import connect

ITEMS = size(2_000, 50)
BAR = 500.0
STEPS = 10


class Instant:
    """Answers every request at once."""

    def fetch(self, requests):
        index = 0
        for request in requests:
            if isinstance(request, Pause):
                time.sleep(request.seconds)
                continue
            body = json.dumps({"translatedText": f"Estou cansada {index}."}).encode()
            yield (
                index,
                Answer(
                    Outcome.OK,
                    datetime.now(UTC),
                    0.0,
                    status=200,
                    headers=(("content-type", "application/json"),),
                    body=body,
                ),
            )
            index += 1


def job(folder: Path, repeats: int) -> Path:
    """A job of so many questions on an engine of one's own."""
    lists = folder / "lists"
    lists.mkdir(parents=True)
    rows = [f"k{n},I am tired for the {n}th time.,{n % 16 + 1}" for n in range(ITEMS)]
    (lists / "load@1.csv").write_text("\n".join(["key,text,stereotype", *rows]))
    (lists / "load@1.toml").write_text(
        'name = "load"\nversion = 1\nsource_lang = "en"\ntitle = "Load"\n'
        'status = "unvalidated"\nlicence = "CC0-1.0"\n'
    )
    path = folder / "load.toml"
    path.write_text(
        f'name = "load"\ndescription = "Load"\nrepeats = {repeats}\n'
        '[schedule]\ncron = "0 5 * * mon"\n[[lists]]\nname = "load@1"\n'
        '[[engines]]\nname = "libretranslate"\ntargets = ["pt"]\npace = 1000000.0\n'
        'config = { base_url = "http://127.0.0.1:9" }\n'
        '[[measures]]\nname = "masculine_rate"\n'
    )
    return path


def resident() -> float:
    """Megabytes of memory in use."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main(questions: int = 20_000) -> None:
    """Print the rate, and the memory after each tenth."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        audit = load_audit(job(folder, max(1, questions // ITEMS)))
        database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
        migrations.upgrade(database)
        run = pipeline.start(database, audit, RunKind.MANUAL, datetime.now(UTC))
        memory: list[tuple[int, float]] = []

        def progress(_stage, done, planned):
            if done >= len(memory) * planned // STEPS:
                memory.append((done, resident()))

        started = time.perf_counter()
        left = pipeline.ask(database, audit, run, Instant(), progress)
        took = time.perf_counter() - started
        database.close()
    assert left == [], left
    shown = " ".join(f"{megabytes:.0f}" for _, megabytes in memory)
    print(
        f"{questions:,} answers stored durably, each question a request: {questions / took:,.0f}/s "
        f"(bar {BAR:,.0f}); memory after each tenth, MB: {shown}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
