"""Options that several commands have: declared once, read by one function."""

from functools import partial
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from monitor.cli.commands import share_options


def read_size(
    width: Annotated[int, typer.Option(help="How wide.")] = 2,
    height: Annotated[int, typer.Option(help="How high.")] = 3,
) -> tuple[int, int]:
    return width, height


@pytest.fixture
def app():
    commands = typer.Typer()

    @commands.command()
    @share_options(size=read_size)
    def paint(name: str, size: tuple[int, int], *, twice: bool = False) -> None:
        """Paint it."""
        typer.echo(f"{name} {size} {twice}")

    @commands.command()
    @share_options(size=partial(read_size, height=9))
    def line(size: tuple[int, int]) -> None:
        typer.echo(f"{size}")

    return commands


def test_a_command_gets_what_the_function_returns(app):
    run = CliRunner().invoke
    assert run(app, ["paint", "red"]).output == "red (2, 3) False\n"
    assert run(app, ["paint", "red", "--height", "5", "--twice"]).output == "red (2, 5) True\n"
    shown = run(app, ["paint", "--help"]).output
    assert "Paint it." in shown
    assert shown.index("--width") < shown.index("--height") < shown.index("--twice")
    assert "How high." in shown


def test_what_is_set_is_no_option(app):
    run = CliRunner().invoke
    assert run(app, ["line", "--width", "7"]).output == "(7, 9)\n"
    assert run(app, ["line", "--height", "7"]).exit_code == 2
