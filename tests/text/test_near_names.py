"""Names near one that was not found."""

from monitor.text.near_names import hint, near_names
from tests.cases import check_each

ENGINES = ("azure_translator", "chat", "deepl", "firefox_translations", "google",
           "google_translate")  # fmt: skip
QUANTITIES = {"f_s": "stereotype rate", "masculine_rate": "masculine rate", "gap": "gap"}
SYSTEMS = {
    "libretranslate(base_url=http://invented-b.test)": "Invented translator B",
    "searxng(base_url=http://invented-search-b.test)": "Invented search B",
}
LANGUAGES = {"cs": "Czech", "pl": "Polish", "sk": "Slovak"}


@check_each(
    ("name", "known", "words"),
    [
        ("deepll", ENGINES, "did you mean deepl?"),
        ("Deep-L", ENGINES, "did you mean deepl?"),
        ("firefox", ENGINES, "did you mean firefox_translations?"),
        ("googletranslate", ENGINES, "did you mean google_translate?"),
        ("fs", QUANTITIES, "did you mean f_s (stereotype rate)?"),
        ("stereotype rate", QUANTITIES, "did you mean f_s (stereotype rate)?"),
        ("czech", LANGUAGES, "did you mean cs (Czech)?"),
        ("babelfish", ENGINES, f"known: {', '.join(ENGINES)}"),
        ("f_z", QUANTITIES, "did you mean f_s (stereotype rate)?"),
        (
            "invented-b",
            SYSTEMS,
            "did you mean libretranslate(base_url=http://invented-b.test) (Invented translator B)?",
        ),
        ("zz", LANGUAGES, "known: cs, pl, sk"),
        ("any", (), "known: none"),
        ("", ("a", "b"), "known: a, b"),
    ],
)
def test_a_name_that_is_not_known_gets_a_hint(name, known, words):
    titles = known if isinstance(known, dict) else None
    assert hint(name, known, titles) == words


def test_only_some_of_many_names_are_listed():
    words = hint("?", [f"n{number:03d}" for number in range(100)])
    assert words.endswith("n039 and 60 more")


def test_a_name_with_two_spellings_is_suggested_once():
    assert near_names("gap", QUANTITIES, QUANTITIES) == ["gap"]
