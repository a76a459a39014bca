"""Published data sets that are fetched, not shipped: a table of them, and how files are checked.

Nothing here reaches outside: `fetch/downloads.py` downloads, `--from` reads local copies. A file
has a SHA-256 that is pinned here, or one that is recorded at the first download (`SHA256SUMS` in
the folder of the data set) and compared at every later one.
"""

import csv
import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath

from monitor.input_files import decode_lines, read_table
from monitor.model import InvalidInput

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
    """

    path: str
    commit: str
    sha256: str | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published data set: what it is, what may be done with it, where its files are.

    `server` and `address` make the URL of a file; `listing` is the path of the list of files of a
    Hugging Face repository, for a data set whose files are not named here.
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

    @property
    def makes_lists(self) -> bool:
        """Whether its files become the lists `name@version`."""
        return any(file.version for file in self.files)

    def url(self, file: DataFile, server: str = "") -> str:
        """Return the address of a file, at another server if one is named."""
        path = self.address.format(commit=file.commit, path=file.path)
        return f"{(server or self.server).rstrip('/')}/{path}"

    def file_of(self, content: bytes, place: str) -> DataFile:
        """Return the file with exactly this content. Raises InvalidInput naming the digests."""
        digest = digest_of(content)
        for file in self.files:
            if file.sha256 == digest:
                return file
        editions = ", ".join(f"{file.version} has {file.sha256}" for file in self.files)
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


GEST = Dataset(
    name="gest",
    title="GEST: sentences on 16 gender stereotypes, first person",
    licence="Apache-2.0",
    use="lists of questions; keep to the licence and cite the authors",
    citation=(
        "Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are "
        "leaders: Gender stereotypes in machine translation and language modeling. "
        "arXiv:2311.18711"
    ),
    home="https://github.com/kinit-sk/gest",
    server="https://raw.githubusercontent.com/kinit-sk/gest",
    source_lang="en",
    note=(
        "Stereotypes 1 to 7 are about women, 8 to 16 about men. Some sentences stand in two items; "
        "they are asked once and count in both. The published figures use version 1.0."
    ),
    files=(
        DataFile(
            "data/gest.csv",
            "bb0326f959d60a3c00546433009781045518e618",
            "7e306adaa2913b660c6ddccddb26703a1de8c880cb0597ad27db4bca75380eea",
            "1.0",
        ),
        DataFile(
            "data/gest_1.1.csv",
            "74f96304d1fe5ef51f2e6d379c872d12a1d54d8c",
            "51d14d5dc648d5be867d40bd312c016471c485827f6c28488c7234b9d30fcd9c",
            "1.1",
        ),
    ),
)

EUROGEST = Dataset(
    name="eurogest",
    title="EuroGEST: GEST sentences in languages of Europe, in both genders of the speaker",
    licence="Apache-2.0",
    use="validation of readers; not asked: the questions in English are those of gest@1.1",
    citation=(
        "Rowe, J., Klimaszewski, M., Guillou, L., Vallor, S., Birch, A. (2025). EuroGEST: "
        "Investigating gender stereotypes in multilingual language models. EMNLP 2025, "
        "32062-32084. arXiv:2506.03867"
    ),
    home="https://huggingface.co/datasets/utter-project/EuroGEST",
    server="https://huggingface.co",
    address="datasets/utter-project/EuroGEST/resolve/{commit}/{path}",
    listing="api/datasets/utter-project/EuroGEST",
)

DATASETS = {dataset.name: dataset for dataset in (GEST, EUROGEST)}


def as_list(dataset: Dataset, file: DataFile, content: bytes) -> dict[str, str]:
    """The files of the probe list, {file name: content}.

    An item's key is its row in the published file, which is the same sentence in every edition or
    its correction.
    """
    rows = csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""))
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("key", "text", "stereotype"))
    number = count(1)
    writer.writerows(
        (f"{dataset.name}-{next(number):04d}", row["sentence"].strip(), row["stereotype"])
        for row in rows
    )
    label = f"{dataset.name}@{file.version}"
    return {f"{label}.csv": table.getvalue(), f"{label}.toml": _describe_dataset(dataset, file)}


def _describe_dataset(dataset: Dataset, file: DataFile) -> str:
    content = {
        "name": dataset.name,
        "version": file.version,
        "source_lang": dataset.source_lang,
        "title": f"{dataset.title} (version {file.version})",
        "status": "validated",  # by its authors; their annotations are in the repository
        "licence": dataset.licence,
        "repeated_texts": True,
        "citation": dataset.citation,
        "source": f"{dataset.home}/blob/{file.commit}/{file.path}",
        "sha256": file.sha256,
        "description": f"{dataset.note} Cite: {dataset.citation}",
    }
    # A JSON string or boolean is one of TOML as well.
    return "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in content.items())
