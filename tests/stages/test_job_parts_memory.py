"""Comparing two jobs for a claim card leaves no rubbish in memory."""

import gc

import pytest

from monitor.jobs import EngineUse, Job, LanguageUse, ListUse, MeasureUse
from monitor.jobs_tables import Confirm, Noise, ReportSchedule, Schedule
from monitor.stages.jobs.preregistration import _filled


@pytest.fixture
def still():
    """No garbage is collected meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _classes():
    return sum(issubclass(type(one), type) for one in gc.get_objects())


MODELS = [
    Job,
    EngineUse,
    ListUse,
    MeasureUse,
    LanguageUse,
    Schedule,
    Noise,
    Confirm,
    ReportSchedule,
]


def test_defaults_are_filled_in_without_making_classes(still):
    [_filled(model, {}) for model in MODELS]  # what is made once is made
    before = _classes()
    for _ in range(5):
        for model in MODELS:
            _filled(model, {})
    assert _classes() == before


def test_defaults_are_those_of_the_models_and_nobody_elses():
    for model in MODELS:
        found = _filled(model, {})
        for name, field in model.model_fields.items():
            if not field.is_required():
                expected = field.get_default(call_default_factory=True)
                assert found[name] == expected, (model, name)
    one, two = _filled(Job, {}), _filled(Job, {})
    assert all(
        value is not two[name] for name, value in one.items() if isinstance(value, list | dict)
    )
