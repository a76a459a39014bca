"""`monitor series`: what people, scripts and spreadsheets get of a series."""

import csv
import io
import json

import pytest

from monitor.cli.changes import series_views as _series_list
from monitor.store.changes import findings as changes
from monitor.store.changes.findings import LedgerRow
from tests.command import program
from tests.series_scene import Scene, week

HOSTILE = "=cmd\x1b[2J\u202eevil\n"


@pytest.fixture
def scene(sqlite_database):
    return Scene(sqlite_database)


@pytest.fixture
def monitor(scene, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"sqlite:///{tmp_path / 'monitor.db'}")
    monkeypatch.setenv("COLUMNS", "80")
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def filled(scene):
    """A series with every sort of tick; returns its number."""
    number = scene.series()
    first, second = scene.done(0), scene.done(1)
    scene.point(number, first)
    scene.point(number, second, 0.75)
    scene.missed(2, "paused by a person")
    scene.point(number, scene.done(3), None)
    other = scene.another_signature()
    scene.point(number, scene.done(4), 0.9, signature_id=other)
    scene.point(number, first, 0.1, signature_id=other, is_current=False)
    scene.compared(number, first, second)
    scene.changed(number, first, second)
    return number


# --- show -----------------------------------------------------------------------------------------


def test_a_series_is_shown_with_its_gaps(monitor, filled):
    code, shown, _ = monitor("series", "show", filled)
    assert code == 0
    assert (
        f"series {filled}: f_s of deepl (api), en to cs, mini, masculine_rate, job audit" in shown
    )
    lines = shown.splitlines()
    assert all(len(line) <= 80 for line in lines)
    [first] = [line for line in lines if line.startswith("  2025-01-06")]
    assert first.split() == [
        "2025-01-06", "05:00", "0.500", "[0.400,", "0.600]", "[0.250,", "0.750]", "30", "of", "40",
    ]  # fmt: skip
    [marked] = [line for line in lines if line.startswith("* 2025-01-13")]
    assert " 0.750 " in marked
    words = " ".join(shown.split())
    assert "change since 2025-01-06: +0.250 [0.125, 0.375], p < 0.001; 9 of 38 questions" in words
    change = "step +0.250 [0.125, 0.375], confirmed, cause: the engine, not an update of our own"
    assert f"{change} software: f_s rose" in words
    assert "2025-01-20 05:00  missed: no run at this tick (missed): paused by a person" in shown
    assert "2025-01-27 05:00  insufficient: 2 of 40 usable, floor 10" in shown
    assert "2025-02-03 05:00  insufficient: computed with signature" in shown
    assert "5 due ticks: 2 measured, 2 insufficient, 1 missed" in shown
    assert "  version: 1" in shown
    assert "other signatures (points):" in shown
    assert "this chart has stood still since 2025-02-03 05:00 UTC, because 2 older runs" in words


def test_missing_answers_stand_beside_the_change_and_on_its_card(monitor, scene):
    number, first, second = scene.series(), scene.done(0), scene.done(1)
    scene.point(number, first)
    scene.point(number, second, 0.75)
    facts = {"bound_low": -0.1, "bound_high": 0.4, "missing_suspect": 1.0, "became_missing": 12.0}
    scene.compared(number, first, second, facts=facts)
    change = scene.changed(number, first, second)
    bounds = "Bounds: -0.100 to +0.400, whatever the missing answers are. It may be due to missing"
    assert bounds in " ".join(monitor("series", "show", number)[1].split())
    assert bounds in " ".join(monitor("series", "claim", change)[1].split())
    card = json.loads(monitor("series", "claim", change, "--json")[1])
    assert (card["bounds"], card["missing_suspect"]) == ([-0.1, 0.4], True)


