-- requests: the load that we caused: how often an engine was asked in a run, and what came back.
-- Grain: one row per run, engine and purpose. A request may put many questions. surface tells engines that
-- run here ('local') and recordings ('recorded') from services; donated pages are left out. seconds is the sum of the times until
-- the answers were there; bytes are those of the stored answers. other_outcomes are all but ok,
-- empty, blocked and throttled.
-- Columns: run_id, run_kind, job, due_at, engine, surface, purpose, requests, ok, empty, blocked,
-- throttled, other_outcomes, seconds, bytes, first_asked_at, last_asked_at.
SELECT
    r.id AS run_id,
    r.kind AS run_kind,
    r.job AS job,
    r.due_at AS due_at,
    e.name AS engine,
    e.surface AS surface,
    x.purpose AS purpose,
    COUNT(*) AS requests,
    SUM(CASE WHEN x.outcome = 'ok' THEN 1 ELSE 0 END) AS ok,
    SUM(CASE WHEN x.outcome = 'empty' THEN 1 ELSE 0 END) AS empty,
    SUM(CASE WHEN x.outcome = 'blocked' THEN 1 ELSE 0 END) AS blocked,
    SUM(CASE WHEN x.outcome = 'throttled' THEN 1 ELSE 0 END) AS throttled,
    SUM(CASE WHEN x.outcome IN ('ok', 'empty', 'blocked', 'throttled') THEN 0 ELSE 1 END)
        AS other_outcomes,
    SUM(x.took) AS seconds,
    SUM(COALESCE(b.size, 0)) AS bytes,
    MIN(x.asked_at) AS first_asked_at,
    MAX(x.asked_at) AS last_asked_at
FROM exchanges x
JOIN runs r ON r.id = x.run_id
JOIN engines e ON e.id = x.engine_id
LEFT JOIN bodies b ON b.id = x.body_id
WHERE e.surface <> 'donated'
GROUP BY r.id, r.kind, r.job, r.due_at, e.name, e.surface, x.purpose
