-- comparisons_current: every comparison of two sets of answers to the same questions that is in force.
-- Grain: one row per series, contrast, run after and, of two engines, other engine.
-- contrast: 'step' (the tick before and this one), 'week', 'first' (both only where they are not the
-- tick before), 'minutes' (two repeats of a tick),
-- 'days' (a tick and its noise run), 'confirm' (an earlier run that a finding does not rest on, or at
-- the second tick the one before, and the run that asked again), 'again' (the first tick, and a run that
-- asked all questions of a tick again), 'engines' (before is the other
-- engine, after is this one, in one tick).
-- delta = after - before on the n questions that both can be used of; NULL unless state is 'measured',
-- and reason says why. low and high are its interval at 95 per cent, p that of the paired test before
-- any correction: changes_current has what stands after it.
-- Columns: comparison_id, series_id, job, list, engine, surface, source_lang, target, measure, quantity,
-- reference, scope, scope_title, contrast, other_engine, due_at, before_run_id, before_due_at,
-- after_run_id, state, reason, test, n, only_before, only_after, changed, before, after, delta, low,
-- high, p, facts, signature, method_version, computed_at.
SELECT
    c.id AS comparison_id,
    s.id AS series_id,
    r.job AS job,
    {series_columns}
    sc.title AS scope_title,
    c.contrast AS contrast,
    oe.name AS other_engine,
    c.due_at AS due_at,
    c.before_run_id AS before_run_id,
    b.due_at AS before_due_at,
    c.after_run_id AS after_run_id,
    c.state AS state,
    c.reason AS reason,
    c.test AS test,
    c.n AS n,
    c.only_before AS only_before,
    c.only_after AS only_after,
    c.changed AS changed,
    c.before AS before,
    c.after AS after,
    c.delta AS delta,
    c.low AS low,
    c.high AS high,
    c.p AS p,
    c.facts AS facts,
    sg.hash AS signature,
    c.method_version AS method_version,
    c.computed_at AS computed_at
FROM comparisons c
JOIN series_keys s ON s.id = c.series_id
JOIN engines e ON e.id = s.engine_id
JOIN runs r ON r.id = c.after_run_id
JOIN runs b ON b.id = c.before_run_id
JOIN signatures sg ON sg.id = c.signature_id
LEFT JOIN series_keys os ON os.id = c.other_id
LEFT JOIN engines oe ON oe.id = os.engine_id
LEFT JOIN scopes sc ON sc.scope = s.scope
WHERE c.is_current
