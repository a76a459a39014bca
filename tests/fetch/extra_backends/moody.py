"""A back end that does what its text says: translate, die, hang, raise or leave its mark."""

import os
import time
from pathlib import Path

from monitor.fetch.backends import _model_files
from monitor.model import MissingPart


def check(model, models):
    if model == "en-xx":
        raise MissingPart("no such model")


def load(model, models):
    if model == "en-yy":
        raise OSError("the model file is damaged")

    def translate(text):
        word, _, rest = text.partition(" ")
        if word == "die":
            os._exit(1)
        if word == "hang":
            time.sleep(600)
        if word == "raise":
            raise ValueError(rest)
        if word == "mark":  # one line per time that it is asked
            with Path(rest).open("a") as handle:
                handle.write("asked\n")
        if word == "once":  # dies the first time it is asked
            mark = Path(rest)
            if not mark.exists():
                mark.touch()
                os._exit(1)
        return text.upper()

    return _model_files.one_by_one(translate), (
        ("library", "moody"),
        ("model", model),
        ("process", str(os.getpid())),
    )
