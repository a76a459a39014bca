"""Figure 4: what half and full twins leave of the mean |bias| of each measure."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from monitor.stages import _charts
from monitor.studies._cda_tables import Followed
from monitor.studies.cda import STEPS
from monitor.studies.found import Figure

_STEP = 22
#: How far the axis goes, over the largest share.
_MARGIN = 1.04
#: Of each corpus its shape and colour.
_LOOKS = tuple(
    zip(
        STEPS,
        ("square", "diamond", "circle"),
        (_charts.QUIET, _charts.SECOND, _charts.FIRST),
        strict=True,
    )
)
_TITLE = "Figure 4: mean |bias| with half and full twins, of the original's"
_SIGNS = "■ original, ◆ half, ● full"


def figures(found: Sequence[Followed]) -> tuple[Figure, ...]:
    """One chart; none where no measure has a bias to fall."""
    rows: list[dict[str, Any]] = [
        {
            "label": f"{one.order.representation}, {one.order.measure}".replace("_", " "),
            "share": share,
            "step": step,
        }
        for one in found
        if one.shares
        for step, share in zip(STEPS, one.shares, strict=True)
    ]
    if not rows:
        return ()
    note = (
        f"{_SIGNS}. 1 is the bias of the texts as they are, 0 is none. A measure that follows its "
        "texts goes to 0; what is left comes of concept words that the swap does not exchange one "
        "for one, and of high order of all other words that it does not. Directional need not "
        "fall: its direction has unit length however little the pairs still differ, and the pairs "
        "that are not exchanged exactly then decide it."
    )
    labels = list(dict.fromkeys(row["label"] for row in rows))
    base = alt.Chart(_charts.data(rows))
    y = alt.Y(
        "label:N",
        sort=labels,
        scale=alt.Scale(domain=labels),
        title=None,
        axis=alt.Axis(ticks=False, domain=False, grid=True, minExtent=_charts.NAMES),
    )
    far = _MARGIN * max(1.0, *(row["share"] for row in rows))
    scale = alt.Scale(domain=[0, far])
    axis = alt.Axis(values=_charts.ZERO_TO_ONE, format=".2~f")
    x = alt.X("share:Q", scale=scale, axis=axis, title=f"mean |bias| of the original's ({_SIGNS})")
    layers = [
        base.transform_filter(f"datum.step == '{step}'")
        .mark_point(shape=shape, filled=True, size=80, color=color, opacity=1)
        .encode(x=x, y=y)
        for step, shape, color in _LOOKS
    ]
    chart = alt.layer(*layers).properties(width=_charts.ROW_WIDTH, height=alt.Step(_STEP))
    drawn = _charts.draw(chart, "falling", _TITLE, "The same numbers stand in Table 3 below.")
    return (Figure("falling", _TITLE, drawn, note=note),)
