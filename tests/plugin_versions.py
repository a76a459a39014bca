"""Keeps what every plug-in, table, statistic and probe list was when its version was given.

`plugin_versions.toml` holds {folder.name: version and fingerprint}. The tests compare: content
that changed under the same version would change results without anybody seeing it. Run
`python tests/plugin_versions.py` to write the file anew, after raising `version` where results
can change. A published probe list never changes: make the next version.
"""

import hashlib
import sys
import tomllib
from pathlib import Path

FILE = Path(__file__).parent / "plugin_versions.toml"
PLUGINS = ("engines", "entities", "languages", "measures", "pages", "references")


def current():
    """{folder.name: {version, fingerprint}} of everything that decides results."""
    from monitor import labels, registry
    from monitor.lists import load_list
    from monitor.resources import find_folder

    found = {}
    for folder in PLUGINS:
        for name, plugin in registry.discover(folder).items():
            found[f"{folder}.{name}"] = {
                "version": plugin.version,
                "fingerprint": registry.compute_fingerprint(folder, name),
            }
    package = Path(registry.__file__).parent
    files = sorted([*package.glob("labels/*.py"), *package.glob("wikidata/*.py")])
    body = b"".join(p.name.encode() + b"\0" + p.read_bytes() for p in files)
    found["labels"] = {
        "version": labels.VERSION,
        "fingerprint": hashlib.sha256(body).hexdigest(),
    }
    for path in sorted([*package.glob("data/*.csv"), *package.glob("stats/[!_]*.py")]):
        content = path.read_bytes()
        key = f"{path.parent.name}.{path.stem}"
        found[key] = {"fingerprint": hashlib.sha256(content).hexdigest()}
    for path in sorted((find_folder("jobs") / "lists").glob("*@*.csv")):
        probe_list = load_list(path)
        found[f"lists.{probe_list.name}"] = found.get(f"lists.{probe_list.name}", {}) | {
            f"v{probe_list.version}": probe_list.content_hash
        }
    return found


def kept():
    """What the file says."""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def faults(now, before):
    """One sentence per difference that would let results change unseen."""
    write = "run `python tests/plugin_versions.py`"
    found = []
    for key in sorted(now.keys() | before.keys()):
        new, old = now.get(key), before.get(key)
        if old is None:
            found.append(f"{key} is new: {write}")
        elif new is None:
            found.append(f"{key} is gone; databases name it for ever: bring it back, or {write}")
        elif key.startswith("lists."):
            found += _list_faults(key, new, old, write)
        elif new.get("version", 0) < old.get("version", 0):
            found.append(f"{key}: version {new['version']} is lower than {old['version']}")
        elif new != old and new.get("version") == old.get("version"):
            remedy = "raise its `version`" if "version" in new else "raise `version` of its users"
            found.append(f"{key} was changed: {remedy}, or if results cannot change {write}")
        elif new != old:
            found.append(f"{key} has a new version: {write}")
    return found


def _list_faults(key, new, old, write):
    changed = [v for v in old if v in new and new[v] != old[v]]
    gone = [v for v in old if v not in new]
    found = [f"{key} {v} was changed: undo it and save it as the next version" for v in changed]
    found += [f"{key} {v} is gone: runs in databases name it, bring it back" for v in gone]
    if new.keys() - old.keys():
        found.append(f"{key} has a new version: {write}")
    return found


def write(now):
    """Write the file; a probe list that was changed is refused."""
    before = kept()
    for key, old in before.items():
        if key.startswith("lists.") and any(now.get(key, {}).get(v) != old[v] for v in old):
            raise SystemExit(f"{key}: {_list_faults(key, now.get(key, {}), old, '')[0]}")
    lines = ["# Written by tests/plugin_versions.py; see there.\n"]
    for key, entry in sorted(now.items()):
        lines.append(f'\n["{key}"]\n')
        lines += [
            f'{k} = "{v}"\n' if isinstance(v, str) else f"{k} = {v}\n" for k, v in entry.items()
        ]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    write(current())
