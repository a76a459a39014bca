"""Settings of the environment: their values, and faults that are told where one is read."""

import pytest

from monitor import settings
from monitor.model import InvalidInput
from monitor.settings import Settings
from tests.cases import check_each


@check_each(
    ("name", "text", "value"),
    [
        ("processes", "3", 3),
        ("page_timeout", "2.5", 2.5),
        ("redo", "no", False),
        ("exit", "vpn-2", "vpn-2"),
        ("log_format", "json", "json"),
        ("public_url", "https://monitor.your.org/", "https://monitor.your.org"),
    ],
)
def test_a_text_of_the_environment_becomes_a_value(name, text, value, monkeypatch):
    monkeypatch.setenv(f"MONITOR_{name.upper()}", text)
    assert getattr(Settings.of_environment(), name) == value


@check_each(
    ("name", "text", "words"),
    [
        ("processes", "many", "should be a valid integer"),
        ("processes", "300", "should be less than or equal to 256"),
        ("log_level", "loud", "should be 'debug', 'info', 'warning' or 'error'"),
        ("exit", "A B", "should match pattern"),
        ("contact", "me@example.org", "is an example address"),
        ("public_url", "monitor", "name an address such as"),
    ],
)
def test_a_fault_is_told_where_the_setting_is_read(name, text, words, monkeypatch):
    monkeypatch.setenv(f"MONITOR_{name.upper()}", text)
    found = Settings.of_environment()
    assert found.lease_seconds == 30
    with pytest.raises(InvalidInput, match=words) as refused:
        getattr(found, name)
    assert str(refused.value).startswith(f"MONITOR_{name.upper()}={text!r} cannot be used: ")


def test_what_works_for_long_refuses_any_fault(monkeypatch):
    monkeypatch.setenv("MONITOR_QUOTA", "-1")
    settings.load.cache_clear()
    with pytest.raises(InvalidInput, match="MONITOR_QUOTA"):
        settings.load_all()


def test_a_secret_is_not_shown(monkeypatch):
    monkeypatch.setenv("MONITOR_PROXY", "http://ada:pw@proxy:1")
    found = Settings.of_environment()
    assert found.proxy.get_secret_value() == "http://ada:pw@proxy:1"
    assert "pw" not in repr(found) + str(found.proxy)
