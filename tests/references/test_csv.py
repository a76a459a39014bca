"""Shares in a file of one's own: what is read, and how every fault is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import InvalidInput, Origin
from monitor.references.csv import REFERENCE
from tests.cases import check_each

HEADER = "topic,group,share,count,n,source,country,as_of,word"
NURSE = "nurse,women,0.87,,,survey,DE,2024,Krankenpflege"


def read(*lines, header=HEADER, name="csv:mine"):
    return REFERENCE.read("\n".join([header, *lines]) + "\n", name)


def test_it_is_a_file_and_knows_nothing_by_itself():
    assert REFERENCE.origin is Origin.FILE
    assert (REFERENCE.shares(["nurse"]), REFERENCE.targets(["nurse"])) == ({}, {})


def test_of_women_alone_men_are_the_rest():
    found = read(NURSE)
    women, men = found.targets(["nurse", "baker"])["nurse"]
    assert (women.group, women.value, women.word) == ("women", 0.87, "Krankenpflege")
    assert (men.group, men.value) == ("men", pytest.approx(0.13))
    assert (women.source, women.country, women.as_of, women.n) == ("survey", "DE", "2024", None)
    assert found.shares(iter(["nurse", "baker"])) == {"nurse": women}
    assert found.origin is Origin.FILE
    assert found.name == "csv:mine"
    assert found.title == "mine (survey), DE, 2024"


def test_counts_make_shares():
    found = read("baker,women,,120,400,s,DE,2024-05,", "baker,men,0.7,280,400,s,DE,2024-05,")
    women, men = found.targets(["baker"])["baker"]
    assert (women.value, women.n, men.value) == (0.3, 400, 0.7)
    assert read("baker,women,,0,400,s,,2024,").shares(["baker"])["baker"].value == 0.0


def test_groups_of_ones_own_and_shares_within_rounding():
    rows = [f"cook,{group},0.33,,,s,,2024," for group in ("young", "old", "neither_2")]
    found = read(*rows)
    assert [s.group for s in found.targets(["cook"])["cook"]] == ["young", "old", "neither_2"]
    assert found.shares(["cook"]) == {}


def test_columns_may_stand_in_any_order_and_some_may_be_left_out():
    found = read(
        "2023-01-31,women,X,cook,.25", "", ",,,,", header="as_of,group,source,occupation,share"
    )
    assert found.shares(["cook"])["cook"].value == 0.25


def test_the_date_is_the_newest_and_the_content_belongs_to_it():
    older = "cook,women,0.4,,,s,DE,2019-06,"
    found = read(older, NURSE)
    assert found.as_of.startswith("2024+sha256-")
    assert found.title == "mine (s; survey), DE, 2019-06 to 2024"
    assert found.as_of == read(older, NURSE).as_of
    changed = read(older, NURSE.replace("0.87", "0.86"))
    assert changed.as_of != found.as_of
    assert len({found, read(older, NURSE), changed}) == 2  # used as a key where jobs are loaded


ROWS = [
    ("nurse,women,0,,,s,,2024,", None),
    ("nurse,women,1e-3,,,s,,2024,", None),
    ("nurse,women,87,,,s,DE,2024,", r"line 2: share '87': is not within 0 and 1; write 61 percent"),
    (
        'nurse,women,"0,87",,,s,DE,2024,',
        "line 2: share '0,87': is written with a comma; write 0.87",
    ),
    ("nurse,women,0,87,,,s,DE,2024,", "line 2: 10 cells under 9 columns; write 0.5 and not 0,5"),
    ("nurse,women,87 %,,,s,DE,2024,", "share '87 %': is no number"),
    ("nurse,women,nan,,,s,DE,2024,", "share 'nan': is no number"),
    ("nurse,women,-0.1,,,s,DE,2024,", "share '-0.1': is no number"),
    ('nurse,women,"=1/2",,,s,DE,2024,', "share '=1/2': is no number"),
    ("nurse,women,٠,,,s,DE,2024,", "is no number"),
    ("nurse,women,,,,s,DE,2024,", "share '': is needed, or count and n"),
    ("nurse,women,,12,,s,DE,2024,", "n '': the number of all people is needed beside count 12"),
    ("nurse,women,,12,8,s,DE,2024,", "n '8': the number of all people is needed"),
    ("nurse,women,,0,0,s,DE,2024,", "n '0': of nobody"),
    ("nurse,women,,1.200,4000,s,DE,2024,", "count '1.200': write a number of people"),
    ("nurse,women,,1,9999999999,s,DE,2024,", "n '9999999999': write a number of people up to"),
    ("nurse,women,0.9,40,80,s,DE,2024,", "share '0.9': 40 of 80 are 0.5000"),
    (",women,0.9,,,s,DE,2024,", "topic '': is needed"),
    ("nurse,Women,0.9,,,s,DE,2024,", "group 'Women': small letters"),
    ("nurse,women ,0.9,,,s,DE,2024,", "no blanks around"),
    ("nurse,women,0.9,,,,DE,2024,", "source '': is needed"),
    ("nurse,women,0.9,,,s,DE,,", "as_of '': is needed"),
    ("nurse,women,0.9,,,s,DE,31.12.2024,", "as_of '31.12.2024': write the date as 2024"),
    ("nurse,women,0.9,,,s,DE,2024-13,", "as_of '2024-13'"),
    ("nurse,women,0.9,,,s,DE,2024,a\x07b", "plain letters"),
    ('"nurse,women,0.9', "line 2: unexpected end of data; save the table as CSV"),
    ("nurse,men,0.1,,,s,DE,2024,", "line 2: 'nurse' has the group 'men' alone"),
]


@check_each(("row", "message"), ROWS)
def test_faults_of_a_row_are_named(row, message):
    if message is None:
        assert read(row).shares(["nurse"])
        return
    with pytest.raises(InvalidInput) as raised:
        read(row)
    assert message in str(raised.value)


@check_each(
    ("second", "message"),
    [
        (NURSE, "line 3: group 'women': stands for 'nurse' in line 2 already"),
        ("nurse,men,0.2,,,survey,DE,2024,", "line 3: the shares of 'nurse' add up to 1.07"),
        ("nurse,men,0.1,,,survey,DE,2024,", "add up to 0.97"),
        ("nurse,men,0.13,,,survey,DE,2023,", "as_of '2023': is '2024' for another group"),
        ("nurse,men,0.13,,,other,DE,2024,", "source 'other': is 'survey' for another group"),
        ("nurse,men,0.13,,,survey,FR,2024,", "country 'FR': is 'DE' for another group"),
        ("nurse,men,0.13,,50,survey,DE,2024,", "n '50': is '' for another group"),
    ],
)
def test_groups_of_a_topic_belong_together(second, message):
    with pytest.raises(InvalidInput) as raised:
        read(NURSE, second)
    assert message in str(raised.value)


@check_each(
    ("text", "message"),
    [
        ("", "line 1: needs one of the columns topic and occupation"),
        (HEADER, "no row below the header"),
        ("\ufeff" + HEADER + "\n" + NURSE, "byte order mark"),
        ("t\0o\0p\0", "UTF-16"),
        ("sep=,\n" + HEADER, "line 1: 'sep=,' is a spreadsheet program's; remove the line"),
        (HEADER.replace(",", ";") + "\n", "separated by semicolons"),
        (HEADER.replace(",", "\t") + "\n", "separated by tabs"),
        (HEADER + ",percent\n", "unknown column 'percent'; known: as_of"),
        (HEADER + ",share\n", "column 'share' stands twice"),
        (HEADER + ",occupation\n", "one of the columns topic and occupation"),
        ("topic,share,source,as_of\n", "column 'group' is missing"),
        ("topic,group,n,source,as_of\n", "needs the column share, or the columns count and n"),
        (HEADER + "\n" + "x" * 200_000, "field larger than field limit"),
    ],
)
def test_faults_of_a_file_are_named(text, message):
    with pytest.raises(InvalidInput) as raised:
        REFERENCE.read(text, "csv:mine")
    assert message in str(raised.value)


@given(st.text(), st.lists(st.text(max_size=8), min_size=9, max_size=9))
def test_no_text_is_more_than_a_fault_of_the_file(text, cells):
    for content in (text, f"{HEADER}\n{text}\n", f"{HEADER}\n{','.join(cells)}\n"):
        try:
            found = REFERENCE.read(content, "csv:x")
        except InvalidInput:
            continue
        for share in (s for some in found.known.values() for s in some):
            assert 0 <= share.value <= 1
            assert share.source
