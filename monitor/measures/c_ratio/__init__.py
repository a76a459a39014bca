"""c-ratio bias: shares of a group by occupation against reference shares."""
