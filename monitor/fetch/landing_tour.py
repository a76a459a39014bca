"""One tour of pages: which address may be asked next, and what its answer means for the others.

The tour is given every answer and yields what may be asked. It knows no network and never sleeps.

The rules of a robots.txt (RFC 9309): the parser of the standard library takes the first rule that
fits instead of the longest, and knows no * within a path, so that it would let us ask for what a
site wants left alone.
"""

import heapq
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from monitor.faults import is_page
from monitor.fetch.lanes import asked_delay, parse_number
from monitor.model import Answer, HttpRequest, Outcome, Pause, Reason
from monitor.text.main_text import HTML, PLAIN, media_type

#: By this name sites address us.
TOKEN = "monitor"  # noqa: S105 - the product token of RFC 9309
#: More of a file need not be read.
MOST_BYTES = 500 * 1024
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_NAME = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """One line that allows or disallows the paths that fit a pattern."""

    pattern: str
    allows: bool

    def matches_path(self, path: str) -> bool:
        """Return whether a path begins as the pattern says."""
        whole = self.pattern.endswith("$")
        first, *middle_pieces = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if not middle_pieces:
            return not whole or path == first
        position = len(first)
        for piece in middle_pieces[:-1] if whole else middle_pieces:
            start = path.find(piece, position)
            if start < 0:
                return False
            position = start + len(piece)
        return not whole or (
            len(path) - len(middle_pieces[-1]) >= position and path.endswith(middle_pieces[-1])
        )


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of a site. `refusal` says why nothing of it may be asked, whatever the rules."""

    rules: tuple[RobotsRule, ...] = ()
    delay: float = 0.0  # seconds between two requests
    refusal: str = ""

    def allow_url(self, url: str) -> bool:
        """Return whether an address may be asked: the longest rule decides, else the mildest."""
        parts = urlsplit(url)
        path = _normalize_path(parts.path or "/")
        if path == "/robots.txt":
            return True
        path_and_query = f"{path}?{_normalize_path(parts.query)}" if parts.query else path
        fitting = [rule for rule in self.rules if rule.matches_path(path_and_query)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allows), default=None)
        return best is None or best.allows


def _normalize_path(path: str) -> str:
    """The one spelling of a path: only what has to be escaped is, in capitals."""

    def one(found: re.Match[str]) -> str:
        letter = chr(int(found[1], 16))
        return letter if _UNRESERVED.fullmatch(letter) else found[0].upper()

    ascii_only = quote(path, safe="".join(map(chr, range(0x21, 0x7F))), errors="replace")
    return _ESCAPED.sub(one, ascii_only)


def parse_robots(body: bytes) -> RobotsRules:
    """The rules for us: of the groups that name us, else of those for everybody."""
    own_lines: list[tuple[str, str]] | None = None
    common: list[tuple[str, str]] = []
    names: list[str] = []
    naming = False
    for key, value in _read_lines(body):
        if key == "user-agent":
            names = [*names, value] if naming else [value]
            naming = True
            own_lines = [] if own_lines is None and _names_us(value) else own_lines
            continue
        naming = naming and key not in ("allow", "disallow", "crawl-delay")
        if own_lines is not None and any(map(_names_us, names)):
            own_lines.append((key, value))
        if "*" in names:
            common.append((key, value))
    return _make_rules(common if own_lines is None else own_lines)


def _names_us(name: str) -> bool:
    match = _NAME.match(name)
    return match is not None and match[0].lower() == TOKEN


def _read_lines(body: bytes) -> Iterator[tuple[str, str]]:
    text = body[:MOST_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    for line in re.split(r"[\r\n]+", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _make_rules(lines: list[tuple[str, str]]) -> RobotsRules:
    rules = tuple(
        RobotsRule(_normalize_path(value), key == "allow")
        for key, value in lines
        if key in ("allow", "disallow") and value
    )
    delays = [parse_number(value) or 0.0 for key, value in lines if key == "crawl-delay"]
    return RobotsRules(rules, max(delays, default=0.0))


_LONGEST_URL = 4_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WALLS = frozenset({401, 403, 451})
_THROTTLED = frozenset({429, 503})
_FIRST_SERVER_ERROR = 500
_FIRST_ERROR = 400
_SUCCESSES = range(200, 300)
#: Names that mean something within a network only, and numbers in spellings that hide an address.
_LOCAL_NAME = re.compile(r"(?:.*\.)?(?:localhost|local|internal|intranet|lan|home\.arpa)|[^.:]*")
_HIDDEN_ADDRESS = re.compile(r"(?:.*\.)?(?:0[xX][0-9a-fA-F]*|\d+)")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


@dataclass(frozen=True, slots=True)
class LandedPage:
    """A page that a result leads to. `text` is None unless it could be read, never empty.

    `asked_at` is when it was asked for, or when it was decided not to. `redirects` are the
    addresses that led to `final_url`, the given one first. `body` is empty for what is no page.
    """

    outcome: Outcome
    asked_at: datetime
    took: float
    reason: Reason = Reason.NONE
    detail: str = ""
    status: int | None = None
    final_url: str = ""
    content_type: str = ""
    body: bytes = b""
    text: str | None = None
    extractor: str = ""
    redirects: tuple[str, ...] = ()
    egress: str = ""


def site_of(url: str) -> str:
    """Return the scheme, host and port of an address, which have one robots.txt."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def fault_of(url: str, *, loopback: bool) -> str:
    """Return the reason why an address is not asked, in a few words, or an empty string."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        return f"no address: {error}"
    if parts.scheme not in ("http", "https") or not host:
        return "no address of the web"
    if len(url) > _LONGEST_URL or not url.isprintable() or " " in url:
        return f"no address: at most {_LONGEST_URL:,} characters without blanks"
    if parts.username is not None or parts.password is not None:
        return "has a user name in it"
    if not loopback and _LOCAL_NAME.fullmatch(host.rstrip(".").lower()):
        return f"{host} is no name of the internet"
    if _HIDDEN_ADDRESS.fullmatch(host.rstrip(".")) and not _ADDRESS.fullmatch(host):
        return f"{host} is an address in disguise"
    return ""


def without_fragment(url: str) -> str:
    """An address without what only browsers use: the part behind #."""
    return urldefrag(url.strip()).url


