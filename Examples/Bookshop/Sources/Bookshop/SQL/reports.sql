-- The value of all books in stock, in cents.
-- name: stockValue :one
SELECT coalesce(sum(price * stock), 0) FROM books;

-- The revenue of each month, and the total of all months up to it.
-- name: revenue
-- row: MonthlyRevenue
-- month: String!
SELECT strftime('%Y-%m', o.placed / 1000, 'unixepoch') AS month, sum(l.quantity * l.price) AS revenue,
    sum(sum(l.quantity * l.price)) OVER (ORDER BY strftime('%Y-%m', o.placed / 1000, 'unixepoch')) AS total
FROM orders AS o JOIN orderLines AS l ON l.orderID = o.id
GROUP BY month ORDER BY month;

-- The best sold books of each genre.
-- name: bestsellers
-- row: Bestseller
SELECT genre, place, title, sold FROM (
    SELECT g.name AS genre, b.title, sum(l.quantity) AS sold,
        rank() OVER (PARTITION BY g.id ORDER BY sum(l.quantity) DESC) AS place
    FROM books AS b JOIN genres AS g ON g.id = b.genreID JOIN orderLines AS l ON l.bookID = b.id
    GROUP BY b.id
)
WHERE place <= :places ORDER BY genre, place, title;
