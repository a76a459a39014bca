"""Annexes of the report of a run: how to read it, governance, and the origin of its values.

Read is the stored content of the job, never the file of today: for the report, for `--json` and
for archives.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from monitor import governance, parameters, registry
from monitor.governance import Retention
from monitor.live_record import SeenLive, say_seen_live
from monitor.model import InvalidInput
from monitor.stages.document import records as doc
from monitor.stages.document.notation import spelt, when
from monitor.stages.reports import names, word_lists
from monitor.stages.reports.names import titles_in
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows

# --- how to read the report -----------------------------------------------------------------------

_SENTENCES = (
    "Each question {of}is a sentence in the first person that leaves the gender of the speaker "
    "open. Where the language of the translation has to choose, the translation contains words in "
    "a masculine or a feminine grammatical form. Those words are counted, and nothing else."
)
_PRONOUNS = doc.prose(
    "**Pronouns.** Questions from languages with one pronoun for everybody are about a third "
    "person. English has to choose a pronoun or avoid it; counted is the share of “she” among “he” "
    "and “she”."
)
_ACCURACY = doc.prose(
    "**Where the gender is said.** Other sentences say that a woman or a man speaks. There a "
    "translation can be wrong: a wrong gender is an error; an answer without a mark is not."
)
_SEARCH = doc.prose(
    "**Search engines.** For each profession an engine is asked for a list (“list of "
    "philosophers”). Counted are the people in the first places of one block of the page, as far "
    "as a gender is recorded of them in Wikidata or by raters. Nobody's gender is guessed, from a "
    "name or a picture or anything else."
)
_MODELS = doc.prose(
    "**Language models** translate nothing: what is compared is how probable they find a masculine "
    "and a feminine word in the same place."
)
_RATE = doc.prose(
    "**A masculine rate** is the share of masculine forms among the answers that mark the "
    "speaker's gender as either masculine or feminine: 0 if all of these are feminine, 0.5 if both "
    "are equally frequent, 1 if all are masculine."
)
_NOT_SEARCH = (
    "what anybody's gender is: a record says what a source has, on a date;",
    (
        "how many women and men there should be in a list, or are in a profession: each reference "
        "answers another question, and they stand side by side because the choice alone moves the "
        "result;"
    ),
)
_UNCERTAINTY = (
    "**Uncertainty.** Brackets after a value are its 95 % interval: it says how far the value may "
    "be from that of other {kinds} of this kind. *Bounds* are the lowest and the highest value "
    "possible whatever the missing or undecided answers {labels}are. A value with too few answers "
    "behind it is *INSUFFICIENT* and shown with the reason, never as a number. Values from fewer "
    "than 50 usable answers are marked *exploratory*."
)
_F_S = doc.prose(
    "**f_s never stands alone.** f_s is the masculine rate in sentences with stereotypes about men "
    "minus that in sentences with stereotypes about women. It cannot exceed 2 min(f_m, 1 − f_m) in "
    "size, so a system with nearly only masculine forms has a small f_s whatever it does. Never "
    "quote or compare f_s without f_m and this bound, and never rank systems by f_s."
)


def write_meaning(said: Collection[str]) -> doc.Section:
    """Return the meaning and the limits of values of translations, models and search engines.

    `said` has what the report is about: translates, searches, stereotypes, accuracy, models,
    spoken and written (whether occupations are measured by pronouns, and by forms), measured.
    """
    translates, searches = "translates" in said, "searches" in said
    of_lists = "of the lists on stereotypes and occupations "
    of = of_lists if not {"spoken", "accuracy"}.isdisjoint(said) else ""
    has_forms = not {"stereotypes", "written"}.isdisjoint(said) or "measured" not in said
    lead: list[tuple[bool, doc.Prose]] = [
        (translates and has_forms, _SENTENCES.format(of=of)),
        ("spoken" in said, _PRONOUNS),
        ("accuracy" in said, _ACCURACY),
        (searches, _SEARCH),
        ("models" in said, _MODELS),
        ("stereotypes" in said, _RATE),
    ]
    begins = "No value here means" if translates else "No value here says"
    if "stereotypes" in said:
        begins = "It does not mean"
    pairs = " or professions" if translates and searches else ""
    uncertain = doc.prose(
        _UNCERTAINTY,
        kinds=("sentences" if translates else "professions") + pairs,
        labels="or labels " if searches else "",
    )
    return doc.Section(
        "meaning",
        "What the numbers mean",
        [
            *(doc.Words(text) for is_said, text in lead if is_said),
            doc.Words(doc.prose("**{begins}**", begins=begins)),
            doc.Items(_not_meant(said)),
            doc.Words(uncertain),
            *([doc.Words(_F_S)] if "stereotypes" in said else []),
        ],
    )


def _not_meant(said: Collection[str]) -> list[str]:
    items: list[str] = []
    translates, searches = "translates" in said, "searches" in said
    by_forms = not {"stereotypes", "spoken", "written", "accuracy"}.isdisjoint(said)
    if translates and (by_forms or "measured" not in said):
        of = "of a sentence that leaves the gender open " if "accuracy" in said else ""
        items = [
            (
                f"that a translation {of}is wrong: in many languages masculine forms also serve as "
                "the general form;"
            ),
            "that so many speakers are men, or what anybody's gender is;",
        ]
    others = "sentences, languages, systems" if translates else "questions, regions, engines"
    return [
        *items,
        *(_NOT_SEARCH if searches else ()),
        "that somebody intended it, or what a value ought to be;",
        f"anything about other {others} or versions than those named here.",
    ]


# --- words of ranked lists ------------------------------------------------------------------------

_SLOPES = (
    doc.prose(
        "**GSR** is a slope. Words have a genderedness in a *lexicon*: how near they stand to "
        "words for women (positive) or men (negative). A query has that of its words, a list that "
        "of its documents' other words, with the first ranks weighing most. A slope of 0: lists do "
        "not follow the gender of the query; positive: they do, as a stereotype would. Each "
        "lexicon has its own scale, so compare within one lexicon only."
    ),
    doc.prose(
        "**A positive slope is expected from relevance alone.** Where relevance is judged, the "
        "slope of the relevant documents stands beside. On titles and snippets without judgements "
        "(**GSR-snippet**) a value by itself says nothing about an engine: only changes, and "
        "differences between engines, may be claimed."
    ),
)
_TERMS = (
    doc.prose(
        "**Group terms** are words such as “she” and “brothers”. **NFaiRR**: how neutral the "
        "documents are, 0 to 1. **TExFAIR**: how near the exposure of terms of each group is to "
        "its target share; **TED** is the distance itself. **AWRF**: the distance of attention "
        "from the target shares. **ARB**: terms for women less terms for men over all prefixes of "
        "a list, positive towards women. They measure different things, so at least two stand side "
        "by side, with **RBDF**: the discounted share of documents that have a group term at all."
    ),
    doc.prose(
        "**A list without any group term is neutral**, and NFaiRR is 1 for it: it says nothing "
        "about women or men. Read NFaiRR with RBDF. Queries that are about women or men by "
        "themselves are left out of these measures: there relevance itself makes lists one-sided."
    ),
)
_SWAPPED = doc.prose(
    "**CRBO**: how alike a ranking is to that of the same documents with words for women and men "
    "swapped; 1 is the same ranking."
)
_UNREAD = doc.prose(
    "**Documents that cannot be read are unknown**, never neutral. They widen the intervals of "
    "means, and *bounds* are the lowest and the highest value possible whatever they hold."
)


def meaning_of_words(families: set[str]) -> list[doc.Block]:
    """Return what measures of the words of ranked lists mean; `families` are those of the run."""
    items: list[doc.Prose] = []
    items += [] if families.isdisjoint(word_lists.SLOPES) else _SLOPES
    items += [] if families.isdisjoint(word_lists.FAIRNESS) else _TERMS
    items += [] if families.isdisjoint(word_lists.COUNTERFACTUAL) else [_SWAPPED]
    return [
        doc.Words(
            "Each query is asked of a system, and the words of the documents in its ranked list "
            "are read: their titles and snippets, the pages behind them, or whole documents of a "
            "collection, as the measure says. Counted are words and nothing else; nobody's gender "
            "is guessed from them."
        ),
        doc.Items([*items, _UNREAD]),
        doc.Words(
            doc.prose(
                "**No value here says** what anybody's gender is, that somebody intended it, what "
                "a value ought to be, or anything about other queries, regions, engines or "
                "versions than those named here."
            )
        ),
        doc.Words(
            doc.prose(
                "**Uncertainty.** Brackets after a value are its 95 % interval over queries of "
                "this kind; queries about the same words are no two independent ones. A value with "
                "too few queries behind it is *INSUFFICIENT* and shown with the reason, never as a "
                "number. Values from fewer than 50 queries are marked *exploratory*."
            )
        ),
    ]


# --- check and cite -------------------------------------------------------------------------------

_OF_TEXTS = "SELECT attempt_id, probe, text, class, witnesses FROM answers WHERE run_id = {run};"
_OF_PAGES = """\
SELECT attempt_id, probe, block, item_rank, title, url FROM answers WHERE run_id = {run};
SELECT engine, region, block, state, grouping, COUNT(DISTINCT entity) FROM shown \
WHERE run_id = {run} GROUP BY engine, region, block, state, grouping;
SELECT engine, measure, quantity, key, value, x, missing, reason FROM queries_current \
WHERE run_id = {run};"""


def write_checks(run_id: int, *, translates: bool, searches: bool) -> doc.Section:
    """Return how a number of the report is checked."""
    queries = [
        "SELECT * FROM points_current WHERE point_id = POINT;",
        "SELECT * FROM topics_current WHERE run_id = {run};",
        *([_OF_TEXTS] if translates else []),
        *([_OF_PAGES] if searches else []),
        "SELECT * FROM coverage WHERE run_id = {run};",
    ]
    shown = (
        "prints the question, the raw answer as it was received, who gave it and when, and its "
        "SHA-256"
    )
    commands = [
        (doc.prose("`monitor evidence show ATTEMPT`"), shown),
        (doc.prose("`monitor evidence verify`"), "recomputes the SHA-256 of every stored answer"),
    ]
    lines = doc.prose(
        "Every value is a *point* with a number, every answer an *attempt*. In the folder of the "
        "audit:"
    )
    return doc.Section(
        "check",
        "Check a number",
        [
            doc.Words(lines),
            doc.Pairs(commands),
            doc.Words("and in the database, with any SQL tool:"),
            doc.Code("\n".join(queries).format(run=run_id)),
        ],
    )


def write_citation(
    facts: RunFacts, citations: Sequence[str], due: str, *, translates: bool, searches: bool
) -> doc.Section:
    """Return how the run is cited; `due` is its due time in words."""
    run: dict[str, Any] = facts.run
    lists = ", ".join(
        f"{row['name']}@{row['version']} ({row['content_hash'][:12]}, {row['status']})"
        for row in facts.lists
    )
    signatures = ", ".join(row["hash"][:12] for row in facts.signatures)
    body: list[doc.Block] = [
        doc.Words("The run:"),
        doc.Code(
            f"monitor {run['code_version']}, job {run['job']}, run {run['id']}, due {due};\n"
            f"lists {lists};\nsignatures {signatures}"
        ),
        doc.Words("The methods:"),
        doc.Items(citations),
    ]
    if searches:
        body.append(
            doc.Words(
                "Of search engines say “people recorded as women” or “as men” with the source and "
                "its date, name block, cut-off, region and reference, and give a MAB only beside "
                "what chance alone makes."
            )
        )
    if translates:
        body.append(
            doc.Words(
                'Say "masculine and feminine forms", name the list with its version and status, '
                "the system with its version, and the date; give every value with its interval, "
                "f_s only with its bound, and a distance only with the country and year of its "
                "reference."
            )
        )
    return doc.Section("cite", "Cite", body)


# --- governance -----------------------------------------------------------------------------------

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
TEXTS = ("purpose", "controller", "legal_basis", "contact")
_CLASSES = {
    "answer": "answers",
    "screenshot": "screenshots",
    "lookup": "what was looked up",
    "document": "documents",
}
_WHERE = {
    "local": "runs in the machine of the audit",
    "recorded": "recorded before",
    "donated": "given by donors",
}


def write_governance_lines(content: Mapping[str, Any]) -> Row:
    """Return what the report shows of a job's governance.

    The content is empty where it never began.
    """
    stated = _mapping(content.get("governance"))
    stored = _mapping(stated.get("retention"))
    reads = [str(job) for job in _mapping(content.get("corpus")).get("jobs") or ()]
    engines = [] if reads else _name_governed_engines(content, _mapping(stated.get("reviews")))
    return {
        "stated": bool(stated),
        "sentence": _say_sentence(content, engines, reads),
        **{name: str(stated.get(name) or "") for name in TEXTS},
        "contact": str(stated.get("contact") or content.get("contact") or ""),
        "foreign": [row for row in engines if not row["own"]],
        "own": [row for row in engines if row["own"]],
        "retention": [
            {"class": name, "title": _CLASSES[name], "days": stored.get(name)}
            for name in Retention.model_fields
        ],
    }


def write_governance_section(
    content: Mapping[str, Any], seen: Mapping[str, SeenLive] | None = None
) -> doc.Section:
    """The section of the report about a job's governance; `seen`: last live answers by engine."""
    stated = write_governance_lines(content)
    body: list[doc.Block] = [doc.Words(stated["sentence"] or "As the job said when the run began.")]
    if stated["stated"]:
        unsaid = dict.fromkeys(TEXTS, "not stated")
        unsaid["contact"] = "set on the machine that asked (MONITOR_CONTACT), not in the job"
        lines = [(name.replace("_", " "), stated[name] or unsaid[name]) for name in TEXTS]
        lines += [
            (f"{row['title']}, kept", _say_duration(row["days"])) for row in stated["retention"]
        ]
        body.append(doc.Pairs([*lines, ("values, kept", "for ever")]))
    if stated["foreign"]:
        rows = [
            [row["title"], row["where"] or "the service's own", row["reviewed"] or "no date stated"]
            for row in stated["foreign"]
        ]
        titles = ["engine of others", "address", "terms and robots.txt reviewed"]
        body.append(doc.table("", titles, rows))
    if stated["own"]:
        own_value = "; ".join(f"{row['title']} ({row['where']})" for row in stated["own"])
        body.append(doc.Words(f"Its own: {own_value}."))
    live = {
        row["name"]: f"{row['title']}: {say_seen_live(row['name'], seen)}"
        for row in (*stated["foreign"], *stated["own"])
        if row["where"] not in _WHERE.values()
    }
    if live:
        body.append(doc.Words(f"Last live answers. {'; '.join(live.values())}."))
    return doc.Section("governance", "Governance", body)


