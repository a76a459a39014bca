"""The mirror test: sentences that differ only in the gender of the speaker, read on both sides.

A reader that sees one gender more often than the other invents bias, however seldom it errs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.model import InvalidInput
from monitor.studies import _mirror_sentences as sentences
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import describe_files
from monitor.studies._mirror_sentences import (
    MirrorOutcome,
    MirrorReading,
    MirrorTally,
    count_outcomes,
    read_both,
)
from monitor.studies.catalogue import (
    Cell,
    Figure,
    Limit,
    Option,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_must,
)

#: How large the share of generated sentences may be that are read on one side only, or swapped.
ONE_SIDED, SWAPPED = 0.005, 0.001
GENERATED, PAIRS, GATE = "generated", "pairs", "gate"
_WHERE = {
    GENERATED: "frames and words",
    PAIRS: "pairs of the file",
    GATE: "pairs of linguists",
}
_LIMITS = (
    Limit(
        "how many sentences of a language are read at all",
        "the frames are ours: the share read on both sides says what is missed of these frames, "
        "and not of ordinary texts",
    ),
    Limit(
        "pairs of the file that do not mark the speaker",
        "some pairs differ in the gender of somebody else, or in spelling; the right answer is "
        "none, and they count as read on neither side",
    ),
)


@dataclass(frozen=True, slots=True)
class MirrorResult:
    """Sentences of one source in one language, with their readings."""

    source: str
    language: str
    readings: Sequence[MirrorReading]
    tally: MirrorTally
    bar: float | None


class MirrorTest(Study):
    """Both sides of generated sentences, and of pairs of a file."""

    name = "mirror"
    title = "Both genders of one sentence"
    paper = (
        "Rowe, Klimaszewski, Guillou, Vallor and Birch (2025), EuroGEST (EMNLP 2025), whose "
        "pairs can be given, and Rarrick, Naik, Mathur, Poudel and Chowdhary (2023), GATE"
    )
    question = (
        "Is a sentence read as surely when a woman says it as when a man does, and never as the "
        "other's?"
    )
    example = "mirror --languages pl,cs --pairs pairs.csv"
    options = (
        Option("languages", "Languages to read, separated by commas; left out, all that have "
               "frames."),
        Option("pairs", "CSV with the columns language, masculine, feminine: the same sentence in "
               "both genders.", Path),
        Option("gate", "Folder with files CODE_....csv of GATE: the rows about the speaker are "
               "read.", Path),
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """Return the pairs of EuroGEST and of GATE, as far as they exist."""
        paths = {"pairs": data / "eurogest" / "pairs_dev.csv", "gate": data / "gate"}
        return {name: path for name, path in paths.items() if path.exists()}

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Read all sentences. Raises InvalidInput for an unknown language or an unusable file."""
        codes = _choose_codes(given["languages"])
        mirrors = {
            code: sentences.read_mirror(code, registry.known_language(code)) for code in codes
        }
        results = []
        for code, mirror in mirrors.items():
            tell(f"reading generated sentences: {code}")
            results.append(_read_result(GENERATED, code, list(mirror.sentences()), ONE_SIDED))
        ran = {"generated": f"frames and words of {', '.join(codes)}"}
        for source, read_pairs, path in (
            (PAIRS, sentences.read_pairs, given["pairs"]),
            (GATE, sentences.speaker_pairs, given["gate"]),
        ):
            if path is None:
                continue
            pairs = read_pairs(path)
            files = [path] if path.is_file() else sorted(path.glob("*.csv"))
            ran[source] = f"{len(pairs):,} pairs; {describe_files(files)}"
            tell(f"reading pairs: {_WHERE[source]}")
            for code, mirror in mirrors.items():
                own_pairs = [pair for pair in pairs if pair.language == code]
                if own_pairs:
                    bar = mirror.pairs_bar if source == PAIRS else None
                    results.append(_read_result(source, code, own_pairs, bar))
        return StudyResult(
            ran=ran,
            checks=[check for result in results for check in _make_checks(result)]
            + _check_pooled(results),
            tables=(_languages_table(results), _frames_table(results), _failing_table(results)),
            figures=_draw_figures(results),
            limits=_LIMITS,
            notes=_make_notes(results),
        )


def _choose_codes(names: str | None) -> tuple[str, ...]:
    """Return the languages to read. Raises InvalidInput for one without frames."""
    codes_with_frames = sentences.framed_languages()
    selected = tuple(name.strip() for name in names.split(",")) if names else codes_with_frames
    for name in selected:
        if name not in codes_with_frames:
            raise InvalidInput(
                f"--languages: {name!r} has no frames; known: {', '.join(codes_with_frames)}"
            )
    return selected


def _read_result(
    source: str, code: str, mirrored: Sequence[sentences.Mirrored], bar: float | None
) -> MirrorResult:
    readings = read_both(registry.known_language(code), mirrored)
    return MirrorResult(source, code, readings, count_outcomes(readings), bar)


