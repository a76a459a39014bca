"""Rules of what is personal data or a secret: by name, by form, by place on a page.

Each class of `PersonalData` has one entry in `LABELS`; `SHAPES`, `SCENES` and `REGIONS` have what
names alone do not show. `redaction.py` applies them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from ipaddress import ip_address
from typing import NamedTuple

from monitor.text.spelling import find_all

#: What is shorter cannot be told from ordinary text, and would not be a key.
SHORTEST, LONG_KEY = 6, 16


class PersonalData(StrEnum):
    """A class of what is removed."""

    SECRET = "secret"  # noqa: S105 - key, password, token of an account
    COOKIE = "cookie"
    SESSION = "session mark"  # identifies a visit, a device or a request
    ACCOUNT = "account name"  # name, number or organisation of an account
    EMAIL = "e-mail address"
    PHONE = "telephone number"
    AVATAR = "avatar"
    NETWORK = "network address"
    COORDINATES = "coordinates"
    PLACE = "place"
    HISTORY = "history"
    HEADER = "header"  # of no use for reading an answer, and may identify who asked

    @property
    def marker(self) -> str:
        """Return what stands in place of a value; it may stand in addresses and in markup."""
        return f"REDACTED-{self.name}"


#: Headers that identify who asked, and are never kept.
PRIVATE_HEADERS = frozenset({"set-cookie", "set-cookie2", "www-authenticate", "proxy-authenticate"})
#: Headers whose values stay, less what is found in them; others may identify who asked.
PLAIN_HEADERS = re.compile(
    r"accept|accept-encoding|accept-language|age|allow|cache-control|content-(?:encoding|language|"
    r"length|type|disposition)|date|expires|last-modified|location|pragma|retry-after|server|"
    r"transfer-encoding|user-agent|vary|x-amz-target|x-amzn-errortype|x-cache|x-mt-system|"
    r"(?:x-)?ratelimit(?:-[a-z]+)*|x-ratelimit(?:-[a-z]+)*|ocp-apim-subscription-region|"
    r"x-metered-usage"
)

# --- by name --------------------------------------------------------------------------------------


class Label(NamedTuple):
    """A class, and a pattern of the names that stand beside its values."""

    kind: PersonalData
    pattern: re.Pattern[str]


def _label(kind: PersonalData, *patterns: str) -> Label:
    return Label(kind, re.compile("|".join(patterns)))


_OWNER = r"(?:user|client|home|geo|ip|your|billing|shipping|postal|visitor)"
_ACTOR = (
    r"(?:users?|login|logon|accounts?|owner|viewer|actor|subscriber|customer|tenant|member|"
    r"profiles?|employee|donor)"
)
#: Names in small letters without separators; the first label that fits decides.
LABELS = (
    _label(PersonalData.COOKIE, r"(?:set|document|http)?cookies?(?:2|string|jar|header)?"),
    _label(
        PersonalData.SESSION,
        r"kei|sxsrf|snlm0e|muidb?|cvid|.*(?:csrf|xsrf).*|fbclid|gclid|msclkid",
        r"(?:php)?sess(?:ion)?(?:id|key|token|mark)?",
        r"(?:visitor|device|client|browser|install(?:ation)?|request|trace|correlation|machine)id",
        r"(?:tracking|advertising|anonymous|impression)id",
    ),
    _label(
        PersonalData.SECRET,
        r".*(?:apikey|secret|passw(?:or)?d|passphrase|passcode|credentials?|signature|jwt|hmac)",
        r".*(?:private|subscription|auth|app|licen[cs]e)key|.*accesskey(?:id)?",
        r".*(?:token|authorization|bearer)|pwd|auth|otp|pin|sas|sig",
    ),
    _label(PersonalData.EMAIL, r".*e?mail(?:address|id)?|mailto"),
    _label(PersonalData.PHONE, r".*phone(?:number)?|mobile(?:number)?|msisdn|tel|whatsapp|fax"),
    _label(
        PersonalData.AVATAR,
        r".*avatar.*|gravatar.*|(?:profile|user|account)?(?:photo|picture|pic)(?:url|uri)?",
        r"(?:profile|user|account)(?:image|img)(?:url|uri)?",
    ),
    _label(
        PersonalData.NETWORK,
        r"(?:x|client|remote|user|your|origin|source|src|peer|real|public|visitor|caller|"
        r"forwarded|my|host|last|login)*ip(?:address|addr|v4|v6)?",
        r"(?:x?forwarded(?:for)?|remote(?:addr|host|address)|macaddress|hostname|origin)",
    ),
    _label(
        PersonalData.COORDINATES,
        r".*(?:latitude|longitude|latlng|latlon|latlong|geopoint|coordinates?|coords?)",
        r"(?:.*(?:geo|center|user|gps|map|loc|home|my|client|current))?(?:lat|lng|lon)",
        r"(?:geo|gps|user)long|gps|geo(?:hash|code)?|altitude|uule|sll|sspn",
    ),
    _label(
        PersonalData.PLACE,
        rf"(?:.*{_OWNER})?(?:city|town|street.*|zip(?:code)?|postal(?:code|address)?|postcode)",
        r".*address(?:[12]|line.*)?|location(?:used|text)?|hometown|neighbou?rhood|county",
        r"(?:user|client|detected|current|home|your|geo|precise|ip|visitor)"
        r"(?:location|place|region|country|area)(?:name|text)?",
        r"house(?:no|number)|district|regionname",
    ),
    _label(
        PersonalData.HISTORY,
        r".*(?<!price)(?<!version)history|activitylog|useractivity|watched|searched",
        r"(?:recent|previous|past|last)(?:search|quer|visit|activit|view|item|page|watch).*",
        r"(?:last)?visited(?:pages|at|urls|links)?|lastlogin.*|lastseen|clickedresults",
    ),
    _label(
        PersonalData.ACCOUNT,
        rf"(?:x|current|my|signedin|loggedin|authenticated)*{_ACTOR}"
        r"(?:ids?|name|login|number|no|key|uuid|url|display(?:name)?|fullname|label|handle|slug|"
        r"info|details|data|menu)?",
        r"(?:user|account|profile|owner)?(?:display|full|first|last|given|family|middle|nick|"
        r"screen|sur|maiden|fore|real|legal)name",
        r"(?:org|organi[sz]ation|project|subscription|workspace|billing(?:account)?|team)"
        r"(?:id|number|name)",
        r"(?:obfuscated)?gaia(?:id)?|handle|birth(?:day|date)|dob|dateofbirth|ssn|arn|consumer",
        r"socialsecuritynumber|passport(?:number|no)?|iban|creditcard(?:number)?|cardnumber|taxid",
        r"signedinas|loggedinas|greeting|impersonated.*",
    ),
)
#: Names that are too short or too common to decide but in the query of an address or in a form.
_QUERY_LABELS = {
    "key": PersonalData.SECRET,
    "code": PersonalData.SECRET,
    "ei": PersonalData.SESSION,
    "sei": PersonalData.SESSION,
    "sid": PersonalData.SESSION,
    "ig": PersonalData.SESSION,
    "iid": PersonalData.SESSION,
    "gslcp": PersonalData.SESSION,
    "ll": PersonalData.COORDINATES,
    "near": PersonalData.PLACE,
}
#: Inner names of containers whose values are no personal data.
PLAIN_INNER = re.compile(r"role|type|kind|status|state|lang(?:uage)?|locale|currency|object|@type")
#: Inner names of containers whose values identify a person.
INNER_NAME = re.compile(r"(?i)(?:\w*name|id|handle|login|slug)")
_SEPARATORS = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"^data(?=[-_A-Z])")


@cache
def classify_label(label: str) -> PersonalData | None:
    """Return the class of the values that stand under a name; None where it names none."""
    plain = _SEPARATORS.sub("", _CAMEL.sub("", label)).lower()
    return next((kind for kind, pattern in LABELS if pattern.fullmatch(plain)), None)


def classify_query_label(label: str) -> PersonalData | None:
    """Return the class of a parameter of an address or a form."""
    return _QUERY_LABELS.get(_SEPARATORS.sub("", label).lower()) or classify_label(label)


# --- by form --------------------------------------------------------------------------------------

_AT = r"(?:@|\s?[\[(]at[\])]\s?)"
#: Before an address: no part of a word, or the end of an escape.
_BEFORE = (
    r"(?:(?<=\\x[0-9a-fA-F]{2})|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9a-fA-F]{2})|(?<=\\[nrtbf])|"
    r"(?<![\w.%\\-]))"
)
_NO_DOMAIN = r"(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|json|html?|mp4|webm|woff2?)\b"


def is_client_address(text: str) -> bool:
    """Return whether a text is a network address other than of this machine or of nobody."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)


