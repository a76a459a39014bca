"""EuroGEST: minimal pairs of translations, which of them are read right, and what is wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.input_files import open_table
from monitor.model import Gender, GenderClass, InvalidInput, Language, Signal
from monitor.studies import mirror as sentences
from monitor.studies._gest_files import describe_files
from monitor.studies.catalogue import (
    Cell,
    Limit,
    Option,
    ReferenceInputs,
    ReportStep,
    Study,
    StudyCheck,
    StudyResult,
    Table,
    check_must,
)
from monitor.studies.mirror import MirrorReading, MirrorTally, count_outcomes

#: The largest share of texts that may be read as the other gender.
_SWAPPED = 0.003
#: How far the shares read right of the two genders may be apart.
_APART = 0.010
_SAME_COLUMNS = ("language", "text")
_LIMITS = (
    Limit(
        "pairs that do not mark the speaker",
        "some pairs differ in the gender of somebody else (mi amigo, mi amiga) or in spelling; "
        "the right answer is none, and they count as not read",
    ),
    Limit(
        "the g_s of the paper",
        "it is a ratio of arithmetic means, that of GEST one of geometric means: they cannot be "
        "compared, and this study computes neither",
    ),
)


@dataclass(frozen=True, slots=True)
class Text:
    """One side of a pair, and how it was read."""

    language: str
    gender: Gender
    text: str
    signal: Signal

    @property
    def is_right(self) -> bool:
        """Return whether its class is the gender of its column."""
        return self.signal.cls.value == self.gender.value

    @property
    def is_swapped(self) -> bool:
        """Return whether it was read as the opposite gender."""
        return not self.is_right and self.signal.cls in _GENDERS


_GENDERS = (GenderClass.MASCULINE, GenderClass.FEMININE)


class EuroGest(Study):
    """Pairs of the same sentence in both genders, and sentences without a difference."""

    name = "eurogest"
    title = "EuroGEST: pairs in both genders of the speaker"
    paper = (
        "Rowe, Klimaszewski, Guillou, Vallor and Birch (2025), EuroGEST: Investigating gender "
        "stereotypes in multilingual language models (EMNLP 2025)"
    )
    question = "Which translations are read as the gender that was asked for, by language?"
    example = "eurogest --pairs pairs.csv --same same.csv"
    options = (
        Option("pairs", "CSV with the columns language, masculine, feminine: the same sentence in "
               "both genders.", Path, required=True),
        Option("same", "CSV with the columns language, text: sentences whose translations were "
               "the same for both genders.", Path),
        Option("languages", "Languages to read, separated by commas; left out, all that are "
               "known."),
    )  # fmt: skip
    #: The half of EuroGEST that the rules were written with.
    reference = ReferenceInputs(
        {"pairs": "eurogest/pairs_dev.csv", "same": "eurogest/same_dev.csv"}
    )

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Read all texts. Raises InvalidInput for an unusable file."""
        pairs = sentences.read_pairs(given["pairs"])
        ran = {"pairs": f"{len(pairs):,} rows; {describe_files([given['pairs']])}"}
        readable = _choose_readers(given["languages"], {pair.language for pair in pairs})
        rows: list[tuple[Cell, ...]] = []
        texts: list[Text] = []
        for code, reader in readable.items():
            tell(f"reading pairs: {code}")
            own_pairs = [pair for pair in pairs if pair.language == code]
            sides = [_read_sides(reader, pair) for pair in own_pairs]
            own_texts = [text for side in sides for text in side]
            rows.append(_language_row(reader, own_texts, _count_sides(own_pairs, sides)))
            texts += own_texts
        wrong = [text for text in texts if not text.is_right]
        tables = [_table_of_languages(rows), _table_of_errors(wrong)]
        if given["same"]:
            tell("reading sentences without a difference")
            ran["same"] = describe_files([given["same"]])
            tables.append(_read_as_gendered(given["same"], readable))
        return StudyResult(
            ran=ran, checks=_make_checks(texts), tables=tuple(tables), limits=_LIMITS
        )