def list_fields(content: Mapping[str, Any]) -> dict[str, str]:
    """The same for the record at the beginning of an archive."""
    stated = write_governance_lines(content)
    if not stated["stated"]:
        return {"governance": stated["sentence"]}
    reviews = [f"{row['name']} {row['reviewed'] or 'not reviewed'}" for row in stated["foreign"]]
    kept = [f"{row['class']} {_say_duration(row['days'])}" for row in stated["retention"]]
    fields = {
        **stated,
        "reviews": "; ".join(reviews) or "none needed",
        "retention": "; ".join(kept),
    }
    return {
        f"governance-{name.replace('_', '-')}": fields[name] or "not stated"
        for name in (*TEXTS, "reviews", "retention")
    }


def _say_sentence(content: Mapping[str, Any], engines: list[Row], reads: list[str]) -> str:
    """Return why a job says nothing of governance; empty where it does."""
    if not content:
        return _NO_RUN
    if content.get("governance"):
        return ""
    if reads:
        return _ASKS_NOBODY.format(jobs=" and ".join(reads))
    return _ALL_OWN if all(row["own"] for row in engines) else _ASKED_OTHERS


def _say_duration(days: object) -> str:
    return "for ever" if days is None else f"{days} days"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _name_governed_engines(content: Mapping[str, Any], reviews: Mapping[str, Any]) -> list[Row]:
    """The engines of the job and where each is, every one once."""
    rows: dict[tuple[str, str], Row] = {}
    for use in content.get("engines", ()):
        name = str(use["name"])
        title, where, own = _placed(name, _mapping(use.get("config")), own=bool(use.get("own")))
        row = {"name": name, "title": title, "where": where, "own": own}
        rows.setdefault((name, where), row | {"reviewed": str(reviews.get(name) or "")})
    return list(rows.values())


