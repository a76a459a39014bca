"""Invented pages of results with an AI overview in the layouts of 2024 to 2026, state by state."""

from tests.pages.reading import body_of

HIDDEN = ' style="display:none"'
#: Title of an overview, and what Google sends with every one, hidden: none, and not now.
WORDS = {
    "en": (
        "AI Overview",
        "An AI Overview is not available for this search",
        "Can't generate an AI overview right now. Try again later.",
    ),
    "de": (
        "Übersicht mit KI",
        "Für diese Suchanfrage ist keine Übersicht mit KI verfügbar",
        "Derzeit kann keine Übersicht mit KI generiert werden. Bitte versuch es später.",
    ),
    "ja": (
        "AI による概要",
        "この検索では AI による概要はご利用いただけません",
        "AI による概要を生成できません。",
    ),
    "eo": ("Superrigardo", "Ne ekzistas resumo por tiu serĉo", "Ne eblas nun. Provu poste."),
}
SOURCES = [
    ("Weavers of Northtown", "https://www.weavers.example/a?b=1#:~:text=loom", "weavers.example"),
    ("Looms - a history", "https://en.loom.example/h", "en.loom.example"),
    ("Cloth. Then and now", "https://cloth.example/now", "cloth.example"),
    ("Video: weaving", "https://www.youtube.com/watch?v=1", "youtube.com"),
]
_ADDRESSES = {"https://cloth.example/now": "/url?q=https://cloth.example/now&amp;sa=U"}
TEXT = (
    "Many weavers are known.\nFamous weavers\nAda Example: wove linen.\nBerta Muster: wove silk.\n"
    "Both lived in Northtown.\nName\nCloth"
)


def fill(name, **values):
    """A template of the folder with its places filled."""
    text = body_of("google_overview", name).decode().rstrip("\n")
    for key, value in values.items():
        text = text.replace(f"[[{key}]]", value)
    return text


def page(overview):
    """A page of results with an overview above them."""
    return fill("page", overview=overview).encode()


def bar(language="en", visible=""):
    """The line of the title; `visible` is the message that can be seen: declined or failed."""
    title, declined, failed = WORDS[language]
    first, second = ("" if visible == name else HIDDEN for name in ("declined", "failed"))
    return fill("bar", title=title, declined=declined, failed=failed, first=first, second=second)


def _card(number, source):
    title, url, _ = source
    return fill("card", number=str(number), title=title, url=_ADDRESSES.get(url, url))


CARDS = [_card(3 * n, source) for n, source in enumerate(SOURCES)]


def layout_2026(language="en", *, pressed=True, extra=""):
    """The layout of 2026; before the button is pressed the tail of the text is folded."""
    return fill(
        "layout_2026",
        bar=bar(language),
        citation=fill("citation"),
        fold="" if pressed else HIDDEN,
        pressed=str(pressed).lower(),
        extra=extra,
        tray="".join(CARDS[:3]),
        cards="".join(CARDS),
    )


#: The layout of 2024, whose tray has cards of another make.
LAYOUT_2024 = fill("layout_2024", bar=bar())
#: The layout of 2025 before its tray was filled: the sources stand in comments.
LAYOUT_2025 = fill("layout_2025", bar=bar("de"))
#: A frame without any attribute that is known, told by its title.
BY_TITLE = fill("by_title")
AI_MODE = fill("ai_mode", citation=fill("citation"), cards=CARDS[1] + CARDS[0]).encode()


def empty_frame(content):
    """A frame of 2026 without a text."""
    return fill("frame", content=content)
