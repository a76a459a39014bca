"""The generated parts of the documentation agree with the code."""

import re
import tomllib
from pathlib import Path

import pytest
import typer

from monitor import __version__, docs
from monitor.cli import EXIT_CODES, app

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def test_nothing_is_out_of_date(capsys):
    assert docs.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_table_is_found_and_written(tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("no tables here\n")
    readme = tmp_path / "README.md"
    readme.write_text("# x\n<!-- generated:views -->\nold\n<!-- /generated -->\nend\n")
    assert docs.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out == "README.md: out of date; run: make docs\n"
    assert "old" in readme.read_text()
    assert docs.main([], tmp_path) == 0
    assert "| [`answers`](#answers) |" in readme.read_text()
    assert readme.read_text().endswith("<!-- /generated -->\nend\n")
    assert docs.main(["--check"], tmp_path) == 0


def test_a_view_without_a_grain_is_an_error(monkeypatch):
    monkeypatch.setattr(docs, "read_view_files", lambda: {"x": "-- x: something.\nSELECT 1"})
    with pytest.raises(ValueError, match="view x: its comment needs"):
        docs.views()


def test_every_command_and_option_has_help():
    text = docs.commands()
    headings = re.findall(r"^### `monitor (.+)`\n\n(.*)$", text, re.MULTILINE)
    assert len(headings) > 15
    assert [name for name, summary in headings if not summary.strip()] == []


def test_the_exit_codes_of_the_help_stand_in_the_docs():
    page = (docs.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for code in re.findall(r"(?:^|; |: )(\d+) ", EXIT_CODES.replace("\n", " ")):
        assert f"\n| {code} | " in page


def test_the_readme_names_no_change_by_a_number_of_its_own():
    """Numbers are those of an archive: another change, or one that was computed anew since."""
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    claims = re.findall(r"^\$ monitor series claim (\S+)", text, re.MULTILINE)
    assert claims
    assert not [number for number in claims if number.isdigit()]


def test_the_version_is_the_same_everywhere():
    """`monitor.__version__` is its place; what people read and cite follows."""
    said = {
        name: re.findall(pattern, (docs.ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        for name, pattern in {
            "CITATION.cff": r"^version: (.+)$",
            "README.md": r"gbmonitor-([\d.]+)-py3",
            "CHANGELOG.md": r"^## (\d\S+) \(\d{4}-\d\d-\d\d\)$",
        }.items()
    }
    assert {name: found[0] for name, found in said.items()} == dict.fromkeys(said, __version__)
    assert set(said["README.md"]) == {__version__}


def test_the_readme_names_every_extra():
    project = tomllib.loads((docs.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = (docs.ROOT / "README.md").read_text(encoding="utf-8").partition("| extra |")[2]
    table = table.partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (.+?) \|", table, re.MULTILINE)))
    assert sorted(named) == sorted(project["optional-dependencies"])


def test_the_map_names_files_and_functions_that_there_are():
    root = Path(docs.__file__).parent
    lines = (root.parent / "docs" / "architecture.md").read_text().splitlines()
    faults, functions = [], 0
    for line in lines:
        file = root
        for name in re.findall(r"`([A-Za-z0-9_/.*]+)`", line.replace("/CODE.py", "/de.py")):
            if name.endswith(".py"):
                nearby = [folder / name for folder in (root, file.parent, *root.glob("*/"))]
                file = next((path for path in nearby if path.is_file()), file)
                faults += [name] * (file.name != Path(name).name)
            elif line.startswith("| ") and file.is_file() and "/" not in name and "." not in name:
                functions += 1
                word = name.removesuffix("*")
                text = file.read_text()
                faults += [f"{file.name}: {name}"] * (not re.search(rf"\b{word}", text))
    assert faults == []
    assert functions > 100


def _read_anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    text = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    anchors: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        anchors.add(anchor if anchor not in anchors else f"{anchor}-1")
    return anchors


def test_every_link_leads_to_a_file_and_a_heading():
    pages = [*docs.ROOT.glob("*.md"), *(docs.ROOT / "docs").rglob("*.md")]
    broken = []
    for page in pages:
        text = re.sub(
            r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            if not target.exists() or (
                anchor and target.suffix == ".md" and anchor not in _read_anchors(target)
            ):
                broken.append(f"{page.relative_to(docs.ROOT)}: {link}")
    assert not broken


def _read_commands(text: str) -> set[str]:
    """Return the command lines of a page: lines of code, and code within sentences."""
    text = re.sub(r"\\\n\s*", " ", text)
    lines = re.findall(r"^(?:[$#] |    )?(?:mon|monitor) .+$", text, re.MULTILINE)
    spans = re.findall(r"`((?:mon|monitor)\s[^`]+)`", FENCED.sub("", text))
    lines = [re.split(r"\s[#|>]\s", line)[0].removeprefix("$ ") for line in lines]
    return {" ".join(line.removeprefix("# ").split()) for line in [*lines, *spans]}


def test_every_command_and_option_of_the_pages_exists():
    """Every word up to the arguments is a command, and every option one of its."""
    unknown, number = [], 0
    for page in [*docs.ROOT.glob("*.md"), *(docs.ROOT / "docs").glob("*.md")]:
        if page.name in ("CHANGELOG.md", "commands.md"):  # of the past; made from the program
            continue
        for line in _read_commands(page.read_text(encoding="utf-8")):
            command, words = typer.main.get_command(app), line.split()[1:]
            if not re.match(r"[a-z]", words[0]):
                continue
            number += 1
            while words and re.match(r"[a-z]", words[0]) and hasattr(command, "commands"):
                command = command.commands.get(words.pop(0).partition("|")[0])
            options = {
                option
                for parameter in getattr(command, "params", [])
                for option in (*parameter.opts, *parameter.secondary_opts)
            }
            named = {word.rstrip(",.") for word in words if word.startswith("--")}
            if command is None or named - options:
                unknown.append(f"{page.name}: {line}")
    assert unknown == []
    assert number > 300
