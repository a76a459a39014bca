"""What a run's job said of its governance: purpose, controller, legal basis, reviews, retention.

Read is the stored content of the job, never the file of today: for the report, for `--json` and
for archives.
"""

from collections.abc import Mapping
from typing import Any

from monitor import governance, parameters, registry
from monitor.governance import Retention
from monitor.model import InvalidInput
from monitor.stages.document.records import Block, Pairs, Section, Words, table

Row = dict[str, Any]

_ASKED_OTHERS = (
    "The job said nothing of governance when this run began, although it names engines that are "
    "not its own. Purpose, controller and legal basis of this run are not known."
)
_ALL_OWN = (
    "The job says nothing of governance and needs not to: all its engines are its own, so that "
    "asking them troubles nobody else."
)
_ASKS_NOBODY = (
    "The job asks nobody: it reads what {jobs} collected. By what right that was asked for stands "
    "in the reports of these jobs."
)
_NO_RUN = (
    "No run of this job has begun so far: what it says of governance, and whether its engines are "
    "those of others, is not known."
)
_TEXTS = ("purpose", "controller", "legal_basis", "contact")
_CLASSES = {
    "answer": "answers",
    "screenshot": "screenshots",
    "lookup": "what was looked up",
    "document": "documents",
}
_WHERE = {"local": "runs in the machine of the audit", "recorded": "recorded before"}


def section(content: Mapping[str, Any]) -> Row:
    """What the report shows of a job's governance; the content is empty where it never began."""
    table = _mapping(content.get("governance"))
    kept = _mapping(table.get("retention"))
    reads = [str(one) for one in _mapping(content.get("corpus")).get("jobs") or ()]
    engines = [] if reads else _engines(content, _mapping(table.get("reviews")))
    return {
        "stated": bool(table),
        "sentence": _sentence(engines, reads, stated=bool(table)) if content else _NO_RUN,
        **{name: str(table.get(name) or "") for name in _TEXTS},
        "contact": str(table.get("contact") or content.get("contact") or ""),
        "foreign": [row for row in engines if not row["own"]],
        "own": [row for row in engines if row["own"]],
        "retention": [
            {"class": name, "title": _CLASSES[name], "days": kept.get(name)}
            for name in Retention.model_fields
        ],
    }


def document_section(content: Mapping[str, Any]) -> Section:
    """The section of the report about a job's governance."""
    stated = section(content)
    body: list[Block] = [Words(stated["sentence"] or "As the job said when the run began.")]
    if stated["stated"]:
        contact = "set on the machine that asked (MONITOR_CONTACT), not in the job"
        said = [
            (
                name.replace("_", " "),
                stated[name] or (contact if name == "contact" else "not stated"),
            )
            for name in _TEXTS
        ]
        kept = [(f"{row['title']}, kept", _duration(row["days"])) for row in stated["retention"]]
        body.append(Pairs([*said, *kept, ("values, kept", "for ever")]))
    if stated["foreign"]:
        body.append(
            table(
                "",
                ["engine of others", "address", "terms and robots.txt reviewed"],
                [
                    [row["title"], row["where"] or "the service's own",
                     row["reviewed"] or "no date stated"]
                    for row in stated["foreign"]
                ],
            )
        )  # fmt: skip
    if stated["own"]:
        own = "; ".join(f"{row['title']} ({row['where']})" for row in stated["own"])
        body.append(Words(f"Its own: {own}."))
    return Section("governance", "Governance", body)


def fields(content: Mapping[str, Any]) -> dict[str, str]:
    """The same for the record at the beginning of an archive."""
    found = section(content)
    if not found["stated"]:
        return {"governance": found["sentence"]}
    reviews = [f"{row['name']} {row['reviewed'] or 'not reviewed'}" for row in found["foreign"]]
    kept = [f"{row['class']} {_duration(row['days'])}" for row in found["retention"]]
    return {
        **{f"governance-{name.replace('_', '-')}": found[name] or "not stated" for name in _TEXTS},
        "governance-reviews": "; ".join(reviews) or "none needed",
        "governance-retention": "; ".join(kept),
    }


def _sentence(engines: list[Row], reads: list[str], *, stated: bool) -> str:
    if stated:
        return ""
    if reads:
        return _ASKS_NOBODY.format(jobs=" and ".join(reads))
    return _ALL_OWN if all(row["own"] for row in engines) else _ASKED_OTHERS


def _duration(days: object) -> str:
    return "for ever" if days is None else f"{days} days"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _engines(content: Mapping[str, Any], reviews: Mapping[str, Any]) -> list[Row]:
    """The engines of the job and where each is, every one once."""
    rows: dict[tuple[str, str], Row] = {}
    for use in content.get("engines", ()):
        name = str(use["name"])
        title, where, own = _placed(name, _mapping(use.get("config")), own=bool(use.get("own")))
        reviewed = str(reviews.get(name) or "")
        row = {"name": name, "title": title, "where": where, "own": own, "reviewed": reviewed}
        rows.setdefault((name, where), row)
    return list(rows.values())


def _placed(name: str, config: Mapping[str, Any], *, own: bool) -> tuple[str, str, bool]:
    """Title and place of an engine, and whether it is one's own; unknown ones are somebody's."""
    try:
        engine = registry.engine(name)
    except InvalidInput:
        title, reason = registry.RETIRED.get(
            name, (name, "an engine that this version does not know")
        )
        return title, reason, own
    settled = parameters.completed(engine.parameters, config)
    where = _WHERE.get(engine.surface) or governance.address(engine, settled)
    return engine.title, where, governance.is_own(engine, settled, own=own)
