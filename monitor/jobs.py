"""Job files: one TOML file per audit says what is asked, of whom, when, and what is computed.

In goes a path, out comes a validated `Job`. Every error names the file, the key, the value and
what is allowed.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from monitor import governance, parameters, registry, resources, settings
from monitor.datasets import DATASETS
from monitor.governance import Governance
from monitor.input_files import FaultyFile, parse_toml, read_text, say_first_fault
from monitor.jobs_faults import (
    Faults,
    catch_fault,
    find_place,
    has_lists,
    is_within,
    keep_usable,
    list_left_out_names,
    locate_faults,
    quote_value,
    restore_index,
    translate_faults,
)
from monitor.jobs_tables import (
    Confirm,
    CorpusPeriod,
    Families,
    JobName,
    JobTable,
    Noise,
    Preregistration,
    ReportSchedule,
    Schedule,
    TimeZone,
    require_different,
)
from monitor.lists import VERSION, ListItem, ProbeList, load_list
from monitor.model import (
    DONATED,
    KEPT_SURFACES,
    OWN_SURFACES,
    Context,
    Cue,
    Engine,
    FileReference,
    GenderReader,
    InvalidInput,
    Json,
    Kind,
    Measure,
    MonitorError,
    Origin,
    Probe,
    Quantity,
    Reference,
    Region,
    digest,
)
from monitor.regions import regions_file, say_region
from monitor.settings import real_contact
from monitor.text.near_names import hint, near_names

#: No job file is larger, in bytes.
_LARGEST = 4_000_000
#: Requests a second: one in eleven days, and more than a machine can send.
_LEAST_PACE, _MOST_PACE = 1e-6, 1e6
#: A hundred years.
_MOST_DAYS = 36_500
#: Where the schedule cannot be used: due so seldom that nothing depends on it.
_YEARLY = "0 0 1 1 *"
#: What stands for values that cannot be used while others are checked: they refuse nothing.
_STAND_INS: Mapping[str, Any] = {
    "schedule": {"cron": _YEARLY},
    "schedule.cron": _YEARLY,
    "repeats": 100,
    "corpus": {"jobs": ["another-job"]},
}
#: Tables that jobs of before did not have: a job without one keeps its content hash.
_ADDED = ("invented", "noise", "confirm", "report", "families", "preregistration", "corpus")
#: What says how engines are asked, and so nothing where a job asks none.
_ASKING = ("repeats", "tries", "synchronised", "label_days", "noise", "confirm")
_ASKING_ENGINE = ("pace", "in_flight", "daily_budget", "repeats", "control", "own")


#: An address that services may write to.
Contact = Annotated[str, AfterValidator(real_contact)]


def _require_known(find: Callable[[str], object]) -> Callable[[str], str]:
    """A validator that lets through only names that `find` finds."""

    def check(value: str) -> str:
        try:
            find(value)
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        return value

    return check


EngineName = Annotated[str, AfterValidator(_require_known(registry.engine))]
#: What people read: short, on one line.
Title = Annotated[str, Field(max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]
MeasureName = Annotated[str, AfterValidator(_require_known(registry.measure))]
ReferenceName = Annotated[str, AfterValidator(_require_known(registry.reference))]


class ListUse(JobTable):
    """A probe list, whole or as a stratified random sample of `sample` items.

    `where` keeps the items with these tags only, before a sample is drawn.
    """

    name: str = Field(pattern=rf"^[a-z][a-z0-9-]*@{VERSION}$")
    where: dict[str, str] = Field(default_factory=dict)
    sample: int | None = Field(None, ge=1, le=10**9)
    stratify: str = ""
    seed: int = 0

    def takes_item(self, item: ListItem) -> bool:
        """Return whether an item has the tags that are chosen."""
        return all(item.tags.get(tag) == value for tag, value in self.where.items())


def lane_of(engine: str, identity: Mapping[str, Any]) -> str:
    """The lane of an engine with this identity: its service, or its server with the host."""
    address = identity.get("base_url") or identity.get("url", "")
    host = urlsplit(address).netloc if isinstance(address, str) else ""
    return f"{engine}@{host}" if host else engine


class EngineUse(JobTable):
    """An engine, what it is asked for, its pace (requests a second) and daily budget.

    Translators and models are asked for `targets`, languages; search engines in `regions`, which
    `regions.toml` describes.

    `sources` are the source languages of the lists that it is asked in; empty means all of them.
    `control` marks the pinned local engine whose series shows whether our own instrument stood
    still. `own` says that the server at the configured address is one's own.
    """

    name: EngineName
    targets: Annotated[list[str], AfterValidator(require_different)] = Field(default_factory=list)
    regions: Annotated[list[str], AfterValidator(require_different)] = Field(default_factory=list)
    sources: Annotated[list[str], AfterValidator(require_different)] = Field(default_factory=list)
    pace: float | None = Field(None, ge=_LEAST_PACE, le=_MOST_PACE)
    in_flight: int | None = Field(None, ge=1, le=64)
    daily_budget: int | None = Field(None, ge=1, le=10**9)
    repeats: int | None = Field(None, ge=1, le=100)
    control: bool = False
    own: bool = False
    title: Title = ""
    config: dict[str, Any] = Field(default_factory=dict)

    def fill_config(self, engine: Engine) -> dict[str, Any]:
        """The config with the engine's defaults filled in."""
        return parameters.fill_defaults(engine.parameters, self.config)

    @property
    def identity(self) -> dict[str, Any]:
        """Every parameter that can change the answer, defaults included."""
        return parameters.make_identity(registry.engine(self.name).parameters, self.config)

    @property
    def config_hash(self) -> str:
        """Hash of every parameter that can change the answer."""
        return digest(self.identity)[:16]

    def label(self, engine: Engine) -> str:
        """Return the label in series and reports: engine, system, options that are set."""
        return parameters.label_engine(engine, self.config)

    @property
    def lane(self) -> str:
        """Return the service, or own server, with which it shares pace and suspensions."""
        return lane_of(self.name, self.identity)

    def compute_speed(self, engine: Engine) -> float | None:
        """Requests a second; None where nothing is in the way, as for what runs here."""
        return self.pace or (None if engine.surface in OWN_SURFACES else engine.pace)

    def is_own(self, engine: Engine) -> bool:
        """Return whether requests affect nobody else, so that no governance is needed."""
        return governance.is_own(engine, self.fill_config(engine), own=self.own)

    def count_repeats(self, engine: Engine, job_repeats: int) -> int:
        """Return how often each question is asked in one tick."""
        return self.repeats or max(job_repeats, engine.repeats)

    @property
    def wanted(self) -> list[str]:
        """Target languages or regions, whichever this engine takes."""
        return self.targets or self.regions

    def asks_for(self, source_lang: str, wanted: str) -> bool:
        """Return whether it is asked questions of this language for this target or region."""
        return wanted in self.wanted and (not self.sources or source_lang in self.sources)


