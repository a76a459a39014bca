-- points_current: every value that is in force, with its uncertainty and its counts.
-- Grain: one row per series and run (the newest computation of its signature).
-- value is NULL unless state is 'measured'; reason says why. low and high are the interval at
-- 95 per cent, bound_low and bound_high the lowest and highest value possible whatever is missing.
-- Columns: point_id, series_id, run_id, run_kind, job, due_at, list, engine, surface, source_lang,
-- target, measure, quantity, reference, scope, scope_title, state, reason, value, low, high,
-- bound_low, bound_high, flags, planned, answered, used, unidentified, signature, computed_at.
SELECT
    pt.id AS point_id,
    s.id AS series_id,
    pt.run_id AS run_id,
    r.kind AS run_kind,
    r.job AS job,
    pt.due_at AS due_at,
    {series_columns}
    sc.title AS scope_title,
    pt.state AS state,
    pt.reason AS reason,
    pt.value AS value,
    pt.low AS low,
    pt.high AS high,
    pt.bound_low AS bound_low,
    pt.bound_high AS bound_high,
    pt.flags AS flags,
    pt.planned AS planned,
    pt.answered AS answered,
    pt.used AS used,
    pt.unidentified AS unidentified,
    sg.hash AS signature,
    pt.computed_at AS computed_at
FROM points pt
JOIN series_keys s ON s.id = pt.series_id
JOIN engines e ON e.id = s.engine_id
JOIN runs r ON r.id = pt.run_id
JOIN signatures sg ON sg.id = pt.signature_id
LEFT JOIN scopes sc ON sc.scope = s.scope
WHERE pt.is_current
