"""Recordings of live tests: a ZIP file with questions, answers and verdicts, without personal data.

A recording is made to be handed on: it holds what was asked and what came back, the versions, the
verdict, and a list of what `monitor.text.redaction` removed. Pictures of pages are left out: nobody
can search them for names. Replaying runs the present parsers over the stored answers.
"""

import hashlib
import json
import platform
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from monitor import __version__, parameters, registry
from monitor.addresses import is_near
from monitor.faults import judge_answer
from monitor.governance import find_address
from monitor.input_files import BROKEN_ZIP, load_json, say_first_fault
from monitor.jobs import as_configured
from monitor.model import (
    Answer,
    Engine,
    InvalidInput,
    Json,
    Outcome,
    Probe,
    Reading,
    Reason,
    Request,
    StoreProblem,
)
from monitor.stages.collect.answer_shapes import ShapeDifference, compare_shape, find_shape
from monitor.stages.collect.requests import describe_request
from monitor.stages.derive.measurement import parse_answer
from monitor.text.redaction import PersonalData, Redactor, Removal

#: Goes up when an entry means something else.
FORMAT = 1
#: Politeness: questions to one engine in one recording.
MOST_QUESTIONS = 10
_MANIFEST, _SUMS = "manifest.json", "SHA256SUMS"
_ENTRY = re.compile(r"answers/\d{4}\.body")
_MOST_FILES, _MOST_BODY, _MOST_BYTES = 2_000, 2**25, 2**28
_PAIRS = ("headers", "agent", "observed")
_SUM_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


_DATA = frozenset({Outcome.OK, Outcome.EMPTY})