def test_no_number_stands_where_there_is_none(monitor, filled):
    _, shown, _ = monitor("series", "show", filled, "--json")
    ticks = json.loads(shown)["ticks"]
    assert [tick["state"] for tick in ticks] == [
        "measured", "measured", "missed", "insufficient", "insufficient",
    ]  # fmt: skip
    for tick in ticks[2:]:
        assert [tick[name] for name in ("value", "low", "high")] == [None] * 3
    assert ticks[0]["due_at"] == "2025-01-06T05:00:00Z"
    _, shown, _ = monitor("series", "show", filled, "--csv")
    table = list(csv.DictReader(io.StringIO(shown)))
    assert [row["value"] for row in table] == ["0.5", "0.75", "", "", ""]
    assert [row["used"] for row in table] == ["30", "30", "", "2", ""]
    assert table[0]["flags"] == "exploratory"


def test_everything_is_in_the_json(monitor, filled):
    found = json.loads(monitor("series", "show", filled, "--json")[1])
    assert found["series"]["engine"] == "deepl"
    assert found["signature"]["parts"] == {"of": "scene", "version": 1}
    assert [one["delta"] for one in found["comparisons"]] == [0.25]
    assert [one["status"] for one in found["changes"]] == ["confirmed"]
    assert found["switches"] == found["not_asked"] == []
    assert found["stands_still"]["since"] == "2025-02-03T05:00:00Z"
    assert found["stands_still"]["after"] == {"of": "scene", "version": 2}
    [other] = found["other_signatures"]
    older = json.loads(monitor("series", "show", filled, "--json", "--signature", other[:8])[1])
    assert [tick["value"] for tick in older["ticks"]] == [0.1, None, None, None, 0.9]
    assert older["comparisons"] == []  # those are of the signature that is shown
    assert older["signature"]["parts"]["version"] == 2


def test_a_series_is_named_by_what_it_is_about(monitor, filled, scene):
    scene.series(target="pl")
    scene.series(scope="stereotype:1")
    options = ("--engine", "deepl", "--target", "cs", "--quantity", "f_s")
    code, shown, _ = monitor("series", "show", *options)
    assert code == 0
    assert f"series {filled}:" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--quantity", "f_s"),
            "2 series fit quantity 'f_s'; name one by number, or say more: 1: ",
        ),
        (("--quantity", "nothing"), "no series: quantity 'nothing'; known: "),
        (("--quantity", "fs"), "quantity 'fs'; did you mean f_s (stereotype rate p_m - p_f)?"),
        (("99",), "no series 99; `monitor series list` lists them"),
        ((), "which series? give its number"),
        (("1", "--target", "cs"), "by its number or by options, not by both"),
        (("1", "--signature", "zz"), "no signature begins with 'zz'; series 1 has: "),
        (("1", "--since", "yesterday"), "--since 'yesterday': write 2025-01-31"),
        (("1", "--since", "2025-02-01", "--until", "2025-01-01"), "is after --until"),
        (("1", "--json", "--csv"), "choose one"),
    ],
    ids=lambda _: "",
)
def test_an_error_names_the_thing_and_the_remedy(monitor, filled, scene, arguments, said):
    scene.series(target="pl")
    code, _, error = monitor("series", "show", *arguments)
    assert code == 2
    assert said in error


def test_a_stretch_of_time(monitor, filled):
    arguments = (
        "series",
        "show",
        filled,
        "--json",
        "--since",
        "2025-01-13",
        "--until",
        "2025-01-20",
    )
    ticks = json.loads(monitor(*arguments)[1])["ticks"]
    assert [tick["due_at"][:10] for tick in ticks] == ["2025-01-13", "2025-01-20"]


def test_a_series_without_a_due_tick_says_why(monitor, scene):
    number = scene.series()
    scene.point(number, scene.run(0, kind="manual"))
    code, shown, _ = monitor("series", "show", number)
    assert code == 0
    assert "only scheduled runs are on the grid" in shown
    table = json.loads(monitor("series", "list", "--json")[1])
    assert [(row["n_ticks"], row["last_value"]) for row in table] == [(0, None)]
    assert "no due tick" in monitor("series", "list")[1]