def answer_header(answer: Answer, name: str) -> str:
    """A header of an answer; empty where it has none."""
    return dict(answer.headers).get(name, "")


def redirect_target(url: str, answer: Answer) -> str:
    """Return the target of a redirection; empty for other answers."""
    location = answer_header(answer, "location")
    if answer.status not in _REDIRECTS or not location:
        return ""
    try:
        return without_fragment(urljoin(url, location))
    except ValueError:
        return location


def is_complete(answer: Answer) -> bool:
    """Return whether an answer is whole. One out of a cache is as good as another."""
    return answer.outcome is Outcome.OK or answer.reason is Reason.STALE


def judge_answer(answer: Answer) -> tuple[Outcome, Reason, str]:
    """Return the outcome of an answer that leads nowhere else."""
    if not is_complete(answer):
        return answer.outcome, answer.reason, answer.detail
    status = answer.status or 0
    if status in _SUCCESSES:
        return _judge_content(answer)
    status_text = f"HTTP {status}"
    if status in _WALLS:
        return Outcome.BLOCKED, Reason.NONE, status_text
    if status in _THROTTLED:
        return Outcome.THROTTLED, Reason.RATE, status_text
    if _FIRST_ERROR <= status < _FIRST_SERVER_ERROR:
        return Outcome.FAILED, Reason.REFUSED, status_text
    return Outcome.FAILED, Reason.NONE, status_text


def _judge_content(answer: Answer) -> tuple[Outcome, Reason, str]:
    kind = media_type(answer_header(answer, "content-type"))
    if not kind and is_page(answer):
        return Outcome.OK, Reason.NONE, ""
    if kind not in (HTML, PLAIN):
        return Outcome.UNREADABLE, Reason.UNSUPPORTED, f"content is {kind[:60] or 'not said'}"
    if not answer.body.strip():
        return Outcome.UNREADABLE, Reason.NONE, "nothing came"
    return Outcome.OK, Reason.NONE, ""


_MOST_REDIRECTS = 5
#: A rest that a site asks for is kept up to here; one that wants a longer one is left alone.
LONGEST_REST = 120.0
#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.2
_ACCEPT = (("Accept", "text/html, text/plain;q=0.8"),)

_CLIENT_ERRORS = range(400, 500)
_TOO_MANY = 429


@dataclass(slots=True)
class _LandingVisit:
    """One page on its way, or the rules of a site (`rules_of`). `urls` are where it was so far."""

    given_url: str
    urls: list[str]
    rules_of: str = ""
    asked_at: datetime | None = None
    began: float = 0.0

    @property
    def url(self) -> str:
        return self.urls[-1]


@dataclass(slots=True)
class HostState:
    """A host for which requests take turns."""

    name: str
    rest: float
    next_at: float = 0.0
    asking: bool = False
    in_turn: bool = False
    left_alone: str = ""  # why nothing more is asked
    queue: deque[_LandingVisit] = field(default_factory=deque)


