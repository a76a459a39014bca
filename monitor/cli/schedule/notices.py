"""Alarms that an operator has to look at, and what people are told by mail or chat."""

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from monitor import resources, settings
from monitor.cli.console import AsJson, emit_json, out, say, table, visible, warn
from monitor.cli.database import database
from monitor.cli.progress import busy
from monitor.model import ActionNeeded, InvalidInput
from monitor.text.counted_nouns import several
from monitor.text.near_names import hint

alarms_commands = typer.Typer()
notify_commands = typer.Typer()


@alarms_commands.command("list")
def list_alarms(as_json: AsJson = False) -> None:
    """List the alarms that stand: since when, what about, and why."""
    from monitor.store.journal import events

    with database() as opened, opened.read() as connection:
        alarms = events.list_open_alarms(connection)
    if as_json:
        emit_json(alarms)
        return
    if not alarms:
        out.print("no alarm stands")
        return
    rows = [
        (alarm.kind, visible(alarm.subject), _time(alarm.since), visible(alarm.detail))
        for alarm in alarms
    ]
    out.print(table("", ("kind", "about", "since", "note"), rows))
    out.print("more about one: monitor alarms show KIND", markup=False)


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(settings.load().zone):%Y-%m-%d %H:%M}"


@alarms_commands.command("show")
def show_alarm(
    kind: Annotated[str, typer.Argument(help="A kind of `monitor alarms list`.")],
    as_json: AsJson = False,
) -> None:
    """Show what a kind of alarm means, which of it stand, and what to do about it."""
    from monitor.stages.alarm_rules import KINDS
    from monitor.store.journal import events

    if kind not in KINDS:
        raise InvalidInput(f"no kind of alarm {kind!r}; {hint(kind, KINDS, KINDS)}")
    with database() as opened, opened.read() as connection:
        alarms = [alarm for alarm in events.list_open_alarms(connection) if alarm.kind == kind]
    if as_json:
        emit_json({"kind": kind, "means": KINDS[kind], "open": alarms})
        return
    say(f"{kind}: {KINDS[kind]}")
    for alarm in alarms:
        say(f"  since {_time(alarm.since)}, {visible(alarm.subject)}: {visible(alarm.detail)}")
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


# --- notices --------------------------------------------------------------------------------------


@notify_commands.command()
def test(
    route: Annotated[
        Literal["findings", "operations"],
        typer.Argument(help="findings or operations.", show_choices=False),
    ],
) -> None:
    """Send a message to every address of a route, and say what became of it.

    The addresses stand in MONITOR_NOTIFY_FINDINGS and MONITOR_NOTIFY_OPERATIONS, and are never
    shown: each is named by its place. Nothing is stored. Exit code 5 if one did not take it.
    """
    from monitor.notify import Message, words
    from monitor.notify.sender import AppriseSender
    from monitor.stages import notices

    configured = settings.load()
    sender = AppriseSender.from_settings(configured)
    if not sender.count_addresses(route):
        raise InvalidInput(
            f"MONITOR_NOTIFY_{route.upper()} is not set; put Apprise URLs there, for example "
            "mailto://USER:PASSWORD@HOST?to=ADDRESS (docs/notifications.md)"
        )
    title, body = notices.write_trial(route, datetime.now(UTC), configured.zone)
    with busy(f"sending to {several(sender.count_addresses(route), 'address', 'addresses')}"):
        delivery = sender.send(route, Message(title, body))
    for index in range(1, delivery.n + 1):
        fault = delivery.faults.get(index)
        what = f"not sent: {words(fault)}" if fault else "sent"
        out.print(f"{route}, address {index} of {delivery.n}: {what}", soft_wrap=True)
    if not delivery.is_complete:
        raise ActionNeeded(
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
        notices = notifications.list_newest(connection, limit, unsent=unsent)
    if as_json:
        emit_json(notices)
        return
    if not notices:
        out.print("nothing was told yet" if not unsent else "nothing waits")
        return
    rows = [
        (
            _time(notice.created_at),
            str(notice.id),
            notice.route,
            notice.state,
            str(notice.tries),
            visible("; ".join(filter(None, (notice.title, notice.trouble)))),
        )
        for notice in notices
    ]
    out.print(table("", ("at", "no.", "route", "state", "tries", "note"), rows))
    failed = sum(notice.state == notifications.FAILED for notice in notices)
    if failed:
        warn(
            f"{several(failed, 'notice was', 'notices were')} never told; "
            "what to do: monitor alarms show notify_failed"
        )


@notify_commands.command("show")
def show_notice(
    number: Annotated[int, typer.Argument(help="Number as in `monitor notify list`.")],
    as_json: AsJson = False,
) -> None:
    """Show a notice: where it goes, what became of it, and its whole text."""
    from monitor.store.journal import notifications

    with database() as opened, opened.read() as connection:
        notices = notifications.find_notices(connection, [number])
    if not notices:
        raise InvalidInput(f"no notice {number}; see `monitor notify list`")
    [notice] = notices
    if as_json:
        emit_json(notice)
        return
    trouble = f"; {notice.trouble}" if notice.trouble else ""
    tries = several(notice.tries, "try", "tries")
    line = f"{_time(notice.created_at)}, {notice.route}: {notice.state}, {tries}{trouble}"
    for text in (line, notice.title, *notice.body.split("\n")):
        say(visible(text))
