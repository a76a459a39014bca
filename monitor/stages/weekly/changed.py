"""One change in the weekly report: with all that it rests on, for programs and in words."""

from datetime import datetime
from typing import Any

from monitor.change import Cause, ChangeKind, Role
from monitor.model import RunKind
from monitor.stages import as_declared, claim_words
from monitor.stages._report_text import chances, number, span
from monitor.stages.as_declared import About, Because
from monitor.stages.change_wording import missing_words
from monitor.stages.document.records import Block, Items, Words
from monitor.stages.weekly import names
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: What cause and reason are called in words.
CAUSE = {
    Cause.ENGINE: "the engine",
    Cause.PARSER: "the parser",
    Cause.LANGUAGE: "the rules that find gender in texts",
    Cause.LEXICON: "the lexicon",
    Cause.MEASURE: "the measure",
    Cause.LIST: "other questions",
    Cause.TARGET: "other reference shares",
    Cause.LABELS: "recorded labels",
    Cause.INSTRUMENT: "our instrument",
    Cause.OPEN: "not determined",
}
EXPLORATORY = {
    Because.NOTHING_DECLARED: "nothing was declared before the first run",
    Because.LATE: "declared after the first run had begun",
    Because.LOOKED_BACK: "found in retrospect",
    Because.WITNESS: "a control",
    Because.NOT_DECLARED: "not among what was declared",
    Because.OVER: "found after the last run that was declared (stop_rule)",
}


def content(week: Week, row: Row) -> Row:
    """A change with all that it rests on, and why it is exploratory if it is."""
    kept = (
        "series_id", "job", "list", "engine", "engine_id", "source_lang", "target", "measure",
        "quantity", "reference", "scope", "kind", "role", "family", "status", "cause", "because",
        "sentence", "changed_at", "detected_at", "before", "after", "effect", "low", "high", "p",
        "q", "alpha", "p_beyond", "alpha_beyond", "noise", "statistic", "before_run_id",
        "after_run_id", "comparison_id", "confirm_id", "facts",
    )  # fmt: skip
    job = week.job(row["job"])
    again = {
        name: row[f"again_{name}"] for name in ("due_at", "delta", "low", "high", "n", "reason")
    }
    tested = {
        name: row[f"tested_{name}"]
        for name in ("test", "n", "changed", "only_before", "only_after", "facts")
    }
    about = About(
        row["quantity"], row["target"], row["scope"], row["role"], row["kind"],
        job.number(row["detected_at"]), row["runs"],
    )  # fmt: skip
    because = as_declared.why_exploratory(job.declaration, about)
    engine = {"kind": row["engine_kind"], "engine_title": week.engine_title(row["engine"])}
    return {
        "change_id": row["id"],
        **{name: row[name] for name in kept},
        "system": names.system(row | engine),
        "title": names.title(row),
        "label": names.label(row | engine),
        "tested": tested if row["tested_n"] is not None else None,
        "again": again if row["again_due_at"] is not None else None,
        "is_confirmatory": because is None,
        "is_after_the_end": because is Because.OVER,
        "exploratory_because": because,
        "departures": [one.row() for one in job.declaration.behind(row["runs"])],
    }


# --- printed --------------------------------------------------------------------------------------


def printed(week: Week, row: Row) -> list[Block]:
    """A change in words."""
    sentence = row["sentence"] or f"{row['label']} of {row['system']} changed."
    return [
        Words(f"{claim_words.STATUS[row['status']]}. {sentence}", "strong"),
        Items([*_facts(week, row), _cause(row)]),
    ]


def _facts(week: Week, row: Row) -> list[str]:
    facts = [_effect(week, row)]
    tested = row["tested"]
    if tested:
        facts.append(
            f"{several(tested['n'], 'question')} usable in both runs, {tested['changed']:,} with "
            f"another answer; usable before alone {tested['only_before']:,}, after alone "
            f"{tested['only_after']:,}."
        )
        facts += filter(None, [missing_words(tested["facts"])])
    order = claim_words.say_order(row["kind"], row["status"], row["facts"])
    if row["p"] is not None:
        level = f" at level {number(row['alpha'], 4)}" if row["alpha"] is not None else ""
        q = f", adjusted {chances(row['q'])}{level}" if row["q"] is not None else ""
        facts.append(f"{order} p {chances(row['p'])}{q}.".strip())
    facts += [
        words
        for words in (
            claim_words.say_beyond(
                row["kind"], row["role"], row["status"], row["p_beyond"], row["alpha_beyond"]
            ),
            claim_words.say_size(row["facts"]),
        )
        if words
    ]
    facts.append(_noise(row))
    if row["kind"] == ChangeKind.STEP:
        facts.append(_again(week, row))
    if row["kind"] != ChangeKind.SHIFT:
        facts.append(_confirmatory(week, row))
    return facts


def _effect(week: Week, row: Row) -> str:
    scope = "" if row["scope"] == "all" else f", {row['scope']}"
    if row["effect"] is None:
        return f"{row['system']}, {row['label']}{scope}: no effect is stored."
    effect = f"{number(row['effect'], 3, sign=True)} {span(row['low'], row['high'], 3, sign=True)}"
    ends = (
        f", from {number(row['before'])} to {number(row['after'])} on the questions of both runs"
        if row["before"] is not None and row["after"] is not None
        else ""
    )
    when = f"on the new level since {day(row['changed_at'], week.zone)}"
    found = _when_found(week, row["changed_at"], row["detected_at"])
    return f"{row['system']}, {row['label']}{scope}: {effect}{ends}; {when}{found}."


def _when_found(week: Week, changed_at: datetime, detected_at: datetime) -> str:
    return "" if changed_at == detected_at else f", found on {day(detected_at, week.zone)}"


def _noise(row: Row) -> str:
    if row["noise"] is None:
        return "Noise: not known yet."
    times = f", the effect is {number(row['statistic'], 1)} times that" if row["statistic"] else ""
    return f"Noise (standard deviation of the runs before): {number(row['noise'])}{times}."


def _again(week: Week, row: Row) -> str:
    again = row["again"]
    if again is None:
        return "Not asked again so far."
    at = day(again["due_at"], week.zone)
    if again["delta"] is None:
        return f"Asked again on {at}: {again['reason'] or 'no reason is stored'}."
    found = f"{number(again['delta'], 3, True)} {span(again['low'], again['high'], 3, True)}"
    return f"Asked again on {at}: {found} over {several(again['n'], 'question')}."


def _confirmatory(week: Week, row: Row) -> str:
    because = row["exploratory_because"]
    if because is None:
        return "Confirmatory: a main series that was declared before the first run."
    if because is Because.NOT_AS_DECLARED:
        runs = "; ".join(_departure(week, one) for one in row["departures"])
        return f"Exploratory: not asked as declared. {runs}."
    others = {Role.SECONDARY: "not a main series", Role.WITNESS: EXPLORATORY[Because.WITNESS]}
    why = others.get(row["role"], EXPLORATORY[because])
    return f"Exploratory: {why}."


def _departure(week: Week, row: Row) -> str:
    """One run that was not asked as declared: `Run of 2026-11-16: list gest: other content`."""
    what = "Run" if row["kind"] == RunKind.SCHEDULED else f"What was asked again ({row['kind']})"
    return f"{what} of {day(row['due_at'], week.zone)}: {as_declared.said(row['differences'])}"


def _cause(row: Row) -> str:
    why = f" {row['because']}" if row["because"] else ""
    return f"Cause: {CAUSE[row['cause']]}.{why}"
