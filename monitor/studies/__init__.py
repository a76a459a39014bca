"""The papers' experiments, one file each: `monitor study NAME` runs one and writes its page.

A study has no formula of its own: it gives the product's functions the paper's inputs, or one's
own, and holds what comes out against what was printed. `monitor.study`, beside it, is about the
instrument: rules against labels and a parser.
"""
