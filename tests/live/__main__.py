"""Write a recording of every engine into this folder: `python -m tests.live`."""

from monitor import registry
from tests.live import FOLDER, record

for name, engine in registry.discover("engines").items():
    path = FOLDER / f"{name}.zip"
    path.unlink(missing_ok=True)
    record(engine, path)
