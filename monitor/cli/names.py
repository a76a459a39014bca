"""Names on the command line: near ones for a mistyped name, and what the Tab key offers."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from monitor.model import InvalidInput
from monitor.text.near_names import hint

if TYPE_CHECKING:
    from monitor.store.database import Connection


def known(
    noun: str, name: str, names: Iterable[str], titles: Mapping[str, str] | None = None
) -> None:
    """Raise InvalidInput, with near names, for a name that is not among those known."""
    listed = sorted(names)
    if name not in listed:
        raise InvalidInput(f"no {noun} {name!r}; {hint(name, listed, titles)}")


def known_job(connection: "Connection", name: str | None) -> None:
    """Raise InvalidInput, with near names, for a job that has neither runs nor ticks."""
    from monitor.store.schedule import ticks

    names = ticks.list_jobs(connection) if name else []
    if name and names:  # without any job, the command says what makes one
        known("job", name, names)


def job_files(incomplete: str) -> list[str]:
    """Return the job files in jobs/, and those beside what was typed so far."""
    folders = {Path("jobs"), Path(incomplete).parent}
    paths = {str(path) for folder in folders for path in folder.glob("*.toml")}
    return sorted(name for name in paths if name.startswith(incomplete) and "regions" not in name)


JobFile = Annotated[
    Path,
    typer.Argument(help="Job file, for example jobs/demo.toml.", autocompletion=job_files),
]


def list_job_files() -> list[Path]:
    """Return the job files in jobs/."""
    return sorted(path for path in Path("jobs").glob("*.toml") if path.stem != "regions")


def jobs() -> list[str]:
    """Return the names of jobs in jobs/: those of their files."""
    return [path.stem for path in list_job_files()]


def engines() -> list[str]:
    """Return the names of engines."""
    return _plugins("engines")


def languages() -> list[str]:
    """Return the codes of languages whose gender can be read."""
    return sorted({*_plugins("languages"), *_plugins("entities")})


def regions() -> list[str]:
    """Return the names of the regions of jobs/, or of the shipped ones."""
    from monitor.regions import regions_file

    try:
        return sorted(tomllib.loads(regions_file(Path("jobs")).read_text("utf-8")))
    except (OSError, ValueError):  # `monitor check` says what is wrong with it
        return []


def targets() -> list[str]:
    """Return what engines are asked for: languages and regions."""
    return languages() + regions()


def quantities() -> list[tuple[str, str]]:
    """Return the quantities of all measures with their titles, which zsh and fish show."""
    from monitor import plugin_summaries

    return list(plugin_summaries.list_quantities().items())


def measures_and_quantities() -> list[str | tuple[str, str]]:
    """Return the names of measures, and quantities with their titles."""
    return [*measures(), *quantities()]


def report_formats() -> list[str]:
    """Return the forms of a weekly report."""
    from monitor.stages.reports.weekly import FORMATS

    return list(FORMATS)


def listed(names: Callable[[], list[str]]) -> Callable[[str], list[str]]:
    """Return what completes the last name of a list with commas; those before it do not return."""

    def complete(incomplete: str) -> list[str]:
        before, comma, _ = incomplete.rpartition(",")
        taken = before.split(",")
        return [f"{before}{comma}{name}" for name in names() if name not in taken]

    return complete


def measures() -> list[str]:
    """Return the names of measures."""
    return _plugins("measures")


def references() -> list[str]:
    """Return the names of sources of reference shares."""
    return _plugins("references")


def lists() -> list[str]:
    """Return the labels of lists in jobs/lists and of the shipped ones."""
    from monitor.jobs import known_lists

    return known_lists(Path("jobs"))


def _plugins(folder: str) -> list[str]:
    from monitor import registry

    return list(registry.list_names(folder))


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(help="bash, zsh or fish.", show_choices=False),
    ],
) -> None:
    r"""Print a script that completes commands, options and values by the Tab key.

    \b
    bash: echo 'eval "$(monitor completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(monitor completion zsh)"' >> ~/.zshrc
    fish: monitor completion fish > ~/.config/fish/completions/monitor.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(
        prog_name="monitor", complete_var="_MONITOR_COMPLETE", shell=shell
    )
    typer.echo(script)
