"""What an audit of the instrument shows: counts of what people read in, verdicts and rates out.

How often calls are right, whether they are less often so than at an earlier audit, from when to
when the instrument is in doubt, and what the class shares are when corrected. Pure.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from monitor.model import GenderClass, Json, primary
from monitor.stats.audited import Called, Corrected, SharePlace, audited_share, drop_within
from monitor.store.validation.audits import Group, Stratum

#: One-sided level at which calls are taken to be less often right than before.
LEVEL = 0.05
#: An audit is meant for a quarter: after this it is said to be old.
OLD = timedelta(days=92)

_MARKED = frozenset({GenderClass.MASCULINE, GenderClass.FEMININE})
#: Job, target, cue and system: only audits in which these agree are compared.
_Alike = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """An audited group beside the audit before it that was not in doubt.

    `p` is of "as often right as before" against "less often", within each called class; None where
    there is nothing to compare with, or too little was read (`reason`).
    """

    group: Group
    before: Group | None = None
    p: float | None = None
    is_suspect: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """From the tick whose output was read less rightly until the tick of an audit that was well.

    What the same versions of our rules have read before, after the tick `well_at`, shares the
    doubt: that is the last audit of these versions that was well, None where there is none.
    """

    verdict: Verdict
    since: datetime
    until: datetime | None = None
    well_at: datetime | None = None

    @property
    def language(self) -> str:
        """Primary subtag of the language whose rules are in doubt."""
        return primary(self.verdict.group.target)

    def holds(self, target: str, due_at: datetime, parts: Mapping[str, Json]) -> bool:
        """Whether what was asked for a target language at a tick is read by rules in doubt.

        `parts` are those of the signature that it is read with.
        """
        is_over = self.until is not None and due_at >= self.until
        if primary(target) != self.language or is_over:
            return False
        is_after = self.well_at is None or due_at > self.well_at
        return due_at >= self.since or (is_after and reads_alike(self.verdict.group, parts))


def reads_alike(group: Group, parts: Mapping[str, Json]) -> bool:
    """Whether a signature has the versions of rules and of parser that an audit is of.

    Of parsers that were not drawn from nothing is known, and rules are the same for all.
    """
    rules = parts.get("language"), parts.get("language_version")
    drawn = group.parsers.get(str(parts.get("parser")))
    is_same = drawn in (None, parts.get("parser_version"))
    return is_same and rules == (group.language, group.language_version)


def is_read(group: Group) -> bool:
    """Whether enough was read to judge by: of every called class ten, or all that was drawn."""
    return any(one.drawn for one in group.strata) and all(
        one.read >= min(called_of(one).least, one.drawn) for one in group.strata
    )


def called_of(stratum: Stratum, place: SharePlace = SharePlace.TOP) -> Called:
    """How often a called class was right: top is right, rest is wrong."""
    wrong = stratum.read - stratum.right
    return Called(stratum.called, stratum.frame, place, top=stratum.right, rest=wrong)


def verdicts(groups: Iterable[Group]) -> list[Verdict]:
    """Every group with the newest one before it that could be judged and was not in doubt.

    Only what was drawn alike is compared: of one job, language and cue, of all systems or of one.
    While the instrument is in doubt the audit before the fall is what later ones are held against,
    and an audit of a tick that is no later ends nothing: it can be drawn until it is well.
    """
    alike: dict[_Alike, list[Group]] = defaultdict(list)
    for group in groups:
        alike[group.job, group.target, group.cue, group.system].append(group)
    return [found for some in alike.values() for found in _in_turn(some)]


def _in_turn(some: Sequence[Group]) -> Iterable[Verdict]:
    good: Group | None = None
    fell: Group | None = None
    for one in sorted(some, key=lambda group: (group.due_at, group.drawn_at, group.audit_id)):
        if not is_read(one):
            yield Verdict(one, good, None, fell is not None, "too little was read to judge by")
            continue
        p = None if good is None else drop(good, one)
        is_again = fell is not None and one.due_at <= fell.due_at
        is_suspect = is_again or (p is not None and p <= LEVEL)
        why = "" if good is not None else "no audit before it to compare with"
        if good is not None and p is None:
            why = "no class was called at both audits"
            is_suspect = fell is not None
        yield Verdict(one, good, p, is_suspect, why)
        if is_suspect:
            fell = fell or one
        else:
            good, fell = one, None


def drop(before: Group, after: Group) -> float | None:
    """One-sided p of a fall of right calls, within the classes that were called at both audits.

    By who read each item first: what is disputed is not right, so that with another reader fewer
    would be right though nothing has changed. Nobody who reads later mends, or makes, a fall.
    """
    earlier = {one.called: one for one in before.strata}
    both = [(earlier[one.called], one) for one in after.strata if one.called in earlier]
    return drop_within([(b.right_first, b.read, a.right_first, a.read) for b, a in both])


def doubts(found: Sequence[Verdict]) -> list[Doubt]:
    """The stretches of ticks in which the instrument is in doubt, those that go on included."""
    stretches: list[Doubt] = []
    standing: dict[_Alike, Doubt] = {}
    well: dict[_Alike, list[Group]] = defaultdict(list)
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


def _begun(fell: Verdict, well: Iterable[Group]) -> Doubt:
    """A doubt that goes on; of the audits before that were well those of the same versions end it.

    An audit of other versions says nothing of how these read what was answered then.
    """
    one = fell.group
    alike = [
        other_group.due_at
        for other_group in well
        if other_group.language_version == one.language_version
        and all(other_group.parsers.get(name, n) == n for name, n in one.parsers.items())
    ]
    return Doubt(fell, one.due_at, well_at=max(alike, default=None))


# --- rates ----------------------------------------------------------------------------------------


def right_share(group: Group) -> Corrected:
    """How often calls are right, each class weighing as often as it was called; without a raw."""
    return replace(audited_share([called_of(one) for one in group.strata]), raw=None)


def marked_share(group: Group) -> Corrected:
    """Masculine and feminine among what could be read, as called and as people read."""
    return audited_share([_placed(one, _in_marked) for one in group.strata])


def masculine_share(group: Group) -> Corrected:
    """Masculine among masculine and feminine over all answers, as called and as people read."""
    return audited_share([_placed(one, _in_masculine) for one in group.strata])


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
