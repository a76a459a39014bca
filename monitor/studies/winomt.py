"""WinoMT: accuracy of recorded translations, beside the authors' figures and people's judgement."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.datasets import WINOMT, make_lists
from monitor.input_files import decode_lines, open_table, read_table
from monitor.measures.entities.winomt import MEASURE, PREDICTED
from monitor.model import (
    Context,
    EntityLanguage,
    EntityText,
    GenderClass,
    InvalidInput,
    Signal,
    Unit,
    Value,
)
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
    check_elsewhere,
    check_must,
)

_FILES = ("en.txt", "en_pro.txt", "en_anti.txt")
_SEPARATOR = "|||"
_NO_PAIR = Signal(GenderClass.UNIDENTIFIED, rule="not_source_and_translation")
_SHEET_COLUMNS = ("Index", "Sentence", "Find entity? [Y/N]", "Gender? [M/F/N]")
_JUDGED = {"M": GenderClass.MASCULINE, "F": GenderClass.FEMININE}
_GENDERS = frozenset(_JUDGED.values())
_PUBLISHED = re.compile(r"acc = ([\d.]+)%; f1_male = ([\d.]+)%.*?f1_female = ([\d.]+)%", re.DOTALL)
#: How far accuracy may be from that of the authors' program, which errs on 10 to 15 % of words.
_ACCURACY = 0.03
#: Share of clear judgements of people that are read otherwise, or not at all.
_DISAGREED = 0.05
_LIMITS = (
    Limit(
        "the authors' counts to the last digit",
        "their program aligns words by statistics and takes the gender of the aligned word; by "
        "their Table 5 it agrees with people on 85 to 90 %",
    ),
    Limit(
        "Delta_S",
        "the logs of whole translations do not print it; it is the difference of accuracies over "
        "the lines of en_pro.txt and en_anti.txt",
    ),
)


@dataclass(frozen=True, slots=True)
class _System:
    """Translations of one system into one language, read, with the authors' figures if known."""

    name: str
    language: str
    signals: Sequence[Signal]
    values: Mapping[str, Value]
    published: tuple[float, float, float] | None


LANGUAGES = Option(
    "languages", "Languages to read, separated by commas; left out, all that can be read."
)


def choose_languages(given: Mapping[str, Any]) -> set[str]:
    """Return the languages whose persons can be read, of those that were named."""
    readable = set(registry.list_names("entities"))
    return readable if given["languages"] is None else readable & set(given["languages"].split(","))


