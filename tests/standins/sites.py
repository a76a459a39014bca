"""A loopback web site whose pages do to a browser what pages of the web do, one path each.

`/result` is an ordinary result page of four requests; the others misbehave in one way each. A page
that a stand-in is to count visits of is asked for in `Running.requests`.
"""

import zlib
from functools import lru_cache

from tests.standins.wire import Answer, head

MEGABYTE = 1_000_000
PIECE = b"<!--" + b"x" * (MEGABYTE - 7) + b"-->"  # bytes that take no time to lay out
HTML = {"Content-Type": "text/html; charset=utf-8"}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cf00000000ffff0300050001018b7b1d0b0000000049454e44ae426082"
)
STYLE = b"body { font: 14px sans-serif } .g { margin: 8px }"
SCRIPT = b"document.body.dataset.ran = 'yes'"


def page(body, lang="en", head=""):
    """Return an HTML document."""
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8">{head}</head>'
        f"<body>{body}</body></html>"
    ).encode()


def results(count=20, words="some words of a snippet " * 12):
    """Return the part of a result page that has the results."""
    found = "".join(
        f'<div class="g"><h3><a href="/x{n}">Result {n}</a></h3><p>{words}</p></div>'
        for n in range(count)
    )
    return f'<div id="search">{found}</div>'


_DECLINED = "<span{}>An AI Overview is not available for this search</span>"
_WRITE = (
    "<script>setTimeout(() => { document.querySelector('[data-subtree=aimc]').innerHTML = "
    "'<p>Ada wove.</p>'; }, 700)</script>"
)


def overview_page(text="", *, declined=False, late=False):
    """A page that announces an AI overview; `late` is one whose scripts write it after a while."""
    hidden = "" if declined else " style='display:none'"
    frame = (
        f"<div data-mcpr><div>{_DECLINED.format(hidden)}<div role=heading aria-level=2>AI Overview"
        f"</div></div><div data-subtree=aimc>{text}</div></div>"
    )
    return page(frame + _WRITE * late)


def result_page():
    """Return a result page that needs a style, a script and a picture."""
    parts = '<img src="/pixel.png" alt=""><script src="/script.js"></script>'
    return page(results() + parts, head='<link rel="stylesheet" href="/style.css">')


#: A wall in the page itself: its buttons take it away, and say by which.
DIALOG = (
    '<div id="wall" style="position:fixed;inset:0;background:#fff">'
    '<button id="accept">Accept all</button><button id="reject">Reject all</button></div>'
    "<script>for (const choice of ['accept', 'reject'])"
    " document.getElementById(choice).onclick = () => {"
    " document.getElementById('wall').remove(); document.body.dataset.chosen = choice }</script>"
)
#: A wall that is a page of its own, with a form for each choice.
WALL = (
    "<h1>Before you continue</h1>"
    '<form action="/result"><input type="hidden" name="chosen" value="reject">'
    '<button id="reject">Reject all</button></form>'
    '<form action="/result"><input type="hidden" name="chosen" value="accept">'
    '<button id="accept">Accept all</button></form>'
)
#: Its button is there, and something lies on it for ever.
COVERED = (
    '<button id="reject">Reject</button>'
    '<div style="position:fixed;inset:0;background:#fff">nothing to press</div>'
)

