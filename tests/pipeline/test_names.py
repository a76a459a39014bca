"""What `monitor.pipeline` offers is imported when it is asked for."""

import subprocess
import sys

from monitor import pipeline


def test_every_name_is_there():
    assert set(pipeline._MODULES) == set(pipeline.__all__)
    for name in pipeline.__all__:
        assert getattr(pipeline, name) is not None


def test_one_name_imports_only_what_it_needs():
    code = (
        "import sys\n"
        "from monitor import pipeline\n"
        "assert pipeline.redo_progress\n"
        "print(*(m for m in sys.modules if m.startswith('monitor.pipeline.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "monitor.pipeline.collect.runs" not in done.stdout.split()
