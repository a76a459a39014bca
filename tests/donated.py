"""Donated pages for tests: invented pages of signed-in people, and a job on them."""

from datetime import timedelta

from tests import saved
from tests.factories import make_job, make_list

KEY = "a long random text that nobody knows"
QUESTIONS = ("list of chess players", "list of nurses", "list of pilots", "list of judges")
#: What stands in the page of a donor and must not be kept.
PERSONAL = (
    "Anna Sample {n}", "anna.sample{n}@example.com", "avatar-of-{n}", "Smalltown {n}", "secret-{n}",
)  # fmt: skip


def page(n=1, question=QUESTIONS[0], words="", signed_in=True):
    """A page of results with the name, e-mail, avatar, place and history of a person."""
    name, mail, avatar, place, secret = (text.format(n=n) for text in PERSONAL)
    account = (
        f'<a class="gb_B" aria-label="Google Account: {name}  &#10;({mail})" '
        f'href="https://accounts.google.com/SignOutOptions?authuser={mail}">'
        f'<img class="gb_P" src="https://lh3.googleusercontent.com/a/{avatar}=s32-c-mo" alt=""></a>'
    )
    footer = (
        f'<div class="fbar"><span class="Q8LRLc">{place}, State</span> - '
        f"<span>From your IP address</span></div><p>Hello again, {name}</p>"
        f'<script>var token = "{secret}", user = "{mail}";</script>'
    )
    found = saved.page(question).decode()
    found = found.replace("Many players.", f"Many players. {words}")
    if not signed_in:
        return found.encode()
    return (
        found.replace('<div id="main">', f'{account}<div id="main">', 1)
        .replace("</body>", f"{footer}</body>")
        .encode()
    )


def har(n=1, questions=QUESTIONS, at=saved.AT, words="", **more):
    """A HAR with a page of a person for each question."""
    entries = [
        saved.har_entry(
            saved.address(question), page(n, question, words, **more),
            at=f"{at + timedelta(minutes=place):%Y-%m-%dT%H:%M:%S}.000Z",
        )
        for place, question in enumerate(questions)
    ]  # fmt: skip
    return saved.har(entries)


def donated_job(place, questions=QUESTIONS, measures=({"name": "arb", "cutoff": 5},), **changes):
    """A job on donated pages, and its list; returns the job's path."""
    items = [
        {
            "key": question.replace(" ", "-"),
            "text": question,
            "gender_neutral": "yes",
            "occupation": f"o{n}",
        }
        for n, question in enumerate(questions)
    ]
    make_list(place, items=items, cue="terms")
    return make_job(
        place,
        schedule={"cron": "0 5 * * mon", "catch_up": "all"},
        engines=[{"name": "donated_pages", "regions": ["us-en"], "config": {"system": "google"}}],
        measures=list(measures),
        **changes,
    )
