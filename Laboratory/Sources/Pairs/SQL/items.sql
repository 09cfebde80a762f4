-- The rows of a part whose price is known, in the order of their stars.
-- name: pricedItems
-- part: Int64
SELECT name, note, price, stars FROM items WHERE part = :part AND price IS NOT NULL ORDER BY stars, name, note;

-- The rows with one of some codes.
-- name: countOfCodes :one
SELECT count(*) FROM items WHERE code IN (:codes...);

-- Gives the rows of a part a note, and takes the price of those with many stars, in one transaction.
-- name: noteItems
-- note: String?
-- part: Int64
UPDATE items SET note = :note WHERE part = :part;
UPDATE items SET price = NULL WHERE part = :part AND stars > :stars;
