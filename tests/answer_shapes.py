"""Compute `monitor/data/answer_shapes.toml`: `python -m tests.answer_shapes`."""

import json
from dataclasses import replace
from pathlib import Path

from monitor import parameters, registry
from monitor.jobs import as_configured
from monitor.model import Answer, Kind, Outcome, Probe
from monitor.stages.collect.answer_shapes import find_shape, walk_parts
from tests.engines import searching, services

FILE = Path(__file__).parent.parent / "monitor" / "data" / "answer_shapes.toml"


def recorded(engine):
    """(answer, probes, engine as configured) of each recorded answer that can be used."""
    for path in sorted((services.RECORDINGS / engine.name).glob("*.json")):
        if path.name.endswith(".expected.json"):
            continue
        beside = path.with_name(f"{path.stem}.expected.json")
        if beside.exists():
            kept = json.loads(beside.read_text("utf-8"))
            pair = kept["source_lang"], kept["target_lang"]
            answer = Answer(Outcome.OK, services.AT, 0.1, body=path.read_bytes())
            yield answer, [Probe(text, *pair) for text in kept["probes"]], engine
            continue
        kind = searching if engine.kind is Kind.SEARCH else services
        answer, _, kept = kind.recording(engine, path.stem)
        config = parameters.fill_defaults(engine.parameters, kept["config"])
        if engine.kind is Kind.SEARCH:
            region = tuple(sorted(kept["region"]["parameters"].items()))
            name = kept["region"]["name"]
            probes = [
                Probe(q, kept["source_lang"], region=name, parameters=region)
                for q in kept["probes"]
            ]
        else:
            probes = [Probe(q, kept["source_lang"], kept["target_lang"]) for q in kept["probes"]]
        yield answer, probes, as_configured(engine, config)


def without(body, path):
    """The body of an answer without every key at a path."""
    content = json.loads(body)
    for found, container in list(walk_parts(content)):
        if found == path:
            container.pop(path.rpartition(".")[2], None)
    return json.dumps(content).encode()


def shape_of(engine):
    """The known and the needed parts of an engine's recorded answers."""
    known, needed = set(), None
    for answer, probes, reader in recorded(engine):
        readings = reader.parse(answer, probes)
        shape = find_shape(answer.body, readings)
        known |= shape
        if answer.outcome is not Outcome.OK or all(r.outcome is not Outcome.OK for r in readings):
            continue
        outcomes = [reading.outcome for reading in readings]
        changed = set()
        for path in (path for path in shape if not path.startswith("block ")):
            less = replace(answer, body=without(answer.body, path))
            if [reading.outcome for reading in reader.parse(less, probes)] != outcomes:
                changed.add(path)
        blocks = {path for path in shape if path in ("block translation", "block organic")}
        needed = (changed | blocks) if needed is None else needed & (changed | blocks)
    return {"known": sorted(known), "needed": sorted(needed or ())}


def current():
    """{engine: shape}."""
    return {name: shape_of(engine) for name, engine in registry.discover("engines").items()}


def written():
    """The content of the file."""
    lines = ["# Written by: python -m tests.answer_shapes"]
    for name, shape in current().items():
        lines += ["", f"[{name}]"]
        for key, parts in shape.items():
            lines += [
                f"{key} = [",
                *(f"    {json.dumps(part, ensure_ascii=False)}," for part in parts),
                "]",
            ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
