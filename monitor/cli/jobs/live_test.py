"""Live tests: ask one engine, or those of the jobs; say the verdict, record, show and replay."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from monitor import governance, parameters, registry
from monitor.cli.console import emit_json, note, out, say, visible
from monitor.cli.names import list_job_files
from monitor.faults import Then, find_consequence
from monitor.input_files import load_json
from monitor.jobs import (
    Audit,
    EngineUse,
    as_configured,
    find_regions,
    lacking_governance,
    load_audit,
)
from monitor.model import (
    KEPT_SURFACES,
    ActionNeeded,
    Answer,
    Block,
    Engine,
    InvalidInput,
    Json,
    Kind,
    MissingPart,
    Outcome,
    Pause,
    Probe,
    Reading,
    StoreProblem,
)
from monitor.stages.collect import recordings
from monitor.stages.collect.recordings import MOST_QUESTIONS, Exchange, Verdict, judge_exchange
from monitor.stages.collect.requests import without_keys
from monitor.text.counted_nouns import several
from monitor.text.redaction import PersonalData
from monitor.work.outside import ask_targets, open_fetcher

#: What a person does about each kind of failure.
_REMEDIES = {
    Then.GO_ON: "",
    Then.BACK_OFF: "try again later; a run would wait and ask again by itself",
    Then.STOP: "mend the key, the account, the model or the address, then try again",
    Then.STOP_TARGET: "choose another pair of languages, or leave the parameter out",
    Then.SUSPEND: "wait; a run would not ask it again before the service allows it",
}
_MOST_SHOWN = 6


class Question(NamedTuple):
    """A text to ask, its language, and the target language or the region."""

    text: str
    source: str
    target: str
    region: str


def ask(
    name: str,
    question: Question,
    config: list[str],
    contact: str,
    *,
    as_json: bool,
    record_to: Path | None = None,
) -> None:
    """Ask an engine one question and print what came of it. Raises MonitorError without answer.

    With `record_to` the exchange is written there as a recording.
    """
    engine = registry.engine(name)
    if engine.surface in KEPT_SURFACES:
        raise InvalidInput(f"{name}: its answers were recorded before; there is nobody to ask")
    chosen = _config(engine, config)
    probe = _probe(engine, question)
    trouble = engine.check(question.source, probe.target, chosen)
    if trouble:
        raise InvalidInput(f"{name}: {trouble}")
    settled = parameters.fill_defaults(engine.parameters, chosen)
    request = engine.request([probe], settled)
    with open_fetcher([request], contact, foreign=_is_foreign(engine, settled)) as fetcher:
        [(_, raw)] = fetcher.fetch([request])
    exchange = Exchange(engine, chosen, (probe,), request, raw)
    if record_to is not None:
        _record([exchange], record_to)
    answer, verdict = _judge(exchange)
    reading = verdict.readings[0] if answer.outcome is Outcome.OK and verdict.readings else None
    row = _describe_verdicts(name, [verdict])
    if as_json:
        agent = dict((*raw.agent, *as_configured(engine, settled).identity(raw)))
        emit_json(_result(name, answer, reading, agent) | {"verdict": row})
    else:
        _print_answer(reading)
        _print_verdicts(row)
    _exit_unless_usable(name, answer, reading, verdict)


def offered_languages(name: str, source: str, config: list[str], contact: str) -> set[str]:
    """Return the tags that a translator offers as targets. Asks it once; raises MonitorError."""
    engine = registry.engine(name)
    chosen = _config(engine, config)
    fault = parameters.find_fault(engine.parameters, chosen)
    if fault:
        raise InvalidInput(f"{name}: {fault}")
    settled = parameters.fill_defaults(engine.parameters, chosen)
    return ask_targets(engine, settled, source, contact, foreign=_is_foreign(engine, settled))


def _is_foreign(engine: Engine, config: Mapping[str, Json]) -> bool:
    """Return whether an engine is not one's own; a name of a host does not say that it is."""
    return not governance.is_own(engine, config, own=False)


