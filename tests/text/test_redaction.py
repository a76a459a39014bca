"""Personal data and secrets go out of content, are counted, and leave it readable."""

import base64
import json
import re
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.text.redaction import PersonalData, Redactor, find_values
from monitor.text.spelling import SpelledText
from tests.cases import check_each

MARKER = re.compile("REDACTED-([A-Z]+)")

#: {class: values that must not be left}
PLANTED = {
    PersonalData.SECRET: [
        "sk-proj-Zq81LmT0vVb2XnYp44Kd", "AKIAQ3EGZX7UV2LKWR5T",
        "AIzaSyD3kX9-aaB7qLw0ZtUv5RmNc2EjH8oPgY",
        "ghp_9fKq2LmZ0xTvBn3WcRyUe8AsDg7Hj1Kl5Mo4", "4f1c9a3e-77d2-4b11-9c0e-8a51f2b7d6e3:fx",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.s5Jx_k2Q", "hunter2-of-Ada",
        "xoxb-2384-99182-AbCdEf",
    ],
    PersonalData.COOKIE: ["NID=511=Kq8aZ1xY7vB", "SID=g.a000lAbc9XyZ77; HSID=A8xQ2pLm"],
    PersonalData.SESSION: ["ALiCzsaF1kQ2m:1682011", "9f8e7d6c5b4a39281706"],
    PersonalData.ACCOUNT: [
        "Ada Q. Lovelace", "Žofie Nováková", "ada.lovelace.1815", "Grace-Hopper_7",
    ],
    PersonalData.EMAIL: ["ada.lovelace@uni.example.org", "zofie+alerts@posta.example.cz"],
    PersonalData.PHONE: ["+43 660 1234567", "(555) 867-5309"],
    PersonalData.AVATAR: [
        "https://lh3.googleusercontent.com/a/ACg8ocKx81=s96-c", "https://img.example/u/991/face.png",
    ],
    PersonalData.NETWORK: ["203.0.113.77", "2001:db8:85a3::8a2e:370:7334", "198.51.100.23"],
    PersonalData.COORDINATES: ["48.208176", "16.373819", "-33.868820"],
    PersonalData.PLACE: ["Hinterbrühl", "12 Rue des Lilas", "67337, Kansas"],
    PersonalData.HISTORY: ["how to leave my job quietly", "divorce lawyer hinterland"],
}  # fmt: skip
#: {class: names that stand beside such values}
NAMES = {
    PersonalData.SECRET: ["api_key", "accessToken", "client_secret", "password"],
    PersonalData.COOKIE: ["cookie", "Set-Cookie"],
    PersonalData.SESSION: ["sxsrf", "session_id", "csrfToken"],
    PersonalData.ACCOUNT: ["user_name", "accountName", "displayName"],
    PersonalData.EMAIL: ["email", "userEmail"],
    PersonalData.PHONE: ["phone", "mobile_number"],
    PersonalData.AVATAR: ["avatar_url", "profilePicture"],
    PersonalData.NETWORK: ["ip", "client_ip", "remoteAddr"],
    PersonalData.COORDINATES: ["lat", "longitude"],
    PersonalData.PLACE: ["city", "postal_address", "userLocation"],
    PersonalData.HISTORY: ["search_history", "recentSearches"],
}
FRAMES = {
    "JSON": lambda name, value: json.dumps({"result": {name: value}}, ensure_ascii=False),
    "JSON in ASCII": lambda name, value: json.dumps({"result": [{name: value}]}),
    "JSON in JSON": lambda name, value: json.dumps({"log": json.dumps({name: value})}),
    "script": lambda name, value: (
        "<script>var d='" + "".join(
            f"\\x{ord(c):02x}" if c in "\"'<>={}" else c for c in json.dumps({name: value})
        ) + "';</script>"
    ),
    "attribute": lambda name, value: f'<p data-{name}="{escape(value)}">text</p>',
    "form field": lambda name, value: f'<input type=hidden name="{name}" value="{escape(value)}">',
    "address": lambda name, value: f"https://a.example/s?q=1&{name}={quote(value, safe='')}&n=1",
    "address in HTML": lambda name, value: (
        f'<a href="/s?q=nurse&amp;{name}={quote(value, safe="")}&amp;n=1">nurse</a>'
    ),
    "address in an address": lambda name, value: (
        "/url?u=" + quote(f"https://a.example/s?{name}={quote(value, safe='')}", safe="")
    ),
    "list in JSON": lambda name, value: json.dumps({name: [value, value + "1"]}),
}  # fmt: skip


def check_nothing_left(text, value):
    """Assert that no spelling of a value is left in a text, and no longer part of it."""
    spelled = SpelledText(text)
    assert not list(spelled.find_spellings(value, any_case=True))
    assert base64.b64encode(value.encode()).decode().rstrip("=") not in text


def check_complete(text, redactor):
    """Assert that the list of removals counts every marker, by class, and holds no value."""
    counted = {}
    for removal in redactor.removals:
        counted[removal.kind.name] = counted.get(removal.kind.name, 0) + removal.count
    shown = {}
    for name in MARKER.findall(text):
        shown[name] = shown.get(name, 0) + 1
    assert shown == counted