@dataclass(slots=True)
class SiteManners:
    """Limits and rules of sites, and the time of the last request to each."""

    rest: float  # seconds between two requests to one host
    most: int  # requests at the same time
    loopback: bool = False  # whether this machine's own addresses may be asked
    clock: Callable[[], float] = time.monotonic
    hosts: dict[str, HostState] = field(default_factory=dict)
    rules: dict[str, RobotsRules] = field(default_factory=dict)

    def find_host(self, url: str) -> HostState:
        """Return the host whose turn a request to an address is."""
        name = (urlsplit(url).hostname or "").rstrip(".")
        return self.hosts.setdefault(name, HostState(name, self.rest))


class Tour:
    """One call of `fetch`: what is to be asked, what is in flight and what has ended."""

    def __init__(
        self, manners: SiteManners, stop: Callable[[], bool], held: Callable[[], bool]
    ) -> None:
        """While `held` says so nothing new is asked; after `stop` says so, never again."""
        self._manners, self._stop, self._held = manners, stop, held
        # when a host with something to ask may be asked, its turn, and the host
        self._ready: list[tuple[float, int, HostState]] = []
        self._flying: dict[int, tuple[_LandingVisit, HostState]] = {}
        self._blocked: dict[str, list[_LandingVisit]] = {}  # until the rules of a site are known
        self._ended: list[tuple[str, LandedPage]] = []
        self._sent = self._turns = 0

    def start_visit(self, given: str) -> None:
        """Put an address on the way."""
        began = self._manners.clock()
        self._queue_visit(_LandingVisit(given, [without_fragment(given)], began=began))

    def pop_ended(self) -> list[tuple[str, LandedPage]]:
        """Return the visits that ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def forget_waiting(self) -> None:
        """Forget what was not asked; rests and rules stay."""
        for host in self._manners.hosts.values():
            host.queue.clear()
            host.asking = host.in_turn = False

    def yield_requests(self) -> Iterator[HttpRequest | Pause]:
        """Yield what may leave, and pauses until the next may."""
        while not self._stop():
            wait = self._seconds_to_wait()
            full = len(self._flying) >= self._manners.most or self._held()
            if wait is not None and wait <= 0 and not full:
                yield self._next_request()
            elif wait is not None or self._flying:
                soon = _HEARD_WITHIN if full or wait is None else max(wait, 0.0)
                yield Pause(min(soon, _HEARD_WITHIN))
            else:
                return

    def _seconds_to_wait(self) -> float | None:
        """Seconds until the host whose turn it is may be asked; None where nobody has a turn."""
        while self._ready:
            due, turn, host = self._ready[0]
            if not host.queue:
                heapq.heappop(self._ready)
                host.in_turn = False
            elif host.next_at > due:  # it wished for a longer rest since
                heapq.heapreplace(self._ready, (host.next_at, turn, host))
            else:
                return due - self._manners.clock()
        return None

    def _next_request(self) -> HttpRequest:
        """The next request of the host whose turn it is."""
        host = heapq.heappop(self._ready)[2]
        visit = host.queue.popleft()
        host.asking, host.in_turn = True, False
        visit.asked_at = visit.asked_at or datetime.now(UTC)
        self._flying[self._sent] = visit, host
        self._sent += 1
        return HttpRequest("GET", visit.url, _ACCEPT)

    def take_answer(self, index: int, answer: Answer) -> None:
        """An answer came: the page has ended, or goes on elsewhere."""
        visit, host = self._flying.pop(index)
        host.asking = False
        host.next_at = self._manners.clock() + self._rest_after(host, answer)
        to = redirect_target(visit.url, answer)
        if visit.rules_of:
            self._rules_came(visit, answer, to)
        elif not to:
            self._end_visit(visit, *judge_answer(answer), answer)
        elif len(visit.urls) > _MOST_REDIRECTS:
            detail = f"more than {_MOST_REDIRECTS} redirections"
            self._end_visit(visit, Outcome.FAILED, Reason.REFUSED, detail, answer)
        else:
            visit.urls.append(to)
            self._queue_visit(visit)
        self._take_turn(host)

    def _rest_after(self, host: HostState, answer: Answer) -> float:
        """Seconds until a host may be asked again; one that wants more than that is left alone."""
        asks_for_rest = answer.status in _THROTTLED
        delay = asked_delay(answer) or 0.0 if asks_for_rest else 0.0
        if delay > LONGEST_REST:
            host.left_alone = f"{host.name} asks for a rest of {delay:,.0f} s"
        return max(host.rest, delay)

    def _take_turn(self, host: HostState) -> None:
        """Let a host be asked again once its rest is over."""
        if host.left_alone:
            waiting, host.queue = host.queue, deque()
            for visit in waiting:
                self._leave_alone(visit, host)
        elif host.queue and not (host.asking or host.in_turn):
            self._turns += 1
            host.in_turn = True
            heapq.heappush(self._ready, (host.next_at, self._turns, host))

    def _leave_alone(self, visit: _LandingVisit, host: HostState) -> None:
        if visit.rules_of:
            self._apply_rules(visit.rules_of, RobotsRules(refusal=host.left_alone))
        else:
            self._end_visit(visit, Outcome.THROTTLED, Reason.RATE, host.left_alone)

    def _queue_visit(self, visit: _LandingVisit) -> None:
        """Queue a visit, once it may be asked; end it where it may not."""
        if fault := fault_of(visit.url, loopback=self._manners.loopback):
            self._end_refused(visit, fault)
            return
        host = self._manners.find_host(visit.url)
        if host.left_alone:
            self._leave_alone(visit, host)
        elif visit.rules_of or self._is_permitted(visit):
            (host.queue.appendleft if visit.rules_of else host.queue.append)(visit)
            self._take_turn(host)

    def _end_refused(self, visit: _LandingVisit, fault: str) -> None:
        """End what must not be asked; rules that cannot be read forbid."""
        if visit.rules_of:
            rules = RobotsRules(refusal=f"robots.txt leads astray: {fault}")
            self._apply_rules(visit.rules_of, rules)
        else:
            self._end_visit(visit, Outcome.FAILED, Reason.REFUSED, fault)

    def _is_permitted(self, visit: _LandingVisit) -> bool:
        """Return whether the site permits an address; its rules are asked for first if unknown."""
        site = site_of(visit.url)
        rules = self._manners.rules.get(site)
        if rules is None:
            self._blocked.setdefault(site, []).append(visit)
            if len(self._blocked[site]) == 1:
                self._queue_visit(_LandingVisit("", [f"{site}/robots.txt"], site))
        elif rules.refusal:
            self._end_visit(visit, Outcome.BLOCKED, Reason.NONE, rules.refusal)
        elif rules.allow_url(visit.url):
            return True
        else:
            detail = f"robots.txt of {site} does not allow it"
            self._end_visit(visit, Outcome.BLOCKED, Reason.NONE, detail)
        return False

    def _rules_came(self, visit: _LandingVisit, answer: Answer, to: str) -> None:
        if to and len(visit.urls) <= _MOST_REDIRECTS:
            visit.urls.append(to)
            self._queue_visit(visit)
        else:
            self._apply_rules(visit.rules_of, _parse_rules(answer, to))

    def _apply_rules(self, site: str, rules: RobotsRules) -> None:
        """The wishes of a site are known: whoever waited for them goes on, or not."""
        if rules.delay > LONGEST_REST:
            wish = f"robots.txt of {site} asks for a rest of {rules.delay:,.0f} s between requests"
            rules = RobotsRules(refusal=wish)
        self._manners.rules[site] = rules
        host = self._manners.find_host(site)
        if rules.delay > host.rest:
            host.next_at += rules.delay - host.rest
            host.rest = rules.delay
        for visit in self._blocked.pop(site, []):
            self._queue_visit(visit)

    def _end_visit(
        self,
        visit: _LandingVisit,
        outcome: Outcome,
        reason: Reason,
        detail: str,
        answer: Answer | None = None,
    ) -> None:
        took = self._manners.clock() - visit.began if visit.asked_at else 0.0
        page = LandedPage(
            outcome,
            visit.asked_at or datetime.now(UTC),
            took,
            reason,
            detail,
            final_url=visit.url,
            redirects=tuple(visit.urls[:-1]),
        )
        if answer is not None:
            page = replace(
                page,
                took=answer.took,
                status=answer.status,
                content_type=answer_header(answer, "content-type"),
                body=answer.body,
                egress=answer.egress,
            )
        self._ended.append((visit.given_url, page))


def _parse_rules(answer: Answer, to: str) -> RobotsRules:
    """The rules that an answer is. RFC 9309, 2.3.1: no file allows all, no answer allows nothing.

    One that leads ever further counts as no file.
    """
    status = answer.status or 0
    cut = answer.reason is Reason.OVERSIZE
    if not (is_complete(answer) or cut):
        why = answer.detail or answer.outcome
        return RobotsRules(refusal=f"robots.txt could not be asked for: {why}"[:300])
    if status in _SUCCESSES:
        return parse_robots(answer.body)
    if to or (status in _CLIENT_ERRORS and status != _TOO_MANY):
        return RobotsRules()
    return RobotsRules(refusal=f"robots.txt could not be asked for: HTTP {status}")
