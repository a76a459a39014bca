"""The rules of RFC 9309: which group is ours, which rule decides, and no file that raises."""

import time

from hypothesis import given
from hypothesis import strategies as st

from monitor.fetch.landing_tour import RobotsRules, parse_robots
from tests.cases import check_each

SITE = "https://a.test"


def allows(rules, path):
    return parse_robots(rules.encode()).allow_url(SITE + path)


@check_each(
    ("rule", "path", "fits"),
    [
        ("/", "/x", True),
        ("/fish", "/fish.html", True),
        ("/fish", "/Fish", False),
        ("/fish/", "/fish", False),
        ("/*.php", "/a/b.php?x=1", True),
        ("/*.php$", "/a.php", True),
        ("/*.php$", "/a.php?x", False),
        ("/*.php$", "/a.php.php", True),
        ("/fish*.php", "/fishes/a.php", True),
        ("/fish*.php", "/Fishes.php", False),
        ("/$", "/", True),
        ("/$", "/a", False),
        ("/a*b*c", "/axxbyyc", True),
        ("/a*b*c", "/acb", False),
        ("/ab*b$", "/ab", False),
        ("/*?", "/a?b=1", True),
        ("/*?", "/a", False),
        ("*", "/anything", True),
        ("/a%3cd", "/a%3Cd", True),
        ("/%7Euser", "/~user", True),
        ("/ü", "/%C3%BC", True),
        ("/%C3%BC", "/ü", True),
        ("/a%2fb", "/a/b", False),
        ("", "/x", False),
    ],
)
def test_which_paths_a_rule_fits(rule, path, fits):
    assert allows(f"User-agent: *\nDisallow: {rule}", path) is not fits


@check_each(
    ("rules", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /\nAllow: /p", "/page", True),
        ("User-agent: *\nAllow: /p\nDisallow: /", "/page", True),
        ("User-agent: *\nAllow: /folder\nDisallow: /folder", "/folder/a", True),
        ("User-agent: *\nAllow: /page\nDisallow: /*.htm", "/page.htm", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: monitor\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", True),
        ("User-agent: *\nDisallow: /\nUser-agent: Monitor/2.0\nDisallow: /a", "/a", False),
        ("User-agent: monitor\n\nUser-agent: *\nDisallow: /", "/b", False),
        ("User-agent: monitor\nDisallow:\n\nUser-agent: *\nDisallow: /", "/b", True),
        ("User-agent: x\nUser-agent: monitor\nSitemap: y\nDisallow: /a", "/a", False),
        ("User-agent: monitor\nAllow: /\nUser-agent: monitor\nDisallow: /a", "/a", False),
        ("User-agent: monitoring\nDisallow: /", "/a", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("Disallow: /", "/a", True),
        ("user-AGENT:*#x\r\ndisallow : /a # y\r\n", "/a", False),
        ("\ufeffUser-agent: *\rDisallow: /a", "/a", False),
    ],
)
def test_which_rule_decides(rules, path, allowed):
    assert allows(rules, path) is allowed


@check_each(
    ("line", "delay"),
    [("7", 7.0), ("0.5", 0.5), ("-1", 0.0), ("nan", 0.0), ("inf", 0.0), ("soon", 0.0)],
)
def test_delays(line, delay):
    assert parse_robots(f"User-agent: *\nCrawl-delay: {line}".encode()).delay == delay


def test_no_rules_allow_all():
    assert RobotsRules().allow_url(f"{SITE}/a?b")


def test_a_pattern_full_of_stars_takes_no_time():
    rules = "User-agent: *\n" + f"Disallow: /{'*a' * 200}b\n" * 500
    began = time.monotonic()
    assert allows(rules, "/" + "a" * 3000)
    assert time.monotonic() - began < 2


@given(st.binary(max_size=200), st.text(max_size=30))
def test_any_bytes_are_rules(body, path):
    for rules in (parse_robots(body), parse_robots(b"User-agent: *\nDisallow: /" + body)):
        assert rules.allow_url(f"{SITE}/{path}") in (True, False)
        assert rules.delay >= 0
