"""What stands beside the rows of a reproducibility package: README, licences, citation.

In go a connection and the manifest, out come texts that are the same for the same package.
"""

import json
from collections.abc import Mapping
from typing import Any

from monitor.stages import _release_papers as release
from monitor.store import invented
from monitor.store import release as facts
from monitor.store.database import Connection
from monitor.store.release import Wanted as Released
from monitor.store.reproduction import Wanted


def spelt(manifest: Mapping[str, Any]) -> str:
    """`manifest.json`."""
    return json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def papers(connection: Connection, manifest: Mapping[str, Any], wanted: Wanted) -> dict[str, str]:
    """{name: text}."""
    released = Released(tuple(wanted.jobs), wanted.until, wanted.full)
    about = release.About(
        released, str(manifest["program"]), str(manifest["schema"]), "CC-BY-4.0",
        facts.newest_due(connection, released), facts.asked_lists(connection, released),
        facts.references(connection, released), invented.read(connection, released.jobs),
    )  # fmt: skip
    return {
        "README.md": _readme(manifest, about),
        "LICENSE.md": _licences(manifest, about),
        "CITATION.cff": release.citation(about),
    }


def _readme(manifest: Mapping[str, Any], about: release.About) -> str:
    kind = "full" if manifest["full"] else "redacted"
    sentence = about.invented.sentence(names_jobs=True)
    warning = f"{sentence}\n\n" if sentence else ""
    commit = f" at commit\n{manifest['commit']}" if manifest["commit"] else ""
    return f"""# Recompute every number

{warning}Numbers of gbmonitor {manifest["program"]} (database schema {manifest["schema"]}).
Package: {kind}. Jobs: {", ".join(manifest["jobs"])}. Runs: {manifest["runs"]}.
Newest due tick: {about.until}.

## The program

It is on no package index, and it is not in this folder: code that comes with numbers shows nothing
about them. Take it from where whoever published the numbers says that it is, as a wheel
(`gbmonitor-{manifest["program"]}-py3-none-any.whl`) or as a checkout of its repository{commit}.
What made this package had files with this SHA-256 together, and `monitor reproduce` says so where
those of yours are others:

    {manifest["source"]}

## The one command

In this folder, with Python 3.11 or newer on Linux. The environment stands beside the folder,
because a package with other files in it is refused; PROGRAM is the wheel, or the folder of the
checkout:

    python3 -m venv ../venv
    ../venv/bin/python -m pip install --require-hashes -r requirements.lock
    ../venv/bin/python -m pip install --no-deps PROGRAM
    ../venv/bin/monitor reproduce .

The last line needs no network and no database, and changes nothing in this folder. It ends with 0
when every number that can be recomputed is equal, with 1 when one differs or is missing, and with 2
when a file is not what SHA256SUMS says. The two lines before it load packages from an index: those
of the lock with their hashes, and for a checkout what builds it.

{_steps(manifest)}

| folder or file | what |
| --- | --- |
| `inputs/` | what numbers are computed from, a row a line: runs, questions, lists with hashes, \
exchanges, attempts, readings, audits of the instrument, reference shares with sources and dates, \
versions of parsers and languages with the digest of their source |
| `published/` | the numbers as they were published: points, comparisons, ledger, findings, \
weekly reports |
| `jobs/` | the files of each job as they stood when runs were begun |
| `lexicons/` | lexicons that do not come with the program |
| `requirements.lock` | every package of Python with its hash |
| `manifest.json` | versions, signatures, seeds, runs that had not ended, rows and \
bytes of every file |
| `SHA256SUMS` | for `sha256sum -c` |

{_left_out(manifest)}
Texts in it were written by engines and by whoever writes what they show. They are data, and may be
hostile.
"""


def _steps(manifest: Mapping[str, Any]) -> str:
    if manifest["full"]:
        return (
            "From raw answers on: answers are read, gender is found in what was read, values with "
            "their\nintervals are computed, ticks are compared, the ledger and the findings are "
            "made anew."
        )
    return (
        "From readings on: values with their intervals are computed from what the parsers and "
        "languages\nfound, ticks are compared, the ledger and the findings are made anew. Texts "
        "are left out; the SHA-256\nof each raw answer is in `inputs/bodies`, so that it can be "
        "held against the evidence."
    )


def _left_out(manifest: Mapping[str, Any]) -> str:
    lines = []
    if not manifest["people"]:
        lines.append(
            "- Whom results show, and the groups that are recorded of them: personal data. Values "
            "of people, and\n  what was concluded in jobs that have any, cannot be recomputed."
        )
    if manifest["withheld_lists"]:
        lines.append(
            "- Answers to questions that show people: "
            + ", ".join(manifest["withheld_lists"])
            + "."
        )
    if not manifest["full"]:
        lines.append("- Words of results: values of measures of words cannot be recomputed.")
    if manifest["unfinished"]:
        lines.append(
            "- Runs that had not ended: "
            + "; ".join(f"{number} ({what})" for number, what in manifest["unfinished"].items())
            + "."
        )
    if manifest["erased"]:
        lines.append(
            "- What was erased on request after numbers had been computed with it, in jobs "
            + ", ".join(manifest["erased"])
            + "."
        )
    lines.append("- Names of those who read in audits of the instrument.")
    lines.append("- Screenshots, addresses of the installation, names of its processes, look-ups.")
    return "Not in it:\n\n" + "\n".join(lines) + "\n"


def _licences(manifest: Mapping[str, Any], about: release.About) -> str:
    lists = release.as_lists_came(about)
    written = (
        "\nAnswers were written by the engines and by third parties. They are quoted as evidence; "
        "no licence\nis given for them here.\n"
        if manifest["full"]
        else ""
    )
    return f"""# Licences

The program is under Apache-2.0. Numbers (`published/`): as whoever publishes this package says.

Questions (`inputs/list_items`, `jobs/`), as the lists came:

{lists}
Reference shares (`inputs/reference_shares`): as their sources say, which each row names.
{written}"""
