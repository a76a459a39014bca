"""People that results show, and the gender recorded of them: pure, look-ups are passed in."""

#: Part of the signature of what is computed from labels: goes up whenever the same look-ups could
#: give another label. The table of recorded genders has a version of its own, kept with each label.
VERSION = 1
