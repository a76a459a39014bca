"""From what is known of each probe to values: signature, seed and digest of the inputs. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from monitor.lists import ProbeList
from monitor.model import (
    Context,
    Engine,
    Flag,
    Json,
    Language,
    Measure,
    Reference,
    Result,
    Unit,
    canonical_json,
    digest,
)

_SEED_DIGITS = 15  # 60 bits


@dataclass(frozen=True, slots=True)
class Instrument:
    """All that turns answers into a value: its parts are the signature."""

    measure: Measure
    engine: Engine
    language: Language | None  # None: the answers are scores
    probe_list: ProbeList
    reference: Reference | None = None

    @property
    def name(self) -> str:
        """Canonical name with the parameters that differ from the defaults."""
        defaults = type(self.measure)().parameters
        chosen = {k: v for k, v in self.measure.parameters.items() if defaults[k] != v}
        inside = ",".join(f"{key}={_plain(value)}" for key, value in sorted(chosen.items()))
        return f"{self.measure.name}({inside})" if inside else self.measure.name

    @property
    def signature(self) -> dict[str, Json]:
        """Versions of everything of ours that decides the value."""
        heard: dict[str, Json] = {}
        if self.language:
            heard = {
                "language": self.language.code,
                "language_version": self.language.version,
                "nouns": self.language.nouns,
                "cue": "+".join(sorted(self.probe_list.cues)),
            }
        return {
            "measure": self.measure.name,
            "measure_version": self.measure.version,
            "parameters": dict(self.measure.parameters),
            "parser": self.engine.name,
            "parser_version": self.engine.version,
            **heard,
            "list": self.probe_list.label,
            "reference": f"{self.reference.name}@{self.reference.as_of}" if self.reference else "",
            "reference_version": self.reference.version if self.reference else 0,
        }


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def measure(
    instrument: Instrument,
    units: Sequence[Unit],
    series: str,
    due_at: str,
    flags: tuple[Flag, ...] = (),
) -> tuple[Result, str]:
    """(values, digest of the inputs). The seed is a hash of series, due tick and signature.

    `flags` are set on every value, beside the measure's own.
    """
    shares = {}
    if instrument.reference:
        topics = sorted({unit.tags[instrument.measure.tag] for unit in units})
        shares = instrument.reference.shares(topics)
    seed = int(digest([series, due_at, instrument.signature])[:_SEED_DIGITS], 16)
    result = instrument.measure.derive(units, Context(seed=seed, shares=shares))
    inputs = sorted(
        [unit.key, dict(unit.tags), list(unit.classes), *([unit.scores] if unit.scores else [])]
        for unit in units
    )
    known = [[k, s.value, s.source, s.as_of] for k, s in sorted(shares.items())]
    if flags:
        values = tuple(replace(value, flags=(*value.flags, *flags)) for value in result.values)
        result = replace(result, values=values)
    return result, digest([inputs, known, *([flags] if flags else [])])
