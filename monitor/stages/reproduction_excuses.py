"""Why a number of a package may differ from the recomputed one without a fault. Pure.

In goes what the manifest says that is not in the package, out come reasons for numbers that rest on
it. Where such a number is equal nevertheless, it counts as equal.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from monitor.change import ChangeKind
from monitor.stages.reproduction_folder import Elsewhere, Manifest
from monitor.stages.reproduction_reports import installation
from monitor.store.reproduction import moment

ERASED = "computed before something that it may rest on was erased"
WORKED_ON = "may rest on a run that was worked on while the package was written"
AUDITED = "said by an audit of the instrument that is not in this package"

#: What an audit says of a finding.
_CAUSE = frozenset({"cause", "because"})
_BACK = frozenset({ChangeKind.SHIFT})


class Numbered(Protocol):
    """Published or recomputed values under one name."""

    @property
    def kind(self) -> str: ...
    @property
    def key(self) -> Sequence[str]: ...
    @property
    def at(self) -> str: ...
    @property
    def job(self) -> str: ...
    @property
    def signature(self) -> str: ...


class Excuses:
    """Reasons by what is not in a package."""

    def __init__(self, manifest: Manifest) -> None:
        self._since = [
            (why, {job: moment(at, why) for job, at in some.items()})
            for why, some in ((ERASED, manifest.erased), (WORKED_ON, manifest.worked_on))
        ]
        self._doubts = manifest.doubts
        self._signatures = manifest.signatures

    def of_row(self, one: Numbered) -> str:
        """Why all of a row may differ, or be on one side alone; or ""."""
        back = not _BACK.isdisjoint(one.key)
        for why, some in self._since:
            since = some.get(one.job)
            if since is not None and (back or moment(one.at, "at") >= since):
                return why
        said = one.kind == "reports" and any(one.job in known.jobs for known in self._doubts)
        return AUDITED if said else ""

    def of_value(self, one: Numbered, name: str) -> str:
        """Why a value may differ; or ""."""
        if one.kind == "reports" and (why := installation(name)):
            return why
        in_doubt = (one.kind == "points" and name == "flags") or (
            one.kind == "changes" and name in _CAUSE
        )
        if in_doubt and any(self._is_about(known, one) for known in self._doubts):
            return AUDITED
        return self.of_row(one)

    def _is_about(self, known: Elsewhere, one: Numbered) -> bool:
        if one.job not in known.jobs:
            return False
        parts: Mapping[str, object] = self._signatures.get(one.signature, {})
        if one.signature and parts.get("language") != known.language:
            return False
        at = moment(one.at, "at")
        is_early = known.since is not None and at < moment(known.since, "doubts")
        return not (is_early or (known.until is not None and at > moment(known.until, "doubts")))
