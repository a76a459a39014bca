"""OpenSearch and Elasticsearch, searching an index: `contracts.md` section B13."""

import base64

from tests.standins.faults import status
from tests.standins.results import SearchService
from tests.standins.service import Refused, object_of

LOGIN = "audit"


class OpenSearch(SearchService):
    """`POST /{index}/_search` over documents with title, url and text.

    Args (besides those of SearchService; `key` is the API key or the password, None needs none):
        indexes: names that there are.
        failed_shards, timed_out: what is wrong although the answer is a success.
        shape: what becomes of a hit as the index stores it.
    """

    def __init__(
        self, *, indexes=("pages",), failed_shards=0, timed_out=False, shape=None, **settings
    ):
        super().__init__(**settings)
        self.indexes = indexes
        self.failed_shards = failed_shards
        self.timed_out = timed_out
        self.shape = shape or (lambda hit: hit._asdict())

    @staticmethod
    def rejected():
        """B13: 429."""
        reason = "rejected execution of search: queue capacity 1000"
        return _error(429, "es_rejected_execution_exception", reason)

    quota = rejected

    @staticmethod
    def unauthorized():
        return _error(401, "security_exception", "missing authentication credentials")

    @staticmethod
    def unavailable():
        return _error(503, "search_phase_execution_exception", "all shards failed")

    def answer(self, request):
        self._authorize(request)
        index, _, action = request.path.strip("/").rpartition("/")
        if request.method != "POST" or action != "_search":
            raise Refused(status(405, {"error": "Incorrect HTTP method", "status": 405}))
        if index not in self.indexes:
            reason = f"no such index [{index}]"
            raise Refused(_error(404, "index_not_found_exception", reason))
        body = object_of(request)
        if body is None:
            raise Refused(_error(406, "media_type_header_exception", "Invalid media-type"))
        question = _question(body)
        if question is None or request.query != {"allow_partial_search_results": "false"}:
            raise Refused(_error(400, "parsing_exception", "unknown query"))
        self.spend(1)
        return status(200, self._page(question, body["size"], body["_source"]))

    def _authorize(self, request):
        if self.key is None:
            return
        basic = base64.b64encode(f"{LOGIN}:{self.key}".encode()).decode()
        if request.headers.get("authorization") not in (f"ApiKey {self.key}", f"Basic {basic}"):
            raise Refused(self.unauthorized())

    def _page(self, question, size, wanted):
        hits = self.found(question)
        roots = {path.split(".")[0] for path in wanted}
        rows = [
            {
                "_index": "pages",
                "_id": str(number),
                "_score": 1 / number,
                "_source": {k: v for k, v in self.shape(hit).items() if k in roots},
            }
            for number, hit in enumerate(hits[:size], 1)
        ]
        shards = {"total": 5, "successful": 5 - self.failed_shards, "skipped": 0}
        return {
            "took": 1,
            "timed_out": self.timed_out,
            "_shards": shards | {"failed": self.failed_shards},
            "hits": {
                "total": {"value": len(hits), "relation": "eq"},
                "max_score": 1.0 if hits else None,
                "hits": rows,
            },
        }


def _question(body):
    """The words of a `match` or a `multi_match`, or None for what is neither."""
    match body.get("query"):
        case {"match": dict() as match} if len(match) == 1:
            [found] = match.values()
        case {"multi_match": {"fields": [_, *_]} as found}:
            pass
        case _:
            return None
    return found["query"] if found.get("operator") in ("or", "and") else None


def _error(code, kind, reason):
    error = {"root_cause": [{"type": kind, "reason": reason}], "type": kind, "reason": reason}
    return status(code, {"error": error, "status": code})
