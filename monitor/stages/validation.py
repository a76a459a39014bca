"""Audits of the instrument: sheets for raters, verdicts and rates, rows and sentences.

A sheet shows a text and what to look at in it, in random order. It hides who translated it, what
was asked, and what our rules made of it.

How often calls are right, whether they are less often so than at an earlier audit, from when to
when the instrument is in doubt, and what the class shares are when corrected. What follows from
labels is computed from them each time. That something else follows now is written down in the
transaction that brought the labels, so that it is acted on whatever happens.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Self

from monitor.model import Cue, GenderClass, InvalidInput, Json, digest, primary
from monitor.stats.agreement import (
    Called,
    Corrected,
    SharePlace,
    audited_share,
    drop_within,
    raw_agreement,
)
from monitor.stats.intervals import wilson
from monitor.store.database import Connection
from monitor.store.journal import events
from monitor.store.validation import AuditGroup, SheetEntry, Stratum, read_groups
from monitor.text.cells import make_inert, plain

# --- sheets ---------------------------------------------------------------------------------------

COLUMNS = ("key", "language", "look_at", "text", "class")
#: What has to stand in a filled sheet.
NEEDED = frozenset({"key", "class"})
CLASSES = tuple(cls.value for cls in GenderClass)

_LOOK_AT = {
    Cue.AGREEMENT: "the speaker",
    Cue.QUOTED: "the speaker inside the quotation",
    Cue.PRONOUN: "the pronoun",
}


def order_numbers(seed: str, what: str, numbers: Iterable[int]) -> list[int]:
    """Numbers in random order, the same for the same seed on every machine."""
    key = digest(["instrument audit", seed, what])[:32].encode()
    return sorted(
        numbers, key=lambda item: blake2b(str(item).encode(), key=key, digest_size=16).digest()
    )


def make_rows(entries: Iterable[SheetEntry]) -> list[tuple[str, ...]]:
    """The rows of a sheet. What was erased meanwhile has no text to judge and is left out."""
    return [
        (
            sheet_entry.key,
            sheet_entry.target,
            _LOOK_AT[Cue(sheet_entry.cue)],
            make_inert(sheet_entry.text),
            "",
        )
        for sheet_entry in entries
        if not sheet_entry.is_erased
    ]


@dataclass(frozen=True, slots=True)
class FilledRow:
    """Row of a filled sheet; no class where it was left empty."""

    entry: SheetEntry
    cls: GenderClass | None


def read_filled(
    filled: Sequence[tuple[str, Mapping[str, str | None]]], known: Mapping[str, SheetEntry]
) -> list[FilledRow]:
    """What the rows of a sheet say, as (place, row). Raises InvalidInput naming place and value.

    `known` are entries by key. All rows have to be of one audit, each once, with their own text.
    """
    entries: dict[str, FilledRow] = {}
    for position, row in filled:
        item = _read(position, row, known)
        if item.entry.key in entries:
            raise InvalidInput(f"{position}: key {item.entry.key!r} stands twice; keep one of them")
        entries[item.entry.key] = item
    if not entries:
        raise InvalidInput("no row of a sheet in this file")
    audits = {filled.entry.audit_id for filled in entries.values()}
    if len(audits) > 1:
        numbers = ", ".join(map(str, sorted(audits)))
        raise InvalidInput(f"rows of several audits ({numbers}) in one file; import each by itself")
    return list(entries.values())


def key_of(row: Mapping[str, str | None]) -> str:
    """The key of a row."""
    return (row.get("key") or "").strip()


def _read(place: str, row: Mapping[str, str | None], known: Mapping[str, SheetEntry]) -> FilledRow:
    key = key_of(row)
    if key not in known:
        raise InvalidInput(
            f"{place}: key {key[:40]!r} is no row of an audit in this database; leave the column "
            "key as it was written, and import into the database that it was drawn from"
        )
    entry = known[key]
    if row.get("text") is not None and not entry.is_erased:
        same = _same(plain(row["text"] or ""))
        if same not in (_same(entry.text), _same(plain(entry.text))):
            raise InvalidInput(
                f"{place}: the text is not that of its key; was a column sorted by itself, or "
                "the text changed? Take the labels over into a new sheet (monitor audit draw)"
            )
    same = plain((row.get("class") or "").strip()).strip().casefold()
    if same and same not in CLASSES:
        raise InvalidInput(
            f"{place}: class {same[:40]!r}; write one of {', '.join(CLASSES)}, or nothing"
        )
    return FilledRow(entry, GenderClass(same) if same else None)


def _same(text: str) -> str:
    """A text without what spreadsheet programs change: blanks, line ends, composed letters."""
    return " ".join(unicodedata.normalize("NFC", text).split())


# --- verdicts -------------------------------------------------------------------------------------

#: One-sided level at which calls are taken to be less often right than before.
LEVEL = 0.05
#: An audit is meant for a quarter: after this it is said to be old.
OLD = timedelta(days=92)

_MARKED = frozenset({GenderClass.MASCULINE, GenderClass.FEMININE})
#: Job, target, cue and system: only audits in which these agree are compared.
_Alike = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """An audited group beside the audit before it that was not in doubt.

    `p` is of "as often right as before" against "less often", within each called class; None where
    there is nothing to compare with, or too little was read (`reason`).
    """

    group: AuditGroup
    before: AuditGroup | None = None
    p: float | None = None
    is_suspect: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReadingDoubt:
    """From the tick whose output was read less rightly until the tick of an audit that was well.

    What the same versions of our rules have read before, after the tick `well_at`, shares the
    doubt: that is the last audit of these versions that was well, None where there is none.
    """

    verdict: AuditVerdict
    since: datetime
    until: datetime | None = None
    well_at: datetime | None = None

    @property
    def language(self) -> str:
        """Primary subtag of the language whose rules are in doubt."""
        return primary(self.verdict.group.target)

    def holds(self, target: str, due_at: datetime, parts: Mapping[str, Json]) -> bool:
        """Return whether what was asked for a target language at a tick is read by rules in doubt.

        `parts` are those of the signature that it is read with. Named persons have rules of their
        own: an audit of speakers says nothing of them.
        """
        is_over = self.until is not None and due_at >= self.until
        is_other = (parts.get("cue") == Cue.ENTITY) != (self.verdict.group.cue == Cue.ENTITY)
        if primary(target) != self.language or is_over or is_other:
            return False
        is_after = self.well_at is None or due_at > self.well_at
        return due_at >= self.since or (is_after and reads_alike(self.verdict.group, parts))


def reads_alike(group: AuditGroup, parts: Mapping[str, Json]) -> bool:
    """Return whether a signature has the versions of rules and of parser that an audit is of.

    Of parsers that were not drawn from nothing is known, and rules are the same for all.
    """
    rules = parts.get("language"), parts.get("language_version")
    n_drawn = group.parsers.get(str(parts.get("parser")))
    is_same = n_drawn in (None, parts.get("parser_version"))
    return is_same and rules == (group.language, group.language_version)


def is_read(group: AuditGroup) -> bool:
    """Whether enough was read to judge by: of every called class ten, or all that was drawn."""
    return any(stratum.drawn for stratum in group.strata) and all(
        stratum.read >= min(called_of(stratum).least, stratum.drawn) for stratum in group.strata
    )


def called_of(stratum: Stratum, place: SharePlace = SharePlace.TOP) -> Called:
    """Return how often a called class was right: top is right, rest is wrong."""
    wrong = stratum.read - stratum.right
    return Called(stratum.called, stratum.frame, place, top=stratum.right, rest=wrong)


def judge_groups(groups: Iterable[AuditGroup]) -> list[AuditVerdict]:
    """Every group with the newest one before it that could be judged and was not in doubt.

    Only what was drawn alike is compared: of one job, language and cue, of all systems or of one.
    While the instrument is in doubt the audit before the fall is what later ones are held against,
    and an audit of a tick that is no later ends nothing: it can be drawn until it is well.
    """
    alike: dict[_Alike, list[AuditGroup]] = defaultdict(list)
    for group in groups:
        alike[group.job, group.target, group.cue, group.system].append(group)
    return [verdict for groups in alike.values() for verdict in _in_turn(groups)]


def _in_turn(some: Sequence[AuditGroup]) -> Iterable[AuditVerdict]:
    good: AuditGroup | None = None
    fell: AuditGroup | None = None
    for this_group in sorted(
        some, key=lambda group: (group.due_at, group.drawn_at, group.audit_id)
    ):
        if not is_read(this_group):
            yield AuditVerdict(
                this_group, good, None, fell is not None, "too little was read to judge by"
            )
            continue
        p = None if good is None else compute_drop(good, this_group)
        is_again = fell is not None and this_group.due_at <= fell.due_at
        is_suspect = is_again or (p is not None and p <= LEVEL)
        why = "" if good is not None else "no audit before it to compare with"
        if good is not None and p is None:
            why = "no class was called at both audits"
            is_suspect = fell is not None
        yield AuditVerdict(this_group, good, p, is_suspect, why)
        if is_suspect:
            fell = fell or this_group
        else:
            good, fell = this_group, None


def compute_drop(before: AuditGroup, after: AuditGroup) -> float | None:
    """One-sided p of a fall of right calls, within the classes that were called at both audits.

    By who read each item first: what is disputed is not right, so that with another reader fewer
    would be right though nothing has changed. Nobody who reads later mends, or makes, a fall.
    """
    earlier = {stratum.called: stratum for stratum in before.strata}
    pairs = [
        (earlier[stratum.called], stratum) for stratum in after.strata if stratum.called in earlier
    ]
    return drop_within([(b.right_first, b.read, a.right_first, a.read) for b, a in pairs])


def list_doubts(found: Sequence[AuditVerdict]) -> list[ReadingDoubt]:
    """The stretches of ticks in which the instrument is in doubt, those that go on included."""
    stretches: list[ReadingDoubt] = []
    standing: dict[_Alike, ReadingDoubt] = {}
    well: dict[_Alike, list[AuditGroup]] = defaultdict(list)
    for verdict in found:
        key = verdict.group.job, verdict.group.target, verdict.group.cue, verdict.group.system
        if verdict.is_suspect:
            standing.setdefault(key, _begun(verdict, well[key]))
            continue
        if key in standing:
            stretches.append(replace(standing.pop(key), until=verdict.group.due_at))
        if is_read(verdict.group):
            well[key].append(verdict.group)
    return stretches + list(standing.values())


def _begun(fell: AuditVerdict, well: Iterable[AuditGroup]) -> ReadingDoubt:
    """A doubt that goes on; of the audits before that were well those of the same versions end it.

    An audit of other versions says nothing of how these read what was answered then.
    """
    group = fell.group
    alike = [
        other_group.due_at
        for other_group in well
        if other_group.language_version == group.language_version
        and all(other_group.parsers.get(name, n) == n for name, n in group.parsers.items())
    ]
    return ReadingDoubt(fell, group.due_at, well_at=max(alike, default=None))


# --- doubts that are written down -----------------------------------------------------------------

#: The event that other ticks of a language are in doubt than before; its detail says which.
CHANGED = "audit_doubt"
#: The event that findings were decided by what is in doubt; its detail is the newest of `CHANGED`.
DECIDED = "audit_decided"
_OPEN = ".."  # of an interval, ISO 8601-2


def known_doubts(connection: Connection) -> list[ReadingDoubt]:
    """Every stretch of ticks in which a language's rules are in doubt, whoever's audit says so.

    Rules are shared by all jobs, so that an audit in one of them speaks of them all.
    """
    return list_doubts(judge_groups(read_groups(connection)))


def say_doubts(
    found: Sequence[ReadingDoubt], target: str, due_at: datetime, parts: Mapping[str, Json]
) -> tuple[str, ...]:
    """Return why answers for a target language at a tick may be misread; nothing where all is well.

    `parts` are those of the signature that it is read with.
    """
    return tuple(
        f"{write_subject(doubt.verdict.group)}: {say_fall(doubt.verdict)}"
        for doubt in found
        if doubt.holds(target, due_at, parts)
    )


@dataclass(frozen=True, slots=True)
class DoubtChange:
    """Ticks of a language, both ends included, that are in doubt otherwise than before."""

    id: int  # of the event
    language: str
    since: datetime | None
    until: datetime | None

    @classmethod
    def of(cls, event: events.Event) -> Self:
        """Return the doubt that an event records."""
        since, _, until = event.detail.partition("/")
        return cls(event.id, event.subject, _find_moment(since), _find_moment(until))

    def has(self, due_at: datetime) -> bool:
        """Return whether a tick is one of them."""
        is_early = self.since is not None and due_at < self.since
        return not (is_early or (self.until is not None and due_at > self.until))


def note_changes(
    connection: Connection,
    before: Sequence[ReadingDoubt],
    after: Sequence[ReadingDoubt],
    now: datetime,
) -> int:
    """Write down which ticks are in doubt otherwise now; the number of stretches."""
    changed = list_changed(before, after)
    for item in changed:
        since, until = item.well_at, item.until
        detail = "/".join(
            position.isoformat() if position else _OPEN for position in (since, until)
        )
        events.add_event(connection, CHANGED, item.language, detail, now=now)
    return len(changed)


def list_changed(
    before: Iterable[ReadingDoubt], after: Iterable[ReadingDoubt]
) -> list[ReadingDoubt]:
    """Return the doubts of one side alone.

    Also where the numbers of a fall are others: findings quote them.
    """
    old, new = ({_make_key(doubt): doubt for doubt in doubts} for doubts in (before, after))
    return [(old | new)[key] for key in sorted(old.keys() ^ new.keys())]


def _make_key(one: ReadingDoubt) -> tuple[str, ...]:
    group = one.verdict.group
    versions = [group.language_version, *sorted(group.parsers.items())]
    times = one.well_at, one.since, one.until
    subject, fall = write_subject(group), say_fall(one.verdict)
    return one.language, subject, fall, *map(str, times), str(versions)


def _find_moment(said: str) -> datetime | None:
    return None if said == _OPEN else datetime.fromisoformat(said)


def list_undecided(connection: Connection) -> list[DoubtChange]:
    """Return what has changed since findings were decided by it last."""
    last = events.find_last_detail(connection, DECIDED, "")
    return [
        DoubtChange.of(event)
        for event in events.list_of_kind(connection, CHANGED, after=int(last or 0))
    ]


def mark_decided(connection: Connection, some: Sequence[DoubtChange], now: datetime) -> None:
    """Write down that findings were decided by these changes and all before them."""
    events.add_event(connection, DECIDED, "", str(max(move.id for move in some)), now=now)


def newest_change(connection: Connection, languages: Iterable[str], due_at: datetime) -> int:
    """Id of the newest change that is about a tick of these languages; 0 where there is none."""
    wanted_languages = set(languages)
    rows = (DoubtChange.of(event) for event in events.list_of_kind(connection, CHANGED))
    return max(
        (item.id for item in rows if item.language in wanted_languages and item.has(due_at)),
        default=0,
    )


# --- rates ----------------------------------------------------------------------------------------


def right_share(group: AuditGroup) -> Corrected:
    """Return how often calls are right, each class weighing as often as it was called.

    Without a raw.
    """
    return replace(audited_share([called_of(stratum) for stratum in group.strata]), raw=None)


def marked_share(group: AuditGroup) -> Corrected:
    """Masculine and feminine among what could be read, as called and as people read."""
    return audited_share([_placed(stratum, _in_marked) for stratum in group.strata])


def masculine_share(group: AuditGroup) -> Corrected:
    """Masculine among masculine and feminine over all answers, as called and as people read."""
    return audited_share([_placed(stratum, _in_masculine) for stratum in group.strata])


def _in_marked(cls: GenderClass) -> SharePlace:
    if cls is GenderClass.UNIDENTIFIED:
        return SharePlace.OUTSIDE
    return SharePlace.TOP if cls in _MARKED else SharePlace.REST


def _in_masculine(cls: GenderClass) -> SharePlace:
    if cls not in _MARKED:
        return SharePlace.OUTSIDE
    return SharePlace.TOP if cls is GenderClass.MASCULINE else SharePlace.REST


def _placed(stratum: Stratum, place: Callable[[GenderClass], SharePlace]) -> Called:
    counts = dict.fromkeys(SharePlace, 0.0)
    for cls, n in stratum.truths.items():
        counts[place(cls)] += n
    return Called(
        stratum.called, stratum.frame, place(stratum.called),
        counts[SharePlace.TOP], counts[SharePlace.REST], counts[SharePlace.OUTSIDE],
    )  # fmt: skip


# --- rows and sentences ---------------------------------------------------------------------------

Row = dict[str, Any]

#: What stands beside every corrected rate.
HOLDS = (
    "Corrected rates hold for the answers that were drawn from, and for no other run, list or "
    "engine: where true shares are others, calls are right in another share."
)
#: Why the quantities that carry the findings are not corrected.
NOT_CORRECTED = (
    "p_i, p_f, p_m, f_s, f_m, s_or, ranks and shares by tag or occupation are not corrected: how "
    "often a call is right differs between stereotypes and occupations, because true shares do, "
    "and an audit does not draw enough of each."
)
_MOST_SYSTEMS = 4
_OF_GROUP = (
    "audit_id", "run_id", "job", "due_at", "drawn_at", "labelled_at", "seed", "per_class",
    "target", "cue", "system",
)  # fmt: skip


def describe_group(verdict: AuditVerdict) -> Row:
    """Everything that is known of an audited group, without the names of those who read."""
    group = verdict.group
    return {
        **{name: getattr(group, name) for name in _OF_GROUP},
        "systems": [system.name for system in group.systems],
        "language": group.language,
        "language_version": group.language_version,
        "answers": sum(stratum.frame for stratum in group.strata),
        "left_out": group.left_out,
        "drawn": sum(stratum.drawn for stratum in group.strata),
        "read": group.read,
        "right": group.right,
        "disputed": sum(stratum.disputed for stratum in group.strata),
        "unread": sum(stratum.unread for stratum in group.strata),
        "n_raters": len(group.labels),
        "agreement": _compute_agreement(group),
        "classes": [_describe_class(stratum) for stratum in group.strata],
        "right_share": describe_share(right_share(group)),
        "marked_share": describe_share(marked_share(group)),
        "masculine_share": describe_share(masculine_share(group)),
        "before": _before(verdict.before),
        "p": verdict.p,
        "is_suspect": verdict.is_suspect,
        "reason": verdict.reason,
    }


def describe_share(found: Corrected) -> Row:
    """A raw rate with the corrected one beside it, or why there is none."""
    return {
        "raw": found.raw, "rate": found.rate, "low": found.low, "high": found.high,
        "reason": found.reason,
    }  # fmt: skip


def _describe_class(one: Stratum) -> Row:
    row: Row = {"share": None, "low": None, "high": None}
    if one.read:
        limits = wilson(one.right, one.read)
        row = {
            "share": one.right / one.read, "low": float(limits.low), "high": float(limits.high),
        }  # fmt: skip
    return {
        "called": one.called.value, "answers": one.frame, "drawn": one.drawn, "read": one.read,
        "right": one.right, **row, "disputed": one.disputed, "unread": one.unread,
        "truths": {cls.value: round(n, 6) for cls, n in sorted(one.truths.items())},
    }  # fmt: skip


def _compute_agreement(one: AuditGroup) -> float | None:
    """Raw agreement of those who read, over the items that two or more of them read."""
    if len(one.labels) < 2:  # noqa: PLR2004 - agreement is between two
        return None
    labels = sorted({item for label in one.labels.values() for item in label})
    return raw_agreement([[label.get(item) for item in labels] for label in one.labels.values()])


def _before(one: AuditGroup | None) -> Row | None:
    if one is None:
        return None
    return {
        "audit_id": one.audit_id, "run_id": one.run_id, "due_at": one.due_at,
        "read": one.read, "right": one.right,
    }  # fmt: skip


# --- sentences ------------------------------------------------------------------------------------


def write_subject(group: AuditGroup) -> str:
    """Return what an audited group is called: what its alarm is about.

    Names of jobs have no colon.
    """
    cue = "" if group.cue == Cue.AGREEMENT else f" ({group.cue})"
    system = f", {group.system}" if group.system else ""
    return f"{group.job}: {group.target}{cue}{system}"


def say_fall(verdict: AuditVerdict) -> str:
    """Return what a fall is, with its numbers and where they come from."""
    group, before = verdict.group, verdict.before
    if before is None or verdict.p is None:
        return f"the audit of run {group.run_id} left the instrument in doubt"
    return (
        f"{group.right_first} of {group.read} texts of run {group.run_id} "
        f"({group.due_at:%Y-%m-%d}) were called what who read them "
        f"first says, {before.right_first} of {before.read} of run "
        f"{before.run_id} ({before.due_at:%Y-%m-%d}) before; p = {verdict.p:.2g} within called "
        "classes"
    )


def last_audited(targets: Iterable[str], groups: Sequence[AuditGroup], now: datetime) -> list[str]:
    """Return when each target language was audited last, or never.

    One sentence for those that agree.
    """
    alike: dict[str, list[str]] = {}
    for target in dict.fromkeys(targets):
        alike.setdefault(_last(target, groups, now), []).append(target)
    return [f"{', '.join(group)}: {text}" for text, group in alike.items()]


def _last(target: str, groups: Sequence[AuditGroup], now: datetime) -> str:
    read = [group for group in groups if group.target == target and group.read]
    if not read:
        drawn_groups = [group for group in groups if group.target == target]
        return "drawn for an audit, not read yet" if drawn_groups else "never audited"
    newest = max(read, key=lambda item: (item.due_at, item.drawn_at))
    n = sum(group.read for group in read if group.audit_id == newest.audit_id)
    days = (now - newest.due_at).days
    old = f", {days} days ago" if now - newest.due_at > OLD else ""
    return f"last audited on the answers of {newest.due_at:%Y-%m-%d}{old}, {n} items"


def spelt_systems(names: Sequence[str]) -> str:
    """The first of some names of systems, and how many more."""
    more = f" and {len(names) - _MOST_SYSTEMS} more" if names[_MOST_SYSTEMS:] else ""
    return "; ".join(names[:_MOST_SYSTEMS]) + more


def write_estimate(found: Mapping[str, Any]) -> str:
    """`0.973 [0.941, 0.990]`, or why there is no number."""
    if found["rate"] is None:
        return f"none: {found['reason']}"
    return f"{found['rate']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