def _make_checks(result: MirrorResult) -> list[StudyCheck]:
    """Return the checks of one language: read on one side only, and swapped."""
    if result.bar is None:
        return []
    what, where = f"{result.source}, {result.language}", _WHERE[result.source]
    share = result.tally.one_sided
    checks = [_make_check(f"{what}: read on one side only", where, share, result.bar)]
    if result.source == GENERATED:
        checks.append(_make_check(f"{what}: swapped", where, result.tally.swapped, SWAPPED))
    return checks


def _check_pooled(results: Sequence[MirrorResult]) -> list[StudyCheck]:
    """Return the check of the pairs of all languages with a bar: one language has too few."""
    held = [result for result in results if result.source == PAIRS and result.bar is not None]
    if not held:
        return []
    swapped = count_outcomes([pair for result in held for pair in result.readings]).swapped
    return [_make_check("pairs, all with a bar: swapped", _WHERE[PAIRS], swapped, SWAPPED)]


def _make_check(what: str, where: str, share: float | None, bar: float) -> StudyCheck:
    return check_must(what, where, share, 0.0, bar)


def _count_cells(tally: MirrorTally) -> tuple[Cell, ...]:
    counts = tally.counts
    return (tally.n, *(counts[outcome] for outcome in _ORDER), tally.one_sided)


_ORDER = (
    MirrorOutcome.BOTH, MirrorOutcome.MASCULINE_ONLY, MirrorOutcome.FEMININE_ONLY,
    MirrorOutcome.SWAPPED, MirrorOutcome.MIXED, MirrorOutcome.NEITHER,
)  # fmt: skip
_ONE_SIDED = (MirrorOutcome.MASCULINE_ONLY, MirrorOutcome.FEMININE_ONLY)
_COUNTED = ("sentences", *map(str, _ORDER), "share on one side only")


def _languages_table(results: Sequence[MirrorResult]) -> Table:
    return Table(
        "languages",
        "Languages",
        ("source", "language", *_COUNTED),
        tuple((result.source, result.language, *_count_cells(result.tally)) for result in results),
        "Masculine only, feminine only: this side was read right, and the other was not read or "
        "showed both genders. Swapped: a side was read as the opposite gender.",
    )


def _frames_table(results: Sequence[MirrorResult]) -> Table:
    """Return the counts of each frame, the worst of each language first."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        if result.source != GENERATED:
            continue
        groups = _group_readings(
            result.readings, lambda read: (read.sentence.kind, read.sentence.frame)
        )
        tallies = [
            (frame, count_outcomes(readings_of_frame))
            for frame, readings_of_frame in groups.items()
        ]
        tallies.sort(key=lambda frame: frame[1].counts[MirrorOutcome.BOTH] - frame[1].n)
        rows += [(result.language, *frame, *_count_cells(tally)) for frame, tally in tallies]
    return Table("frames", "Frames", ("language", "kind of word", "frame", *_COUNTED), tuple(rows))


def _group_readings(
    readings: Sequence[MirrorReading], key: Callable[[MirrorReading], tuple[str, str]]
) -> dict[tuple[str, str], list[MirrorReading]]:
    groups: dict[tuple[str, str], list[MirrorReading]] = {}
    for reading in readings:
        groups.setdefault(key(reading), []).append(reading)
    return groups


def _failing_table(results: Sequence[MirrorResult]) -> Table:
    return Table(
        "failing",
        "Sentences not read on both sides",
        (
            "source", "language", "outcome", "kind of word", "frame", "word", "masculine",
            "feminine", "masculine read as", "feminine read as",
        ),
        tuple(
            _failing_row(result.source, reading)
            for result in results
            for reading in result.readings
            if reading.outcome is not MirrorOutcome.BOTH
        ),
    )  # fmt: skip


def _failing_row(source: str, reading: MirrorReading) -> tuple[Cell, ...]:
    of = reading.sentence
    return (
        source, of.language, str(reading.outcome), of.kind, of.frame, of.word, of.masculine,
        of.feminine, str(reading.masculine), str(reading.feminine),
    )  # fmt: skip


def _make_notes(results: Sequence[MirrorResult]) -> list[str]:
    """Return what came of the pairs that no check is about."""
    parts = [
        f"{_WHERE[result.source]}, {result.language} "
        f"{sum(map(result.tally.counts.__getitem__, _ONE_SIDED))} of {result.tally.n}"
        for result in results
        if result.bar is None
    ]
    return [f"Pairs without a bar, read on one side only: {'; '.join(parts)}."] if parts else []


def _draw_figures(results: Sequence[MirrorResult]) -> list[Figure]:
    """Return a chart for each source: by language, what was read on one side only."""
    figures = []
    for source, where in _WHERE.items():
        rows = [
            {"language": result.language, "side": side, "share": result.tally.share(outcome)}
            for result in results
            if result.source == source and result.tally.n
            for side, outcome in (
                ("masculine", MirrorOutcome.MASCULINE_ONLY),
                ("feminine", MirrorOutcome.FEMININE_ONLY),
            )
        ]
        if rows:
            title = f"Read on one side only: {where}"
            figures.append(Figure(source, title, charts.draw_sides(rows, source, title)))
    return figures


STUDY = MirrorTest()
