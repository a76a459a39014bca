-- queries_current: what a point over queries is made of: one quantity of one query.
-- Grain: one row per current point over queries and query.
-- value is NULL unless state is 'measured'; bound_low and bound_high are the lowest and highest value
-- whatever the missing and empty documents hold, NULL where nothing bounds it. x is the
-- genderedness of the query (GSR), influence how far the point moves with this query. documents are
-- those within the cut-off, of which used count, missing could not be read and empty hold nothing.
-- Columns: run_id, job, due_at, list, engine, source_lang, target, measure, quantity, key, state,
-- reason, value, bound_low, bound_high, x, influence, documents, used, missing, empty, point_id.
SELECT
    pc.run_id AS run_id,
    pc.job AS job,
    pc.due_at AS due_at,
    pc.list AS list,
    pc.engine AS engine,
    pc.source_lang AS source_lang,
    pc.target AS target,
    pc.measure AS measure,
    pc.quantity AS quantity,
    q.key AS key,
    q.state AS state,
    q.reason AS reason,
    q.value AS value,
    q.bound_low AS bound_low,
    q.bound_high AS bound_high,
    q.x AS x,
    q.influence AS influence,
    q.documents AS documents,
    q.used AS used,
    q.missing AS missing,
    q.empty AS empty,
    pc.point_id AS point_id
FROM query_values q
JOIN points_current pc ON pc.point_id = q.point_id
