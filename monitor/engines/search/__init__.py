"""Search engines: APIs, result pages, and rankers over an index of one's own."""
