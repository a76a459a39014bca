"""A run that asks about named persons: from the list to the points, the report and the table."""

import io
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import InvalidInput, RunKind
from monitor.pipeline import validation as audits
from monitor.stages import validation as audit_sheets
from monitor.stages.document.terminal import print_document
from monitor.stages.reports.run_report import make_report, make_summary
from tests.factories import (
    DUE,
    Scripted,
    make_job,
    make_list,
    mini_items,
    portuguese,
    quiet,
    rows,
)

OCCUPATIONS = ("nurse", "teacher", "developer", "designer", "mechanic", "clerk")
NOUNS = {
    "nurse": "enfermera", "teacher": "maestra", "developer": "desarrollador",
    "designer": "diseñador", "mechanic": "mecánico", "clerk": "empleado",
}  # fmt: skip


def named_items():
    return [
        {
            "key": f"n-{name}-{n}", "text": f"The {name} left at {n}.", "entity": name,
            "index": "1", "ambiguous": "PROF", "person": name, "template": f"t{n}",
        }
        for name in OCCUPATIONS
        for n in (1, 2)
    ]  # fmt: skip


def spanish(items):
    article = {True: "La", False: "El"}
    return {
        item["text"]: f"{article[NOUNS[item['person']].endswith('a')]} "
        f"{NOUNS[item['person']]} se fue a las {item['template'][1:]}."
        for item in items
    }


@pytest.fixture
def audit(tmp_path):
    """A job with a list of named persons and one of speakers, into Spanish."""
    make_list(tmp_path, "named", items=named_items(), cue="entity")
    make_list(tmp_path)
    job = make_job(
        tmp_path,
        lists=[{"name": "named@1"}, {"name": "mini@1"}],
        engines=[{"name": "firefox_translations", "targets": ["es"]}],
        measures=[{"name": "ambiguous_default"}, {"name": "masculine_rate", "floor": 1}],
    )
    return load_audit(job)


@pytest.fixture
def tick(audit, database):
    """A run of the job."""
    spoken = {
        text: text.replace("I am tired", "Estoy cansada") for text in portuguese(mini_items())
    }
    started = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    fetcher = Scripted(spanish(named_items()) | spoken)
    return pipeline.run(database, audit, started, fetcher, quiet)


def test_each_person_is_read_with_the_source_and_each_speaker_without(tick, database):
    found = {
        (row["item_key"], row["cue"]): (row["class"], row["witnesses"])
        for row in rows(database, "SELECT item_key, cue, class, witnesses FROM answers")
    }
    cls, witnesses = found["n-nurse-1", "entity"]
    assert (cls, "enfermera" in str(witnesses)) == ("feminine", True)
    assert found["n-clerk-2", "entity"][0] == "masculine"
    assert found["s01-1", "agreement"][0] == "feminine"
    assert ("s01-1", "entity") not in found


def test_values_are_those_of_the_persons(tick, database):
    points = rows(
        database, "SELECT measure, quantity, value FROM points_current WHERE scope = 'all'"
    )
    values = {row["quantity"]: row["value"] for row in points}
    assert values["masculine_default"] == pytest.approx(8 / 12)
    assert values["f_m"] == 0.0  # of the speakers
    versions = rows(database, "SELECT DISTINCT kind FROM versions WHERE name = 'es'")
    assert {row["kind"] for row in versions} == {"entities", "languages"}


def test_the_report_opens_with_occupations_and_their_sentences(tick, database):
    with database.read() as connection:
        page = make_report(connection, tick.run.id, ZoneInfo("UTC")).html
        document = make_summary(connection, tick.run.id, ZoneInfo("UTC"), findings_only=True)
    assert "Whom Spanish translations make a woman or a man" in page
    assert "Masculine choices where the gender is open: 67" in page
    stream = io.StringIO()
    print_document(document, Console(file=stream, width=100))
    printed = " ".join(stream.getvalue().split())
    assert "nurse a woman" in printed
    assert "La enfermera se fue a las 1." in printed
    assert printed.index("Key findings") < printed.index("La enfermera se fue")


def test_audits_draw_speakers_and_no_named_persons(tick, database):
    drawn = audits.draw_audit(database, tick.run.job, DUE)
    assert {pool.cue for pool in drawn.pools} == {"agreement"}
    assert audit_sheets.make_rows(drawn.entries)


def test_an_audit_of_named_persons_alone_is_refused(tmp_path, database):
    make_list(tmp_path, "named", items=named_items(), cue="entity")
    job = make_job(
        tmp_path, lists=[{"name": "named@1"}],
        engines=[{"name": "firefox_translations", "targets": ["es"]}],
        measures=[{"name": "ambiguous_default"}],
    )  # fmt: skip
    audit = load_audit(job)
    started = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    pipeline.run(database, audit, started, Scripted(spanish(named_items())), quiet)
    with pytest.raises(InvalidInput, match="and not of named persons"):
        audits.draw_audit(database, audit.job.name, DUE)


@pytest.mark.parametrize(
    ("items", "target", "words"),
    [
        ([{"key": "a", "text": "The nurse left.", "entity": "doctor"}], "es",
         "tag 'entity' is 'doctor'; with the cue entity it must be words of the text"),
        ([{"key": "a", "text": "The nurse left."}], "es", "tag 'entity' is ''"),
        ([{"key": "a", "text": "The nurse left.", "entity": "nurse", "index": "3"}], "es",
         "tag 'index' is '3'; it must be the place of a word of the text, 0 to 2"),
        ([{"key": "a", "text": "The nurse left.", "entity": "nurse", "ambiguous": "x"}], "cs",
         "language 'cs': the gender of a named person is not read in it; languages that are read:"),
    ],
)  # fmt: skip
def test_lists_and_jobs_that_cannot_be_read_are_refused(tmp_path, items, target, words):
    make_list(tmp_path, "named", items=items, cue="entity")
    job = make_job(
        tmp_path, lists=[{"name": "named@1"}],
        engines=[{"name": "firefox_translations", "targets": [target]}],
        measures=[{"name": "ambiguous_default"}],
    )  # fmt: skip
    with pytest.raises(InvalidInput) as refused:
        load_audit(job)
    assert words in str(refused.value)
