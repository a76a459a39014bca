-- series_switches: when a series went over to another signature; its chart has a mark there.
-- Grain: one row per series and switch. from_signature is NULL where there was none before.
-- Columns: series_id, list, engine, surface, source_lang, target, measure, quantity, reference, scope,
-- from_signature, to_signature, switched_at.
SELECT
    s.id AS series_id,
    {series_columns}
    old.hash AS from_signature,
    new_one.hash AS to_signature,
    w.switched_at AS switched_at
FROM switches w
JOIN series_keys s ON s.id = w.series_id
JOIN engines e ON e.id = s.engine_id
JOIN signatures new_one ON new_one.id = w.to_id
LEFT JOIN signatures old ON old.id = w.from_id
