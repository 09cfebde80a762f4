CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL);
CREATE TABLE mixed(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, city TEXT NOT NULL, price REAL NOT NULL, data BLOB NOT NULL
);
-- cars.id: Int
-- mixed.id: Int
