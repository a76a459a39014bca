"""Draw mutants: small faults, each in one line of one function.

The sample of a group of modules holds the mutants with the smallest hashes of their function and
text. A function that is moved keeps its mutants, so shares of two trees can be compared.
"""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Patterns of the modules of each group, and the tests that every module of it is held against,
#: beside those that import it.
GROUPS = {
    "measures": (
        ["monitor/measures/**/*.py"],
        ["tests/measures/test_paired_by_hand.py", "tests/measures/test_measure_contract.py",
         "tests/measures/test_paired_contract.py"],
    ),
    "stats": (["monitor/stats/*.py"], []),
    "changes": (
        ["monitor/stages/changes/*.py", "monitor/stages/notices.py",
         "monitor/pipeline/changes/*.py"],
        ["tests/pipeline/test_deciding.py", "tests/test_changes_run.py"],
    ),
    "collecting": (
        ["monitor/stages/collect/*.py", "monitor/stages/alarm_rules.py", "monitor/fetch/*.py",
         "monitor/store/collect/*.py", "monitor/store/schedule/leases.py",
         "monitor/pipeline/collect/*.py", "monitor/pipeline/schedule/leases.py"],
        ["tests/test_pipeline.py", "tests/test_turns.py"],
    ),
}  # fmt: skip

COMPARED = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
COMPUTED = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Pow: ("**", "*"), ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"),
}  # fmt: skip
EXCHANGED = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Calls whose only effect is words for people.
WORDS = ("log.", "warnings.", "progress(")


@dataclass(frozen=True)
class Mutant:
    """A line of a function, and what stands in its place."""

    group: str
    file: str
    function: str
    old: str
    new: str
    #: Which of the function's lines with this text, counted from 0.
    nth: int

    def order(self) -> bytes:
        """Return the place of this mutant among all, which does not depend on its module."""
        text = "\0".join((self.function, self.old, self.new, str(self.nth)))
        return hashlib.sha256(text.encode()).digest()


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every function with its name, that of its class before it."""

    def walk(node: ast.AST, before: str) -> Iterator[tuple[str, ast.FunctionDef]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                yield before + child.name, child
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, f"{before}{child.name}.")

    return walk(tree, "")


def _edits(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, int, int, int, str, str]]:
    """Yield (node, line, from column, to column, expected text, replacement)."""
    for statement in function.body:
        for node in ast.walk(statement):
            yield from _edits_of(node)


def _between(left: ast.expr, right: ast.expr, texts: tuple[str, str]) -> tuple:
    assert left.end_lineno is not None
    assert left.end_col_offset is not None
    if left.end_lineno != right.lineno:
        return ()
    return ((left, right.lineno, left.end_col_offset, right.col_offset, *texts),)


def _edits_of(node: ast.AST) -> Iterator[tuple]:  # noqa: C901 - a table of the grammar
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            yield from _between(left, right, COMPARED[type(op)])
        case ast.BinOp(left, op, right) if type(op) in COMPUTED:
            if not any(isinstance(e, ast.JoinedStr | ast.Constant) and not _number(e)
                       for e in (left, right)):  # fmt: skip
                yield from _between(left, right, COMPUTED[type(op)])
        case ast.BoolOp(op, [left, right, *_]):
            yield from _between(
                left, right, ("and", "or") if isinstance(op, ast.And) else ("or", "and")
            )
        case ast.UnaryOp(ast.Not(), operand) if node.lineno == node.end_lineno:
            yield node, node.lineno, node.col_offset, operand.col_offset, "not ", ""
        case ast.Constant(value) if isinstance(value, bool):
            yield (node, node.lineno, node.col_offset, node.end_col_offset,
                   str(value), str(not value))  # fmt: skip
        case ast.Constant(value) if _number(node):
            yield (node, node.lineno, node.col_offset, node.end_col_offset,
                   None, repr(value + 1 if value != 1 else 2))  # fmt: skip
        case ast.Name(name) if name in EXCHANGED:
            yield node, node.lineno, node.col_offset, node.end_col_offset, name, EXCHANGED[name]
        case ast.Continue() | ast.Break():
            old, new = (
                ("continue", "break") if isinstance(node, ast.Continue) else ("break", "continue")
            )
            yield node, node.lineno, node.col_offset, node.end_col_offset, old, new
        case ast.If(test) | ast.IfExp(test) if test.lineno == test.end_lineno:
            yield (test, test.lineno, test.col_offset, test.end_col_offset, None, "not (%s)")
        case ast.Expr(ast.Call()) if node.lineno == node.end_lineno:
            yield node, node.lineno, node.col_offset, node.end_col_offset, None, "pass"


def _number(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def mutants(group: str, tree: Path, path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    source = path.read_text("utf-8")
    lines = source.splitlines()
    for name, function in functions(ast.parse(source)):
        first, last = function.lineno - 1, function.end_lineno or 0
        for _, number, start, end, expected, replacement in _edits(function):
            raw = lines[number - 1].encode()
            middle = raw[start:end].decode()
            if "%s" in replacement:
                middle_new = replacement % middle
            elif expected is None:
                middle_new = replacement
            elif expected in middle:
                middle_new = middle.replace(expected, replacement, 1)
            else:
                continue
            old = lines[number - 1].strip()
            new = (raw[:start].decode() + middle_new + raw[end:].decode()).strip()
            if any(word in old for word in WORDS):
                continue
            same = [at for at in range(first, last) if lines[at].strip() == old]
            yield Mutant(group, path.relative_to(tree).as_posix(), name, old, new,
                         same.index(number - 1))  # fmt: skip


def draw(tree: Path, group: str, number: int) -> list[Mutant]:
    """Return so many mutants of a group of modules, or all where it has fewer."""
    paths = [path for pattern in GROUPS[group][0] for path in sorted(tree.glob(pattern))]
    every = [mutant for path in paths for mutant in mutants(group, tree, path)]
    return sorted(every, key=Mutant.order)[:number]
