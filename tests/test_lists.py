"""Probe lists: what is read, and what is refused with file and line."""

import pytest

from monitor.lists import load_list
from monitor.model import InvalidInput
from monitor.resources import find_folder
from tests.cases import check_each
from tests.factories import make_list, mini_items

SHIPPED = sorted((find_folder("jobs") / "lists").glob("*@*.csv"))


def test_a_list_is_read_with_its_tags_in_order(tmp_path):
    found = load_list(make_list(tmp_path, description="  What it asks.  "))
    assert (found.label, found.source_lang, found.status) == ("mini@1", "en", "unvalidated")
    assert found.description == "What it asks."
    assert [item.key for item in found.items] == [item["key"] for item in mini_items()]
    assert found.items[0].tags == {"stereotype": "1", "half": "odd"}


@check_each("path", SHIPPED)
def test_a_shipped_list_can_be_read(path):
    found = load_list(path)
    assert found.items
    assert found.licence


def test_there_are_shipped_lists():
    assert {path.stem for path in SHIPPED} >= {"professions@1", "stereotypes@1"}


def test_the_hash_is_of_what_is_asked(tmp_path):
    def hash_of(items=None, **header):
        return load_list(make_list(tmp_path, items=items, **header)).content_hash

    first = hash_of()
    assert hash_of(title="Another title", licence="MIT", description="More") == first
    assert hash_of(source_lang="de") != first
    assert hash_of(version=2) != first
    assert hash_of(name="other") != first
    for field, value in [("text", "I sleep."), ("key", "other"), ("half", "none")]:
        items = mini_items()
        items[5][field] = value
        assert hash_of(items) != first
    assert hash_of(list(reversed(mini_items()))) != first


def test_a_version_may_have_a_point(tmp_path):
    found = load_list(make_list(tmp_path, version="1.0"))
    assert (found.label, found.version, found.next_label) == ("mini@1.0", "1.0", "mini@1.1")
    whole = load_list(make_list(tmp_path, version=1))
    assert (whole.label, whole.next_label) == ("mini@1", "mini@2")
    assert load_list(make_list(tmp_path, version="1")).content_hash == whole.content_hash
    assert found.content_hash != whole.content_hash


def test_a_repeated_text_has_to_be_meant(tmp_path):
    items = mini_items()
    items[5]["text"] = items[4]["text"]
    with pytest.raises(InvalidInput, match=r"text 'I am tired 3 1\.' stands twice"):
        load_list(make_list(tmp_path, items=items))
    found = load_list(make_list(tmp_path, items=items, repeated_texts=True))
    assert found.items[5].text == found.items[4].text
    items[5]["key"] = items[4]["key"]
    with pytest.raises(InvalidInput, match="key 's03-1' stands twice"):
        load_list(make_list(tmp_path, items=items, repeated_texts=True))


def csv(tmp_path, content, encoding="utf-8"):
    path = make_list(tmp_path)
    path.write_bytes(content.encode(encoding))
    return path


@check_each(
    ("content", "words"),
    [
        ("key,text,stereotype\n", "the list is empty"),
        ("", "no column 'key'"),
        ("key,stereotype\na,1\n", "no column 'text'"),
        ("key,text\na,b\na,c\n", "key 'a' stands twice"),
        ("key,text\na,b\nc,b\n", "text 'b' stands twice"),
        ("key,text\na,b\n\nc,\n", r"mini@1\.csv:4: key and text must not be empty"),
        ("key,text\n ,b\n", r"mini@1\.csv:2: key and text must not be empty"),
        ("key,text,tag\na,b\n", r"mini@1\.csv:2: has 2 columns, the header 3"),
        ("key,text\na,b,c\n", r"mini@1\.csv:2: has 3 columns, the header 2"),
        ('key,text\na,"b\n', "not a CSV file"),
    ],
)
def test_a_list_that_cannot_be_used_is_named_with_the_fault(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        load_list(csv(tmp_path, content))


def test_a_list_in_another_encoding_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=":2: not UTF-8"):
        load_list(csv(tmp_path, "key,text\na,Já não é\n", "latin-1"))


def test_a_list_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInput, match="no such probe list"):
        load_list(tmp_path / "nothing@1.csv")


def test_quoted_text_with_commas_and_line_breaks(tmp_path):
    path = csv(tmp_path, 'key,text\na,"I came, I saw.\nI left."\n')
    assert load_list(path).items[0].text == "I came, I saw.\nI left."


def toml(tmp_path, content):
    path = make_list(tmp_path)
    if content is None:
        path.with_suffix(".toml").unlink()
    else:
        path.with_suffix(".toml").write_bytes(content)
    return path


GOOD = b'name="mini"\nversion=1\nsource_lang="en"\ntitle="t"\nstatus="validated"\nlicence="MIT"\n'


@check_each(
    ("content", "words"),
    [
        (None, r"mini@1\.toml: missing; it must describe mini@1\.csv"),
        (b"name = \n", r"mini@1\.toml: .*line 1"),
        (b'name = "mini"\n', r"mini@1\.toml: version: Field required"),
        (GOOD.replace(b"validated", b"perfect"), r"mini@1\.toml: status"),
        (GOOD.replace(b"version=1", b"version=0"), r"mini@1\.toml: version"),
        (GOOD.replace(b"version=1", b"version=true"), r"mini@1\.toml: version"),
        (GOOD.replace(b"version=1", b'version="1.x"'), r"mini@1\.toml: version"),
        (GOOD.replace(b"version=1", b"version=1.0"), "version with a point in quotation marks"),
        (GOOD.replace(b'"mini"', b'"Mini"'), r"mini@1\.toml: name"),
        (GOOD.replace(b"version=1", b"version=2"), "says mini@2; the name must agree"),
        (b"\xff\xfe", r"mini@1\.toml"),
    ],
)
def test_a_description_that_cannot_be_used_is_named_with_the_fault(tmp_path, content, words):
    with pytest.raises(InvalidInput, match=words):
        load_list(toml(tmp_path, content))
    (tmp_path / "lists" / "mini@1.toml").write_bytes(GOOD)
    assert load_list(tmp_path / "lists" / "mini@1.csv").status == "validated"