def _placed(name: str, config: Mapping[str, Any], *, own: bool) -> tuple[str, str, bool]:
    """Title and place of an engine, and whether it is one's own; unknown ones are somebody's."""
    try:
        engine = registry.engine(name)
    except InvalidInput:
        unknown = name, "an engine that this version does not know"
        return *registry.RETIRED.get(name, unknown), own
    settled = parameters.fill_defaults(engine.parameters, config)
    where = _WHERE.get(engine.surface) or governance.find_address(engine, settled)
    return engine.title, where, governance.is_own(engine, settled, own=own)


# --- origin of values -----------------------------------------------------------------------------

_IDENTITY = {"http": "HTTP version", "model_reported": "model, as it says",
             "system_fingerprint": "system fingerprint"}  # fmt: skip
#: References that come from search engines and Wikidata: no table that ships.
_ASKED = ("wikidata", "result_list")
_SOURCE = {
    "name": "name", "citation": "publication", "origin": "origin",
    "year_meaning": "its year is the", "country": "country", "licence": "licence",
    "changed": "changed", "caution": "caution",
}  # fmt: skip


def write_origin_section(facts: RunFacts, zone: ZoneInfo) -> doc.Section:
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
                 _write_code(row["content_hash"])]
                for row in facts.lists
            ],
        ),
        doc.Heading("What answered"),
        doc.Words(
            "As each engine or library says of itself. This is not part of a signature: it is what "
            "may change from run to run."
        ),
        *_write_engines(facts, zone),
        doc.Heading("Signatures"),
        doc.Words(
            "A signature is the hash of everything of this program that decides a value. Values of "
            "different signatures do not belong in one chart."
        ),
        *(block for row in facts.signatures for block in _write_signature(row)),
        doc.Heading("Program"),
        doc.Pairs([("monitor", run["code_version"]), *packages, ("job, SHA-256", job)]),
        *_write_sources(facts),
    ]  # fmt: skip
    return doc.Section(
        "origin", "Annex C: versions and sources", body, "C: versions and sources", is_annex=True
    )


