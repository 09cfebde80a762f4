import Squall

/// A read of one object of a file, or in one form, whose result is a text.
struct ObjectRead: Sendable {
    let name: String
    /// The SQL of a query with one text.
    let sql: String
    /// A text that no other read has.
    var id: String { "\(name): \(sql)" }
    /// The way in which an observer reads the text.
    private(set) var way = Way.sql

    enum Way {
        case sql
        /// A query of one column, with the number at its end as a value of its parameter.
        case lookup(String, key: Int64)
        /// The observation of a record by its key.
        case record(key: Int64)
    }

    /// Whether it is that of a table in which a virtual table keeps its rows.
    var isShadow: Bool { name.hasPrefix("the shadow ") }

    /// - Parameter values: A query with one column `v`. The text has its values in an order that does not depend on the plan.
    init(_ name: String, listing values: String) {
        self.init(name, "SELECT ifnull(group_concat(v), '') FROM (\(values) ORDER BY 1)")
    }

    init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }

    /// A look-up of a text in the row of a key, on which alone its observers depend.
    init(_ name: String, column: String, of table: String, _ key: Int64) {
        self.init(
            name,
            listing: "SELECT iif(\(column) IS NULL, '-', hex(\(column))) AS v FROM main.\(table) WHERE id = \(key)")
        way = .lookup("SELECT \(column) FROM \(table) WHERE \(table).id = ", key: key)
    }

    /// A record of `authors`.
    init(ownerOf key: Int64) {
        self.init("the record \(key) of authors", column: "name", of: "authors", key)
        way = .record(key: key)
    }

    /// Reads the text as an observer does.
    func text(_ connection: Connection) throws -> String {
        guard case .lookup(let lookup, let key) = way else {
            return try connection.query("SELECT CAST((\(raw: sql)) AS TEXT)")
        }
        let values: [String?] = try connection.query("\(raw: lookup)\(key)")
        return values.map { $0?.hexadecimal ?? "-" }.joined(separator: ",")
    }

    /// Returns the texts of several reads, by one statement.
    static func texts(of reads: [ObjectRead], _ connection: Connection) throws -> [String] {
        if reads.isEmpty { return [] }
        // SQLite limits the number of terms.
        return try stride(from: 0, to: reads.count, by: 100).flatMap { start in
            let part = reads[start..<min(start + 100, reads.count)]
            let union = part.map { "SELECT CAST((\($0.sql)) AS TEXT)" }.joined(separator: " UNION ALL ")
            return try connection.query("\(raw: union)") as [String]
        }
    }
}

extension ObjectRead {
    /// Returns a read of each table and view of a file, also of those in which virtual tables keep their rows, and of the matches of
    /// each search table.
    ///
    /// Left out are the tables of SQLite, and virtual tables of the program with the views that read them: their rows are not in the file.
    static func objects(of connection: Connection) throws -> [ObjectRead] {
        var reads: [ObjectRead] = []
        let objects: [(String, String, String)] = try connection.query(
            """
            SELECT l.name, l.type, ifnull(s.sql, '') FROM pragma_table_list AS l JOIN main.sqlite_schema AS s ON s.name = l.name
            WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite@_%' ESCAPE '@' AND l.name <> 'outsiders' ORDER BY l.name
            """, as: (String, String, String).self)
        let programs = objects.filter { $0.1 == "virtual" && !isInFile($0.2) }.map(\.0)
        for (name, type, sql) in objects where !programs.contains(name) {
            if type == "view", programs.contains(where: { sql.contains($0) }) { continue }
            let isSearch = type == "virtual" && sql.contains("fts5")
            if isSearch {
                let words = (ItemRow.words + ["marked"]).joined(separator: " OR ")
                reads.append(
                    ObjectRead(
                        "the matches of \(name)",
                        listing: "SELECT rowid AS v FROM main.\"\(name)\" WHERE \"\(name)\" MATCH '\(words)'"))
            }
            // The texts of a search table may be those of another table, or not be there.
            if isSearch, sql.contains("content=") || sql.contains("content =") { continue }
            let columns: [String] = try connection.query(
                "SELECT name FROM pragma_table_xinfo(\(name), 'main') WHERE hidden <> 1 ORDER BY cid")
            let values = columns.map { "typeof(\"\($0)\") || hex(\"\($0)\")" }.joined(separator: " || ")
            reads.append(ObjectRead("the \(type) \(name)", listing: "SELECT \(values) AS v FROM main.\"\(name)\""))
        }
        return reads
    }

    /// Whether the SQL of a virtual table is that of one whose rows are in the file.
    private static func isInFile(_ sql: String) -> Bool { ["fts5", "rtree"].contains { sql.contains("USING \($0)") } }
}
