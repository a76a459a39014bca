"""Commands about what people are told, by mail or chat."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor import settings
from monitor.cli.console import AsJson, emit_json, err, out, say, table, visible
from monitor.cli.database import database
from monitor.cli.progress import busy
from monitor.model import InvalidInput, MonitorError
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.store.journal.notifications import Notice

notify_commands = typer.Typer(help="What people are told, by mail or chat.", no_args_is_help=True)
_UNTOLD_EXIT = 5


class Route(StrEnum):
    """Where messages go."""

    FINDINGS = "findings"
    OPERATIONS = "operations"


class _NotSent(MonitorError):
    """A message did not go out."""

    exit_code = _UNTOLD_EXIT


@notify_commands.command()
def test(
    route: Annotated[Route, typer.Argument(help="findings or operations.", show_choices=False)],
) -> None:
    """Send a message to every address of a route, and say what became of it.

    The addresses stand in MONITOR_NOTIFY_FINDINGS and MONITOR_NOTIFY_OPERATIONS, and are never
    shown: each is named by its place. Nothing is stored. Exit code 5 if one did not take it.
    """
    from monitor.notify import Message, words
    from monitor.notify.sender import AppriseSender
    from monitor.stages import journal as telling

    chosen = settings.load()
    sender = AppriseSender.from_settings(chosen)
    if not sender.count_addresses(route):
        raise InvalidInput(
            f"MONITOR_NOTIFY_{route.upper()} is not set; put Apprise URLs there, for example "
            "mailto://USER:PASSWORD@HOST?to=ADDRESS (docs/notifications.md)"
        )
    title, body = telling.write_trial(route, datetime.now(UTC), chosen.zone)
    with busy(f"sending to {several(sender.count_addresses(route), 'address', 'addresses')}"):
        delivery = sender.send(route, Message(title, body))
    for index in range(1, delivery.n + 1):
        fault = delivery.faults.get(index)
        what = f"not sent: {words(fault)}" if fault else "sent"
        out.print(f"{route}, address {index} of {delivery.n}: {what}", soft_wrap=True)
    if not delivery.is_complete:
        raise _NotSent(
            f"{len(delivery.faults)} of {several(delivery.n, 'address', 'addresses')} did not take "
            "the message"
        )


@notify_commands.command("list")
def list_notices(
    unsent: Annotated[
        bool, typer.Option("--unsent", help="Only what waits, and what was given up.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="At most so many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List what was told or is to be told, the newest first.

    A notice is open while it waits, sent, dropped (told in another one, or taken back before it was
    told), or failed: no server took it for MONITOR_NOTIFY_DAYS.
    """
    from monitor.store.journal import notifications

    with database() as opened, opened.read() as connection:
        found = notifications.list_newest(connection, limit, unsent=unsent)
    if as_json:
        emit_json([_plain(one) for one in found])
        return
    if not found:
        out.print("nothing was told yet" if not unsent else "nothing waits")
        return
    zone = settings.load().zone
    rows = [
        (
            f"{one.created_at.astimezone(zone):%Y-%m-%d %H:%M}",
            str(one.id),
            one.route,
            one.state,
            str(one.tries),
            visible(f"{one.title}; {one.trouble}" if one.trouble else one.title),
        )
        for one in found
    ]
    out.print(table("", ("at", "no.", "route", "state", "tries", "note"), rows))
    failed = sum(one.state == notifications.FAILED for one in found)
    if failed:
        err.print(
            f"{several(failed, 'notice was', 'notices were')} never told; "
            "what to do: monitor alarms show notify_failed",
            style="yellow",
        )


@notify_commands.command("show")
def show_notice(
    number: Annotated[int, typer.Argument(help="Number as in `monitor notify list`.")],
    as_json: AsJson = False,
) -> None:
    """Show a notice: where it goes, what became of it, and its whole text."""
    from monitor.store.journal import notifications

    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        notices = notifications.find_notices(connection, [number])
    if not notices:
        raise InvalidInput(f"no notice {number}; see `monitor notify list`")
    one = notices[0]
    if as_json:
        emit_json(_plain(one))
        return
    at = f"{one.created_at.astimezone(zone):%Y-%m-%d %H:%M}"
    trouble = f"; {one.trouble}" if one.trouble else ""
    line = f"{at}, {one.route}: {one.state}, {several(one.tries, 'try', 'tries')}{trouble}"
    for text in (line, one.title, *one.body.split("\n")):
        say(visible(text))


def _plain(one: "Notice") -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}
