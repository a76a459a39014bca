"""NLLB, M2M100 and OPUS-MT models as they are published, run by the library Transformers.

A model is a folder with the files of its repository; see docs/models.md. Nothing is downloaded.
"""

from monitor.engines._local import Seq2Seq, model_parameters

ENGINE = Seq2Seq(
    name="transformers",
    title="NLLB, M2M100 or OPUS-MT, run by Transformers",
    parameters=model_parameters("transformers"),
    backend="seq2seq",
    batch=4,
    pace=0.25,
)
