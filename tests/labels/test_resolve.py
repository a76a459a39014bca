"""Whose recorded gender it is: by id, by article, by name; and who is left unresolved."""

import pytest

from monitor.labels.resolve import resolve_entities, site_of
from monitor.labels.shown_entities import (
    ShownEntity,
    life_years,
    read_years,
    say_years,
    shown_entity,
)
from monitor.model import Block, LabelState
from monitor.model import Item as ShownItem
from tests.cases import check_each
from tests.standins import faults, serve
from tests.standins import wikidata as standin
from tests.standins.wikidata import Item, Wikidata, asker, services

MALE, FEMALE, TRANS_WOMAN, NON_BINARY = "Q6581097", "Q6581072", "Q1052281", "Q48270"
SKATER, ATHLETE, ACTOR, ICE_DANCER = "Q13219587", "Q2066131", "Q33999", "Q60000001"
RENEE = Item(
    "Q101",
    "Renée Roca",
    genders=(FEMALE,),
    occupations=(SKATER,),
    ids={"P646": "/m/0291j3", "P2671": "/g/11abc"},
    sitelinks={"enwiki": "Renée Roca"},
)
GORSHA = Item("Q102", "Gorsha Sur", genders=(MALE,), occupations=(ICE_DANCER,))
BAND = Item("Q103", "The Skaters", classes=("Q215380",), ids={"P646": "/m/0band"})
FICTIONAL = Item("Q104", "Renée Roca", classes=("Q15632617",), occupations=(SKATER,))
ACTRESS = Item("Q105", "Renée Roca", genders=(FEMALE,), occupations=(ACTOR,))
NAMELESS = Item("Q106", "", genders=(FEMALE,), ids={"P646": "/m/0none"})
WORLD = (RENEE, GORSHA, BAND, FICTIONAL, ACTRESS, NAMELESS)
WITHIN = {SKATER: (ICE_DANCER,)}

BY_MID = ShownEntity("kg:/m/0291j3", "Renée Roca")
BY_ARTICLE = ShownEntity("wiki:en:Renée_Roca", "Renée Roca")


def name(text, *occupations):
    return ShownEntity(f"name:{text.casefold()}|{','.join(occupations)}", text, occupations)


def resolved(app, *wanted, within=None):
    with serve(app) as running:
        found = list(resolve_entities(wanted, asker(), services(running), within))
    assert len({one.entity for one in found}) == len(found)
    return {one.entity: one for one in found}, running.requests


def one(shown, items=WORLD, **options):
    found, _ = resolved(Wikidata(items, within=WITHIN, **options), shown)
    return found[shown.entity]


# --- ids ----------------------------------------------------------------------------------------


@check_each(
    ("entity", "method"),
    [
        ("kg:/m/0291j3", "P646"),
        ("kg:/g/11abc", "P2671"),
        ("wd:Q101", "item"),
        ("wiki:en:Renée_Roca", "article"),
    ],
)
def test_an_id_leads_to_the_record(entity, method):
    found = one(ShownEntity(entity, "Renée Roca"))
    assert (found.state, found.group, found.qid) == (LabelState.LABELLED, "women", "Q101")
    assert found.genders == (FEMALE,)
    assert found.method == method
    assert found.label == "Renée Roca"


@check_each(
    ("genders", "state", "group"),
    [
        ((TRANS_WOMAN,), LabelState.LABELLED, "women"),
        ((NON_BINARY,), LabelState.LABELLED, "other"),
        (((MALE, "normal"), (TRANS_WOMAN, "preferred")), LabelState.LABELLED, "women"),
        (((MALE, "deprecated"), FEMALE), LabelState.LABELLED, "women"),
        ((NON_BINARY, FEMALE), LabelState.LABELLED, "other"),
        ((MALE, FEMALE), LabelState.CONFLICT, ""),
        ((), LabelState.UNRESOLVED, ""),
        (("somevalue",), LabelState.UNRESOLVED, ""),
        (("novalue",), LabelState.UNRESOLVED, ""),
        (((FEMALE, "deprecated"),), LabelState.UNRESOLVED, ""),
    ],
)
@check_each("unindexed", [(), ("Q7",)])
def test_only_what_is_recorded_counts(genders, state, group, unindexed):
    # the name is one that nearly all bearers share a gender of: it must not matter
    item = Item("Q7", "Maria Anna", genders=genders)
    found = one(ShownEntity("wd:Q7", "Maria Anna"), [item], unindexed=unindexed)
    assert (found.state, found.group) == (state, group)
    assert bool(found.reason) == (state is not LabelState.LABELLED)


