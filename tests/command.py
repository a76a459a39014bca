"""Runs commands of the program as a shell would, in a folder of their own."""

import logging
import sys
from contextlib import contextmanager

import pytest

from monitor import cli


@contextmanager
def program(folder, monkeypatch, capsys):
    """A function that runs a command; it gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(folder)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["monitor", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, " ".join(captured.err.split())

    try:
        yield command
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
