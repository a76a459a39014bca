-- topics_current: model share of women against the reference share, occupation by occupation.
-- Grain: one row per run, list, engine, source language, target, measure, reference and topic.
-- bias = model - target, in [-1, 1], positive towards women; NULL unless state is 'measured'.
-- model_low and model_high are a Wilson interval that describes templates of this kind: templates
-- are not independent draws.
-- Of search engines: shown and labelled count items within the cut-off, p is exact for this topic
-- alone, q controls the share of false discoveries among the topics of the point.
-- Columns: run_id, job, due_at, list, engine, source_lang, target_lang, measure, reference, topic,
-- state, reason, women, men, model, model_low, model_high, target, bias, bound_low, bound_high, planned,
-- answered, used, unidentified, shown, labelled, p, q, source, country, as_of, point_id.
SELECT
    pc.run_id AS run_id,
    pc.job AS job,
    pc.due_at AS due_at,
    pc.list AS list,
    pc.engine AS engine,
    pc.source_lang AS source_lang,
    pc.target AS target_lang,
    pc.measure AS measure,
    pc.reference AS reference,
    t.topic AS topic,
    t.state AS state,
    t.reason AS reason,
    t.women AS women,
    t.men AS men,
    t.model AS model,
    t.model_low AS model_low,
    t.model_high AS model_high,
    t.target AS target,
    t.bias AS bias,
    t.bound_low AS bound_low,
    t.bound_high AS bound_high,
    t.planned AS planned,
    t.answered AS answered,
    t.used AS used,
    t.unidentified AS unidentified,
    t.shown AS shown,
    t.labelled AS labelled,
    t.p AS p,
    t.q AS q,
    t.source AS source,
    t.country AS country,
    t.as_of AS as_of,
    pc.point_id AS point_id
FROM topic_values t
JOIN points_current pc ON pc.point_id = t.point_id
