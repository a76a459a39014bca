"""Reads scores of language models that were computed elsewhere, and answers requests from them.

In goes a folder of `MODEL_template-T.txt` as in the GEST repository, one number per line and one
line per row of the list; out come the scores by text, checked to the last line before any is used.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from monitor.engines._lm import MOST_LOG_RATIO
from monitor.engines.files.recorded_scores import LOGS
from monitor.fetch.recorded import LookupFetcher
from monitor.input_files import text_of
from monitor.lists import ProbeList
from monitor.model import Answer, InvalidInput, Outcome, RecordedRequest, Request

_NAME = re.compile(r"(?P<system>.+)_template-(?P<number>[^_]+)\.txt")
#: The template that a file's number stands for, by sort of model. The repository numbers the two
#: templates of generative models anew, from 0.
TEMPLATES = {"masked": {"0": "0", "1": "1", "2": "2", "3": "3"}, "generative": {"0": "2", "1": "3"}}
#: Scores of one sentence that differ by less are the same: a batch rounds its sums in its own way.
_SAME = 1e-4


@dataclass(frozen=True, slots=True)
class ScoreFiles:
    """All scores of one model: {text: {template: log ratio}}, and the lines they stand in."""

    system: str
    log: str
    list_label: str
    scores: Mapping[str, Mapping[str, float]]
    lines: Mapping[str, tuple[int, ...]]
    sha256: Mapping[str, str]


def read_models(folder: Path, probe_list: ProbeList, log: str, sort: str) -> list[ScoreFiles]:
    """The models whose scores a folder holds, by name.

    Raises InvalidInput naming file, line, value and remedy for what cannot be used; then nothing
    is returned.
    """
    files_by_model = _files_by_model(folder, TEMPLATES[sort])
    return [
        _read_model(system, files, probe_list, log)
        for system, files in sorted(files_by_model.items())
    ]


def _files_by_model(folder: Path, templates: Mapping[str, str]) -> dict[str, dict[str, Path]]:
    """{model: {template: file}}, every model with every template."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder}: no such folder of score files")
    paths: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.glob("*.txt")):
        name = _NAME.fullmatch(path.name)
        if not name or name["number"] not in templates:
            allowed = ", ".join(templates)
            raise InvalidInput(
                f"{path}: is not called MODEL_template-T.txt with T one of {allowed}; rename it, "
                "or move it out of the folder"
            )
        paths.setdefault(name["system"], {})[templates[name["number"]]] = path
    if not paths:
        raise InvalidInput(f"{folder}: has no file that is called MODEL_template-T.txt")
    for system, files in paths.items():
        for number, template in templates.items():
            if template not in files:
                raise InvalidInput(
                    f"{folder}: {system}_template-{number}.txt is missing; a model needs all of "
                    f"its templates, or its g_s would be a mean over others"
                )
    return paths


def _read_model(
    system: str, files: Mapping[str, Path], probe_list: ProbeList, log: str
) -> ScoreFiles:
    scores: dict[str, dict[str, float]] = {}
    lines: dict[str, tuple[int, ...]] = {}
    digests = {}
    for template, path in sorted(files.items()):
        content = path.read_bytes()
        digests[path.name] = hashlib.sha256(content).hexdigest()
        numbers = _read_numbers(path, content, log)
        if len(numbers) != len(probe_list.items):
            raise InvalidInput(
                f"{path}: has {len(numbers):,} lines, and {probe_list.label} has "
                f"{len(probe_list.items):,} rows; name the list that was scored, every row of it"
            )
        for line, (item, number) in enumerate(zip(probe_list.items, numbers, strict=True), 1):
            earlier_number = scores.setdefault(item.text, {}).setdefault(template, number)
            if abs(earlier_number - number) > _SAME:
                raise InvalidInput(
                    f"{path}:{line}: {number!r}, but line {lines[item.text][0]} has "
                    f"{earlier_number!r} for the same sentence, which a model scores once; check "
                    "that the lines are in the order of the list"
                )
            if line not in lines.get(item.text, ()):
                lines[item.text] = (*lines.get(item.text, ()), line)
    return ScoreFiles(system, log, probe_list.label, scores, lines, digests)


def _read_numbers(path: Path, content: bytes, log: str) -> list[float]:
    """The numbers of a file, one per line. Raises InvalidInput naming the line."""
    lines = text_of(content, str(path)).splitlines()
    return [_parse_number(text, f"{path}:{n}", log) for n, text in enumerate(lines, start=1)]


def _parse_number(text: str, place: str, log: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InvalidInput(
            f"{place}: {text.strip()!r} is no finite number; every line holds one log ratio, and a "
            "sentence without a score cannot be imported"
        )
    if abs(number) * LOGS[log] > MOST_LOG_RATIO:
        raise InvalidInput(
            f"{place}: {number!r} cannot be the base {log} logarithm of a ratio of probabilities; "
            "say with --log what the logarithms are to"
        )
    return number


class ScoresFetcher(LookupFetcher):
    """Answers requests for one model from its files; what they lack is null."""

    def __init__(self, files: ScoreFiles, computed_at: datetime) -> None:
        self._files = files
        self._at = computed_at
        facts = {"system": files.system, "list": files.list_label}
        facts |= {f"sha256:{name}": digest for name, digest in files.sha256.items()}
        self._agent = tuple(sorted(facts.items()))

    def answer_request(self, request: Request) -> Answer:
        if not isinstance(request, RecordedRequest) or request.system != self._files.system:
            raise TypeError(f"not a request for scores of {self._files.system}: {request!r}")
        content = {
            "log": self._files.log,
            "scores": [self._files.scores.get(text) for text in request.texts],
            "rows": [self._files.lines.get(text) for text in request.texts],
        }
        body = json.dumps(content, ensure_ascii=False).encode()
        return Answer(Outcome.OK, self._at, 0.0, body=body, agent=self._agent)