class MeasureUse(BaseModel):
    """A measure; every other key of its table is one of its parameters.

    `block` is the part of a search engine's page that is measured. A list of cut-offs gives one
    series for each. `text` says which words count where a measure reads words: those of a result's
    title and snippet, of the page that it leads to, which is then asked for, of the answer of a
    chat model, or of the AI overview. `kind` keeps it to engines of one kind, where a job asks
    several and the measure takes other parameters for each.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    name: MeasureName
    references: list[ReferenceName] = Field(default_factory=list)
    block: Literal["carousel", "organic", "people", "overview_people"] = "carousel"
    text: Literal["snippet", "landing", "answer", "overview"] = "snippet"
    kind: Kind | None = None

    @property
    def parameters(self) -> dict[str, Json]:
        """Return the parameters of the job besides the name and the references."""
        return dict(self.model_extra or {})

    def configure_for(self, kind: Kind | None = None) -> list[Measure]:
        """The measure for engines of a kind with the job's parameters, once for each cut-off."""
        if self.kind and kind not in (None, self.kind):
            return []
        plain = registry.measure(self.name, kind)
        cutoffs = self.parameters.get("cutoff")
        if not isinstance(cutoffs, list):
            return [plain.configure(self.parameters)]
        if not cutoffs or any(cutoff in cutoffs[:n] for n, cutoff in enumerate(cutoffs)):
            raise InvalidInput(f"measures: {self.name}: cutoff = {cutoffs}: name each once")
        return [plain.configure({**self.parameters, "cutoff": cutoff}) for cutoff in cutoffs]


class LanguageUse(JobTable):
    """Options of a target language. `nouns`: count generic nouns for persons ("som vodca")."""

    nouns: bool | None = None


def _check_words(chosen: "MeasureUse", measure: Measure, *, asks: bool) -> None:
    """Raise InvalidInput for what a measure of words cannot know of live results."""
    if not reads_words(measure):
        return
    has_cutoff = isinstance(measure.parameters.get("cutoff"), int)
    if asks and chosen.text == "landing" and not has_cutoff:
        raise InvalidInput(
            f'measures: {chosen.name}: text = "landing" needs a cutoff, because every page that is '
            "measured has to be asked for"
        )
    if measure.parameters.get("background") == "collection":
        raise InvalidInput(
            f'measures: {chosen.name}: background = "collection" is for the library; of an engine '
            "nobody knows the whole collection"
        )
    measure.derive([], Context(0))  # says before anybody is asked what its words cannot be


def _check_references(chosen: "MeasureUse", measure: Measure) -> None:
    """Raise InvalidInput for shares of the people of lists where no question has a topic."""
    if not pools_texts(measure):
        return
    for name in chosen.references:
        if registry.reference(name).origin is Origin.LISTS:
            raise InvalidInput(
                f"measures: {chosen.name}: references: {name!r} are shares of the people in lists "
                "about a topic, and the words of this measure have no lists; take a table, as "
                "us_labour"
            )


def _governance_faults(contact: str, reviews: Iterable[str]) -> Iterator[str]:
    """Yield a fault unless the contact is a real one and the engines under review are known."""
    try:
        real_contact(contact)
    except ValueError as error:
        yield f"governance.contact: {error}"
    for name in reviews:
        yield from catch_fault(registry.engine, name, place=f"governance.reviews.{name}")


def _is_of_measures(fault: str) -> bool:
    """Return whether a fault is one of the measures of a job."""
    return fault.startswith("measures")


