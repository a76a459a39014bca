"""NLLB, M2M100 and OPUS-MT models as they are published, run by the library Transformers.

A model is a folder with the files of its repository; see docs/models.md. Nothing is downloaded.
"""

from monitor.engines._seq2seq import Seq2Seq

ENGINE = Seq2Seq(
    name="transformers",
    title="NLLB, M2M100 or OPUS-MT, run by Transformers",
    version=1,
    backend="seq2seq",
    batch=4,
    pace=0.25,
)
