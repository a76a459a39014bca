"""One polite question to an engine, to see whether it works; nothing is stored."""

from pathlib import Path
from typing import Any, NamedTuple

from monitor import parameters, registry
from monitor.cli.console import emit_json, say, visible
from monitor.cli.jobs import live_test
from monitor.faults import Then, find_consequence
from monitor.input_files import load_json
from monitor.jobs import as_configured
from monitor.model import (
    KEPT_SURFACES,
    Answer,
    Block,
    Engine,
    InvalidInput,
    Json,
    Kind,
    MonitorError,
    Outcome,
    Probe,
    Reading,
)
from monitor.regions import find_regions
from monitor.stages.collect.recordings import Exchange, Verdict
from monitor.work.outside import ask_targets, open_fetcher

_UNANSWERED_EXIT = 5


#: What a person does about each kind of failure.
_REMEDIES = {
    Then.GO_ON: "",
    Then.BACK_OFF: "try again later; a run would wait and ask again by itself",
    Then.STOP: "mend the key, the account, the model or the address, then try again",
    Then.STOP_TARGET: "choose another pair of languages, or leave the parameter out",
    Then.SUSPEND: "wait; a run would not ask it again before the service allows it",
}


class _NoAnswer(MonitorError):
    """The question was asked and there is no answer that can be used."""

    exit_code = _UNANSWERED_EXIT


class Question(NamedTuple):
    """What is asked: a text and its language, and the target language or the region."""

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
    record: Path | None = None,
) -> None:
    """Ask an engine one question and print what came of it. Raises MonitorError without answer.

    With `record` the exchange is written there as a recording.
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
    with open_fetcher([request], contact) as fetcher:
        [(_, raw)] = fetcher.fetch([request])
    exchange = Exchange(engine, chosen, (probe,), request, raw)
    if record is not None:
        live_test.record([exchange], record)
    answer, verdict = live_test.judge(exchange)
    reading = verdict.readings[0] if answer.outcome is Outcome.OK and verdict.readings else None
    row = live_test.describe_verdicts(name, [verdict])
    if as_json:
        agent = dict((*raw.agent, *as_configured(engine, settled).identity(raw)))
        emit_json(_result(name, answer, reading, agent) | {"verdict": row})
    else:
        _print_answer(reading)
        live_test.print_verdicts(row)
    _exit_unless_usable(name, answer, reading, verdict)


def offered_languages(name: str, source: str, config: list[str], contact: str) -> set[str]:
    """Return the tags that a translator offers as targets. Asks it once; raises MonitorError."""
    engine = registry.engine(name)
    chosen = _config(engine, config)
    fault = parameters.find_fault(engine.parameters, chosen)
    if fault:
        raise InvalidInput(f"{name}: {fault}")
    return ask_targets(engine, parameters.fill_defaults(engine.parameters, chosen), source, contact)


def _config(engine: Engine, pairs: list[str]) -> dict[str, Any]:
    """`key=value` as the job file would say it, each value by the type of its parameter."""
    kinds = {parameter.name: parameter.kind for parameter in engine.parameters}
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InvalidInput(f"--config {pair!r}: write it as key=value")
        found[key] = value
        if kinds.get(key, str) is not str:
            try:
                found[key] = load_json(value)
            except ValueError:
                raise InvalidInput(f"--config {pair!r}: {value!r} is no {kinds[key]}") from None
    return found


def _probe(engine: Engine, question: Question) -> Probe:
    """The one question: a sentence to translate, or a search in a region."""
    text, source, target, region = question
    if engine.kind is Kind.SEARCH:
        found = find_regions(Path("jobs"), [region])[region]
        text = text or "list of philosophers"
        return Probe(text, source, region=found.name, parameters=found.parameters)
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
        raise _NoAnswer(
            f"{name} gave no answer that can be used: {words}{'; ' + remedy if remedy else ''}"
        )
    if not verdict.understood:
        raise _NoAnswer(f"{name}: not understood; see the verdict above")
