"""The Tab key completes commands, options and values; asked as a shell asks."""

import os
import shutil
import subprocess
import sys

import pytest

from monitor.cli.commands import COMMANDS
from monitor.resources import find_folder
from tests.cases import check_each
from tests.command import program


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with job files, and the program on the path."""
    made = tmp_path_factory.mktemp("completion")
    (made / "jobs").mkdir()
    for name in ("demo", "gest-weekly", "regions"):
        shutil.copy(find_folder("jobs") / f"{name}.toml", made / "jobs")
    (made / "bin").mkdir()
    script = made / "bin" / "monitor"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m monitor.cli "$@"\n')
    script.chmod(0o755)
    return made


def environment(folder):
    root = str(find_folder("jobs").parent)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": root, "MONITOR_HOME": str(folder)}


def in_bash(folder, line):
    """What bash offers at the end of a line, by the script that `completion bash` prints."""
    script = """
        eval "$(monitor completion bash)"
        COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        [ "${1: -1}" = " " ] && COMP_WORDS+=("") && COMP_CWORD=$((COMP_CWORD + 1))
        complete -p monitor > /dev/null || exit 1
        _monitor_completion monitor
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", line], cwd=folder, env=environment(folder),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.split()


def test_bash_offers_all_commands(folder):
    assert in_bash(folder, "monitor ") == [one.name for one in COMMANDS]


@check_each(
    ("line", "offered"),
    [
        ("monitor ser", ["series", "serve"]),
        ("monitor series ", ["list", "show", "changes", "claim", "compare"]),
        ("monitor run jobs/", ["jobs/demo.toml", "jobs/gest-weekly.toml"]),
        ("monitor check jobs/g", ["jobs/gest-weekly.toml"]),
        ("monitor run --n", ["--noise"]),
        ("monitor engines show deep", ["deepl"]),
        ("monitor measures show masculine_r", ["masculine_rate"]),
        ("monitor measures show f_", ["f_m", "f_s"]),
        ("monitor series list --quantity f_", ["f_m", "f_s"]),
        ("monitor series compare --target sl", ["sl"]),
        ("monitor series list --target us-", ["us-en"]),
        ("monitor embargo add --target us-", ["us-en"]),
        ("monitor engines test searxng --region us-", ["us-en"]),
        ("monitor report weekly --formats ", ["html", "json", "pdf"]),
        ("monitor report weekly --formats html,", ["html,json", "html,pdf"]),
        ("monitor report weekly --formats pdf,html,j", ["pdf,html,json"]),
        ("monitor init --for deepl,libre", ["deepl,libretranslate"]),
        ("monitor init --for deepl --languages cs,p", ["cs,pl", "cs,pt"]),
        ("monitor jobs pause ge", ["gest-weekly"]),
        ("monitor lists show stereotypes", ["stereotypes@1"]),
        ("monitor completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_bash_completes(folder, line, offered):
    assert set(in_bash(folder, line)) == set(offered)


@check_each(
    "line",
    ["monitor series list --quantity f", "monitor series list --target us-",
     "monitor report weekly --formats html,", "monitor measures show f",
     "monitor embargo add --quantity f"],
)  # fmt: skip
def test_completing_a_value_imports_nothing_heavy(folder, line):
    """The program starts at every press of the key."""
    heavy = ["numpy", "pydantic", "sqlalchemy", "monitor.engines._engine", "monitor.jobs"]
    code = (
        "import sys\nfrom monitor.cli import main\nsys.argv = ['monitor']\n"
        "try:\n    main()\nfinally:\n"
        f"    print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    asked = {
        "_MONITOR_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment(folder) | asked,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip()
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_ask_for_the_same(folder, shell):
    """The script of each names the program; its answers have the form that the shell reads."""
    script = subprocess.run(
        ["monitor", "completion", shell], cwd=folder, env=environment(folder),
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "_MONITOR_COMPLETE=complete_" + shell in script
    asked = {
        "_MONITOR_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "monitor ser",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(
        ["monitor"], cwd=folder, env=environment(folder) | asked, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "series" in done.stdout
    assert "The time series: list, show, what has changed." in done.stdout.replace("\\\\", "")


def test_a_shell_that_nobody_knows(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, err = command("completion", "tcsh")
    assert code == 2
    assert "known: bash, zsh, fish" in " ".join(err.split())
