-- instruments: what values were computed with: every signature and its parts.
-- Grain: one row per signature. parts is a JSON object: measure, its version and parameters, parser,
-- language, lexicon, list, reference.
-- Columns: signature, parts.
SELECT
    sg.hash AS signature,
    sg.parts AS parts
FROM signatures sg
