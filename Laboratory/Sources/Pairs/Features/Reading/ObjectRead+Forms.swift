extension ObjectRead {
    /// Reads of the common tables in forms of which SQLite reports few columns, others than those on which the result depends, or
    /// none.
    static func forms(_ shape: TableShape) -> [ObjectRead] {
        let (items, authors) = ("main.items", "main.authors")
        let titles = "(SELECT id AS owner, name AS title FROM \(authors))"
        let forms = [
            ObjectRead("USING", listing: "SELECT hex(name) || title AS v FROM \(items) JOIN \(titles) USING(owner)"),
            ObjectRead("NATURAL", listing: "SELECT hex(name) || title AS v FROM \(items) NATURAL JOIN \(titles)"),
            ObjectRead(
                "a count of NATURAL", "SELECT count(*) FROM \(items) NATURAL LEFT JOIN \(titles) WHERE title IS NULL"),
            ObjectRead(
                "WITH",
                listing: "WITH c(v) AS (SELECT ifnull(hex(note), '-') FROM \(items) WHERE part = 1) SELECT v FROM c"),
            ObjectRead(
                "WITH RECURSIVE",
                """
                WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL
                SELECT n + 1 FROM r WHERE n < (SELECT max(stars) % 5 FROM \(items) WHERE code IS NOT NULL)) SELECT count(*) FROM r
                """),
            ObjectRead(
                "a query in the result",
                listing:
                    "SELECT ifnull((SELECT name FROM \(authors) AS a WHERE a.id = i.owner), '-') AS v FROM \(items) AS i"
            ),
            ObjectRead("a count", "SELECT count(*) FROM \(items)"),
            ObjectRead("a count of two tables", "SELECT count(*) FROM \(items), \(authors)"),
            ObjectRead("the greatest key", "SELECT ifnull(max(id), '-') FROM \(items)"),
            ObjectRead("an extreme of an index", "SELECT ifnull(max(code), -1) FROM \(items)"),
            ObjectRead("EXISTS", "SELECT EXISTS(SELECT 1 FROM \(items) WHERE note LIKE 'marked%')"),
            ObjectRead(
                "NOT EXISTS",
                "SELECT count(*) FROM \(authors) AS a WHERE NOT EXISTS (SELECT 1 FROM \(items) WHERE owner = a.id)"),
            ObjectRead("a count with a condition", "SELECT count(*) FROM \(items) WHERE stars > 0"),
            ObjectRead("a sum with a condition", "SELECT ifnull(sum(part), -1) FROM \(items) WHERE price > 1"),
            ObjectRead("a sum with FILTER", "SELECT count(*) FILTER (WHERE note IS NOT NULL) FROM \(items)"),
            ObjectRead("a comparison of rows", "SELECT count(*) FROM \(items) WHERE (owner, stars) > (1, 0)"),
            ObjectRead(
                "IN with rows",
                "SELECT count(*) FROM \(items) WHERE (owner, part) IN (SELECT id, id % 3 FROM \(authors))"),
            ObjectRead("UNION", listing: "SELECT owner AS v FROM \(items) UNION SELECT id FROM \(authors)"),
            ObjectRead("EXCEPT", listing: "SELECT id AS v FROM \(authors) EXCEPT SELECT owner FROM \(items)"),
            ObjectRead("INTERSECT", listing: "SELECT owner AS v FROM \(items) INTERSECT SELECT id FROM \(authors)"),
            ObjectRead(
                "a window",
                listing:
                    "SELECT part || ' ' || sum(stars % 100) OVER (PARTITION BY part ORDER BY id) AS v FROM \(items)"),
            ObjectRead(
                "the right side of LEFT JOIN",
                listing:
                    "SELECT ifnull(a.name, '-') AS v FROM \(items) AS i LEFT JOIN \(authors) AS a ON a.id = i.owner"),
            ObjectRead(
                "the order by another column",
                "SELECT ifnull(group_concat(v), '') FROM (SELECT id AS v FROM \(items) ORDER BY seen, id)"),
            ObjectRead(
                "LIMIT by another column",
                listing: "SELECT v FROM (SELECT hex(name) AS v FROM \(items) ORDER BY code DESC, id LIMIT 3 OFFSET 1)"),
            ObjectRead(
                "HAVING",
                listing:
                    "SELECT ifnull(owner, '-') || ' ' || count(*) AS v FROM \(items) GROUP BY owner HAVING max(stars) > 0"
            ),
            ObjectRead("DISTINCT", listing: "SELECT DISTINCT owner AS v FROM \(items)"),
            ObjectRead(
                "CASE", listing: "SELECT ifnull(CASE WHEN stars > 0 THEN part ELSE owner END, '-') AS v FROM \(items)"),
            ObjectRead(
                "a table function", "SELECT count(*) FROM \(items), json_each('[7, 0, 1000000]') WHERE value = stars"),
            ObjectRead(
                "a row by its key", "SELECT ifnull((SELECT hex(name) FROM \(items) WHERE \(shape.condition(2))), '-')"),
            ObjectRead(
                "a row by its key, and others",
                listing: "SELECT hex(name) AS v FROM \(items) WHERE (\(shape.condition(2))) OR stars = 7"),
            ObjectRead(
                "rows beside the one of a key",
                """
                SELECT count(*) FROM \(authors) AS a LEFT JOIN \(items) AS i ON i.owner = a.id WHERE a.id = 1 AND i.stars IS NOT 6
                """),
        ]
        let rowIDs = [
            ObjectRead("the greatest rowid", "SELECT ifnull(max(rowid), '-') FROM \(items)"),
            ObjectRead(
                "a row by its rowid", "SELECT ifnull((SELECT hex(name) || stars FROM \(items) WHERE rowid = 3), '-')"),
        ]
        return forms + (shape.isWithoutRowID ? [] : rowIDs)
    }

    /// Reads of rows by their keys, which may not be there, without the name of the database.
    static func lookups(_ shape: TableShape) -> [ObjectRead] {
        let authors = [
            ObjectRead("the author 1", column: "name", of: "authors", 1), ObjectRead(ownerOf: 1),
            ObjectRead(ownerOf: 3),
        ]
        if !shape.hasRowIDKey { return authors }
        return authors + [2, 5].map { ObjectRead("the note of \($0)", column: "note", of: "items", $0) }
    }
}
