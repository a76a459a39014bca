"""Inputs of the studies of texts: a corpus or its texts, word lists, representations."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monitor.input_files import load_json
from monitor.model import InvalidInput
from monitor.studies._gest_files import describe_files
from monitor.studies.records import Option, ReportStep

if TYPE_CHECKING:
    from monitor.corpus.concepts import Concepts
    from monitor.corpus.encoded import EncodedCorpus, EncodingRules
    from monitor.stages.derive.corpus_bias import Told

PAPER = (
    "Rekabsaz, West, Henderson and Hanbury (2021), Measuring societal biases from text corpora "
    "with smoothed first-order co-occurrence (ICWSM 15)"
)
_LISTS = (".json", ".json.gz")
_NO_TEXT = "give texts by --texts FILE, or a corpus of `monitor corpus build` by --corpus NAME"

OPTIONS = (
    Option("texts", "Texts: .txt or .jsonl (field `text`), a document a line, also .gz and .zst, "
           "or .json with a list of texts. May be given again.", Path, several=True),
    Option("min-count", "--texts: rarer words are taken out first.", int, default=5),
    Option("tokens", "--texts: text (letters and digits in lower case), or blanks.",
           default="text"),
    Option("representation", "What texts are made into: pmi, ppmi, sppmi, the same with -svd, "
           "init-glove, skip-gram. Give it once for each; else all that counts give.",
           several=True),
    Option("concepts", "CSV with own words for women and men, and own occupations: columns list, "
           "group, word, partner.", Path),
    Option("window", "Tokens on either side that count as near.", int, default=5),
    Option("floor", "Pairs that must be expected with either side for a pair that never occurred "
           "to say something; 0 takes every such pair as unrelated.", float, default=5.0),
    Option("dimensions", "*-svd, skip-gram: dimensions. SVD takes minutes from 100 on.", int,
           default=300),
    Option("seed", "Where random numbers begin.", int, default=0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StudyTexts:
    """Texts that can be read again, and the rules under which they become a corpus."""

    paths: Sequence[Path]
    rules: "EncodingRules"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "StudyTexts":
        """Those that were given. Raises InvalidInput for a rule that cannot be."""
        from monitor.corpus.encoded import EncodingRules, Tokens

        if given["tokens"] not in tuple(Tokens):
            raise InvalidInput(f"--tokens {given['tokens']}: must be one of {', '.join(Tokens)}")
        return cls(given["texts"], EncodingRules(Tokens(given["tokens"]), given["min-count"]))

    def documents(self) -> Iterable[tuple[str, str]]:
        """(key, text) of each document. Raises InvalidInput naming file and line."""
        from monitor.corpus.reading import TextForm, read_documents

        for path in self.paths:
            if path.name.endswith(_LISTS):
                yield from (
                    (f"{path}:{position}", text)
                    for position, text in enumerate(_read_json_texts(path), start=1)
                )
            else:
                yield from read_documents([path], TextForm())

    @property
    def said(self) -> str:
        """Return a description of the files."""
        files = [path for path in self.paths if path.is_file()]
        descriptions = [f"folder {path.name}" for path in self.paths if path.is_dir()]
        return "; ".join([*([describe_files(files)] if files else []), *descriptions])


def _read_json_texts(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        parsed = load_json(gzip.decompress(content) if path.suffix == ".gz" else content)
    except (OSError, EOFError, ValueError) as error:
        raise InvalidInput(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(parsed, list) or not all(isinstance(text, str) for text in parsed):
        raise InvalidInput(f"{path}: is no list of texts; write ['one text', 'another']")
    return parsed


def require_one_source(given: Mapping[str, Any]) -> None:
    """Raise InvalidInput where texts and corpora are named, or neither."""
    if bool(given["texts"]) == bool(given["corpus"]):
        hint = "--texts and --corpus: name one of both; " if given["texts"] else ""
        raise InvalidInput(f"{hint}{_NO_TEXT}")


def open_corpus(name: str) -> "EncodedCorpus":
    """A corpus by its name or folder. Raises InvalidInput naming those that there are."""
    from monitor import settings
    from monitor.corpus.folder import find_corpus, read_corpus

    return read_corpus(find_corpus(name, settings.load().home))


def open_concepts(given: Mapping[str, Any]) -> "Concepts":
    """The shipped lists, or those of a file with occupations in it. Raises InvalidInput."""
    from monitor.corpus.concepts import default_concepts, read_concepts

    if given["concepts"] is None:
        return default_concepts()
    concepts = read_concepts(given["concepts"])
    if not concepts.occupations:
        raise InvalidInput(f"{given['concepts']}: has no row of the list occupation; add some")
    return concepts


def describe_corpus(corpus: "EncodedCorpus") -> str:
    """The size of a corpus, and its digest."""
    least = corpus.rules.min_count
    threshold = f", each at least {least} times" if least > 1 else ""
    return (
        f"{corpus.documents:,} documents, {len(corpus.tokens):,} tokens of "
        f"{len(corpus.vocabulary):,} words{threshold}; digest {corpus.digest}"
    )


def report_once(tell: ReportStep) -> "Told":
    """Tells every step once."""
    seen: set[str] = set()

    def told(step: str, _done: int, _of: int | None) -> None:
        if step not in seen:
            seen.add(step)
            tell(step)

    return told
