ALTER TABLE books ADD COLUMN isSigned INTEGER NOT NULL DEFAULT 0 CHECK (isSigned IN (0, 1));
ALTER TABLE books ADD COLUMN blurb TEXT NOT NULL DEFAULT '';

-- The index has the words, `books` keeps the text, and the triggers keep both together.
CREATE VIRTUAL TABLE bookWords USING fts5(
    title, blurb, content='books', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
INSERT INTO bookWords(bookWords) VALUES('rebuild');

CREATE TRIGGER bookWords_insert AFTER INSERT ON books BEGIN
    INSERT INTO bookWords(rowid, title, blurb) VALUES(new.id, new.title, new.blurb);
END;

CREATE TRIGGER bookWords_delete AFTER DELETE ON books BEGIN
    INSERT INTO bookWords(bookWords, rowid, title, blurb) VALUES('delete', old.id, old.title, old.blurb);
END;

CREATE TRIGGER bookWords_update AFTER UPDATE OF title, blurb ON books BEGIN
    INSERT INTO bookWords(bookWords, rowid, title, blurb) VALUES('delete', old.id, old.title, old.blurb);
    INSERT INTO bookWords(rowid, title, blurb) VALUES(new.id, new.title, new.blurb);
END;
