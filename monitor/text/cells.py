"""Cells of tables that people open in spreadsheet programs: what somebody wrote in, and back."""

#: With these, spreadsheet programs begin a formula; the apostrophe, so that undoing is exact.
_HOSTILE = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "＝", "＋", "－", "＠")


def inert(cell: str) -> str:
    """A cell that no spreadsheet program runs as a formula: an apostrophe goes before it."""
    return f"'{cell}" if cell.startswith(_HOSTILE) else cell


def plain(cell: str) -> str:
    """What `inert` was given."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_HOSTILE) else cell
