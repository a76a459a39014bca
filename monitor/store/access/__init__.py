"""Users, embargoes, and who may read what with SQL."""