def _measure_faults(
    chosen: "MeasureUse", kinds: Iterable[Kind], *, asks: bool, place: str
) -> Iterator[str]:
    """Yield what is wrong with a measure of a job that asks engines of these kinds."""

    def check(kind: Kind) -> None:
        for measure in chosen.configure_for(kind):
            _check_words(chosen, measure, asks=asks)
            if measure.needs_reference != bool(chosen.references):
                raise InvalidInput(
                    f'{chosen.name} needs references; add references = ["us_labour"], or others '
                    "of `monitor references list`"
                    if measure.needs_reference
                    else f"{chosen.name} takes no references; leave them out"
                )
            _check_references(chosen, measure)

    for kind in (kind for kind in kinds if chosen.kind in (None, kind)):
        parameters_known = registry.measure(chosen.name, kind).parameters
        unknown = [name for name in chosen.parameters if name not in parameters_known]
        for name in unknown:
            yield (
                f"{place}.{name}: {chosen.name}: unknown parameter {name!r}; "
                f"{hint(name, parameters_known)}"
            )
        if not unknown:
            yield from catch_fault(check, kind, place=place)


def _use_faults(use: EngineUse, engine: Engine, repeats: int, place: str) -> Iterator[str]:
    """Yield why a job may not use an engine like this."""
    if use.control and engine.surface != "local":
        yield f"{place}.control: control = true is for local ones, not {use.name!r}"
    if use.own and (fault := governance.own_fault(engine, use.config)):
        yield f"{place}.own: {use.name!r}: {fault}"
    if use.count_repeats(engine, repeats) < engine.repeats:
        yield (
            f"{place}.repeats: {use.name!r} answers at random, so each question is put at least "
            f"{engine.repeats} times; set repeats = {engine.repeats} or more"
        )
    takes, other = "targets", "regions"
    if engine.kind is Kind.SEARCH:
        takes, other = other, takes
    if not getattr(use, takes) or getattr(use, other):
        key = other if getattr(use, other) else takes
        yield f"{place}.{key}: {use.name!r} takes {takes}; name at least one, and only those"


