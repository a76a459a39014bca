"""The mirror test: sentences that differ only in the gender of the speaker, read on both sides.

A reader that sees one gender more often than the other invents bias, however seldom it errs.

`monitor/data/mirror/CODE.toml` holds all that is known of a language:

* `[frames]`: the sentences of each kind of word, one a line. `{}` is the word, `{był|była}` a word
  of the frame that agrees with the speaker.
* `[rules]`: lists of endings, masculine/feminine, by kind. A word is inflected by the first entry
  whose first kind it ends in.
* `[[words]]`: words in the masculine. An irregular one stands with its feminine (`zły/zła`) and
  has the first kind of its rule only.
* `[[tables]]`: words of the reader's own tables. `tags` names the tags of both genders; a word
  counts where both of its forms are listed. With `side`, which is masculine or feminine, it counts
  where this form is listed, and the rule makes the other. `lists` names word lists with the
  masculine instead. With `every = 5` a word stands in each fifth frame only, the next in others.
* `letters` (optional): pairs of letters; each sentence is also written with the second ones.
* `pairs_bar` (optional): how large a share of given pairs may be read on one side only.

The endings are declared here, and the reader is not asked, because it is what is tested.
"""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from monitor import registry
from monitor.input_files import open_table
from monitor.model import GenderClass, InvalidInput, Language
from monitor.studies import _study_charts as charts
from monitor.studies._gest_files import describe_files
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

Pair: TypeAlias = tuple[str, str]  # masculine, feminine
#: {kind: "masculine/feminine" endings}, of which a word takes the first that fits.
Rule: TypeAlias = Sequence[Mapping[str, str]]
WORD = "{}"
_BOTH = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_ENDS = tuple(".!?…»”\"'")
#: Key words of GATE that refer to the same person are joined by "=".
_SPEAKER = re.compile(r"(?:^|[;,=]\s*)I(?=$|[;,=])")
_COLUMNS = ("language", "masculine", "feminine")


@dataclass(frozen=True, slots=True)
class Mirrored:
    """One sentence in both genders. `frame` and `word` say of what it was made."""

    language: str
    kind: str
    frame: str
    word: str
    masculine: str
    feminine: str


@dataclass(frozen=True, slots=True)
class MirrorFrames:
    """The frames and words of one language. `pairs_bar`: see `bars` of the study."""

    code: str
    frames: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Mapping[Pair, int]]  # each stands in every n-th frame
    pairs_bar: float | None = None
    letters: tuple[Pair, ...] = ()

    def sentences(self) -> Iterator[Mirrored]:
        """Yield every frame with every word of its kind."""
        for kind, frames in self.frames.items():
            for (frame_number, frame), (pair_number, (pair, step)) in product(
                enumerate(frames), enumerate(self.words[kind].items())
            ):
                if (frame_number + pair_number) % step == 0:
                    masculine, feminine = fill_frame(frame, pair)
                    mirrored = Mirrored(self.code, kind, frame, "/".join(pair), masculine, feminine)
                    yield mirrored
                    if self.letters:
                        yield self._spelled(mirrored)

    def _spelled(self, mirrored: Mirrored) -> Mirrored:
        """Return a sentence in the other script."""
        texts = [mirrored.masculine, mirrored.feminine]
        for letter, replacement in self.letters:
            texts = [text.replace(letter, replacement) for text in texts]
        return replace(mirrored, masculine=texts[0], feminine=texts[1])


def fill_frame(frame: str, pair: Pair) -> Pair:
    """Return a frame with a word in it, masculine and feminine, with a capital at the start."""
    masculine, feminine = (
        _BOTH.sub(rf"\{side}", frame).replace(WORD, word) for side, word in enumerate(pair, 1)
    )
    return _capitalise(masculine), _capitalise(feminine)


def _capitalise(text: str) -> str:
    """Return a text whose first letter is a capital."""
    start = next((i for i, letter in enumerate(text) if letter.isalpha()), 0)
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def framed_languages() -> tuple[str, ...]:
    """Return the languages that have frames."""
    folder = files("monitor.data").joinpath("mirror")
    names = [entry.name for entry in folder.iterdir()]
    return tuple(sorted(name[: -len(".toml")] for name in names if name.endswith(".toml")))


