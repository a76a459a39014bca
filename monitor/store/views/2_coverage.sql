-- coverage: how many questions were planned, answered and usable, and what became of the rest.
-- Grain: one row per run, list, engine, source language and target. Counts are list items (and
-- their repeats), at their last attempt (final, or not asked yet); used = masculine + feminine. An
-- answer that offers a masculine and a feminine variant is counted under both_forms. scored counts
-- answers of language models.
-- Columns: run_id, job, due_at, list, engine, source_lang, target, planned, answered, used,
-- masculine, feminine, both_forms, inclusive, mixed, unmarked, unidentified, scored, empty,
-- unreadable, blocked, unanswered.
SELECT DISTINCT
    run_id,
    job,
    due_at,
    list,
    engine,
    source_lang,
    target,
    COUNT(*) OVER w AS planned,
    SUM(CASE WHEN outcome = 'ok' THEN 1 ELSE 0 END) OVER w AS answered,
    SUM(CASE WHEN kinds = 1 AND masculine + feminine = 1 THEN 1 ELSE 0 END) OVER w AS used,
    SUM(CASE WHEN kinds = 1 THEN masculine ELSE 0 END) OVER w AS masculine,
    SUM(CASE WHEN kinds = 1 THEN feminine ELSE 0 END) OVER w AS feminine,
    SUM(CASE WHEN kinds = 1 AND both_forms = 1 THEN 1
             WHEN kinds > 1 AND inclusive + mixed = 0 THEN 1 ELSE 0 END) OVER w AS both_forms,
    SUM(CASE WHEN kinds = 1 THEN inclusive ELSE 0 END) OVER w AS inclusive,
    SUM(CASE WHEN kinds = 1 AND mixed = 1 THEN 1
             WHEN kinds > 1 AND inclusive + mixed > 0 THEN 1 ELSE 0 END) OVER w AS mixed,
    SUM(CASE WHEN kinds = 0 AND first_class = 'none' THEN 1 ELSE 0 END) OVER w AS unmarked,
    SUM(CASE WHEN kinds = 0 AND first_class = 'unidentified' THEN 1 ELSE 0 END) OVER w AS unidentified,
    SUM(scored) OVER w AS scored,
    SUM(CASE WHEN outcome = 'empty' THEN 1 ELSE 0 END) OVER w AS empty,
    SUM(CASE WHEN outcome = 'unreadable' THEN 1 ELSE 0 END) OVER w AS unreadable,
    SUM(CASE WHEN outcome = 'blocked' THEN 1 ELSE 0 END) OVER w AS blocked,
    SUM(CASE WHEN outcome IN ('throttled', 'timeout', 'failed', 'not asked') THEN 1 ELSE 0 END)
        OVER w AS unanswered
FROM (
    -- windows over this, and not a second GROUP BY: through two of them SQLite does not take the
    -- number of a run down to the answers, and would read those of every run
    SELECT
        one.*,
        masculine + feminine + both_forms + inclusive + mixed AS kinds
    FROM (
        SELECT
            run_id,
            job,
            due_at,
            list,
            engine,
            source_lang,
            target,
            item_key,
            attempt_id,
            MIN(outcome) AS outcome,
            MAX(CASE WHEN class = 'masculine' THEN 1 ELSE 0 END) AS masculine,
            MAX(CASE WHEN class = 'feminine' THEN 1 ELSE 0 END) AS feminine,
            MAX(CASE WHEN class = 'both' THEN 1 ELSE 0 END) AS both_forms,
            MAX(CASE WHEN class = 'inclusive' THEN 1 ELSE 0 END) AS inclusive,
            MAX(CASE WHEN class = 'mixed' THEN 1 ELSE 0 END) AS mixed,
            MIN(CASE WHEN item_rank = 1 THEN class END) AS first_class,
            MAX(CASE WHEN log_ratio IS NOT NULL THEN 1 ELSE 0 END) AS scored
        FROM answers v
        WHERE v.final OR v.exchange_id IS NULL
        GROUP BY
            run_id, job, due_at, list, engine, source_lang, target, item_key, attempt_id
    ) one
) each_one
WINDOW w AS (PARTITION BY run_id, job, due_at, list, engine, source_lang, target)
