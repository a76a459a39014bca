-- reports_due: every report that was due by a schedule, and what became of it.
-- Grain: one row per job, kind and due time. digest is the SHA-256 of the report's JSON, empty unless
-- state is 'made'.
-- Columns: job, kind, due_at, state, reason, digest, made_at.
SELECT
    rp.job AS job,
    rp.kind AS kind,
    rp.due_at AS due_at,
    rp.state AS state,
    rp.reason AS reason,
    rp.digest AS digest,
    rp.made_at AS made_at
FROM reports rp
