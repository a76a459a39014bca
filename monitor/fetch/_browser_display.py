"""An X server without a screen for a browser with a window, on a display that is free."""

import os
import select
import subprocess
from pathlib import Path

_START_SECONDS = 10.0
_STOP_SECONDS = 5.0
_LINGER_SECONDS = 10
_SCREEN = "2560x1600x24"


class Display:
    """A running Xvfb. Raises OSError when it does not start.

    It ends with the last program that it shows, so that nothing is left when this process is
    killed.
    """

    def __init__(self, xvfb: Path) -> None:
        ours, its = os.pipe()
        try:
            command = [
                str(xvfb),
                "-displayfd",
                str(its),
                "-screen",
                "0",
                _SCREEN,
                "-nolisten",
                "tcp",
            ]
            self._process = subprocess.Popen(  # noqa: S603 - a program that `chromium` found
                # a browser looks at the display and lets it go before it opens its window
                [*command, "-terminate", str(_LINGER_SECONDS)],
                pass_fds=(its,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for us
            )
            os.close(its)
            its = -1
            self.name = self._said(ours)
        finally:
            os.close(ours)
            if its >= 0:
                os.close(its)

    def _said(self, pipe: int) -> str:
        """The display's name, once the server has written its number."""
        ready, _, _ = select.select([pipe], [], [], _START_SECONDS)
        number = os.read(pipe, 16).strip() if ready else b""
        if not number.isdigit():
            self.close()
            raise OSError("Xvfb did not start")
        return f":{number.decode()}"

    def close(self) -> None:
        """Stop the server."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
