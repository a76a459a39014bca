"""Published probe sets that are fetched, not shipped: what they are, and how they become lists.

In go the bytes of a published file, checked by a pinned SHA-256; out come the two files of a probe
list. Nothing here reaches outside: `fetch/downloads.py` downloads, `--file` reads a local copy.
"""

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from itertools import count

from monitor.model import InvalidInput


@dataclass(frozen=True, slots=True)
class Edition:
    """One published file. `commit` is where it stands in the repository and never changes."""

    version: str
    path: str
    commit: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published probe set whose editions become the lists `name@version`."""

    name: str
    title: str
    source_lang: str
    licence: str
    citation: str
    home: str
    note: str
    editions: tuple[Edition, ...]

    def edition_of(self, content: bytes, place: str) -> Edition:
        """The edition with exactly this content. Raises InvalidInput naming the digests."""
        digest = hashlib.sha256(content).hexdigest()
        for edition in self.editions:
            if edition.sha256 == digest:
                return edition
        edition_list = ", ".join(
            f"{edition.version} has {edition.sha256}" for edition in self.editions
        )
        raise InvalidInput(
            f"{place}: not a known edition of {self.name}: its SHA-256 is {digest}, but "
            f"{edition_list}; fetch it anew, and do not edit it"
        )


GEST = Dataset(
    name="gest",
    title="GEST: sentences on 16 gender stereotypes, first person",
    source_lang="en",
    licence="Apache-2.0",
    citation=(
        "Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are "
        "leaders: Gender stereotypes in machine translation and language modeling. "
        "arXiv:2311.18711"
    ),
    home="https://github.com/kinit-sk/gest",
    note=(
        "Stereotypes 1 to 7 are about women, 8 to 16 about men. Some sentences stand in two items; "
        "they are asked once and count in both. The published figures use version 1.0."
    ),
    editions=(
        Edition(
            "1.0",
            "data/gest.csv",
            "bb0326f959d60a3c00546433009781045518e618",
            "7e306adaa2913b660c6ddccddb26703a1de8c880cb0597ad27db4bca75380eea",
        ),
        Edition(
            "1.1",
            "data/gest_1.1.csv",
            "74f96304d1fe5ef51f2e6d379c872d12a1d54d8c",
            "51d14d5dc648d5be867d40bd312c016471c485827f6c28488c7234b9d30fcd9c",
        ),
    ),
)

DATASETS = {GEST.name: GEST}


def as_list(dataset: Dataset, edition: Edition, content: bytes) -> dict[str, str]:
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
    label = f"{dataset.name}@{edition.version}"
    return {f"{label}.csv": table.getvalue(), f"{label}.toml": _describe_dataset(dataset, edition)}


def _describe_dataset(dataset: Dataset, edition: Edition) -> str:
    content = {
        "name": dataset.name,
        "version": edition.version,
        "source_lang": dataset.source_lang,
        "title": f"{dataset.title} (version {edition.version})",
        "status": "validated",  # by its authors; their annotations are in the repository
        "licence": dataset.licence,
        "repeated_texts": True,
        "citation": dataset.citation,
        "source": f"{dataset.home}/blob/{edition.commit}/{edition.path}",
        "sha256": edition.sha256,
        "description": f"{dataset.note} Cite: {dataset.citation}",
    }
    # A JSON string or boolean is one of TOML as well.
    return "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in content.items())
