"""What the Tab key offers for values: names of files and plug-ins. No database is opened."""

from pathlib import Path


def job_files(incomplete: str) -> list[str]:
    """Return the job files in jobs/, and those beside what was typed so far."""
    folders = {Path("jobs"), Path(incomplete).parent}
    found = {str(path) for folder in folders for path in folder.glob("*.toml")}
    return sorted(name for name in found if name.startswith(incomplete) and "regions" not in name)


def jobs() -> list[str]:
    """Return the names of jobs in jobs/: those of their files."""
    return sorted(path.stem for path in Path("jobs").glob("*.toml") if path.stem != "regions")


def engines() -> list[str]:
    """Return the names of engines."""
    return _plugins("engines")


def languages() -> list[str]:
    """Return the codes of languages whose gender can be read."""
    return _plugins("languages")


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

    return list(registry.names(folder))
