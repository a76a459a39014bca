"""Series that public pages do not show yet: add an embargo, list them, lift one."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, time, timedelta
from getpass import getuser
from typing import Annotated
from zoneinfo import ZoneInfo

import typer
from rich.text import Text

from monitor import registry, settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, note, out, print_facts, say, table
from monitor.cli.database import database
from monitor.cli.names import known
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several

embargo_commands = typer.Typer()


@embargo_commands.command()
def add(
    reason: Annotated[str, typer.Option(help="Why; kept with it.")],
    job: Annotated[str, typer.Option(help="Of this job.", autocompletion=names.jobs)] = "",
    engine: Annotated[str, typer.Option(help="Of this engine.", autocompletion=names.engines)] = "",
    target: Annotated[
        str, typer.Option(help="Of this target language or region.", autocompletion=names.targets)
    ] = "",
    measure: Annotated[
        str, typer.Option(help="Of this measure.", autocompletion=names.measures)
    ] = "",
    quantity: Annotated[
        str, typer.Option(help="Of this quantity.", autocompletion=names.quantities)
    ] = "",
    until: Annotated[
        str, typer.Option(help="When it ends: 2027-01-31 or with 05:00; else when it is lifted.")
    ] = "",
    by: Annotated[str, typer.Option(help="Who says so; else the user of this machine.")] = "",
) -> None:
    """Hide series from the public, and the answers of their engines and targets with them.

    What was named must all fit; at least one has to be named. It need not be there yet: it is
    hidden from its first run on. Users who have logged in see everything as before. Answers are
    hidden too, because any number could be computed from them. A measure is hidden with all its
    quantities and parameters, also where only one is named.
    """
    from monitor.store.access import embargoes
    from monitor.store.journal import events

    about = {"job": job, "engine": engine, "target": target, "measure": measure,
             "quantity": quantity}  # fmt: skip
    named = _named(about)
    if not named:
        raise InvalidInput("what is it about? name at least one of --job, --engine, --target, "
                           "--measure, --quantity")  # fmt: skip
    if not reason.strip():
        raise InvalidInput("--reason: say why")
    now = datetime.now(UTC)
    ends = _moment(until, settings.load().zone) if until else None
    if ends is not None and ends <= now:
        raise InvalidInput(f"--until {until} is past")
    with database() as opened, opened.begin() as connection:
        before = embargoes.find_hidden(connection, now)
        number = embargoes.add_embargo(
            connection, about, reason=reason, by=by or _who(), until=ends, now=now
        )
        after = embargoes.find_hidden(connection, now)
        measures = embargoes.find_families(connection, about)
        absent = embargoes.find_absent(connection, about)
        events.add_event(
            connection, "embargo_added", f"embargo {number}", f"{named}: {reason}", now=now
        )
    more = len(after.series) - len(before.series)
    sentence = f"embargo {number}: {several(more, 'more series', 'more series')} hidden"
    say(f"{sentence}, {len(after.series):,} in all")
    for words in (*_widened(about, measures), *_not_there(absent, number)):
        note(words)


def _widened(about: Mapping[str, str], measures: Collection[str]) -> Iterator[str]:
    """That more is hidden than was named."""
    if about["quantity"] or (about["measure"] and about["measure"].lower() not in measures):
        yield (
            f"all of {', '.join(sorted(measures)) or 'its measure'} is hidden, with all quantities "
            "and whatever parameters: they give each other away"
        )


def _not_there(absent: Mapping[str, str], number: int) -> Iterator[str]:
    """What is hidden once it is there; what nobody knows may be a wrong name, and hide nothing."""
    for name, value in absent.items():
        if value in _registered(name):
            yield f"{name} {value!r} is not in the archive yet: it is hidden from its first run on"
        else:
            yield (
                f"warning: no {name} {value!r} is known here; if the name is wrong, nothing is "
                f"hidden. Remedy: monitor embargo lift {number}, and add it anew"
            )


def _registered(name: str) -> Collection[str]:
    """What this program knows by name before it is asked for."""
    if name == "engine":
        return registry.discover("engines")
    measures = registry.discover("measures").values()
    if name == "measure":
        return {measure.name for measure in measures}
    return {
        quantity.name
        for measure in measures
        for quantity in measure.quantities
        if name == "quantity"
    }


def _named(about: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in about.items() if value)


def _moment(text: str, zone: ZoneInfo) -> datetime:
    """A time in the zone of reports; a day means the end of it."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"--until {text!r}: write 2027-01-31 or 2027-01-31T05:00") from None
    if len(text) <= len("2027-01-31") and moment.time() == time():
        moment += timedelta(days=1)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _who() -> str:
    try:
        return getuser()
    except (KeyError, OSError):  # no name of the machine's user, as in some containers
        raise InvalidInput("--by: say who says so; this machine does not know") from None


@embargo_commands.command("list")
def list_embargoes(
    as_json: AsJson = False,
) -> None:
    """List embargoes, the newest first: what about, why, by whom, until when, whether in force."""
    from monitor.store.access import embargoes

    zone, now = settings.load().zone, datetime.now(UTC)
    with database() as opened, opened.read() as connection:
        listed = embargoes.list_embargoes(connection)
    if as_json:
        emit_json([asdict(one) | {"stands": one.stands(now)} for one in listed])
        return
    if not listed:
        out.print("there is no embargo", markup=False)
        return
    lines = [
        (
            Text(_named({name: getattr(one, name) for name in embargoes.ABOUT})), str(one.id),
            one.by, f"{one.added_at.astimezone(zone):%Y-%m-%d}",
            f"{one.until.astimezone(zone):%Y-%m-%d %H:%M}" if one.until else "lifted",
            "yes" if one.stands(now) else "no", Text(one.reason),
        )
        for one in listed
    ]  # fmt: skip
    out.print(table("", ("about", "no.", "by", "since", "until", "in force", "note"), lines))


@embargo_commands.command("show")
def show_embargo(
    number: Annotated[int, typer.Argument(min=1, help="As in the list.")], as_json: AsJson = False
) -> None:
    """Show an embargo: what about, why, by whom, until when, whether in force."""
    from monitor.store.access import embargoes

    now = datetime.now(UTC)
    with database() as opened, opened.read() as connection:
        stored = {str(embargo.id): embargo for embargo in embargoes.list_embargoes(connection)}
    known("embargo", str(number), stored)
    facts = asdict(stored[str(number)]) | {"stands": stored[str(number)].stands(now)}
    if as_json:
        emit_json(facts)
    else:
        print_facts(f"embargo {number}", facts, leave_out=("id",))


@embargo_commands.command()
def lift(number: Annotated[int, typer.Argument(min=1, help="As in the list.")]) -> None:
    """Lift an embargo: the public sees what it was about, unless another one hides that too."""
    from monitor.store.access import embargoes
    from monitor.store.journal import events

    now = datetime.now(UTC)
    with database() as opened, opened.begin() as connection:
        if not embargoes.lift_embargo(connection, number, now):
            raise InvalidInput(f"there is no embargo {number} that stands; see the list")
        events.add_event(connection, "embargo_lifted", f"embargo {number}", "", now=now)
        left = len(embargoes.find_hidden(connection, now).series)
    say(f"embargo {number} is lifted; {several(left, 'series', 'series')} hidden by others")
