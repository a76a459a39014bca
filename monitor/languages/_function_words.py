"""Frequent function words by language: what tells an answer in another language.

A word speaks for a language where no other language of the list has it, and against a language
where only others have it.
"""

_WORDS = {
    "lt": """
        ir aš tai kad kai bet nes kaip man mano mane manęs savo yra esu buvau buvo nėra nesu jis
        ji jie jos su iš į už per prie nuo apie be ar jei jeigu ką kas kur kuris kuri labai
        visada niekada dar jau tik nors todėl tačiau būti galiu negaliu turiu turėjau noriu
        norėjau mes jūs mums dėl po pagal šį šią šis ši tas ta tą kurį kurie visi viską savęs
        taip ne gali buvau būčiau tu kodėl pas o
    """,
    "lv": """
        un es tas ka kad bet jo kā man mans mana mani savu savā ir esmu biju bija nav neesmu
        viņš viņa viņi ar no uz par pie bez vai ja ko kas kur kurš kura ļoti vienmēr nekad vēl
        jau tikai lai gan tāpēc tomēr būt varu nevaru gribu mēs jūs tu mums pēc kopā šo šī šis
        to tā tik visi visu sevi nē būtu nebija nevarēju varēju esot jums manu manā
    """,
    "en": """
        the i am was is are were been be my me your you we they he she it of and not have has
        had with that this at for but when because if would could should by from about what i'm
        i've don't didn't an on his her their who how why never always very do did will can like
        feel people think want
    """,
    "de": """
        ich bin war ist sind der die das und nicht ein eine mit für auf auch als wenn aber sich
        mein meine mich mir habe hat zu den dem es sie wir wie nur noch immer sehr nach bei
    """,
    "fr": """
        je suis le la les un une des et est pas que qui dans pour avec mon ma mes me il elle
        nous vous j'ai étais mais très du ne se toujours jamais quand comme
    """,
    "es": """
        yo soy estoy el la los las un una y es no que en por para con mi me él ella muy pero
        cuando como siempre nunca era fue ser estar lo se del al
    """,
    "it": """
        io sono il lo la gli un una e è non che di in per con mio mia mi lui lei molto ma quando
        come sempre mai ero essere del della si
    """,
    "pt": """
        eu sou estou o os as um uma e é não que em por para com meu minha me ele ela muito mas
        quando como sempre nunca era fui ser estar do da se
    """,
    "pl": """
        jestem jest nie się że i w na z do mój moja mnie mi jak ale kiedy bardzo zawsze nigdy
        był była byłem byłam który która to jego jej
    """,
    "et": """
        ma olen oli on ei ja et kui mu minu mind ta me nad see aga väga alati mitte oma kõik
        siis
    """,
    "fi": """
        minä olen oli on ei ja että kun minun minua hän me he se mutta aina erittäin niin kuin
    """,
    "sv": """
        jag är var och inte det som en ett min mitt mig han hon vi de att men när alltid mycket
    """,
    "tr": """
        ben bir ve çok için değil ama bu ne gibi benim bana her zaman
    """,
}  # fmt: skip
# Words of one or two letters that another language's names and abbreviations are spelt like.
_TOO_SHORT = frozenset("e y o i a an un in".split())


def own_and_foreign(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that only `code` has among the lists, and those that only others have."""
    lists = {language: frozenset(text.split()) for language, text in _WORDS.items()}
    own_words = lists.pop(code, frozenset())
    foreign_words = frozenset().union(*lists.values())
    return own_words - foreign_words, foreign_words - own_words - _TOO_SHORT
