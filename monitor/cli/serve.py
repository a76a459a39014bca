"""The command that serves the newest report, health and metrics over HTTP."""

from typing import Annotated

import typer

from monitor import settings
from monitor.cli._console import err, stop_signal
from monitor.cli._open import database
from monitor.model import InvalidInput

_MOST_PORTS = 65_535
#: How often the loop looks whether it is to stop.
_ROUND = 0.2


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="IP address to listen on, or localhost.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=_MOST_PORTS, help="Port to listen on; 0 takes a free one.")
    ] = 8600,
    public: Annotated[
        bool, typer.Option("--public", help="Listen on an address that other machines can reach.")
    ] = False,
) -> None:
    """Serve the newest report, health and metrics over HTTP until it is stopped.

    / is the report of the newest run as `monitor report` writes it, /metrics what Prometheus reads,
    /healthz and /readyz say whether this process lives and can work. Nothing can be changed.

    There is no login: what is served is for everybody who can reach the address. Off this machine,
    put a proxy with a login and TLS in front.
    """
    from time import monotonic, sleep

    from monitor.web.companions import pages
    from monitor.web.health import Health
    from monitor.web.metrics import Metrics
    from monitor.web.newest import NewestReport
    from monitor.web.server import Server, place

    at = place(host, port, "--host")
    if not at.is_loopback and not public:
        raise InvalidInput(
            f"--host {host}: other machines could read everything there without a login; leave it "
            "at 127.0.0.1 and put a proxy with a login in front, or add --public if one stands "
            "there already"
        )
    zone = settings.load().zone
    moved = monotonic()
    with database() as opened, stop_signal() as stop:
        health = Health(opened, lambda: monotonic() - moved)
        report = NewestReport(opened, zone)
        server = Server(at, {"/": report.page, **pages(health, Metrics(opened))})
        server.start()
        err.print(f"serving http://{server.place}/", markup=False, soft_wrap=True)
        try:
            while not stop():
                sleep(_ROUND)
                moved = monotonic()
        finally:
            server.stop()
