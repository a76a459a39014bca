"""Rankers over a collection of one's own: an index of its words, and formulas that rank by it.

`corpus` reads documents, `index` keeps their words in arrays that are mapped into memory, and each
ranker is a file of its own. `choice` spells which one is asked, and `choose` makes a ranker from
its name and its numbers.
"""
