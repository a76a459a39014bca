-- changes_current: what was found to have changed, whether it was asked again, and its cause.
-- Grain: one row per series, kind and tick of a finding that is in force.
-- kind: 'step' (paired test against the tick before, after the false-discovery ledger), 'shift' (looking
-- back over the whole series), 'drift' (slow). status: 'candidate', 'confirmed', 'refuted',
-- 'unconfirmed', 'retrospective'; only 'confirmed' was asked again and was there again. q is compared
-- with alpha. because says why it has its cause; 'engine' needs a control that did not change beyond its
-- own noise, and the same software of ours on both sides, or both asked side by side; 'open' is not
-- determined. effect = after - before on the same questions, low and high its interval at 95 per cent.
-- Columns: change_id, series_id, job, list, engine, surface, source_lang, target, measure, quantity,
-- reference, scope, scope_title, kind, role, family, changed_at, detected_at, before_run_id,
-- after_run_id, before, after, effect, low, high, p, q, alpha, e_value, noise, statistic, status,
-- confirm_effect, confirm_low, confirm_high, cause, because, sentence, comparison_id, confirm_id,
-- computed_at.
SELECT
    c.id AS change_id,
    s.id AS series_id,
    r.job AS job,
    s.list AS list,
    e.name AS engine,
    e.surface AS surface,
    s.source_lang AS source_lang,
    s.target AS target,
    s.measure AS measure,
    s.quantity AS quantity,
    s.reference AS reference,
    s.scope AS scope,
    sc.title AS scope_title,
    c.kind AS kind,
    c.role AS role,
    c.family AS family,
    c.changed_at AS changed_at,
    c.detected_at AS detected_at,
    c.before_run_id AS before_run_id,
    c.after_run_id AS after_run_id,
    c.before AS before,
    c.after AS after,
    c.effect AS effect,
    c.low AS low,
    c.high AS high,
    c.p AS p,
    c.q AS q,
    c.alpha AS alpha,
    c.e_value AS e_value,
    c.noise AS noise,
    c.statistic AS statistic,
    c.status AS status,
    again.delta AS confirm_effect,
    again.low AS confirm_low,
    again.high AS confirm_high,
    c.cause AS cause,
    c.because AS because,
    c.sentence AS sentence,
    c.comparison_id AS comparison_id,
    c.confirm_id AS confirm_id,
    c.computed_at AS computed_at
FROM changes c
JOIN series_keys s ON s.id = c.series_id
JOIN engines e ON e.id = s.engine_id
JOIN runs r ON r.id = c.after_run_id
LEFT JOIN comparisons again ON again.id = c.confirm_id
LEFT JOIN scopes sc ON sc.scope = s.scope
WHERE c.is_current
