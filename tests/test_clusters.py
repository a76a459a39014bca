from monitor.clusters import cluster_name, clusters_of
from monitor.model import Unit
from monitor.ranked.inputs import asked_of
from tests.cases import check_each


def query(key, text, **tags):
    return Unit(key, tags, (None,), documents=(None,), query=text)


@check_each(
    "tags, name",
    [
        ({"stereotype": "1", "sub_stereotype": "moody"}, "moody"),
        ({"base": "g01-1", "sub_stereotype": "moody"}, "g01-1"),
        ({"cluster": "mine", "base": "g01-1"}, "mine"),
        ({"occupation": "nurse", "template": "t01"}, "nurse"),
        ({"topic": "physics"}, "physics"),
        ({"sub_stereotype": ""}, ""),
        ({}, ""),
    ],
)
def test_the_tags_of_a_list_declare_the_clusters(tags, name):
    assert cluster_name(Unit("k", tags, (None,))) == name


def test_a_question_without_a_cluster_stands_for_itself():
    tags = [{}, {"base": "a"}, {}, {"base": "a"}, {"base": "b"}]
    units = [Unit(str(at), one, (None,)) for at, one in enumerate(tags)]
    assert clusters_of(units).tolist() == [0, 1, 2, 1, 3]


def test_queries_about_one_trait_are_one_cluster_whatever_their_words():
    units = [
        query("a", "novel readers", trait="novel", pattern="{trait} readers"),
        query("b", "stories about novels", trait="novel", plural="novels",
              pattern="stories about {plural}"),
        query("c", "physics", trait="physics"),
    ]  # fmt: skip
    assert asked_of(units, {}).clusters().tolist() == [0, 0, 1]


def test_queries_without_a_tag_are_one_cluster_where_their_words_are_the_same():
    units = [
        query("a", "list of nurses", plural="nurses", pattern="list of {plural}"),
        query("b", "famous nurses", plural="nurses", pattern="famous {plural}"),
        query("c", "best surgeons"),
    ]
    assert asked_of(units, {}).clusters().tolist() == [0, 0, 1]
