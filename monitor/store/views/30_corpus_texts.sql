-- corpus_texts: where each text of a corpus stood first; its words are in `answers`, and nowhere twice.
-- Grain: one row per corpus and text.
-- Of search engines `answers` has the result: the row of attempt_id with item_rank = rank and the
-- block 'organic'. Whatever was erased there is erased here.
-- Columns: corpus_id, run_id, position, attempt_id, rank, repeats, read_run_id.
SELECT
    c.id AS corpus_id,
    c.run_id AS run_id,
    d.position AS position,
    d.attempt_id AS attempt_id,
    d.rank AS rank,
    d.repeats AS repeats,
    a.run_id AS read_run_id
FROM corpora c
JOIN corpus_documents d ON d.corpus_id = c.id
JOIN attempts a ON a.id = d.attempt_id
WHERE c.is_current = TRUE