class WinoMTStudy(Study):
    """Recorded translations of WinoMT read as the measure `winomt` reads them."""

    name = "winomt"
    title = "WinoMT: named persons in recorded translations"
    paper = (
        "Stanovsky, Smith and Zettlemoyer (2019), Evaluating gender bias in machine translation "
        "(ACL 2019), Tables 2, 3 and 5"
    )
    question = (
        "How often do translations give a person the gender that the source says, and do the "
        "figures agree with the authors' program and with people?"
    )
    example = "winomt --folder winomt"
    options = (
        Option("folder", "Folder with en.txt, en_pro.txt and en_anti.txt, and in it "
               "translations/SYSTEM/en-XX.txt (source ||| translation); logs/SYSTEM/XX.log and "
               "human/*.csv are compared if they are there.", Path, required=True),
        LANGUAGES,
    )  # fmt: skip
    reference = ReferenceInputs({"folder": "winomt"}, needs=("winomt/en.txt",))

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Read all translations. Raises InvalidInput for an unusable file."""
        folder: Path = given["folder"]
        rows = _items(folder)
        wanted = choose_languages(given)
        systems = []
        for path in sorted((folder / "translations").glob("*/en-*.txt")):
            language = path.stem.removeprefix("en-")
            if language in wanted:
                tell(f"reading {path.parent.name}: {language}")
                systems.append(_read_system(folder, path, language, rows))
        if not systems:
            raise InvalidInput(
                f"{folder}: no translations/SYSTEM/en-XX.txt in a language that can be read: "
                f"{', '.join(registry.list_names('entities'))}"
            )
        sheets = list(_sheets(folder, rows, wanted))
        checks = [check for system in systems for check in _accuracy_checks(system)]
        checks += [_sheet_check(sheet) for sheet in sheets]
        tables = [_systems_table(systems), _order_table(systems), _reasons_table(systems)]
        if sheets:
            tables += [_sheets_table(sheets), _disagreements_table(sheets)]
        ran = {"sentences": f"{len(rows):,}; {describe_files([folder / _FILES[0]])}"}
        return StudyResult(ran=ran, checks=checks, tables=tuple(tables), limits=_LIMITS)


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Item:
    """A sentence of WinoMT."""

    key: str
    text: str
    entity: str
    index: int
    tags: Mapping[str, str]


def _items(folder: Path) -> list[_Item]:
    """Return the sentences with the tags of the list `winomt@1`, in the order of en.txt."""
    contents = [(file, _read(folder / file.path.rpartition("/")[2])) for file in WINOMT.files]
    [files] = make_lists(WINOMT, contents)
    text = next(iter(files.values()))
    table = read_table(decode_lines(io.BytesIO(text.encode()), "winomt@1"), "winomt@1")
    rows = [dict(zip(table.columns, row, strict=True)) for _, row in table.rows]
    return [_Item(row["key"], row["text"], row["entity"], int(row["index"]), row) for row in rows]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{path}: {error.strerror}; fetch it with: monitor lists fetch winomt"
        ) from error


def _read_system(folder: Path, path: Path, language: str, rows: Sequence[_Item]) -> _System:
    reader = registry.entity_reader(language)
    translations = _read_translations(path)
    if not any(item.text in translations for item in rows):
        raise InvalidInput(f"{path}: none of its sources is a sentence of en.txt")
    signals = [_read_item(reader, item, translations) for item in rows]
    units = [
        Unit(item.key, item.tags, (signal.cls,)) for item, signal in zip(rows, signals, strict=True)
    ]
    values = {v.name: v for v in MEASURE.derive(units, Context(seed=1)).values if v.scope == "all"}
    system = path.parent.name
    return _System(system, language, signals, values, _published(folder, system, language))


def _read_translations(path: Path) -> dict[str, str | None]:
    """Return {source: translation}; None for a line that is not `source ||| translation`."""
    translations: dict[str, str | None] = {}
    for line in decode_lines(io.BytesIO(_read(path)), str(path)):
        source, *others = line.split(_SEPARATOR)
        translations[source.strip()] = others[0].strip() if len(others) == 1 else None
    return translations


def _read_item(
    reader: EntityLanguage, item: _Item, translations: Mapping[str, str | None]
) -> Signal:
    """Read the translation of a sentence; UNIDENTIFIED with the reason where there is none."""
    if item.text not in translations:
        return Signal(GenderClass.UNIDENTIFIED, rule="no_translation")
    translation = translations[item.text]
    if translation is None:
        return _NO_PAIR
    return reader.signal(EntityText(item.text, item.entity, translation, item.index))


def _published(folder: Path, system: str, language: str) -> tuple[float, float, float] | None:
    """Return accuracy and F1 of men and women that the authors' program printed."""
    path = folder / "logs" / system / f"{language}.log"
    match = _PUBLISHED.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    if match is None:
        return None
    accuracy, men, women = (float(group) / 100 for group in match.groups())
    return accuracy, men, women


# --- people's judgement ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """One translation that a person judged, and how it was read."""

    sheet: str
    language: str
    item: _Item
    translation: str
    gender: GenderClass
    signal: Signal


def _sheets(folder: Path, rows: Sequence[_Item], wanted: set[str]) -> Iterator[list[_Judged]]:
    """Yield the clear judgements of each sheet: the entity was found, and is M or F."""
    for path in sorted((folder / "human").glob("*.csv")):
        languages = [part for part in re.split(r"[.-]", path.stem) if part in
                     registry.list_names("entities")]  # fmt: skip
        if not languages or languages[0] not in wanted:
            continue
        reader = registry.entity_reader(languages[0])
        judged = []
        with open_table(path, _SHEET_COLUMNS) as table:
            for place, row in table.records():
                gender = _JUDGED.get(row[_SHEET_COLUMNS[3]].strip())
                if gender is None or row[_SHEET_COLUMNS[2]].strip() != "Y":
                    continue
                item = _item_of(rows, row["Index"], place)
                text = EntityText(item.text, item.entity, row["Sentence"], item.index)
                judged.append(
                    _Judged(path.stem, languages[0], item, row["Sentence"], gender,
                            reader.signal(text))
                )  # fmt: skip
        yield judged


def _item_of(rows: Sequence[_Item], index: str, place: str) -> _Item:
    if not index.strip().isdigit() or int(index) >= len(rows):
        raise InvalidInput(f"{place}: Index {index!r} is no line of en.txt, counted from 0")
    return rows[int(index)]


