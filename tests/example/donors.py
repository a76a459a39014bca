"""Pages that people gave who do not exist: checked, kept, and run as those of donors are.

In goes the archive with its clock, out come a job file, donations of two weeks, and their runs.
"""

from contextlib import closing
from datetime import timedelta

from monitor.fetch.saved_pages import Shelves
from monitor.jobs import load_audit
from monitor.pipeline.collect import donations
from monitor.stages.collect.donations import AcceptedPages, DonorDetails, check_file
from monitor.store.collect.donations import find_week
from monitor.work.recorded import make_missing_runs
from tests import donated
from tests.example import invented
from tests.factories import governed, job_content, make_job, make_list, quiet

DONATING = "invented-donors"
CONSENT = "Nobody agreed: these donors and their pages are invented."
KEY = "the key of an example, which is no secret"
_DONORS, _WEEKS = 8, 2
_WORDS = ("She and her team won.", "He and his team won.", "They are well known.")


def give(database, folder, now):
    """Donate pages of the two weeks before a time, and make the runs of these weeks."""
    job = write(folder / "jobs")
    audit = load_audit(job)
    accepted = AcceptedPages.of_jobs([audit])
    monday = find_week(now)
    for week in range(_WEEKS, 0, -1):
        for donor in range(_DONORS):
            at = monday - timedelta(weeks=week) + timedelta(days=donor % 7, hours=9)
            _give(database, folder, accepted, donor, at)
    with closing(Shelves(job.parent)) as shelves:
        weeks = donations.list_weeks(database, audit, now)
        return len(list(make_missing_runs(database, audit, shelves, weeks, quiet, lambda: False)))


def write(folder):
    """Write the job and its list; returns the job's path."""
    items = [
        {"key": f"who-{n}", "text": f"famous {n}s", "occupation": n, "gender_neutral": "yes"}
        for n in list(invented.SHOWN)[:5]
    ]
    make_list(folder, "donated", items=items, cue="terms", title="Questions that donors asked")
    engine = {
        "name": "donated_pages", "regions": ["us-en"], "title": "Pages of invented donors",
        "config": {"system": "google"},
    }  # fmt: skip
    content = job_content(
        name=DONATING,
        invented=True,
        description="What a search engine showed to donors who do not exist",
        schedule={"cron": "0 5 * * mon", "timezone": "UTC", "catch_up": "all"},
        lists=[{"name": "donated@1"}],
        engines=[engine],
        measures=[{"name": "arb", "cutoff": 5}],
        governance=governed(
            purpose="An example to look around in: every answer is invented",
            controller="Nobody: the example of the program monitor",
            legal_basis="None is needed: no donor exists",
            contact="example@monitor.test",
        ),
    )
    return make_job(folder, f"{DONATING}.toml", **content)


def _give(database, folder, accepted, donor, at):
    questions = tuple(accepted.questions.values())
    words = _WORDS[int(len(_WORDS) * invented.draw("donor", donor, at.isoformat()))]
    path = folder / f"donor-{donor}.har"
    path.write_bytes(donated.har(donor, questions, at, words))
    try:
        checked = check_file(path, path.name, accepted)
    finally:
        path.unlink()
    details = DonorDetails(f"invented {donor}", "us-en", "desktop", donor % 2 == 0, CONSENT)
    donations.add_donation(database, checked, details, KEY, at)
