"""Pages as trees: their spelling, elements once each, links made whole."""

from monitor.pages._html import absolute_link, decode_page, node_words, read_document, select_nodes
from tests.cases import check_each


@check_each(
    ("body", "text"),
    [
        (b"\xef\xbb\xbfr\xc3\xa9", "ré"),
        ("ré".encode("utf-16-le").join([b"\xff\xfe", b""]), "ré"),
        (b"r\xc3\xa9", "ré"),
        (b"<meta charset='iso-8859-1'>r\xe9", "<meta charset='iso-8859-1'>ré"),
        (b"<meta charset=nonsense>r\xe9", "<meta charset=nonsense>r\ufffd"),
        (b"<meta charset=unicode_escape>\\q\xe9", "<meta charset=unicode_escape>\\q\ufffd"),
        (b"<meta charset=base64>\xe9", "<meta charset=base64>\ufffd"),
    ],
)
def test_a_page_is_read_in_the_spelling_that_it_is_in(body, text):
    assert decode_page(body) == text


def test_an_element_that_fits_twice_comes_once_and_in_order():
    tree = read_document(b"<p class=a>1<b class=b>2</b></p><p class='a b'>3</p>").tree
    assert [node_words(node) for node in select_nodes(tree, ".b, .a, p")] == ["12", "2", "3"]


@check_each(
    ("href", "base", "whole"),
    [
        ("/a", "https://x.example/b", "https://x.example/a"),
        ("//y.example/", "https://x.example/", "https://y.example/"),
        ("mailto:a", "https://x.example/", ""),
        ("http://[", "https://x.example/", ""),
        ("a", "", ""),
        (None, "https://x.example/", ""),
    ],
)
def test_links_are_made_whole_or_are_none(href, base, whole):
    assert absolute_link(href, base) == whole


def test_the_host_of_a_broken_address_is_empty():
    assert read_document(b"x", "https://[broken").host == ""
    assert read_document(b"x", "https://WWW.X.example:80/").host == "www.x.example"
