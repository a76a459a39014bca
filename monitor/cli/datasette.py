"""The command that starts Datasette on the SQLite file, with the data dictionary on its pages."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from monitor.cli._console import emit_json, err
from monitor.cli._files import new_file
from monitor.cli._open import database
from monitor.model import InvalidInput, MissingPart

_MOST_PORTS = 65_535
_ENVIRONMENT = ("HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV")
_ON_POSTGRES = (
    "Datasette reads SQLite files, and this database is on PostgreSQL: make a role for readers "
    "(monitor db reader NAME) and use psql or any program that speaks to PostgreSQL, or write a "
    "release (monitor export release FOLDER)"
)


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(datasette)


def datasette(
    host: Annotated[str, typer.Option(help="IP address to listen on, or localhost.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=_MOST_PORTS, help="Port to listen on.")] = 8602,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help="Listen on an address that other machines can reach; no SQL of one's own then.",
        ),
    ] = False,
    metadata_only: Annotated[
        bool, typer.Option("--metadata-only", help="Print Datasette's metadata and start nothing.")
    ] = False,
) -> None:
    """Start Datasette on the SQLite file, read only, until it is stopped.

    Views and columns are described, the worked questions of docs/sql.md are queries, tables are
    hidden, the file cannot be downloaded, no plug-in is loaded. monitor-people.db is not opened.

    There is no login: what is served is for everybody who can reach the address. Needs the extra
    `datasette`.
    """
    from monitor.stages.datasette_metadata import metadata
    from monitor.store.jobs import declarations
    from monitor.store.publish.release import ReleaseSelection, read_lists
    from monitor.web.server import place

    at = place(host, port, "--host")
    if not at.is_loopback and not public:
        raise InvalidInput(
            f"--host {host}: other machines could read everything there without a login; leave it "
            "at 127.0.0.1 and put a proxy with a login in front, or add --public if one stands "
            "there already"
        )
    with database() as opened:
        if not opened.keeps_files:
            raise InvalidInput(_ON_POSTGRES)
        file = Path(str(opened.writer.url.database)).resolve()
        with opened.read() as connection:
            lists, made_up = (
                read_lists(connection, ReleaseSelection()),
                declarations.read_invented(connection),
            )
    described = metadata(file.stem, public=public, lists=lists, invented=made_up)
    if metadata_only:
        emit_json(described)
        return
    _require()
    _become(file, host, port, _kept(file, described))


def _require() -> None:
    """Raise MissingPart where Datasette is not installed."""
    if find_spec("datasette") is None:
        raise MissingPart(
            "Datasette is not installed; install it: pip install 'gbmonitor[datasette]'"
        )


def _kept(file: Path, described: dict[str, object]) -> Path:
    """The metadata beside the database, where Datasette reads them."""
    import json

    path = file.with_name(f"{file.stem}-datasette.json")
    with new_file(path, force=True) as out:
        json.dump(described, out, ensure_ascii=False, indent=2)
    return path


def _become(file: Path, host: str, port: int, described: Path) -> None:
    """Datasette takes the place of this process: who ends one ends the other."""
    from monitor.stages.datasette_metadata import SETTINGS

    words = [
        sys.executable, "-m", "datasette", "serve", str(file),
        "--host", host, "--port", str(port), "--metadata", str(described),
    ]  # fmt: skip
    for name, value in SETTINGS.items():
        words += ["--setting", name, str(value)]
    err.print(f"serving http://{host}:{port}/ (Ctrl-C ends it)", markup=False, soft_wrap=True)
    # keys of services stay here
    passed = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    # an empty list of plug-ins is no plug-in; without it whatever is installed would be loaded
    os.execve(words[0], words, passed | {"DATASETTE_LOAD_PLUGINS": ""})  # noqa: S606
