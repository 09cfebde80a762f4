CREATE TABLE items(
    part INTEGER NOT NULL,
    name TEXT NOT NULL,
    price REAL,
    note TEXT,
    owner INTEGER,
    stars INTEGER NOT NULL,
    code INTEGER UNIQUE
);
