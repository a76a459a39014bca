-- ledger: the false-discovery ledger: how often a job has looked, and at what level.
-- Grain: one row per job and tick. number counts the ticks that could be tested, from 1; 0 is a tick
-- where nothing could be. p is Simes over the families of the tick, alpha its level under rule;
-- selected families had p at most alpha, and only inside them single series are tested.
-- Columns: job, due_at, number, families, hypotheses, p, alpha, selected, rule, computed_at.
SELECT
    l.job AS job,
    l.due_at AS due_at,
    l.number AS number,
    l.families AS families,
    l.hypotheses AS hypotheses,
    l.p AS p,
    l.alpha AS alpha,
    l.selected AS selected,
    l.rule AS rule,
    l.computed_at AS computed_at
FROM looks l
