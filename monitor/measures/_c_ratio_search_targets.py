"""Target c-ratios of ranked lists for two groups or more, exact: shares in, fractions out.

Lipani, A., Piroi, F., Yilmaz, E. (2021), Definition 2.3. The paper has a group and the rest; more
groups are given whole numbers of items by largest remainder (Hamilton's method of apportionment),
with the paper's rule where remainders tie.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from monitor.measures._c_ratio_bias_ratios import rounded_target, share_fraction
from monitor.measures._c_ratio_search_lists import Rules
from monitor.model import Share

#: Source of shares that are counts over a finite list, from which what is shown is drawn.
FULL_LIST = "result_list"

#: A group and the rest, as in the paper.
PAIR = 2
#: Digits of a share: 1 - 0.85 then is 0.15 and not 0.15000000000000002, which would be no tie.
_DIGITS = 12
#: How far from 1 the shares of all known groups may add up when nobody else is left.
_WHOLE = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Target:
    """Target shares of all groups, which add up to 1, and where they are from."""

    shares: tuple[Fraction, ...]
    source: Share
    people: tuple[int, ...] | None  # of each group, where the shares are of a finite list


def target_of(shares: Sequence[Share], rules: Rules) -> Target | None:
    """Shares of the measure's groups among themselves; None where the reference lacks one.

    People of other groups leave both ratios. A group that is not named has no member where the
    named ones add up to everybody, and is unknown otherwise.
    """
    known = {share.group: _fraction(share) for share in reversed(shares)}
    complete = sum(known.values()) >= 1 - _WHOLE
    named = [known.get(group, Fraction(0) if complete else None) for group in rules.groups]
    found = [share for share in named if share is not None]
    total = sum(found)
    if len(found) < len(named) or not total:
        return None
    own = next((share for share in shares if share.group == rules.group), shares[0])
    return Target(tuple(share / total for share in found), own, _people(shares, found))


def _fraction(share: Share) -> Fraction:
    return share_fraction(replace(share, value=round(share.value, _DIGITS)))


def _people(shares: Sequence[Share], fractions: Sequence[Fraction]) -> tuple[int, ...] | None:
    """Number of people per group behind shares of a full list; None for any other source."""
    total = shares[0].n
    if not total or any((share.source, share.n) != (FULL_LIST, total) for share in shares):
        return None
    counts = [share * total for share in fractions]
    if any(count.denominator != 1 for count in counts):
        return None
    return tuple(int(count) for count in counts)


@dataclass(frozen=True, slots=True)
class Seats:
    """Items out of n that each group is due: whole ones, and those that tied remainders leave."""

    n: int
    whole: tuple[int, ...]
    tied: tuple[int, ...]  # places of the groups that compete for the seats left
    left: int


def seats(shares: Sequence[Fraction], n: int) -> Seats:
    """Largest remainder: seats that are certain, and the tie for the last ones, if there is one."""
    if n < 1:
        raise ValueError(f"a ratio over {n} items does not exist")
    parts = [divmod(share * n, 1) for share in shares]
    whole, rests = [int(part) for part, _ in parts], [rest for _, rest in parts]
    left = n - sum(whole)
    if not left:
        return Seats(n, tuple(whole), (), 0)
    last = sorted(rests, reverse=True)[left - 1]
    tied = tuple(place for place, rest in enumerate(rests) if rest == last)
    for place, rest in enumerate(rests):
        if rest > last:
            whole[place] += 1
            left -= 1
    if len(tied) == left:
        for place in tied:
            whole[place] += 1
        return Seats(n, tuple(whole), (), 0)
    return Seats(n, tuple(whole), tied, left)


def rounded_targets(
    shares: Sequence[Fraction], n: int, models: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Ratios x/n that add up to 1 and are nearest to the shares; ties go towards the models.

    Of groups that tie, those take a seat whose model ratio is nearest to the ratio with it, seen
    from the one without; equal ones in the order of the groups.
    """
    due = seats(shares, n)

    def gain(place: int) -> Fraction:
        lower, upper = Fraction(due.whole[place], n), Fraction(due.whole[place] + 1, n)
        return abs(models[place] - upper) - abs(models[place] - lower)

    def excess(place: int) -> Fraction:
        return models[place] - shares[place]

    wanted = sorted(due.tied, key=lambda place: (gain(place), -excess(place), place))
    chosen = set(wanted[: due.left])
    return tuple(Fraction(whole + (i in chosen), n) for i, whole in enumerate(due.whole))


def seats_of(target: Target, n: int, rules: Rules) -> tuple[int, int]:
    """Fewest and most items out of n that the reported group is due, whatever is shown."""
    due, place = seats(target.shares, n), rules.place
    return due.whole[place], due.whole[place] + (place in due.tied)


def target_for(target: Target, n: int, models: Sequence[Fraction], rules: Rules) -> Fraction:
    """What the model ratio of the reported group over n items is compared with."""
    place = rules.place
    if rules.target == "exact":
        return target.shares[place]
    if len(rules.groups) == PAIR:  # each by itself: over the cut-off the two leave a rest
        return rounded_target(target.shares[place], n, models[place])
    return rounded_targets(target.shares, n, models)[place]
