-- due_ticks: the dense grid: every due tick of every job that has ended, also those without a run.
-- Grain: one row per job and due tick. Noted ticks (done, partial, missed, overlapped, failed) and
-- scheduled runs that nobody noted a tick for. What is still running is not here; of what nobody
-- noted that holds until it ends, or until a later tick of the job has been run.
-- state and reason are what became of the tick ('unnoted' where only its run is known).
-- is_derived: values were computed of what its run asked. basis_run_id is that run, or else the
-- newest derived run of the job before it: what it asked is what was owed at this tick.
-- Columns: job, due_at, state, reason, run_id, run_state, is_derived, basis_run_id.
SELECT
    r.job AS job,
    r.due_at AS due_at,
    COALESCE(t.state, 'unnoted') AS state,
    COALESCE(t.reason, '') AS reason,
    r.id AS run_id,
    r.state AS run_state,
    TRUE AS is_derived,
    r.id AS basis_run_id
FROM runs r
LEFT JOIN ticks t ON t.job = r.job AND t.due_at = r.due_at
WHERE r.kind = 'scheduled'
    AND (r.state IN ('done', 'partial') OR r.finished_at IS NOT NULL)
    AND COALESCE(t.state, '') NOT IN ('due', 'running')
UNION ALL
SELECT
    u.job AS job,
    u.due_at AS due_at,
    u.state AS state,
    u.reason AS reason,
    u.run_id AS run_id,
    u.run_state AS run_state,
    FALSE AS is_derived,
    (
        SELECT b.id FROM runs b
        WHERE b.job = u.job AND b.kind = 'scheduled' AND b.due_at < u.due_at
            AND (b.state IN ('done', 'partial') OR b.finished_at IS NOT NULL)
        ORDER BY b.due_at DESC
        LIMIT 1
    ) AS basis_run_id
FROM (
    SELECT
        t.job AS job,
        t.due_at AS due_at,
        t.state AS state,
        t.reason AS reason,
        r.id AS run_id,
        r.state AS run_state
    FROM ticks t
    LEFT JOIN runs r ON r.job = t.job AND r.due_at = t.due_at AND r.kind = 'scheduled'
    WHERE t.state NOT IN ('due', 'running')
        AND (r.id IS NULL OR (r.state NOT IN ('done', 'partial') AND r.finished_at IS NULL))
    UNION ALL
    SELECT r.job, r.due_at, 'unnoted', '', r.id, r.state
    FROM runs r
    WHERE r.kind = 'scheduled' AND r.state NOT IN ('done', 'partial') AND r.finished_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM ticks t WHERE t.job = r.job AND t.due_at = r.due_at)
        AND (
            r.state = 'interrupted'
            OR EXISTS (
                SELECT 1 FROM runs later
                WHERE later.job = r.job AND later.kind = 'scheduled' AND later.due_at > r.due_at
                    AND (later.state IN ('done', 'partial') OR later.finished_at IS NOT NULL)
            )
        )
) u
