"""The command that reads saved result pages without a database."""

from pathlib import Path
from typing import Annotated, Any

import typer

from monitor import registry
from monitor.cli._console import emit_json, out
from monitor.cli._visible import visible
from monitor.model import InvalidInput, Reading
from monitor.text.near_names import hint

_AUTO = "auto"


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(parse)


def parse(
    files: Annotated[list[Path], typer.Argument(help="Saved result pages, HTML.")],
    engine: Annotated[
        str, typer.Option(help="Whose pages they are: an engine or a reader of pages, or auto.")
    ] = _AUTO,
    url: Annotated[str, typer.Option(help="The address that a page was saved from.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Read saved result pages: state, layout, and every block with ranks, titles and links.

    A page that is a wall, or cannot be read, is said to be one: that is a reading too. With --json
    one file gives one object, several give a list.
    """
    chosen = _reader(engine)
    found = [_read(file, _content(file), url, chosen) for file in files]
    if as_json:
        emit_json(found[0] if len(found) == 1 else found)
        return
    for one in found:
        _print(one)


def _reader(name: str) -> str:
    """The reader that a name stands for; empty to look at each page. Raises InvalidInput."""
    from monitor.pages._page_owner import reader_of

    if name in (_AUTO, "saved_pages"):
        return ""
    found = reader_of(name)
    if not found:
        known = {*registry.discover("pages"), *filter(reader_of, registry.discover("engines"))}
        raise InvalidInput(
            f"engine {name!r}: has no result pages to read; {hint(name, [_AUTO, *sorted(known)])}"
        )
    return found


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise InvalidInput(f"{file}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{file}: is a folder; name a saved page") from None
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror or error}") from None


def _read(file: Path, body: bytes, url: str, chosen: str) -> dict[str, Any]:
    from monitor.pages._blocks import state_of
    from monitor.pages._page_owner import read_page

    reader, reading = read_page(body, url, chosen)
    return {
        "file": str(file),
        "reader": reader,
        "version": registry.page(reader).version if reader else None,
        "url": url,
        "state": state_of(reading),
        "outcome": reading.outcome,
        "reason": reading.reason,
        "detail": reading.detail,
        "layout": _layout(reading),
        "blocks": _blocks(reading),
    }


def _layout(reading: Reading) -> str:
    """The layout, which stands first in what a reader says of a page that it could read."""
    first = reading.detail.partition(";")[0]
    return first.removeprefix("layout: ") if first.startswith("layout: ") else ""


def _blocks(reading: Reading) -> dict[str, list[dict[str, Any]]]:
    """{block: its items in the order of their ranks}."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in reading.items:
        found.setdefault(str(item.block), []).append(
            {
                "rank": item.rank,
                "title": item.title,
                "url": item.url,
                "text": item.text,
                "entity": item.entity,
            }
        )
    return found


def _print(one: dict[str, Any]) -> None:
    def line(text: str) -> None:
        out.print(visible(text), markup=False, soft_wrap=True)

    reader = f"{one['reader']}@{one['version']}" if one["reader"] else "nobody's that is known"
    line(f"{one['file']}: {one['state']}, read as {reader}; {one['detail'] or '-'}")
    for block, items in one["blocks"].items():
        line(f"  {block}: {len(items)}")
        for item in items:
            rest = "  ".join(part for part in (item["entity"], item["url"]) if part)
            line(f"  {item['rank']:>4}  {item['title'] or item['text']}  {rest}".rstrip())
