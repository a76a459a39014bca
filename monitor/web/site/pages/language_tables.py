"""Languages side by side on the overview: the heat tables of the run report."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup
from pydantic import BaseModel, Field

from monitor.stages.document.html import html_blocks
from monitor.stages.reports import side_by_side
from monitor.stages.reports.run_systems import sort_systems
from monitor.store.changes.series import ALL
from monitor.store.database import Connection
from monitor.store.reports import run_report, topic_values
from monitor.web.site.visitors import Visitor


class LanguageTables(BaseModel):
    """Values by language and system in the newest run of a job; its numbers are in the series."""

    run: int
    job: str
    due_at: datetime
    tables: str = Field(exclude=True)

    @property
    def markup(self) -> Markup:
        """Return the tables as markup."""
        return Markup(self.tables)  # noqa: S704 - written by the renderer of documents


def read_language_tables(
    connection: Connection, who: Visitor, job: str, contents: Sequence[Mapping[str, Any]]
) -> list[LanguageTables]:
    """Return the tables of a job, or of every job, whose newest run has at least three languages.

    `contents` are those of the jobs.
    """
    anchors = topic_values.find_anchors(connection, who.hidden, side_by_side.QUANTITIES)
    newest = {anchor.job: anchor for anchor in reversed(anchors) if job in ("", anchor.job)}
    content_of = {str(content.get("name")): content for content in contents}
    tables = []
    for anchor in sorted(newest.values(), key=lambda anchor: anchor.job):
        points = [
            point
            for point in run_report.read_points(connection, anchor.run, ALL)
            if who.hidden.shows(point["series_id"])
        ]
        cues = run_report.read_cues(connection, anchor.run)
        of_run = sort_systems(points, content_of.get(anchor.job, {}), cues)
        section = side_by_side.write_languages_section(of_run)
        if section is not None:
            tables.append(
                LanguageTables(
                    run=anchor.run, job=anchor.job, due_at=anchor.due_at,
                    tables=html_blocks(section.blocks),
                )
            )  # fmt: skip
    return tables
