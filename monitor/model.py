"""The records that flow between the parts, and the protocols that plug-ins fulfil.

Nothing here does I/O and nothing here imports another part of the package but the records of
change: every other module may import this one. Records are immutable; a stage takes some and
returns others.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias
from urllib.parse import urlsplit

from monitor.change import Paired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float64]  # (units, statistics)
    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
else:

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a type
        """Return a type of arrays: numpy is imported only where they are computed with."""
        if name not in {"Matrix", "Floats", "Ints"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import numpy as np  # noqa: PLC0415
        from numpy.typing import NDArray  # noqa: PLC0415

        return NDArray[np.int64] if name == "Ints" else NDArray[np.float64]


Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"


#: Made once: `json.dumps` would make one for every value.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: object) -> str:
    """The one spelling of a JSON value that hashes are taken of: sorted keys, no blanks, UTF-8."""
    return _CANONICAL.encode(value)


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON of `value`, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def primary(tag: str) -> str:
    """The language of a BCP 47 tag without script and region: `pt` of `pt-BR`."""
    return tag.split("-", 1)[0].lower()


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def make_storable(text: str) -> str:
    """Text as every database keeps it: what is no character becomes a replacement character.

    JSON can name halves of surrogate pairs, which no encoding takes, and NUL, which PostgreSQL
    refuses. The raw answer stays as it came.
    """
    return _UNSTORABLE.sub("\ufffd", text)


def as_row(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any data class
    """Return the fields of a record by their names; `asdict` would copy each, which is slow."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


class MonitorError(Exception):
    """A fault that a person can mend: the message names the thing, the value and the remedy."""

    exit_code = 1


class InvalidInput(MonitorError):
    """A job file, list, table or argument that cannot be used as it is."""

    exit_code = 2


class MissingPart(MonitorError):
    """An optional library, model or data file that is needed and not installed."""

    exit_code = 3


class StoreProblem(MonitorError):
    """A database or folder that cannot be opened, read or written as it is."""

    exit_code = 4


class ActionNeeded(MonitorError):
    """Work that was done in part, or not: somebody has to act before it can go on."""

    exit_code = 5


class SchemaChanged(StoreProblem):
    """A database that another version upgraded while this process was at work."""


class StoreGone(StoreProblem):
    """A database server that cannot be reached now; it may come back by itself."""


class StoreFull(StoreProblem):
    """A disk or quota that is full; nothing can be kept until there is room."""


class StoreBusy(StoreProblem):
    """A database that another holds for too long, or a deadlock; the same may be tried again."""


class StoreSlow(StoreProblem):
    """A reading that took longer than it may."""


class BodyRemoved(StoreProblem):
    """A stored answer that was taken away on purpose: its time was over, or it was erased."""


# --- what is asked ----------------------------------------------------------------------------


class Kind(StrEnum):
    """The kind of a system under audit."""

    SEARCH = "search"
    MT = "mt"
    LM = "lm"


class RunKind(StrEnum):
    """The reason for a run; only scheduled runs are on the grid of due ticks."""

    SCHEDULED = "scheduled"
    MANUAL = "manual"
    CONFIRM = "confirm"
    NOISE = "noise"


class RunState(StrEnum):
    """The progress of a run; operational, unlike outcomes."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    DONE = "done"  # every planned question has a final answer
    PARTIAL = "partial"  # finished, some questions without an answer


class TickState(StrEnum):
    """The state of a due tick of a job; every tick ends in one of the last five."""

    DUE = "due"  # noted, not begun: its start is delayed by jitter, or something is in the way
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"  # its run ended with questions unanswered
    MISSED = "missed"  # nobody was there to begin it, and the catch-up policy leaves it out
    OVERLAPPED = "overlapped"  # the run before was still being asked
    FAILED = "failed"  # it could not be begun, or its run could not be finished


class Stage(StrEnum):
    """The work of a task of a run."""

    COLLECT = "collect"
    DERIVE = "derive"
    REDO = "redo"  # derive anew of what is kept; nobody is asked


class TaskState(StrEnum):
    """The progress of a task."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"  # given up after too many tries


