"""Why each series of a job is tested, as change detection decides it."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.change import Role
from monitor.stages import _report_names, findings
from monitor.stages.findings import Member
from monitor.stages.weekly import names

Row = dict[str, Any]


def series_roles(
    series: Sequence[Row], content: Mapping[str, Any], declared: Mapping[str, Any]
) -> dict[int, Role]:
    """Return {series: its role} of the series of one job.

    `content` is that of the job, `declared` what was declared before its first tick, if anything.
    """
    controls = _report_names.control_labels(content)
    own = (content.get(name) for name in ("preregistration", "families"))
    table = next((given for given in (declared, *own) if given), {})
    wanted, targets = table.get("primaries", ()), declared.get("targets")
    members = {
        row["series_id"]: Member(
            row["engine"], row["surface"], row["target"], row["list"], row["source_lang"],
            row["measure"], row["quantity"], row["reference"],
        )
        for row in sorted(series, key=lambda row: names.place(row, content))
    }  # fmt: skip
    quantities = {row["series_id"]: names.primaries(row["measure"], row["kind"]) for row in series}
    offered = [
        member
        for key, member in members.items()
        if member.quantity in (wanted or quantities[key])
        and (not targets or member.target in targets)
    ]
    first = findings.primaries(offered, tuple(wanted))
    return {
        key: Role.WITNESS if member.engine in controls
        else Role.PRIMARY if member in first else Role.SECONDARY
        for key, member in members.items()
    }  # fmt: skip