def read_mirror(code: str, language: Language) -> MirrorFrames:
    """Return the frames and words of a language, those of its reader's tables included."""
    text = files("monitor.data").joinpath("mirror", f"{code}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    frames = {kind: tuple(lines.strip("\n").split("\n")) for kind, lines in data["frames"].items()}
    words: dict[str, dict[Pair, int]] = {kind: {} for kind in frames}
    for group in data.get("words", ()):
        for word in group["list"].split():
            _add_words(words, inflect_word(word, data["rules"][group["rule"]]))
    for group in data.get("tables", ()):
        for forms in _list_forms(language, group, data["rules"][group["rule"]]):
            _add_words(words, forms, group.get("every", 1))
    letters = data.get("letters", "").split()
    return MirrorFrames(
        code,
        frames,
        words,
        data.get("pairs_bar"),
        tuple(zip(letters[::2], letters[1::2], strict=True)),
    )


def _add_words(
    words: Mapping[str, dict[Pair, int]], forms: Mapping[str, Pair], every: int = 1
) -> None:
    for kind, pair in forms.items():
        words[kind].setdefault(pair, every)


def inflect_word(word: str, rule: Rule) -> dict[str, Pair]:
    """Return {kind: both forms} of a word in the masculine, or of an irregular pair.

    Raises InvalidInput for a word that fits no entry of its rule.
    """
    masculine, slash, feminine = word.partition("/")
    if slash:
        return {next(iter(rule[0])): (masculine, feminine)}
    inflections = list(_list_inflections(word, rule, side=0))
    if not inflections:
        raise InvalidInput(f"{word!r} has none of the endings {[dict(entry) for entry in rule]}")
    return inflections[0]


def _list_inflections(word: str, rule: Rule, *, side: int) -> Iterator[dict[str, Pair]]:
    """Yield the forms that a word has by each entry that fits it, from its masculine (0) or not."""
    for endings in rule:
        pairs = {kind: _split_pair(pair) for kind, pair in endings.items()}
        ending = next(iter(pairs.values()))[side]
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            yield {
                kind: (stem + masculine, stem + feminine)
                for kind, (masculine, feminine) in pairs.items()
            }


def _split_pair(pair: str) -> Pair:
    masculine, _, feminine = pair.partition("/")
    return masculine, feminine


def _list_forms(
    language: Language, group: Mapping[str, Any], rule: Rule
) -> Iterator[Mapping[str, Pair]]:
    """Yield the forms of the words of a reader's tables that a group names."""
    left_out = frozenset(group.get("left_out", "").split())
    if "lists" in group:
        lists = getattr(language, "lists")  # noqa: B009 - of Romance readers alone
        words = frozenset[str]().union(*(getattr(lists, name) for name in group["lists"].split()))
        for word in sorted(words - left_out):
            yield from list(_list_inflections(word, rule, side=0))[:1]
        return
    from monitor.languages import _clauses

    table: Mapping[str, int] = getattr(language, "words")  # noqa: B009 - of Slavic readers alone
    sides = [
        {form for form, bits in table.items() if bits & getattr(_clauses, tag)} - left_out
        for tag in group["tags"].split()
    ]
    side = ("masculine", "feminine").index(group.get("side", "masculine"))
    other_forms = sides[1 - side] - sides[side]
    kind = next(iter(rule[0]))
    for form in sorted(sides[side] - sides[1 - side]):
        inflections = list(_list_inflections(form, rule, side=side))
        listed = [forms for forms in inflections if forms[kind][1 - side] in other_forms]
        yield from (listed or (inflections if "side" in group else []))[:1]


def read_pairs(path: Path) -> list[Mirrored]:
    """Return the pairs of a CSV file, each text with a full stop if it ends without one.

    Raises InvalidInput for a file that cannot be read, lacks a column or has a cell without text.
    """
    mirrored = []
    with open_table(path, _COLUMNS) as table:
        for location, row in table.records():
            for name in _COLUMNS:
                if not row[name].strip():
                    raise InvalidInput(f"{location}: has no text in the column {name}")
            sides = _end_sentence(row["masculine"]), _end_sentence(row["feminine"])
            mirrored.append(Mirrored(row["language"], "pair", "", "", *sides))
    return mirrored


def speaker_pairs(folder: Path) -> list[Mirrored]:
    """Return the pairs of GATE's files `CODE_....csv` whose key words name the speaker ("I").

    Raises InvalidInput for a folder without such a file, or a file that lacks a column.
    """
    paths = sorted(folder.glob("[a-z][a-z]_*.csv"))
    if not paths:
        raise InvalidInput(f"{folder}: has no file CODE_....csv, such as es_dev.csv")
    mirrored = []
    for path in paths:
        with open_table(path, ("kw_s", "masculine", "feminine")) as table:
            for _, row in table.records():
                if _SPEAKER.search(row["kw_s"]):
                    sides = _end_sentence(row["masculine"]), _end_sentence(row["feminine"])
                    mirrored.append(Mirrored(path.name[:2], "pair", "", "", *sides))
    return mirrored


def _end_sentence(text: str) -> str:
    """Return a text with a full stop, if it has no sign at its end."""
    text = text.strip()
    return text if text.endswith(_ENDS) else f"{text}."


_RIGHT = (GenderClass.MASCULINE, GenderClass.FEMININE)


class MirrorOutcome(StrEnum):
    """Result of reading the two sides of a sentence; the first that applies."""

    SWAPPED = "swapped"  # a side was read as the opposite gender
    BOTH = "both sides"
    MASCULINE_ONLY = "masculine only"  # read right on this side only
    FEMININE_ONLY = "feminine only"
    MIXED = "mixed"  # neither side right, and one at least shows both genders
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class MirrorReading:
    """The classes of both sides of a sentence."""

    sentence: Mirrored
    masculine: GenderClass
    feminine: GenderClass

    @property
    def outcome(self) -> MirrorOutcome:
        """Return the result of the two sides."""
        classes = (self.masculine, self.feminine)
        if self.masculine is _RIGHT[1] or self.feminine is _RIGHT[0]:
            return MirrorOutcome.SWAPPED
        right = (self.masculine is _RIGHT[0], self.feminine is _RIGHT[1])
        if any(right):
            return _OUTCOMES[right]
        unread = (GenderClass.NONE, GenderClass.UNIDENTIFIED)
        return (
            MirrorOutcome.NEITHER if all(cls in unread for cls in classes) else MirrorOutcome.MIXED
        )


_OUTCOMES = {
    (True, True): MirrorOutcome.BOTH,
    (True, False): MirrorOutcome.MASCULINE_ONLY,
    (False, True): MirrorOutcome.FEMININE_ONLY,
}


@dataclass(frozen=True, slots=True)
class MirrorTally:
    """Number of sentences with each outcome."""

    counts: Mapping[MirrorOutcome, int]

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    def share(self, *outcomes: MirrorOutcome) -> float | None:
        """Return the share of some outcomes; None of nothing."""
        return sum(self.counts[outcome] for outcome in outcomes) / self.n if self.n else None

    @property
    def one_sided(self) -> float | None:
        """The share that was read on one side only."""
        return self.share(MirrorOutcome.MASCULINE_ONLY, MirrorOutcome.FEMININE_ONLY)

    @property
    def swapped(self) -> float | None:
        return self.share(MirrorOutcome.SWAPPED)


def read_both(language: Language, sentences: Iterable[Mirrored]) -> list[MirrorReading]:
    """Return the classes of both sides of each sentence."""
    return [
        MirrorReading(
            sentence,
            language.signal(sentence.masculine).cls,
            language.signal(sentence.feminine).cls,
        )
        for sentence in sentences
    ]


def count_outcomes(readings: Sequence[MirrorReading]) -> MirrorTally:
    """Count outcomes."""
    counts = Counter(reading.outcome for reading in readings)
    return MirrorTally({outcome: counts[outcome] for outcome in MirrorOutcome})


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
        mirrors = {code: read_mirror(code, registry.known_language(code)) for code in codes}
        results = []
        for code, mirror in mirrors.items():
            tell(f"reading generated sentences: {code}")
            results.append(_read_result(GENERATED, code, list(mirror.sentences()), ONE_SIDED))
        ran = {"generated": f"frames and words of {', '.join(codes)}"}
        for source, read, path in (
            (PAIRS, read_pairs, given["pairs"]),
            (GATE, speaker_pairs, given["gate"]),
        ):
            if path is None:
                continue
            pairs = read(path)
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
    codes_with_frames = framed_languages()
    selected = tuple(name.strip() for name in names.split(",")) if names else codes_with_frames
    for name in selected:
        if name not in codes_with_frames:
            raise InvalidInput(
                f"--languages: {name!r} has no frames; known: {', '.join(codes_with_frames)}"
            )
    return selected


def _read_result(
    source: str, code: str, mirrored: Sequence[Mirrored], bar: float | None
) -> MirrorResult:
    readings = read_both(registry.known_language(code), mirrored)
    return MirrorResult(source, code, readings, count_outcomes(readings), bar)


def _make_checks(result: MirrorResult) -> list[StudyCheck]:
    """Return the checks of one language: read on one side only, and swapped."""
    if result.bar is None:
        return []
    what, where = f"{result.source}, {result.language}", _WHERE[result.source]
    share = result.tally.one_sided
    checks = [check_must(f"{what}: read on one side only", where, share, 0.0, result.bar)]
    if result.source == GENERATED:
        checks.append(check_must(f"{what}: swapped", where, result.tally.swapped, 0.0, SWAPPED))
    return checks


def _check_pooled(results: Sequence[MirrorResult]) -> list[StudyCheck]:
    """Return the check of the pairs of all languages with a bar: one language has too few."""
    held = [result for result in results if result.source == PAIRS and result.bar is not None]
    if not held:
        return []
    swapped = count_outcomes([pair for result in held for pair in result.readings]).swapped
    return [check_must("pairs, all with a bar: swapped", _WHERE[PAIRS], swapped, 0.0, SWAPPED)]


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
        groups: dict[tuple[str, str], list[MirrorReading]] = defaultdict(list)
        for reading in result.readings:
            groups[reading.sentence.kind, reading.sentence.frame].append(reading)
        tallies = [(frame, count_outcomes(readings)) for frame, readings in groups.items()]
        tallies.sort(key=lambda frame: frame[1].counts[MirrorOutcome.BOTH] - frame[1].n)
        rows += [(result.language, *frame, *_count_cells(tally)) for frame, tally in tallies]
    return Table("frames", "Frames", ("language", "kind of word", "frame", *_COUNTED), tuple(rows))


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