class Purpose(StrEnum):
    """The reason for an exchange."""

    PROBE = "probe"
    LABEL = "label"
    REFERENCE = "reference"
    LANDING = "landing"
    EGRESS = "egress"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question. Its `key` is a hash of exactly these fields, so the same question keeps it."""

    text: str
    source_lang: str
    target_lang: str = ""
    region: str = ""
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """32 hexadecimal digits that identify the question across lists and list versions."""
        return digest(
            [self.text, self.source_lang, self.target_lang, self.region, list(self.parameters)]
        )[:32]

    @property
    def target(self) -> str:
        """The region of a search engine, else the target language."""
        return self.region or self.target_lang


@dataclass(frozen=True, slots=True)
class KeyKind:
    """The kind of key that an address takes.

    `variable` is the environment variable of the key. `ends` is whether the address takes the keys
    with this `ending`, or all others; `words` say what to change.
    """

    variable: str
    ending: str
    ends: bool
    words: str


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request for `fetch/http.py`, which fills in what is secret at the last moment.

    `secret:NAME` in a header value stands for the environment variable NAME. `body_secrets` are
    (key, NAME): keys that are added to the top level of a JSON body, `query_secrets` the same for
    the query of the address. `key_kinds` say which keys the address takes. `signer` names one of
    `fetch/secrets.py` with its argument, `aws4:translate/eu-west-1`. What answers a `restricted`
    request tells of single people: it is kept with what is known of them. `refused` says why it
    must not be asked for yet, and what a person has to do.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    body_secrets: tuple[tuple[str, str], ...] = ()
    signer: str = ""
    query_secrets: tuple[tuple[str, str], ...] = ()
    restricted: bool = False
    key_kinds: tuple[KeyKind, ...] = ()
    refused: str = ""
    later: "LaterPart | None" = None


@dataclass(frozen=True, slots=True)
class LaterPart:
    """A part of an answer that a service hands out on a second request right after the first.

    `token_at` is the path to the token in the first answer, which is JSON; `request` asks for the
    part, with the token as the `parameter` of its query. The body of the answer then holds both
    JSON documents as they came, one after the other.
    """

    token_at: tuple[str, ...]
    parameter: str
    request: HttpRequest


@dataclass(frozen=True, slots=True)
class Region:
    """From where, in which language and on which screen a search engine is asked.

    `country` is the one that requests are declared to leave from; `place` the canonical name of a
    geographic target ("Austin,Texas,United States"), empty where the country is enough.
    """

    name: str
    country: str  # ISO 3166, upper case: US
    language: str  # of the interface and the results: en
    locale: str  # en-US
    timezone: str  # IANA
    accept_language: str
    latitude: float
    longitude: float
    width: int = 1366  # viewport, CSS pixels
    height: int = 900
    place: str = ""

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters of a probe: all that can change an answer."""
        return tuple(
            (name, str(value))
            for name in sorted(self.__slots__)
            if name != "name" and (value := getattr(self, name)) != ""
        )

    @classmethod
    def from_probe(cls, probe: "Probe") -> "Region":
        """The region that a probe is asked in. Raises KeyError where it names none."""
        values = {"place": "", **dict(probe.parameters)}
        texts = ("country", "language", "locale", "timezone", "accept_language", "place")
        return cls(
            name=probe.region,
            latitude=float(values["latitude"]),
            longitude=float(values["longitude"]),
            width=int(values["width"]),
            height=int(values["height"]),
            **{name: values[name] for name in texts},
        )


@dataclass(frozen=True, slots=True)
class AwaitedPart:
    """A part that some pages load after themselves; CSS selectors tell how far it has come.

    It is awaited for at most so many `seconds` once the rest of the page is ready, while something
    that fits `announced` can be seen and nothing with words that fits `came`, or while something
    fits `busy`.
    """

    name: str
    seconds: float
    announced: str
    came: str
    busy: str


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page for `fetch/browser.py` to open, each in a context of its own.

    `consent` are (choice, CSS selector) of buttons on consent walls, in the order of preference:
    ("reject", "#W0wltc"). `ready` are CSS selectors of which one has to appear before the page is
    read; the page is read all the same when none does in time. `refused` says why it must not be
    asked for yet, and what a person has to do.
    """

    url: str
    region: Region
    consent: tuple[tuple[str, str], ...] = ()
    ready: tuple[str, ...] = ()
    headed: bool = False
    refused: str = ""
    awaited: AwaitedPart | None = None


@dataclass(frozen=True, slots=True)
class SavedRequest:
    """A result page that a person saved, for `fetch/saved_pages.py` to look up."""

    folder: str  # beside the job file
    text: str
    region: str


@dataclass(frozen=True, slots=True)
class DonatedRequest:
    """A result page that a donor gave to the archive, for `fetch/saved_pages.py` to look up."""

    donor: str
    system: str
    text: str
    region: str


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A result page of a donor in the archive; its body is read apart."""

    donor: str
    region: str
    system: str
    url: str
    query: str
    captured_at: datetime
    body_id: int