def test_a_switch_of_signature_is_marked(monitor, filled, scene):
    from monitor.store import schema

    other = scene.another_signature()
    scene.add(
        schema.switches, series_id=filled, from_id=other, to_id=scene.signature,
        switched_at=week(2),
    )  # fmt: skip
    shown = monitor("series", "show", filled)[1]
    assert "* 2025-01-20" in shown
    assert "no step of the chart comes from it" in " ".join(shown.split())


def test_a_series_that_is_not_asked_any_more_says_since_when(monitor, filled, scene):
    scene.done(5)
    assert "not asked since 2025-02-03" in monitor("series", "show", filled)[1]
    assert "not asked since 2025-02-03" in " ".join(monitor("series", "list")[1].split())


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5, 0.5], [None], [0.0, 1.0], [1e-9, 2e-9]])
def test_any_values_can_be_drawn(monitor, scene, values):
    number = scene.series()
    for place, value in enumerate(values):
        scene.point(number, scene.done(place), value)
    code, shown, _ = monitor("series", "show", number)
    assert code == 0
    assert ("nothing to draw" in shown) == (values == [None])
    assert shown.count("●") == sum(value is not None for value in values)


# --- list -----------------------------------------------------------------------------------------


def test_series_are_listed_with_their_newest_ticks(monitor, filled, scene):
    scene.series(scope="stereotype:1", quantity="p_i")
    code, shown, said = monitor("series", "list")
    assert code == 0
    assert "DeepL (api), English to Czech: mini, GEST masculine rate, job audit" in shown
    [row] = [line for line in shown.splitlines() if " f_s " in line]
    assert row.split() == [str(filled), "f_s", "5", "▁█×··", "insufficient"]
    assert "1 series over parts of the questions is left out; --scopes lists them" in said
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())
    assert "p_i stereotype:1" in monitor("series", "list", "--scopes")[1]


def test_an_engine_is_named_by_its_title_or_its_label(monitor, filled):
    for name in ("DeepL", "deepl", "deep"):
        assert "f_s" in monitor("series", "list", "--engine", name)[1]
        assert "f_s" in monitor("series", "show", "--engine", name)[1]
    assert "did you mean deepl (DeepL)?" in monitor("series", "list", "--engine", "DeepK")[2]
    assert "did you mean cs (Czech)?" in monitor("series", "list", "--target", "cz")[2]


def test_words_of_the_list_are_not_broken(monitor, scene):
    number = scene.series(
        "azure_translator(gender=female,profanity=marked)", quantity="a_long_quantity_name"
    )
    for weeks in range(20):
        scene.point(number, scene.done(weeks), -0.123456)
    shown = monitor("series", "list")[1]
    for word in (
        "a_long_quantity_name",
        "Azure AI Translator (gender=female, profanity=marked)",
        "-0.123",
        "-0.023]",
    ):
        assert word in shown
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())


def test_a_list_for_scripts_and_spreadsheets(monitor, filled, scene):
    later = scene.series("google")
    scene.point(later, scene.done(5), 0.25)
    table = json.loads(monitor("series", "list", "--json", "--engine", "google")[1])
    [row] = table
    assert (row["last_value"], row["n_ticks"], row["is_asked"]) == (0.25, 1, True)
    assert row["newest"] == [["2025-02-10T05:00:00Z", "measured", 0.25]]
    rows = list(csv.DictReader(io.StringIO(monitor("series", "list", "--csv")[1])))
    assert {row["engine"]: row["last_value"] for row in rows} == {"deepl": "", "google": "0.25"}
    assert {row["engine"]: row["is_asked"] for row in rows} == {"deepl": "false", "google": "true"}


def names_of(shown):
    """The quantities of a list for people, in its order."""
    return [line.split()[1] for line in shown.splitlines() if line[:3].strip().isdecimal()]


