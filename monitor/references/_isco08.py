"""Titles of the International Standard Classification of Occupations, ISCO-08 (ILO, 2012).

One and two digits: what surveys publish. A title of two digits covers up to a hundred occupations.
"""

from collections.abc import Mapping
from types import MappingProxyType

_TITLES = """
0 Armed forces occupations
1 Managers
2 Professionals
3 Technicians and associate professionals
4 Clerical support workers
5 Service and sales workers
6 Skilled agricultural, forestry and fishery workers
7 Craft and related trades workers
8 Plant and machine operators, and assemblers
9 Elementary occupations
01 Commissioned armed forces officers
02 Non-commissioned armed forces officers
03 Armed forces occupations, other ranks
11 Chief executives, senior officials and legislators
12 Administrative and commercial managers
13 Production and specialised services managers
14 Hospitality, retail and other services managers
21 Science and engineering professionals
22 Health professionals
23 Teaching professionals
24 Business and administration professionals
25 Information and communications technology professionals
26 Legal, social and cultural professionals
31 Science and engineering associate professionals
32 Health associate professionals
33 Business and administration associate professionals
34 Legal, social, cultural and related associate professionals
35 Information and communications technicians
41 General and keyboard clerks
42 Customer services clerks
43 Numerical and material recording clerks
44 Other clerical support workers
51 Personal service workers
52 Sales workers
53 Personal care workers
54 Protective services workers
61 Market-oriented skilled agricultural workers
62 Market-oriented skilled forestry, fishery and hunting workers
63 Subsistence farmers, fishers, hunters and gatherers
71 Building and related trades workers, excluding electricians
72 Metal, machinery and related trades workers
73 Handicraft and printing workers
74 Electrical and electronic trades workers
75 Food processing, wood working, garment and other craft and related trades workers
81 Stationary plant and machine operators
82 Assemblers
83 Drivers and mobile plant operators
91 Cleaners and helpers
92 Agricultural, forestry and fishery labourers
93 Labourers in mining, construction, manufacturing and transport
94 Food preparation assistants
95 Street and related sales and service workers
96 Refuse workers and other elementary workers
"""
#: {code: title}.
TITLES: Mapping[str, str] = MappingProxyType(
    {
        code: title
        for code, _, title in (line.partition(" ") for line in _TITLES.split("\n"))
        if code
    }
)


def word(code: str, flags: str = "") -> str:
    """A group as reports name it, with what the source says of the figure."""
    said = f" [{flags}]" if flags else ""
    return f"ISCO-08 {code} {TITLES[code]}{said}"