@dataclass(frozen=True, slots=True)
class LocalRequest:
    """Texts for a model that runs in this machine's process pool."""

    backend: str  # a back end: monitor.fetch.backends
    model: str  # what the backend calls its model, for example "en-pt"
    texts: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()  # what else decides the answer, sorted by name


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """Texts whose translations were collected before, for `fetch/recorded.py` to look up."""

    file: str  # CSV or Parquet, beside the job file
    system: str  # who translated
    target_lang: str
    texts: tuple[str, ...]


Request: TypeAlias = (
    HttpRequest | PageRequest | LocalRequest | RecordedRequest | SavedRequest | DonatedRequest
)

#: Devices on which donors search.
DEVICES = ("desktop", "mobile", "tablet")
#: Surface of pages that donors gave.
DONATED = "donated"
#: The parameter of a question, and the tag of its unit, that say whose page answers it.
DONOR = "donor"
#: Stands between the key of a question and the donor who answered it.
OF_DONOR = " of donor "
#: No published number is of fewer donors (k-anonymity).
FEWEST_DONORS = 5
#: Surfaces of engines whose answers were collected before; nobody is asked.
KEPT_SURFACES = frozenset({"recorded", DONATED})
#: Surfaces of engines that ask nobody else.
OWN_SURFACES = KEPT_SURFACES | {"local"}


@dataclass(frozen=True, slots=True)
class Pause:
    """Stands in a stream of requests where the next one has to wait.

    A fetcher hands over what comes in meanwhile, for at most so many seconds, and asks again.
    """

    seconds: float


# --- what came back -----------------------------------------------------------------------------


class Outcome(StrEnum):
    """The result of asking a question. Closed; the reason says more."""

    OK = "ok"
    EMPTY = "empty"
    BLOCKED = "blocked"
    THROTTLED = "throttled"
    TIMEOUT = "timeout"
    FAILED = "failed"
    UNREADABLE = "unreadable"


#: Asking again would not help. The others become final after the job's number of tries.
FINAL_OUTCOMES = frozenset({Outcome.OK, Outcome.EMPTY, Outcome.BLOCKED, Outcome.UNREADABLE})


class Reason(StrEnum):
    """The reason for an outcome; empty where the outcome says it all."""

    NONE = ""
    AUTH = "auth"  # the key is missing, wrong or lacks a right
    CAPTCHA = "captcha"
    CHATTER = "chatter"  # words around the translation, so that nobody can tell them apart
    CONSENT = "consent"
    CRASHED = "crashed"  # the process that held the model died
    ECHO = "echo"  # the answer contains the question instead of a translation
    EXCEPTION = "exception"  # the traceback is kept in the detail
    JS_SHELL = "js_shell"
    MALFORMED = "malformed"
    OVERSIZE = "oversize"  # cut at the limit of bytes
    POISONED = "poisoned"
    QUOTA = "quota"
    RATE = "rate"  # too many requests in too short a time
    REFUSED = "refused"  # the service says that the request is wrong: asking again cannot help
    REFUSAL = "refusal"  # a model declined to answer
    SHORT = "short"  # fewer answers than questions in a batch
    STALE = "stale"  # an older answer out of a cache
    SUSPECT_EMPTY = "suspect_empty"
    TRUNCATED = "truncated"  # the connection ended, or the model stopped, before the answer did
    UNREACHABLE = "unreachable"  # no connection
    UNSUPPORTED = "unsupported"  # this pair of languages, or this parameter for it
    UNRECORDED = "unrecorded"  # the file of recorded translations has none of this question


#: There is an answer. The other final ones say that there is none, and why: nothing asks again by
#: itself, but a person who resumes the run does.
ANSWERED_OUTCOMES = frozenset({Outcome.OK, Outcome.EMPTY})
#: Asking the same again in the same run cannot help, though there is no answer.
HOPELESS_REASONS = frozenset({Reason.REFUSED, Reason.UNSUPPORTED})


