"""Masked language models (BERT, RoBERTa and their like): which of two words fits a sentence better.

A probe is a sentence of the list. In English it is put into the four templates of GEST; a sentence
in any language that holds its own two variants, `Jsem [unavený|unavená].`, is scored as it stands.
A model is a folder in MONITOR_HOME/models/lm; nothing is downloaded.
"""

from monitor.engines._lm import ENGLISH, LanguageModel
from monitor.model import Needs

ENGINE = LanguageModel(
    name="masked_lm",
    title="Masked language model, run by Transformers",
    backend="masked",
    templates=ENGLISH,
    any_language=True,
    pace=0.5,
    needs=Needs(
        independence="ours: one sentence at a time, never a padded batch",
        limits="memory: every process holds the model; see MONITOR_PROCESSES",
        notes="both words of a template must be one token of the model, or it is not scored",
    ),
)
