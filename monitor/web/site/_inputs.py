"""What many pages are asked with: numbers of rows, words to look for, and how far to turn.

Numbers are those that a database has; text has no NUL, which none can hold.
"""

from typing import Annotated

from fastapi import Path, Query

Number = Annotated[int, Path(ge=1, le=2**63 - 1)]
Run = Annotated[int | None, Query(ge=1, le=2**63 - 1)]
Text = Annotated[str, Query(max_length=300, pattern=r"^[^\x00]*$")]
Signature = Annotated[str, Query(max_length=64, pattern="^[0-9a-f]*$")]
PageNumber = Annotated[int, Query(ge=1, le=10_000)]