class Fault(StrEnum):
    """A fault that a service's answer reports; `monitor.faults` says what follows from each."""

    AUTH = "auth"
    QUOTA = "quota"  # gone for today or for the billing period
    RATE = "rate"
    BAD_REQUEST = "bad_request"
    UNSUPPORTED = "unsupported"  # pair, locale, formality
    BLOCKED = "blocked"
    DRIFT = "drift"  # a success without any known markup
    TRANSIENT = "transient"  # 5xx, warming up
    POISONED = "poisoned"  # a success with a bogus payload


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error that an engine reads in an answer: the fault, and the service's own words.

    `until` is when the service says, or is known, to answer again; `reason` is more precise than
    that of the fault, where it is known.
    """

    fault: Fault
    words: str
    until: datetime | None = None
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class Answer:
    """The raw answer to one request: evidence in the strict sense, kept as it came."""

    outcome: Outcome
    asked_at: datetime
    took: float  # seconds
    reason: Reason = Reason.NONE
    detail: str = ""
    status: int | None = None
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    agent: tuple[tuple[str, str], ...] = ()  # what answered: library, model, file hashes
    egress: str = ""
    screenshot: bytes = b""
    observed: tuple[tuple[str, str], ...] = ()  # what the fetcher saw: consent, lang, redirects


class Block(StrEnum):
    """The part of an answer in which an item stands."""

    TRANSLATION = "translation"
    ORGANIC = "organic"  # web results of the main column
    CAROUSEL = "carousel"  # the strip of entities, one item a tile
    KNOWLEDGE = "knowledge"  # knowledge panel: one item the panel, further ones its facts
    AD = "ad"
    ANSWER = "answer"  # featured snippet, calculator, instant answer
    AI_OVERVIEW = "ai_overview"  # written by a model; never among the ranks
    PEOPLE = "people"  # named in the answer of a chat model, in the order of their places
    OVERVIEW_PEOPLE = "overview_people"  # likewise in overviews that are shown
    COUNTERFACTUAL = "counterfactual"  # the ranking over gender-swapped documents


class OverviewState(StrEnum):
    """The state of a text that a model was to write for a query."""

    SHOWN = "shown"
    DECLINED = "declined"  # the engine says that it writes none for this query
    UNAVAILABLE = "unavailable"  # the engine failed to write it: try again later
    LOADING = "loading"  # it was announced, and had not come when the page was read


@dataclass(frozen=True, slots=True)
class Source:
    """A page that a text by a model cites; `domain` is its host without "www."."""

    title: str
    url: str
    domain: str

    @classmethod
    def of_page(cls, title: str, url: str) -> "Source":
        """Return the source at an address, with its domain; of no valid address it is empty."""
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            host = ""
        return cls(title, url, host.removeprefix("www."))


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that an answer shows. `rank` counts from 1 within its block.

    Of a search result `title` is the link's text, `text` the snippet; of a tile of a carousel
    `title` is the name, `text` the line beneath it, `entity` the knowledge graph's id (/m/0dl567)
    or the Wikidata item. A text by a model (block `ai_overview`) has its `state` and, in their
    order, the `sources` that it cites; its `text` keeps paragraphs and list entries on lines of
    their own, and is empty where nothing was shown.
    """

    rank: int
    text: str
    block: str = Block.TRANSLATION
    url: str = ""
    title: str = ""
    entity: str = ""
    score: "Score | None" = None
    state: OverviewState | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A language model's score of a pair of words in one template (Pikuliak et al. 2023, 4.2).

    Natural logarithms of the probabilities of the masculine and of the feminine word; only their
    difference is known where scores were computed elsewhere.
    """

    template: str
    log_ratio: float  # log P(masculine) - log P(feminine)
    log_masculine: float | None = None
    log_feminine: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of a parser version for one probe."""

    outcome: Outcome
    items: tuple[Item, ...] = ()
    reason: Reason = Reason.NONE
    detail: str = ""


# --- what it says about gender ------------------------------------------------------------------


class Cue(StrEnum):
    """The words or records from which a gender is read."""

    AGREEMENT = "agreement"  # the first person, never inside a quotation
    QUOTED = "quoted"  # the first person inside a quotation
    PRONOUN = "pronoun"
    TERMS = "terms"
    PEOPLE = "people"  # the recorded gender of the people who are shown
    ENTITY = "entity"  # a person named in the source


class Gender(StrEnum):
    """The grammatical gender of one witness word."""

    MASCULINE = "masculine"
    FEMININE = "feminine"
    BOTH = "both"
    INCLUSIVE = "inclusive"


class GenderClass(StrEnum):
    """The grammatical gender of the first person in one text (methods, section 2)."""

    MASCULINE = "masculine"
    FEMININE = "feminine"
    BOTH = "both"  # cansado/a, or two alternatives offered
    INCLUSIVE = "inclusive"  # forms in -e, @, *
    MIXED = "mixed"  # contradicting cues
    NONE = "none"  # read, and unmarked
    UNIDENTIFIED = "unidentified"  # cannot say


@dataclass(frozen=True, slots=True)
class Witness:
    """The words that decided. `start` and `end` are offsets into the text as it was given."""

    text: str
    start: int
    end: int
    gender: Gender
    rule: str


@dataclass(frozen=True, slots=True)
class Signal:
    """The result of a language version for one text.

    No cue is `Signal(GenderClass.NONE)` with both counts 0; that is not `UNIDENTIFIED`.
    """

    cls: GenderClass
    witnesses: tuple[Witness, ...] = ()
    rule: str = ""

    @property
    def masculine(self) -> int:
        """Number of masculine witnesses."""
        return sum(w.gender is Gender.MASCULINE for w in self.witnesses)

    @property
    def feminine(self) -> int:
        """Number of feminine witnesses."""
        return sum(w.gender is Gender.FEMININE for w in self.witnesses)


