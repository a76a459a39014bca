"""A claim card: one published number with all that a hostile reader may ask for, on one page.

In go the rows of a point or a change, out come the same facts as HTML, as text and for programs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.change import ChangeKind, Role, Status
from monitor.model import InvalidInput, Kind, Measure, State, Validity
from monitor.stages import _pages, audit_claim
from monitor.stages import _report_names as names
from monitor.stages import _report_text as text
from monitor.store import claims, flips, preregistrations, weekly
from monitor.store.database import Connection

Row = dict[str, Any]

#: Of the JSON form.
SCHEMA = 1
#: Questions with other answers that a card shows; the JSON form has all of them.
_SHOWN = 20

_STATUS = {
    Status.CANDIDATE: "found once; it has not been asked again yet, so it is not announced",
    Status.CONFIRMED: "found, asked again within the time, and there in the same direction",
    Status.REFUTED: "found once; asked again it was not there",
    Status.UNCONFIRMED: "found once; nobody asked again in time",
    Status.RETROSPECTIVE: "found by looking back over the whole series: no claim by itself",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A claim in its three forms."""

    html: str
    text: str
    numbers: Row


def of_change(connection: Connection, number: int, zone: ZoneInfo) -> Card:
    """The card of a change. Raises InvalidInput where there is none of this number."""
    row = claims.change(connection, number)
    if row is None:
        raise InvalidInput(f"no change {number} in this database; see `monitor series changes`")
    compared = row["comparison"] or {}
    registered = preregistrations.of_job(connection, row["runs"][1]["job"])
    content = _series(connection, row, compared.get("signature_id")) | {
        "kind": "change",
        "number": number,
        "claim": row["sentence"],
        "is_current": row["is_current"],
        "effect": _value(row["effect"], row["low"], row["high"]),
        "before": row["before"],
        "after": row["after"],
        "n": compared.get("n"),
        "changed": compared.get("changed"),
        "left_out": {
            "usable before alone": compared.get("only_before"),
            "usable after alone": compared.get("only_after"),
        },
        "test": compared.get("test"),
        "p": row["p"],
        "q": row["q"],
        "alpha": row["alpha"],
        "e_value": row["e_value"],
        "status": row["status"],
        "status_said": _STATUS[row["status"]],
        "cause": row["cause"],
        "because": row["because"],
        "again": _again(row["confirm"], row["facts"]),
        "noise": _noise(connection, row, row["detected_at"]),
        "declared": _declared(connection, registered, row, row["detected_at"]),
        "dates": [one["due_at"] for one in row["runs"]],
        "flips": _flips(connection, row),
        "shown": _SHOWN,
    }
    content["instrument_audit"] = audit_claim.content(
        connection, row, content["parts"], row["runs"][1], None
    )
    return _card(content, zone)


def _flips(connection: Connection, row: Mapping[str, Any]) -> list[Row]:
    """The questions with other answers, with where both sides are kept."""
    found = flips.flips(connection, row, row["before_run_id"], row["after_run_id"])
    return [
        {
            "key": one.key,
            "probe": one.probe,
            **{
                side: [
                    {"attempt": a.attempt_id, "said": list(a.said), "text": a.text}
                    | {"sha256": a.sha256}
                    for a in answers
                ]
                for side, answers in (("before", one.before), ("after", one.after))
            },
        }
        for one in found
    ]


def of_point(connection: Connection, number: int, zone: ZoneInfo) -> Card:
    """The card of a point. Raises InvalidInput where there is none of this number."""
    row = claims.point(connection, number)
    if row is None:
        raise InvalidInput(f"no point {number} in this database; see `monitor series show`")
    registered = preregistrations.of_job(connection, row["runs"][0]["job"])
    content = _series(connection, row, row["signature_id"]) | {
        "kind": "point",
        "number": number,
        "claim": _sentence(row),
        "is_current": row["is_current"],
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
        "declared": _declared(
            connection, registered, row | {"role": _role(connection, row)}, row["due_at"]
        ),
        "dates": [row["due_at"]],
    }
    content["instrument_audit"] = audit_claim.content(
        connection, row, content["parts"], row["runs"][0], row["value"]
    )
    return _card(content, zone)


def _role(connection: Connection, row: Mapping[str, Any]) -> Role:
    """Whether a point is that of a control engine, which is never tested."""
    controls = names.control_labels(claims.job_of(connection, row["run_id"]))
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
    hashed, parts = claims.signature(connection, signature) if signature else ("", {})
    title = next(
        (q.title for q in measure.quantities if q.name == row["quantity"]) if measure else iter(()),
        row["quantity"],
    )
    return {
        "series": {
            name: row[name]
            for name in (
                "series_id", "series_key", "engine", "surface", "list", "source_lang", "target",
                "measure", "quantity", "reference", "scope", "scope_title", "engine_kind",
            )
        },
        "title": title,
        "pair": _pair(row),
        "config": dict(row["config"]),
        "runs": row["runs"],
        "signature": hashed,
        "parts": dict(parts),
        "validity": _validity(measure.validity if measure else None),
        "citation": measure.citation if measure else "",
    }  # fmt: skip


