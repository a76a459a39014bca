"""Nobody else is asked before a job says why, by whom and by what right."""

from monitor.jobs import Audit, lacking_governance
from monitor.model import InvalidInput


def check_governance(audit: Audit) -> None:
    """Raise InvalidInput, naming all that lacks, where a job asks engines that are not its own."""
    lacking = lacking_governance(audit.job)
    if lacking:
        raise InvalidInput(
            f"{audit.path}: nobody is asked before the job says more (docs/jobs.md, Governance):\n"
            + "\n".join(f"  {one}" for one in lacking)
        )
