import tomllib
from importlib.resources import files

from monitor.data import read_table
from monitor.references.us_labour import PRECEDENCE, REFERENCE, prefer_sources


def row(**changes):
    usual = {
        "occupation": "nurse", "group": "women", "share": "0.9", "n": "",
        "source": "census2015_garg", "country": "US", "as_of": "2015", "word": "nurse",
    }  # fmt: skip
    return usual | changes


def test_precedence_is_the_one_stated_beside_the_table():
    sources = tomllib.loads(files("monitor.data").joinpath("sources.toml").read_text())
    assert list(PRECEDENCE) == sources["files"]["us_labour.csv"]["precedence"]


def test_the_first_source_wins_whatever_the_order_of_rows():
    rows = [
        row(source="cps_winobias", share="0.90", as_of="2018"),
        row(share="0.899"),
        row(source="cps2019_fabris_a7", share="0.889", as_of="2019", word="registered nurse"),
        row(occupation="cook", source="cps_winobias", share="0.38", as_of="2018"),
        row(occupation="cook", share="0.41", n="120"),
    ]
    for order in (rows, rows[::-1]):
        shares = prefer_sources(order)
        assert (shares["nurse"].value, shares["nurse"].as_of) == (0.889, "2019")
        assert shares["nurse"].word == "registered nurse"
        assert (shares["cook"].value, shares["cook"].as_of, shares["cook"].n) == (0.41, "2015", 120)


def test_rows_of_another_group_are_not_shares_of_women():
    assert prefer_sources([row(group="men")]) == {}


def test_the_shipped_table_has_shares_and_sources_that_are_known():
    for women in (r for r in read_table("us_labour") if r["group"] == "women"):
        assert women["source"] in PRECEDENCE
        assert 0 <= float(women["share"]) <= 1
        assert not women["n"] or int(women["n"]) > 0


def test_shares_of_the_shipped_table():
    table = read_table("us_labour")
    known = {r["occupation"] for r in table if r["group"] == "women"}
    shares = REFERENCE.shares([*known, "unheard_of"])
    assert set(shares) == known
    years = {share.as_of for share in shares.values()}
    assert "2019" in years
    newest = {r["occupation"] for r in table if r["source"] == PRECEDENCE[0]}
    assert all((shares[key].source == PRECEDENCE[0]) is (key in newest) for key in known)
