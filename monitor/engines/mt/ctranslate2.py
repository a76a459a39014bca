"""NLLB, M2M100 and OPUS-MT models in the format of CTranslate2, which is quick without a GPU.

A model is a folder that `ct2-transformers-converter` wrote, with the tokenizer beside it; see
docs/models.md. Nothing is downloaded.
"""

from monitor.engines._local import Seq2Seq, model_parameters

ENGINE = Seq2Seq(
    name="ctranslate2",
    title="NLLB, M2M100 or OPUS-MT, run by CTranslate2",
    parameters=model_parameters("ctranslate2"),
    backend="ct2",
    batch=8,
    pace=0.5,
)
