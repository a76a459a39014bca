"""Validate the RO-Crate of a release: `python tests/crate.py FOLDER`; ends with 1 where it is none.

It runs in an environment of its own (requirements/crate.lock): roc-validator needs an older rich
than the package. The vocabulary of RO-Crate is fetched by its address as a rule; here the terms
that a release uses stand for it, so that nothing outside is asked.
"""

import json
import sys
from types import SimpleNamespace

import rdflib.plugins.shared.jsonld.context as rdflib_context
from rocrate_validator.models import Severity
from rocrate_validator.services import ValidationSettings, validate
from rocrate_validator.utils.http import HttpRequester

#: The vocabulary, as far as releases use it: terms of schema.org but for two.
ADDRESS = "https://w3id.org/ro/crate/1.1/context"
TERMS = """
about author contentSize datePublished description encodingFormat hasPart license name publisher
sha256 version CreativeWork Dataset Organization Person
""".split()
CONTEXT = {
    "@context": {
        **{term: f"http://schema.org/{term}" for term in TERMS},
        "File": "http://schema.org/MediaObject",
        "conformsTo": "http://purl.org/dc/terms/conformsTo",
    }
}


def answer(_requester, url, **_options):
    """What the network would answer."""
    assert url.startswith(ADDRESS), f"{url}: nothing else is asked"
    headers = {"Content-Type": "application/ld+json"}
    text = json.dumps(CONTEXT)
    return SimpleNamespace(status_code=200, headers=headers, text=text, json=lambda: CONTEXT)


def main(folder):
    HttpRequester.get = answer
    rdflib_context.source_to_json = lambda *_source, **_options: (CONTEXT, None)
    result = validate(
        ValidationSettings(
            rocrate_uri=folder, profile_identifier="ro-crate-1.1",
            requirement_severity=Severity.REQUIRED,
        )
    )  # fmt: skip
    for issue in result.get_issues():
        sys.stdout.write(f"{issue.check.identifier}: {issue.message}\n")
    sys.stdout.write(f"{folder}: {'a valid' if result.passed() else 'no valid'} RO-Crate 1.1\n")
    return 0 if result.passed() else 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
