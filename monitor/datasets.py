"""Published data sets that are fetched, not shipped: a table, checks of files, and their lists.

Nothing here reaches outside: `fetch/downloads.py` downloads, `--from` reads local copies. A file
has a SHA-256 that is pinned here, or one that is recorded at the first download (`SHA256SUMS` in
the folder of the data set) and compared at every later one. Of the files of some become probe
lists: the files in, the two files of each list out.
"""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath

from monitor.data import read_toml
from monitor.input_files import decode_lines, read_table
from monitor.model import Cue, InvalidInput

#: The file that records the digests of a data set, in the format of `sha256sum`.
SUMS = "SHA256SUMS"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SUM_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
#: Endings of files that hold data: a repository has scripts and pictures as well.
_DATA_ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
_TABLES = {".csv": ",", ".tsv": "\t"}
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One published file.

    `commit` is where it stands in the repository and never changes. `sha256` is None where it is
    not known beforehand. `version` is that of the probe list which the file becomes, if any.
    `others` are the digests of other published forms of the file that are taken as well.
    """

    path: str
    commit: str
    sha256: str | None = None
    version: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published data set: what it is, what may be done with it, where its files are.

    `server` and `address` make the URL of a file; `listing` is the path of the list of files of a
    Hugging Face repository, for a data set whose files are not named here. `list_name` is the probe
    list that all files together become. The files of a data set that `stays` are kept beside its
    list, for studies.
    """

    name: str
    title: str
    licence: str
    use: str
    citation: str
    home: str
    server: str
    address: str = "{commit}/{path}"
    listing: str = ""
    files: tuple[DataFile, ...] = ()
    source_lang: str = ""
    note: str = ""
    list_name: str = ""
    stays: bool = False

    @property
    def makes_lists(self) -> bool:
        """Whether its files become the lists `name@version`, or all together one list."""
        return bool(self.list_name) or any(file.version for file in self.files)

    def url(self, file: DataFile, server: str = "") -> str:
        """Return the address of a file, at another server if one is named."""
        path = self.address.format(commit=file.commit, path=file.path)
        return f"{(server or self.server).rstrip('/')}/{path}"

    def file_of(self, content: bytes, place: str) -> DataFile:
        """Return the file with exactly this content. Raises InvalidInput naming the digests."""
        digest = digest_of(content)
        for file in self.files:
            if digest in (file.sha256, *file.others):
                return file
        editions = ", ".join(
            f"{file.version or file.path} has {file.sha256}" for file in self.files
        )
        raise InvalidInput(
            f"{place}: not a known edition of {self.name}: its SHA-256 is {digest}, but "
            f"{editions}; fetch it anew, and do not edit it"
        )


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def is_data(path: str) -> bool:
    """Return whether a file of a repository holds data, by its name."""
    return PurePosixPath(path).suffix in _DATA_ENDINGS


def check_path(path: str, place: str) -> str:
    """Return a path inside a folder. Raises InvalidInput for any other, `../x` or `/x`."""
    if not _PATH.fullmatch(path):
        raise InvalidInput(f"{place}: names a file {path!r}; not a plain path inside a folder")
    return path


def check_content(content: bytes, place: str) -> None:
    """Raise InvalidInput for a file that is not of the kind that its name says, or cut off."""
    kind = PurePosixPath(place).suffix
    if not content:
        raise InvalidInput(f"{place}: is empty; fetch it anew")
    if kind in _TABLES:
        lines = decode_lines(io.BytesIO(content), place)
        for _ in read_table(lines, place, delimiter=_TABLES[kind]).rows:
            pass
    elif kind == ".parquet" and not (
        content.startswith(_PARQUET) and content.endswith(_PARQUET) and len(content) > len(_PARQUET)
    ):
        raise InvalidInput(f"{place}: is no Parquet file, or cut off; fetch it anew")
    elif kind in (".json", ".jsonl"):
        _check_json(content, place, by_line=kind == ".jsonl")


