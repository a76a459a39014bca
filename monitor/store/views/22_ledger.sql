-- ledger: the ticks of each job that were decided, under which rule.
-- Grain: one row per job and tick. number counts the ticks that could be tested, from 1; 0 is a tick
-- where nothing could be. p is the smallest adjusted p of the signals that stood at the tick (1: none
-- did), to be compared with alpha; selected families had a change decided at the tick.
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
