"""No command makes a folder for a mistyped path: what it writes goes where a folder is already."""

from pathlib import Path

import pytest
import typer

from monitor import cli
from monitor.cli.files import in_existing_folder, new_file
from monitor.model import InvalidInput, StoreProblem
from tests.test_cli import monitor, one_sentence  # noqa: F401 - a fixture

#: Paths that commands read.
READ = {
    "jobs", "job", "--jobs", "--certificate", "--key", "sheet", "sheets", "run_files", "source",
    "--docs", "--from", "--topics", "--qrels", "--gendered", "table", "files", "--file", "--pairs",
    "--words", "--concepts", "--vectors", "--contexts", "--labelled", "--run", "--inputs",
    "--published", "bundle",
    "--folder", "--texts", "--translations", "--list", "--scores", "--winobias",
}  # fmt: skip
READ_BY = {
    ("label import", "file"), ("reproduce", "folder"), ("import lm-scores", "folder"),
    ("import labour bls", "file"), ("import labour eurostat", "file"),
    ("import labour ilostat", "file"), ("study eurogest", "--same"),
    ("study mirror", "--gate"), ("db restore", "folder"), ("db check", "folder"),
    ("donate check", "file"), ("donate check", "--job"), ("donate add", "file"),
    ("donate add", "--consent"), ("donate add", "--job"),
}  # fmt: skip
#: A new audit is where one says.
MADE = {("init", "folder")}


def _paths(command, name=""):
    """(command, parameter) of every path that is given to a command below this one."""
    names = command.list_commands(None) if hasattr(command, "list_commands") else ()
    for inner in names:
        yield from _paths(command.get_command(None, inner), f"{name} {inner}".strip())
    for parameter in command.params:
        if "Path" in repr(parameter.type_descriptor):
            yield name, parameter.opts[0]


WRITTEN = [
    (command, parameter)
    for command, parameter in _paths(typer.main.get_command(cli.app))
    if parameter not in READ and (command, parameter) not in READ_BY | MADE
]


def test_there_are_as_many_as_we_know_of():
    assert len(WRITTEN) > 25
    assert ("report", "--output") in WRITTEN
    assert ("db backup", "folder") in WRITTEN


@pytest.mark.parametrize(("command", "parameter"), WRITTEN)
def test_nothing_is_written_where_there_is_no_folder(monitor, tmp_path, command, parameter):  # noqa: F811
    goal = tmp_path / "nope" / "deeper" / "x"
    given = [parameter, goal] if parameter.startswith("--") else [goal]
    code, _, err = monitor(*command.split(), *given)
    assert code == 2
    assert "there is no folder" in one_sentence(err)
    assert not (tmp_path / "nope").exists()


def test_only_the_folder_of_what_is_written_by_default_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for path in ("x.html", "out/x.html", "out/week/x.html", "-", str(tmp_path / "x.html")):
        assert in_existing_folder(Path(path)) == Path(path)
    assert in_existing_folder(None) is None
    for path in ("nope/x.html", "outer/x.html", f"{tmp_path}/out/x.html", "file/x.html"):
        with pytest.raises(InvalidInput):
            in_existing_folder(Path(path))


def test_a_file_that_cannot_be_written_is_named_by_its_own_name():
    path = Path("/proc/report.html")  # nobody can write there, not even the administrator
    refused = pytest.raises(StoreProblem, match=r"^/proc/report\.html: cannot be written: ")
    with refused, new_file(path, force=False):
        pass
