"""Words of running text: tokens, stop words, noun lemmas, group terms, gender swap. English."""
