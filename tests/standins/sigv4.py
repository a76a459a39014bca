"""AWS Signature Version 4 of a recorded request, worked out anew: `contracts.md` section A4.

`signatures` computes it from Amazon's published formula, and with botocore as a second witness
where that is installed. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
"""

import hashlib
import hmac
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, ?"
    r"SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})"
)
_DATE = re.compile(r"\d{8}T\d{6}Z")


class Signed(NamedTuple):
    """What an Authorization header says."""

    access_key: str
    day: str
    region: str
    service: str
    names: list[str]
    signature: str


def parse(request):
    """Return what the Authorization header says, or None when it has not its shape."""
    found = _AUTHORIZATION.fullmatch(request.headers.get("authorization", ""))
    if found is None or not _DATE.fullmatch(request.headers.get("x-amz-date", "")):
        return None
    access_key, day, region, service, names, signature = found.groups()
    return Signed(access_key, day, region, service, names.split(";"), signature)


def signatures(request, signed, secret):
    """Return every witness's signature of the request; all must be the one it came with."""
    found = {formula_signature(request, signed, secret)}
    second = botocore_signature(request, signed, secret)
    return found if second is None else found | {second}


def formula_signature(request, signed, secret):
    """Return the signature by the published formula."""
    key = f"AWS4{secret}".encode()
    for part in (signed.day, signed.region, signed.service, "aws4_request"):
        key = _hmac(key, part)
    scope = f"{signed.day}/{signed.region}/{signed.service}/aws4_request"
    canonical = hashlib.sha256(_canonical(request, signed.names).encode()).hexdigest()
    to_sign = "\n".join(("AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, canonical))
    return _hmac(key, to_sign).hex()


def botocore_signature(request, signed, secret):
    """Return botocore's signature, or None where botocore is not installed."""
    try:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
    except ImportError:
        return None
    url = f"http://{request.headers.get('host', '')}{request.target}"
    headers = {name: request.headers.get(name, "") for name in signed.names}
    again = AWSRequest(method=request.method, url=url, headers=headers, data=request.body)
    again.context["timestamp"] = request.headers["x-amz-date"]
    auth = SigV4Auth(Credentials(signed.access_key, secret), signed.service, signed.region)
    return auth.signature(auth.string_to_sign(again, auth.canonical_request(again)), again)


def _canonical(request, names):
    query = parse_qsl(urlsplit(request.target).query, keep_blank_values=True)
    encoded = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in query)
    headers = [f"{name}:{' '.join(request.headers.get(name, '').split())}\n" for name in names]
    return "\n".join(
        (
            request.method,
            quote(request.path, safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in encoded),
            "".join(headers),
            ";".join(names),
            hashlib.sha256(request.body).hexdigest(),
        )
    )


def _hmac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
