"""`monitor --help` is quick, and every command teaches: an example, what it writes, exit codes."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from monitor import cli
from monitor.cli import commands as _commands
from monitor.cli.commands import LESSONS
from monitor.resources import find_folder
from tests.cases import check_each
from tests.report.conftest import run_small

HEAVY = (
    "alembic", "altair", "apprise", "apscheduler", "fastapi", "httpx", "jinja2", "numpy", "pandas",
    "procrastinate", "psycopg", "pyarrow", "pydantic", "rich", "rich.progress", "ruptures", "scipy",
    "rich._emoji_codes", "sqlalchemy", "sqlalchemy.dialects.postgresql", "statsmodels", "typst",
    "vl_convert", "monitor.engines._engine", "monitor.fetch", "monitor.jobs",
    "monitor.languages._plain_text", "monitor.measures._shared", "monitor.model",
    "monitor.pipeline", "monitor.pipeline.collect.runs", "monitor.settings",
    "monitor.stages.reports.run_systems", "monitor.store",
)  # fmt: skip
#: What every command has that says something: settings, and a console.
COMMON = {"rich", "monitor.model", "monitor.settings"}


def loaded(*arguments):
    """The heavy modules that a command has imported at its end."""
    code = (
        "import json, sys\n"
        f"sys.argv = ['monitor', *{list(arguments)!r}]\n"
        "from monitor.cli import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_first_look_imports_nothing_heavy(option):
    assert loaded(option) == []


@pytest.mark.parametrize("command", [["series", "--help"], ["status", "--help"], ["run", "--help"]])
def test_help_needs_none_of_what_draws_and_tests(command):
    heavy = {"altair", "apprise", "pandas", "pyarrow", "ruptures", "scipy", "statsmodels", "typst"}
    assert not heavy & set(loaded(*command))


@pytest.mark.parametrize(
    "command", [["engines", "list"], ["engines", "show", "deepl"], ["lists", "list"],
                ["models", "list"], ["lists", "show", "stereotypes@1"]],
    ids=" ".join,
)  # fmt: skip
def test_lists_of_files_and_plug_ins_need_no_database(command, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    named = {"engines": {"monitor.engines._engine"}, "lists": {"monitor.jobs", "pydantic"}}
    assert set(loaded(*command)) <= COMMON | named.get(command[0], set())


def test_checking_a_job_needs_neither_database_nor_network():
    demo = str(find_folder("jobs") / "demo.toml")
    wanted = COMMON | {
        "apscheduler", "numpy", "monitor.engines._engine", "monitor.fetch", "monitor.jobs",
        "monitor.languages._plain_text", "monitor.measures._shared", "monitor.pipeline", "pydantic",
    }  # fmt: skip
    assert set(loaded("check", demo)) <= wanted | {"monitor.store"}


@pytest.mark.parametrize(
    "command", [["series", "list"], ["series", "changes"], ["jobs", "list"], ["notify", "list"],
                ["status"], ["runs", "list"], ["users", "list"], ["embargo", "list"]],
    ids=" ".join,
)  # fmt: skip
def test_reading_a_database_needs_nothing_that_computes(command, sqlite_database, monkeypatch):
    monkeypatch.setenv("MONITOR_DATABASE_URL", sqlite_database.writer.url.render_as_string())
    found = set(loaded(*command))
    assert {"sqlalchemy", "rich"} <= found
    words = {"apscheduler", "monitor.jobs", "pydantic", "monitor.stages.reports.run_systems"}
    words = words if command == ["series", "changes"] else set()
    assert found <= COMMON | {"sqlalchemy", "monitor.pipeline", "monitor.store"} | words


@pytest.mark.parametrize(
    "command", [["series", "list"], ["engines", "list"], ["runs", "list"]], ids=" ".join
)
def test_titles_of_what_was_asked_import_no_plug_in(
    command, sqlite_database, tmp_path, monkeypatch
):
    run_small(sqlite_database, tmp_path)
    monkeypatch.setenv("MONITOR_DATABASE_URL", sqlite_database.writer.url.render_as_string())
    assert set(loaded(*command)) <= COMMON | {"sqlalchemy", "monitor.pipeline", "monitor.store"}


def leaves(command, path=()):
    """(words, command) of all that can be called."""
    below = getattr(command, "commands", {})
    if not below or getattr(command, "invoke_without_command", False):
        yield " ".join(path), command
    for name, inner in below.items():
        yield from leaves(inner, (*path, name))


ALL = dict(leaves(typer.main.get_command(cli.app)))


def grouping():
    """Modules of the command line that have a group of commands."""
    top = Path(cli.__file__).parent
    for path in sorted(top.rglob("[a-z]*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        if any(re.match(r"\w+ = typer\.Typer\(", line) for line in lines):
            yield ".".join(path.relative_to(top).with_suffix("").parts)


def test_every_command_is_in_the_list():
    assert set(grouping()) <= {one.module for one in _commands.COMMANDS}
    for one in _commands.COMMANDS:
        assert typer.main.get_command(cli.app).get_command(None, one.name).name == one.name


def said(monkeypatch, capsys, *arguments):
    """(exit code, standard output, standard error) of a command in a window of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["monitor", *arguments])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    captured = capsys.readouterr()
    return stopped.value.code or 0, captured.out, captured.err


