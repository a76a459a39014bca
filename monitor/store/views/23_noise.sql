-- noise: how far the values of a series lie apart while nothing is thought to have changed.
-- Grain: one row per series and contrast: 'minutes' (two repeats of a tick) or 'days' (a tick and a part
-- of it asked again a day later).
-- Over n_pairs such pairs: mean_delta, mean_square (its square root is the standard deviation of a
-- difference around 0), largest (largest size of a difference), and of n questions how many changed
-- their answer.
-- Columns: series_id, job, list, engine, surface, source_lang, target, measure, quantity, reference,
-- scope, contrast, n_pairs, n, changed, mean_delta, mean_square, largest, first_due_at, last_due_at.
SELECT
    c.series_id AS series_id,
    MAX(c.job) AS job,
    c.list AS list,
    c.engine AS engine,
    c.surface AS surface,
    c.source_lang AS source_lang,
    c.target AS target,
    c.measure AS measure,
    c.quantity AS quantity,
    c.reference AS reference,
    c.scope AS scope,
    c.contrast AS contrast,
    COUNT(*) AS n_pairs,
    SUM(c.n) AS n,
    SUM(c.changed) AS changed,
    AVG(c.delta) AS mean_delta,
    AVG(c.delta * c.delta) AS mean_square,
    MAX(ABS(c.delta)) AS largest,
    MIN(c.due_at) AS first_due_at,
    MAX(c.due_at) AS last_due_at
FROM comparisons_current c
WHERE c.contrast IN ('minutes', 'days') AND c.state = 'measured'
GROUP BY
    c.series_id, c.list, c.engine, c.surface, c.source_lang, c.target, c.measure, c.quantity,
    c.reference, c.scope, c.contrast
