"""A worker that is begun again whenever it dies, as a supervisor does, until nothing is left.

Who asks the server at the address given dies of it, before anything is sent.
"""

import logging
import os
import sys

from monitor import settings
from monitor.fetch import Outside
from monitor.store.database import connect
from monitor.work import perform, worker
from monitor.work.perform import WorkerContext
from monitor.work.worker import WorkerOptions

_DIED = 9


class Deadly(Outside):
    """A way out on which some requests are fatal to the process."""

    def fetch(self, requests):
        def passed():
            for request in requests:
                if getattr(request, "url", "").startswith(sys.argv[1]):
                    os._exit(_DIED)
                yield request

        return super().fetch(passed())


def live():
    from monitor.work import outside

    outside.Outside = Deadly
    worker._HOUSEKEEPING_SECONDS = 0.2
    chosen = settings.load()
    database = connect(chosen.url, chosen.bodies)
    shop = WorkerContext(database, chosen, lambda *_: None, lambda: False)
    worker.run_worker(shop, WorkerOptions(at_once=1, poll=0.05, burst=True))


def main():
    logging.basicConfig(level="WARNING", stream=sys.stderr)
    while True:
        child = os.fork()
        if child == 0:
            live()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == 0:
            return
        sys.stderr.write("a worker died\n")


assert perform.MOST_TRIES
if __name__ == "__main__":
    main()
