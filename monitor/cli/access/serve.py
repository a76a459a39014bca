"""Commands that serve what is there: the web pages with their API, and Datasette."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli.console import emit_json, note, stop_signal
from monitor.cli.database import database
from monitor.cli.files import new_file
from monitor.model import InvalidInput, MissingPart

_MOST_PORTS = 65_535
_MOST_PROCESSES = 32


def serve(
    host: Annotated[str, typer.Option(help="IP address to listen on, or localhost.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=_MOST_PORTS, help="Port to listen on; 0 takes a free one.")
    ] = 8600,
    public: Annotated[
        bool,
        typer.Option(
            "--public", help="Let everybody read what is not under embargo, without login."
        ),
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Host name under which the pages are reached; may be given often."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="Certificate of this host, a PEM file; with --key.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Key of the certificate, a PEM file.")] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address or network of a proxy that adds TLS; may be given often."),
    ] = None,
    user_header: Annotated[
        str, typer.Option(help="Header in which that proxy names the user who logged in there.")
    ] = "",
    processes: Annotated[
        int, typer.Option(min=1, max=_MOST_PROCESSES, help="Processes that answer: one per core.")
    ] = 1,
) -> None:
    """Serve pages from every number to its proof, the same as a JSON API, health and metrics.

    On this machine everybody reads, until there are users (monitor users add); then they log in.
    Other machines need --host and --name, and TLS: --certificate and --key, or --proxy for one that
    adds it, which is better for the open internet (docs/web.md).

    /metrics is what Prometheus reads, /healthz and /readyz say whether this process lives and can
    work; /api/v1/openapi.json describes the API. Ctrl-C ends it within some seconds.

    With a certificate: monitor serve --host 0.0.0.0 --port 8443 --name monitor.example.org
    --certificate cert.pem --key key.pem

    Behind a proxy: monitor serve --proxy 127.0.0.1 --name monitor.example.org
    """
    from monitor.web.site.serving import ServeOptions
    from monitor.web.site.serving import serve as run

    chosen = settings.load_all()
    asked = ServeOptions(
        host=host,
        port=port,
        is_public=public,
        names=tuple(name or ()),
        certificate=certificate,
        key=key,
        proxies=tuple(proxy or ()),
        user_header=user_header,
        public_url=chosen.public_url,
        processes=processes,
    )
    if (certificate is None) != (key is None):
        raise InvalidInput("--certificate and --key belong together: name both")
    with database() as opened, stop_signal() as stop:
        run(opened, chosen.zone, chosen.home, asked, stop, note)


_ENVIRONMENT = ("HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV")
_ON_POSTGRES = (
    "Datasette reads SQLite files, and this database is on PostgreSQL: make a role for readers "
    "(monitor db reader NAME) and use psql or any program that speaks to PostgreSQL, or write a "
    "release (monitor export release FOLDER)"
)


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
    from monitor.stages.publish.datasette_metadata import make_metadata
    from monitor.store.jobs import declarations
    from monitor.store.publish.release import ReleaseSelection, read_lists
    from monitor.web.connections import make_address

    at = make_address(host, port, "--host")
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
            lists = read_lists(connection, ReleaseSelection())
            made_up = declarations.read_invented(connection)
    described = make_metadata(file.stem, public=public, lists=lists, invented=made_up)
    if metadata_only:
        emit_json(described)
        return
    if find_spec("datasette") is None:
        raise MissingPart(
            "Datasette is not installed; install it: pip install 'gbmonitor[datasette]'"
        )
    path = file.with_name(f"{file.stem}-datasette.json")
    with new_file(path, force=True) as out:
        json.dump(described, out, ensure_ascii=False, indent=2)
    _start_datasette(file, host, port, path)


def _start_datasette(file: Path, host: str, port: int, described: Path) -> None:
    """Datasette takes the place of this process: who ends one ends the other."""
    from monitor.stages.publish.datasette_metadata import SETTINGS

    words = [
        sys.executable, "-m", "datasette", "serve", str(file),
        "--host", host, "--port", str(port), "--metadata", str(described),
    ]  # fmt: skip
    for name, value in SETTINGS.items():
        words += ["--setting", name, str(value)]
    note(f"serving http://{host}:{port}/ (Ctrl-C ends it)")
    # keys of services stay here
    passed = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    # an empty list of plug-ins is no plug-in; without it whatever is installed would be loaded
    os.execve(words[0], words, passed | {"DATASETTE_LOAD_PLUGINS": ""})  # noqa: S606
