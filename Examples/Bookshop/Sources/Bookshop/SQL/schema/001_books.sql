CREATE TABLE authors(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- Genres are a tree: "Crime" is below "Fiction".
CREATE TABLE genres(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    parentID INTEGER REFERENCES genres
);
CREATE INDEX genres_parent ON genres(parentID);

CREATE TABLE books(
    id INTEGER PRIMARY KEY,
    isbn TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL CHECK (title <> ''),
    authorID INTEGER REFERENCES authors,
    genreID INTEGER NOT NULL REFERENCES genres,
    price INTEGER NOT NULL CHECK (price > 0),    -- in cents
    stock INTEGER NOT NULL CHECK (stock >= 0),
    tags TEXT NOT NULL DEFAULT '[]'    -- tags: [String] as json
);
CREATE INDEX books_author ON books(authorID);
CREATE INDEX books_genre ON books(genreID);