def test_quantities_stand_as_their_measure_names_them_primaries_first(monitor, scene):
    run = scene.done(0)
    for quantity in ("s_or", "p_f", "old_name", "marked_share", "f_m", "p_m", "f_s"):
        scene.point(scene.series(quantity=quantity), run)
    wanted = ["f_s", "f_m", "marked_share", "p_f", "p_m", "s_or", "old_name"]
    assert names_of(monitor("series", "list")[1]) == wanted
    rows = json.loads(monitor("series", "list", "--json")[1])
    assert [row["quantity"] for row in rows] == wanted
    rows = csv.DictReader(io.StringIO(monitor("series", "list", "--csv")[1]))
    assert [row["quantity"] for row in rows] == wanted


@pytest.mark.parametrize("width", [80, 120])
def test_columns_use_the_window_and_break_no_word(monitor, scene, monkeypatch, width):
    monkeypatch.setattr(_series_list.out, "_width", width)
    run = scene.done(0)
    scopes = ("all", "tag:occupation_group=health_and_social_work", "stereotype:10", "stereotype:2")
    for scope in scopes:
        scene.point(scene.series(quantity="masculine_share", scope=scope), run, -0.123)
    shown = monitor("series", "list", "--scopes")[1]
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())
    assert "[-0.223, -0.023]" in shown
    assert ("masculine_share tag:occupation_group=health_and_social_work" in shown) == (width > 80)
    for word in ("masculine_share", "health_and_social_work" if width > 80 else "social_work"):
        assert word in shown
    assert shown.index("stereotype:2 ") < shown.index("stereotype:10 ")


def test_parts_that_never_had_a_value_are_one_line_for_each_quantity(monitor, scene):
    first, second = scene.done(0), scene.done(1)
    scene.point(scene.series(), first)
    once = scene.series(quantity="p_i", scope="stereotype:1")
    scene.point(once, first, 0.5)
    scene.point(once, second, None)
    for number in range(2, 14):
        series = scene.series(quantity="p_i", scope=f"stereotype:{number}")
        scene.point(series, second, None)
    scene.point(scene.series(quantity="marked_share", scope="stereotype:1"), second, None)
    code, shown, said = monitor("series", "list", "--scopes")
    assert code == 0
    assert "p_i stereotype:1 " in shown  # it had one: its gap is no absence of old
    assert "stereotype:2" not in shown
    assert "12 parts without a value" in shown
    assert "1 part without a value" in shown
    assert "13 series never had a value; --all lists each" in said
    assert all(len(line.rstrip()) <= 80 for line in shown.splitlines())
    _, shown, said = monitor("series", "list", "--all")
    assert "p_i stereotype:13" in shown
    assert "without a value" not in shown
    assert len(json.loads(monitor("series", "list", "--scopes", "--json")[1])) == 15


@pytest.mark.parametrize(("form", "shown"), [((), ""), (("--json",), "[]\n"), (("--csv",), None)])
def test_an_archive_without_series_says_what_makes_some(monitor, scene, form, shown):
    code, printed, said = monitor("series", "list", *form)
    assert code == 0
    assert printed == shown if shown is not None else printed.startswith("series_id,job,list,")
    assert "no series yet: `monitor run JOB.toml` asks a job once" in said


def test_a_list_of_nothing_is_an_error(monitor, scene):
    code, _, error = monitor("series", "list", "--target", "xx")
    assert (code, "no series: target 'xx'" in error) == (2, True)


def test_a_list_of_parts_alone_says_so(monitor, scene):
    scene.series(scope="stereotype:1")
    code, shown, said = monitor("series", "list")
    assert (code, shown) == (0, "")
    assert "none over all questions; 1 series over parts" in said


# --- changes -----------------------------------------------------------------------------------


