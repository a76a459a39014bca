"""Annex C: lists, engines, signatures, program and reference shares behind a run's values."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from monitor.stages import _report_names as names
from monitor.stages._report_text import spelt, when
from monitor.stages.document import records as doc
from monitor.stages.engine_titles import titles_in
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]

_IDENTITY = {"http": "HTTP version", "model_reported": "model, as it says",
             "system_fingerprint": "system fingerprint"}  # fmt: skip
#: References that come from search engines and Wikidata: no table that ships.
_ASKED = ("wikidata", "result_list")
_SOURCE = {
    "name": "name", "citation": "publication", "origin": "origin",
    "year_meaning": "its year is the", "country": "country", "licence": "licence",
    "changed": "changed", "caution": "caution",
}  # fmt: skip


def section(facts: RunFacts, zone: ZoneInfo) -> doc.Section:
    """The annex."""
    run = facts.run
    packages = sorted(run["packages"].items(), key=lambda pair: pair[0].lower())
    job = doc.prose("{job}, `{digest}`", job=run["job"], digest=run["content_hash"])
    body: list[doc.Block] = [
        doc.Heading("Probe lists"),
        doc.table(
            "",
            ["list", "title", "#items", "~language", "~status", "~licence",
             "~SHA-256 of the content"],
            [
                [f"{row['name']}@{row['version']}", row["title"], str(row["n_items"]),
                 row["source_lang"] or "several", row["status"], row["licence"],
                 _code(row["content_hash"])]
                for row in facts.lists
            ],
        ),
        doc.Heading("What answered"),
        doc.Words(
            "As each engine or library says of itself. This is not part of a signature: it is what "
            "may change from run to run."
        ),
        *_engines(facts, zone),
        doc.Heading("Signatures"),
        doc.Words(
            "A signature is the hash of everything of this program that decides a value. Values of "
            "different signatures do not belong in one chart."
        ),
        *(block for row in facts.signatures for block in _signature(row)),
        doc.Heading("Program"),
        doc.Pairs([("monitor", run["code_version"]), *packages, ("job, SHA-256", job)]),
        *_sources(facts),
    ]  # fmt: skip
    return doc.Section(
        "origin", "Annex C: versions and sources", body, "C: versions and sources", is_annex=True
    )


def _code(words: str) -> tuple[doc.Span, ...]:
    return (doc.Span(words, "code"),)


def _engines(facts: RunFacts, zone: ZoneInfo) -> list[doc.Block]:
    """Who answered: each engine with its configuration, and all identities that it showed."""
    grouped: dict[int, list[Row]] = {}
    for row in facts.engines:
        grouped.setdefault(row["id"], []).append(row)
    title = titles_in(facts.run["content"])
    body: list[doc.Block] = []
    for rows in grouped.values():
        first = rows[0]
        pairs: list[tuple[doc.Prose, doc.Prose]] = [
            ("engine", doc.prose("`{name}` ({kind})", name=first["name"], kind=first["kind"])),
            ("surface", first["surface"]),
            ("configuration", _configuration(first["config"])),
        ]
        for row in rows:
            pairs += _identity(row, zone)
        body += [doc.Heading(title(first["name"]), 4), doc.Pairs(pairs)]
    return body


def _configuration(config: Mapping[str, Any]) -> doc.Prose:
    settings = sorted(config.items(), key=lambda pair: pair[0].lower())
    spans = []
    for name, setting in settings:
        words = setting if isinstance(setting, str) else json.dumps(setting, sort_keys=True)
        spans += [doc.Span("; "), doc.Span(f"{name} = {words}", "code")]
    return spans[1:] or "none"


def _identity(row: Row, zone: ZoneInfo) -> list[tuple[doc.Prose, doc.Prose]]:
    first, last = when(row["first_asked_at"], zone), when(row["last_asked_at"], zone)
    through = f", through the exit {row['egress']}" if row["egress"] else ""
    answered = f"{row['n_exchanges']:,} requests, from {first} to {last}{through}"
    said = sorted(row["identity"].items(), key=lambda pair: (pair[0] not in _IDENTITY, pair[0]))
    pairs: list[tuple[doc.Prose, doc.Prose]] = [
        (_IDENTITY.get(name, name), _code(str(value))) for name, value in said
    ]
    return [("answered", answered), *(pairs or [("identity", "says nothing of itself")])]


def _signature(row: Row) -> Sequence[doc.Block]:
    parts = row["parts"]
    title = f"{parts['measure']}@{parts['measure_version']} on {parts['list']}"
    if "language" in parts:
        title += f", language {parts['language']}@{parts['language_version']}"
    if parts.get("reference"):
        title += f", reference {parts['reference']}"
    listed = sorted(parts.items(), key=lambda pair: pair[0].lower())
    pairs = [(name.replace("_", " "), spelt(part)) for name, part in listed]
    return [doc.Heading(title, 4), doc.Pairs([("signature", _code(row["hash"])), *pairs])]


def _sources(facts: RunFacts) -> list[doc.Block]:
    """Where the reference shares of the run come from, as the shipped table of sources says."""
    used = sorted({row["source"] for row in facts.topics if row["source"]})
    body: list[doc.Block] = [doc.Heading("Reference shares")] if used else []
    for name in used:
        shipped = names.sources().get(name, {})
        row = {"name": name} | shipped
        default = names.reference_title(name) if name in _ASKED else name
        pairs = [(words, str(row[key])) for key, words in _SOURCE.items() if key in row]
        body += [doc.Heading(str(shipped.get("title", default)), 4), doc.Pairs(pairs)]
    return body