def _config(engine: Engine, pairs: list[str]) -> dict[str, Any]:
    """`key=value` as the job file would say it, each value by the type of its parameter."""
    kinds = {parameter.name: parameter.kind for parameter in engine.parameters}
    results: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InvalidInput(f"--config {pair!r}: write it as key=value")
        results[key] = value
        if kinds.get(key, str) is not str:
            try:
                results[key] = load_json(value)
            except ValueError:
                raise InvalidInput(f"--config {pair!r}: {value!r} is no {kinds[key]}") from None
    return results


def _probe(engine: Engine, question: Question) -> Probe:
    """The one question: a sentence to translate, or a search in a region."""
    text, source, target, region = question
    if engine.kind is Kind.SEARCH:
        region_settings = find_regions(Path("jobs"), [region])[region]
        text = text or "list of philosophers"
        return Probe(
            text, source, region=region_settings.name, parameters=region_settings.parameters
        )
    return Probe(
        text or "I am very tired today.", source, source if engine.kind is Kind.LM else target
    )


def _result(
    name: str, answer: Answer, reading: Reading | None, agent: dict[str, str]
) -> dict[str, Json]:
    judge = reading or answer
    return {
        "engine": name,
        "outcome": judge.outcome,
        "reason": judge.reason,
        "detail": judge.detail,
        "status": answer.status,
        "seconds": round(answer.took, 3),
        "answered_by": agent,
        "texts": [item.text for item in reading.items] if reading else [],
        "items": [
            {"block": item.block, "rank": item.rank, "title": item.title, "url": item.url}
            for item in (reading.items if reading else ())
            if item.block != Block.TRANSLATION
        ],
    }


def _print_answer(reading: Reading | None) -> None:
    for item in reading.items if reading else ():
        score = f"   log ratio {item.score.log_ratio:+.4f}" if item.score else ""
        block = "" if item.block == Block.TRANSLATION else f"{item.block} "
        words = visible(item.title or item.text)
        say(f"{block}{item.rank}. {words}{score}")


def _exit_unless_usable(
    name: str, answer: Answer, reading: Reading | None, verdict: Verdict
) -> None:
    judge = reading or answer
    if judge.outcome is not Outcome.OK:
        words = ", ".join(part for part in (judge.outcome, judge.reason, judge.detail) if part)
        remedy = _REMEDIES[find_consequence(answer)]
        raise ActionNeeded(
            f"{name} gave no answer that can be used: {words}{'; ' + remedy if remedy else ''}"
        )
    if not verdict.understood:
        raise ActionNeeded(f"{name}: not understood; see the verdict above")


# --- the jobs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LiveTest:
    """The questions of one system of a job."""

    audit: Audit
    use: EngineUse
    engine: Engine
    probes: tuple[Probe, ...]

    @property
    def pace(self) -> float:
        """Return the requests a second."""
        return self.use.pace or self.engine.pace


def test_jobs(record_to: Path | None, contact: str, *, as_json: bool) -> None:
    """Ask each system of the jobs in jobs/ at most ten questions and print the verdicts.

    Jobs that lack governance are named and left out. Raises InvalidInput where none is left.
    """
    if record_to is not None and record_to.exists():
        raise StoreProblem(f"{record_to}: is there already; name a new file")
    tests = _plan_tests()
    for test in tests:
        _say_terms(test)
    exchanges: list[Exchange] = []
    rows: list[dict[str, Any]] = []
    for test in tests:
        label = test.use.label(test.engine)
        try:
            asked = list(_ask(test, contact or test.audit.job.contact))
        except MissingPart as error:
            note(f"{label}: not asked: {error}")
            rows.append({"engine": label, "asked": 0, "understood": 0, "words": str(error)})
            continue
        exchanges += [exchange for exchange, _ in asked]
        rows.append(_describe_verdicts(label, [verdict for _, verdict in asked]))
        if not as_json:
            _print_verdicts(rows[-1])
    if record_to is not None and exchanges:
        _record(exchanges, record_to)
    if as_json:
        emit_json(rows)
    failed = [row["engine"] for row in rows if row["understood"] < row["asked"] or not row["asked"]]
    if failed:
        raise ActionNeeded(f"not understood: {', '.join(failed)}; see the verdicts above")