# --- one exchange ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exchange:
    """The questions of one request, the request, and the answer as it came."""

    engine: Engine
    config: Mapping[str, Json]
    probes: tuple[Probe, ...]
    request: Request
    answer: Answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a test of an engine, step by step, each in words; empty where it failed."""

    reached: bool
    answered: bool
    read: bool
    understood: bool
    words: str
    difference: ShapeDifference
    readings: tuple[Reading, ...]

    @property
    def summary(self) -> str:
        """Return the steps in words: `reached, answered, read, not understood: ...`."""
        steps = (
            (self.reached, "reached"), (self.answered, "answered"), (self.read, "read"),
            (self.understood, "understood"),
        )  # fmt: skip
        passed = [name for is_passed, name in steps if is_passed]
        failed = next((f"not {name}" for is_passed, name in steps if not is_passed), "")
        return ", ".join([*passed, *([failed] if failed else [])]) + (
            f": {self.words}" if self.words else ""
        )


def judge_exchange(
    engine: Engine, config: Mapping[str, Json], probes: Sequence[Probe], raw: Answer
) -> tuple[Answer, Verdict]:
    """Return the answer with its outcome, and the verdict of the present parser.

    Reached: a service answered. Answered: without a fault. Read: the parser found what it looks
    for. Understood: there is a result for the question, and no part that the parser needs lacks.
    """
    settled = parameters.fill_defaults(engine.parameters, config)
    engine = as_configured(engine, settled)
    is_complete = raw.outcome is Outcome.OK and (
        raw.status is not None or engine.surface in ("local", "recorded")
    )
    trouble = engine.trouble(raw, settled) if is_complete and raw.status is not None else None
    answer = judge_answer(raw, trouble)
    readings = parse_answer(engine, answer, probes) if is_complete else []
    difference = (
        compare_shape(engine.name, find_shape(answer.body, readings), readings)
        if is_complete
        else ShapeDifference((), ())
    )
    is_answered = is_complete and answer.outcome in _DATA | {Outcome.UNREADABLE}
    is_read = answer.outcome in _DATA and any(reading.outcome in _DATA for reading in readings)
    understood = is_read and not difference.missing and bool(readings)
    judged = readings[0] if answer.outcome in _DATA and readings else answer
    words = ", ".join(
        part for part in (judged.outcome, judged.reason, judged.detail) if part
    ) if not is_read else ""  # fmt: skip
    if difference.missing:
        words = "; ".join([*([words] if words else []), f"missing: {_few(difference.missing)}"])
    reached = raw.status is not None or is_complete
    return answer, Verdict(
        reached, is_answered, is_read, understood, words, difference, tuple(readings)
    )


def _few(parts: Sequence[str], most: int = 8) -> str:
    rest = f" and {len(parts) - most} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + rest


# --- writing --------------------------------------------------------------------------------------


def write_recording(
    path: Path, exchanges: Sequence[Exchange], known: Mapping[str, PersonalData]
) -> tuple[Removal, ...]:
    """Write exchanges as a recording; return what was removed from it.

    `known` are values that must not be in it, such as keys. Raises StoreProblem where the file is
    there already or cannot be written.
    """
    own_hosts = {
        host: PersonalData.NETWORK
        for exchange in exchanges
        if (host := _find_own_host(exchange.engine, exchange.config))
    }
    redactor = Redactor({**known, **own_hosts})
    plain = [_describe_exchange(number, exchange) for number, exchange in enumerate(exchanges, 1)]
    for exchange, described in zip(exchanges, plain, strict=True):
        redactor.learn(json.dumps(described, ensure_ascii=False))
        redactor.learn(exchange.answer.body)
    bodies: dict[str, bytes] = {}
    entries: list[dict[str, Any]] = []
    for exchange, described in zip(exchanges, plain, strict=True):
        entry, body = _redact_exchange(redactor, exchange, described)
        bodies[entry["body"]] = body
        entries.append(entry)
    manifest = {
        "format": FORMAT,
        "monitor": __version__,
        "python": platform.python_version(),
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "exchanges": entries,
        "removed": [
            {"class": removal.kind, "rule": removal.rule, "place": removal.place,
             "count": removal.count}
            for removal in redactor.removals
        ],
    }  # fmt: skip
    content = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    _write_files(path, {_MANIFEST: content.encode("utf-8", "replace"), **bodies})
    return redactor.removals


def _find_own_host(engine: Engine, config: Mapping[str, Json]) -> str:
    """Return the host of a server of one's own network; empty for this machine and for services."""
    address, default = find_address(engine, config), find_address(engine, {})
    host = urlsplit(address).hostname or ""
    is_this_machine = host in ("localhost", "::1") or host.startswith("127.")
    differs = host != (urlsplit(default).hostname or "")
    return host if (differs or is_near(address)) and not is_this_machine else ""


def _describe_exchange(number: int, exchange: Exchange) -> dict[str, Any]:
    answer = exchange.answer
    return {
        "engine": exchange.engine.name,
        "version": exchange.engine.version,
        "config": dict(exchange.config),
        "probes": [
            asdict(probe) | {"parameters": [list(pair) for pair in probe.parameters]}
            for probe in exchange.probes
        ],
        "request": describe_request(exchange.request),
        "asked_at": answer.asked_at.isoformat(),
        "took": round(answer.took, 3),
        "outcome": answer.outcome, "reason": answer.reason, "detail": answer.detail,
        "status": answer.status, "url": answer.url,
        **{name: list(map(list, getattr(answer, name))) for name in _PAIRS},
        "screenshot": "left out" if answer.screenshot else "none",
        "body": f"answers/{number:04}.body",
    }  # fmt: skip


def _redact_exchange(
    redactor: Redactor, exchange: Exchange, described: Mapping[str, Any]
) -> tuple[dict[str, Any], bytes]:
    place = str(described["body"])
    body = redactor.redact_body(exchange.answer.body, place)
    entry = dict(described)
    probes = entry.pop("probes")  # the region is what the audit chose, and stays
    for name in ("headers", "request"):
        entry.pop(name)
    entry = json.loads(redactor.redact_text(json.dumps(entry, ensure_ascii=False), place))
    request = dict(described["request"])
    sent = request.pop("headers", [])
    request.pop("region", None)
    entry |= {
        "probes": probes,
        "request": json.loads(
            redactor.redact_text(json.dumps(request, ensure_ascii=False), f"{place}: request")
        ),
        "request_headers": redactor.redact_headers(sent, f"{place}: request"),
        "headers": redactor.redact_headers(exchange.answer.headers, f"{place}: answer"),
    }
    answer = _load_answer(entry, body)
    _, verdict = judge_exchange(exchange.engine, exchange.config, exchange.probes, answer)
    return {**entry, "sha256": hashlib.sha256(body).hexdigest(), **_describe_verdict(verdict)}, body


