"""Ask translators which languages they offer, before questions are planned."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from monitor import registry
from monitor.model import Engine, InvalidInput, Json, Kind, MonitorError, Outcome, primary
from monitor.stages.collect.requests import without_keys
from monitor.work.outside import open_fetcher

if TYPE_CHECKING:
    from monitor.jobs import Audit

_SUCCESS = 200


class NoLanguages(MonitorError):
    """A service did not say which languages it offers."""

    exit_code = 5


def ask_targets(engine: Engine, config: Mapping[str, Json], source: str, contact: str) -> set[str]:
    """Return the language tags into which a service translates from `source`, as it says itself.

    `config` has its defaults filled in. Sends one request. Raises InvalidInput for an engine that
    has no list of languages, NoLanguages without an answer that can be read.
    """
    request = engine.languages_request(config) if engine.kind is Kind.MT else None
    if request is None:
        raise InvalidInput(
            f"{engine.name} has no list of its languages; "
            f"`monitor engines test {engine.name} --target CODE` asks one question"
        )
    with open_fetcher([request], contact) as fetcher:
        [(_, raw)] = fetcher.fetch([request])
    answer = without_keys(request, raw)
    if answer.outcome is not Outcome.OK or answer.status != _SUCCESS:
        status = f"HTTP {answer.status}" if answer.status else answer.outcome
        words = " ".join(str(part) for part in (status, answer.reason, answer.detail) if part)
        raise NoLanguages(f"{engine.name} does not say which languages it offers: {words}")
    try:
        return engine.offered_targets(answer, source)
    except ValueError as error:
        raise NoLanguages(f"{engine.name}: its list of languages cannot be read: {error}") from None


def is_offered(target: str, offered: set[str]) -> bool:
    """Return whether a target is offered, in any variety: `pt` where `pt-BR` is."""
    tags = {tag.lower() for tag in offered}
    return target.lower() in tags or primary(target) in {primary(tag) for tag in tags}


def missing_targets(audit: "Audit") -> Iterator[str]:
    """Yield a sentence for each target of a job that its service does not offer.

    Asks each service that has a list of its languages once for each source language.
    """
    for use in audit.job.engines:
        engine = registry.engine(use.name)
        config = use.fill_config(engine)
        if engine.kind is not Kind.MT or engine.languages_request(config) is None:
            continue
        sources = {code for probe_list in audit.lists for code in probe_list.source_langs}
        for source in sorted(sources & set(use.sources) if use.sources else sources):
            try:
                offered = ask_targets(engine, config, source, audit.job.contact)
            except MonitorError as error:
                yield str(error)
                continue
            wrong = [target for target in use.targets if not is_offered(target, offered)]
            if wrong:
                readable = [tag for tag in offered if registry.language(tag)]
                yield (
                    f"{use.name} does not offer {', '.join(wrong)} (from {source}); of the "
                    f"languages that can be read it offers {', '.join(sorted(readable)) or 'none'}"
                )
