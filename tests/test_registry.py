"""Plug-ins are found by their file, and a forgotten line is an error."""

import subprocess
import sys

import pytest

from monitor import registry
from monitor.model import InvalidInput
from tests.cases import check_each


def forget():
    for kept in (registry._find_modules, registry._import_known, registry.compute_fingerprint):
        kept.cache_clear()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A plug-in folder `monitor.engines` with the modules that a test writes into it."""
    import monitor.engines

    monkeypatch.setattr(monitor.engines, "__path__", [str(tmp_path)])
    forget()
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]
    forget()


def plugin(name):
    return f"class Engine:\n    name = {name!r}\n\n\nENGINE = Engine()\n"


def test_a_file_is_a_registration_and_a_helper_is_none(folder):
    (folder / "one_engine.py").write_text(plugin("one_engine"))
    (folder / "_helper.py").write_text("x = 1\n")
    assert list(registry.discover("engines")) == ["one_engine"]
    assert registry.engine("one_engine").name == "one_engine"


def test_all_are_in_the_order_of_their_names(folder):
    """Also where each was looked up before, in another order."""
    for name in ("b_engine", "a_engine"):
        (folder / f"{name}.py").write_text(plugin(name))
        registry._find_modules.cache_clear()
        registry.engine(name)
    assert list(registry.discover("engines")) == ["a_engine", "b_engine"]


def test_a_forgotten_constant_is_an_error(folder):
    (folder / "silent_engine.py").write_text("x = 1\n")
    with pytest.raises(TypeError, match=r"silent_engine\.py defines no ENGINE"):
        registry.discover("engines")


def test_a_name_unlike_the_file_is_an_error(folder):
    (folder / "wrong_engine.py").write_text(plugin("other"))
    with pytest.raises(TypeError, match=r"wrong_engine\.py registers itself as 'other'"):
        registry.discover("engines")


@pytest.mark.parametrize(
    ("find", "word"),
    [(registry.engine, "engine"), (registry.measure, "measure"), (registry.reference, "reference")],
)
def test_an_unknown_name_lists_the_known_ones(find, word):
    with pytest.raises(InvalidInput, match=rf"unknown {word} 'nothing'; known: \w+, \w+"):
        find("nothing")


@check_each(
    ("find", "name", "words"),
    [
        (registry.engine, "deepll", "unknown engine 'deepll'; did you mean deepl?"),
        (registry.engine, "google_cse", "no longer offered.*; use serpapi or dataforseo"),
        (registry.measure, "masculin_rate", "did you mean masculine_rate"),
        (registry.reference, "us_labor", "did you mean us_labour"),
        (registry.known_language, "czech", r"did you mean cs \(Czech\)\?"),
    ],
)
def test_a_near_name_is_suggested(find, name, words):
    with pytest.raises(InvalidInput, match=words):
        find(name)


def test_only_the_plug_in_that_is_looked_up_is_imported():
    code = (
        "import sys\n"
        "from monitor import registry\n"
        "registry.engine('deepl'), registry.measure('masculine_rate'), registry.language('pt')\n"
        "others = ('engines.brave', 'measures.gsr.gsr', 'measures.c_ratio.c_ratio_bias')\n"
        "others = (*others, 'languages.cs')\n"
        "print(*(name for name in others if f'monitor.{name}' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.split()


@check_each("tag", ["pt", "pt-BR", "pt-PT", "PT", "pt-Latn-BR"])
def test_a_language_is_found_by_its_primary_subtag(tag):
    assert registry.language(tag).code == "pt"
    assert registry.known_language(tag).code == "pt"


def test_an_unknown_language_is_none_or_named():
    assert registry.language("xx-YY") is None
    with pytest.raises(InvalidInput, match=r"'xx-YY'.*known: .*pt"):
        registry.known_language("xx-YY")


def test_the_sources_of_a_plugin_are_its_file_and_the_helpers_it_uses(folder):
    (folder / "one_engine.py").write_text("from monitor.engines import _first\n" + plugin("one"))
    (folder / "_first.py").write_text("from monitor.engines._second import x\n")
    (folder / "_second.py").write_text("x = 1\n")
    (folder / "_third.py").write_text("unused = 1\n")
    names = [path.name for path in registry.find_sources("engines", "one_engine")]
    assert names == ["_first.py", "_second.py", "one_engine.py"]


def test_the_fingerprint_follows_the_content_of_all_sources(folder):
    def now():
        registry.compute_fingerprint.cache_clear()
        return registry.compute_fingerprint("engines", "one_engine")

    (folder / "one_engine.py").write_text("from monitor.engines import _first\n" + plugin("one"))
    (folder / "_first.py").write_text("x = 1\n")
    (folder / "_other.py").write_text("x = 1\n")
    first = now()
    assert now() == first
    (folder / "_other.py").write_text("x = 2\n")
    assert now() == first
    (folder / "_first.py").write_text("x = 2\n")
    second = now()
    assert second != first
    (folder / "one_engine.py").write_text("from monitor.engines import _first\n" + plugin("two"))
    assert now() != second


def test_plug_ins_may_stand_in_folders(folder):
    group = folder / "group"
    group.mkdir()
    (group / "__init__.py").write_text("")
    (group / "one_engine.py").write_text(
        "from monitor.engines import _first\n" + plugin("one_engine")
    )
    (folder / "_first.py").write_text("from monitor.engines.group._second import x\n")
    (group / "_second.py").write_text("x = 1\n")
    (folder / "other_engine.py").write_text(plugin("other_engine"))
    assert registry.list_names("engines") == ("one_engine", "other_engine")
    assert list(registry.discover("engines")) == ["one_engine", "other_engine"]
    names = [path.name for path in registry.find_sources("engines", "one_engine")]
    assert sorted(names) == ["_first.py", "_second.py", "one_engine.py"]
