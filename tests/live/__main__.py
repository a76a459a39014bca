"""Write the recordings of engines that this folder lacks: `python -m tests.live [NAME ...]`.

Those that are named are written anew.
"""

import sys

from monitor import registry
from tests.live import FOLDER, record

for name, engine in registry.discover("engines").items():
    path = FOLDER / f"{name}.zip"
    if name in sys.argv[1:]:
        path.unlink(missing_ok=True)
    if not path.exists():
        record(engine, path)
