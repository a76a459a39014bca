"""What an audit of the instrument draws from: every translation of a run that has a class."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from monitor.jobs import Audit
from monitor.model import GenderClass, Kind
from monitor.stages import audit_sheet
from monitor.store import audit_answers, lists, runs, signals
from monitor.store.audit_answers import Heard
from monitor.store.audits import Pool, System
from monitor.store.database import Connection
from monitor.store.runs import Run

_Key = tuple[str, str, str]  # target, cue, system; an empty system is all of them together
_ByProbe = Mapping[tuple[int, str], Sequence[Heard]]


class _Gathered:
    """What is drawn from apart, while it is gathered; a question of two lists counts once."""

    def __init__(self, language_id: int) -> None:
        self.language_id = language_id
        self.systems: list[System] = []
        self.ids: dict[int, GenderClass] = {}
        self.left_out: set[int] = set()  # attempts

    def add(self, some: Sequence[Heard]) -> None:
        """Take in the answers to one question."""
        for one in some:
            if one.agreement_id is None:
                self.left_out.add(one.attempt_id)
            else:
                self.ids[one.agreement_id] = one.cls


def frame(
    connection: Connection, audit: Audit, run: Run, seed: str, per_class: int, *, by_system: bool
) -> list[Pool]:
    """What a run has to draw from, with so many of each called class drawn by the seed.

    Of every target language and cue apart, and of every system apart if wanted. Answers count as
    the present versions of parser and language read them.
    """
    found: dict[_Key, _Gathered] = {}
    for system, language_id, list_id, by_probe in _systems(connection, audit, run):
        pair = system.source_lang, system.target
        for item in signals.asked_items(connection, list_id, pair):
            some = by_probe.get((item.probe, item.cue))
            if not some:
                continue
            key = system.target, item.cue, system.name if by_system else ""
            here = found.setdefault(key, _Gathered(language_id))
            if system not in here.systems:
                here.systems.append(system)
            here.add(some)
    return [_pool(key, one, seed, per_class) for key, one in sorted(found.items()) if one.ids]


def _systems(
    connection: Connection, audit: Audit, run: Run
) -> Iterator[tuple[System, int, int, _ByProbe]]:
    """(system, language id, list id, answers by question) of every translator of a job."""
    for use, engine in audit.engines:
        if engine.kind is not Kind.MT:
            continue
        engine_id = runs.engine_id(connection, engine, use)
        parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
        read: dict[int, _ByProbe] = {}
        for target in use.wanted:
            language_id = runs.language_id(connection, audit.job.language(target))
            if language_id not in read:
                versions = parser_id, language_id
                heard = audit_answers.heard(connection, run.id, engine_id, versions)
                read[language_id] = _by_probe(heard)
            for probe_list in audit.lists:
                list_id = lists.published_id(connection, probe_list)
                for source in probe_list.source_langs:
                    if use.asks(source, target):
                        system = System(
                            engine_id, use.label(engine), probe_list.label, source, target,
                            parser_id,
                        )  # fmt: skip
                        yield system, language_id, list_id, read[language_id]


def _by_probe(some: Sequence[Heard]) -> _ByProbe:
    found: dict[tuple[int, str], list[Heard]] = defaultdict(list)
    for one in some:
        found[one.probe_id, one.cue].append(one)
    return found


def _pool(key: _Key, found: _Gathered, seed: str, per_class: int) -> Pool:
    """So many of each called class, drawn at random without putting back."""
    target, cue, system = key
    by_class: dict[GenderClass, list[int]] = {}
    for number, cls in sorted(found.ids.items()):
        by_class.setdefault(cls, []).append(number)
    ordered = {cls: by_class[cls] for cls in GenderClass if cls in by_class}
    return Pool(
        target=target,
        cue=cue,
        system=system,
        systems=found.systems,
        language_id=found.language_id,
        left_out=len(found.left_out),
        frame={cls: len(some) for cls, some in ordered.items()},
        drawn={
            cls: audit_sheet.order(seed, f"draw {'|'.join(key)} {cls}", some)[:per_class]
            for cls, some in ordered.items()
        },
    )
