"""Apertium APy 0.13.0: `contracts.md` section A7."""

from tests.standins.faults import status
from tests.standins.service import Refused, Service, is_filled, one_of, problem

#: APy has no key: whoever gives one asks for another service.
FIELDS = {
    "langpair": is_filled,
    "q": lambda _: True,
    "markUnknown": one_of("yes", "no", "true", "false", "1", "0"),
    "format": is_filled,
    "deformat": is_filled,
    "reformat": is_filled,
    "prefs": lambda _: True,
}
LANGUAGES = {"eng": "English", "spa": "Spanish", "cat": "Catalan", "por": "Portuguese"}
PUNCTUATION = ".,;:!?¡¿\"'"


class Apertium(Service):
    """`GET|POST /translate`, `/listPairs`, `/list?q=pairs`, `/identifyLang`. No key, no quota.

    Args (besides those of Service):
        pairs: installed (source, target); three-letter codes.
        unknown: words without a translation, marked `*` unless `markUnknown=no`.
        leading_blank: translations begin with a blank, as the real service's often do.
    """

    def __init__(
        self,
        *,
        pairs=(("eng", "spa"), ("eng", "cat"), ("eng", "por")),
        unknown=(),
        leading_blank=True,
        **settings,
    ):
        super().__init__(key=None, **{"languages": LANGUAGES, **settings})
        if self.quota_characters is not None:
            raise TypeError("Apertium has no quota")
        self.pairs = list(pairs)
        self.unknown = {word.casefold() for word in unknown}
        self.leading_blank = leading_blank

    @staticmethod
    def bad_pair():
        """A7: 400, literally A7's body."""
        return _error(400, "Bad Request", "That pair is not installed")

    @staticmethod
    def internal_error():
        """A7: 503 after a pipe has taken 10 s."""
        return _error(503, "Service Unavailable", "internal error")

    def answer(self, request):
        known = {
            "/translate": self._translate,
            "/listPairs": self._list_pairs,
            "/list": self._list,
            "/identifyLang": self._identify,
        }
        if request.path not in known:
            raise Refused(_error(404, "Not Found", "Not Found"))
        if request.method not in ("GET", "POST"):
            raise Refused(_error(405, "Method Not Allowed", "Method Not Allowed"))
        return known[request.path](_arguments(request))

    def _translate(self, arguments):
        _check(arguments, FIELDS, ("langpair", "q"))
        source, bar, target = arguments["langpair"].partition("|")
        if not bar or "|" in target:
            _bad("That pair is invalid, use e.g. eng|spa")
        if (source, target) not in self.pairs:
            raise Refused(self.bad_pair())
        text = self.translate(arguments["q"], target)
        if arguments.get("markUnknown", "yes") in ("yes", "true", "1"):
            text = self._marked(text)
        return _response({"translatedText": " " + text if self.leading_blank else text})

    def _marked(self, text):
        """A7: unknown words are prefixed `*`."""
        words = text.split(" ")
        unknown = [word.strip(PUNCTUATION).casefold() in self.unknown for word in words]
        return " ".join(
            f"*{word}" if mark else word for word, mark in zip(words, unknown, strict=True)
        )

    def _list_pairs(self, arguments):
        _check(arguments, {"include_deprecated_codes": is_filled})
        return _response(
            [{"sourceLanguage": one, "targetLanguage": other} for one, other in self.pairs]
        )

    def _list(self, arguments):
        _check(arguments, {"q": one_of("pairs")})
        return self._list_pairs({})

    def _identify(self, arguments):
        _check(arguments, {"q": is_filled}, ("q",))
        return status(200, {"eng": 1.0})


def _arguments(request):
    """A7: POST has the same arguments as GET, in a form."""
    if request.method == "GET":
        pairs = request.pairs
    elif request.query:
        _bad("A POST has its arguments in the body")
    elif request.media_type == "application/x-www-form-urlencoded":
        pairs = request.form
    else:
        pairs = []
    arguments = dict(pairs)
    if len(arguments) != len(pairs):
        _bad("An argument was given twice")
    return arguments


def _check(arguments, fields, required=()):
    if found := problem(arguments, fields, required):
        _bad(f"{found.kind.capitalize()} argument {found.field}")


def _response(data):
    """A7: the shape of every answer."""
    return status(200, {"responseData": data, "responseDetails": None, "responseStatus": 200})


def _error(code, message, explanation):
    """A7: the shape of every error."""
    error = {"status": "error", "code": code, "message": message, "explanation": explanation}
    return status(code, error)


def _bad(explanation):
    raise Refused(_error(400, "Bad Request", explanation))