@dataclass(frozen=True, slots=True)
class EntityText:
    """A translation, its source, and the person of the source whose gender is read.

    `entity` are words of the source, `index` the place of one of them among the words between
    blanks, from 0; None where the entity stands there once or the first one is meant.
    """

    source: str
    entity: str
    translation: str
    index: int | None = None


# --- what is computed from it -------------------------------------------------------------------


class State(StrEnum):
    """The state of a point; only MEASURED has a value."""

    MEASURED = "measured"
    INSUFFICIENT = "insufficient"
    MISSED = "missed"


class Flag(StrEnum):
    """A caution that a reader of a value must know."""

    EXPLORATORY = "exploratory"  # fewer than 50 usable answers
    SATURATED = "saturated"  # f_m above .95 or below .05: f_s is not interpretable
    INSTRUMENT_SUSPECT = "instrument_suspect"
    NO_CONTROL = "no_control"
    ANSWERS_CHANGED = "answers_changed"  # of another shape than in the runs before


class Direction(StrEnum):
    """The meaning of the sign of a value."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"


class Symmetry(StrEnum):
    """The effect of swapping women and men on a value v."""

    ODD = "odd"  # v becomes -v
    EVEN = "even"  # v stays
    RECIPROCAL = "reciprocal"  # v becomes 1/v
    COMPLEMENT = "complement"  # v becomes 1 - v
    REFLECT = "reflect"  # v becomes low + high - v, as a rank from 1 to 16 does


class QuantityUnit(StrEnum):
    """The unit of a quantity, by which `monitor.text.values` formats its values."""

    SHARE = "share"  # of answers, people or questions: in percent
    DIFFERENCE = "difference"  # of two shares: in points of percent
    LOG_ODDS = "log odds"
    RATIO = "ratio"  # as often
    RANK = "rank"  # of stereotypes, 1 to 16
    CORRELATION = "correlation"
    SCORE = "score"  # a number of its own kind


class MasculineEffect(NamedTuple):
    """The way that one more masculine answer moves a quantity: 1 up, -1 down, 0 not known.

    Told apart by whom a sentence is about, where that is known.
    """

    women: int = 0
    men: int = 0
    unknown: int = 0


NO_KNOWN_EFFECT = MasculineEffect()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """Plain words for a quantity, its unit and its place in reports.

    `label` is its name in plain words, `up` and `down` say what a system does whose value has risen
    or fallen. `explained` says in a sentence what it compares, for those who see it the first time;
    where it is empty the measure says so. `question` is what it answers of a `{system}`; empty: one
    that is made from the label. `rank` is its place among the quantities of a headline, 1 first; 0
    is in none. `parts` are the quantities that it is computed from and is drawn by.
    `masculine_effect` is the way that an answer in the masculine moves it.
    """

    label: str
    unit: QuantityUnit
    up: str
    down: str
    explained: str = ""
    rank: int = 0
    parts: tuple[str, ...] = ()
    question: str = ""
    masculine_effect: MasculineEffect = NO_KNOWN_EFFECT

    def fill(self, **names: str) -> "Meaning":
        """Return the same of a measure of this group, site: `{group}`, `{site}` stand for them."""
        texts = [self.label, self.up, self.down, self.explained]
        for name, value in names.items():
            texts = [words.replace(f"{{{name}}}", value) for words in texts]
        label, up, down, explained = texts
        return replace(self, label=label, up=up, down=down, explained=explained)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number that a measure yields, with what a reader needs to interpret it."""

    name: str
    title: str
    direction: Direction
    symmetry: Symmetry
    neutral: float | None
    low: float
    high: float
    mirror: str = ""  # the quantity it changes places with under the swap; empty = itself
    meaning: Meaning = field(kw_only=True)

    @property
    def is_signed(self) -> bool:
        """Return whether values stand on both sides of 0."""
        return self.low < 0 < self.high


class LabelState(StrEnum):
    """The state of the recorded gender of an entity."""

    LABELLED = "labelled"
    UNRESOLVED = "unresolved"  # absent, ambiguous or without a recorded gender; never guessed
    CONFLICT = "conflict"  # sources disagree: waits for people
    NOT_HUMAN = "not_human"


