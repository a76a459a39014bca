"""A reproducibility package in the hands of somebody who changes it."""

import gzip
import hashlib
import json

from monitor.stages.publish.package_files import SUFFIX, write_file


def lines(folder, name):
    """The rows of a file of a package."""
    with gzip.open(folder / f"{name}{SUFFIX}", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def everything(folder):
    """All that a package says, unpacked."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = path.read_bytes()
        found.append(gzip.decompress(content) if path.name.endswith(".gz") else content)
    return b"\n".join(found)


def put(folder, name, some):
    """Write other rows, and make manifest and checksums fit them, as a forger would."""
    made = write_file(folder, f"{name}{SUFFIX}", [some])
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["files"][made.path] = [made.size, made.unpacked, made.rows]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    sum_up(folder)


def change(folder, name, edit):
    """Change the rows of a file: `edit` gets all of them and gives others, or None for the same."""
    some = lines(folder, name)
    edited = edit(some)
    put(folder, name, some if edited is None else edited)


def manifest(folder, edit):
    """Change the manifest, and the checksums with it."""
    path = folder / "manifest.json"
    content = json.loads(path.read_text("utf-8"))
    edit(content)
    path.write_text(json.dumps(content), "utf-8")
    sum_up(folder)


def sum_up(folder):
    """Write checksums of whatever is there."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text(
        "".join(
            f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder).as_posix()}\n"
            for p in files
        ),
        "utf-8",
    )
