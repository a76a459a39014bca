"""The command that prints what a shell needs to complete commands by the Tab key."""

from enum import StrEnum
from typing import Annotated

import typer


class Shell(StrEnum):
    """A shell that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(completion)


def completion(
    shell: Annotated[Shell, typer.Argument(help="bash, zsh or fish.", show_choices=False)],
) -> None:
    r"""Print a script that completes commands, options and values by the Tab key.

    \b
    bash: echo 'eval "$(monitor completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(monitor completion zsh)"' >> ~/.zshrc
    fish: monitor completion fish > ~/.config/fish/completions/monitor.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(
        prog_name="monitor", complete_var="_MONITOR_COMPLETE", shell=str(shell)
    )
    typer.echo(script)
