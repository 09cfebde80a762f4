-- Cars below a price, the cheapest first.
-- name: cheapCars
-- limit: Int
SELECT id, name, price FROM cars WHERE price < :limit ORDER BY price;

-- name: carNames
SELECT name FROM cars ORDER BY name;

-- name: carCount :one
SELECT count(*) FROM cars;

-- name: car :optional
-- row: ListedCar
SELECT id, name, price, tags FROM cars WHERE id = :id;

-- name: carsNamed
-- row: ListedCar
SELECT id, name, price, tags FROM cars WHERE name IN (:names...);

-- name: carsWithOwners
SELECT c.name, o.id AS "owner.id", o.name AS "owner.name"
FROM cars c LEFT JOIN owners o ON o.id = c.owner
ORDER BY c.name;

-- name: addCar :one
INSERT INTO cars(name, price) VALUES(:name, :price) RETURNING id;

-- name: discount
UPDATE cars SET price = price * (100 - :percent) / 100 WHERE NOT isSold;

-- name: sell
INSERT INTO owners(id, name) VALUES(:owner, :name)
    ON CONFLICT(id) DO UPDATE SET name = excluded.name;
UPDATE cars SET owner = :owner, isSold = TRUE WHERE id = :car;

-- name: averagePrices
-- mean: Double!
SELECT isSold, avg(price) AS mean FROM cars WHERE price > 0 GROUP BY isSold;

-- name: carsUpTo
-- plan: no scan
SELECT name FROM cars WHERE price <= :limit;