# --- tables ---------------------------------------------------------------------------------------


def _accuracy_checks(system: _System) -> Iterator[StudyCheck]:
    if system.published is not None:
        yield check_elsewhere(
            f"accuracy of {system.name}, {system.language}", "the authors' log",
            system.values["accuracy"].value, system.published[0], _ACCURACY
        )  # fmt: skip


def _sheet_check(sheet: Sequence[_Judged]) -> StudyCheck:
    agreed = sum(one.signal.cls == one.gender for one in sheet)
    return check_must(
        f"clear judgements of {sheet[0].sheet} that are read otherwise or not",
        "people's judgement (Table 5)", 1 - agreed / len(sheet), 0.0, _DISAGREED
    )  # fmt: skip


def _systems_table(systems: Sequence[_System]) -> Table:
    names = ("accuracy", "f1_masculine", "f1_feminine", "delta_g", "delta_s", "feminine_share",
             "unidentified_share")  # fmt: skip
    rows = []
    for system in systems:
        accuracy = system.values["accuracy"]
        published = system.published or (None, None, None)
        rows.append(
            (system.name, system.language, *(system.values[name].value for name in names),
             accuracy.low, accuracy.high, *published)
        )  # fmt: skip
    return Table(
        "systems",
        "Systems and languages",
        ("system", "language", "accuracy", "F1 men", "F1 women", "Delta_G", "Delta_S",
         "women among persons", "not read", "accuracy from", "to", "accuracy of the authors",
         "F1 men of the authors", "F1 women of the authors"),
        tuple(rows),
        "A class that cannot be read is wrong, as in the paper. Intervals resample occupations and "
        "templates.",
    )  # fmt: skip


def _order_table(systems: Sequence[_System]) -> Table:
    """The order of systems by accuracy in each language, ours and the authors'."""
    rows: list[tuple[Cell, ...]] = []
    for language in dict.fromkeys(system.language for system in systems):
        of_language = [one for one in systems if one.language == language and one.published]
        if len(of_language) < 2:  # noqa: PLR2004 - an order needs two
            continue
        ours = sorted(of_language, key=lambda one: -(one.values["accuracy"].value or 0.0))
        theirs = sorted(of_language, key=lambda one: -(one.published or (0.0,))[0])
        names = [", ".join(one.name for one in order) for order in (ours, theirs)]
        rows.append((language, *names, "yes" if ours == theirs else "no"))
    return Table(
        "order",
        "Order of systems by accuracy, the best first",
        ("language", "here", "by the authors' logs", "equal"),
        tuple(rows),
        "Languages with at least two systems whose logs are there.",
    )


def _reasons_table(systems: Sequence[_System]) -> Table:
    rows = []
    for system in systems:
        counts: dict[str, int] = {}
        for signal in system.signals:
            if PREDICTED[signal.cls] == "unknown":
                reason = signal.rule or signal.cls.value
                counts[reason] = counts.get(reason, 0) + 1
        rows += [(system.name, system.language, reason, n) for reason, n in sorted(counts.items())]
    return Table("not_read", "Why a gender was not read", ("system", "language", "reason", "n"),
                 tuple(rows))  # fmt: skip


def _sheets_table(sheets: Sequence[Sequence[_Judged]]) -> Table:
    rows = []
    for sheet in sheets:
        n = len(sheet)
        unread = sum(one.signal.cls not in _GENDERS for one in sheet)
        agreed = sum(one.signal.cls == one.gender for one in sheet)
        rows.append((sheet[0].sheet, sheet[0].language, n, agreed / n, unread / n))
    return Table(
        "people",
        "Agreement with people",
        ("sheet", "language", "clear judgements", "equal", "not read"),
        tuple(rows),
        "Of translations in which a person found the named one and a gender.",
    )


def _disagreements_table(sheets: Sequence[Sequence[_Judged]]) -> Table:
    return Table(
        "disagreements",
        "Judgements that are read otherwise",
        ("sheet", "person", "judged", "read as", "words or reason", "source", "translation"),
        tuple(
            (one.sheet, one.item.entity, one.gender.value, one.signal.cls.value,
             "; ".join(w.text for w in one.signal.witnesses) or one.signal.rule, one.item.text,
             one.translation)
            for sheet in sheets
            for one in sheet
            if one.signal.cls != one.gender
        ),
    )  # fmt: skip


STUDY = WinoMTStudy()
