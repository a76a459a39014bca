"""Speed of what users wait for, each beside a named reference measured in the same run.

`make bench` prints a table: what, ours, reference, ratio, bar. It changes nothing outside a
temporary folder and needs no network.
"""

import csv
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import browser  # beside this file
import collect
import fairness
import gsr
import lexicon
import pages
import plan
import workers

from bench._size import SHORT, size
from monitor import pipeline, registry
from monitor.fetch.local import LocalFetcher
from monitor.jobs import load_audit
from monitor.model import Cue, RunKind
from monitor.store import migrations
from monitor.store.database import connect

ROOT = Path(__file__).parent.parent
JOB = ROOT / "jobs" / "demo.toml"
ROUNDS = size(3, 1)
TEXTS, SIGNAL_ROUNDS = size(20_000, 100), size(5, 1)


def timed(function) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def cpu_time(function) -> float:
    started = time.process_time()
    function()
    return time.process_time() - started


def row(what: str, ours: str, reference: str, ratio: str, bar: str, met: bool) -> None:
    print(
        f"{what:<44}{ours:>16}  {reference:<42}{ratio:>10}  {bar:<22}{'met' if met else 'MISSED'}"
    )


def requests_of(audit):
    from monitor.stages.collect.requests import make_batches
    from monitor.stages.jobs.plan import plan_questions
    from monitor.store.collect.evidence import Attempt

    for use, engine in audit.engines:
        attempts = [
            Attempt(number, 0, number, question.probe, question.repeat, 1)
            for number, question in enumerate(plan_questions(audit, use))
        ]
        for group in make_batches(attempts, engine.batch):
            yield engine.request([attempt.probe for attempt in group], use.config)


def job_of(folder: Path) -> Path:
    """Return the demo job, or in a short run a sample of it."""
    if not SHORT:
        return JOB
    shutil.copytree(JOB.parent / "lists", folder / "lists")
    text = re.sub(r'(?m)^(name = "\w+@1")$', r"\1\nsample = 20", JOB.read_text(encoding="utf-8"))
    (folder / "demo.toml").write_text(text, encoding="utf-8")
    return folder / "demo.toml"


def pipeline_overhead(folder: Path) -> None:
    """The whole run against the same translations alone, both with warm processes."""
    audit = load_audit(job_of(folder))
    requests = list(requests_of(audit))
    fetcher = LocalFetcher(folder / "models")
    list(fetcher.fetch(requests[:8]))
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    migrations.upgrade(database)
    now = datetime.now(UTC)
    alone, whole = [], []
    for number in range(ROUNDS):
        alone.append(timed(lambda: list(fetcher.fetch(requests))))

        def run(due_at=now + timedelta(seconds=number)):
            tick = pipeline.start(database, audit, RunKind.MANUAL, due_at)
            pipeline.run(database, audit, tick, fetcher, lambda *_: None)

        whole.append(timed(run))
    fetcher.close()
    database.close()
    # each round's pair ran side by side in time, so load of the machine cancels out
    share = statistics.median(w / a - 1 for w, a in zip(whole, alone, strict=True))
    row(
        "demo run, start-up and report apart",
        f"{statistics.median(whole):.2f} s",
        f"the same translations alone: {statistics.median(alone):.2f} s",
        f"+{share:.1%}",
        "under +20 %",
        share < 0.20,
    )


def start_and_report(folder: Path) -> None:
    """Start-up of the program, its model processes, and rendering the report."""
    monitor = Path(sys.executable).parent / "monitor"
    environment = {"MONITOR_HOME": str(folder), "PATH": "/usr/bin:/bin"}
    report = [monitor, "report", "--output", folder / "report.html"]
    program = timed(lambda: subprocess.run([monitor, "--version"], check=True, capture_output=True))
    fetcher = LocalFetcher(folder / "models")
    first = next(requests_of(load_audit(JOB)))
    pool = timed(lambda: list(fetcher.fetch([first])))
    fetcher.close()
    rendering = timed(
        lambda: subprocess.run(report, check=True, capture_output=True, env=environment)
    )
    total = program + pool + rendering
    parts = f"program {program:.1f}, models {pool:.1f}, report {rendering:.1f}"
    row("start-up and report together", f"{total:.2f} s", parts, "", "under 5 s", total < 5)


def collecting() -> None:
    """Answers over HTTP, each durably committed, beside a bare loop over the same server."""
    ours, bare, ratio = collect.result()
    reference = f"bare httpx loop, 8 in flight, 20 ms: {bare:,.0f}/s"
    met = ratio >= collect.BAR
    row("collecting over HTTP", f"{ours:,.0f}/s", reference, f"{ratio:.1%}", "over 85 %", met)


def pages_in_a_browser() -> None:
    """Result pages with pictures, stored, beside a bare Playwright loop over the same site."""
    ours, bare, ratio = browser.result()
    reference = f"bare Playwright loop, {browser.IN_FLIGHT} open: {bare:.1f}/s"
    met = ratio >= browser.BAR
    row("collecting in a browser", f"{ours:.1f}/s", reference, f"{ratio:.1%}", "over 80 %", met)


