"""Pages call systems, measures and quantities by plain names; their codes are in one fold."""

import re

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store.changes.series import Filters, find_series

#: Codes of engines, measures and quantities, which people do not read.
_CODES = re.compile(r"libretranslate\(|masculine_rate|c_ratio_bias|\b(f_s|f_m|s_or|mab|mb)\b")


@pytest.fixture
def client(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def read_words(client, path):
    """Return what a page shows unfolded, and its folds."""
    main = HTMLParser(client.get(path).text).css_first("main")
    folds = " ".join(fold.text() for fold in main.css("details"))
    for fold in main.css("details"):
        fold.decompose()
    return main.text(), folds


@pytest.mark.parametrize("path", ["/compare", "/stereotypes", "/professions", "/series"])
def test_codes_are_folded(client, path):
    shown, folded = read_words(client, path)
    assert not _CODES.search(shown), _CODES.findall(shown)
    assert _CODES.search(folded)
    assert "LibreTranslate (two.test)" in shown


def test_related_series_are_named_in_words(client, sqlite_archive):
    with sqlite_archive.read() as connection:
        [series, *_] = find_series(connection, Filters(quantity="f_s", scope="all"))
    shown, folded = read_words(client, f"/series/{series.id}")
    assert not _CODES.search(shown), _CODES.findall(shown)
    assert "f_s" in folded


def test_filters_keep_codes_in_addresses(client):
    tree = HTMLParser(client.get("/compare?quantity=f_s").text)
    options = {o.attributes["value"]: o.text() for o in tree.css('select[name="quantity"] option')}
    assert options["f_s"] == "stereotype gap"
    assert len(set(options.values())) == len(options)
    [chosen] = tree.css('select[name="quantity"] option[selected]')
    assert chosen.attributes["value"] == "f_s"


def test_counts_of_comparisons_add_up(client):
    found = client.get("/api/v1/compare?job=mt-weekly").json()
    pairs = [
        pair
        for page in range(1, found["n_pages"] + 1)
        for group in client.get(f"/api/v1/compare?job=mt-weekly&page={page}").json()["groups"]
        for pair in group["pairs"]
    ]
    n_tested = sum(pair["q"] is not None for pair in pairs)
    n_missing = sum(pair["delta"] is None for pair in pairs)
    n_untested = len(pairs) - n_tested - n_missing
    assert min(n_tested, n_missing, n_untested) > 0
    shown = " ".join(read_words(client, "/compare?job=mt-weekly")[0].split())
    assert f"{found['n_differ']} of {n_tested} tested differences" in shown
    assert (
        f"Of {len(pairs)} comparisons, {n_tested} have a test, {n_untested} have a difference for "
        f"which there is no test, and {n_missing} could not be made." in shown
    )
