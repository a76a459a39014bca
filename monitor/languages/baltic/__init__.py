"""Lithuanian and Latvian, and the rules that they share."""
