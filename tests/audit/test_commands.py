"""`monitor audit` on the demo archive, through the program, on both databases."""

import csv
import json
from itertools import pairwise

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser

from monitor import cli
from monitor.model import GenderClass, RunKind
from monitor.pipeline.collect.run_starts import audit_of_run
from monitor.pipeline.derive.values import compute_points
from monitor.store import schema
from monitor.store.collect import runs
from tests.audit.reading import JOB, alarms, filled, person, read, run_at, steps, write
from tests.columns import holds
from tests.demo import TURNED, WEEKS
from tests.factories import rows

# --- draw -----------------------------------------------------------------------------------------


def test_a_sheet_hides_who_translated_and_what_was_found(monitor, archive, tmp_path):
    code, said, why = monitor("audit", "draw", JOB)
    assert (code, said) == (0, "")
    assert "masculine 20 of 239, feminine 20 of 93, none 2 of 2" in why
    sheet = tmp_path / f"audit-{JOB}-1.csv"
    some = read(sheet)
    assert list(some[0]) == ["key", "language", "look_at", "text", "class"]
    assert {row["class"] for row in some} == {""}
    assert {(row["language"], row["look_at"]) for row in some} == {
        ("cs", "the speaker"), ("en", "the pronoun"),
    }  # fmt: skip
    text = sheet.read_text("utf-8")
    for secret in ("two", "one.test", "libre", "firefox", "masculine", "feelings", "stereotype"):
        assert secret not in text
    guide = (tmp_path / f"audit-{JOB}-1.csv.guide.txt").read_text("utf-8")
    assert all(f"  {cls.value} " in guide for cls in GenderClass)


def test_classes_come_in_random_order(monitor, tmp_path):
    monitor("audit", "draw", JOB)
    found = [
        person(row) for row in read(tmp_path / f"audit-{JOB}-1.csv") if row["language"] == "cs"
    ]
    assert 8 < sum(a != b for a, b in pairwise(found)) < 34


def test_no_cell_runs_as_a_formula(monitor, tmp_path):
    monitor("audit", "draw", JOB)
    cells = [row["text"] for row in read(tmp_path / f"audit-{JOB}-1.csv")]
    assert sum(cell.startswith("'=HYPERLINK") for cell in cells) == 2
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_what_was_drawn_is_written_down(monitor, archive):
    monitor("audit", "draw", JOB)
    [audit] = rows(archive, "SELECT * FROM instrument_audits")
    assert (audit["run_id"], audit["per_class"]) == (run_at(archive, WEEKS[-1]), 20)
    assert len(audit["digest"]) == 64
    counts = {
        row["called"]: (row["n_answers"], row["n_drawn"], row["n_read"])
        for row in rows(archive, "SELECT * FROM audits WHERE target = 'cs'")
    }
    assert counts == {"masculine": (239, 20, 0), "feminine": (93, 20, 0), "none": (2, 2, 0)}
    drawn = rows(
        archive,
        "SELECT s.class AS wanted, a.class AS found, r.due_at FROM instrument_audit_items i "
        "JOIN instrument_audit_strata s ON s.id = i.stratum_id "
        "JOIN agreements a ON a.id = i.agreement_id JOIN items t ON t.id = a.item_id "
        "JOIN readings d ON d.id = t.reading_id JOIN attempts p ON p.id = d.attempt_id "
        "JOIN runs r ON r.id = p.run_id",
    )
    assert len(drawn) == 42 + 12
    assert all(row["wanted"] == row["found"] for row in drawn)
    assert len({str(row["due_at"]) for row in drawn}) == 1