def _plan_tests() -> list[LiveTest]:
    paths = list_job_files()
    if not paths:
        raise InvalidInput("no job files in jobs/; run `monitor init` first, or name one engine")
    tests: dict[tuple[str, str], LiveTest] = {}
    for path in paths:
        try:
            audit = load_audit(path)
        except InvalidInput as error:  # also lists that were not fetched
            note(f"{path}: not asked: {error}")
            continue
        if lacking := lacking_governance(audit.job):
            note(f"{path}: not asked: {'; '.join(lacking)}")
            continue
        for use, engine in audit.engines:
            if engine.surface == "recorded":
                note(f"{use.label(engine)}: its answers were recorded before; nobody is asked")
                continue
            probes = tuple(islice(_choose_probes(audit, use), MOST_QUESTIONS))
            if probes:
                tests.setdefault((use.name, use.config_hash), LiveTest(audit, use, engine, probes))
    if not tests:
        raise InvalidInput("nobody was asked: no job in jobs/ can be tested; see above")
    return list(tests.values())


def _choose_probes(audit: Audit, use: EngineUse) -> Iterator[Probe]:
    wanted = use.regions or use.targets
    items = [item for probe_list in audit.lists for item in probe_list.items[:MOST_QUESTIONS]]
    for item in items:
        if use.sources and item.source_lang not in use.sources:
            continue
        for name in wanted or [item.source_lang]:
            yield audit.make_probe(item, name)


def _say_terms(test: LiveTest) -> None:
    """Say before asking: questions, price, limits, and when the terms were read."""
    needs, declared = test.engine.needs, test.audit.job.governance
    reviewed = declared.reviews.get(test.engine.name) if declared else None
    facts = (
        f"{len(test.probes)} questions, at {test.pace:g} a second",
        f"price: {needs.price}",
        f"limits: {needs.limits}" if needs.limits else "",
        f"terms read on {reviewed}" if reviewed else "your own, or in this machine",
    )
    note(f"{test.use.label(test.engine)}: {'; '.join(fact for fact in facts if fact)}")


def _ask(test: LiveTest, contact: str) -> Iterator[tuple[Exchange, Verdict]]:
    """Yield exchanges with verdicts; the first answer without data is the last one asked for."""
    config = test.use.fill_config(test.engine)
    requests = [test.engine.request([probe], config) for probe in test.probes]
    foreign = not test.use.is_own(test.engine)
    with open_fetcher(requests[:1], contact, foreign=foreign) as fetcher:
        for n, (probe, request) in enumerate(zip(test.probes, requests, strict=True)):
            waiting = [Pause(1 / test.pace)] if n else []
            [(_, raw)] = fetcher.fetch([*waiting, request])
            exchange = Exchange(test.engine, test.use.config, (probe,), request, raw)
            answer, verdict = _judge(exchange)
            yield exchange, verdict
            if answer.outcome not in (Outcome.OK, Outcome.EMPTY):
                return


# --- verdicts and recordings ----------------------------------------------------------------------


def _judge(exchange: Exchange) -> tuple[Answer, Verdict]:
    """Return the answer and the verdict, with no key in their words."""
    raw, request = exchange.answer, exchange.request
    answer, verdict = judge_exchange(exchange.engine, exchange.config, exchange.probes, raw)
    words = without_keys(request, replace(raw, detail=verdict.words)).detail
    return without_keys(request, answer), replace(verdict, words=words)


