-- pronouns: which English pronoun each occupation was given, where the source has only one.
-- Grain: one row per run, list, engine, source language, target, occupation and pronoun. pronoun is
-- he, she, they, ze, xe, it, he_or_she, mixed or avoided; answers counts list items and their
-- repeats at their last attempt, first variants only, and of those what could be read.
-- Columns: run_id, job, due_at, list, engine, source_lang, target, occupation, pronoun, answers.
SELECT
    v.run_id AS run_id,
    v.job AS job,
    v.due_at AS due_at,
    v.list AS list,
    v.engine AS engine,
    v.source_lang AS source_lang,
    v.target AS target,
    v.tags ->> 'occupation' AS occupation,
    v.rule AS pronoun,
    COUNT(*) AS answers
FROM answers v
WHERE v.cue = 'pronoun' AND v.class <> 'unidentified' AND v.item_rank = 1 AND v.final
GROUP BY v.run_id, v.job, v.due_at, v.list, v.engine, v.source_lang, v.target, v.tags ->> 'occupation',
    v.rule