class Job(JobTable):
    """One audit."""

    name: JobName
    description: str = Field(min_length=1)
    contact: Contact = ""
    #: All answers are made up, as in an example: pages, their files and reports say so.
    invented: Literal[True] | None = None
    repeats: int = Field(1, ge=1, le=100)
    tries: int = Field(3, ge=1, le=20)
    #: Whether all engines are asked the same question at the same time.
    synchronised: bool = False
    #: Days after which recorded genders of people, and shares by occupation, are looked up anew.
    label_days: int = Field(180, ge=1, le=_MOST_DAYS)
    reference_days: int = Field(92, ge=1, le=_MOST_DAYS)
    #: Why, by whom and by what right engines of others are asked.
    governance: Governance | None = None
    schedule: Schedule
    lists: list[ListUse] = Field(min_length=1)
    engines: list[EngineUse] = Field(min_length=1)
    measures: list[MeasureUse] = Field(min_length=1)
    languages: dict[str, LanguageUse] = Field(default_factory=dict)
    noise: Noise | None = None
    confirm: Confirm | None = None
    report: ReportSchedule | None = None
    families: Families | None = None
    preregistration: Preregistration | None = None
    #: Whose answers are read where the job itself asks nothing.
    corpus: CorpusPeriod | None = None

    @model_serializer(mode="wrap")
    def _as_before(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = plain(self)
        for use in content["engines"]:
            if not use["title"]:  # jobs of before did not have it
                del use["title"]
        return {k: v for k, v in content.items() if v is not None or k not in _ADDED}

    def find_language(self, target: str, cues: Collection[Cue] = ()) -> GenderReader:
        """Return what reads a target by the cues of a list, as the job says.

        Raises InvalidInput.
        """
        use = self.languages.get(target, LanguageUse())
        return registry.gender_reader(target, cues, nouns=use.nouns)

    @model_validator(mode="after")
    def _fits_together(self) -> "Job":
        """Raise Faults with all that does not fit together."""
        if faults := self.find_misfits():
            raise Faults(faults)
        return self

    def find_misfits(self) -> list[str]:
        """Return all that does not fit together."""
        table = self.governance or Governance()
        faults = [
            *catch_fault(self._check_lists_once),
            *_governance_faults(table.contact, table.reviews),
            *self._plugin_faults(),
            *self._recorded_faults(),
            *self._asked_again_faults(),
        ]
        if not any(map(_is_of_measures, faults)):  # what follows asks the measures
            faults += [*catch_fault(self._check_corpus), *self._declaration_faults()]
        return faults

    def _check_lists_once(self) -> None:
        """Two versions of a list would be one series with two values at the same tick."""
        seen: set[str] = set()
        for use in self.lists:
            name = use.name.split("@", 1)[0]
            if name in seen:
                raise InvalidInput(f"lists: {name!r} stands twice; a job asks one version of it")
            seen.add(name)

    def _plugin_faults(self) -> Iterator[str]:
        for index, use in enumerate(self.engines):
            engine = registry.engine(use.name)
            yield from _use_faults(use, engine, self.repeats, f"engines[{index}]")
        for index, measure_use in enumerate(self.measures):
            yield from _measure_faults(
                measure_use, self.kinds, asks=self.corpus is None, place=f"measures[{index}]"
            )
        for name in self.languages:
            if name not in self.targets:
                yield f"languages.{name}: no engine has this target; {hint(name, self.targets)}"
        if self.schedule.catch_up == "all" and any(
            registry.engine(use.name).surface not in KEPT_SURFACES for use in self.engines
        ):
            yield 'schedule.catch_up: "all" is for recorded engines only'

    @property
    def targets(self) -> list[str]:
        """The target languages and regions of its engines, each once."""
        return list(dict.fromkeys(target for use in self.engines for target in use.wanted))

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of its engines."""
        return sorted({registry.engine(use.name).kind for use in self.engines})

    def _check_corpus(self) -> None:
        """A job that reads what others collected says nothing of asking, and pools the texts."""
        if self.corpus is None:
            return
        if self.name in self.corpus.jobs:
            raise InvalidInput(f"corpus.jobs: {self.name!r} is this job, which asks nothing itself")
        settings_given = [name for name in _ASKING if name in self.model_fields_set]
        settings_given += [
            f"engines: {use.name}: {name}"
            for use in self.engines
            for name in _ASKING_ENGINE
            if name in use.model_fields_set
        ]
        if settings_given:
            raise InvalidInput(
                f"{settings_given[0]}: says how engines are asked, and a job with [corpus] asks "
                "none; leave it out"
            )
        for use in self.engines:
            engine = registry.engine(use.name)
            if engine.kind is not Kind.SEARCH or engine.surface in OWN_SURFACES:
                raise InvalidInput(
                    f"engines: {use.name!r}: a corpus is read from the results of live search "
                    "engines"
                )
        for measure_use in self.measures:
            if not all(pools_texts(measure) for measure in measure_use.configure_for(Kind.SEARCH)):
                pooling = [m.name for m in registry.discover("measures").values() if pools_texts(m)]
                raise InvalidInput(
                    f"measures: {measure_use.name}: measures lists of results; over the texts of a "
                    f"period go: {', '.join(sorted(pooling))}"
                )
            if measure_use.text not in ("snippet", "landing"):
                raise InvalidInput(
                    f"measures: {measure_use.name}: text = {measure_use.text!r}: a corpus "
                    'holds texts of results; take "snippet" or "landing"'
                )

    @property
    def foreign(self) -> list[Engine]:
        """The engines that are not one's own and are asked, each once."""
        if self.corpus:
            return []
        used = [(use, registry.engine(use.name)) for use in self.engines]
        return list({e.name: e for use, e in used if not use.is_own(e)}.values())

    @property
    def is_donated(self) -> bool:
        """Return whether its answers are pages that donors gave."""
        return all(registry.engine(use.name).surface == DONATED for use in self.engines)

    @property
    def is_recorded(self) -> bool:
        """Return whether its answers were collected before: ticks are the dates of its files."""
        surfaces = [registry.engine(use.name).surface for use in self.engines]
        return bool(surfaces) and all(surface in KEPT_SURFACES for surface in surfaces)

    def _recorded_faults(self) -> Iterator[str]:
        recorded = [registry.engine(use.name).surface in KEPT_SURFACES for use in self.engines]
        if not any(recorded):
            return
        if not all(recorded):
            yield (
                "engines: recorded and live ones do not share a job, because they are due at "
                "different times; make two jobs on the same list"
            )
            return
        surfaces = {registry.engine(use.name).surface for use in self.engines}
        if DONATED in surfaces and len(surfaces) > 1:
            yield (
                "engines: donated pages and recordings do not share a job, because their ticks are "
                "weeks and days; make two jobs on the same list"
            )
        if self.schedule.catch_up != "all":
            yield 'schedule.catch_up: set it to "all", because every date of a recording is a run'
        if any(measure_use.text == "landing" for measure_use in self.measures):
            yield (
                'measures: text = "landing" is for live engines: pages that old results lead to '
                "have changed since"
            )
        if self.repeats > 1:
            yield "repeats: a recording holds each answer once; leave it out"

    @property
    def quantities(self) -> dict[str, Quantity]:
        """Return the quantities of its measures for its engines, by name."""
        return {
            quantity.name: quantity
            for measure_use in self.measures
            for kind in self.kinds
            for measure in measure_use.configure_for(kind)
            if measure.kind is kind
            for quantity in measure.quantities
        }

    @property
    def declared(self) -> tuple[str, ...]:
        """The quantities that are tested first as the job says; empty: as its measures say."""
        table = self.preregistration or self.families
        return tuple(table.primaries) if table else ()

    def _asked_again_faults(self) -> Iterator[str]:
        """Yield why reruns are not possible, or not in time."""
        for table in ("noise", "confirm"):
            if getattr(self, table) and self.is_recorded:
                yield f"{table}: recorded answers cannot be asked for again; leave it out"
        if self.confirm and self.confirm.after >= self.confirm.within:
            yield (
                f"confirm.after_hours: after_hours = {self.confirm.after_hours:g} must be less "
                f"than within_hours = {self.confirm.within_hours:g}"
            )
        longest = self.schedule.longest_wait if self.noise else None
        if self.noise and longest is not None and self.noise.after >= longest:
            hours = longest.total_seconds() / 3600
            yield (
                f"noise.after_hours = {self.noise.after_hours:g}: the job is due every {hours:g} "
                "hours, so that questions are asked again before that; choose fewer hours"
            )

    def _declaration_faults(self) -> Iterator[str]:
        """Yield a fault for each declared quantity, target or smallest effect that cannot be."""
        if self.families:
            yield from self._primary_faults("families", self.families.primaries)
        table = self.preregistration
        if table is None:
            return
        yield from self._primary_faults("preregistration", table.primaries)
        if self.families and self.families.primaries != table.primaries:
            yield (
                f"preregistration.primaries = {table.primaries}: families.primaries says "
                f"{self.families.primaries}; what is declared is what is tested first, so leave "
                "one of them out"
            )
        for target in table.targets:
            if target not in self.targets:
                yield (
                    f"preregistration.targets: {quote_value(target)}: no engine has it; "
                    f"{hint(target, self.targets)}"
                )
        yield from self._effect_faults(table)

    def _primary_faults(self, table: str, names: Sequence[str]) -> Iterator[str]:
        quantities_known = self.quantities
        titles = {name: quantity.title for name, quantity in quantities_known.items()}
        for name in names:
            if name not in quantities_known:
                yield (
                    f"{table}.primaries: unknown quantity {quote_value(name)}; "
                    f"{hint(name, sorted(quantities_known), titles)}"
                )

    def _effect_faults(self, table: Preregistration) -> Iterator[str]:
        """Yield a fault unless there is a smallest effect of each primary that can occur."""
        key = "preregistration.smallest_effect"
        for name in table.smallest_effect:
            if name not in table.primaries:
                near = hint(name, table.primaries)
                yield f"{key}: {quote_value(name)} is not among the primaries; {near}"
        quantities_known = self.quantities
        for name in table.primaries:
            if name not in table.smallest_effect:
                yield f"{key}: lacks {name}: the smallest change that matters"
                continue
            if name not in quantities_known:
                continue
            widest = quantities_known[name].high - quantities_known[name].low
            if table.smallest_effect[name] > widest:
                yield (
                    f"{key}.{name} = {table.smallest_effect[name]:g}: it cannot change by more "
                    f"than {widest:g}"
                )

    @property
    def content_hash(self) -> str:
        """Hash of the validated content; comments and spelling of the file do not matter."""
        return digest(self.model_dump(mode="json"))


def lacking_governance(job: Job) -> list[str]:
    """Return what a job must declare before it asks engines of others, with the remedies."""
    foreign = job.foreign
    if not foreign:
        return []
    table = job.governance or Governance()
    return table.find_lacking(foreign, job.contact or settings.load().contact)


def old_reviews(job: Job, today: date) -> list[str]:
    """A sentence for each engine of others whose terms were read long ago."""
    return job.governance.old_reviews(job.foreign, today) if job.governance else []


def load_job(path: Path) -> Job:
    """Read and validate one job file. Raises InvalidInput."""
    if path.is_dir():
        raise InvalidInput(f"{path}: is a folder; name a job file, such as jobs/demo.toml")
    if path.exists():
        _check_file(path)
    try:
        return job_of(path.read_bytes(), path)
    except FileNotFoundError:
        files = [
            str(job_file)
            for job_file in sorted({*path.parent.glob("*.toml"), *Path("jobs").glob("*.toml")})
        ]
        near = near_names(str(path), files, {job_file: Path(job_file).stem for job_file in files})
        hinted = f"; did you mean {near[0]}?" if near else ""
        hinted = hinted or "; name one, such as jobs/demo.toml, which `monitor init` brings"
        raise InvalidInput(f"{path}: no such job file{hinted}") from None
    except PermissionError as error:
        raise InvalidInput(f"{path}: cannot be read as a job file: {error.strerror}") from error


def _check_file(path: Path) -> None:
    """Raise InvalidInput for what would be read for ever, or fill the memory."""
    if not path.is_file():
        raise InvalidInput(f"{path}: cannot be read as a job file: it is no regular file")
    if path.stat().st_size > _LARGEST:
        raise InvalidInput(
            f"{path}: cannot be read as a job file: it has {path.stat().st_size:,} bytes, more "
            f"than {_LARGEST:,}"
        )


def job_of(content: bytes, path: Path) -> Job:
    """The job that stands in the content of a file. Raises InvalidInput, naming the path."""
    values = parse_toml(content, str(path))
    try:
        return Job.model_validate(values)
    except ValidationError as error:
        faults = translate_faults(error, Job, values)
        faults += _find_further_faults(values, faults, path.parent)
        raise _faulty(path, faults, content) from error
    except Faults as error:
        faults = [*error.faults, *_find_further_faults(values, error.faults, path.parent)]
        raise _faulty(path, faults, content) from error
    except MonitorError as error:
        raise InvalidInput(f"{path}: {error}") from error


def _faulty(path: Path, faults: Iterable[str], content: bytes) -> FaultyFile:
    return FaultyFile(path, locate_faults(faults, content.decode("utf-8-sig")))


class _UsableJob(Job):
    """The usable part of a job file: every array may be empty, and nothing need fit together.

    Where tables are left out, names that those might know are no fault.
    """

    name: JobName = "job"
    description: str = ""
    schedule: Schedule = Field(default_factory=lambda: Schedule(cron=_YEARLY, jitter=0))
    lists: list[ListUse] = Field(default_factory=list)
    engines: list[EngineUse] = Field(default_factory=list)
    measures: list[MeasureUse] = Field(default_factory=list)
    _is_whole: bool = PrivateAttr(default=True)
    _left_out_targets: tuple[str, ...] = PrivateAttr(default=())

    @model_validator(mode="after")
    def _fits_together(self) -> "_UsableJob":
        return self

    def note_left_out(self, values: Mapping[str, Any], kept: Mapping[str, list[int]]) -> None:
        """Note which tables of the file are left out, and the targets that they name."""
        self._is_whole = all(
            isinstance(values.get(array), list) and len(values[array]) == len(kept[array]) > 0
            for array in ("lists", "engines", "measures")
        )
        entries = values.get("engines")
        self._left_out_targets = tuple(name for _, _, name in list_left_out_names(entries, kept))
        if not isinstance(entries, list) or not all(map(has_lists, entries)):
            declared = self.preregistration.targets if self.preregistration else []
            self._left_out_targets += (*self.languages, *declared)  # one may be meant there

    @property
    def is_whole(self) -> bool:
        """Return whether no list, engine or measure is left out."""
        return self._is_whole

    @property
    def targets(self) -> list[str]:
        """The targets of all engines of the file."""
        return [*super().targets, *self._left_out_targets]

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The quantities of its measures; all that there are where these are not known."""
        if self._is_whole:
            with suppress(InvalidInput):
                return super().quantities
        measures = registry.discover("measures").values()
        return {quantity.name: quantity for measure in measures for quantity in measure.quantities}

    def find_misfits(self) -> list[str]:
        """Return all that does not fit together, declarations beside faults of measures too."""
        return list(dict.fromkeys([*super().find_misfits(), *self._declaration_faults()]))


def _find_further_faults(
    values: Mapping[str, Any], known_faults: Sequence[str], folder: Path
) -> Iterator[str]:
    """Yield what else is wrong with a file that is no job, so that all its faults are said at once.

    What follows from a known fault is left out.
    """
    job, kept = keep_usable(values, _UsableJob, _STAND_INS)
    job.note_left_out(values, kept)
    misfits = job.find_misfits()
    asks_measures = job.is_whole and not any(map(_is_of_measures, misfits))
    _, part_faults = _load_parts(job, folder, check_measures=asks_measures)
    at_fault = [find_place(fault) for fault in known_faults]
    for fault in (*misfits, *part_faults):
        located = restore_index(fault, kept)
        if not any(is_within(find_place(located), place) for place in at_fault):
            yield located
    for index, key, name in list_left_out_names(values.get("engines"), kept):
        place = f"engines[{index}].{key}"
        if key == "targets":
            yield from catch_fault(registry.known_language, name, place=place)
        else:
            yield from catch_fault(find_regions, folder, [name], place=place)
    table = values.get("governance")
    reviews = table.get("reviews") if isinstance(table, dict) else None
    yield from _governance_faults("", reviews if isinstance(reviews, dict) else ())


def find_list(label: str, folder: Path) -> Path:
    """`NAME@VERSION.csv` in the job's folder `lists/`, else among the shipped lists."""
    own_file = folder / "lists" / f"{label}.csv"
    return (
        own_file if own_file.exists() else resources.find_folder("jobs") / "lists" / f"{label}.csv"
    )


def _list_of(use: ListUse, folder: Path) -> ProbeList:
    """Return the list that a job uses. Raises InvalidInput, naming near ones."""
    path = find_list(use.name, folder)
    if not path.exists():
        remedy = say_fetch(use.name) or hint(use.name, known_lists(folder))
        raise InvalidInput(f"no list {use.name!r}; {remedy}")
    return load_list(path)


def say_fetch(label: str) -> str:
    """Return how the list of a published data set is fetched; "" for any other list."""
    name = label.partition("@")[0]
    return f"fetch it with: monitor lists fetch {name}" if name in DATASETS else ""


def find_unfetched(path: Path) -> list[str]:
    """Return the lists of a job that have to be fetched first. Raises InvalidInput."""
    return [
        use.name
        for use in load_job(path).lists
        if say_fetch(use.name) and not find_list(use.name, path.parent).exists()
    ]


def known_lists(folder: Path) -> list[str]:
    """Return the labels of the lists in the job's folder and of the shipped ones."""
    folders = (folder / "lists", resources.find_folder("jobs") / "lists")
    return sorted({path.stem for folder in folders for path in folder.glob("*@*.csv")})


def _load_lists(
    job: Job, folder: Path, *, check_measures: bool
) -> tuple[tuple[ProbeList, ...], list[str]]:
    """Return the job's probe lists, and faults of them with its engines and measures."""
    lists: dict[int, ProbeList] = {}
    faults: list[str] = []
    for index, use in enumerate(job.lists):
        try:
            lists[index] = _list_of(use, folder)
        except InvalidInput as error:
            faults.append(f"lists[{index}].name: {error}")
    for index, probe_list in lists.items():
        faults += _tag_faults(job.lists[index], probe_list, f"lists[{index}]")
        for number, engine_use in enumerate(job.engines):
            engine_place = f"engines[{number}]"
            faults += _pair_faults(job, engine_use, probe_list, engine_place)
    if check_measures and len(lists) == len(job.lists):
        probe_lists = tuple(lists.values())
        for index, measure_use in enumerate(job.measures):
            faults += catch_fault(
                _check_measure, job, measure_use, probe_lists, place=f"measures[{index}]"
            )
    return tuple(lists.values()), faults


def _tag_faults(use: ListUse, probe_list: ProbeList, place: str) -> Iterator[str]:
    """Yield a fault unless the chosen tags are there and leave something to ask."""
    tags, label = probe_list.items[0].tags, use.name
    if use.stratify and use.stratify not in tags:
        near = hint(use.stratify, tags)
        yield f"{place}.stratify: {label}: stratify = {use.stratify!r} is no tag; {near}"
    wrong = False
    for tag, value in use.where.items():
        values = {item.tags.get(tag) for item in probe_list.items}
        if value in values:
            continue
        wrong = True
        near = hint(value, sorted(str(tag_value) for tag_value in values if tag_value is not None))
        if tag not in tags:
            near = f"{tag!r} is no tag; {hint(tag, tags)}"
        yield f"{place}.where: {label}: where: no item has {tag} = {value!r}; {near}"
    if not wrong and not any(use.takes_item(item) for item in probe_list.items):
        yield f"{place}.where: {label}: where: no item has all of these tags"


def _check_measure(job: Job, chosen: MeasureUse, lists: Sequence[ProbeList]) -> None:
    """Raise InvalidInput unless a measure has an engine of its kind, and a list that it fits."""
    offered = [
        configured_measure
        for kind in job.kinds
        for configured_measure in chosen.configure_for(kind)
    ]
    apt = [measure for measure in offered if measure.kind in job.kinds]
    if not apt:
        kind = offered[0].kind if offered else chosen.kind
        raise InvalidInput(
            f"measure {chosen.name!r} is for engines of kind {kind}; the job has none"
        )
    if not any(is_applicable(measure, probe_list) for measure in apt for probe_list in lists):
        cues = " or ".join(sorted({cue for measure in apt for cue in measure.cues}))
        tag = repr(apt[0].tag) if apt[0].tag else " or ".join(map(repr, sorted(NEUTRAL_TAGS)))
        raise InvalidInput(
            f"measure {chosen.name!r} needs a list with the tag {tag} and the cue {cues}"
        )


#: Tags of lists that say which questions are about women or men by themselves.
NEUTRAL_TAGS = frozenset({"gender_neutral", "gendered"})


def reads_words(measure: Measure) -> bool:
    """Return whether a measure of search engines reads words of results, not who is shown."""
    is_of_words = measure.kind is Kind.SEARCH and Cue.TERMS in measure.cues
    return is_of_words and not reads_overviews(measure)


def reads_overviews(measure: Measure) -> bool:
    """Return whether a measure of search engines reads texts by a model, and what they cite."""
    return bool(getattr(measure, "reads_overviews", False))


def pools_texts(measure: Measure) -> bool:
    """Return whether a measure takes all texts together, whatever list they stand in."""
    return reads_words(measure) and getattr(measure, "of_corpus", False)


def is_applicable(measure: Measure, probe_list: ProbeList) -> bool:
    """Return whether a measure makes sense on a list: by its tag and its cues.

    Fairness by group terms needs a list that says which questions have a gender by themselves.
    """
    tags = probe_list.items[0].tags
    tagged = not measure.tag or measure.tag in tags
    neutral = not getattr(measure, "neutral_queries", False) or not NEUTRAL_TAGS.isdisjoint(tags)
    return tagged and neutral and measure.cues >= set(probe_list.cues)


def _config_faults(use: EngineUse, place: str) -> Iterator[str]:
    engine = registry.engine(use.name)
    for key, words in parameters.find_faults(engine.parameters, use.config):
        yield f"{place}.config.{key}: engine {use.name!r}: {words}"


def _pair_faults(job: Job, use: EngineUse, probe_list: ProbeList, place: str) -> Iterator[str]:
    """Yield why an engine cannot be asked a pair of languages, or its answers not be read."""
    engine = registry.engine(use.name)
    wrong_keys = {key for key, _ in parameters.find_faults(engine.parameters, use.config)}
    config = {key: value for key, value in use.config.items() if key not in wrong_keys}
    lacks_key = parameters.find_fault(engine.parameters, config)
    pairs = [
        (source, target)
        for source in probe_list.source_langs
        for target in use.wanted
        if use.asks_for(source, target)
    ]
    for source, target in pairs:
        trouble = "" if lacks_key else engine.check(source, target, config)
        if trouble:
            yield f"{place}: engine {use.name!r}: {trouble}"
        elif engine.kind is Kind.MT:
            yield from catch_fault(_check_cues, job, target, probe_list, place=f"{place}.targets")


def _check_cues(job: Job, target: str, probe_list: ProbeList) -> None:
    """Raise InvalidInput unless answers in a language can be read as a list needs."""
    language = job.find_language(target, probe_list.cues)
    for cue in probe_list.cues:
        if cue not in language.cues:
            raise InvalidInput(
                f"list {probe_list.label}: its cue {cue.value!r} cannot be read in "
                f"{language.name}; leave its source languages out of `sources`, or the target"
            )


def as_configured(engine: Engine, config: Mapping[str, Json]) -> Engine:
    """The engine that reads answers as its config says, where its reading depends on it."""
    configure = getattr(engine, "configured", None)
    return cast("Engine", configure(config)) if configure else engine


@dataclass(frozen=True, slots=True)
class Audit:
    """A loaded job with its lists, the engines it asks, their regions, and the references."""

    path: Path
    job: Job
    lists: tuple[ProbeList, ...]
    regions: Mapping[str, Region] = field(default_factory=dict)
    references: Mapping[str, Reference] = field(default_factory=dict)
    #: Topics of test collections: two of the same words are two questions, told apart by their ids.
    by_key: bool = False
    #: The stored files that it was read from; None where it was read from a folder.
    bundle_id: int | None = None

    def make_probe(self, item: ListItem, wanted: str) -> Probe:
        """The question of an item for a target language, or in a region."""
        region = self.regions.get(wanted)
        if region is None:
            topic_pairs = (("topic", item.key),) if self.by_key else ()
            return Probe(item.text, item.source_lang, wanted, parameters=topic_pairs)
        return Probe(item.text, item.source_lang, "", region.name, region.parameters)

    def languages(self, target: str) -> list[GenderReader]:
        """Return what reads answers in a target, by the cues of all lists."""
        readers = [self.job.find_language(target, probe_list.cues) for probe_list in self.lists]
        return list({registry.folder_of(reader): reader for reader in readers}.values())

    @property
    def engines(self) -> Iterator[tuple[EngineUse, Engine]]:
        """Each use of an engine with its plug-in."""
        for use in self.job.engines:
            engine = registry.engine(use.name)
            yield use, as_configured(engine, use.fill_config(engine))


_FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


def _load_references(job: Job, folder: Path) -> tuple[dict[str, Reference], list[str]]:
    """Return the job's references by the name it uses, files read, and faults of them."""
    references_by_name: dict[str, Reference] = {}
    faults: list[str] = []
    for index, measure_use in enumerate(job.measures):
        for name in measure_use.references:
            try:
                references_by_name[name] = _load_reference(name, folder)
            except InvalidInput as error:
                faults.append(f"measures[{index}].references: {error}")
    return references_by_name, faults


def _load_reference(name: str, folder: Path) -> Reference:
    """Return a reference, its file read if it has one. Raises InvalidInput."""
    source, file = registry.reference(name), name.partition(":")[2]
    if not file:
        return source
    path = folder / "references" / f"{file}.csv"
    if not _FILE_NAME.fullmatch(file) or not path.is_file():
        raise InvalidInput(f"reference {name!r}: no file {path}")
    text = read_text(path)
    try:
        return cast("FileReference", source).read(text, name)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


#: What a job file is called in the bundle of its files.
BUNDLED = "job.toml"


def files_of(audit: Audit) -> dict[str, bytes]:
    """All that a job is read from, as {path beside the job file: content}; see `BUNDLED`.

    Recordings and models are not in it. Raises OSError.
    """
    folder = audit.path.parent
    files_by_name = {BUNDLED: audit.path.read_bytes()}
    for use in audit.job.lists:
        for path in (csv := find_list(use.name, folder), csv.with_suffix(".toml")):
            files_by_name[f"lists/{path.name}"] = path.read_bytes()
    if audit.regions:
        files_by_name["regions.toml"] = regions_file(folder).read_bytes()
    for name in audit.references:
        if file := name.partition(":")[2]:
            files_by_name[f"references/{file}.csv"] = (
                folder / "references" / f"{file}.csv"
            ).read_bytes()
    return files_by_name


def load_audit(path: Path) -> Audit:
    """Read a job and its lists. Raises InvalidInput."""
    job = load_job(path)
    parts, faults = _load_parts(job, path.parent)
    if faults:
        raise _faulty(path, faults, path.read_bytes())
    return Audit(path, job, **parts)


def _load_parts(
    job: Job, folder: Path, *, check_measures: bool = True
) -> tuple[dict[str, Any], list[str]]:
    """Return {field of Audit: what a job names}, and what is wrong with all that it names."""
    regions, region_faults = _load_regions(job, folder)
    references, reference_faults = _load_references(job, folder)
    lists, list_faults = _load_lists(job, folder, check_measures=check_measures)
    config_faults = [
        fault
        for index, use in enumerate(job.engines)
        for fault in _config_faults(use, f"engines[{index}]")
    ]
    parts: dict[str, Any] = {"regions": regions, "references": references, "lists": lists}
    return parts, [*region_faults, *reference_faults, *config_faults, *list_faults]


def _load_regions(job: Job, folder: Path) -> tuple[dict[str, Region], list[str]]:
    """Return the regions that the job's engines are asked in, and faults of them."""
    names = {name for use in job.engines for name in use.regions}
    faults = [
        fault
        for index, use in enumerate(job.engines)
        for name in use.regions
        for fault in catch_fault(find_regions, folder, [name], place=f"engines[{index}].regions")
    ]
    return find_regions(folder, names) if names and not faults else {}, faults


class _RegionTable(JobTable):
    country: str = Field(pattern=r"^[A-Z]{2}$")
    language: str = Field(pattern=r"^[a-z]{2,3}$")
    locale: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    timezone: TimeZone
    accept_language: str = Field(pattern=r"^[A-Za-z0-9*;=., -]{2,100}$")
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    width: int = Field(1366, ge=320, le=4096)
    height: int = Field(900, ge=320, le=4096)
    place: str = Field("", max_length=200)


_REGION_NAME = re.compile(r"[a-z][a-z0-9-]*")


def find_regions(folder: Path, wanted: Iterable[str]) -> dict[str, Region]:
    """The regions of these names. Raises InvalidInput, naming the file, the name and the key."""
    path = regions_file(folder)
    try:
        tables = parse_toml(path.read_bytes(), str(path))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read as regions: {error}") from error
    regions = {}
    for name in sorted(wanted):
        if name not in tables or not _REGION_NAME.fullmatch(name):
            raise InvalidInput(f"region {name!r} is not in {path}; {hint(name, sorted(tables))}")
        try:
            table = _RegionTable.model_validate(tables[name])
        except ValidationError as error:
            raise InvalidInput(f"{path}: [{name}] {say_first_fault(error)}") from error
        said, declared = say_region(name), f"{table.country.lower()}-{table.language}"
        if said != f"region {name}" and name != declared:
            raise InvalidInput(
                f"{path}: [{name}] declares country {table.country} and language "
                f"{table.language}, but reports call it {said!r} by its name; choose another name"
            )
        regions[name] = Region(name=name, **table.model_dump())
    return regions
