-- shown: whom search engines showed, with the group that is recorded of them.
-- Grain: one row per attempt and item that names an entity, of its newest reading. grouping is empty
-- unless state is 'labelled': unresolved people have no recorded gender here, and none is guessed.
-- source and as_of say by whom and when it was recorded; a label may be newer than the page.
-- Columns: run_id, job, due_at, list, item_key, probe, engine, region, repeat, block, item_rank,
-- title, entity, state, grouping, source, reason, as_of, attempt_id, item_id.
SELECT
    v.run_id AS run_id,
    v.job AS job,
    v.due_at AS due_at,
    v.list AS list,
    v.item_key AS item_key,
    v.probe AS probe,
    v.engine AS engine,
    v.target AS region,
    v.repeat AS repeat,
    v.block AS block,
    v.item_rank AS item_rank,
    v.title AS title,
    ie.entity AS entity,
    COALESCE(b.state, 'unresolved') AS state,
    COALESCE(b.grouping, '') AS grouping,
    COALESCE(b.source, '') AS source,
    COALESCE(b.reason, '') AS reason,
    b.as_of AS as_of,
    v.attempt_id AS attempt_id,
    v.item_id AS item_id
FROM answers v
JOIN item_entities ie ON ie.item_id = v.item_id
LEFT JOIN labels b ON b.entity = ie.entity AND b.is_current = TRUE
WHERE v.final