@dataclass(frozen=True, slots=True)
class Shown:
    """One entity in a ranked list: who, and the group that is recorded.

    `group` is "" unless the state is LABELLED; otherwise women, men, other, or a group of a list of
    one's own.
    """

    entity: str
    state: LabelState
    group: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One entry of a ranked list by its words. `text` is None where nobody could read it.

    An empty text is one that was read and holds nothing.
    """

    key: str  # a document number, or the address of a result
    text: str | None
    sha256: str = field(default="", compare=False)  # of the text, where it is known already


@dataclass(frozen=True, slots=True)
class Overview:
    """The text by a model in one answer: its state, None where there was none, and its sources."""

    state: OverviewState | None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """All that is known of one probe in one run, the unit of resampling.

    `classes` has one entry per planned repeat: the class found, or None without a usable answer.
    `lists` as well, for search engines: the entities of the block in their order (empty where the
    block was not shown), or None without a usable answer. `documents` are the same lists by their
    words, `swapped` those over gender-swapped documents, `query` is what was asked. `overviews` has
    one entry per planned repeat as well.
    """

    key: str
    tags: Mapping[str, str]
    classes: tuple[GenderClass | None, ...]
    scores: tuple[tuple[str, float], ...] = ()  # (template, log ratio), repeats averaged
    lists: tuple[tuple[Shown, ...] | None, ...] = ()
    documents: tuple[tuple[Document, ...] | None, ...] = ()
    swapped: tuple[tuple[Document, ...] | None, ...] = ()
    query: str = ""
    #: Grades by document, where a collection has relevance judgements; None where it has none.
    judgements: Mapping[str, int] | None = None
    #: The documents that are judged relevant, also those that no list holds.
    relevant: tuple[Document, ...] = ()
    overviews: tuple[Overview | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A reference share: a group's share of an occupation in a source, with country and date."""

    key: str
    value: float
    source: str
    country: str
    as_of: str
    n: int | None = None
    word: str = ""  # the source's own word
    group: str = "women"


@dataclass(frozen=True, slots=True)
class Context:
    """Inputs of a measure besides the units. `seed` comes from (series, due_at, signature)."""

    seed: int
    shares: Mapping[str, Share] = field(default_factory=dict)
    draws: int = 2000
    #: Of each topic a share per group; the shares of women above are among them.
    targets: Mapping[str, tuple[Share, ...]] = field(default_factory=dict)
    #: The same probes at the job's scheduled tick before, for changes on a fixed panel.
    before: Sequence[Unit] = ()
    #: What this system is called, and the same list and region in the same run, by the label of
    #: each other system; and theirs at the tick before.
    label: str = ""
    beside: Mapping[str, Sequence[Unit]] = field(default_factory=dict)
    beside_before: Mapping[str, Sequence[Unit]] = field(default_factory=dict)
    #: The word scores that the measure's parameters name; a second one where two are compared.
    lexicons: "tuple[WordScores, ...]" = ()
    #: Only changes over all questions are used: a measure may leave out those of other scopes.
    over_all: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """One value of one quantity in one scope; what becomes a point."""

    name: str
    scope: str  # closed `kind:key`: all, stereotype:3, tag:negation=yes
    state: State
    planned: int
    answered: int
    used: int
    unidentified: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    bound_low: float | None = None  # lowest and highest possible value, whatever is missing
    bound_high: float | None = None
    reason: str = ""
    flags: tuple[Flag, ...] = ()
    facts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TopicValue:
    """Model share against reference share for one topic (occupation)."""

    topic: str
    state: State
    planned: int
    answered: int
    used: int
    unidentified: int
    women: float = 0.0
    men: float = 0.0
    model: float | None = None
    model_low: float | None = None
    model_high: float | None = None
    target: float | None = None
    bias: float | None = None
    bound_low: float | None = None
    bound_high: float | None = None
    source: str = ""
    country: str = ""
    as_of: str = ""
    reason: str = ""
    shown: int = 0  # items of the list within the cut-off
    labelled: int = 0  # of these, with a recorded group
    p: float | None = None  # exact, of this topic alone
    q: float | None = None  # Benjamini-Hochberg over the topics of the point


