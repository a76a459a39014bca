"""Reaching outside as the environment says: what is missing for it, and the fetcher."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from monitor import settings
from monitor.fetch import Outside, check_parts
from monitor.jobs import Audit, lacking_governance
from monitor.model import HttpRequest, InvalidInput, MissingPart, PageRequest, Request
from monitor.pipeline import Around, sample_requests

if TYPE_CHECKING:
    from monitor.fetch.landing import LandingFetcher

_NO_CONTACT = (
    "contact: services must be able to reach somebody; set MONITOR_CONTACT, or contact in the job "
    "file, to an address that is read"
)


def still_needed(requests: Iterable[Request], contact: str) -> list[str]:
    """What is missing here for requests like these: contact, keys, libraries, models; each once."""
    chosen = settings.load()
    found: dict[str, None] = {}
    for request in requests:
        if isinstance(request, HttpRequest | PageRequest) and not (contact or chosen.contact):
            found[_NO_CONTACT] = None
        try:
            check_parts([request], chosen.models, str(chosen.chromium or ""))
        except MissingPart as error:
            found[str(error)] = None
    return list(found)


def lacking_to_run(audit: Audit) -> list[str]:
    """Return what a valid job still needs here: keys, libraries, models, governance."""
    try:
        parts = still_needed(sample_requests(audit), audit.job.contact)
        return [*lacking_governance(audit.job), *parts]
    except InvalidInput as error:  # a setting that cannot be used
        return [str(error)]


@contextmanager
def outside(requests: Iterable[Request], contact: str) -> Iterator[Outside]:
    """The fetcher of the environment, for requests like these.

    Raises MissingPart, naming what to install, fetch or set, or InvalidInput where nobody could
    be reached about what we ask.
    """
    from monitor.fetch.browser import BrowserWay  # noqa: PLC0415 - takes a while to import
    from monitor.fetch.http import Way  # noqa: PLC0415 - see above

    chosen = settings.load_all()
    examples = list(requests)
    who = contact or chosen.contact
    if not who and any(isinstance(request, HttpRequest | PageRequest) for request in examples):
        raise InvalidInput(_NO_CONTACT)
    check_parts(examples, chosen.models, str(chosen.chromium or ""))
    if chosen.ca_file and not chosen.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(chosen.ca_file)!r}: no such file")
    way = Way(
        contact=who,
        seconds=chosen.answer_timeout,
        most_bytes=chosen.answer_bytes,
        proxy=chosen.proxy.get_secret_value(),
        exit=chosen.exit,
        authorities=chosen.ca_file,
    )
    pages = BrowserWay(
        seconds=chosen.page_timeout,
        most_page_bytes=chosen.page_bytes,
        proxy=chosen.proxy.get_secret_value(),
        exit=chosen.exit,
        chromium=str(chosen.chromium or ""),
    )
    fetcher = Outside(chosen.models, chosen.processes, way, pages)
    try:
        yield fetcher
    finally:
        fetcher.close()


def around(
    chosen: settings.Settings, landings: "Callable[[], LandingFetcher] | None" = None
) -> Around:
    """The surroundings of a run, as the environment sets them. Raises InvalidInput."""
    key = chosen.address_key.get_secret_value()
    if chosen.egress_lookup and not key:
        raise InvalidInput(
            "MONITOR_EGRESS_LOOKUP is set, but MONITOR_ADDRESS_KEY is not: choose a long random "
            "text, so that the hashes of our own addresses can be kept"
        )
    return Around(chosen.exit, chosen.services, chosen.egress_lookup, key, landings)