def test_the_same_draw_is_the_same_sheet_and_is_written_down_once(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    code, _, why = monitor("audit", "draw", JOB, "-o", "b.csv")
    assert (code, "was drawn before" in why) == (0, True)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    monitor("audit", "draw", JOB, "-o", "c.csv", "--seed", "another")
    assert not {r["key"] for r in read(tmp_path / "a.csv")} & {
        r["key"] for r in read(tmp_path / "c.csv")
    }
    assert [row["seed"] for row in rows(archive, "SELECT * FROM instrument_audits ORDER BY id")][
        1
    ] == "another"


def test_a_sheet_is_never_written_over(monitor, tmp_path):
    (tmp_path / f"audit-{JOB}-1.csv").write_text("mine")
    code, _, why = monitor("audit", "draw", JOB)
    assert (code, "never written over" in why) == (2, True)
    assert (tmp_path / f"audit-{JOB}-1.csv").read_text() == "mine"


def test_each_system_apart(monitor, archive):
    monitor("audit", "draw", JOB, "--by-system", "--per-class", 3)
    found = rows(archive, "SELECT * FROM audits")
    assert len({row["system"] for row in found}) == 7
    assert "libretranslate(base_url=http://two.test), feelings@1, en-cs" in {
        row["system"] for row in found
    }
    assert {row["n_drawn"] for row in found} <= {1, 2, 3}


REFUSED = {
    "no job 'nobody'; known: ": ["nobody"],
    "run 999 is no finished run of job": [JOB, "--run", "999"],
    "no translation that the present rules have read": ["people"],
    "up to 64 printable characters": [JOB, "--seed", "a\tb"],
    "--seed: up to 64": [JOB, "--seed", "x" * 65],
}


def test_what_cannot_be_drawn_is_said(monitor, archive):
    for why, arguments in REFUSED.items():
        code, _, said = monitor("audit", "draw", *arguments)
        assert (code, why in said) == (2, True), said
    assert rows(archive, "SELECT * FROM instrument_audits") == []


def test_a_run_that_asked_again_is_not_drawn_from(monitor, archive):
    with archive.read() as connection:
        noise = runs.find_scheduled(connection, JOB, WEEKS[2], RunKind.NOISE)
    code, _, why = monitor("audit", "draw", JOB, "--run", noise)
    assert (code, "ask a part again" in why) == (2, True)


def test_erased_texts_are_left_out(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    with archive.begin() as connection:
        number = connection.execute(
            sa.insert(schema.erasures)
            .values(kind="url", subject_hash="x", reason="r", counts={}, erased_at=WEEKS[0])
            .returning(schema.erasures.c.id)
        ).scalar_one()
        connection.execute(
            sa.update(schema.items)
            .where(schema.items.c.text.like("=HYPERLINK%"))
            .values(text="", erasure_id=number)
        )
    _, _, why = monitor("audit", "draw", JOB, "-o", "b.csv")
    assert "erased" not in why  # what is there to draw is another draw now
    counts = rows(archive, "SELECT * FROM audits WHERE target = 'cs' AND audit_id = 2")
    assert {row["called"] for row in counts} == {"masculine", "feminine"}
    assert "2 answers cannot be drawn" in why
    sheet = filled(tmp_path / "a.csv")  # what was drawn before can still be given back
    assert monitor("audit", "import", sheet, "--by", "ab")[0] == 0


# --- import ---------------------------------------------------------------------------------------


def test_labels_come_back_once(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    sheet = filled(tmp_path / "a.csv")
    code, _, why = monitor("audit", "import", sheet, "--by", "ab")
    assert (code, "54 new labels, 0 changed, 0 as before; 0 rows without" in why) == (0, True)
    code, _, why = monitor("audit", "import", sheet, "--by", "ab")
    assert "0 new labels, 0 changed, 54 as before" in why
    assert len(rows(archive, "SELECT * FROM instrument_audit_labels")) == 54


def test_a_changed_label_is_a_new_row(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    monitor("audit", "import", filled(tmp_path / "a.csv", wrong=2), "--by", "ab")
    _, _, why = monitor("audit", "import", filled(tmp_path / "a.csv"), "--by", "ab")
    assert "0 new labels, 4 changed, 50 as before" in why
    assert len(rows(archive, "SELECT * FROM instrument_audit_labels")) == 58
    found = rows(archive, "SELECT * FROM audits WHERE target = 'cs'")
    assert {row["called"]: (row["n_read"], row["n_right"]) for row in found} == {
        "masculine": (20, 20), "feminine": (20, 20), "none": (2, 2),
    }  # fmt: skip


def test_empty_cells_stay_unlabelled_and_are_said(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    some = read(filled(tmp_path / "a.csv"))
    for row in some[:5]:
        row["class"] = " "
    _, _, why = monitor("audit", "import", write(tmp_path / "a.csv", some), "--by", "ab")
    assert "49 new labels, 0 changed, 0 as before; 5 rows without a label" in why
    monitor("audit", "import", filled(tmp_path / "a.csv"), "--by", "ab")
    some[5]["class"] = ""
    _, _, why = monitor("audit", "import", write(tmp_path / "b.csv", some[5:10]), "--by", "ab")
    assert "1 of these were labelled by ab before: those labels stand" in why
    assert "49 drawn texts are not on this sheet" in why
    assert len(rows(archive, "SELECT * FROM instrument_audit_labels")) == 54


def test_two_people_on_one_sheet(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    monitor("audit", "import", filled(tmp_path / "a.csv"), "--by", "ab")
    monitor("audit", "import", filled(tmp_path / "a.csv", wrong=3), "--by", "cd")
    found = rows(archive, "SELECT * FROM audits WHERE target = 'cs'")
    assert {row["called"]: (row["n_read"], row["n_right"], row["n_disputed"]) for row in found} == {
        "masculine": (20, 17, 3), "feminine": (20, 17, 3), "none": (2, 2, 0),
    }  # fmt: skip
    _, said, _ = monitor("audit", "show", JOB)
    assert "read by ab 42, cd 42; they agree on 85.7%; 6 disputed (not right" in said
    [cs, _] = json.loads(monitor("audit", "show", "--json")[1])
    assert cs["classes"][0]["truths"] == {"masculine": 18.5, "none": 1.5}


def test_what_spreadsheet_programs_do_is_understood(monitor, archive, tmp_path):
    """Semicolons, a byte order mark, capitals, other line ends, a lost apostrophe."""
    monitor("audit", "draw", JOB, "-o", "a.csv")
    some = read(filled(tmp_path / "a.csv"))
    for row in some:
        row["class"] = f" {row['class'].upper()} "
        row["text"] = row["text"].removeprefix("'").replace("\r\n", "\n")
    with (tmp_path / "b.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, some[0], delimiter=";", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(some)
    code, _, why = monitor("audit", "import", "b.csv", "--by", "ab")
    assert (code, "54 new labels" in why) == (0, True)


def damaged(name, some):
    """A sheet as it must not come back, as bytes."""
    header = ",".join(some[0])
    lines = [
        ",".join(f'"{cell}"' for cell in row.values()) for row in some if row["text"][0] == "J"
    ]
    key = some[0]["key"]
    return {
        "formula": [header, lines[0].rsplit(",", 1)[0] + ',"=cmd|calc!A1"'],
        "unknown class": [header, lines[0].rsplit(",", 1)[0] + ',"maskulin"'],
        "foreign row": [header, lines[0], '"k0123456789abcde","cs","the speaker","x","masculine"'],
        "formula for a key": [header, '"=1+1","cs","the speaker","x","masculine"'],
        "twice": [header, lines[0], lines[0]],
        "another text": [header, f'"{key}","cs","the speaker","Jsem jiná.","masculine"'],
        "no class": ["key,text", f'"{key}","x"'],
        "no key": ["text,class", '"x","masculine"'],
        "more cells": [header, lines[0] + ',"masculine","masculine"'],
        "nothing": [header],
        "empty": [""],
    }[name]


DAMAGES = {
    "formula": ":2: class '=cmd|calc!a1'; write one of masculine",
    "unknown class": ":2: class 'maskulin'",
    "foreign row": ":3: key 'k0123456789abcde' is no row of an audit in this database",
    "formula for a key": "is no row of an audit",
    "twice": "stands twice",
    "another text": "the text is not that of its key",
    "no class": ":1: no column class",
    "no key": ":1: no column key",
    "more cells": "columns, the header",
    "nothing": "no row of a sheet",
    "empty": "no column",
}


def test_a_damaged_sheet_is_refused_whole(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    some = read(filled(tmp_path / "a.csv"))
    for name, why in DAMAGES.items():
        text = "\n".join(damaged(name, some)) + "\n"
        (tmp_path / "b.csv").write_text(text, encoding="utf-8")
        code, _, said = monitor("audit", "import", "b.csv", "--by", "ab")
        assert (code, why in said) == (2, True), (name, said)
        assert rows(archive, "SELECT * FROM instrument_audit_labels") == []


def test_another_encoding_is_refused(monitor, archive, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    text = filled(tmp_path / "a.csv").read_text("utf-8")
    for encoding in ("utf-16", "cp1250"):
        (tmp_path / "b.csv").write_bytes(text.encode(encoding, errors="replace"))
        code, _, why = monitor("audit", "import", "b.csv", "--by", "ab")
        assert (code, "not UTF-8" in why) == (2, True)


def test_rows_of_two_audits_are_not_one_sheet(monitor, tmp_path):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    monitor("audit", "draw", JOB, "-o", "b.csv", "--seed", "x")
    both = write(tmp_path / "c.csv", read(tmp_path / "a.csv") + read(tmp_path / "b.csv"))
    code, _, why = monitor("audit", "import", both, "--by", "ab")
    assert (code, "rows of several audits (1, 2)" in why) == (2, True)


def test_a_name_is_a_code_name(monitor, archive):
    monitor("audit", "draw", JOB, "-o", "a.csv")
    for name in ("", "Ada Lovelace", "a\nb", "x" * 41, "=1"):
        code, _, why = monitor("audit", "import", "a.csv", "--by", name)
        assert (code, "--by" in why) == (2, True)


# --- what follows ---------------------------------------------------------------------------------


def test_show_says_what_was_called_and_what_is_true(monitor, audited):
    audited(WEEKS[-1], wrong=2)
    code, said, _ = monitor("audit", "show", JOB)
    text = " ".join(said.split())
    assert code == 0
    assert "called answers read masc fem none right 95 %" in text
    assert "masculine 239 20 of 20 18 0 2 0.900 0.70 to 0.97" in text
    assert "feminine 93 20 of 20 0 18 2 0.900 0.70 to 0.97" in text
    assert "masculine among marked, all of these answers: raw 0.720, corrected 0.720 [" in text
    assert "Not compared with an audit before: no audit before it" in text
    assert "f_s, f_m, s_or" in text


def test_scripts_get_the_same(monitor, audited):
    audited(WEEKS[-1], wrong=2)
    [cs, en] = json.loads(monitor("audit", "show", "--json")[1])
    assert (cs["target"], en["target"], cs["raters"]) == ("cs", "en", {"ab": 42})
    weighed = (239 * 0.9 + 93 * 0.9 + 2) / 334
    assert cs["right_share"]["rate"] == pytest.approx(weighed)
    assert cs["marked_share"]["raw"] == pytest.approx(332 / 334)
    assert cs["marked_share"]["rate"] == pytest.approx(332 * 0.9 / 334)
    assert en["masculine_share"]["rate"] == pytest.approx(2 / 3)


def test_analysts_see_what_the_dictionary_says(archive, audited):
    audited(WEEKS[-1], wrong=2)
    holds(archive, "audits")


def test_what_was_drawn_and_never_read_is_shown(monitor, archive):
    monitor("audit", "draw", JOB, "--seed", "first")
    monitor("audit", "draw", JOB, "--seed", "second")
    _, said, _ = monitor("audit", "show")
    assert said.count("nobody has read any yet") == 4
    assert ("seed first" in said, "seed second" in said) == (True, True)
    assert monitor("audit", "show", "nobody")[0] == 2


def test_a_fall_raises_an_alarm_and_is_no_finding_until_it_is_over(monitor, archive, audited):
    before = steps(archive)
    assert {one.cause for one in before} == {"engine"}
    audited(WEEKS[2])
    assert alarms(archive) == {}
    said = audited(TURNED, wrong=8)
    assert "alarm instrument_suspect: mt-weekly: cs: calls are less often right" in said
    assert f"{len(before)} findings were decided anew" in said
    assert alarms(archive) == {"mt-weekly: cs": True}
    now = steps(archive)
    assert {one.cause for one in now} == {"instrument"}
    assert "27 of 43 texts of run" in now[0].because
    assert [one.sentence for one in now] == [one.sentence for one in before]
    _, shown, _ = monitor("audit", "show", JOB)
    assert "The instrument is in doubt." in shown
    # an audit of a later tick that is well ends it, and the findings of the tick stay ours
    said = audited(WEEKS[-1])
    assert "alarm instrument_suspect is over: mt-weekly: cs" in said
    assert alarms(archive) == {"mt-weekly: cs": False}
    assert {one.cause for one in steps(archive)} == {"instrument"}


def test_labels_that_are_mended_end_the_doubt(monitor, archive, audited):
    before = steps(archive)
    audited(WEEKS[2])
    audited(TURNED, wrong=8)
    audited(TURNED, by="cd")  # who reads rightly: what they differ on is not right
    assert alarms(archive) == {"mt-weekly: cs": True}
    assert {one.cause for one in steps(archive)} == {"instrument"}
    sheet = f"{TURNED:%m%d}-cd.csv"
    code, _, why = monitor("audit", "import", sheet, "--by", "ab")
    assert code == 0, why
    assert alarms(archive) == {"mt-weekly: cs": False}
    assert [one.cause for one in steps(archive)] == [one.cause for one in before]


def test_points_of_the_language_are_flagged_from_then_on(monitor, archive, audited):
    audited(WEEKS[2])
    audited(TURNED, wrong=8)
    with archive.read() as connection:
        run = runs.get_run(connection, run_at(archive, WEEKS[-1]))
        early = runs.get_run(connection, run_at(archive, WEEKS[2]))
    for one in (run, early):
        compute_points(archive, audit_of_run(archive, one), one)
    found = rows(
        archive, "SELECT run_id, target, flags FROM points_current WHERE job = 'mt-weekly'"
    )
    flagged = {
        (row["run_id"], row["target"]) for row in found if "instrument_suspect" in row["flags"]
    }
    assert flagged == {(run.id, "cs")}


def test_another_language_in_doubt_leaves_findings_alone(monitor, archive, audited):
    audited(WEEKS[2], language="en")
    audited(TURNED, wrong=3, language="en")
    assert alarms(archive) == {"mt-weekly: en (pronoun)": True}
    assert {one.cause for one in steps(archive)} == {"engine"}


# --- published ------------------------------------------------------------------------------------


def point(archive, quantity, engine="%two.test%", scope="all"):
    query = (
        "SELECT p.point_id, p.value FROM points_current p WHERE p.quantity = :q AND p.scope = :s "
        "AND p.engine LIKE :e AND p.run_id = :r AND p.list LIKE 'feelings%'"
    )
    values = {"q": quantity, "s": scope, "e": engine, "r": run_at(archive, WEEKS[-1])}
    with archive.read() as connection:
        return connection.execute(sa.text(query), values).one()


def card(monitor, *arguments):
    code, said, why = monitor("series", "claim", *arguments)
    assert code == 0, why
    return said


def audit_of(monitor, number, *arguments):
    return json.loads(card(monitor, number, *arguments, "--json"))["instrument_audit"]


def test_a_card_says_that_nobody_audited(monitor, archive):
    number = point(archive, "marked_share").point_id
    found = audit_of(monitor, number, "--point")
    assert (found["audit"], found["correction"], found["in_doubt"]) == (None, None, [])
    assert "has not been audited for these answers" in " ".join(
        card(monitor, number, "--point").split()
    )


def test_a_card_has_the_corrected_rate_where_its_system_was_drawn_from(
    monitor, archive, audited, tmp_path
):
    found = point(archive, "marked_share")
    audited(WEEKS[-1], options=("--seed", "pooled"))
    pooled = audit_of(monitor, found.point_id, "--point")
    assert pooled["correction"] is None
    assert "several engines or lists together" in pooled["reason"]
    (tmp_path / f"{WEEKS[-1]:%m%d}-ab.csv").unlink()
    audited(WEEKS[-1], wrong=2, options=("--by-system",))
    apart = audit_of(monitor, found.point_id, "--point")
    assert apart["correction"]["raw"] == pytest.approx(found.value, abs=1e-12)
    assert apart["correction"]["low"] <= apart["correction"]["rate"] <= apart["correction"]["high"]
    assert apart["audit"]["systems"] == [
        "libretranslate(base_url=http://two.test), feelings@1, en-cs"
    ]
    monitor("series", "claim", found.point_id, "--point", "--output", "card.html")
    page = (tmp_path / "card.html").read_text("utf-8")
    assert "How accurate is the detection?" in page
    assert "corrected by the audit" in page


def test_a_card_says_what_is_not_corrected(monitor, archive, audited):
    audited(WEEKS[2], options=("--by-system",))
    other_run = audit_of(monitor, point(archive, "marked_share").point_id, "--point")
    assert "corrects the answers of that run alone" in other_run["reason"]
    f_s = audit_of(monitor, point(archive, "f_s").point_id, "--point")
    assert (f_s["correction"], "f_s, f_m" in f_s["reason"]) == (None, True)
    change = audit_of(monitor, next(one.id for one in steps(archive)))
    assert (change["audit"]["run_id"], change["correction"]) == (run_at(archive, WEEKS[2]), None)


@pytest.mark.parametrize("options", [(), ("--by-system",)])
def test_an_audit_that_was_drawn_after_a_change_speaks_of_it(monitor, archive, audited, options):
    """One audits when something was found; rules and parser that read both are the same."""
    number = steps(archive)[0].id
    before = audit_of(monitor, number)
    assert before["audit"] is None
    audited(WEEKS[-1], options=options)
    found = audit_of(monitor, number)
    assert found["audit"]["run_id"] == run_at(archive, WEEKS[-1])
    assert found["correction"] is None
    assert "after these, read by the same versions" in " ".join(found["said"])
    text = " ".join(card(monitor, number).split())
    assert "has not been audited" not in text
    with archive.begin() as connection:  # other rules read the answers of that later run
        drawn = "SELECT language_id FROM instrument_audit_groups"
        connection.execute(sa.text(f"UPDATE versions SET version = 99 WHERE id IN ({drawn})"))
    other = audit_of(monitor, number)
    assert other["audit"] is None
    assert "read by other versions of rules or parser" in other["said"][0]
    assert f"audit {found['audit']['audit_id']} of run" in other["said"][0]


def test_a_card_names_the_audit_of_another_system(monitor, archive, audited):
    audited(WEEKS[-1], options=("--by-system",))
    with archive.begin() as connection:  # of that of the other system alone people have read
        connection.execute(
            sa.text(
                "DELETE FROM instrument_audit_labels WHERE item_id IN (SELECT i.id FROM "
                "instrument_audit_items i JOIN instrument_audit_strata s ON s.id = i.stratum_id "
                "JOIN instrument_audit_groups g ON g.id = s.group_id "
                "WHERE g.system LIKE '%two.test%')"
            )
        )
    found = audit_of(monitor, point(archive, "marked_share").point_id, "--point")
    assert found["audit"] is None
    assert "feelings@1, en-cs alone; how often our reading of these is right" in found["said"][0]


def test_an_earlier_audit_comes_before_a_later_one(monitor, archive, audited):
    audited(WEEKS[2])
    audited(WEEKS[-1])
    found = audit_of(monitor, steps(archive)[0].id)
    assert found["audit"]["run_id"] == run_at(archive, WEEKS[2])


def test_a_card_of_a_finding_in_doubt_says_so(monitor, archive, audited):
    audited(WEEKS[2])
    audited(TURNED, wrong=8)
    found = audit_of(monitor, steps(archive)[0].id)
    assert len(found["in_doubt"]) == 1
    assert "27 of 43" in found["in_doubt"][0]


def test_a_card_of_people_or_scores_has_no_such_section(monitor, archive):
    number = rows(archive, "SELECT MIN(point_id) AS n FROM points_current WHERE job = 'people'")[0][
        "n"
    ]
    assert audit_of(monitor, number, "--point") is None


def test_weekly_reports_have_the_audit_beside_the_raw_rates(monitor, audited, tmp_path):
    audited(WEEKS[-1], wrong=2)
    code, _, why = monitor("report", "weekly", "--job", JOB, "--folder", "w", "--formats",
                           "html,json")  # fmt: skip
    assert code == 0, why
    [numbers] = [json.loads(path.read_text()) for path in tmp_path.glob("w/**/*.json")]
    [cs, _] = numbers["instrument"]["audits"]
    assert (cs["read"], cs["right"], "raters" in cs) == (42, 38, False)
    [page] = [path.read_text("utf-8") for path in tmp_path.glob("w/**/*.html")]
    assert "How accurate is the detection?" in page
    said = " ".join(LexborHTMLParser(page).text().split())
    assert "cs: last audited on the answers of 2025-02-03, 42 items" in said


def test_weekly_reports_say_what_was_never_audited(monitor, archive, tmp_path):
    monitor("report", "weekly", "--job", JOB, "--folder", "w", "--formats", "html,json")
    [page] = [path.read_text("utf-8") for path in tmp_path.glob("w/**/*.html")]
    assert "cs, en: never audited" in page


def test_commands_are_there():
    import typer

    found = typer.main.get_command(cli.app).commands["audit"].commands
    assert set(found) == {"draw", "import", "show"}
