"""Runs PostgreSQL's own programs that copy a database and put a copy back.

In goes how a database is reached, out comes a file, or a database. A password is handed over in the
environment of the program; on a command line every user of the machine could read it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from monitor.model import MissingPart, StoreProblem

_PACKAGE = (
    "install PostgreSQL's client programs, of the server's version or newer (Debian: "
    "apt-get install postgresql-client)"
)
_LONGEST = 300
#: Every database has the schema public already, and it belongs to who made the database.
_PUBLIC = re.compile(r" (SCHEMA|(ACL|COMMENT) - SCHEMA) (- )?public( |$)")
_OF_ANOTHER_VERSION = ("server version", "unsupported version")


def dump_schemas(
    conninfo: str,
    password: str,
    snapshot: str,
    goal: Path,
    *,
    schemas: Sequence[str],
    without_rows: str,
) -> None:
    """Write these schemas as they are in a snapshot to a file. Raises MissingPart, StoreProblem."""
    command = [
        _find_program("pg_dump"),
        f"--dbname={conninfo}",
        f"--file={goal}",
        f"--snapshot={snapshot}",
        f"--exclude-table-data={without_rows}",
        *(f"--schema={name}" for name in schemas),
        *("--format=custom", "--no-owner", "--no-privileges", "--no-password"),
    ]
    _run_program(command, password)


def restore_dump(conninfo: str, password: str, source: Path, listing: Path) -> None:
    """Put what `dump` wrote into an empty database, all or nothing.

    `listing` is a file that may be written. Raises MissingPart, StoreProblem.
    """
    program = _find_program("pg_restore")
    content = _run_program([program, "--list", str(source)], "")
    wanted_lines = [line for line in content.splitlines() if not _PUBLIC.search(line)]
    listing.write_text("\n".join(wanted_lines) + "\n", encoding="utf-8")
    command = [
        program,
        f"--dbname={conninfo}",
        f"--use-list={listing}",
        *("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"),
        "--no-password",
        str(source),
    ]
    _run_program(command, password)


def _find_program(name: str) -> str:
    executable = shutil.which(name)
    if executable is None:
        raise MissingPart(f"{name} is not on the path: {_PACKAGE}")
    return executable


def _run_program(command: Sequence[str], password: str) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    if password:
        environment["PGPASSWORD"] = password
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and a fixed program
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise StoreProblem(f"{command[0]}: cannot be run: {error.strerror}") from error
    if done.returncode:
        words = " ".join(done.stderr.split())[:_LONGEST] or f"ended with {done.returncode}"
        if any(sign in words for sign in _OF_ANOTHER_VERSION):
            raise MissingPart(f"{words}: {_PACKAGE}")
        raise StoreProblem(words)
    return done.stdout
