"""What an operator has to look at: alarms that stand, what each kind means and what to do."""

import re
from dataclasses import asdict
from typing import Annotated

import typer

from monitor import resources, settings
from monitor.cli.console import AsJson, emit_json, out, say, table, visible
from monitor.cli.database import database
from monitor.model import InvalidInput
from monitor.text.near_names import hint

alarms_commands = typer.Typer(
    help="What an operator has to look at.",
    no_args_is_help=True,
)


@alarms_commands.command("list")
def list_alarms(as_json: AsJson = False) -> None:
    """List the alarms that stand: since when, what about, and why."""
    from monitor.store.journal import events

    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        alarms = events.list_open_alarms(connection)
    if as_json:
        emit_json([asdict(alarm) for alarm in alarms])
        return
    if not alarms:
        out.print("no alarm stands")
        return
    rows = [
        (
            alarm.kind, visible(alarm.subject), f"{alarm.since.astimezone(zone):%Y-%m-%d %H:%M}",
            visible(alarm.detail),
        )
        for alarm in alarms
    ]  # fmt: skip
    out.print(table("", ("kind", "about", "since", "note"), rows))
    out.print("more about one: monitor alarms show KIND", markup=False)


@alarms_commands.command("show")
def show_alarm(
    kind: Annotated[str, typer.Argument(help="A kind of `monitor alarms list`.")],
    as_json: AsJson = False,
) -> None:
    """Show what a kind of alarm means, which of it stand, and what to do about it."""
    from monitor.stages.schedule import KINDS
    from monitor.store.journal import events

    if kind not in KINDS:
        raise InvalidInput(f"no kind of alarm {kind!r}; {hint(kind, KINDS, KINDS)}")
    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        alarms = [alarm for alarm in events.list_open_alarms(connection) if alarm.kind == kind]
    if as_json:
        emit_json({"kind": kind, "means": KINDS[kind], "open": [asdict(alarm) for alarm in alarms]})
        return
    say(f"{kind}: {KINDS[kind]}")
    for alarm in alarms:
        since = f"{alarm.since.astimezone(zone):%Y-%m-%d %H:%M}"
        say(f"  since {since}, {visible(alarm.subject)}: {visible(alarm.detail)}")
    if not alarms:
        out.print("none of this kind stands")
    say(f"\n{_read_remedy(kind)}")


def _read_remedy(kind: str) -> str:
    """Return what the runbook says of a kind of alarm, without its headings."""
    runbook = (resources.find_folder("docs") / "operations.md").read_text(encoding="utf-8")
    section = runbook.partition(f'<a id="alarm-{kind}"></a>')[2]
    section = re.split(r"^(?:<a id=|# )", section, maxsplit=1, flags=re.MULTILINE)[0]
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", section).replace("**", "")
    return plain.partition(f"### {kind}\n")[2].strip()