def _choose_readers(names: str | None, languages: set[str]) -> dict[str, Language]:
    """Return the readers of the languages of a file that are known, or of those named.

    Raises InvalidInput for a named one that has no reader or no pairs.
    """
    if names is None:
        readers = {code: registry.language(code) for code in sorted(languages)}
        return {code: reader for code, reader in readers.items() if reader is not None}
    codes = [name.strip() for name in names.split(",")]
    for code in codes:
        if code not in languages:
            raise InvalidInput(f"--languages: the file has no pairs of {code!r}")
    return {code: registry.known_language(code) for code in codes}


def _read_sides(reader: Language, pair: sentences.Mirrored) -> tuple[Text, Text]:
    """Return the masculine and the feminine text of a pair, each read once."""
    code = pair.language
    return (
        Text(code, Gender.MASCULINE, pair.masculine, reader.signal(pair.masculine)),
        Text(code, Gender.FEMININE, pair.feminine, reader.signal(pair.feminine)),
    )


def _count_sides(
    pairs: Sequence[sentences.Mirrored], sides: Sequence[tuple[Text, Text]]
) -> MirrorTally:
    """Return what came of both sides of each pair, as the mirror test counts it."""
    return count_outcomes(
        [
            MirrorReading(pair, masculine.signal.cls, feminine.signal.cls)
            for pair, (masculine, feminine) in zip(pairs, sides, strict=True)
        ]
    )


def _share_true(holds: Sequence[bool]) -> float:
    return sum(holds) / len(holds)


def _right_by_gender(texts: Sequence[Text]) -> tuple[float, float]:
    """Return the share of masculine texts that are read right, and that of feminine ones."""
    masculine, feminine = (
        _share_true([text.is_right for text in texts if text.gender is gender])
        for gender in (Gender.MASCULINE, Gender.FEMININE)
    )
    return masculine, feminine


def _language_row(reader: Language, texts: Sequence[Text], tally: MirrorTally) -> tuple[Cell, ...]:
    masculine, feminine = _right_by_gender(texts)
    return (
        reader.code, reader.name, tally.n, _share_true([text.is_right for text in texts]),
        masculine, feminine, masculine - feminine, sum(text.is_swapped for text in texts),
        tally.one_sided,
    )  # fmt: skip


def _make_checks(texts: Sequence[Text]) -> list[StudyCheck]:
    """Return the checks of all languages together: few pairs of one are spellings or misprints."""
    if not texts:
        return []
    masculine, feminine = _right_by_gender(texts)
    swapped = _share_true([text.is_swapped for text in texts])
    return [
        check_must(what, "pairs of the file", share, 0.0, bar)
        for what, share, bar in (
            ("masculine less feminine texts read right", masculine - feminine, _APART),
            ("texts read as the other gender", swapped, _SWAPPED),
        )
    ]


def _table_of_languages(rows: Sequence[tuple[Cell, ...]]) -> Table:
    return Table(
        "languages",
        "Languages",
        (
            "language", "name", "pairs", "read right", "masculine read right",
            "feminine read right", "difference", "swapped texts", "read on one side only",
        ),
        tuple(rows),
        "Of both texts of each pair, the share whose class is the gender of its column. Swapped: "
        "read as the opposite gender.",
    )  # fmt: skip


def _table_of_errors(texts: Sequence[Text]) -> Table:
    return Table(
        "errors",
        "Texts not read right",
        ("language", "gender", "read as", "rule", "text"),
        tuple(
            (text.language, text.gender.value, text.signal.cls.value, text.signal.rule, text.text)
            for text in texts
        ),
    )


def _read_as_gendered(path: Path, readers: Mapping[str, Language]) -> Table:
    """Return the sentences without a difference that are read as masculine or feminine."""
    rows: list[tuple[Cell, ...]] = []
    with open_table(path, _SAME_COLUMNS) as table:
        for _, row in table.records():
            reader = readers.get(row["language"])
            signal = reader.signal(row["text"]) if reader else None
            if signal and signal.cls in _GENDERS:
                words = ", ".join(witness.text for witness in signal.witnesses)
                rows.append((row["language"], signal.cls.value, words, signal.rule, row["text"]))
    return Table(
        "same",
        "Sentences whose two translations were the same, read as gendered",
        ("language", "read as", "words", "rule", "text"),
        tuple(rows),
        "A masculine default of the translator is read rightly; what marks nobody is not.",
    )


STUDY = EuroGest()