@check_each("frame", FRAMES)
@check_each("kind", PLANTED)
def test_labelled_values_are_removed_wherever_they_stand(kind, frame):
    for name in NAMES[kind]:
        for value in PLANTED[kind]:
            redactor = Redactor()
            text = redactor.redact_text(FRAMES[frame](name, value), "body")
            check_nothing_left(text, value)
            check_complete(text, redactor)
            assert "REDACTED-" in text
            assert Redactor().redact_text(text, "body") == text


@check_each(
    ("text", "secret"),
    [
        ("Incorrect API key provided: sk-proj-Zq81LmT0vVb2XnYp44Kd.", "sk-proj-Zq81"),
        ("write to ada.lovelace@uni.example.org soon", "ada.lovelace"),
        ("ada.lovelace%40uni.example.org", "ada.lovelace"),
        ("ada.lovelace&#64;uni.example.org", "ada.lovelace"),
        (r'"x\u0040":"ada.lovelace\u0040uni.example.org"', "ada.lovelace"),
        ("ada.lovelace [at] uni.example.org", "ada.lovelace"),
        ("https://ada:s3cret@host.example/x", "s3cret"),
        ("Authorization: Bearer 8f7a6b5c4d3e2f1a", "8f7a6b5c"),
        ("curl -H 'Authorization: Basic YWRhOmxvdmVsYWNl'", "YWRhOmx"),
        ("your address 203.0.113.77 was blocked", "203.0.113"),
        ("from 2001:db8:85a3::8a2e:370:7334 today", "85a3"),
        ("/maps/@48.2081743,16.3738189,15z", "48.208"),
        ("?ll=48.208174,16.373819&z=1", "16.373"),
        ("48°12'30\"N 16°22'22\"E", "48°"),
        ("uule=w+CAIQICIHQXVzdHJpYQ", "CAIQICIH"),
        ("arn:aws:iam::123456789012:user/ada is not authorized", "123456789012"),
        ("file:///C:/x C:\\Users\\ada.l\\Desktop\\page.html", "ada.l"),
        ("/home/lovelace/page.html", "lovelace"),
        ('<a aria-label="Google Account: Ada Lovelace  \n(ada@x.example)">', "Lovelace"),
        ('<a aria-label="Google-Konto: Ada Lovelace &#10;(ada@x.example)">', "Lovelace"),
        ("<div>Signed in as <b>Lovelace</b></div>", "Lovelace"),
        ('<span class="user-name"><b>Lovelace</b></span>', "Lovelace"),
        ('<span id="id_n" title="x">Lovelace</span>', "Lovelace"),
        ("<b>Kansas</b><span>&nbsp;-&nbsp;</span><span>From your IP address</span>", "Kansas"),
        ("<span>Graz</span> - <span>Von deiner IP-Adresse</span>", "Graz"),
        ("<div>You've visited this page 3 times. Last visit: 12/01/21</div>", "12/01"),
        ('<ul id="search-history"><li>divorce lawyer</li></ul>', "divorce"),
        ("https://lh3.googleusercontent.com/ogw/AF2bZyh81", "AF2bZ"),
        ('document.cookie="SID=g.a000lAbc9"', "a000l"),
        ("Cookie: SID=g.a000lAbc9; HSID=xyz", "a000l"),
        ("export DEEPL_AUTH_KEY=4f1c9a3e77d2", "4f1c9a3e"),
        ('{"user": {"name": "Lovelace", "id": 77123}}', "77123"),
        ('{"location": {"lat": 48.2, "lng": 16.37}}', "16.37"),
        ('{"viewer":{"login":"lovelace","emails":["l@x.example"]}}', "lovelace"),
        ("{user:{name:'Lovelace'}}", "Lovelace"),
        ('<meta name="user-login" content="lovelace">', "lovelace"),
        ("<input name=csrf_token value=ab12cd34ef>", "ab12cd"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "MIIEow"),
        ("%7B%22user%22%3A%22lovelace%22%7D", "lovelace"),
        ("{&quot;user&quot;:&quot;lovelace&quot;}", "lovelace"),
    ],
)  # fmt: skip
def test_values_without_a_name_are_known_by_form_and_scene(text, secret):
    redactor = Redactor()
    redacted = redactor.redact_text(text, "body")
    check_nothing_left(redacted, secret)
    assert secret.lower() not in redacted.lower()
    assert redactor.removals
    assert Redactor().redact_text(redacted, "body") == redacted


@check_each(
    "text",
    [
        "Chrome/120.0.0.0 Safari/537.36",
        "version 1.2.3, at 12:34:56, on 2026-11-28",
        "http://127.0.0.1:8080/",
        '{"role": "user", "content": "Ich bin müde.", "model": "small-7b"}',
        '{"usage": {"prompt_tokens": 11, "completion_tokens": 3}}',
        '{"title": "Ada Lovelace", "url": "https://en.wikipedia.org/wiki/Ada_Lovelace"}',
        '{"entityname": "Grace Hopper", "rank": 3, "target_lang": "PT-BR"}',
        "the secret history of women in science",
        '<path d="M12.345,13.567 14.322,15.999"/>',
        "img/empty-light@2x.png",
        "secret:DEEPL_AUTH_KEY",
        "She said: no",
    ],
)
def test_ordinary_content_stays(text):
    assert Redactor().redact_text(text, "body") == text
    assert find_values(text) == []


