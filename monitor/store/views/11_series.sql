-- series: every time series, how much of it was measured, and its newest due tick.
-- Grain: one row per series that was asked on schedule (series of manual runs alone have no row).
-- n_ticks are due ticks since its first point, gaps included, of which n_measured have a value.
-- last_* are of its newest due tick, so last_value is NULL where that is a gap; last_reason says why.
-- is_asked is FALSE where later ticks of the job did not ask for it: it has ended, or rests, at
-- last_due_at, or the job was interrupted before it was asked. job is that of the newest due tick.
-- Columns: series_id, job, list, engine, surface, source_lang, target, measure, quantity,
-- reference, scope, scope_title, signature, n_ticks, n_measured, first_due_at, last_due_at,
-- is_asked, last_state, last_reason, last_value, last_low, last_high.
SELECT
    n.series_id AS series_id,
    newest.job AS job,
    newest.list AS list,
    newest.engine AS engine,
    newest.surface AS surface,
    newest.source_lang AS source_lang,
    newest.target AS target,
    newest.measure AS measure,
    newest.quantity AS quantity,
    newest.reference AS reference,
    newest.scope AS scope,
    newest.scope_title AS scope_title,
    newest.signature AS signature,
    n.n_ticks AS n_ticks,
    n.n_measured AS n_measured,
    n.first_due_at AS first_due_at,
    n.last_due_at AS last_due_at,
    (j.due_at = n.last_due_at) AS is_asked,
    newest.state AS last_state,
    newest.reason AS last_reason,
    newest.value AS last_value,
    newest.low AS last_low,
    newest.high AS last_high
FROM (
    SELECT
        series_id,
        COUNT(*) AS n_ticks,
        COUNT(value) AS n_measured,
        MIN(due_at) AS first_due_at,
        MAX(due_at) AS last_due_at
    FROM series_points
    GROUP BY series_id
) n
JOIN series_points newest
    ON newest.series_id = n.series_id AND newest.due_at = n.last_due_at
JOIN (SELECT job, MAX(due_at) AS due_at FROM due_ticks GROUP BY job) j ON j.job = newest.job
