"""Cost of a daemon that has nothing to do: `python bench/idle.py [JOBS] [SECONDS]`.

It watches 200 jobs that are due once a year. Processor time and memory are read from /proc, over
two minutes after the start; bars: under 1 % of a core, under 150 MB.
"""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
JOB = """\
name = "idle-{n:03}"
description = "Is due once a year"

[schedule]
cron = "{minute} {hour} 1 jan *"

[[lists]]
name = "idle@1"

[[engines]]
name = "firefox_translations"
targets = ["pt"]

[[measures]]
name = "masculine_rate"
"""
HEADER = """\
name = "idle"
version = 1
source_lang = "en"
title = "Sentences"
status = "unvalidated"
licence = "CC0-1.0"
"""


def write_jobs(folder: Path, count: int) -> None:
    (folder / "lists").mkdir(parents=True)
    (folder / "lists" / "idle@1.toml").write_text(HEADER, encoding="utf-8")
    with (folder / "lists" / "idle@1.csv").open("w", encoding="utf-8", newline="") as handle:
        rows = csv.writer(handle)
        rows.writerow(["key", "text", "stereotype"])
        rows.writerows([f"s{n}", f"I am tired {n}.", str(n % 16 + 1)] for n in range(64))
    for n in range(count):
        text = JOB.format(n=n, minute=n % 60, hour=n // 60)
        (folder / f"idle-{n:03}.toml").write_text(text, encoding="utf-8")


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(pid: int, key: str) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key)) / 1024


def settle(pid: int) -> None:
    """Wait for what is done once: the first look at alarms reckons all schedules for the day."""
    before = -1.0
    while (now := processor_seconds(pid)) - before > 0.1:
        before = now
        time.sleep(3)


def main(count: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        write_jobs(home / "watched", count)
        environment = os.environ | {"MONITOR_HOME": name}
        run = [sys.executable, "-m", "monitor.cli"]
        subprocess.run([*run, "init", name], env=environment, check=True, capture_output=True)
        started = time.monotonic()
        daemon = subprocess.Popen(
            [*run, "daemon", "--jobs", str(home / "watched")],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            print(daemon.stderr.readline().strip())
            print(f"started in {time.monotonic() - started:.1f} s")
            settle(daemon.pid)
            before, at = processor_seconds(daemon.pid), time.monotonic()
            time.sleep(seconds)
            used = processor_seconds(daemon.pid) - before
            share = 100 * used / (time.monotonic() - at)
            now, most = (megabytes(daemon.pid, key) for key in ("VmRSS", "VmHWM"))
        finally:
            daemon.send_signal(signal.SIGTERM)
            code = daemon.wait(30)
    met = share < 1 and now < 150
    print(f"{share:.2f} % of a core, {now:.0f} MB now, {most:.0f} MB at most; ended with {code}")
    print("bars (1 %, 150 MB): " + ("met" if met else "MISSED"))


if __name__ == "__main__":
    numbers = [float(argument) for argument in sys.argv[1:]]
    main(int(numbers[0]) if numbers else 200, numbers[1] if len(numbers) > 1 else 120.0)
