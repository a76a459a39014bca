-- series_points: every series on the dense grid of due ticks, gaps included, one signature each.
-- Grain: one row per series and due tick, from the first tick with a point on.
-- state: 'measured'; 'insufficient' (asked, but no value: reason says why); 'missed' (no run at this
-- tick, or a run without any final answer of this engine; a run that reads what others collected is
-- not missed). All but 'measured' have no value, and
-- NULL is never 0. Runs whose job did not ask for the series give no row. Values are those of the
-- signature of the series: a tick that is computed with another one only is insufficient. Where that
-- asked another version of the list, or held against another file of shares, nothing will change it.
-- low and high are the interval at 95 per cent, bound_low and bound_high the lowest and highest value
-- possible whatever is missing. Counts are NULL where nothing was computed.
-- Columns: series_id, job, due_at, tick_state, run_id, point_id, list, engine, surface, source_lang,
-- target, measure, quantity, reference, scope, scope_title, state, reason, value, low, high,
-- bound_low, bound_high, flags, planned, answered, used, unidentified, signature, computed_at.
SELECT
    g.series_id AS series_id,
    g.job AS job,
    g.due_at AS due_at,
    g.tick_state AS tick_state,
    g.run_id AS run_id,
    CASE WHEN g.is_own THEN g.point_id END AS point_id,
    g.list AS list,
    g.engine AS engine,
    g.surface AS surface,
    g.source_lang AS source_lang,
    g.target AS target,
    g.measure AS measure,
    g.quantity AS quantity,
    g.reference AS reference,
    g.scope AS scope,
    g.scope_title AS scope_title,
    g.state AS state,
    CASE
        WHEN g.run_id IS NULL THEN 'no run at this tick (' || g.tick_state || ')'
            || CASE WHEN g.tick_reason = '' THEN '' ELSE ': ' || g.tick_reason END
        WHEN g.state = 'missed' THEN 'run ' || g.run_id || ' has no final answer of this engine'
            || CASE WHEN g.tick_reason = '' THEN '' ELSE ': ' || g.tick_reason END
        WHEN NOT g.is_derived THEN 'run ' || g.run_id || ' was not finished'
            || CASE WHEN g.tick_reason = '' THEN '' ELSE ': ' || g.tick_reason END
            || '; go on with it: monitor run JOB --resume'
        WHEN NOT g.is_own THEN (
            SELECT CASE
                WHEN o.parts ->> 'list' <> n.parts ->> 'list' THEN 'asked with another list ('
                    || (o.parts ->> 'list') || '); monitor series show ' || g.series_id
                    || ' --signature ' || SUBSTR(o.hash, 1, 12) || ' shows it'
                -- a name with a colon is that of a file of the job, which older runs had as it was
                WHEN o.parts ->> 'reference' <> n.parts ->> 'reference'
                    AND REPLACE(g.reference, ':', '') <> g.reference
                    THEN 'held against another target (' || (o.parts ->> 'reference') || '); monitor series show ' || g.series_id
                    || ' --signature ' || SUBSTR(o.hash, 1, 12) || ' shows it'
                ELSE 'computed with signature ' || SUBSTR(o.hash, 1, 12)
                    || ' only; what lacks is computed by: monitor redo --job ' || g.job
            END
            FROM signatures o
            LEFT JOIN signatures n ON n.id = g.shown_id
            WHERE o.id = g.signature_id
        )
        ELSE g.own_reason
    END AS reason,
    CASE WHEN g.is_own THEN g.value END AS value,
    CASE WHEN g.is_own THEN g.low END AS low,
    CASE WHEN g.is_own THEN g.high END AS high,
    CASE WHEN g.is_own THEN g.bound_low END AS bound_low,
    CASE WHEN g.is_own THEN g.bound_high END AS bound_high,
    CASE WHEN g.is_own THEN g.flags END AS flags,
    CASE WHEN g.is_own THEN g.planned END AS planned,
    CASE WHEN g.is_own THEN g.answered END AS answered,
    CASE WHEN g.is_own THEN g.used END AS used,
    CASE WHEN g.is_own THEN g.unidentified END AS unidentified,
    g.signature AS signature,
    CASE WHEN g.is_own THEN g.computed_at END AS computed_at
FROM (
    SELECT
        p.series_id AS series_id,
        d.job AS job,
        d.due_at AS due_at,
        d.state AS tick_state,
        d.reason AS tick_reason,
        d.run_id AS run_id,
        d.is_derived AS is_derived,
        {series_columns}
        sc.title AS scope_title,
        sg.hash AS signature,
        s.signature_id AS shown_id,
        p.id AS point_id,
        p.reason AS own_reason,
        p.signature_id AS signature_id,
        (d.is_derived AND p.signature_id = COALESCE(s.signature_id, 0)) AS is_own,
        CASE
            WHEN d.run_id IS NULL THEN 'missed'
            WHEN d.is_derived AND p.state = 'measured' AND p.signature_id = s.signature_id
                THEN 'measured'
            WHEN d.is_derived AND p.answered > 0 THEN 'insufficient'
            -- a scalar, because PostgreSQL may look through all attempts for an EXISTS
            WHEN (
                SELECT a.id FROM attempts a
                WHERE a.run_id = d.run_id AND a.engine_id = s.engine_id AND a.final = TRUE
                LIMIT 1
            ) IS NOT NULL THEN 'insufficient'
            -- it asks nothing, and has read what others collected
            WHEN (
                SELECT c.id FROM corpora c
                WHERE c.run_id = d.run_id AND c.engine_id = s.engine_id AND c.is_current = TRUE
                LIMIT 1
            ) IS NOT NULL THEN 'insufficient'
            ELSE 'missed'
        END AS state,
        p.value AS value,
        p.low AS low,
        p.high AS high,
        p.bound_low AS bound_low,
        p.bound_high AS bound_high,
        p.flags AS flags,
        p.planned AS planned,
        p.answered AS answered,
        p.used AS used,
        p.unidentified AS unidentified,
        p.computed_at AS computed_at
    FROM series_keys s
    JOIN engines e ON e.id = s.engine_id
    LEFT JOIN scopes sc ON sc.scope = s.scope
    LEFT JOIN signatures sg ON sg.id = s.signature_id
    JOIN points p ON p.series_id = s.id AND p.is_current = TRUE
    JOIN due_ticks d ON d.basis_run_id = p.run_id
    WHERE d.is_derived = TRUE OR d.run_id IS NULL OR (
        SELECT a.id FROM attempts a
        JOIN probes pb ON pb.id = a.probe_id
        JOIN run_lists rl ON rl.run_id = a.run_id
        JOIN lists l ON l.id = rl.list_id
        WHERE a.run_id = d.run_id AND a.engine_id = s.engine_id
            AND l.name = s.list AND pb.source_lang = s.source_lang
            AND CASE WHEN pb.region <> '' THEN pb.region ELSE pb.target_lang END = s.target
        LIMIT 1
    ) IS NOT NULL
) g
