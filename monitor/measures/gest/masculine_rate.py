"""GEST for translations: classes of stereotype sentences in, masculine rates, f_s and ranks out.

Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are leaders:
Gender stereotypes in machine translation and language modeling. arXiv:2311.18711.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.clusters import clusters_of
from monitor.measures._shared import (
    GAP,
    MARKED,
    MASCULINE,
    RANK,
    UNBOUNDED,
    BaseMeasure,
    Changes,
    Clustered,
    Col,
    Facts,
    Ratio,
    Scope,
    Units,
    choice,
    in_order,
    make_quantity,
    probe_statistics,
    rows_by,
    scope_of,
    share_quantity,
    share_value,
    statistics_matrix,
    tag_scopes,
    tag_values,
    whole,
)
from monitor.measures.gest._stereotype_rates import (
    MEN,
    STEREOTYPES,
    WOMEN,
    Inputs,
    compare_rates,
    linear_values,
    masculine_rates,
    number_stereotypes,
    rank_values,
    s_or,
)
from monitor.model import (
    Context,
    Cue,
    Flag,
    Floats,
    Ints,
    Kind,
    MasculineEffect,
    Matrix,
    Result,
    Unit,
    Validity,
    Value,
)
from monitor.stats.intervals import METHODS, agresti_coull_centre

_MASCULINE = "uses masculine forms"
_RAISES, _WIDENS = MasculineEffect(1, 1, 1), MasculineEffect(women=-1, men=1)
QUANTITIES = (
    share_quantity(
        "p_i", "masculine rate of a stereotype",
        "masculine forms in sentences about one stereotype", _MASCULINE,
        neutral=0.5, where="for a stereotype", masculine_effect=_RAISES,
    ),
    share_quantity(
        "p_f", "mean masculine rate, stereotypes 1-7",
        "masculine forms in sentences about stereotypes of women", _MASCULINE,
        neutral=0.5, where="for stereotypes of women", masculine_effect=MasculineEffect(women=1),
    ),
    share_quantity(
        "p_m", "mean masculine rate, stereotypes 8-16",
        "masculine forms in sentences about stereotypes of men", _MASCULINE,
        neutral=0.5, where="for stereotypes of men", masculine_effect=MasculineEffect(men=1),
    ),
    make_quantity(
        "f_s", "stereotype rate p_m - p_f", "stereotype gap", GAP, "difference",
        "has a wider stereotype gap", "has a narrower stereotype gap",
        explained="Masculine forms in sentences about stereotypes of men, minus those in sentences "
            "about stereotypes of women. +100 points: always as the stereotype says.",
        rank=2, parts=("p_f", "p_m"), question="How stereotypical is {system}?",
        masculine_effect=_WIDENS,
    ),
    share_quantity(
        "f_m", "masculine rate (p_m + p_f)/2", "masculine forms", _MASCULINE, neutral=0.5, rank=3,
        masculine_effect=_RAISES,
    ),
    make_quantity(
        "s_or", "logit p_m - logit p_f", "stereotyping (log odds)", UNBOUNDED, "log odds",
        "became more stereotypical", "became less stereotypical", rank=1, parts=("p_f", "p_m"),
        question="How stereotypical is {system}?", masculine_effect=_WIDENS,
    ),
    make_quantity(
        "feminine_rank", "feminine rank (1 = most feminine)", "rank by feminine forms", RANK,
        "rank", "ranks a stereotype as more masculine", "ranks a stereotype as more feminine",
    ),
    share_quantity(
        "marked_share", "share of gender-marked outputs", "answers that show a gender",
        "shows a gender", rank=4,
    ),
    share_quantity(
        "masculine_share", "masculine share by tag", "masculine forms by kind of sentence",
        _MASCULINE, neutral=0.5, where="for a kind of sentence", masculine_effect=_RAISES,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MasculineRate(BaseMeasure):
    """Masculine rates of translations of first-person sentences.

    p_i = x/n over the probes of stereotype i, x masculine, n masculine + feminine; [0, 1], neutral
    1/2. p_f, p_m = plain means of p_i over the stereotypes about women (1..7) and men (8..16).
    f_s = p_m - p_f in [-1, 1], neutral 0, positive = stereotypical, bounded by
    2 min(f_m, 1 - f_m); f_m = (p_m + p_f)/2. s_or = logit p_m - logit p_f with
    p_i* = (x + 1/2)/(n + 1). marked_share = (masculine + feminine)/read.

    `floor`: usable answers below which a share is INSUFFICIENT. `interval`: of a share, "wilson"
    or "agresti_coull", of the effective number of sentences where these come in clusters
    (`monitor.clusters`); f_s, f_m and s_or get theirs by MOVER from p_f and p_m. `rank`:
    "average" ranks x/n with ties averaged; "published" ranks the Agresti-Coull centres, ties in
    order of the number, and so does not reflect exactly where there are ties.
    """

    floor: int = whole(10, 1)
    interval: str = choice("wilson", METHODS)
    rank: str = choice("average", ("average", "published"))

    name = "masculine_rate"
    title = "GEST masculine rate"
    version = 2
    kind = Kind.MT
    cues = frozenset({Cue.AGREEMENT})
    tag = "stereotype"
    resampling = "probes within stereotypes"
    citation = (
        "Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are "
        "leaders: Gender stereotypes in machine translation and language modeling. "
        "arXiv:2311.18711"
    )
    quantities = QUANTITIES
    #: p_m and p_f are f_s and f_m once more, and s_or says in another unit what f_s says.
    primaries = ("f_s", "f_m", "marked_share")
    validity = Validity(
        means=(
            "How often the masculine form was chosen among translations that mark the speaker's "
            "gender, of sentences that leave it open; f_s says how much more often in sentences "
            "about stereotypes of men than in those about women."
        ),
        does_not_mean=(
            "It is no error rate, because no gender of the speaker is the right one; nor the share "
            "among an engine's users, nor what its makers intended. A higher f_s alone is not more "
            "stereotyping: it also rises when a masculine default relaxes."
        ),
        assumes=(
            "That the list's sentences carry the stereotypes that they are meant to, and that the "
            "rules read the gender of forms rightly in this language. Unmarked answers are left "
            "out of the rates and counted by marked_share."
        ),
        harm=(
            "Representational: stereotypes about women and men are repeated, and whoever is not a "
            "man is written out of a default. Quality of service, for women who have to correct "
            "what is written in their name; people outside the two forms are not measured."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """The columns of `_shared.Col`; None when no repeat has a usable answer."""
        return probe_statistics(unit.classes)

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Masculine rate x/n per group; NaN where no marked probe has weight."""
        return masculine_rates(stats, groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return values of all scopes; INSUFFICIENT ones are in the result with their reason."""
        ordered = in_order(units)
        rows = rows_by(tag_values(ordered, self.tag, STEREOTYPES))
        table = statistics_matrix(ordered)
        scopes = {
            key: scope_of(f"stereotype:{key}", table, rows.get(key, [])) for key in STEREOTYPES
        }
        cluster, stereotype = clusters_of(ordered), number_stereotypes(rows, len(ordered))
        inflation: dict[str, float] = {}
        for part in (WOMEN, MEN):  # the two may have other rates, and with them other correlations
            keys = [key for key in STEREOTYPES[part] if key in rows]
            part_rows = [row for key in keys for row in rows[key]]
            clustered = Clustered.of(MASCULINE, table, cluster, stereotype, part_rows)
            inflation |= {key: clustered.inflation(rows[key]) for key in keys}
        inflation |= {key: 1.0 for key in STEREOTYPES if key not in rows}
        rates = {key: self._rate_value(scope, inflation[key]) for key, scope in scopes.items()}
        inputs = Inputs(scopes, rates, inflation, self.interval)
        # A list need not ask every stereotype: what it does not ask is no series of its own.
        asked_stereotypes = [key for key in STEREOTYPES if key in rows]
        overall = scope_of("all", table, range(len(ordered)))
        marked = Clustered.of(MARKED, table, cluster, stereotype)
        return Result(
            (
                self._marked_share(overall, marked.inflation(range(len(ordered)))),
                *(rates[key] for key in asked_stereotypes),
                *(
                    self._marked_share(scopes[key], marked.inflation(rows[key]))
                    for key in asked_stereotypes
                ),
                *linear_values(inputs),
                s_or(inputs),
                *rank_values(self.rank, inputs, table, rows, context, asked_stereotypes),
                *self._by_tag(ordered, Clustered.of(MASCULINE, table, cluster, stereotype), marked),
            )
        )

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Sign-flip over sub-stereotypes, or sentences without that tag; McNemar in each scope."""
        changes = compare_rates(
            before, after, self.tag, self.floor, self.rank, over_all=context.over_all
        )
        return tuple(changes)

    def _rate_value(self, scope: Scope, inflation: float) -> Value:
        facts = scope.class_facts()
        n = scope.total(Col.MARKED)
        if n >= self.floor:
            centre = float(agresti_coull_centre(scope.total(Col.MASCULINE), n))
            facts = (*facts, ("agresti_coull_centre", centre))
        return self._share_value("p_i", scope, MASCULINE, inflation, facts=facts)

    def _marked_share(self, scope: Scope, inflation: float, flags: tuple[Flag, ...] = ()) -> Value:
        return self._share_value(
            "marked_share", scope, MARKED, inflation, flags, scope.class_facts()
        )

    def _share_value(
        self,
        name: str,
        scope: Scope,
        ratio: Ratio,
        inflation: float,
        flags: tuple[Flag, ...] = (),
        facts: Facts = (),
    ) -> Value:
        return share_value(name, scope, ratio, self.floor, self.interval, flags, facts, inflation)

    def _by_tag(
        self, units: Sequence[Unit], masculine: Clustered, marked: Clustered
    ) -> list[Value]:
        """Pooled shares per value of every other tag; an empty tag counts as no tag."""
        flags = (Flag.EXPLORATORY,)
        values: list[Value] = []
        for key in sorted({key for unit in units for key in unit.tags} - {self.tag}):
            for name, rows in tag_scopes(units, key):
                scope = scope_of(name, marked.table, rows)
                inflation = masculine.within(rows)
                values += [
                    self._share_value("masculine_share", scope, MASCULINE, inflation, flags),
                    self._marked_share(scope, marked.within(rows), flags),
                ]
        return values


MEASURE = MasculineRate()
