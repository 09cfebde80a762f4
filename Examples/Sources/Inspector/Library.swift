import Squall

/// Creates the file of a library, as an older program may have left it: without checks of foreign keys.
func createLibrary() throws {
    let connection = try Connection("library.db", mode: .createNew, configuration: .sqlite)
    try connection.execute(
        """
        CREATE TABLE authors(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL COLLATE NOCASE UNIQUE ON CONFLICT IGNORE
        );
        CREATE TABLE members(
            name TEXT PRIMARY KEY ON CONFLICT ROLLBACK CHECK (length(name) > 1),
            sponsor TEXT REFERENCES members(name) ON DELETE SET NULL ON UPDATE RESTRICT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE books(
            id INTEGER PRIMARY KEY,
            title TEXT NOT NULL ON CONFLICT ABORT,
            author INTEGER DEFAULT 1 REFERENCES authors(id) ON DELETE SET DEFAULT,
            price DEFAULT 10,
            cover BLOB,
            label TEXT AS (upper(substr(title, 1, 3))) STORED,
            gross AS (price * 1.2),
            CONSTRAINT sane CHECK (price >= 0)
        );
        CREATE TABLE loans(
            book INTEGER NOT NULL REFERENCES books ON DELETE CASCADE NOT DEFERRABLE,
            member TEXT NOT NULL REFERENCES members ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
            desk INTEGER REFERENCES books(id) ON DELETE RESTRICT DEFERRABLE INITIALLY IMMEDIATE,
            day TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'today',
            UNIQUE (book, day) ON CONFLICT FAIL
        );
        CREATE INDEX books_title ON books(title COLLATE NOCASE DESC);
        CREATE UNIQUE INDEX books_label ON books(lower(label)) WHERE cover IS NOT NULL;
        CREATE TRIGGER books_free BEFORE DELETE ON books BEGIN SELECT RAISE(ABORT, 'free books stay') WHERE old.price = 0; END;
        CREATE VIEW shelf AS SELECT title, name FROM books JOIN authors ON authors.id = author;
        CREATE TRIGGER shelf_insert INSTEAD OF INSERT ON shelf BEGIN INSERT INTO books(title) VALUES(new.title); END;

        INSERT INTO authors(name) VALUES('Terry'), ('Ursula');
        INSERT INTO members VALUES('Ann', NULL), ('Ben', 'Ann');
        INSERT INTO books(title, author, price, cover) VALUES
            ('Mort', 1, 8, x'89504E47'), ('Earthsea', 2, 9.5, NULL), ('Wyrd', 1, 'gift', NULL), ('Lost', 7, NULL, x'FF');
        INSERT INTO loans VALUES(1, 'Ann', NULL, 'monday'), (2, 'Cleo', NULL, 'monday');
        """)
    connection.close()
}