def _check_json(content: bytes, place: str, *, by_line: bool) -> None:
    try:
        for text in content.splitlines() if by_line else [content]:
            json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"{place}: is no JSON, or cut off: {error}; fetch it anew") from error


def parse_digests(given: list[str], names: list[str]) -> dict[str, str]:
    """Return {file: SHA-256} of what `--sha256` gives, FILE=DIGEST or the digest of a lone file.

    Raises InvalidInput for what is no digest, and for files that are not among `names`.
    """
    digests = {}
    for text in given:
        name, _, digest = text.rpartition("=")
        name = name or (names[0] if len(names) == 1 else "")
        if not _DIGEST.fullmatch(digest.lower()):
            raise InvalidInput(f"--sha256 {text!r}: {digest!r} is no SHA-256 of 64 hex digits")
        if name not in names:
            raise InvalidInput(f"--sha256 {text!r}: write FILE=DIGEST, of {', '.join(names)}")
        digests[name] = digest.lower()
    return digests


def parse_sums(text: str, place: str) -> dict[str, str]:
    """Return {file: SHA-256} of a file of `sha256sum`. Raises InvalidInput with the line."""
    sums = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        match = _SUM_LINE.fullmatch(line)
        if not match:
            raise InvalidInput(
                f"{place}:{number}: no line of sha256sum; remove the folder to fetch it anew"
            )
        sums[match[2]] = match[1]
    return sums


def write_sums(dataset: Dataset, digests: Mapping[str, str]) -> str:
    """Return the text of the file of digests; its comments say what the files are."""
    facts = (
        dataset.title, f"licence: {dataset.licence}", f"use: {dataset.use}", dataset.home,
        f"cite: {dataset.citation}",
    )  # fmt: skip
    lines = [f"# {fact}" for fact in facts]
    lines += [f"{digest}  {path}" for path, digest in sorted(digests.items())]
    return "\n".join(lines) + "\n"


def compare_digests(
    seen: Mapping[str, str], recorded: Mapping[str, str], given: Mapping[str, str], place: str
) -> None:
    """Compare the digests of files with those given, else with those of the first download.

    Raises InvalidInput naming file, expected and seen digest, and for a recorded file that is
    missing. A digest that is given takes the place of a recorded one.
    """
    for path, digest in sorted({**recorded, **given}.items()):
        if path not in seen:
            raise InvalidInput(
                f"{place}: {path} is missing, which an earlier download had; if its authors "
                f"removed it, delete its line in {SUMS}"
            )
        if seen[path] == digest:
            continue
        source = "was given" if path in given else "was recorded at the first download"
        raise InvalidInput(
            f"{place}: {path} has changed: SHA-256 {digest} {source}, but it is now {seen[path]}; "
            "ask its authors whether they published another version, and if they did, accept it "
            f"with --sha256 {path}={seen[path]}"
        )


def _read_datasets() -> Iterator[Dataset]:
    for name, fields in read_toml("datasets").items():
        files = tuple(_make_file(*parts) for parts in fields.pop("files", ()))
        yield Dataset(name, files=files, **fields)


def _make_file(
    path: str, commit: str, sha256: str = "", version: str = "", *others: str
) -> DataFile:
    return DataFile(path, commit, sha256 or None, version, others)


DATASETS = {dataset.name: dataset for dataset in _read_datasets()}
GEST, WINOMT, MTGENEVAL, GATE = (DATASETS[name] for name in ("gest", "winomt", "mtgeneval", "gate"))


# --- lists ----------------------------------------------------------------------------------------

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
            for gender, sentence in (("feminine", feminine), ("masculine", masculine)):
                person = first_person_word(sentence)
                text = clean_sentence(sentence)
                if person and (text, gender) not in rows:
                    key = f"{base}-{gender[0]}"
                    rows[text, gender] = (key, text, person[0], str(person[1]), gender, base)
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
