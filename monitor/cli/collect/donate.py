"""Pages that people donate: check a file, add it, list donors."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import settings
from monitor.cli.console import AsJson, emit_json, out, say, say_indented, table, warn
from monitor.cli.database import database
from monitor.cli.names import job_files
from monitor.cli.names import regions as region_names
from monitor.input_files import read_text
from monitor.model import DEVICES, InvalidInput, as_row
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.stages.collect.donations import AcceptedPages, CheckedFile

donate_commands = typer.Typer()

DonatedFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A saved page (.html, .mhtml), an archive (.har, .warc, .warc.gz, .wacz, .zip), or a "
        "folder of these.",
    ),
]
JobFile = Annotated[
    Path | None,
    typer.Option(
        "--job", help="Job on donated pages; all of jobs/ if left out.", autocompletion=job_files
    ),
]


@donate_commands.command()
def check(file: DonatedFile, job: JobFile = None, as_json: AsJson = False) -> None:
    """Show which pages of a file can be kept, and what personal data is removed. Stores nothing.

    A page is kept if it answers a question of a job on donated pages. Account names, e-mail
    addresses, avatars, places and history are removed, and all scripts.
    """
    checked = _check_file(file, _read_accepted(job))
    if as_json:
        emit_json(_as_json(checked))
        return
    _print_checked(checked)
    say("Nothing was stored. To keep the pages: monitor donate add FILE --donor NAME ...")


@donate_commands.command()
def add(
    file: DonatedFile,
    donor: Annotated[
        str, typer.Option(help="Name or number of the donor; only a keyed hash of it is kept.")
    ],
    region: Annotated[
        str,
        typer.Option(
            help="Region of the job in which the donor searched.", autocompletion=region_names
        ),
    ],
    device: Annotated[str, typer.Option(help=f"{', '.join(DEVICES[:-1])} or {DEVICES[-1]}.")],
    signed_in: Annotated[
        bool,
        typer.Option(
            "--signed-in/--signed-out", help="Whether the donor was signed in.", show_default=False
        ),
    ],
    consent: Annotated[
        Path | None,
        typer.Option(help="File with the text that the donor agreed to; else the text of monitor."),
    ] = None,
    job: JobFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="The donor has agreed; do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Keep the pages of a file without personal data, after showing what was found.

    Needs MONITOR_ADDRESS_KEY, the key of the hashes of donors.
    """
    from monitor import data
    from monitor.pipeline.collect.donations import add_donation, describe_late
    from monitor.stages.collect.donations import DonorDetails

    accepted = _read_accepted(job)
    text = read_text(consent) if consent else data.read_text("donation_consent")
    details = DonorDetails(donor, region, device, signed_in, text)
    details.check(accepted.regions)
    checked = _check_file(file, accepted)
    if not as_json:
        _print_checked(checked)
    if not yes:
        say(text)
        if not typer.confirm("Has the donor agreed to this text?", err=True):
            raise InvalidInput("nothing was stored")
    key = settings.load().address_key.get_secret_value()
    with database() as opened:
        pseudonym, number = add_donation(opened, checked, details, key, datetime.now(UTC))
        late = describe_late(opened, checked, accepted.jobs)
    if as_json:
        emit_json({**_as_json(checked), "donor": pseudonym, "new_pages": number, "late": late})
        return
    again = len(checked.pages) - number
    repeated = f"; {several(again, 'page')} were kept before" if again else ""
    say(f"Kept {several(number, 'page')} of donor {pseudonym}{repeated}.")
    if late:
        say(late)


@donate_commands.command("list")
def list_donors(as_json: AsJson = False) -> None:
    """List donors by their pseudonyms, with the number of pages that are kept."""
    from monitor.store.collect import donations

    with database() as opened, opened.read() as connection:
        donors = list(donations.list_donors(connection))
    if as_json:
        emit_json(donors)
        return
    rows = [
        (donor.donor, f"{donor.donations:,}", f"{donor.pages:,}", f"{donor.last_at:%Y-%m-%d}")
        for donor in donors
    ]
    out.print(table("", ("donor", "donations", "pages", "last"), rows))


def _read_accepted(job: Path | None) -> "AcceptedPages":
    from monitor.jobs import load_audit
    from monitor.stages.collect.donations import AcceptedPages, find_donation_jobs

    return AcceptedPages.of_jobs([load_audit(job)] if job else find_donation_jobs(Path("jobs")))


def _check_file(file: Path, accepted: "AcceptedPages") -> "CheckedFile":
    from monitor.stages.collect.donations import check_file

    return check_file(file, file.name or str(file), accepted)


def _as_json(checked: "CheckedFile") -> dict[str, object]:
    pages = [as_row(page) for page in checked.pages]
    for page in pages:
        del page["body"]
    return {
        "file": checked.name,
        "form": checked.form,
        "pages": pages,
        "removed": checked.removed,
        "left_out": list(checked.left_out),
    }


def _print_checked(checked: "CheckedFile") -> None:
    for page in checked.pages:
        removed = ", ".join(f"{kind} {n:,}" for kind, n in page.removed.items()) or "nothing"
        say(
            f"{page.place}: {page.system}, {page.question}, {page.captured_at:%Y-%m-%d %H:%M} "
            f"UTC; read as {page.outcome}, {several(page.items, 'result')}"
        )
        say_indented(f"removed: {removed}", "  ")
    for sentence in checked.left_out:
        warn(sentence)
    say(checked.summarize())
