"""docs/operations.md: a runbook for every alarm, statements that run."""

import ast
import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from monitor.stages import alarm_rules
from tests.cases import check_each

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "operations.md").read_text()
PARTS = ("How to see it", "What to do", "What not to do", "The numbers meanwhile")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
#: Words in backticks, line breaks as blanks.
SPANS = {" ".join(one.split()) for one in re.findall(r"`([^`]+)`", FENCED.sub("", TEXT))}


def section(title):
    """{heading: text} of the third level below a heading of the first."""
    found = re.search(rf"^# {title}\n(.*?)(?=^# |\Z)", TEXT, re.MULTILINE | re.DOTALL)[1]
    pieces = re.split(r"^### (.+)$", found, flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def said(*functions):
    """The kinds in every call of these functions in the program."""
    found = set()
    for path in (ROOT / "monitor").rglob("*.py"):
        tree = ast.parse(path.read_text())
        constants = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if is_call and ast.unparse(node.func) in functions:
                kind = node.args[1]
                if isinstance(kind, ast.Constant):
                    found.add(kind.value)
                elif isinstance(kind, ast.Name) and kind.id in constants:
                    found.add(constants[kind.id])
    return found


def test_every_alarm_has_a_runbook_and_no_other():
    kinds = said("events.raise_alarm") | set(alarm_rules.KINDS)
    assert {"job_broken", "tick_failed", "task_failed", "stale", "disk"} <= kinds
    assert set(section("Alarms")) == kinds
    for kind in kinds:
        assert f'<a id="alarm-{kind}"></a>\n\n### {kind}\n' in TEXT


def test_every_event_is_named():
    kinds = said("events.add_event", "self._add_event")
    assert {"fenced", "stalled", "daemon_started"} <= kinds
    named = {*section("Events"), *section("Alarms"), *SPANS}
    assert kinds <= named


@pytest.mark.parametrize("title", ["Alarms", "Events", "Troubles"])
def test_every_runbook_has_all_parts(title):
    for heading, text in section(title).items():
        parts = re.findall(r"^- \*\*(.+?)\.\*\*", text, re.MULTILINE)
        assert tuple(parts) == PARTS, heading


def test_links_of_units_lead_here():
    anchors = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-")
               for one in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)}  # fmt: skip
    for path in (ROOT / "docs" / "deploy").iterdir():
        for anchor in re.findall(r"operations\.md#([\w-]+)", path.read_text()):
            assert anchor in anchors, f"{path}: {anchor}"


def statements():
    blocks = re.findall(r"```sql\n(.*?)```", TEXT, re.DOTALL)
    found = [one.strip() for block in blocks for one in block.split(";") if one.strip()]
    return found + [span for span in SPANS if span.startswith("SELECT")]


@check_each("statement", sorted(set(statements())))
def test_statements_run(statement, database, dialect):
    if "pg_" in statement and (dialect == "sqlite" or "pg_terminate" in statement):
        return
    statement = statement.replace("RUN", "1")
    with database.read() as connection:
        connection.execute(sa.text(statement)).all()
