-- series: every time series, how much of it was measured, and its newest due tick.
-- Grain: one row per series that was asked on schedule (series of manual runs alone have no row).
-- n_ticks are due ticks since its first point, gaps included, of which n_measured have a value.
-- last_* are of its newest due tick, so last_value is NULL where that is a gap; last_reason says why.
-- is_asked is FALSE where later ticks of the job did not ask for it: it has ended, or rests, at
-- last_due_at. job is that of the newest due tick.
-- Columns: series_id, job, list, engine, surface, source_lang, target, measure, quantity,
-- reference, scope, scope_title, signature, n_ticks, n_measured, first_due_at, last_due_at,
-- is_asked, last_state, last_reason, last_value, last_low, last_high.
SELECT
    n.series_id AS series_id,
    newest.job AS job,
    n.list AS list,
    newest.engine AS engine,
    newest.surface AS surface,
    n.source_lang AS source_lang,
    n.target AS target,
    n.measure AS measure,
    n.quantity AS quantity,
    n.reference AS reference,
    n.scope AS scope,
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
        s.id AS series_id,
        s.list AS list,
        s.source_lang AS source_lang,
        s.target AS target,
        s.measure AS measure,
        s.quantity AS quantity,
        s.reference AS reference,
        s.scope AS scope,
        COUNT(*) AS n_ticks,
        SUM(CASE WHEN d.is_derived AND p.state = 'measured' AND p.signature_id = s.signature_id
            THEN 1 ELSE 0 END) AS n_measured,
        MIN(d.due_at) AS first_due_at,
        MAX(d.due_at) AS last_due_at
    FROM series_keys s
    JOIN points p ON p.series_id = s.id AND p.is_current = TRUE
    JOIN due_ticks d ON d.basis_run_id = p.run_id + 0
    GROUP BY
        s.id, s.list, s.source_lang, s.target, s.measure, s.quantity, s.reference, s.scope
) n
JOIN series_points newest
    ON newest.series_id = n.series_id AND newest.due_at = n.last_due_at
JOIN (SELECT job, MAX(due_at) AS due_at FROM due_ticks GROUP BY job) j ON j.job = newest.job
