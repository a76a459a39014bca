"""MT-GenEval: read the gender that references mark, and what systems write."""

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.datasets import clean_sentence, first_person_word
from monitor.input_files import open_table
from monitor.model import EntityText, GenderClass, InvalidInput, Signal
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
from monitor.studies.winomt import LANGUAGES, choose_languages

_NAME = re.compile(r"geneval-sentences-feminine-(?P<part>\w+)\.en_(?P<language>\w+)\.en")
_TAG = re.compile(r"</?[FM]>")
_GENDERS = (GenderClass.FEMININE, GenderClass.MASCULINE)
_PUNCTUATION = str.maketrans(string.punctuation, " " * len(string.punctuation))
#: Of marked references, the share that may be unread, and of those read the share that may be
#: wrong; how far the genders may be apart.
_UNREAD, _WRONG, _APART = 0.10, 0.02, 0.02
_EXAMPLES = 100
_LIMITS = (
    Limit(
        "which person is meant",
        "the data mark words, not persons: the person is named by the first marked English word, "
        "a noun before a pronoun",
    ),
)


@dataclass(frozen=True, slots=True)
class _Reference:
    """A marked reference of one gender, and how it was read."""

    language: str
    gender: GenderClass
    source: str
    entity: str
    text: str
    signal: Signal


