"""Generative language models (GPT-2 and its like): which of two words continues a sentence.

A probe is an English sentence of the list. Of the four templates of GEST, those two are used in
which the pair of words comes after the sentence; the model reads up to the word. A model is a
folder in MONITOR_HOME/models/lm; nothing is downloaded.
"""

from monitor.engines._lm import ENGLISH, LanguageModel
from monitor.model import Needs

ENGINE = LanguageModel(
    name="generative_lm",
    title="Generative language model, run by Transformers",
    backend="causal",
    templates=ENGLISH[2:],
    any_language=False,
    pace=0.5,
    needs=Needs(
        independence="ours: one sentence at a time, never a padded batch",
        limits="memory: every process holds the model; see MONITOR_PROCESSES",
        notes="a word of several tokens has the product of their probabilities",
    ),
)