@dataclass(frozen=True, slots=True)
class QueryValue:
    """One quantity of one query: what a point over queries is made of.

    `documents` of the list within the cut-off, of which `used` had a text that says something.
    `x` is the genderedness of the query itself, where the quantity has one; `influence` how much
    the query moves the point.
    """

    quantity: str
    key: str  # of the list item
    state: State
    value: float | None = None
    bound_low: float | None = None
    bound_high: float | None = None
    x: float | None = None
    influence: float | None = None
    documents: int = 0
    used: int = 0
    missing: int = 0  # no text could be read
    empty: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Validity:
    """Sentences that stand beside a published number."""

    means: str
    does_not_mean: str
    assumes: str
    harm: str  # representational, allocational, quality of service ... and whom it concerns


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a measure for one (list, engine, target, reference) in one run."""

    values: tuple[Value, ...]
    topics: tuple[TopicValue, ...] = ()
    queries: tuple[QueryValue, ...] = ()


# --- protocols ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """One key of an engine's `config` in a job file.

    Every parameter is part of the engine's identity with its value, the default included, unless
    `place` says that it only tells where to ask and cannot change the answer.
    """

    name: str
    meaning: str
    kind: type = str  # str, int, float or bool
    default: "str | int | float | bool | None" = None
    choices: tuple[str, ...] = ()
    required: bool = False
    place: bool = False
    variable: bool = False  # names an environment variable with a key: never repeated in messages
    low: float | None = None
    high: float | None = None


class KeyChoice(NamedTuple):
    """Needs of an engine under one config, where its config decides them."""

    config: str  # as in a job file
    secrets: tuple[str, ...] = ()
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Needs:
    """Requirements and conditions of an engine, for people."""

    secrets: tuple[str, ...] = ()  # environment variables
    key_choices: tuple[KeyChoice, ...] = ()  # one of them is enough; empty: all secrets
    independence: str = ""  # who promises that texts of one request do not influence each other
    price: str = "none"
    limits: str = ""
    notes: str = ""  # what closes, what is cached, what is ignored silently
    browser: bool = False  # pages are opened in Chromium, unless its config says otherwise


class Engine(Protocol):
    """A system under audit. Builds requests and reads answers; does no I/O itself."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def version(self) -> int:
        """Version of `parse`; goes up whenever its results can change."""

    @property
    def kind(self) -> Kind: ...
    @property
    def surface(self) -> str: ...
    @property
    def extra(self) -> str:
        """The optional-dependency group that it needs, or an empty string."""

    @property
    def batch(self) -> int:
        """Probes per request; more than 1 only where one text cannot change another's answer."""

    @property
    def pace(self) -> float:
        """Requests per second to plan with when the job states none."""

    @property
    def in_flight(self) -> int:
        """Requests that may wait for their answers at the same time."""

    @property
    def repeats(self) -> int:
        """Times that a question is put at least, more than 1 where answers are drawn at random."""

    @property
    def price(self) -> float:
        """Price in US dollars per million characters; 0 for what runs here."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The keys of `config`."""

    @property
    def label_by(self) -> str:
        """The parameter that names the system behind the engine, or an empty string."""

    @property
    def needs(self) -> Needs: ...

    def check(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Say in one sentence why this cannot be asked, or return an empty string."""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> Request:
        """The request for probes of one pair of languages; `config` has its defaults filled in."""

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the error in a complete HTTP answer; None for an answer that can be read."""

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest | None:
        """The request for the languages that a service offers; None where it lists none."""

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """The language tags that the answer to that request offers as targets.

        Raises ValueError for an answer of another shape.
        """

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """Return what an answer says of its model, for example ("model_reported", "m-1")."""

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]: ...


class Fetcher(Protocol):
    """The only way out: takes requests, yields each with its answer as they come in."""

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index of the request, answer); never raises for what a service does.

        All requests of one call go to one engine; pauses do not count in the index.
        """


class WordScores(Protocol):
    """A lexicon: the genderedness of words, positive towards women."""

    @property
    def name(self) -> str: ...
    @property
    def digest(self) -> str:
        """SHA-256 of words and scores."""

    @property
    def language(self) -> str:
        """BCP 47 primary subtag of its words."""

    @property
    def low(self) -> float:
        """The lowest score of any word."""

    @property
    def high(self) -> float: ...
    def scores(self, words: Sequence[str]) -> "Floats":
        """(words,) g(w) in [-1, 1]; NaN for a word that it lacks."""


class _Reader(Protocol):
    """Properties of all that find a gender in texts of one language."""

    @property
    def code(self) -> str:
        """BCP 47 primary subtag."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def cues(self) -> frozenset[Cue]: ...
    @property
    def nouns(self) -> bool:
        """Return whether generic nouns for persons ("som vodca", "sou professor") count."""


class Language(_Reader, Protocol):
    """Finds the grammatical gender of the first person in texts of one language."""

    def counting(self, *, nouns: bool) -> "Language":
        """The same language with or without generic nouns. Raises InvalidInput if it cannot."""

    def signal(self, text: str, cue: Cue = Cue.AGREEMENT) -> Signal: ...


class EntityLanguage(_Reader, Protocol):
    """Finds the gender that translations into one language give to a person of the source.

    Its only cue is ENTITY; `nouns` is False, as a choice about the speaker.
    """

    @property
    def decides(self) -> str:
        """What the language's words can tell, in a sentence."""

    def signal(self, text: EntityText) -> Signal: ...


