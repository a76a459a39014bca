"""Services outside, as the environment configures them: missing parts and fetchers."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from monitor import settings
from monitor.fetch import Outside, check_parts
from monitor.jobs import Audit, lacking_governance
from monitor.model import (
    HttpRequest,
    InvalidInput,
    MissingPart,
    PageRequest,
    Request,
)
from monitor.pipeline import RunContext, sample_requests

if TYPE_CHECKING:
    from monitor.fetch.landing import LandingFetcher

_NO_CONTACT = (
    "contact: services must be able to reach somebody; set MONITOR_CONTACT, or contact in the job "
    "file, to an address that is read"
)


def find_missing_parts(requests: Iterable[Request], contact: str) -> list[str]:
    """Return what requests need and lack here: contact, keys, libraries, models."""
    configured = settings.load()
    faults: dict[str, None] = {}
    for request in requests:
        if isinstance(request, HttpRequest | PageRequest) and not (contact or configured.contact):
            faults[_NO_CONTACT] = None
        try:
            check_parts([request], configured.models, str(configured.chromium or ""))
        except MissingPart as error:
            faults[str(error)] = None
    return list(faults)


def find_missing_to_run(audit: Audit) -> list[str]:
    """Return what a valid job still needs here: keys, libraries, models, governance."""
    try:
        parts = find_missing_parts(sample_requests(audit), audit.job.contact)
        return [*lacking_governance(audit.job), *parts]
    except InvalidInput as error:  # a setting that cannot be used
        return [str(error)]


@contextmanager
def open_fetcher(requests: Iterable[Request], contact: str) -> Iterator[Outside]:
    """Open the configured fetcher for requests like these.

    Raises MissingPart, naming what to install, fetch or set, or InvalidInput where nobody could
    be reached about what we ask.
    """
    from monitor.fetch.browser import BrowserWay  # noqa: PLC0415 - takes a while to import
    from monitor.fetch.http import Way  # noqa: PLC0415 - see above

    configured = settings.load_all()
    examples = list(requests)
    who = contact or configured.contact
    if not who and any(isinstance(request, HttpRequest | PageRequest) for request in examples):
        raise InvalidInput(_NO_CONTACT)
    check_parts(examples, configured.models, str(configured.chromium or ""))
    if configured.ca_file and not configured.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(configured.ca_file)!r}: no such file")
    way = Way(
        contact=who,
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