def _describe_verdicts(label: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the verdicts on an engine together, in the words of the worst."""
    worst = next((verdict for verdict in verdicts if not verdict.understood), verdicts[0])
    return {
        "engine": label,
        "asked": len(verdicts),
        "understood": sum(verdict.understood for verdict in verdicts),
        "words": worst.summary,
        "missing": sorted({part for verdict in verdicts for part in verdict.difference.missing}),
        "new": sorted({part for verdict in verdicts for part in verdict.difference.new}),
    }


def _print_verdicts(row: dict[str, Any]) -> None:
    """Print the verdict on an engine, and the parts that its answers lack or add."""
    counts = f"{row['understood']} of {row['asked']} understood"
    say(f"{row['engine']}: {counts}; {visible(row['words'])}")
    for words, parts in (("missing", row["missing"]), ("new", row["new"])):
        if parts:
            rest = f" and {len(parts) - _MOST_SHOWN} more" if len(parts) > _MOST_SHOWN else ""
            say(f"    {words} parts: {visible(', '.join(parts[:_MOST_SHOWN]))}{rest}")


def _record(exchanges: Sequence[Exchange], path: Path) -> None:
    """Write a recording and say what was removed and what to do next."""
    names = {name for exchange in exchanges for name in exchange.engine.needs.secrets}
    names |= {
        str(exchange.config.get(parameter.name, parameter.default))
        for exchange in exchanges
        for parameter in exchange.engine.parameters
        if parameter.variable
    }
    values = {os.environ.get(name, ""): PersonalData.SECRET for name in sorted(names)}
    removals = recordings.write_recording(path, exchanges, values)
    count = sum(removal.count for removal in removals)
    kept = f"{several(len(exchanges), 'answer')}; {several(count, 'value')} removed"
    note(f"{path}: {kept}. Look at it before you hand it on: monitor engines recording show {path}")


def show(path: Path, *, as_json: bool) -> None:
    """Print what a recording holds and what was removed from it."""
    manifest = recordings.read_recording(path).manifest
    if as_json:
        emit_json(manifest.model_dump(mode="json", by_alias=True))
        return
    say(
        f"recorded {manifest.recorded_at:%Y-%m-%d %H:%M} UTC by monitor "
        f"{visible(manifest.monitor)}, Python {visible(manifest.python)}; "
        f"{several(len(manifest.exchanges), 'answer')}"
    )
    for entry in manifest.exchanges:
        where = entry.probes[0].region or entry.probes[0].target_lang
        say(f"{visible(entry.engine)} {visible(where)}: {visible(entry.question)}")
        say(f"    {visible(str(entry.request.get('url', 'no address')))}")
        steps = ("reached", "answered", "read", "understood")
        passed = ", ".join(step for step in steps if getattr(entry.verdict, step))
        words = "; ".join(filter(None, (passed or "not reached", visible(entry.verdict.words))))
        say(f"    HTTP {entry.status}; {words}")
        for reading in entry.readings[:1]:
            for item in list(reading.get("items", []))[:_MOST_SHOWN]:
                say(f"    {visible(' | '.join(str(part) for part in item if part))}")
    say("removed:" if manifest.removed else "removed: nothing was found to remove")
    for removal in manifest.removed:
        say(f"    {removal.count} {removal.kind} ({removal.rule}) in {visible(removal.place)}")


def replay(path: Path, *, as_json: bool) -> None:
    """Print the verdicts of the present parsers. Raises MonitorError where one differs."""
    replays = recordings.replay_recording(recordings.read_recording(path))
    rows: list[dict[str, Any]] = [
        {"engine": item.entry.engine, "question": item.entry.question, "same": item.is_same,
         "recorded_version": item.entry.version,
         "version": registry.engine(item.entry.engine).version,
         "verdict": item.verdict.summary,
         "missing": list(item.verdict.difference.missing),
         "new": list(item.verdict.difference.new)}
        for item in replays
    ]  # fmt: skip
    if as_json:
        emit_json(rows)
    else:
        for row in rows:
            same = "read as recorded" if row["same"] else "read otherwise than recorded"
            say(f"{row['engine']}: {visible(row['question'])}: {same}; {visible(row['verdict'])}")
            if row["new"]:
                say(f"    new parts: {visible(', '.join(row['new'][:_MOST_SHOWN]))}")
        out.print(f"{several(len(rows), 'answer')} replayed; no request was sent", markup=False)
    n = sum(not (item.is_same and item.verdict.understood) for item in replays)
    if n:
        raise ActionNeeded(f"{n} of {len(rows)} answers are read otherwise or not understood")
