import Squall

/// A file in which a table or a column has another name or form: what follows its rows must still follow them.
struct AlteredFile {
    let connection: Connection
    /// The name of the altered table before.
    let table: String
    let names: [(new: String, old: String)]
    let shape: TableShape

    private struct Undone: Error {}

    /// A word that no row has.
    private static let word = "zzmark"

    private func now(_ name: String, in table: String? = nil) -> String {
        // A column of another table keeps its name.
        if let table, table != self.table { return name }
        return names.first { $0.old == name }?.new ?? name
    }

    /// - Parameter inserts: Whether the tables take new rows.
    func check(inserts: Bool, _ subject: String) throws {
        do {
            let problems: [String] = try connection.query("PRAGMA integrity_check")
            try require(problems == ["ok"], "integrity_check with \(subject): \(problems)")
            for view in try objects("view") {
                let _: Int = try connection.query("SELECT count(*) FROM main.\(name: view)")
            }
            try checkIndexes(hits: 0, subject)
            try connection.savepoint {
                if inserts { try (writeItem(subject), writeAuthor()) }
                throw Undone()
            }
        } catch is Undone {
        } catch let error as SQLiteError {
            throw Violation(description: "with \(subject): \(error)")
        }
    }

    private func objects(_ type: String) throws -> [String] {
        try connection.query("SELECT name FROM main.sqlite_schema WHERE type = \(type) AND sql NOT LIKE '%squall%'")
    }

    /// Inserts, updates and deletes an item.
    private func writeItem(_ subject: String) throws {
        var row = ItemRow(id: 9_999)
        (row.name, row.price, row.note, row.stars) = (Self.word, 1, Self.word, 5)
        (row.code, row.seen, row.data) = (9_999, .init(timeIntervalSince1970: 1), .init([1]))
        let columns = TableShape.columns.map { ("\(name: now($0, in: "items"))" as SQL).text }
        let items = ("main.\(name: now("items"))" as SQL).text
        try run(
            "INSERT INTO \(items)(\(columns.joined(separator: ", "))) VALUES(\(row.sqlValues(shape).joined(separator: ", ")))"
        )
        try checkIndexes(hits: 1, subject)
        let condition = "\(columns[0]) = \(shape.key.sql(row.id)) AND \(columns[1]) = \(row.part)"
        for (word, hits) in [("other", 0), (Self.word, 1)] {
            try run("UPDATE \(items) SET \(columns[2]) = '\(word)', \(columns[4]) = '\(word)' WHERE \(condition)")
            try checkIndexes(hits: hits, subject)
        }
        try run("DELETE FROM \(items) WHERE \(condition)")
        try checkIndexes(hits: 0, subject)
    }

    private func writeAuthor() throws {
        let (authors, id, text) = (now("authors"), now("id", in: "authors"), now("name", in: "authors"))
        try connection.run("INSERT INTO main.\(name: authors)(\(name: id), \(name: text)) VALUES(9999, 'owner')")
        try connection.run("UPDATE main.\(name: authors) SET \(name: text) = 'renamed' WHERE \(name: id) = 9999")
        try connection.run("DELETE FROM main.\(name: authors) WHERE \(name: id) = 9999")
    }

    private func run(_ sql: String) throws { try connection.run("\(raw: sql)") }

    /// Checks the search tables and R*Trees.
    ///
    /// - Parameter hits: The number of items with the word.
    private func checkIndexes(hits: Int, _ subject: String) throws {
        let tables: [(String, String)] = try connection.query(
            "SELECT name, sql FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
        ) { (try $0.get(0), try $0.get(1)) }
        for (name, sql) in tables {
            if sql.lowercased().contains("using fts5") || sql.lowercased().contains("using \"fts5\"") {
                try connection.run("INSERT INTO main.\(name: name)(\(name: name), rank) VALUES('integrity-check', 1)")
                if !name.hasPrefix("search_") { continue }
                let found: Int = try connection.query(
                    "SELECT count(*) FROM main.\(name: name) WHERE \(name: name) MATCH \(Self.word)")
                try require(found == hits, "\(name) finds \(found) rows with \(subject), not \(hits)")
            } else if name.hasPrefix("boxes_") {
                let result: String = try connection.query("SELECT rtreecheck('main', \(name))")
                try require(result == "ok", "rtreecheck of \(name) with \(subject): \(result)")
                let (entries, rows): (Int, Int) = (
                    try connection.query("SELECT count(*) FROM main.\(name: name)"),
                    try connection.query("SELECT count(*) FROM main.\(name: now("items"))")
                )
                try require(entries == rows, "\(name) has \(entries) of \(rows) rows with \(subject)")
            }
        }
    }
}
