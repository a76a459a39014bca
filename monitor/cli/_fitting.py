"""Long names in narrow columns: broken at their signs, not in the middle of a word."""

import re

#: A name can go on in the next line after one of these.
_PIECES = re.compile(r"[^-_.,:;/=(|@ ]*[-_.,:;/=(|@ ]?")


def broken(name: str, width: int) -> str:
    """A name in lines of at most `width` characters; only a word that is longer is cut."""
    if len(name) <= width:
        return name
    lines, line = [], ""
    for piece in _PIECES.findall(name):
        if line and len(line) + len(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while len(line.rstrip()) > width:
            lines.append(line[:width])
            line = line[width:]
    return "\n".join([*lines, line.rstrip()] if line.strip() else lines)