@check_each(
    ("classes", "state"),
    [
        (("Q215380",), LabelState.NOT_HUMAN),
        (("Q15632617",), LabelState.NOT_HUMAN),
        ((("Q5", "deprecated"), "Q15632617"), LabelState.NOT_HUMAN),
        (("Q5", "Q15632617"), LabelState.CONFLICT),
        ((), LabelState.UNRESOLVED),
        (("somevalue",), LabelState.UNRESOLVED),
    ],
)
def test_who_is_no_human_has_no_gender(classes, state):
    found = one(ShownEntity("wd:Q7", "X"), [Item("Q7", "X", classes=classes, genders=(FEMALE,))])
    assert (found.state, found.group) == (state, "")
    assert found.reason


def test_an_id_that_nobody_or_two_have():
    assert one(ShownEntity("kg:/m/0zzz", "X")).reason == "no item has this id"
    twins = [Item(f"Q{n}", "X", genders=(FEMALE,), ids={"P646": "/m/0two"}) for n in (8, 9)]
    found = one(ShownEntity("kg:/m/0two", "X"), twins)
    assert (found.state, found.candidates) == (LabelState.UNRESOLVED, ("Q8", "Q9"))


def test_merged_and_deleted_items():
    merged = one(ShownEntity("wd:Q900", "Renée Roca"), merged={"Q900": "Q101"})
    assert (merged.qid, merged.group) == ("Q101", "women")
    deleted = one(ShownEntity("wd:Q901", "Renée Roca"))
    assert deleted.state is LabelState.UNRESOLVED
    assert "deleted" in deleted.reason


def test_a_contradiction_with_the_page_waits():
    shown = ShownEntity("kg:/m/0291j3", "Renée Roca", (), "", "American businessman")
    found = one(shown)
    assert (found.state, found.group, found.qid) == (LabelState.CONFLICT, "", "Q101")
    assert "'businessman' (men)" in found.reason
    assert "women" in found.reason
    assert one(ShownEntity("kg:/m/0291j3", "Gorsha Sur")).state is LabelState.CONFLICT
    assert one(ShownEntity("kg:/m/0none", "Whoever")).state is LabelState.LABELLED


# --- articles -----------------------------------------------------------------------------------


def test_an_article_without_an_item():
    found = one(ShownEntity("wiki:en:Nobody", "Nobody"))
    assert (found.state, found.reason) == (LabelState.UNRESOLVED, "no item has this article")


def test_an_article_that_was_moved():
    moved = {("enwiki", "Renee Roca-Sur"): "Renée Roca"}
    known = Item(
        "Q101",
        "Renée Roca",
        ("Renee Roca-Sur",),
        genders=(FEMALE,),
        sitelinks={"enwiki": "Renée Roca"},
    )
    shown = ShownEntity("wiki:en:Renee_Roca-Sur", "Renee Roca-Sur")
    assert one(shown, [known], moved=moved).method == "redirect"
    elsewhere = one(shown, moved=moved)
    assert elsewhere.state is LabelState.UNRESOLVED
    assert "leads to 'Renée Roca'" in elsewhere.reason


def test_articles_are_asked_together_by_language():
    german = Item("Q7", "Ada", genders=(FEMALE,), sitelinks={"dewiki": "Ada"})
    wanted = [BY_ARTICLE, ShownEntity("wiki:de:Ada", "Ada")]
    found, sent = resolved(Wikidata([*WORLD, german]), *wanted)
    assert {shown.group for shown in found.values()} == {"women"}
    assert len(found) == 2
    assert len(sent) == 4  # two wikis, the facts of each


class Spoilt(Wikidata):
    """Refuses every request with the title X1 in it."""

    def _by_title(self, form):
        if "X1" in form["titles"].split("\x1f"):
            return {"error": {"code": "bad-title", "info": "No"}}
        return super()._by_title(form)


def test_a_title_that_is_refused_takes_nobody_else_along():
    wanted = [ShownEntity(f"wiki:en:X{n}", f"X{n}") for n in range(3)]
    found, sent = resolved(Spoilt(WORLD), *wanted, BY_ARTICLE)
    assert found.keys() == {"wiki:en:X0", "wiki:en:X2", BY_ARTICLE.entity}
    assert found[BY_ARTICLE.entity].group == "women"
    assert len(sent) == 1 + 2 + 2 + 1 + 2  # all, halves, quarters, facts, X0 and X2 alone


