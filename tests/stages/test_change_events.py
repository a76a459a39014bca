"""Change events: whose change it is, and how the same change of several languages is told."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.model import Kind, QuantityUnit
from monitor.stages.changes.claim_support import _write_notes
from monitor.stages.changes.events import ChangeEvent, EventChange
from tests.stages.test_claim_support import SUPPORTED

CZECH = EventChange(
    series=1, number=1, quantity="f_s", label="Stereotype gap", unit=QuantityUnit.DIFFERENCE,
    measure="masculine_rate", source_lang="en", target="cs", list="gest", scope="all",
    kind=ChangeKind.STEP, role=Role.PRIMARY, status=Status.CONFIRMED, before=0.4, after=0.88,
    effect=0.48, low=0.4, high=0.55, our_part="", later=None,
)  # fmt: skip
DAY = datetime(2026, 3, 2, tzinfo=UTC)
EVENT = ChangeEvent(
    number=1, job="j", engine="x", system="X", kind=Kind.MT, asked_in="", changed_at=DAY,
    detected_at=DAY, status=Status.CONFIRMED, cause=Cause.ENGINE,
    causes={Cause.ENGINE: [("en", "cs")]}, headline="", is_updated=False, changes=[CZECH],
)  # fmt: skip


@pytest.mark.parametrize(
    ("cause", "is_updated", "is_of_system"),
    [
        (Cause.ENGINE, False, True),
        (Cause.ENGINE, True, False),
        (Cause.INSTRUMENT, False, False),
        (Cause.INSTRUMENT, True, False),
    ],
)
def test_a_change_is_of_the_system_only_without_any_change_of_ours(cause, is_updated, is_of_system):
    event = replace(EVENT, cause=cause, is_updated=is_updated)
    assert event.is_of_system == is_of_system


@pytest.mark.parametrize(("effect", "is_rounded"), [(0.48, False), (0.4804, True), (0.3, False)])
def test_two_languages_that_changed_alike_as_rounded_say_so(effect, is_rounded):
    slovak = replace(CZECH, series=2, number=2, target="sk", effect=effect)
    czech_note, slovak_note = _write_notes(replace(EVENT, changes=[CZECH, slovak]), SUPPORTED)
    assert czech_note.startswith("Czech")
    assert slovak_note.startswith("Slovak")
    assert slovak_note.endswith(", alike as rounded.") == is_rounded
