-- The books with all words of a text, the best first. The found words stand between [ and ].
-- name: search
-- row: SearchHit
-- title: String!
-- blurb: String!
SELECT books.id, highlight(bookWords, 0, '[', ']') AS title, snippet(bookWords, 1, '[', ']', '…', 8) AS blurb
FROM bookWords JOIN books ON books.id = bookWords.rowid
WHERE bookWords MATCH :words ORDER BY rank LIMIT :limit;
