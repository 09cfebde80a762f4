-- name: filedCar :optional
SELECT id, name, price FROM cars WHERE id = :id;

-- name: filedMixed
SELECT id, name, note, city, price, data FROM mixed;