def test_an_article_that_was_moved_while_nobody_answers():
    shown = ShownEntity("wiki:en:Renee_Roca-Sur", "Renee Roca-Sur")
    moved = {("enwiki", "Renee Roca-Sur"): "Renée Roca"}
    for answered in (1, 2):
        app = Wikidata(WORLD, moved=moved, script=[None] * answered, always=standin.lagging())
        assert resolved(app, shown)[0] == {}


@pytest.mark.parametrize(
    ("language", "site"),
    [("en", "enwiki"), ("zh-min-nan", "zh_min_nanwiki"), ("be-tarask", "be_x_oldwiki")],
)
def test_wikis_have_names(language, site):
    assert site_of(language) == site


# --- names --------------------------------------------------------------------------------------


def test_a_name_with_its_occupation():
    found = one(name("renée ROCA", SKATER))
    assert (found.state, found.group, found.qid) == (LabelState.LABELLED, "women", "Q101")
    assert found.method == "name"


def test_a_name_may_be_an_alias_in_any_form_of_letters():
    known = Item(
        "Q7", "A", ("\uff21\uff44\uff41 Lovelace",), genders=(FEMALE,), occupations=(SKATER,)
    )
    # the search of Wikidata folds full-width letters itself; the stand-in has both spellings
    both = Item(
        "Q7",
        "Ada Lovelace x",
        (*known.aliases, "Ada Lovelace"),
        genders=(FEMALE,),
        occupations=(SKATER,),
    )
    assert one(name("Ada Lovelace", SKATER), [both]).qid == "Q7"
    assert one(name("\uff21\uff44\uff41 Lovelace", SKATER), [known]).qid == "Q7"


def test_a_subclass_of_the_occupation_will_do():
    assert one(name("Gorsha Sur", SKATER)).qid == "Q102"
    found, sent = resolved(
        Wikidata(WORLD), name("Gorsha Sur", SKATER), within={SKATER: frozenset({ICE_DANCER})}
    )
    assert [shown.qid for shown in found.values()] == ["Q102"]
    assert len(sent) == 2  # the search and the facts: subclasses were known


@check_each(
    ("shown", "reason"),
    [
        (name("Renée Roca"), "no occupation to check by"),
        (name("Renee Roca", SKATER), "nobody recorded has this name and occupation"),
        (name("Renée", SKATER), "nobody recorded has this name and occupation"),
        (name("Gorsha Sur", ACTOR), "nobody recorded has this name and occupation"),
        (name("The Skaters", SKATER), "nobody recorded has this name and occupation"),
        (name("x" * 10_000, SKATER), "no name that can be searched for"),
    ],
)
def test_a_name_that_fits_nobody_is_not_guessed(shown, reason):
    found = one(shown)
    assert (found.state, found.group, found.qid) == (LabelState.UNRESOLVED, "", "")
    assert found.reason == reason


def test_namesakes_of_one_occupation_are_not_guessed():
    twin = Item("Q199", "Renée Roca", genders=(FEMALE,), occupations=(SKATER,))
    found = one(name("Renée Roca", SKATER), [*WORLD, twin])
    assert (found.state, found.group) == (LabelState.UNRESOLVED, "")
    assert found.candidates == ("Q101", "Q199")
    assert found.reason == "2 people have this name and occupation"


def test_more_hits_than_are_seen_prove_nothing():
    crowd = [Item(f"Q{n}", f"Renée Roca {n}", occupations=(SKATER,)) for n in range(200, 260)]
    found = one(name("Renée Roca", SKATER), [RENEE, *crowd])
    assert found.state is LabelState.UNRESOLVED
    assert found.reason.startswith("61 people may have this name")


@check_each(
    "text",
    [
        'Ada" } ?s ?p ?o . { "',
        'Ada" haswbstatement:P31=Q6 "',
        "O'Connor \\\" Q",
        "\u202eecalevoL adA",
        "Ada|Bob&action=edit",
        "Renée Roca\n} DROP ALL",
    ],
)
def test_hostile_names_change_no_question(text):
    found = one(name(text, SKATER))
    assert (found.state, found.group) == (LabelState.UNRESOLVED, "")


# --- services that fail -------------------------------------------------------------------------


