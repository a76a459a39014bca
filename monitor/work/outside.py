"""Services outside, as the environment configures them: missing parts, fetchers, languages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from monitor import registry, settings
from monitor.fetch import Outside, check_parts
from monitor.jobs import Audit, lacking_governance
from monitor.model import (
    ActionNeeded,
    Engine,
    HttpRequest,
    InvalidInput,
    Json,
    Kind,
    MissingPart,
    MonitorError,
    Outcome,
    PageRequest,
    Request,
    primary,
)
from monitor.pipeline import RunContext
from monitor.stages.jobs.plan import asks_others, landing_depth, sample_requests

if TYPE_CHECKING:
    from monitor.fetch.landing import LandingFetcher

_SUCCESS = 200
_NO_CONTACT = (
    "contact: services must be able to reach somebody; set MONITOR_CONTACT, or contact in the job "
    "file, to an address that is read"
)


def find_missing_parts(requests: Iterable[Request]) -> list[str]:
    """Return what requests need and lack here: keys, libraries, models."""
    configured = settings.load()
    faults: dict[str, None] = {}
    for request in requests:
        try:
            check_parts([request], configured.models, str(configured.chromium or ""))
        except MissingPart as error:
            faults[str(error)] = None
    return list(faults)


def asks_services_of_others(audit: Audit) -> bool:
    """Return whether a run asks a server that is not one's own: an engine, look-ups or pages."""
    return bool(audit.job.foreign) or asks_others(audit) or landing_depth(audit) > 0


def find_missing_to_run(audit: Audit) -> list[str]:
    """Return what a valid job still needs here: contact, keys, libraries, models, governance."""
    try:
        samples = list(sample_requests(audit))
        lacking = lacking_governance(audit.job)
        if _lacks_contact(samples, audit.job.contact, foreign=asks_services_of_others(audit)):
            # an address for services serves the table as well
            lacking = [line for line in lacking if not line.startswith("governance.contact: ")]
            lacking.append(_NO_CONTACT)
        return [*lacking, *find_missing_parts(samples)]
    except InvalidInput as error:  # a setting that cannot be used
        return [str(error)]


def _lacks_contact(requests: Iterable[Request], contact: str, *, foreign: bool) -> bool:
    """Return whether services of others are asked that could reach nobody."""
    is_network = any(isinstance(request, HttpRequest | PageRequest) for request in requests)
    return foreign and is_network and not (contact or settings.load().contact)


@contextmanager
def open_fetcher(
    requests: Iterable[Request], contact: str, *, foreign: bool = True
) -> Iterator[Outside]:
    """Open the configured fetcher for requests like these.

    `foreign`: servers of others are asked, so that somebody has to be reachable. Raises
    MissingPart, naming all that has to be installed, fetched or set, or InvalidInput without a
    contact.
    """
    from monitor.fetch.browser import BrowserWay  # noqa: PLC0415 - takes a while to import
    from monitor.fetch.http import Way  # noqa: PLC0415 - see above

    configured = settings.load_all()
    examples = list(requests)
    if _lacks_contact(examples, contact, foreign=foreign):
        raise InvalidInput(_NO_CONTACT)
    if missing := find_missing_parts(examples):
        raise MissingPart("; ".join(missing))
    if configured.ca_file and not configured.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(configured.ca_file)!r}: no such file")
    way = Way(
        contact=contact or configured.contact,
        seconds=configured.answer_timeout,
        most_bytes=configured.answer_bytes,
        proxy=configured.proxy.get_secret_value(),
        exit=configured.exit,
        authorities=configured.ca_file,
    )
    pages = BrowserWay(
        seconds=configured.page_timeout,
        most_page_bytes=configured.page_bytes,
        proxy=configured.proxy.get_secret_value(),
        exit=configured.exit,
        chromium=str(configured.chromium or ""),
    )
    fetcher = Outside(configured.models, configured.processes, way, pages)
    try:
        yield fetcher
    finally:
        fetcher.close()


def make_surroundings(
    chosen: settings.Settings, landings: "Callable[[], LandingFetcher] | None" = None
) -> RunContext:
    """Return the surroundings of a run. Raise InvalidInput."""
    key = chosen.address_key.get_secret_value()
    if chosen.egress_lookup and not key:
        raise InvalidInput(
            "MONITOR_EGRESS_LOOKUP is set, but MONITOR_ADDRESS_KEY is not: choose a long random "
            "text, so that the hashes of our own addresses can be kept"
        )
    return RunContext(chosen.exit, chosen.services, chosen.egress_lookup, key, landings)


# --- languages ------------------------------------------------------------------------------------


class NoLanguages(ActionNeeded):
    """A service did not say which languages it offers."""


def ask_targets(
    engine: Engine, config: Mapping[str, Json], source: str, contact: str, *, foreign: bool
) -> set[str]:
    """Return the language tags into which a service translates from `source`, as it says itself.

    `config` has its defaults filled in; `foreign` is as of `open_fetcher`. Sends one request.
    Raises InvalidInput for an engine that has no list of languages, NoLanguages without an answer
    that can be read.
    """
    from monitor.stages.collect.requests import without_keys  # noqa: PLC0415 - loads SQLAlchemy

    request = engine.languages_request(config) if engine.kind is Kind.MT else None
    if request is None:
        raise InvalidInput(
            f"{engine.name} has no list of its languages; "
            f"`monitor engines test {engine.name} --target CODE` asks one question"
        )
    with open_fetcher([request], contact, foreign=foreign) as fetcher:
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


def missing_targets(audit: Audit) -> Iterator[str]:
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
                offered = ask_targets(
                    engine, config, source, audit.job.contact, foreign=not use.is_own(engine)
                )
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
