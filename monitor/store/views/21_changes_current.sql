-- changes_current: changes of series, confirmed or not, and what each is attributed to.
-- Grain: one row per series, kind and tick of a change that is in force.
-- kind: 'step' (all runs since a tick lie beyond the runs before it), 'drift' (all runs of late lie beyond
-- the first runs), 'shift' (found in retrospect). status: 'confirmed' (decided), 'candidate' (a signal that
-- more runs will decide), 'refuted' (a later run did not show it), 'unconfirmed' (a secondary series that
-- was not asked again), 'retrospective'. q is compared with alpha. holds_beyond is 1 where the change also
-- holds beyond this list (p_beyond is at most alpha_beyond). because says why the cause is what it is;
-- 'engine' needs a control that did not change beyond its own noise, and the same software of ours on both
-- sides, or both asked side by side; 'open' is not determined. effect = after - before on the same questions, low and high
-- its interval at 95 per cent for questions like these.
-- Columns: change_id, series_id, job, list, engine, surface, source_lang, target, measure, quantity,
-- reference, scope, scope_title, kind, role, family, changed_at, detected_at, before_run_id,
-- after_run_id, before, after, effect, low, high, p, q, alpha, p_beyond, alpha_beyond, holds_beyond,
-- noise, statistic, status,
-- confirm_effect, confirm_low, confirm_high, cause, because, sentence, comparison_id, confirm_id,
-- computed_at.
SELECT
    c.id AS change_id,
    s.id AS series_id,
    r.job AS job,
    {series_columns}
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
    c.p_beyond AS p_beyond,
    c.alpha_beyond AS alpha_beyond,
    CASE WHEN c.p_beyond <= c.alpha_beyond THEN 1 ELSE 0 END AS holds_beyond,
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