def test_what_moved_at_one_time_in_one_system_is_one_event(monitor, scene):
    first, second, third = (scene.done(number) for number in range(3))
    moved = {}
    for quantity in ("s_or", "p_f", "f_m", "f_s"):
        moved[quantity] = scene.series(quantity=quantity)
        role = "primary" if quantity in ("f_s", "f_m") else "secondary"
        scene.changed(moved[quantity], first, second, role=role, sentence=f"{quantity} fell.")
    scene.changed(scene.series("google"), first, second, sentence="Of another engine.")
    scene.changed(scene.series(scope="stereotype:1"), first, second, sentence="Of a part.")
    scene.changed(moved["f_s"], second, third, status="unconfirmed", sentence=f"Later {HOSTILE}")
    code, shown, said = monitor("series", "changes")
    assert code == 0
    lines = shown.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert all(len(line) <= 80 for line in lines)
    heads = [at for at, line in enumerate(lines) if line and not line.startswith(" ")]
    events = [lines[at:end] for at, end in zip(heads, [*heads[1:], None], strict=True)]
    assert [event[0] for event in events] == [
        "DeepL: unconfirmed signal (stereotype gap)",
        "DeepL became more stereotypical",
        "google has a wider stereotype gap",
    ]
    assert "  English to Czech, since 20 January 2025; job audit" in events[0]
    of_deepl = events[1]
    assert of_deepl[2] == "  Confirmed: enough runs agree; not from an update of our own software"
    named = [line.split("  ")[2] for line in of_deepl if line.strip()[:1].isdecimal()]
    assert [name.partition(":")[0] for name in named] == [
        "Stereotype gap",
        "Masculine forms",
        "Stereotyping (log odds)",
        "Masculine forms in sentences about stereotypes of women",
    ]
    assert "f_s fell." not in shown
    assert "1 further one over parts of the questions: --all" in said
    every = monitor("series", "changes", "--full", "--all")[1]
    assert not {"\x1b", "\u202e"} & set(shown + every)
    for sentence in ("f_m fell.", "s_or fell.", "Of a part.", "Later"):
        assert sentence in every
    table = json.loads(monitor("series", "changes", "--json", "--all")[1])
    assert len(table) == 7
    assert {(row["source_lang"], row["reference"]) for row in table} == {("en", "")}


def test_nothing_was_tested_is_not_nothing_has_changed(monitor, scene, sqlite_database):
    code, shown, said = monitor("series", "changes")
    assert (code, shown) == (0, "")
    assert "no tick could be tested" in said
    with sqlite_database.begin() as connection:
        for n, number in enumerate((0, 1)):  # at the first there was nothing to compare with
            look = LedgerRow(week(n), number, number, 3, 0.4, 0.001, 0, "LORD++", "x")
            changes.store_ledger_row(connection, "audit", look, week(n))
    for job in ([], ["--job", "audit"]):
        said = " ".join(monitor("series", "changes", *job)[2].split())
        assert said == "no change found: 1 tick tested"
    assert "no tick could be tested" in monitor("series", "changes", "--job", "other")[2]


# --- hostile --------------------------------------------------------------------------------------


def test_hostile_labels_move_no_cursor_and_run_no_formula(monitor, scene):
    number = scene.series(HOSTILE, list="@SUM(A1)")
    run = scene.done(0)
    scene.point(number, run, None, reason="=HYPERLINK(1)\x07")
    scene.tick(1, "missed", "-2+3\x1b[31m")
    commands = [
        ("list",), ("list", "--json"), ("list", "--csv"), ("show", number),
        ("show", number, "--json"), ("show", number, "--csv"),
    ]  # fmt: skip
    for command in commands:
        code, shown, _ = monitor("series", *command)
        assert code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    rows = list(csv.DictReader(io.StringIO(monitor("series", "show", number, "--csv")[1])))
    assert rows[0]["reason"].startswith("'=HYPERLINK(1)")
    assert rows[1]["reason"].startswith("no run at this tick")
    [row] = csv.DictReader(io.StringIO(monitor("series", "list", "--csv")[1]))
    assert row["engine"].startswith("'=cmd[U+001B]")
    assert row["list"].startswith("'@SUM")