PAGES = {
    "/result": result_page(),
    "/plain": page("<p>hello</p>"),
    "/overview-there": overview_page("<p>Ada wove.</p>"),
    "/overview-late": overview_page(late=True),
    "/overview-never": overview_page(),
    "/overview-declined": overview_page(declined=True),
    "/dialog": page(results() + DIALOG),
    "/late-dialog": page(
        "<p>all</p><script>setTimeout(() => { const wall = document.createElement('button');"
        "wall.id = 'reject'; wall.onclick = () => { wall.remove(); document.title = 'chosen' };"
        "document.body.append(wall) }, 30)</script>"
    ),
    "/stubborn": page('<p>all</p><button id="reject">Reject</button>'),
    "/wall": page(WALL),
    "/wall-without-button": page("<h1>Before you continue</h1><p>Your privacy</p>"),
    "/covered": page(COVERED),
    "/endless-scroll": page('<div style="height:2000000px">down</div>'),
    "/hog": page("<p>before</p><script>while (true) {}</script><p>after</p>"),
    "/late-hog": page(
        "<p>all</p><script>onload = () => setTimeout(() => { while (true); })</script>"
    ),
    "/alerts": page("<p>all</p><script>while (true) alert('look')</script>"),
    "/one-alert": page("<p>all</p><script>alert('look'); confirm('sure?')</script>"),
    "/refresh": page("<p>again</p>", head='<meta http-equiv="refresh" content="0">'),
    "/popups": page("<p>all</p><script>while (true) open('/plain?' + Math.random())</script>"),
    "/one-popup": page("<p>all</p><script>open('/plain')</script>"),
    "/moves": page("<p>first</p><script>setTimeout(() => location = '/plain', 20)</script>"),
    "/restless": page(
        "<script>onload = () => setTimeout(() => location = '/restless?' + Math.random())</script>"
    ),
    "/files": page(
        "<p>all</p><iframe src='file:///etc/passwd'></iframe><img src='file:///etc/passwd'>"
        "<script>fetch('file:///etc/passwd').catch(() => 0); location = 'file:///etc/passwd'</script>"
    ),
    "/settings": page("<p>all</p><script>location = 'chrome://settings'</script>"),
    "/to-data": page("<p>all</p><script>location = 'data:text/html,elsewhere'</script>"),
    "/to-blob": page(
        "<script>location = URL.createObjectURL("
        "new Blob(['elsewhere'], {type: 'text/html'}))</script>"
    ),
    "/names": page("<p>\u05de\u05e8\u05d9\u05dd &#x202e; \u0641\u0627\u0637\u0645\u0629</p>", "he"),
    "/clobbered": page(
        '<form name="documentElement"></form><img name="contentType"><form name="doctype"></form>'
        "<script>Document.prototype.querySelectorAll = () => [];"
        "Object.prototype.toString = () => 'no'</script><p id='search'>kept</p>"
    ),
    "/strangers": page(
        "<script>document.title = [document.cookie, localStorage.length].join();"
        "document.cookie = 'seen=1'; localStorage.setItem('seen', 1)</script>"
    ),
    "/place": page(
        "<p id=where>?</p><script>navigator.geolocation.getCurrentPosition("
        "(p) => { where.textContent = [p.coords.latitude, p.coords.longitude,"
        " Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.languages, innerWidth,"
        " navigator.webdriver].join(); where.id = 'there' })</script>"
    ),
    "/never-ready": page('<p>all</p><img src="/hang" alt="">'),
    "/many-parts": page(
        "<script>for (let n = 0; n < 900; n++) fetch('/plain?' + n)</script><p>all"
    ),
    "/fat-parts": page(
        "<p>all</p><script>(async () => { for (let n = 0; ; n++)"
        " await (await fetch('/fat?' + n)).text() })()</script>"
    ),
    "/fat-frame": page("<p>all</p><iframe src='FRAME/fat?1'></iframe>"),
    "/frames": page(
        "<p>all</p><script>for (let n = 0; n < 300; n++) document.body.append("
        "document.createElement('iframe'))</script>"
    ),
    "/grows": page("<script>document.body.append(new Comment('x'.repeat(20000000)))</script>"),
    "/half-pairs": page("<script>document.body.textContent = 'a\\ud800b\\0c'</script>"),
    "/worker": page(
        "<script>navigator.serviceWorker.register('/script.js')"
        ".then((found) => document.title = found ? 'registered' : 'none')</script>"
    ),
    "/starts-download": page("<p>all</p><script>location = '/download'</script><p>more"),
}  # fmt: skip
PARTS = {
    "/style.css": Answer(200, STYLE, {"Content-Type": "text/css"}),
    "/script.js": Answer(200, SCRIPT, {"Content-Type": "text/javascript"}),
    "/pixel.png": Answer(200, PIXEL, {"Content-Type": "image/png"}),
}
#: Whole answers that are not simply a page.
ANSWERS = {
    "/latin": Answer(
        200, "<p>caf\u00e9".encode("latin-1"), {"Content-Type": "text/html; charset=iso-8859-1"}
    ),
    "/broken-utf8": Answer(200, b"<p>\xff\xfe caf\xc3", HTML),
    "/nul": Answer(200, b"<p>a\0b</p>\0", HTML),
    "/nothing": Answer(204, b""),
    "/empty": Answer(200, b"", HTML),
    "/missing": Answer(404, page("<h1>not here</h1>"), HTML),
    "/limited": Answer(429, b"slow down", {"Content-Type": "text/plain", "Retry-After": "7"}),
    "/broken": Answer(500, b"", HTML),
    "/locked": Answer(401, page("<p>who?</p>"), {**HTML, "WWW-Authenticate": 'Basic realm="x"'}),
    "/picture": PARTS["/pixel.png"],
    "/text": Answer(200, b"only words", {"Content-Type": "text/plain"}),
    "/pdf": Answer(200, b"%PDF-1.4 not much", {"Content-Type": "application/pdf"}),
    "/download": Answer(
        200, b"octets", {"Content-Type": "application/octet-stream",
                         "Content-Disposition": 'attachment; filename="x.exe"'},
    ),
    "/loop": Answer(302, b"", {"Location": "/loop"}),
    "/once": Answer(302, b"", {"Location": "/twice"}),
    "/twice": Answer(301, b"", {"Location": "/plain"}),
    "/to-file": Answer(302, b"", {"Location": "file:///etc/passwd"}),
    "/headers": Answer(200, page("<p>x</p>"), {**HTML, "Set-Cookie": "id=7", "X-Kept": "yes"}),
    "/stale": Answer(200, page("<p>x</p>"), {**HTML, "Age": "4000"}),
}  # fmt: skip


