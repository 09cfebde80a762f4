-- name: addCustomer :one
INSERT INTO customers(email, name, address) VALUES(:email, :name, :address) RETURNING id;

-- name: customer :optional
-- row: Customer
-- plan: no scan
SELECT id, email, name, address FROM customers WHERE email = :email;

-- Writes an order with its lines, and takes the books from the stock. Nothing is written if a copy is missing.
-- name: placeOrder :one
-- basket: [BasketItem] as json
INSERT INTO orders(customerID, placed, status) VALUES(:customerID, :placed, 'open');

UPDATE books SET stock = stock - (item.value ->> 'quantity')
FROM json_each(:basket) AS item WHERE books.id = item.value ->> 'bookID';

-- A book that does not exist has no price, which NOT NULL refuses.
INSERT INTO orderLines(orderID, bookID, quantity, price)
SELECT last_insert_rowid(), item.value ->> 'bookID', item.value ->> 'quantity', books.price
FROM json_each(:basket) AS item LEFT JOIN books ON books.id = item.value ->> 'bookID'
RETURNING orderID;

-- name: order :optional
-- row: Order
-- plan: no scan
SELECT o.id, o.placed, o.status, c.name AS "customer.name", c.address AS "customer.address",
    (SELECT coalesce(sum(quantity * price), 0) FROM orderLines WHERE orderID = o.id) AS total
FROM orders AS o JOIN customers AS c ON c.id = o.customerID
WHERE o.id = :id;

-- name: orderLines
-- row: OrderLine
-- plan: no scan
SELECT b.title, l.quantity, l.price
FROM orderLines AS l JOIN books AS b ON b.id = l.bookID
WHERE l.orderID = :orderID ORDER BY b.title;

-- The orders of a status that were placed in a time, the oldest first.
-- name: orderIDs
-- plan: no scan
SELECT id FROM orders WHERE status = :status AND placed >= :since AND placed < :until ORDER BY placed;

-- name: ship
UPDATE orders SET status = 'shipped' WHERE id = :id AND status = 'open';