def _measure(name: str, kind: str) -> Measure | None:
    """The measure behind a canonical name; None where this installation has it no more."""
    try:
        return registry.measure(names.base_name(name).removesuffix("-snippet"), Kind(kind))
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


def _again(row: Mapping[str, Any] | None, facts: Mapping[str, float]) -> Row | None:
    """What was found when the questions were asked again, and what that was held against."""
    if row is None:
        return None
    named = ("delta", "low", "high", "p", "n", "changed", "before_run_id", "after_run_id", "due_at")
    shares = bool(facts.get("confirm_shares_before", 1.0))
    return {name: row[name] for name in named} | {"shares_before": shares}


def _noise(connection: Connection, row: Mapping[str, Any], until: datetime) -> Row:
    """How much moves when nothing changes, as far as that was asked."""
    known = claims.noise(connection, row["series_id"], until)
    by_kind = {
        kind: [one for one in known if one["contrast"] == kind] for kind in ("minutes", "days")
    }
    return {
        "sd_of_a_difference": row.get("noise"),
        "statistic": row.get("statistic"),
        "shared": _shared(row.get("facts") or {}),
        "contrasts": {
            kind: {
                "ticks": len(some),
                "changed": sum(one["changed"] for one in some),
                "asked": sum(one["n"] for one in some),
                "largest": max(abs(one["delta"]) for one in some),
            }
            for kind, some in by_kind.items()
            if some
        },
    }


def _shared(facts: Mapping[str, float]) -> Row | None:
    """What all questions share of the noise, as it was known when a change was decided."""
    if "shared_noise" not in facts:
        return None
    return {
        "sd": facts["shared_noise"],
        "high": facts.get("shared_noise_high"),
        "counts": bool(facts["noise_counts"]),
    }


def _declared(
    connection: Connection,
    registered: preregistrations.Registered | None,
    row: Mapping[str, Any],
    due_at: datetime,
) -> Row:
    """Whether this was declared before the first tick."""
    if registered is None:
        return {
            "confirmatory": False,
            "said": "exploratory: nothing was declared for this job",
            "hash": "",
        }
    declared = registered.content["declared"]
    is_one = (
        row["quantity"] in declared["primaries"]
        and row["target"] in declared["targets"]
        and row["scope"] == "all"
        # what was found by looking back, or in a series that is tested after others, was not
        and row.get("role", Role.PRIMARY) == Role.PRIMARY
        and row.get("kind", ChangeKind.STEP) == ChangeKind.STEP
    )
    kind = "confirmatory: declared" if is_one else "exploratory: not among what was declared"
    if row.get("role") == Role.WITNESS:
        kind = "exploratory: a control series is never tested; others were declared"
    elif is_one and _is_over(connection, registered, due_at):
        is_one = False
        kind = "exploratory: after the last tick that was declared (stop_rule); declared"
    return {
        "confirmatory": is_one,
        "said": f"{kind} on {registered.registered_at:%Y-%m-%d} before the first tick",
        "hash": registered.hash,
    }


def _is_over(
    connection: Connection, registered: preregistrations.Registered, due_at: datetime
) -> bool:
    """Whether a tick comes after the last one that was declared."""
    ticks = weekly.due_ticks(connection, [registered.job], due_at)[registered.job]
    return preregistrations.is_over(registered.content["declared"], len(ticks))


def _card(content: Row, zone: ZoneInfo) -> Card:
    page = _pages.environment(
        when=lambda at: text.when(at, zone),
        three=_three,
        level=_level,
        plain=_plain,
        cut_name=text.capped,
    )
    html = page.get_template("claim.html").render(content)
    lines = page.overlay(autoescape=False, finalize=_in_one_line)
    plain = lines.get_template("claim.txt").render(content)
    return Card(html, plain, {"schema": SCHEMA, **_numbers(content)})


def _in_one_line(value: object) -> object:
    """What the card as text writes: an answer with line breaks must not pass for lines of ours."""
    found = text.shown(value)
    if not isinstance(found, str):
        return found
    return found.replace("\n", "[U+000A]").replace("\t", "[U+0009]")


def _three(value: float | None) -> str:
    """A number with three decimals, with its sign; a dash where there is none."""
    return "–" if value is None else f"{value:+z.3f}"


def _level(value: float | None) -> str:
    """A value with three decimals; a dash where there is none."""
    return "–" if value is None else f"{value:z.3f}"


def _plain(value: float | None) -> str:
    """A p value or a level."""
    return "–" if value is None else f"{value:.2g}"


def _numbers(value: object) -> Any:  # noqa: ANN401 - JSON
    """The content as JSON holds it: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _numbers(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_numbers(one) for one in value]
    return value
