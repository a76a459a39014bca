-- answers: what was asked, what came back, and what was found in it.
-- Grain: one row per attempt and per item of its newest reading (an attempt without a reading has
-- one row). target is a language, of search engines a region. text is the answer as read (of a
-- search result its snippet), item_rank its place among the variants that the engine offers, or
-- within its block of the page. class and witnesses come from the newest language version, read by
-- the cue of the list item. rule is the pronoun where the cue is 'pronoun'. log_ratio is of
-- language models: natural logarithm of P(masculine word) / P(feminine word) in a template. Pages
-- that donors gave are left out: each row would be of one donor.
-- Columns: run_id, job, due_at, list, item_key, tags, cue, probe_id, probe_key, probe,
-- source_lang, target, engine, surface, repeat, n, final, asked_at, outcome, reason, item_rank,
-- text, block, title, url, class, masculine, feminine, rule, witnesses, template, log_ratio,
-- attempt_id, exchange_id, item_id, body_sha256.
SELECT
    r.id AS run_id,
    r.job AS job,
    r.due_at AS due_at,
    l.name || '@' || l.version AS list,
    li.key AS item_key,
    li.tags AS tags,
    li.cue AS cue,
    p.id AS probe_id,
    p.key AS probe_key,
    p.text AS probe,
    p.source_lang AS source_lang,
    CASE WHEN p.region <> '' THEN p.region ELSE p.target_lang END AS target,
    e.name AS engine,
    e.surface AS surface,
    a.repeat AS repeat,
    a.n AS n,
    a.final AS final,
    x.asked_at AS asked_at,
    COALESCE(rd.outcome, x.outcome, 'not asked') AS outcome,
    COALESCE(rd.reason, x.reason, '') AS reason,
    i.rank AS item_rank,
    i.text AS text,
    i.block AS block,
    i.title AS title,
    i.url AS url,
    g.class AS class,
    g.masculine AS masculine,
    g.feminine AS feminine,
    g.rule AS rule,
    g.witnesses AS witnesses,
    s.template AS template,
    s.log_ratio AS log_ratio,
    a.id AS attempt_id,
    x.id AS exchange_id,
    i.id AS item_id,
    b.sha256 AS body_sha256
FROM attempts a
JOIN runs r ON r.id = a.run_id
JOIN engines e ON e.id = a.engine_id
JOIN probes p ON p.id = a.probe_id
JOIN list_probes lp ON lp.probe_id = p.id
JOIN list_items li ON li.id = lp.list_item_id
JOIN run_lists rl ON rl.run_id = r.id AND rl.list_id = li.list_id
JOIN lists l ON l.id = li.list_id
LEFT JOIN exchanges x ON x.id = a.exchange_id
LEFT JOIN bodies b ON b.id = x.body_id
LEFT JOIN readings rd
    ON rd.attempt_id = a.id
    AND rd.parser_id = (SELECT MAX(r2.parser_id) FROM readings r2 WHERE r2.attempt_id = a.id)
LEFT JOIN items i ON i.reading_id = rd.id
LEFT JOIN agreements g
    ON g.item_id = i.id
    AND g.cue = li.cue
    AND g.language_id = (
        SELECT MAX(g2.language_id) FROM agreements g2
        WHERE g2.item_id = i.id AND g2.cue = li.cue
    )
LEFT JOIN lm_scores s ON s.item_id = i.id
WHERE e.surface <> 'donated'