def test_the_list_is_in_groups_and_whole_in_80_columns(monkeypatch, capsys):
    _, shown, _ = said(monkeypatch, capsys, "--help")
    headings = [line[:-1] for line in shown.splitlines() if re.fullmatch(r"[A-Z][a-z ]+:", line)]
    assert headings == ["Options", *_commands.GROUPS]
    for one in _commands.COMMANDS:
        assert f"  {one.name:<12} {one.summary}\n" in shown


def groups(command, path=()):
    """Words of every command and group."""
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from groups(inner, (*path, name))


def test_no_help_is_cut_off_in_80_columns(monkeypatch, capsys):
    """Nor is a line longer, but for what is typed as one word."""
    faults = []
    for words in groups(typer.main.get_command(cli.app)):
        _, shown, _ = said(monkeypatch, capsys, *words, "--help")
        lines = shown.splitlines()
        faults += [(words, line) for line in lines if len(line) > 80 or "…" in line]
        faults += [(words, line) for line in lines if re.search(r"\w\.\.\.$", line)]
    assert not faults


@check_each(
    ("arguments", "words"),
    [
        (["serie"], "no command 'serie'; did you mean series?"),
        (["engins"], "did you mean engines?"),
        (["start"], "did you mean status?"),
        (["xyzzy"], "no command 'xyzzy'; known: init, check"),
        (["series", "lst"], "Did you mean 'list'"),
        (["series", "list", "--engin", "deepl"], "--engine"),
        (["completion", "bsh"], "'bsh' is not known; did you mean bash?"),
    ],
)
def test_what_is_mistyped_is_named_with_a_near_one(monkeypatch, capsys, arguments, words):
    code, _, err = said(monkeypatch, capsys, *arguments)
    assert code == 2
    assert words in err


def test_a_mistyped_command_imports_no_other_one(monkeypatch, capsys):
    before = set(sys.modules)
    said(monkeypatch, capsys, "serie")
    assert not [name for name in set(sys.modules) - before if name.startswith("monitor.cli.")]


def test_every_command_has_a_lesson():
    assert set(ALL) == set(LESSONS)


@check_each("words", sorted(LESSONS))
def test_the_example_is_one(words):
    """Its words are the command, and its arguments are taken as they stand."""
    line = shlex.split(LESSONS[words].example)
    depth = len(words.split())
    assert line[:depth] == words.split()
    command = ALL[words]
    with command.make_context("monitor", line[depth:]) as context:
        assert context.command is command


@pytest.mark.parametrize("words", sorted(LESSONS))
def test_the_help_shows_it(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["monitor", *words.split(), "--help"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    shown = capsys.readouterr().out
    assert not stopped.value.code
    one_line = re.sub(r" \\\n +", " ", shown)
    assert f"  Example: monitor {LESSONS[words].example}\n" in one_line
    assert "\n  Writes: " in shown
    described, _, codes = " ".join(shown.split()).partition(" Exit codes: ")
    assert codes
    named = set(re.findall(r"[Ee]xit code (?:is )?(\d+)", described))
    assert named <= {"0", *re.findall(r"\d+", codes)}
