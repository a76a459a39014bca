"""Whether a page of Google says itself that nothing was found.

It says so in a paragraph of its own. That is believed where the paragraph has the words for it in
a known language, or names the query and stands above a list of suggestions. Titles and snippets
quote such words too: they stand elsewhere.
"""

import re

from selectolax.lexbor import LexborNode

from monitor.pages._google_query import query
from monitor.pages._google_text import prose
from monitor.pages._html import Document

#: Where the statement stands since 2008.
_PLACES = (
    "#topstuff p, #res p, #center_col p, .card-section p, .mnr-c p, #topstuff [role=heading], "
    "#res [role=heading], .card-section [role=heading], .mnr-c [role=heading], .med, "
    "#main .ZINbbc, #main .Gx5Zad, .ezO2md"
)
#: Where else it may stand if it names the query: before 2008 in the page itself.
_ELSEWHERE = "p, td, body"
_MOST = 400
_LONGEST = 800
_FEWEST_SUGGESTIONS = 2
_STEPS = 3
#: The statement in the languages of Google, as regular expressions; queries stand in between.
_PHRASES = (
    r"did not match any \w*\s?(?:documents|results|articles|pages|images|videos|books)",
    r"no (?:standard web )?(?:pages|results) containing all (?:of )?your search terms",
    r"no pages were found containing",
    r"keine mit (?:ihrer|deiner) suchanfrage\b.*\b(?:dokumente|ergebnisse)",
    r"stimmt mit keinen? dokument",
    r"aucun (?:document|résultat)\b.*\bne correspond",
    r"ne correspond à aucun",
    r"no se han? encontrado (?:ningún )?(?:resultados?|documentos?|páginas?)",
    r"no (?:obtuvo|produjo|coincid\w+ con|encontró|ha obtenido) ningún",
    r"no coincideix\w* amb cap document|no s'ha trobat cap",
    r"não (?:encontrou|corresponde a|obteve|corresponderam? a) (?:nenhum|qualquer)",
    r"non ha prodotto risultati|nessun documento corrisponde",
    r"(?:geen overeenkomstige|geen) (?:documenten|resultaten)|met geen enkel document",
    r"nie został[ao] (?:odnalezion|znalezion)|nie pasuje do żadnego",
    r"ничего не найдено",
    r"не соответствует ни од",
    r"нічого не знайдено",
    r"не відповідає жодн",
    r"eşleşen (?:herhangi )?bir|hiçbir \w+ eşleşmedi",
    r"一致する(?:情報|ウェブ)?.*見つかりません",
    r"找不到(?:和|与|與|符合)|未找到(?:与|符合)",
    r"검색결과가 없습니다",
    r"matcha(?:de|r) inte? någ|inga dokument|ingen dokumenter",
    r"matche(?:de|r) ikke nog[el]|samsvar(?:te|er) ikke med noe",
    r"ei vastannut? (?:yht|mit)|ei tuottanut yht",
    r"neodpovídá ?(?:žádn|jí)|neodpovídají žádn|nezodpovedá",
    r"(?:egyetlen|egy) dokumentum(?:ban|mal)? sem",
    r"nu a (?:corespuns|găsit|returnat) nici",
    r"не съответства на ник",
    r"δεν (?:αντιστοιχεί|βρέθηκ)",
    r"לא (?:תאם|התאים|נמצא)",
    r"لم (?:يطابق|يتم العثور)",
    r"कोई (?:भी )?दस्तावेज़",
    r"ไม่ตรงกับเอกสาร|ไม่พบ",
    r"không tìm thấy|không khớp với",
    r"tidak (?:cocok|sepadan) dengan",
    r"ne odgovara nij?edn|не одговара ни",
    r"ne ujema z nobenim|neatitinka joki|neatbilda nevien|ei vasta(?:nud)? ühele",
)
_PHRASE = re.compile("|".join(_PHRASES), re.IGNORECASE)


def says_nothing_found(document: Document) -> bool:
    """Whether a page states that nothing was found; asked only of pages without results."""
    asked = _plain(query(document))
    for node in document.tree.css(_PLACES)[:_MOST]:
        if _states(prose(node)) or (asked and _names(node, asked) and _advises(node)):
            return True
    if not asked:
        return False
    texts = (prose(node) for node in document.tree.css(_ELSEWHERE)[:_MOST])
    return any(_states(text) and asked in _plain(text) for text in texts)


def _states(text: str) -> bool:
    return len(text) <= _LONGEST and _PHRASE.search(text) is not None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _names(node: LexborNode, asked: str) -> bool:
    """Whether a paragraph sets the query off from its own words."""
    marked = node.css("em, b, span")
    return any(_plain(prose(one)) == asked for one in marked) and _plain(prose(node)) != asked


def _advises(node: LexborNode) -> bool:
    """Whether a list of suggestions follows a paragraph closely."""
    following = node.next
    for _ in range(2 * _STEPS):
        if following is None:
            return False
        if following.tag == "ul":
            return len(following.css("li")) >= _FEWEST_SUGGESTIONS
        following = following.next
    return False