#: What reads a gender in answers of one language.
GenderReader: TypeAlias = Language | EntityLanguage


class Page(Protocol):
    """Reads the result pages of one search engine in all their layouts; does no I/O."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def version(self) -> int: ...
    def sniff(self, body: bytes, url: str = "") -> float:
        """Return the confidence from 0 to 1 that a page is this engine's; 0 is certainly not."""

    def parse(self, body: bytes, url: str = "") -> Reading:
        """All blocks of a page with their ranks, or why there are none.

        OK, EMPTY (the page says that there are no results), BLOCKED and UNREADABLE; the detail of
        a block begins with its kind ("google_sorry"), that of a reading with its layout.
        """


#: Asks somebody outside one question and keeps the answer as evidence. Never raises for what a
#: service does; an answer that is not OK was asked for as often as is of use.
Ask: TypeAlias = Callable[[HttpRequest], Answer]


@dataclass(frozen=True, slots=True)
class Services:
    """Addresses of the public services in which things are looked up."""

    wikidata_api: str = "https://www.wikidata.org/w/api.php"
    wikidata_sparql: str = "https://query.wikidata.org/sparql"


class Origin(StrEnum):
    """The source of the shares of a reference."""

    TABLE = "table"  # ships with the package
    FILE = "file"  # a CSV beside the job file
    OUTSIDE = "outside"  # asked for, and kept with its date
    LISTS = "lists"  # the engine's own full lists


class Reference(Protocol):
    """A source of reference shares."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str:
        """As series and charts name it, with country and year."""

    @property
    def version(self) -> int: ...
    @property
    def as_of(self) -> str: ...
    @property
    def origin(self) -> Origin: ...
    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        """Shares of women for those of `topics` that the source knows."""

    def targets(self, topics: Iterable[str]) -> dict[str, tuple[Share, ...]]:
        """The same with every group; of a share of women, men are the rest."""


class OutsideReference(Reference, Protocol):
    """A source that is asked, `origin` OUTSIDE; what it knows is kept in the database."""

    def look_up(
        self, items: Mapping[str, str], ask: Ask, services: Services
    ) -> dict[str, tuple[Share, ...]]:
        """Shares per group for topics with their Wikidata items; `ask` keeps the evidence."""


class FileReference(Reference, Protocol):
    """Shares in a file of one's own, `origin` FILE: `csv:NAME` is `references/NAME.csv`."""

    def read(self, text: str, name: str) -> Reference:
        """The source that a file describes. Raises InvalidInput naming line and value."""


class ListsReference(Reference, Protocol):
    """Shares that the engine's own full lists show, `origin` LISTS."""

    def observed(self, units: Sequence[Unit], tag: str) -> dict[str, tuple[Share, ...]]:
        """Shares per group of each topic (the units' tag) over all labelled items."""


class Measure(Protocol):
    """The formula of a paper. Instances carry their parameters and are otherwise stateless."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str:
        """Return its name in plain words, without parameters."""

    @property
    def version(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def cues(self) -> frozenset[Cue]:
        """The cues that it makes sense of: it is computed on lists that have no other."""

    @property
    def tag(self) -> str:
        """The tag of list items that groups units: stereotype, occupation."""

    @property
    def resampling(self) -> str:
        """Return the unit of the bootstrap, in words."""

    @property
    def citation(self) -> str: ...
    @property
    def quantities(self) -> tuple[Quantity, ...]: ...
    @property
    def needs_reference(self) -> bool: ...
    @property
    def parameters(self) -> Mapping[str, Json]:
        """Every parameter with its value, defaults included; part of the signature."""

    def configure(self, parameters: Mapping[str, Json]) -> "Measure":
        """A copy with these parameters. Raises InvalidInput naming an unknown or bad one."""

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Sufficient statistics of one probe, repeats averaged; None = nothing to say."""

    def reduce(self, stats: "Matrix", groups: "Ints", weights: "Floats") -> "Floats":
        """Values per group under each row of `weights`: (draws, units) -> (draws, groups)."""

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """All values and topics. Order of units does not matter."""

    @property
    def primaries(self) -> tuple[str, ...]:
        """Quantities whose changes are tested first, over all probes: at most four.

        One of two that are the same number, and none whose change another one holds.
        """

    @property
    def validity(self) -> Validity:
        """Return what its values mean, and what they do not."""

    def paired(
        self, before: Sequence[Unit], after: Sequence[Unit], context: Context
    ) -> tuple[Paired, ...]:
        """The change of each quantity that `derive` yields, on the probes usable in both.

        `before` and `after` hold units of the same questions, told apart by their keys; `context`
        is that of after. A quantity that cannot be compared is INSUFFICIENT with its reason.
        """