class Site:
    """The application that `serve` serves."""

    def __call__(self, request, wire):
        path = request.path
        if path in PAGES:
            here = request.headers["host"].replace("127.0.0.1", "localhost")
            content = PAGES[path].replace(b"FRAME", f"http://{here}".encode())
            wire.send(Answer(200, content, HTML))
        elif found := PARTS.get(path) or ANSWERS.get(path):
            wire.send(found)
        elif play := getattr(self, path.strip("/").replace("-", "_"), None):
            play(wire)
        else:
            wire.send(Answer(404, b""))

    def hang(self, wire):
        """No byte."""
        wire.wait(30)
        wire.drop()

    def half_a_page(self, wire):
        """The connection ends after half of the announced bytes."""
        wire.write(head(200, {**HTML, "Content-Length": "1000"}) + b"<p>half of it")
        wire.drop()

    def half_a_chunk(self, wire):
        """The connection ends without a last chunk."""
        chunked = {**HTML, "Transfer-Encoding": "chunked"}
        wire.write(head(200, chunked) + b"d\r\n<p>half of it\r\n")
        wire.drop()

    def begun(self, wire):
        """The beginning of a page, and then nothing more."""
        wire.write(head(200, {**HTML, "Content-Length": "1000"}) + b"<p>the beginning</p>")
        wire.wait(30)
        wire.drop()

    def cut(self, wire):
        """The connection ends before any byte."""
        wire.drop()

    def garbage(self, wire):
        """What is packed as it is said not to be."""
        wire.send(Answer(200, b"no gzip at all", {**HTML, "Content-Encoding": "gzip"}))

    def big(self, wire, megabytes=2000):
        """A page of 2 GB, sent as long as somebody reads it."""
        wire.write(head(200, {**HTML, "Content-Length": str(megabytes * MEGABYTE)}))
        piece = b"<!--" + b"x" * 99_993 + b"-->"
        for _ in range(megabytes * MEGABYTE // len(piece)):
            wire.write(piece)

    def bomb(self, wire):
        """A page of 2 GB, packed to two megabytes."""
        wire.send(Answer(200, _packed_alike(2000), {**HTML, "Content-Encoding": "gzip"}))

    def fat(self, wire):
        """Twenty megabytes, packed."""
        wire.send(Answer(200, _packed(20), {**HTML, "Content-Encoding": "gzip"}))


@lru_cache
def _packed(megabytes):
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(PIECE) for _ in range(megabytes)), packer.flush()])


def _packed_alike(megabytes):
    """One packed megabyte again and again, without the checksum at the end of gzip."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    start = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    return start + (packer.compress(PIECE) + packer.flush(zlib.Z_FULL_FLUSH)) * megabytes
