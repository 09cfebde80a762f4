-- name: addAuthor :one
INSERT INTO authors(name) VALUES(:name) RETURNING id;

-- name: addGenre :one
INSERT INTO genres(name, parentID) VALUES(:name, :parentID) RETURNING id;

-- Adds a book. Copies of a known ISBN are added to the stock, and the new price is taken.
-- name: receiveBook :one
INSERT INTO books(isbn, title, authorID, genreID, price, stock, tags, isSigned, blurb)
VALUES(:isbn, :title, :authorID, :genreID, :price, :copies, :tags, :isSigned, :blurb)
ON CONFLICT(isbn) DO UPDATE SET price = excluded.price, stock = stock + excluded.stock
RETURNING id;

-- name: book :optional
-- row: Book
-- plan: no scan
SELECT id, isbn, title, price, stock, tags, isSigned FROM books WHERE isbn = :isbn;

-- name: books
-- row: Book
-- plan: no scan
SELECT id, isbn, title, price, stock, tags, isSigned FROM books WHERE id IN (:ids...) ORDER BY title;

-- name: booksTagged
-- row: Book
-- tag: String
SELECT id, isbn, title, price, stock, tags, isSigned FROM books
WHERE EXISTS (SELECT 1 FROM json_each(books.tags) WHERE value = :tag)
ORDER BY title;

-- All books with their authors, by title. An anonymous book has no author.
-- name: catalogue
-- row: CatalogueEntry
SELECT b.title, b.price, a.id AS "author.id", a.name AS "author.name", g.id AS "genre.id", g.name AS "genre.name"
FROM books AS b
LEFT JOIN authors AS a ON a.id = b.authorID
JOIN genres AS g ON g.id = b.genreID
ORDER BY b.title;

-- A genre and all genres below it, each with the number of its books.
-- name: genresBelow
-- row: Genre
WITH RECURSIVE tree(id, name, depth) AS (
    SELECT id, name, 0 FROM genres WHERE name = :name
    UNION ALL
    SELECT genres.id, genres.name, tree.depth + 1 FROM genres JOIN tree ON genres.parentID = tree.id
    ORDER BY 3 DESC, 2    -- depth first
)
SELECT name, depth, (SELECT count(*) FROM books WHERE genreID = tree.id) AS books FROM tree;

-- The titles of books whose ISBN has a wrong check digit.
-- name: titlesWithWrongISBN
-- function: isISBN(String) -> Bool
SELECT title FROM books WHERE NOT isISBN(isbn) ORDER BY title;