@check_each(
    "fault",
    [
        standin.timed_out(),
        standin.cut_short(),
        standin.qlever_exception(),
        standin.too_many(),
        standin.lagging(),
        faults.malformed(),
        faults.status(200, {}),
        faults.status(200, []),
        faults.status(503, {"message": "no"}),
    ],
)
@check_each(
    "shown", [BY_MID, BY_ARTICLE, ShownEntity("wd:Q101", "Renée Roca"), name("Renée Roca", SKATER)]
)
def test_a_service_that_fails_says_nothing_about_anybody(fault, shown):
    found, sent = resolved(Wikidata(WORLD, within=WITHIN, always=fault), shown)
    assert sent
    assert found == {}
    for answered in (1, 2):
        app = Wikidata(WORLD, within=WITHIN, script=[None] * answered, always=fault)
        later, _ = resolved(app, shown)
        assert {one.state for one in later.values()} <= {LabelState.LABELLED}


def test_one_failure_takes_nobody_else_along():
    wanted = [BY_MID, BY_ARTICLE]
    app = Wikidata(WORLD, script=[standin.timed_out()])
    found, _ = resolved(app, *wanted)
    assert set(found) == {BY_ARTICLE.entity}


def test_many_ids_take_few_requests():
    items = [
        Item(f"Q{n}", f"Person {n}", genders=(FEMALE,), ids={"P646": f"/m/0{n}"})
        for n in range(1, 76)
    ]
    wanted = [ShownEntity(f"kg:/m/0{n}", f"Person {n}") for n in range(1, 76)]
    found, sent = resolved(Wikidata(items), *wanted, *wanted)
    assert len(found) == 75
    assert len(sent) == 2 + 3


# --- people whom a text names -------------------------------------------------------------------


def named(text, context, *occupations):
    shown = shown_entity(ShownItem(1, context, Block.PEOPLE, title=text), occupations)
    assert shown is not None
    return shown


EARLY = Item(
    "Q201", "Anna Kern", genders=(FEMALE,), occupations=(SKATER,),
    born=("+1815-12-10T00:00:00Z",), died=("+1852-11-27T00:00:00Z",),
)  # fmt: skip
LATE = Item(
    "Q202", "Anna Kern", genders=(MALE,), occupations=(SKATER,), born=("+1935-01-01T00:00:00Z",)
)
UNDATED = Item("Q203", "Anna Kern", genders=(MALE,), occupations=(SKATER,))


@check_each(
    ("context", "items", "qid", "reason"),
    [
        ("(1815–1852) – skater", (EARLY, LATE), "Q201", ""),
        ("(born 1935), skater", (EARLY, LATE), "Q202", ""),
        ("– skater", (EARLY, LATE), "", "2 people have this name and occupation"),
        ("(1815–1852)", (EARLY, LATE, UNDATED), "", "2 people have this name and occupation"),
        ("(1615–1652)", (EARLY, LATE), "", "lived at another time"),
        ("(1816–1852)", (EARLY,), "Q201", ""),
        ("(1815–1852)", (UNDATED,), "Q203", ""),
        ("won in 1935", (EARLY, LATE), "", "2 people have this name and occupation"),
    ],
)
def test_dates_of_a_text_tell_namesakes_apart(context, items, qid, reason):
    for unindexed in ((), [item.id for item in items]):  # both services know the dates
        found = one(named("Anna Kern", context, SKATER), items, unindexed=unindexed)
        assert (found.qid if not reason else "", reason in found.reason) == (qid, True)


def test_who_is_named_at_other_dates_is_another_entity():
    early, late = (named("Anna Kern", f"({years})", SKATER) for years in ("1815–1852", "1935–2001"))
    assert early.entity != late.entity
    assert named("Anna Kern", "skater", SKATER).entity == name("Anna Kern", SKATER).entity


@check_each(
    ("text", "years"),
    [
        ("(1815–1852)", (1815, 1852)),
        ("(428–348 BC)", (-428, -348)),
        ("(c. 428 – c. 348 BCE): philosopher", (-428, -348)),
        ("(121-180)", (121, 180)),
        ("(born 1935)", (1935, None)),
        (", born 10 December 1815", (None, None)),
        ("(geb. 1963)", (1963, None)),
        ("(63 BC – 14 AD)", (None, None)),
        ("1984 – a novel", (None, None)),
        ("(2 awards)", (None, None)),
        ("", (None, None)),
    ],
)
def test_years_of_life(text, years):
    assert life_years(text) == years
    assert read_years(say_years(years)) == years


def test_words_of_a_text_contradict_no_record():
    shown = named("Renée Roca", "husband of an actor, businessman", SKATER)
    assert one(shown).group == "women"