def _write_code(words: str) -> tuple[doc.Span, ...]:
    return (doc.Span(words, "code"),)


def _write_engines(facts: RunFacts, zone: ZoneInfo) -> list[doc.Block]:
    """Who answered: each engine with its configuration, and all identities that it showed."""
    title = titles_in(facts.run["content"])
    body: list[doc.Block] = []
    for rows in group_rows(facts.engines, itemgetter("id")).values():
        first = rows[0]
        pairs: list[tuple[doc.Prose, doc.Prose]] = [
            ("engine", doc.prose("`{name}` ({kind})", name=first["name"], kind=first["kind"])),
            ("surface", first["surface"]),
            ("configuration", _say_configuration(first["config"])),
            *(pair for row in rows for pair in _identity(row, zone)),
        ]
        body += [doc.Heading(title(first["name"]), 4), doc.Pairs(pairs)]
    return body


def _say_configuration(config: Mapping[str, Any]) -> doc.Prose:
    spans = []
    for name, setting in sorted(config.items(), key=lambda pair: pair[0].lower()):
        words = setting if isinstance(setting, str) else json.dumps(setting, sort_keys=True)
        spans += [doc.Span("; "), doc.Span(f"{name} = {words}", "code")]
    return spans[1:] or "none"


def _identity(row: Row, zone: ZoneInfo) -> list[tuple[doc.Prose, doc.Prose]]:
    first, last = when(row["first_asked_at"], zone), when(row["last_asked_at"], zone)
    through = f", through the exit {row['egress']}" if row["egress"] else ""
    answered = f"{row['n_exchanges']:,} requests, from {first} to {last}{through}"
    identity = sorted(row["identity"].items(), key=lambda pair: (pair[0] not in _IDENTITY, pair[0]))
    pairs: list[tuple[doc.Prose, doc.Prose]] = [
        (_IDENTITY.get(name, name), _write_code(str(value))) for name, value in identity
    ]
    return [("answered", answered), *(pairs or [("identity", "says nothing of itself")])]


def _write_signature(row: Row) -> Sequence[doc.Block]:
    parts = row["parts"]
    title = f"{parts['measure']}@{parts['measure_version']} on {parts['list']}"
    if "language" in parts:
        title += f", language {parts['language']}@{parts['language_version']}"
    if parts.get("reference"):
        title += f", reference {parts['reference']}"
    listed = sorted(parts.items(), key=lambda pair: pair[0].lower())
    pairs = [(name.replace("_", " "), spelt(part)) for name, part in listed]
    return [doc.Heading(title, 4), doc.Pairs([("signature", _write_code(row["hash"])), *pairs])]


def _write_sources(facts: RunFacts) -> list[doc.Block]:
    """Where the reference shares of the run come from, as the shipped table of sources says."""
    used = sorted({row["source"] for row in facts.topics if row["source"]})
    body: list[doc.Block] = [doc.Heading("Reference shares")] if used else []
    for name in used:
        shipped = names.read_sources().get(name, {})
        row = {"name": name} | shipped
        default = names.reference_title(name) if name in _ASKED else name
        pairs = [(words, str(row[key])) for key, words in _SOURCE.items() if key in row]
        body += [doc.Heading(str(shipped.get("title", default)), 4), doc.Pairs(pairs)]
    return body
