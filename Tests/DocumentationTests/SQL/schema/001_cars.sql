CREATE TABLE cars(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    price INTEGER,
    isSold INTEGER NOT NULL DEFAULT 0 CHECK (isSold IN (0, 1)),
    bought INTEGER,    -- bought: Date as unixMilliseconds
    tags TEXT NOT NULL DEFAULT '[]'    -- tags: [String] as json
);
CREATE INDEX cars_price ON cars(price);
