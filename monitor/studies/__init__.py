"""The papers' experiments, one file each: `monitor study NAME` runs one and writes its page.

A study has no formula of its own. It passes the paper's inputs, or the user's, to the functions of
the product and compares the results with what was printed. `labelled.py` compares the language
rules with labels.
"""
