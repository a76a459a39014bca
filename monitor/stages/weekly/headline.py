"""What changed in the week, or that nothing did and how much could have gone unnoticed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.model import State
from monitor.stages._report_text import chances, number, span
from monitor.stages.weekly import names, origin
from monitor.stages.weekly.document import Block, Heading, Items, Section, Words
from monitor.stages.weekly.gather import ENDED, Week
from monitor.stages.weekly.wording import day, listed, several

Row = dict[str, Any]

_STATUS = {
    Status.CONFIRMED: "Confirmed",
    Status.CANDIDATE: "Candidate, to be asked again",
    Status.REFUTED: "Refuted: asked again, and it was not there",
    Status.UNCONFIRMED: "Not asked again in time",
    Status.RETROSPECTIVE: "Found by looking back: no claim by itself",
}
_CAUSE = {
    Cause.ENGINE: "the engine",
    Cause.PARSER: "the parser",
    Cause.LANGUAGE: "the rules that find gender in texts",
    Cause.LEXICON: "the lexicon",
    Cause.MEASURE: "the measure",
    Cause.LIST: "other questions",
    Cause.TARGET: "other reference shares",
    Cause.LABELS: "recorded labels",
    Cause.INSTRUMENT: "our instrument",
    Cause.OPEN: "not known: nothing shows that it was the engine",
}
_ORDER = (
    Status.CONFIRMED, Status.CANDIDATE, Status.UNCONFIRMED, Status.REFUTED, Status.RETROSPECTIVE,
)  # fmt: skip


def content(week: Week, rows: Sequence[Row]) -> Row:
    """Changes of the week by what became of them, and what could have gone unnoticed."""
    some = [_change(week, row) for row in week.changes if _is_of_week(week, row)]
    some.sort(key=lambda row: (_ORDER.index(row["status"]), row["detected_at"], row["change_id"]))
    return {
        "changes": [row for row in some if row["kind"] == ChangeKind.STEP],
        "retrospective": [row for row in some if row["kind"] != ChangeKind.STEP],
        "ours": origin.switches(week),
        "looks": [_look(row) for row in week.looks],
        "untested": _untested(week),
        "unnoticed": _unnoticed(rows, {_of_job(row) for row in some if _stands(row)}),
    }


def _is_of_week(week: Week, row: Row) -> bool:
    """Found in the week, or asked again in it."""
    again = row["again_due_at"]
    return bool(row["detected_at"] > week.after or (again and week.after < again <= week.until))


def _change(week: Week, row: Row) -> Row:
    kept = (
        "series_id", "job", "list", "engine", "engine_id", "source_lang", "target", "measure",
        "quantity", "reference", "scope", "kind", "role", "family", "status", "cause", "because",
        "sentence", "changed_at", "detected_at", "before", "after", "effect", "low", "high", "p",
        "q", "alpha", "e_value", "noise", "statistic", "before_run_id", "after_run_id",
        "comparison_id", "confirm_id", "facts",
    )  # fmt: skip
    job = week.job(row["job"])
    again = {
        name: row[f"again_{name}"] for name in ("due_at", "delta", "low", "high", "n", "reason")
    }
    tested = {
        name: row[f"tested_{name}"]
        for name in ("test", "n", "changed", "only_before", "only_after")
    }
    return {
        "change_id": row["id"],
        **{name: row[name] for name in kept},
        "system": names.system(row | {"kind": row["engine_kind"]}),
        "title": names.title(row),
        "tested": tested if row["tested_n"] is not None else None,
        "again": again if row["again_due_at"] is not None else None,
        "is_confirmatory": row["role"] == Role.PRIMARY
        and row["kind"] == ChangeKind.STEP
        and job.is_declared_before
        and not job.is_over(row["detected_at"]),
        "is_after_the_end": job.is_declared_before and job.is_over(row["detected_at"]),
    }


def _look(row: Row) -> Row:
    kept = ("job", "due_at", "number", "families", "hypotheses", "p", "alpha", "selected", "rule")
    return {name: row[name] for name in kept}


def _stands(row: Row) -> bool:
    """Whether a change was found that nobody has refuted."""
    return bool(row["kind"] == ChangeKind.STEP and row["status"] != Status.REFUTED)


def _untested(week: Week) -> list[str]:
    """Jobs with a run in the week of which no test is stored."""
    looked = {row["job"] for row in week.looks}
    return [job.name for job in week.jobs if job.run_id is not None and job.name not in looked]


def _of_job(row: Row) -> tuple[str, int]:
    """A series as one job asks for it."""
    return row["job"], row["series_id"]


def _unnoticed(rows: Sequence[Row], changed: set[tuple[str, int]]) -> list[Row]:
    """Per primary quantity the furthest end of any interval of the change since last week.

    A true change of up to that size would not contradict what was seen. Series that are found to
    have changed are left out: theirs was noticed. So are those that have ended.
    """
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        if row["role"] != Role.PRIMARY or row["state"] == ENDED or _of_job(row) in changed:
            continue
        key = row["measure"], row["title"]
        entry = found.setdefault(
            key,
            {"measure": row["measure"], "title": row["title"], "n_compared": 0, "n_not": 0,
             "most": None, "system": ""},
        )  # fmt: skip
        week = row["week"]
        if row["state"] != State.MEASURED or week is None or week["low"] is None:
            entry["n_not"] += 1
            continue
        entry["n_compared"] += 1
        most = max(abs(week["low"]), abs(week["high"]))
        if entry["most"] is None or most > entry["most"]:
            entry |= {"most": most, "system": row["system"]}
    return list(found.values())


# --- printed --------------------------------------------------------------------------------------


def section(week: Week, found: Row) -> Section:
    """Headline changes with everything that they rest on."""
    steps, back = found["changes"], found["retrospective"]
    standing = [row for row in steps if _stands(row)]
    blocks: list[Block] = []
    if not standing:
        blocks.append(Words(quiet(week, found), "strong"))
    blocks += [one for row in steps for one in _printed(week, row)]
    if standing:
        blocks.append(Words(_ledger(week, found), "small"))
    blocks += _room(found["unnoticed"], changed=bool(standing))
    if found["ours"]:
        blocks.append(Heading("What changed with us"))
        blocks.append(Items([origin.switch(week, row) for row in found["ours"]]))
    if back:
        blocks.append(Heading("Found by looking back over whole series"))
        blocks += [one for row in back for one in _printed(week, row)]
    return Section("headline", "What changed", blocks)


def quiet(week: Week, found: Row) -> str:
    """That nothing changed beyond noise, or that nobody has looked."""
    tested = [row for row in found["looks"] if row["p"] is not None]
    if not found["looks"]:
        return "Whether anything changed is not known: no test of this week’s ticks is stored."
    if not tested:
        return "Nothing could be tested this week: no primary series has a value at two ticks."
    return f"Nothing changed beyond noise. {_ledger(week, found)}"


def _ledger(week: Week, found: Row) -> str:
    said = [
        f"job {row['job']}, {day(row['due_at'], week.zone)}: "
        f"{several(row['hypotheses'], 'primary series', 'primary series')} in "
        f"{several(row['families'], 'family', 'families')}, p of “nothing changed” "
        f"{chances(row['p'])}, level {number(row['alpha'] or 0, 4)}, "
        f"{several(row['selected'], 'family', 'families')} selected"
        for row in found["looks"]
        if row["p"] is not None
    ]
    tested = f"Tested in this week: {'; '.join(said)}." if said else ""
    if not found["untested"]:
        return tested
    return f"{tested} Not tested: job {listed(found['untested'])}.".strip()


def _room(unnoticed: Sequence[Row], *, changed: bool) -> list[Block]:
    """How much could have gone unnoticed, quantity by quantity."""
    known = [row for row in unnoticed if row["most"] is not None]
    others = "in the other series " if changed else ""
    blocks: list[Block] = []
    if known:
        said = [
            f"{row['title']}{_of(row['measure'])}: up to {number(row['most'])} ({row['system']}, "
            f"the widest of {several(row['n_compared'], 'series', 'series')})"
            for row in known
        ]
        blocks += [
            Words(
                f"What could have gone unnoticed {others}since last week, by the 95 % intervals of "
                "primary series; a change of this size would not contradict what was seen:"
            ),
            Items(said),
        ]
    lacking = sum(row["n_not"] for row in unnoticed)
    if lacking:
        which = several(lacking, "primary series", "primary series")
        blocks.append(
            Words(f"Of {which} nothing can be said: no value, or none to compare it with.", "small")
        )
    return blocks


def _of(measure: str) -> str:
    chosen = names.chosen(measure)
    return f" of {chosen}" if chosen else ""


def _printed(week: Week, row: Row) -> list[Block]:
    sentence = row["sentence"] or f"{row['title']} of {row['system']} changed."
    return [
        Words(f"{_STATUS[row['status']]}. {sentence}", "strong"),
        Items([*_facts(week, row), _cause(row)]),
    ]


def _facts(week: Week, row: Row) -> list[str]:
    said = [_effect(week, row)]
    tested = row["tested"]
    if tested:
        said.append(
            f"{several(tested['n'], 'question')} usable at both ticks, {tested['changed']:,} with "
            f"another answer; usable before alone {tested['only_before']:,}, after alone "
            f"{tested['only_after']:,}."
        )
    if row["p"] is not None:
        level = f" at level {number(row['alpha'], 4)}" if row["alpha"] is not None else ""
        q = f", adjusted {chances(row['q'])}{level}" if row["q"] is not None else ""
        said.append(f"p {chances(row['p'])}{q}.")
    said.append(_noise(row))
    if row["kind"] == ChangeKind.STEP:
        said += [_again(week, row), _confirmatory(row)]
    return said


def _effect(week: Week, row: Row) -> str:
    scope = "" if row["scope"] == "all" else f", {row['scope']}"
    if row["effect"] is None:
        return f"{row['system']}, {row['title']}{scope}: no effect is stored."
    effect = f"{number(row['effect'], 3, sign=True)} {span(row['low'], row['high'], 3, sign=True)}"
    ends = (
        f", from {number(row['before'])} to {number(row['after'])} on the questions of both ticks"
        if row["before"] is not None and row["after"] is not None
        else ""
    )
    when = f"on the new level since {day(row['changed_at'], week.zone)}"
    found = _when_found(week, row["changed_at"], row["detected_at"])
    return f"{row['system']}, {row['title']}{scope}: {effect}{ends}; {when}{found}."


def _when_found(week: Week, changed_at: datetime, detected_at: datetime) -> str:
    return "" if changed_at == detected_at else f", known since {day(detected_at, week.zone)}"


def _noise(row: Row) -> str:
    if row["noise"] is None:
        return "Noise floor: not known yet, too little was asked twice."
    times = f", the effect is {number(row['statistic'], 1)} times that" if row["statistic"] else ""
    return f"Noise floor (standard deviation of such a difference): {number(row['noise'])}{times}."


def _again(week: Week, row: Row) -> str:
    again = row["again"]
    if again is None:
        return "Not asked again so far."
    at = day(again["due_at"], week.zone)
    if again["delta"] is None:
        return f"Asked again on {at}: {again['reason'] or 'no reason is stored'}."
    found = f"{number(again['delta'], 3, True)} {span(again['low'], again['high'], 3, True)}"
    return f"Asked again on {at}: {found} over {several(again['n'], 'question')}."


def _confirmatory(row: Row) -> str:
    if row["is_confirmatory"]:
        return "Confirmatory: a primary series that was declared before the first tick."
    if row["is_after_the_end"]:
        return "Exploratory: found after the last tick that was declared (stop_rule)."
    why = "declared before no tick" if row["role"] == Role.PRIMARY else f"a {row['role']} series"
    return f"Exploratory: {why}."


def _cause(row: Row) -> str:
    why = f" {row['because']}" if row["because"] else ""
    return f"Put down to: {_CAUSE[row['cause']]}.{why}"


def lead(week: Week, found: Row) -> list[str]:
    """One or two sentences for the top of the report."""
    steps = found["changes"]
    if not steps:
        first = f"{quiet(week, found).partition('. ')[0].removesuffix('.')}."
        return [first, *_silent(found), *_ours(found)]
    counts = [
        f"{sum(row['status'] == status for row in steps):,} {words}"
        for status, words in (
            (Status.CONFIRMED, "confirmed"), (Status.CANDIDATE, "still to be asked again"),
            (Status.UNCONFIRMED, "not asked again in time"), (Status.REFUTED, "refuted"),
        )
        if any(row["status"] == status for row in steps)
    ]  # fmt: skip
    return [
        f"Changes found or settled in this week: {listed(counts)}.",
        *_silent(found),
        *_ours(found),
    ]


def _ours(found: Row) -> list[str]:
    """What changed with us, in one sentence."""
    new = list(dict.fromkeys(part for row in found["ours"] for part in row["differences"]))
    return [f"Changed with us in this week: {listed(new)}."] if new else []


def _silent(found: Row) -> list[str]:
    """Of how much neither a change nor its absence is known, so that no silence passes for calm."""
    if not any(row["p"] is not None for row in found["looks"]):
        return []
    lacking = sum(row["n_not"] for row in found["unnoticed"])
    series = several(lacking, "primary series", "primary series")
    said = [f"Of {series} nothing can be said."] if lacking else []
    if found["untested"]:
        said.append(f"Not tested: job {listed(found['untested'])}.")
    return [" ".join(said)] if said else []