def _is_pair(text: str) -> bool:
    """Return whether a text is a latitude and a longitude."""
    latitude, longitude = (float(part) for part in re.findall(r"-?\d+\.\d+", text)[:2])
    return abs(latitude) <= 90 and abs(longitude) <= 180  # noqa: PLR2004 - degrees


class Shape(NamedTuple):
    """A form by which values are known: the pattern's group `text`, or all of it where it has none.

    `condition` is asked of a value that the pattern fits. Every match contains one of the
    `anchors` (or a match of the pattern that stands for them), at most `before` characters behind
    its start and `after` before its end; without anchors all of a text is searched.
    """

    kind: PersonalData
    rule: str
    pattern: re.Pattern[str]
    condition: Callable[[str], bool]
    anchors: tuple[str, ...] | re.Pattern[str] = ()
    before: int = 0
    after: int = 500

    def find_matches(
        self, text: str, stretches: Sequence[tuple[int, int]]
    ) -> Iterator[re.Match[str]]:
        """Yield the matches of the pattern that begin, or have their anchor, within stretches.

        It is tried near its anchors, which is far faster.
        """
        if not self.anchors:
            yield from search_stretches(self.pattern, text, stretches)
            return
        end = 0
        for at in self._find_anchors(text, stretches):
            start = max(at - self.before, end)
            while start <= at and (near := self.pattern.search(text, start, at + self.after)):
                match = self.pattern.match(text, near.start())  # to its end, however far
                if match is None:
                    start = near.start() + 1
                    continue
                yield match
                start = end = max(match.end(), near.start() + 1)

    def _find_anchors(self, text: str, stretches: Sequence[tuple[int, int]]) -> Iterable[int]:
        if isinstance(self.anchors, re.Pattern):
            return (match.start() for match in search_stretches(self.anchors, text, stretches))
        return sorted(
            at
            for start, end in stretches
            for anchor in self.anchors
            for at in find_all(text, anchor, start, end)
        )


