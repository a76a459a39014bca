"""Builds a corpus of files or of an archive: documents in, a folder and its facts out."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from monitor import settings
from monitor.cli._console import counter, err, out
from monitor.cli._open import database
from monitor.cli._visible import visible
from monitor.corpus.augment import SHARES, Once, Twinned
from monitor.corpus.concepts import default_concepts
from monitor.corpus.encoded import EncodedCorpus, Rules
from monitor.corpus.encoding import build
from monitor.corpus.reading import Form
from monitor.corpus.reading import documents as read_documents
from monitor.model import Block, InvalidInput
from monitor.pipeline.gathering import corpus_texts
from monitor.store.derive.corpora import TextFilter
from monitor.text.counted_nouns import several

Documents = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which texts of an archive: jobs, engine, region, days (both included), and the block."""

    jobs: tuple[str, ...]
    engine: str
    region: str
    since: datetime | None
    until: datetime | None
    block: Block

    @property
    def named(self) -> list[str]:
        """The options that were given."""
        given = {
            "--job": self.jobs,
            "--engine": self.engine,
            "--region": self.region,
            "--from": self.since,
            "--to": self.until,
        }
        return [f"{option} {_said(value)}" for option, value in given.items() if value]


def _said(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@contextmanager
def source_of(
    files: Sequence[Path], form: Form, from_archive: bool, wanted: Wanted
) -> Iterator[Documents]:
    """The documents asked for. Raises InvalidInput where both sources are named, or none."""
    if from_archive:
        if files:
            raise InvalidInput(f"{files[0]}: name files or --from-archive, not both")
        with database() as opened:
            texts = corpus_texts(opened, _collected(wanted))
            first = next(texts, None)
            if first is None:
                raise InvalidInput(
                    f"--from-archive: no text in the block {wanted.block} of what was asked for "
                    f"({', '.join(wanted.named) or 'all runs'}); `monitor status` lists the runs"
                )
            yield chain([first], texts)
        return
    if wanted.named:
        raise InvalidInput(f"{wanted.named[0]}: says which texts of the archive: --from-archive")
    if not files:
        raise InvalidInput(
            "no file: name some, as in: monitor corpus build news news.txt; --from-archive takes "
            "what engines answered"
        )
    yield read_documents(files, form)


def _collected(wanted: Wanted) -> TextFilter:
    zone = settings.load().zone
    since, until = (at and at.replace(tzinfo=zone) for at in (wanted.since, wanted.until))
    after = until and until + timedelta(days=1)  # the same hour of the next day, whatever clocks do
    return TextFilter(wanted.jobs, wanted.engine, wanted.region, since, after, wanted.block)


@dataclass(frozen=True, slots=True)
class Twins:
    """Which documents get a gender-swapped twin: half or full, and where chance begins."""

    which: str
    seed: int


def make(
    documents: Documents, rules: Rules, goal: Path, twins: Twins | None, *, force: bool
) -> tuple[EncodedCorpus, int]:
    """Write the corpus; gives it, and how many repeats were left out."""
    once: Once | None = None
    if twins is not None:
        twinned = Twinned.of(documents, rules, SHARES[twins.which], twins.seed)
        documents, rules, once = twinned.documents, twinned.rules, twinned.once
    with counter("tokens") as told:
        made = build(documents, rules, goal, lambda _, done: told(done), replace=force)
    return made, made.read.repeats if once is None else once.repeats


def facts(name: str, folder: Path, made: EncodedCorpus, repeats: int) -> dict[str, Any]:
    """What there is to know of a new corpus."""
    known = made.vocabulary
    concepts = default_concepts().spelt(known.known)
    sides = {"women": concepts.women, "men": concepts.men}
    return {
        "name": name,
        "folder": str(folder),
        "digest": made.digest,
        "texts": made.read.texts,
        "documents": made.documents,
        "repeats": repeats,
        "empty": made.read.empty,
        "tokens": made.read.tokens,
        "words": made.read.words,
        "vocabulary": len(known),
        "tokens_kept": len(made.tokens),
        "missing": {side: known.missing(words) for side, words in sides.items()},
        "occupations": len(known.known(concepts.occupations)),
        "occupations_asked": len(concepts.occupations),
    }


def say(it: dict[str, Any]) -> None:
    """The facts for people."""
    left_out = several(it["repeats"], "repeat"), several(it["empty"], "text")
    occupations = f"{it['occupations']:,} of {it['occupations_asked']:,}"
    kept = f"{it['vocabulary']:,} of {it['words']:,} words"
    lines = [
        f"{it['name']}: {several(it['documents'], 'document')} of {several(it['tokens'], 'token')}",
        f"left out: {left_out[0]}, {left_out[1]} without a word",
        f"vocabulary: {kept}, {it['tokens_kept']:,} tokens are such words",
        f"occupations of the shipped list: {occupations}",
    ]
    for side, missing in it["missing"].items():
        lines.append(f"words for {side} that are missing: {', '.join(missing) or 'none'}")
    for line in [*lines, f"written: {visible(it['folder'])}"]:
        out.print(line, markup=False, soft_wrap=True)
    err.print(f"next: monitor corpus bias {it['name']}", markup=False)
