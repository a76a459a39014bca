"""Probe lists of published data sets: their files in, the two files of each list out."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath

from monitor.datasets import DataFile, Dataset, digest_of
from monitor.input_files import decode_lines, read_table
from monitor.model import Cue, InvalidInput

#: The files of a data set with their contents.
Contents = Sequence[tuple[DataFile, bytes]]
#: Of a list: the header of its table, and the rows.
_Rows = tuple[Sequence[str], Iterable[Sequence[str]]]

_TAG = re.compile(r"</?[FM]>")
_EDGES = re.compile(r"^\W+|\W+$")
_PRONOUNS = frozenset("she her hers herself he him his himself".split())
#: Pronouns and gender words by which two sentences of one template differ.
_GENDERED = re.compile(
    r"\b(?:he|him|his|himself|she|her|hers|herself|they|them|their|theirs|themself|was|were|is|are|has|have)\b"
)
_SAID = {"male": "masculine", "female": "feminine", "neutral": "neutral"}
_BRACKETED = re.compile(r"\[([^\]]+)\]")


def make_lists(dataset: Dataset, contents: Contents) -> list[dict[str, str]]:
    """Return the files of each probe list, {file name: content}; the table comes first.

    Raises InvalidInput for a file that is missing, or a line that is not of the published form.
    """
    if dataset.list_name:
        by_name = {PurePosixPath(file.path).name: content for file, content in contents}
        header, rows = _MAKERS[dataset.name](by_name)
        return [_list_files(dataset, dataset.list_name, header, rows, contents)]
    return [
        _list_files(
            dataset, f"{dataset.name}@{file.version}", *_stereotype_rows(dataset, content),
            [(file, content)],
        )
        for file, content in contents
    ]  # fmt: skip


def _list_files(
    dataset: Dataset,
    label: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    contents: Contents,
) -> dict[str, str]:
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return {
        f"{label}.csv": table.getvalue(),
        f"{label}.toml": _description(dataset, label, contents),
    }


def _description(dataset: Dataset, label: str, contents: Contents) -> str:
    name, _, version = label.partition("@")
    sources = [f"{dataset.home}/blob/{file.commit}/{file.path}" for file, _ in contents]
    digests = [digest_of(content) for _, content in contents]
    content = {
        "name": name,
        "version": version,
        "source_lang": dataset.source_lang,
        "title": dataset.title if dataset.list_name else f"{dataset.title} (version {version})",
        "status": "validated",  # by its authors; their annotations are in the repository
        "licence": dataset.licence,
        "repeated_texts": True,
        "citation": dataset.citation,
        "source": ", ".join(sources),
        "sha256": ", ".join(digests),
        "description": f"{dataset.note} Cite: {dataset.citation}",
    }
    if dataset.list_name:
        content["cue"] = str(Cue.ENTITY)
    # A JSON string or boolean is one of TOML as well.
    return "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in content.items())


def _stereotype_rows(dataset: Dataset, content: bytes) -> _Rows:
    """Return the items of GEST.

    An item's key is its row in the published file, which is the same sentence in every edition or
    its correction.
    """
    table = csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""))
    number = count(1)
    rows = (
        (f"{dataset.name}-{next(number):04d}", row["sentence"].strip(), row["stereotype"])
        for row in table
    )
    return ("key", "text", "stereotype"), rows


# --- named persons --------------------------------------------------------------------------------


def read_winomt(content: bytes, place: str) -> list[tuple[str, str, str, str]]:
    """Return (gender, index, sentence, entity) of each line. Raises InvalidInput."""
    lines = content.decode("utf-8").splitlines()
    records = [tuple(line.split("\t")) for line in lines]
    for number, record in enumerate(records, start=1):
        if len(record) != 4 or record[0] not in _SAID or not record[1].isdigit():  # noqa: PLR2004
            raise InvalidInput(
                f"{place}:{number}: {lines[number - 1]!r}: not gender, index, sentence and entity "
                "with tabs between them"
            )
    return [(gender, index, text, entity) for gender, index, text, entity in records]


def _winomt_rows(files: Mapping[str, bytes]) -> _Rows:
    """Return the items of WinoMT.

    The key is the line of en.txt, counted from 0 as the authors' sheets do. Stereotypes are those
    of en_pro.txt and en_anti.txt.
    """
    parts = {name: read_winomt(_file(files, name), name) for name in
             ("en.txt", "en_pro.txt", "en_anti.txt")}  # fmt: skip
    stereotypes = dict.fromkeys(parts["en_anti.txt"], "anti")
    stereotypes |= dict.fromkeys(parts["en_pro.txt"], "pro")
    templates: dict[str, str] = {}
    rows = []
    for number, record in enumerate(parts["en.txt"]):
        gender, index, text, entity = record
        shape = _GENDERED.sub("_", text.lower())
        template = templates.setdefault(shape, f"t{len(templates):04d}")
        rows.append(
            (f"winomt-{number:04d}", text, entity, index, _SAID[gender],
             entity.lower().replace(" ", "_"),
             template, stereotypes.get(record, ""))
        )  # fmt: skip
    return (
        ("key", "text", "entity", "index", "said", "occupation", "template", "stereotype"), rows,
    )  # fmt: skip


def _mtgeneval_rows(files: Mapping[str, bytes]) -> _Rows:
    """Return the items of MT-GenEval: every English sentence of either gender once."""
    rows: dict[tuple[str, str], tuple[str, ...]] = {}
    bases: dict[str, str] = {}
    for name in sorted(files):
        if not name.endswith(".en") or "-feminine-" not in name:
            continue
        twin = name.replace("-feminine-", "-masculine-")
        sides = [_file(files, one).decode("utf-8").splitlines() for one in (name, twin)]
        for feminine, masculine in zip(*sides, strict=True):
            base = bases.setdefault(clean_sentence(feminine), f"mtgeneval-{len(bases):04d}")
            for said, sentence in (("feminine", feminine), ("masculine", masculine)):
                person = first_person_word(sentence)
                text = clean_sentence(sentence)
                if person and (text, said) not in rows:
                    key = f"{base}-{said[0]}"
                    rows[text, said] = (key, text, person[0], str(person[1]), said, base)
    distinct = {row[0]: row for row in rows.values()}
    return ("key", "text", "entity", "index", "counterfactual", "base"), distinct.values()


def clean_sentence(sentence: str) -> str:
    """Return a sentence of MT-GenEval without its marks."""
    return " ".join(_TAG.sub("", sentence).replace("[", "").replace("]", "").split())


def first_person_word(sentence: str) -> tuple[str, int] | None:
    """Return the first word that carries the gender and its place, a noun before a pronoun."""
    words = sentence.replace("[", "").replace("]", "").split()
    written = [(_TAG.sub("", word), bool(_TAG.search(word))) for word in words]
    written = [(word, is_marked) for word, is_marked in written if word]
    places = [
        (_EDGES.sub("", word), place)
        for place, (word, is_marked) in enumerate(written)
        if is_marked and _EDGES.sub("", word)
    ]
    nouns = [one for one in places if one[0].lower() not in _PRONOUNS]
    return next(iter(nouns or places), None)


def _gate_rows(files: Mapping[str, bytes]) -> _Rows:
    """Return the items of GATE: every English sentence with one open person once."""
    rows: dict[str, tuple[str, ...]] = {}
    for name in sorted(files):
        table = read_table(decode_lines(io.BytesIO(files[name]), name), name, delimiter="\t")
        columns = {column.strip().lower(): place for place, column in enumerate(table.columns)}
        for column in ("english", "kw_s", "labels"):
            if column not in columns:
                raise InvalidInput(f"{name}: no column {column!r}; fetch GATE anew")
        for _, row in table.rows:
            text, words, labels = (row[columns[c]].strip() for c in ("english", "kw_s", "labels"))
            entity = key_word(words)
            if entity and entity.lower() in text.lower() and text not in rows:
                rows[text] = (f"gate-{len(rows):04d}", text, entity, labels)
    return ("key", "text", "entity", "ambiguous"), rows.values()


def key_word(words: str) -> str:
    """Return the person of GATE's key words: the first one, that in brackets if there is one."""
    first = words.split("=", maxsplit=1)[0]
    bracketed = _BRACKETED.search(first)
    return (bracketed[1] if bracketed else first).strip().strip("()")


def _file(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise InvalidInput(f"{name}: is missing; a list needs all files of its data set")
    return files[name]


_MAKERS: dict[str, Callable[[Mapping[str, bytes]], _Rows]] = {
    "winomt": _winomt_rows,
    "mtgeneval": _mtgeneval_rows,
    "gate": _gate_rows,
}