#: The longest value that rules find, with what decides about it.
LONGEST_VALUE = 5_000


def search_stretches(
    pattern: re.Pattern[str], text: str, stretches: Sequence[tuple[int, int]]
) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin within stretches of a text, in order."""
    at = 0
    for start, end in stretches:
        for match in pattern.finditer(text, max(at, start), end + LONGEST_VALUE):
            if match.start() >= end:
                break
            yield match
            at = match.end()


def _shape(
    kind: PersonalData,
    rule: str,
    *patterns: str,
    flags: int = 0,
    condition: Callable[[str], bool] = bool,
    anchors: str | re.Pattern[str] = "",
    before: int = 0,
    after: int = 500,
) -> Shape:
    pattern = re.compile("|".join(patterns), flags)
    words = tuple(anchors.split("|")) if anchors and isinstance(anchors, str) else anchors or ()
    return Shape(kind, rule, pattern, condition, words, before, after)


PAIR_RULE = "pair of coordinates"
SHAPES = (
    _shape(
        PersonalData.SECRET,
        "form of a key",
        r"(?<![\w-])(?:sk-[\w-]{16,}|[rp]k_(?:live|test)_\w{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}|"
        r"AIza[\w-]{30,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|BSA[\w-]{24,}|"
        r"ya29\.[\w.-]{20,}|glpat-[\w-]{16,}|hf_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|"
        r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:fx)",
        anchors="sk-|rk_|pk_|AKIA|ASIA|AIza|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|xoxa-|xoxb-|xoxp-|"
        "xoxr-|xoxs-|BSA|ya29.|glpat-|hf_|eyJ|:fx",
        before=36,
    ),
    _shape(
        PersonalData.SECRET,
        "private key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.{1,8000}?-----END [A-Z ]*PRIVATE KEY-----",
        flags=re.DOTALL,
        anchors="-----BEGIN ",
        after=10_000,
    ),
    _shape(
        PersonalData.SECRET,
        "authorization",
        r"\b(?:Bearer|Basic|Digest|Token|ApiKey|DeepL-Auth-Key|AWS4-HMAC-SHA256)[ +]"
        r"(?!secret:)(?P<text>[\w.~+/=:-]{8,}(?:, ?\w+=[\w./=;-]+)*)",
        condition=lambda text: bool(re.search(r"[\d=]", text)) or len(text) >= LONG_KEY,
        anchors="Bearer|Basic|Digest|Token|ApiKey|DeepL-Auth-Key|AWS4-HMAC-SHA256",
    ),
    _shape(
        PersonalData.SECRET,
        "name and password in an address",
        r"\b[a-z][a-z0-9+.-]{1,12}://(?P<text>[^\s/@\"'<>:]{1,80}:[^\s/@\"'<>]{1,120})@",
        flags=re.IGNORECASE,
        anchors="://",
        before=13,
        after=300,
    ),
    _shape(
        PersonalData.EMAIL,
        "form of an e-mail address",
        rf"{_BEFORE}\w[\w.+-]{{0,63}}{_AT}(?:[\w-]{{1,63}}\.){{1,6}}(?!{_NO_DOMAIN})"
        r"[^\W\d_]{2,24}(?![\w-])",
        anchors="@|[at]|(at)|[at)|(at]",
        before=66,
    ),
    _shape(
        PersonalData.NETWORK,
        "form of a network address",
        r"(?<![\w.:-])(?<![A-Za-z]/)(?P<text>(?:\d{1,3}\.){3}\d{1,3})(?![\w-]|\.\d)",
        condition=is_client_address,
        anchors=re.compile(r"\.(?=\d{1,3}\.\d{1,3}\.\d)"),
        before=3,
        after=60,
    ),
    _shape(
        PersonalData.NETWORK,
        "form of a network address",
        r"(?<![\w:.])(?P<text>(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,6}|"
        r"(?:[0-9a-fA-F]{1,4}:){2,7}:)(?![\w:])",
        condition=lambda text: is_client_address(text) and bool(re.search(r"\d", text)),
        anchors=re.compile(r":(?=[0-9a-fA-F]{1,4}:)"),
        before=4,
        after=60,
    ),
    _shape(
        PersonalData.COORDINATES,
        PAIR_RULE,
        r"(?<![\w.])(?P<text>-?\d{1,2}\.\d{3,}[,;_+ ] ?-?\d{1,3}\.\d{3,})(?![\w.]*\d)",
        condition=_is_pair,
        anchors=re.compile(r"\.(?=\d{3,}[,;_+ ] ?-?\d{1,3}\.\d{3})"),
        before=3,
        after=60,
    ),
    _shape(
        PersonalData.COORDINATES,
        "degrees",
        r"\d{1,2}\s?°\s?\d{1,2}\s?['′’]\s?(?:\d{1,2}(?:[.,]\d+)?\s?[\"″”]\s?)?[NSns]\W{0,3}"
        r"\d{1,3}\s?°\s?\d{1,2}\s?['′’]\s?(?:\d{1,2}(?:[.,]\d+)?\s?[\"″”]\s?)?[EWOeow]",
        r"-?\d{1,3}[.,]\d{2,}\s?°\s?[NSEWO]\b",
        anchors="°",
        before=60,
    ),
    _shape(
        PersonalData.COORDINATES, "encoded place", r"\bw\+CAIQICI[\w+/=%-]{4,}", anchors="w+CAIQICI"
    ),
    _shape(
        PersonalData.AVATAR,
        "address of an avatar",
        r"(?:lh\d\.googleusercontent\.com/(?:a-?|ogw)|yt3\.ggpht\.com|"
        r"(?:secure\.|www\.)?gravatar\.com/avatar|avatars\.githubusercontent\.com(?:/u)?|"
        r"graph\.microsoft\.com/[\w./-]{1,40}photo|storage\.live\.com/users)/"
        r"(?P<text>[\w./%-]{3,})",
        anchors=".googleusercontent.com/|yt3.ggpht.com|gravatar.com/avatar|"
        "avatars.githubusercontent.com|graph.microsoft.com/|storage.live.com/users",
        before=8,
    ),
    _shape(
        PersonalData.ACCOUNT,
        "account of a cloud",
        r"\barn:aws[\w-]*:[\w-]*:[\w-]*:\d{12}:[\w+=,.@/-]+|\bprojects/\d{6,}\b",
        r"\bproject_number:\d{6,}|\b(?:org|user|proj|acct|cus)[-_](?=\w*\d)[A-Za-z0-9]{12,}\b",
        anchors="arn:aws|projects/|project_number:|org-|org_|user-|user_|proj-|proj_|acct-|acct_|cus-|cus_",
    ),
    _shape(
        PersonalData.ACCOUNT,
        "folder of a user",
        r"(?:/home/|/Users/|(?<![A-Za-z])[A-Za-z]:\\{1,4}Users\\{1,4})"
        r"(?P<text>[^\s/\\\"'<>:%?]{1,64})",
        anchors="/home/|/Users/|\\Users\\",
        before=6,
    ),
)
# --- by where it is shown -------------------------------------------------------------------------

_TEXT = r"(?P<text>[^<>\"]{1,120}?)"
_ACCOUNT_WORDS = (
    r"(?:Google[ -](?:Account|account|Konto)|(?:Compte|Cuenta de|Conta(?: do)?|Account|Konto|Účet|"
    r"Аккаунт|Контакт) Google|Microsoft account|Microsoft-Konto|Yahoo account|Account manager for|"
    r"Account menu for|Profile of)"
)
_SIGNED_IN = (
    r"(?:[Ss]igned in as|[Ll]ogged in as|[Ll]ogged-in user|[Ww]elcome back,|[Aa]ngemeldet als|"
    r"[Ww]illkommen zurück,|[Cc]onnecté en tant que|[Cc]onectado como|[Ss]esión iniciada como|"
    r"[Aa]ccesso effettuato come|[Pp]řihlášen(?:a)? jako|[Zz]alogowan[oy]a? jako|"
    r"[Вв]ы вошли как|[Ss]witch account:|[Cc]urrent user:)"
)
#: Words that stand behind the place that an engine found for who asks.
PLACE_SOURCE = re.compile(
    r"From your (?:IP address|Internet address|device|phone)|Based on your (?:past activity|places|"
    r"Location History|IP)|Reported by this|Update location|Use precise location|"
    r"Von (?:Ihrer|deiner) (?:IP|Internet)|Von (?:Ihrem|deinem) Gerät|"
    r"(?:Basierend auf|Auf Grundlage) (?:Ihre|deine)|Standort aktualisieren|D['’]après votre|"
    r"À partir de votre|Mettre à jour la position|De tu |Según tu|Actualizar ubicación|Do seu |"
    r"Com base|Atualizar local|Dal tuo|In base a|Z Twojego|Na podstawie|Z vaš|Podle vaš|Van je |"
    r"Op basis van je|С вашего|На основе|Определено по"
)
_BETWEEN = r"(?:\s|&nbsp;|[-–—·•|]|<[^<>]{0,400}?>){1,40}"
_VISITED = (
    r"You(?:['’]|&#39;)?(?:ve)?(?: have)? (?:last )?(?:visited|viewed) this (?:page|link|site) "
    r"(?=[^<>]{0,60}\d)[^<>\"\\]{1,120}|Last visit(?:ed)?:?\s(?=[^<>]{0,40}\d)[^<>\"\\]{3,60}|"
    r"(?:Visited|Viewed) \d+ times?[^<>\"\\]{0,60}|Vous avez (?:déjà )?(?:visité|consulté) cette "
    r"page [^<>\"\\]{1,120}|(?:Sie haben|Du hast) diese Seite [^<>\"\\]{3,80}(?:besucht|aufgerufen)"
    r"[^<>\"\\]{0,60}|(?:Has visitado|Visitaste) esta página [^<>\"\\]{1,120}|"
    r"Hai visitato questa pagina [^<>\"\\]{1,120}|Você (?:já )?visitou esta página [^<>\"\\]{1,120}"
)
SCENES = (
    _shape(
        PersonalData.ACCOUNT,
        "label of an account",
        rf"{_ACCOUNT_WORDS}\s?:?\s+(?P<text>(?!REDACTED)[^\"'<>(&\\\n:|]{{2,80}})",
        anchors="Google Account|Google-Account|Google account|Google-account|Google Konto|"
        "Google-Konto|Compte Google|Cuenta de Google|Conta Google|Conta do Google|Account Google|"
        "Konto Google|"
        "Účet Google|Аккаунт Google|Контакт Google|Microsoft account|Microsoft-Konto|Yahoo account|"
        "Account manager for|Account menu for|Profile of",
        after=5_000,
    ),
    _shape(
        PersonalData.ACCOUNT,
        "signed in as",
        rf"{_SIGNED_IN}\s*(?:<[^<>]{{0,200}}?>\s*){{0,4}}"
        r"(?P<text>(?!REDACTED)[^\"<>(&\\\n.!|]{2,80})",
        anchors="igned in as|ogged in as|ogged-in user|elcome back,|ngemeldet als|"
        "illkommen zurück,|onnecté en tant que|onectado como|esión iniciada como|"
        "ccesso effettuato come|řihlášen|"
        "alogowan|ы вошли как|witch account:|urrent user:",
        before=1,
        after=5_000,
    ),
    _shape(
        PersonalData.PLACE,
        "results for a place",
        r"(?:Results for|Ergebnisse für|Résultats pour|Resultados para|Risultati per)"
        rf"(?:\s|&nbsp;)*<(?:b|strong|span)[^<>]{{0,200}}?>{_TEXT}</(?:b|strong|span)>"
        rf"(?={_BETWEEN}(?:Choose area|Change|Gebiet|Choisir))",
    ),
    _shape(
        PersonalData.HISTORY,
        "visits of a result",
        rf"(?P<text>{_VISITED})",
        anchors=" visited this | viewed this |Last visit|Visited |Viewed |Vous avez |diese Seite |"
        "esta página |questa pagina ",
        before=60,
    ),
)
#: Elements of pages whose whole text tells of who is signed in, by words of id and class.
REGIONS = (
    _label(
        PersonalData.HISTORY,
        r"(?i)(?:search|browsing|view)?[-_ ]?history(?:[-_ ](?:list|item|entry|panel|menu))?|"
        r"recent(?:ly)?[-_ ]?(?:search(?:es)?|viewed|queries|visited)",
    ),
    _label(
        PersonalData.PLACE,
        r"(?i)(?:user|your|current|detected|home)[-_ ]?(?:location|place|address|city)|"
        r"unknown_loc|known_loc|swml_addr|swml_loc|(?:g_)?EfLoc",
    ),
    _label(
        PersonalData.ACCOUNT,
        r"(?i)id_n|(?:user|account|profile|member|customer|viewer)[-_ ]?(?:name|menu|info|"
        r"e-?mail|badge|card|label|display|handle|chip|greeting|full[-_ ]?name)|greeting|"
        r"(?:signed|logged)[-_ ]?in(?:[-_ ]?as|[-_ ]user)?|welcome[-_ ]?(?:user|name|message)?|"
        r"username|user-?login",
    ),
)
