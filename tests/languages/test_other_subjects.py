"""What is said of somebody else in a clause of its own is not the speaker's; what is, is."""

import pytest

from monitor import registry

OF_OTHERS = [
    ("ru", "Я тут, а мама устала."),
    ("ru", "Я тут, а дедушка устал."),
    ("ru", "Я дома, а сестра одна."),
    ("ru", "Я дома, но он сам болен."),
    ("uk", "Я йду додому, бо мама сама."),
    ("uk", "Я поруч, а вона сама."),
    ("uk", "Я поруч, а брат сам."),
    ("be", "Я тут, а мама стомленая."),
    ("es", "Espero que esté lista."),
    ("es", "Espero que esté listo."),
    ("ca", "Espero que estigui llesta."),
    ("ca", "Espero que estigui llest."),
    ("pt", "Espero que esteja pronta."),
    ("pt", "Espero que esteja pronto."),
    ("ca", "La meva mare em va fer un te i se'n va anar sola al llit."),
]
BOTH_ALIKE = [
    ("ru", "Я больше никогда не буду таким глупым.", "Я больше никогда не буду такой глупой."),
    ("ru", "Я, честно говоря, журнал прочитал.", "Я, честно говоря, журнал прочитала."),
    ("ru", "Я тут, но устал.", "Я тут, но устала."),
    ("be", "Я задаволены вынікам.", "Я задаволеная вынікам."),
    ("be", "Я вінен табе грошы.", "Я вінна табе грошы."),
    ("es", "Espero que yo esté listo.", "Espero que yo esté lista."),
    ("es", "No salgo hasta que esté listo.", "No salgo hasta que esté lista."),
    ("es", "Soy andaluz.", "Soy andaluza."),
    ("ca", "Soc bon estudiant.", "Soc bona estudiant."),
    ("ca", "Soc bo en això.", "Soc bona en això."),
]


@pytest.mark.parametrize(("code", "text"), OF_OTHERS)
def test_another_subject_takes_no_speaker_over(code, text):
    assert registry.known_language(code).signal(text).cls.value in ("none", "unidentified")


@pytest.mark.parametrize(("code", "masculine", "feminine"), BOTH_ALIKE)
def test_the_speaker_is_read_in_both_genders(code, masculine, feminine):
    language = registry.known_language(code)
    assert language.signal(masculine).cls.value == "masculine"
    assert language.signal(feminine).cls.value == "feminine"
