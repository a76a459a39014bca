-- audits: how often our reading of gender is right, by what people read of texts drawn at random.
-- Grain: one row per audit, target language, cue, system and called class. system is empty where all
-- systems were drawn from together. An item is right where all who read it say what was called; of
-- each person the newest label counts. Shares of right calls over all classes need the weights
-- n_answers, because as many were drawn of rare classes as of common ones.
-- Columns: audit_id, run_id, job, due_at, drawn_at, target, cue, system, called, n_answers, n_drawn,
-- n_read, n_right, n_disputed.
SELECT
    au.id AS audit_id,
    au.run_id AS run_id,
    au.job AS job,
    r.due_at AS due_at,
    au.drawn_at AS drawn_at,
    gr.target AS target,
    gr.cue AS cue,
    gr.system AS system,
    st.class AS called,
    st.frame AS n_answers,
    st.drawn AS n_drawn,
    COUNT(se.item_id) AS n_read,
    COALESCE(SUM(CASE WHEN se.n_said = 1 AND se.said = st.class THEN 1 ELSE 0 END), 0) AS n_right,
    COALESCE(SUM(CASE WHEN se.n_said > 1 THEN 1 ELSE 0 END), 0) AS n_disputed
FROM instrument_audits au
JOIN runs r ON r.id = au.run_id
JOIN instrument_audit_groups gr ON gr.audit_id = au.id
JOIN instrument_audit_strata st ON st.group_id = gr.id
LEFT JOIN (
    SELECT
        it.stratum_id AS stratum_id,
        it.id AS item_id,
        MIN(la.class) AS said,
        COUNT(DISTINCT la.class) AS n_said
    FROM instrument_audit_items it
    JOIN instrument_audit_labels la ON la.item_id = it.id
    WHERE la.id = (
        SELECT MAX(l2.id) FROM instrument_audit_labels l2
        WHERE l2.item_id = la.item_id AND l2.rater = la.rater
    )
    GROUP BY it.stratum_id, it.id
) se ON se.stratum_id = st.id
GROUP BY au.id, au.run_id, au.job, r.due_at, au.drawn_at, gr.target, gr.cue, gr.system, st.class,
    st.frame, st.drawn
