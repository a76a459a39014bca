"""The command that serves the web pages, their API, health and metrics over HTTP."""

from pathlib import Path
from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import err, stop_signal
from monitor.cli._open import database
from monitor.model import InvalidInput

_MOST_PORTS = 65_535


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(serve)


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
    from monitor.web.site import serving

    chosen = settings.load_all()
    options = serving.ServeOptions(
        host=host,
        port=port,
        is_public=public,
        names=tuple(name or ()),
        certificate=certificate,
        key=key,
        proxies=tuple(proxy or ()),
        user_header=user_header,
        public_url=chosen.public_url,
    )
    if (certificate is None) != (key is None):
        raise InvalidInput("--certificate and --key belong together: name both")
    with database() as opened, stop_signal() as stop:
        serving.serve(opened, chosen.zone, chosen.home, options, stop, _said)


def _said(line: str) -> None:
    err.print(line, markup=False, soft_wrap=True)
