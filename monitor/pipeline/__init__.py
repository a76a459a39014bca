"""Runs a tick of a job from plan to points. The only place that opens transactions.

A name is imported from its module when it is asked for: a command that needs one of them does not
wait for all.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from monitor.pipeline.changes.conclusion import conclude, conclude_after
    from monitor.pipeline.collect.run_context import Progress, RunContext, Stop, never
    from monitor.pipeline.collect.run_lanes import LaneRemainder, ask, by_lane, suspended
    from monitor.pipeline.collect.run_starts import (
        Begun,
        Pair,
        audit_of,
        audit_of_run,
        check_governance,
        keep_files,
        lanes_of,
        resume,
        resume_command,
        start,
        start_confirm,
        start_noise,
        still_asked,
        to_confirm,
        turn_of_run,
    )
    from monitor.pipeline.collect.runs import (
        Interrupted,
        Summary,
        ask_run,
        derive_run,
        finish,
        run,
        take_run,
    )
    from monitor.pipeline.derive.corpora import expected
    from monitor.pipeline.derive.lexicons import check_lexicons
    from monitor.pipeline.derive.readings import read_answers
    from monitor.pipeline.derive.recomputation import (
        Audits,
        DerivationStep,
        Lack,
        LeftOut,
        plan_redo,
        redo,
        redo_run,
        to_redo,
        would_lose,
    )
    from monitor.pipeline.derive.values import WITH_POINTS, compute_points, switch
    from monitor.pipeline.schedule.leases import TurnLost, Turns
    from monitor.stages.jobs.plan import landing_depth, sample_requests
    from monitor.store.database import Connection
    from monitor.store.schedule.tasks import redo_progress

#: {module: the names that it has of those below}
_HOMES = {
    "monitor.pipeline.changes.conclusion": "conclude conclude_after",
    "monitor.pipeline.collect.run_lanes": "LaneRemainder ask by_lane suspended",
    "monitor.pipeline.collect.run_context": "Progress RunContext Stop never",
    "monitor.pipeline.collect.run_starts": (
        "Begun Pair audit_of audit_of_run check_governance keep_files lanes_of resume"
        " resume_command start start_confirm start_noise still_asked to_confirm turn_of_run"
    ),
    "monitor.pipeline.collect.runs": ("Interrupted Summary ask_run derive_run finish run take_run"),
    "monitor.pipeline.derive.corpora": "expected",
    "monitor.pipeline.derive.lexicons": "check_lexicons",
    "monitor.pipeline.derive.readings": "read_answers",
    "monitor.pipeline.derive.recomputation": (
        "Audits DerivationStep Lack LeftOut plan_redo redo redo_run to_redo would_lose"
    ),
    "monitor.pipeline.derive.values": "WITH_POINTS compute_points switch",
    "monitor.pipeline.schedule.leases": "TurnLost Turns",
    "monitor.stages.jobs.plan": "landing_depth sample_requests",
    "monitor.store.database": "Connection",
    "monitor.store.schedule.tasks": "redo_progress",
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever has the name
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