def test_a_name_that_one_part_gives_away_goes_from_all():
    redactor = Redactor({"s3cret-of-this-machine": PersonalData.SECRET})
    parts = {
        "body": '<a aria-label="Google Account: Ada Lovelace (ada@x.example)">x</a>',
        "name": "Screenshot ada-lovelace 203.0.113.77.png",
        "url": "https://a.example/s?q=Ada+Lovelace&s3cret-of-this-machine",
        "other": base64.b64encode(b"s3cret-of-this-machine").decode(),
    }  # fmt: skip
    for text in parts.values():
        redactor.learn(text)
    redacted = {place: redactor.redact_text(text, place) for place, text in parts.items()}
    for text in redacted.values():
        assert "lovelace" not in text.lower()
        assert "s3cret" not in text
        assert "203.0" not in text
    assert redacted["name"] == "Screenshot REDACTED-ACCOUNT REDACTED-NETWORK.png"
    assert "czNjcmV0" not in redacted["other"]
    assert {removal.place for removal in redactor.removals} == set(parts)
    check_complete(" ".join(redacted.values()), redactor)


def test_headers_keep_their_names_and_what_tells_of_nobody():
    redactor = Redactor()
    headers = [
        ("Content-Type", "application/json"), ("Retry-After", "30"), ("X-Geo", "Graz"),
        ("Set-Cookie", "SID=g.a000lAbc9; Path=/"), ("X-Request-Id", "9f8e7d6c5b4a"),
        ("Location", "https://a.example/?token=9f8e7d6c5b4a"), ("openai-organization", "ada-uni"),
        ("User-Agent", "monitor/1 (+ada@uni.example)"), ("X-Empty", ""),
    ]  # fmt: skip
    redacted = dict(redactor.redact_headers(headers, "answer"))
    assert [name for name, _ in headers] == list(redacted)
    assert redacted["Content-Type"] == "application/json"
    assert redacted["Retry-After"] == "30"
    assert redacted["Location"] == "https://a.example/?token=REDACTED-SECRET"
    assert redacted["User-Agent"] == "monitor/1 (+REDACTED-EMAIL)"
    assert redacted["X-Empty"] == ""
    left = " ".join(redacted.values())
    for value in ("Graz", "a000l", "9f8e7d", "ada"):
        assert value not in left
    check_complete(left, redactor)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_bytes_come_back_in_their_encoding(encoding):
    body = '<p title="café">grüße</p><a href="mailto:ada@x.example">x</a>'.encode(encoding)
    redacted = Redactor().redact_body(body, "body")
    assert (
        redacted.decode(encoding)
        == '<p title="café">grüße</p><a href="mailto:REDACTED-EMAIL">x</a>'
    )
    assert (
        Redactor().redact_body(b"\xff\xd8\xff\xe0\x00\x10JFIF", "body")
        == b"\xff\xd8\xff\xe0\x00\x10JFIF"
    )


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["user", "email", "lat", "city", "ip", "q", "items", "token", "name"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(content=anything)
def test_json_stays_json_of_the_same_keys(content):
    def skeleton(value):
        if isinstance(value, dict):
            return {key: skeleton(inner) for key, inner in value.items()}
        return [skeleton(inner) for inner in value] if isinstance(value, list) else ""

    redacted = Redactor().redact_text(json.dumps(content), "body")
    assert skeleton(json.loads(redacted)) == skeleton(content)


@check_each("distance", [10, 3_000, 6_000, 30_000])
def test_a_value_is_found_however_far_from_its_name_an_escape_stands(distance):
    """Only the surroundings of escapes are read again; a container reaches far."""
    numbers = ",".join("1" * (distance // 2))
    user = f"%22user%22:%7B%22role%22:%5B{numbers}%5D,%22name%22:%22Jo Doering%22%7D"
    text = f"x=%7B%22pad%22:%5B{numbers}%5D,{user}%7D"
    assert "Jo Doering" in {text[value.start : value.end] for value in find_values(text)}


@given(text=st.text(max_size=200))
def test_any_text_is_redacted_twice_alike(text):
    once = Redactor().redact_text(text, "body")
    assert Redactor().redact_text(once, "body") == once


@check_each(
    "piece",
    ['"user":"', "user:{", "&amp;user=", "<div class=user-name>", "@a.", "From your IP address",
     "\\x22", "1.1,", "%25", ">x</b>", "a=\\\\'", "1:", "1.1.", "a:[", "d=", "1.2345,"],
)  # fmt: skip
def test_hostile_repetition_takes_no_quadratic_time(piece):
    """A text that would take minutes if a rule looked far from every place."""
    redactor = Redactor()
    redactor.redact_text(piece * (200_000 // len(piece)), "body")