def _describe_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": {
            "reached": verdict.reached, "answered": verdict.answered, "read": verdict.read,
            "understood": verdict.understood, "words": verdict.words,
            "missing": list(verdict.difference.missing), "new": list(verdict.difference.new),
        },
        "readings": describe_readings(verdict.readings),
    }  # fmt: skip


def describe_readings(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """Return readings as plain values that can be compared."""
    return [
        {
            "outcome": str(reading.outcome), "reason": str(reading.reason),
            "items": [
                [item.block, item.rank, item.title, item.text, item.url] for item in reading.items
            ],
        }
        for reading in readings
    ]  # fmt: skip


def _write_files(path: Path, files: Mapping[str, bytes]) -> None:
    sums = "".join(f"{hashlib.sha256(c).hexdigest()}  {name}\n" for name, c in files.items())
    try:
        with path.open("xb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, content in {**files, _SUMS: sums.encode()}.items():
                bundle.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    except FileExistsError:
        raise StoreProblem(f"{path}: is there already; name a new file") from None
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be written: {error.strerror}") from error


# --- reading --------------------------------------------------------------------------------------


class _VerdictEntry(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    reached: bool
    answered: bool
    read: bool
    understood: bool
    words: str
    missing: list[str]
    new: list[str]


class ExchangeEntry(BaseModel):
    """One exchange of a recording."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    engine: str
    version: int
    config: dict[str, Any]
    probes: tuple[Probe, ...] = Field(min_length=1)
    request: dict[str, Any]
    asked_at: datetime
    took: float
    outcome: Outcome
    reason: Reason
    detail: str
    status: int | None
    url: str
    headers: list[tuple[str, str]]
    agent: list[tuple[str, str]]
    observed: list[tuple[str, str]]
    body: str = Field(pattern=r"^answers/\d{4}\.body$")
    sha256: str
    verdict: _VerdictEntry
    readings: list[dict[str, Any]]

    @property
    def question(self) -> str:
        """Return the texts that were asked."""
        return "; ".join(probe.text for probe in self.probes)


class RemovalEntry(BaseModel):
    """Values of one class that were removed from one place."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    kind: str = Field(alias="class")
    rule: str
    place: str
    count: int


class RecordingManifest(BaseModel):
    """The manifest of a recording."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    format: int
    monitor: str
    python: str
    recorded_at: datetime
    exchanges: list[ExchangeEntry]
    removed: list[RemovalEntry]


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that was read and checked: its manifest and the answers by name."""

    manifest: RecordingManifest
    bodies: Mapping[str, bytes]


def read_recording(path: Path) -> Recording:
    """Read and check a recording; nothing is unpacked to disk.

    Raises InvalidInput for what is no recording, is larger than a recording may be, has another
    entry than a recording has, or is of a newer version; StoreProblem for a changed digest.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            files = _read_files(path, bundle)
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except BROKEN_ZIP as error:
        raise InvalidInput(f"{path}: not a ZIP file that can be read: {error}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from error
    for name in (_MANIFEST, _SUMS):
        if name not in files:
            raise InvalidInput(f"{path}: no recording: it has no {name}")
    manifest = _read_manifest(path, files[_MANIFEST])
    _check_sums(path, files)
    missing = [entry.body for entry in manifest.exchanges if entry.body not in files]
    if missing:
        raise StoreProblem(f"{path}: {missing[0]} is missing; nothing was replayed")
    return Recording(manifest, files)


def _read_files(path: Path, bundle: zipfile.ZipFile) -> dict[str, bytes]:
    entries = bundle.infolist()
    if len(entries) > _MOST_FILES:
        raise InvalidInput(
            f"{path}: has {len(entries):,} entries, at most {_MOST_FILES:,} are read"
        )
    files: dict[str, bytes] = {}
    total = 0
    for entry in entries:
        if entry.filename not in (_MANIFEST, _SUMS) and not _ENTRY.fullmatch(entry.filename):
            raise InvalidInput(
                f"{path}: entry {entry.filename[:80]!r} is none of a recording; nothing was read"
            )
        if entry.filename in files:
            raise InvalidInput(f"{path}: entry {entry.filename!r} stands in it twice")
        limit = min(_MOST_BODY, _MOST_BYTES - total)
        with bundle.open(entry) as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise InvalidInput(
                f"{path}: {entry.filename} unpacks to more than {limit:,} bytes; it was not read"
            )
        total += len(content)
        files[entry.filename] = content
    return files


def _read_manifest(path: Path, content: bytes) -> RecordingManifest:
    try:
        plain = load_json(content)
        version = plain.get("format") if isinstance(plain, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise InvalidInput(
                f"{path}: recorded in format {version} by monitor "
                f"{str(plain.get('monitor'))[:20]}; this one reads format {FORMAT}: upgrade it"
            )
        return RecordingManifest.model_validate(plain)
    except ValidationError as error:
        raise InvalidInput(f"{path}: {_MANIFEST}: {say_first_fault(error)}") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: {_MANIFEST} is no JSON: {error}") from error


def _check_sums(path: Path, files: Mapping[str, bytes]) -> None:
    lines = files[_SUMS].decode("utf-8", "replace").splitlines()
    sums = {match[2]: match[1] for line in lines if (match := _SUM_LINE.fullmatch(line))}
    for name, content in files.items():
        if name != _SUMS and sums.get(name) != hashlib.sha256(content).hexdigest():
            raise StoreProblem(
                f"{path}: {name} is another than its digest says: it was changed after recording; "
                "nothing was replayed"
            )


# --- replaying ------------------------------------------------------------------------------------


def _load_answer(entry: Mapping[str, Any], body: bytes) -> Answer:
    """Return the answer of an entry as the fetcher gave it."""
    pairs: dict[str, Any] = {
        name: tuple((str(key), str(value)) for key, value in entry[name]) for name in _PAIRS
    }
    asked_at = entry["asked_at"]
    return Answer(
        Outcome(entry["outcome"]),
        asked_at if isinstance(asked_at, datetime) else datetime.fromisoformat(asked_at),
        float(entry["took"]),
        reason=Reason(entry["reason"]),
        detail=str(entry["detail"]),
        status=entry["status"],
        url=str(entry["url"]),
        body=body,
        **pairs,
    )


@dataclass(frozen=True, slots=True)
class Replay:
    """The verdict of the present parser on a recorded answer, beside the recorded one."""

    entry: ExchangeEntry
    verdict: Verdict

    @property
    def is_same(self) -> bool:
        """Return whether the present parser reads what was read when it was recorded."""
        return describe_readings(self.verdict.readings) == self.entry.readings


def replay_recording(recording: Recording) -> list[Replay]:
    """Run the present parsers over a recording. Raises InvalidInput for an unknown engine."""
    return [
        Replay(entry, judge_exchange(one.engine, one.config, one.probes, one.answer)[1])
        for entry, one in zip(recording.manifest.exchanges, load_exchanges(recording), strict=True)
    ]


def load_exchanges(recording: Recording) -> list[Exchange]:
    """Return the exchanges of a recording, with the requests that the present engines make.

    Raises InvalidInput for an unknown engine.
    """
    exchanges = []
    for entry in recording.manifest.exchanges:
        engine = registry.engine(entry.engine)
        request = engine.request(
            entry.probes, parameters.fill_defaults(engine.parameters, entry.config)
        )
        answer = _load_answer(entry.model_dump(), recording.bodies[entry.body])
        exchanges.append(Exchange(engine, entry.config, entry.probes, request, answer))
    return exchanges
