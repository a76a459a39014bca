"""First-order co-occurrence: which words of a body of texts stand near words for women and men.

Texts become token ids (`encoding.py`), ids become counts of pairs (`counting.py`), counts become
associations (`pmi.py` and its kin), associations of words with two lists become bias
(`bias.py`). After Rekabsaz, N., West, R., Henderson, J., Hanbury, A. (2021). Measuring
societal biases from text corpora with smoothed first-order co-occurrence. ICWSM 15, 549-560.
"""
