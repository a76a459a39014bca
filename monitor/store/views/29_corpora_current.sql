-- corpora_current: what runs that ask nothing have read: the texts that other jobs collected in a period.
-- Grain: one row per run, engine, source language, target and text.
-- text: 'snippet' (title and snippet of a result) or 'landing' (the page that it leads to). Each text
-- counts once for each question: documents counts texts, repeats those that stood there before.
-- missing are results without a text: erased, or pages that nobody could read. ends_at is not in the
-- period any more. reason says why nothing can be made of it; empty where something can.
-- Columns: corpus_id, run_id, job, due_at, engine, source_lang, target, text, begins_at, ends_at,
-- answers, documents, repeats, missing, reason, n_runs.
SELECT
    c.id AS corpus_id,
    c.run_id AS run_id,
    r.job AS job,
    r.due_at AS due_at,
    e.name AS engine,
    c.source_lang AS source_lang,
    c.region AS target,
    c.text AS text,
    c.begins_at AS begins_at,
    c.ends_at AS ends_at,
    c.answers AS answers,
    c.documents AS documents,
    c.repeats AS repeats,
    c.missing AS missing,
    c.reason AS reason,
    (SELECT COUNT(*) FROM corpus_runs o WHERE o.corpus_id = c.id) AS n_runs
FROM corpora c
JOIN runs r ON r.id = c.run_id
JOIN engines e ON e.id = c.engine_id
WHERE c.is_current = TRUE
