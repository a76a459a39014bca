-- overviews: texts that a model wrote for a query, and those that were announced and did not come.
-- Grain: one row per attempt and overview of its newest reading; an answer without an overview has
-- no row. state is shown, declined, unavailable or loading; text is empty unless it is shown.
-- sources are the cited pages in their order, a JSON list of [title, address, domain].
-- Columns: run_id, job, due_at, list, item_key, probe, engine, target, repeat, state, text, sources,
-- attempt_id, item_id.
SELECT
    v.run_id AS run_id,
    v.job AS job,
    v.due_at AS due_at,
    v.list AS list,
    v.item_key AS item_key,
    v.probe AS probe,
    v.engine AS engine,
    v.target AS target,
    v.repeat AS repeat,
    COALESCE(o.state, 'shown') AS state,
    v.text AS text,
    o.sources AS sources,
    v.attempt_id AS attempt_id,
    v.item_id AS item_id
FROM answers v
LEFT JOIN item_overviews o ON o.item_id = v.item_id
WHERE v.final AND v.block = 'ai_overview'
