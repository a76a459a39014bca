"""Small collections beside the jobs: indexed when first asked, and anew when they change."""

import json
from pathlib import Path

import pytest

from monitor.model import InvalidInput, MissingPart
from monitor.rankers import build
from monitor.rankers.index import META
from tests.rankers.small import TEXTS, index_of

SHIPPED = "gsr-toy1-s"


def put(home, name="news", texts=None):
    folder = home / "jobs" / "collections"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [json.dumps({"id": key, "text": text}) for key, text in (texts or TEXTS).items()]
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def find(name, home, version="1.0"):
    return build.find(name, home, version)


def made(home):
    return sorted(path.name for path in (home / "indexes" / ".collections").iterdir())


def all_keys(index):
    return [index.key(number) for number in range(index.documents)]


def test_a_collection_is_indexed_when_it_is_first_asked(tmp_path, monkeypatch):
    put(tmp_path)
    assert not (tmp_path / "indexes").exists()
    assert all_keys(find("news", tmp_path)) == list(TEXTS)
    [name] = made(tmp_path)
    assert name.startswith("news-")
    monkeypatch.setattr(build, "build_index", None)  # a second look builds nothing
    again = find("news", tmp_path)
    assert again.title_and_text(0) == ("", TEXTS["a"])


def test_the_same_documents_with_the_genders_swapped_are_there(tmp_path):
    put(tmp_path)
    swapped = find("news", tmp_path).counterfactual
    assert swapped.title_and_text(0) == ("", "The nurse said that he was tired.")


def test_those_that_ship_are_there_and_a_file_of_ones_own_goes_first(tmp_path):
    assert find(SHIPPED, tmp_path).documents > len(TEXTS)
    put(tmp_path, SHIPPED)
    assert all_keys(find(SHIPPED, tmp_path)) == list(TEXTS)
    assert len(made(tmp_path)) == 2


def test_a_changed_collection_is_never_answered_out_of_an_old_index(tmp_path):
    put(tmp_path)
    before = find("news", tmp_path)
    put(tmp_path, texts=TEXTS | {"a": "Another text."})
    after = find("news", tmp_path)
    assert after.title_and_text(0) == ("", "Another text.")
    assert before.title_and_text(0) == ("", TEXTS["a"])  # who has it open keeps it
    assert after.meta.digest != before.meta.digest


def test_another_program_builds_its_own(tmp_path):
    put(tmp_path)
    versions = [find("news", tmp_path, version).meta.version for version in ("1.0", "1.1", "1.0")]
    assert versions == ["1.0", "1.1", "1.0"]
    assert len(made(tmp_path)) == 2


def test_an_index_that_a_person_built_goes_before_a_collection(tmp_path):
    put(tmp_path)
    (tmp_path / "indexes").mkdir()
    (tmp_path / "indexes" / "news").mkdir()
    index_of(tmp_path / "indexes" / "news", {"own": "My words."})
    assert all_keys(find("news", tmp_path)) == ["own"]
    assert not (tmp_path / "indexes" / ".collections").exists()


def test_who_built_it_meanwhile_is_as_good(tmp_path, monkeypatch):
    put(tmp_path)
    original = build.build_index

    def slower(entries, folder, *given, **more):
        original(entries, folder, *given, **more)
        monkeypatch.setattr(build, "build_index", original)
        find("news", tmp_path)  # another process comes first

    monkeypatch.setattr(build, "build_index", slower)
    assert all_keys(find("news", tmp_path)) == list(TEXTS)
    assert len(made(tmp_path)) == 1  # and nothing half built stays


def test_a_build_that_fails_leaves_nothing(tmp_path):
    path = put(tmp_path)
    with path.open("a") as file:
        file.write('\n{"id": "a", "text": "twice"}')
    with pytest.raises(InvalidInput, match=r"news\.jsonl:7: document id 'a' stands twice"):
        find("news", tmp_path)
    assert made(tmp_path) == []
    put(tmp_path)
    assert (find("news", tmp_path).folder / META).is_file()


@pytest.mark.parametrize("name", ["nowhere", "News", "gsr-toy1-s.jsonl"])
def test_what_there_is_not_says_how_it_is_made(tmp_path, name):
    put(tmp_path)
    with pytest.raises(MissingPart, match="monitor index"):
        find(name, tmp_path)


@pytest.mark.parametrize("name", ["../../secret", "a/b", "", ".hidden"])
def test_a_name_never_leads_out_of_the_folder(tmp_path, name):
    put(tmp_path)
    path = Path(tmp_path / "jobs" / "collections" / f"{name}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"id": "x", "text": "y"}')
    with pytest.raises((MissingPart, InvalidInput)):
        find(name, tmp_path)


def test_a_large_file_waits_for_a_person_who_sees_how_far_it_has_come(tmp_path, monkeypatch):
    path = put(tmp_path)
    monkeypatch.setattr(build, "_LARGEST", path.stat().st_size - 1)
    with pytest.raises(MissingPart, match="monitor index"):
        find("news", tmp_path)
    monkeypatch.setattr(build, "_LARGEST", path.stat().st_size)
    assert find("news", tmp_path).documents == len(TEXTS)