class MtGenEval(Study):
    """References of professionals and, if there are any, translations of systems."""

    name = "mtgeneval"
    title = "MT-GenEval: sentences that say the gender, in both genders"
    paper = (
        "Currey, Nadejde, Pappagari, Mayer, Lauly, Niu, Hsu and Dinu (2022), MT-GenEval "
        "(EMNLP 2022), section 3.2"
    )
    question = (
        "Are professional translations read as the gender that they mark, and how often do "
        "systems keep the gender, by the paper's definition and by what is read?"
    )
    example = "mtgeneval --folder mtgeneval --translations translations.csv"
    options = (
        Option("folder", "Folder with geneval-sentences-{feminine,masculine}-PART.en_XX.{en,XX}.",
               Path, required=True),
        Option("translations", "CSV with the columns source, target_lang, translation and, for "
               "several systems, system: what systems made of the English sentences.", Path),
        LANGUAGES,
    )  # fmt: skip
    reference = ReferenceInputs({"folder": "mtgeneval"}, needs=("mtgeneval/geneval-*.en",))

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Read references and translations. Raises InvalidInput for an unusable file."""
        folder: Path = given["folder"]
        wanted = choose_languages(given)
        references: list[_Reference] = []
        pairs: dict[str, list[tuple[str, str, str, str]]] = {}
        for path in sorted(folder.rglob("geneval-sentences-feminine-*.en")):
            match = _NAME.fullmatch(path.name)
            language = match["language"] if match else ""
            if language not in wanted:
                continue
            tell(f"reading references: {language}")
            of_language = _sentence_pairs(path, language)
            pairs.setdefault(language, []).extend(of_language)
            references += _read_references(language, of_language)
        if not references:
            raise InvalidInput(
                f"{folder}: no geneval-sentences-feminine-PART.en_XX.en in a language that can be "
                "read; fetch it with: monitor lists fetch mtgeneval"
            )
        tables = [_references_table(references), _errors_table(references)]
        if given["translations"]:
            tell("reading translations")
            tables.insert(0, _systems_table(given["translations"], pairs))
        ran = {"references": f"{len(references):,} that mark the gender, in {folder.name}"}
        return StudyResult(
            ran=ran, checks=list(_checks(references)), tables=tuple(tables), limits=_LIMITS
        )


def _sentence_pairs(path: Path, language: str) -> list[tuple[str, str, str, str]]:
    """Return (feminine source, reference, masculine source, reference) with their marks."""
    columns = []
    for gender in ("feminine", "masculine"):
        english = path.with_name(path.name.replace("-feminine-", f"-{gender}-"))
        for file in (english, english.with_suffix(f".{language}")):
            try:
                columns.append(file.read_text(encoding="utf-8").splitlines())
            except OSError as error:
                raise InvalidInput(
                    f"{file}: {error.strerror}; all four files are needed"
                ) from error
    if len({len(lines) for lines in columns}) > 1:
        raise InvalidInput(f"{path}: the files of {language} have different numbers of lines")
    return list(zip(*columns, strict=True))


def _read_references(
    language: str, pairs: Sequence[tuple[str, str, str, str]]
) -> Iterator[_Reference]:
    """Yield the references with a marked word, read for the first marked English word."""
    reader = registry.entity_reader(language)
    for sentences in pairs:
        for gender, source, reference in zip(_GENDERS, sentences[::2], sentences[1::2],
                                             strict=True):  # fmt: skip
            person = first_person_word(source)
            if person is None or not _TAG.search(reference):
                continue
            english, text = clean_sentence(source), clean_sentence(reference)
            signal = reader.signal(EntityText(english, person[0], text, person[1]))
            yield _Reference(language, gender, english, person[0], text, signal)


def _checks(references: Sequence[_Reference]) -> Iterator[StudyCheck]:
    for language in sorted({one.language for one in references}):
        of_language = [one for one in references if one.language == language]
        shares = [_shares([one for one in of_language if one.gender is gender])
                  for gender in _GENDERS]  # fmt: skip
        unread, wrong = (sum(side[k] for side in shares) / len(shares) for k in (0, 1))
        for what, value, bar in (
            ("marked references not read", unread, _UNREAD),
            ("wrong among those read", wrong, _WRONG),
            ("read, feminine less masculine", shares[1][0] - shares[0][0], _APART),
        ):
            yield check_must(f"{what}, {language}", "references", value, 0.0, bar)


def _shares(references: Sequence[_Reference]) -> tuple[float, float]:
    """Return the share that was not read, and the share of wrong ones among those read."""
    read = [one for one in references if one.signal.cls in _GENDERS]
    wrong = sum(one.signal.cls is not one.gender for one in read)
    unread = 1 - len(read) / len(references) if references else 0.0
    return unread, wrong / len(read) if read else 0.0


def _references_table(references: Sequence[_Reference]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for language in sorted({one.language for one in references}):
        for gender in _GENDERS:
            some = [one for one in references if (one.language, one.gender) == (language, gender)]
            unread, wrong = _shares(some)
            rows.append((language, gender.value, len(some), 1 - unread, 1 - wrong))
    return Table(
        "references",
        "References that mark the gender",
        ("language", "gender", "references", "read", "right among those read"),
        tuple(rows),
    )


def _errors_table(references: Sequence[_Reference]) -> Table:
    wrong = [one for one in references if one.signal.cls is not one.gender]
    shown: Counter[str] = Counter()
    rows: list[tuple[Cell, ...]] = []
    for one in wrong:
        shown[one.language] += 1
        if shown[one.language] <= _EXAMPLES:
            words = "; ".join(w.text for w in one.signal.witnesses) or one.signal.rule
            rows.append((one.language, one.gender.value, one.signal.cls.value, words, one.entity,
                         one.source, one.text))  # fmt: skip
    return Table(
        "errors",
        f"References not read right, at most {_EXAMPLES} of a language",
        ("language", "gender", "read as", "words or reason", "person", "source", "reference"),
        tuple(rows),
    )


# --- translations of systems ----------------------------------------------------------------------


def is_right_by_words(translation: str, own: str, other: str) -> bool:
    """Return whether a translation has no word that only the reference of the other gender has.

    The paper's accuracy (section 3.2): words in small letters without punctuation.
    """
    words, own_words, other_words = (
        set(text.lower().translate(_PUNCTUATION).split()) for text in (translation, own, other)
    )
    return not words & (other_words - own_words)


def _systems_table(path: Path, pairs: Mapping[str, Sequence[tuple[str, str, str, str]]]) -> Table:
    """Return agreement by system and language, by the paper's definition and as it is read."""
    sentences: dict[tuple[str, str], tuple[GenderClass, str, str, str]] = {}
    for language, of_language in pairs.items():
        for feminine, own, masculine, other in of_language:
            clean = [clean_sentence(text) for text in (feminine, own, masculine, other)]
            sentences[language, clean[0]] = (GenderClass.FEMININE, feminine, clean[1], clean[3])
            sentences[language, clean[2]] = (GenderClass.MASCULINE, masculine, clean[3], clean[1])
    counts: dict[tuple[str, str, GenderClass], Counter[str]] = {}
    with open_table(path, ("source", "target_lang", "translation")) as table:
        for _, row in table.records():
            sentence = sentences.get((row["target_lang"], clean_sentence(row["source"])))
            if sentence is None:
                continue
            gender, marked, own, other = sentence
            key = row.get("system", ""), row["target_lang"], gender
            count = counts.setdefault(key, Counter())
            count["n"] += 1
            count["words"] += is_right_by_words(row["translation"], own, other)
            person = first_person_word(marked)
            text = clean_sentence(marked)
            reader = registry.entity_reader(row["target_lang"])
            signal = reader.signal(
                EntityText(text, person[0] if person else "", row["translation"],
                           person[1] if person else None)
            )  # fmt: skip
            count[signal.cls.value] += 1
    if not counts:
        raise InvalidInput(f"{path}: none of its sources is a sentence of the data")
    rows: list[tuple[Cell, ...]] = []
    for (system, language, gender), count in sorted(counts.items()):
        n, other_gender = count["n"], next(one for one in _GENDERS if one is not gender)
        read = n - count[GenderClass.UNIDENTIFIED.value]
        wrong = count[other_gender.value] + count[GenderClass.MIXED.value]
        kept = 1 - wrong / read if read else None
        marked_share = count[gender.value] / n
        rows.append((system, language, gender.value, n, count["words"] / n, kept, marked_share,
                     1 - read / n))  # fmt: skip
    return Table(
        "systems",
        "Translations of systems",
        ("system", "language", "said", "translations", "accuracy of the paper",
         "without the other gender", "in the right gender", "not read"),
        tuple(rows),
    )  # fmt: skip


STUDY = MtGenEval()
