"""A claim card: one published number with all that a hostile reader may ask for, on one page.

In go the rows of a point or a change, out come the same facts as HTML, as text and for programs.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.change import Role
from monitor.model import InvalidInput, Kind, Meaning, Measure, State, Validity
from monitor.names import base_name
from monitor.stages import _claim_declared as _declared
from monitor.stages import _report_names as names
from monitor.stages import audit_claim, claim_words
from monitor.stages._claim_card import Card, card
from monitor.stages.change_wording import missing_words
from monitor.stages.engine_titles import titles_in
from monitor.stages.weekly.names import about
from monitor.store.changes import changed_answers
from monitor.store.collect import runs
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.reports import claim_facts, run_answers

Row = dict[str, Any]

_ALL = slice(None)


def of_change(connection: Connection, number: int, zone: ZoneInfo, address: str = "") -> Card:
    """Return the card of a change. Raises InvalidInput where there is none of this number.

    `address` is where people open the pages of this archive, if they can.
    """
    return card(change_content(connection, number, zone), zone, address)


def change_content(
    connection: Connection,
    number: int,
    zone: ZoneInfo,
    some: slice = _ALL,
    until: datetime | None = None,
) -> Row:
    """What the card of a change says, for `card`. Raises InvalidInput as that does.

    `some` are the questions with other answers whose words are wanted. Declarations, audits and
    runs after `until` are left out.
    """
    row = claim_facts.read_change(connection, number)
    if row is None:
        raise InvalidInput(f"no change {number} in this database; see `monitor series changes`")
    compared = row["between"] or {}
    facts = compared.get("facts") or {}
    others = changed_answers.find_differing(
        connection, row, row["before_run_id"], row["after_run_id"]
    )
    content = _series(connection, row, compared.get("signature_id"))
    cues = str(content["parts"].get("cue") or "").split("+")
    content |= {
        "kind": "change",
        "number": number,
        "claim": row["sentence"],
        "changed_at": row["changed_at"],
        "is_current": row["is_current"],
        "replaced_said": "" if row["is_current"] else _replaced(connection, row, zone),
        "effect": _value(row["effect"], row["low"], row["high"]),
        "before": row["before"],
        "after": row["after"],
        "components": claim_facts.read_components(connection, row, _meaning(row).parts),
        "bounds": [facts.get("bound_low"), facts.get("bound_high")],
        "missing_suspect": bool(facts["missing_suspect"]) if "missing_suspect" in facts else None,
        "missing": missing_words(facts),
        "missing_counts": [facts.get("became_missing", 0), facts.get("was_missing", 0)],
        "n": compared.get("n"),
        "changed": compared.get("changed"),
        "left_out": {
            "usable before alone": compared.get("only_before"),
            "usable after alone": compared.get("only_after"),
        },
        "test": row["comparison"] and row["comparison"]["test"],
        "p": row["p"],
        "q": row["q"],
        "alpha": row["alpha"],
        "order_said": claim_words.say_order(row["kind"], row["status"], row["facts"]),
        "p_beyond": row["p_beyond"],
        "alpha_beyond": row["alpha_beyond"],
        "holds_beyond": claim_words.holds_beyond(row["p_beyond"], row["alpha_beyond"]),
        "beyond_said": claim_words.say_beyond(
            row["kind"], row["role"], row["status"], row["p_beyond"], row["alpha_beyond"]
        ),
        "size_said": claim_words.say_size(row["facts"]),
        "change_kind": row["kind"],
        "facts": dict(row["facts"]),
        "status": row["status"],
        "status_said": claim_words.STATUS[row["status"]],
        "cause": row["cause"],
        "because": row["because"],
        "again": _again(row["confirm"], until),
        "noise": _noise(connection, row, row["detected_at"]),
        "declared": _declared.of_change(connection, row, zone, until),
        "dates": [one["due_at"] for one in row["runs"]],
        "n_flips": len(others),
        "flips": _flips(connection, others[some], cues),
    }
    content["invented"] = declarations.read_invented(connection).sentence(names_jobs=False)
    content["instrument_audit"] = audit_claim.content(
        connection, row, content["parts"], row["runs"][1], None, until
    )
    return content


def _replaced(connection: Connection, row: Mapping[str, Any], zone: ZoneInfo) -> str:
    """Why a change is no longer in force, as a sentence."""
    decision = claim_facts.find_replacement(connection, row)
    if decision is None:
        return "It was computed anew since."
    day = f"{decision['computed_at'].astimezone(zone):%Y-%m-%d}"
    words = f"Its run was decided anew on {day}, by this rule: {decision['rule']}."
    if decision["change_id"] is None:
        return f"{words} By it no change is confirmed there."
    status = claim_words.STATUS[decision["status"]]
    return f"{words} Change {decision['change_id']} takes its place ({status})."


def _flips(
    connection: Connection,
    differing: Sequence[changed_answers.DifferingQuestion],
    cues: Sequence[str],
) -> list[Row]:
    """Return the questions with other answers: where both sides are kept, and what decided."""
    words = changed_answers.add_words(connection, differing)
    answers = [answer for flip in words for answer in (*flip.before, *flip.after)]
    heard_parts = run_answers.read_heard_parts_of(
        connection, [answer.attempt_id for answer in answers]
    )
    return [
        {
            "key": flip.key,
            "probe": flip.probe,
            **{
                side: [
                    {"attempt": answer.attempt_id, "said": list(answer.said), "text": answer.text}
                    | {"sha256": answer.sha256}
                    | {
                        "witnesses": _witnesses(
                            answer.text, heard_parts.get(answer.attempt_id, ()), cues
                        )
                    }
                    for answer in answers
                ]
                for side, answers in (("before", flip.before), ("after", flip.after))
            },
        }
        for flip in words
    ]


def _witnesses(text: str, heard: Sequence[run_answers.HeardPart], cues: Sequence[str]) -> list[Row]:
    """Return the words that decided in an answer, by the newest rules; none of several parts."""
    newest = next((part for part in heard if part.cue in cues), None)
    if newest is None or newest.text != text:
        return []
    return [dict(witness) for witness in newest.witnesses]


def of_point(connection: Connection, number: int, zone: ZoneInfo, address: str = "") -> Card:
    """Return the card of a point. Raises InvalidInput where there is none of this number."""
    return card(point_content(connection, number, zone), zone, address)


def point_content(connection: Connection, number: int, zone: ZoneInfo) -> Row:
    """What the card of a point says, for `card`. Raises InvalidInput as that does."""
    row = claim_facts.read_point(connection, number)
    if row is None:
        raise InvalidInput(f"no point {number} in this database; see `monitor series show`")
    content = _series(connection, row, row["signature_id"]) | {
        "kind": "point",
        "number": number,
        "claim": _sentence(row),
        "is_current": row["is_current"],
        "replaced_said": "" if row["is_current"] else "It was computed anew since.",
        "state": row["state"],
        "reason": row["reason"],
        "effect": _value(row["value"], row["low"], row["high"]),
        "bounds": [row["bound_low"], row["bound_high"]],
        "n": row["used"],
        "left_out": {
            "planned": row["planned"],
            "answered": row["answered"],
            "not identified": row["unidentified"],
        },
        "flags": list(row["flags"]),
        "noise": _noise(connection, row, row["due_at"]),
        "declared": _declared.of_point(connection, row, _role(connection, row), zone),
        "dates": [row["due_at"]],
    }
    content["invented"] = declarations.read_invented(connection).sentence(names_jobs=False)
    content["instrument_audit"] = audit_claim.content(
        connection, row, content["parts"], row["runs"][0], row["value"]
    )
    return content


def _role(connection: Connection, row: Mapping[str, Any]) -> Role:
    """Whether a point is that of a control engine, which is never tested."""
    controls = names.control_labels(runs.read_job_content(connection, row["run_id"]))
    return Role.WITNESS if row["engine"] in controls else Role.PRIMARY


def _value(value: float | None, low: float | None, high: float | None) -> Row:
    return {"value": value, "low": low, "high": high}


def _sentence(row: Mapping[str, Any]) -> str:
    quantity = f"{row['quantity']} of {row['engine']}, {_pair(row)}, list {row['list']}"
    scope = "" if row["scope"] == "all" else f", {row['scope_title'] or row['scope']}"
    if row["state"] != State.MEASURED:
        return f"{quantity}{scope}: {row['state']}, no value ({row['reason']})."
    return f"{quantity}{scope}: {row['value']:z.3f}, {_interval(row['low'], row['high'])}."


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "without an interval"
    return f"95 % interval {low:z.3f} to {high:z.3f}"


def _pair(row: Mapping[str, Any]) -> str:
    return names.short_pair(row["source_lang"], row["target"], row["engine_kind"])


def _series(connection: Connection, row: Mapping[str, Any], signature: int | None) -> Row:
    """What the number is about, how it was made, and what it means."""
    measure = _measure(row["measure"], row["engine_kind"])
    hashed, parts = claim_facts.read_signature(connection, signature) if signature else ("", {})
    title = next(
        (q.title for q in measure.quantities if q.name == row["quantity"]) if measure else iter(()),
        row["quantity"],
    )
    job = runs.read_job_content(connection, row["runs"][-1]["id"])
    return {
        "series": {
            name: row[name]
            for name in (
                "series_id", "series_key", "engine", "surface", "list", "source_lang", "target",
                "measure", "quantity", "reference", "scope", "scope_title", "engine_kind",
            )
        } | {"engine_title": titles_in(job)(row["engine"])},
        "title": title,
        "pair": _pair(row),
        "config": dict(row["config"]),
        "runs": row["runs"],
        "signature": hashed,
        "parts": dict(parts),
        "validity": _validity(measure.validity if measure else None),
        "citation": measure.citation if measure else "",
    }  # fmt: skip


def _meaning(row: Mapping[str, Any]) -> Meaning:
    return about(row["measure"], row["quantity"], row["engine_kind"]).meaning


def _measure(name: str, kind: str) -> Measure | None:
    """The measure behind a canonical name; None where this installation has it no more."""
    try:
        return registry.measure(base_name(name).removesuffix("-snippet"), Kind(kind))
    except InvalidInput:
        return None


def _validity(known: Validity | None) -> Row:
    if known is None:
        return {}
    return {
        "What it means": known.means,
        "What it does not mean": known.does_not_mean,
        "What it takes for granted": known.assumes,
        "Whom it may harm, and how": known.harm,
    }


def _again(row: Mapping[str, Any] | None, until: datetime | None) -> Row | None:
    """What was found when the questions were asked again, and what that was held against."""
    if row is None or (until is not None and row["due_at"] > until):
        return None
    named = ("delta", "low", "high", "p", "n", "changed", "before_run_id", "after_run_id", "due_at")
    return {name: row[name] for name in named}


def _noise(connection: Connection, row: Mapping[str, Any], until: datetime) -> Row:
    """How much moves when nothing changes, as far as that was asked."""
    noise = claim_facts.read_noise(connection, row["series_id"], until)
    by_kind = {
        kind: [one for one in noise if one["contrast"] == kind] for kind in ("minutes", "days")
    }
    return {
        "sd_of_runs": row.get("noise"),
        "statistic": row.get("statistic"),
        "contrasts": {
            kind: {
                "ticks": len(group),
                "changed": sum(one["changed"] for one in group),
                "asked": sum(one["n"] for one in group),
                "largest": max(abs(one["delta"]) for one in group),
            }
            for kind, group in by_kind.items()
            if group
        },
    }