def many_workers() -> None:
    """Four workers on PostgreSQL beside one, while no engine has two requests at once."""
    for at_once in workers.AT_ONCE:
        ours, one, overlaps = workers.result(at_once)
        row(
            f"{workers.MANY} workers, {at_once} at once",
            f"{ours:.0f}/s",
            f"one worker: {one:.0f}/s; {overlaps} overlaps",
            f"x{ours / one:.2f}",
            f"over {workers.BAR} times, 0",
            ours / one >= workers.BAR and not overlaps,
        )


def reading_pages() -> None:
    """The slowest result page of about 1 MB, beside the bare tree of the same page."""
    worst, times = pages.result()
    reference = f"bare lexbor tree: {worst / times * 1e3:.1f} ms"
    met = worst <= pages.BAR
    row(
        "reading 1 MB of a page",
        f"{worst * 1e3:.1f} ms",
        reference,
        f"x{times:.1f}",
        "under 60 ms",
        met,
    )


def planning() -> None:
    """Nine languages times 3,565 sentences, from the job file to the last row of the plan."""
    found = plan.result()
    met = found["seconds"] < plan.MOST_SECONDS and found["mb"] < plan.MOST_MB
    held = f"in all {found['mb']:.0f} MB of memory"
    row(
        "planning 32,085 questions", f"{found['seconds']:.2f} s", held, "", "under 2 s, 300 MB", met
    )


def signal_rate(code: str, texts: list[str], bar: int) -> None:
    """Sentences a second on one core, beside the bare tokenisation of the same texts."""
    language = registry.known_language(code)
    word = re.compile(r"\w+|[^\w\s]")
    texts = texts[:TEXTS] * max(1, TEXTS // len(texts))
    # processor time: one core's work, whatever else the machine does meanwhile
    cue = Cue.AGREEMENT if Cue.AGREEMENT in language.cues else Cue.PRONOUN
    repeats = range(SIGNAL_ROUNDS)
    ours = min(cpu_time(lambda: [language.signal(text, cue) for text in texts]) for _ in repeats)
    bare = min(cpu_time(lambda: [word.findall(text) for text in texts]) for _ in repeats)
    rate = len(texts) / ours
    row(
        f"signal, {language.name}",
        f"{rate:,.0f}/s",
        f"splitting into words alone: {len(texts) / bare:,.0f}/s",
        f"x{ours / bare:.1f}",
        f"over {bar:,}/s",
        rate > bar,
    )


def translations(folder: Path) -> list[str]:
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    with database.read() as connection:
        query = "SELECT DISTINCT text FROM answers WHERE text IS NOT NULL ORDER BY text"
        texts = [text for (text,) in connection.exec_driver_sql(query)]
    database.close()
    return texts


def texts_of(code: str, portuguese: list[str]) -> list[str]:
    """Real translations where they are at hand, else the sentences of the language's own tests."""
    if code == "pt":
        return portuguese
    reference = os.environ.get("MONITOR_REFERENCE_DATA", "")
    found = sorted(Path(reference).glob(f"gest/translations/*/{code}.csv")) if reference else []
    found += (ROOT / "tests/languages/data").glob(f"{code}.csv")
    if found:
        column = "translation" if "translations" in str(found[0]) else "text"
        with found[0].open(encoding="utf-8", newline="") as handle:
            return [row[column] for row in csv.DictReader(handle)]
    classes = tomllib.loads((ROOT / "tests/language_classes.toml").read_text(encoding="utf-8"))
    return list(classes[code].values())


def ranked_lists(folder: Path) -> None:
    """GSR and the fairness of ranked lists beside plain loops of the published algorithms."""
    ratio, cached, peak = gsr.result()
    bar = f"over {gsr.RATIO:.0f} times"
    row("GSR from raw text", "", "plain loop", f"x{ratio:.1f}", bar, ratio >= gsr.RATIO)
    row("GSR, words read before", f"{cached:.3f} s", "", "", "under 0.5 s", cached <= gsr.CACHED)
    row("memory of both", f"{peak:.0f} MB", "", "", "under 650 MB", peak <= gsr.MEMORY)
    raw, stored, plain = fairness.result()
    met = plain / raw >= 1.5
    reference = f"plain loop of NFaiRR alone: {plain * 1e3:.0f} ms"
    times = f"x{plain / raw:.1f}"
    row("NFaiRR + TExFAIR", f"{raw * 1e3:.0f} ms", reference, times, "over 1.5 times", met)
    ours = f"{stored * 1e3:.1f} ms"
    row("NFaiRR + TExFAIR, stored counts", ours, "", "", "under 20 ms", stored < 0.02)
    found = lexicon.result(folder)
    reference = f"text into a dictionary: {found['dictionary'] * 1e3:.0f} ms"
    ours, met = f"{found['load'] * 1e3:.0f} ms", found["load"] < lexicon.MOST_SECONDS
    row("loading 400,000 words of a lexicon", ours, reference, "", "under 200 ms", met)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pipeline_overhead(folder)
        start_and_report(folder)
        collecting()
        many_workers()
        pages_in_a_browser()
        reading_pages()
        planning()
        ranked_lists(folder)
        asked = translations(folder)
        for code in registry.discover("languages"):
            signal_rate(code, texts_of(code, asked), 20_000)


if __name__ == "__main__":
    main()
