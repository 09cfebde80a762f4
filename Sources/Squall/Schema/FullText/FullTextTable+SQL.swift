extension FullTextTable {
    /// Returns `CREATE VIRTUAL TABLE "notes_search" USING fts5("title", "body", content = 'notes', content_rowid = 'id')`
    package func sql(ifNotExists: Bool = false) -> SQL {
        var arguments: [SQL] = columns.map { "\(name: $0.name)\(raw: $0.isIndexed ? "" : " UNINDEXED")" }
        func option(_ name: String, _ value: String) {
            arguments.append("\(raw: name) = '\(raw: value.doubling("'"))'")
        }
        switch content {
        case .own: break
        case .none: option("content", "")
        case .external:
            if let source {
                option("content", source)
                option("content_rowid", rowID)
            }
        }
        for name in Self.optionNames { options[name].map { option(name, $0) } }
        arguments += otherOptions.map { SQL(raw: $0) }
        let table: SQL = "CREATE VIRTUAL TABLE \(raw: ifNotExists ? "IF NOT EXISTS " : "")\(name: name)"
        return "\(table) USING fts5(\(arguments.joined(separator: ", ")))"
    }

    private var names: SQL { columns.map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }

    private func values(of row: String) -> SQL {
        columns.map { "\(raw: row).\(name: $0.name)" as SQL }.joined(separator: ", ")
    }

    /// The triggers of the source, and their names.
    package var triggerNames: [String] { source == nil ? [] : ["insert", "delete", "update"].map { triggerName($0) } }

    func triggerName(_ event: String) -> String { "\(name)_\(event)" }

    /// The triggers that keep the table in step with its source.
    package func triggers(ifNotExists: Bool = false) -> [SQL] {
        zip(triggerNames, triggerActions).map { name, action in
            // With the database: a TEMP table of the same name would get the trigger.
            "CREATE TRIGGER \(raw: ifNotExists ? "IF NOT EXISTS " : "")main.\(name: name) \(action)"
        }
    }

    /// The triggers after their names: `AFTER INSERT ON "notes" BEGIN … END`.
    var triggerActions: [SQL] {
        guard let source else { return [] }
        // Not UPDATE OF: it does not fire for a generated column, nor for the name `rowid`. As bytes: a collation could compare texts
        // as equal whose tokens differ.
        let changes = columns.map { column -> SQL in
            "CAST(old.\(name: column.name) AS BLOB) IS NOT CAST(new.\(name: column.name) AS BLOB)"
        }
        let key: SQL = "old.\(name: rowID) IS NOT new.\(name: rowID)"
        let condition = ([key] + changes).joinedAsTree(by: " OR ")
        let table: SQL = "\(name: source)"
        return [
            "AFTER INSERT ON \(table) BEGIN \(insertion); END",
            "AFTER DELETE ON \(table) BEGIN \(removal); END",
            "AFTER UPDATE ON \(table) WHEN \(condition) BEGIN \(removal); \(insertion); END",
        ]
    }

    /// The statement of a trigger that adds the new row.
    var insertion: SQL {
        "INSERT INTO \(name: name)(rowid, \(names)) VALUES(new.\(name: rowID), \(values(of: "new")))"
    }

    /// The statement of a trigger that removes the old row. FTS5 needs the text that it has indexed, which the source no longer has.
    var removal: SQL {
        if content == .own { return "DELETE FROM \(name: name) WHERE rowid = old.\(name: rowID)" }
        return """
            INSERT INTO \(name: name)(\(name: name), rowid, \(names)) \
            VALUES('delete', old.\(name: rowID), \(values(of: "old")))
            """
    }

    /// The statements that index all rows again.
    package var rebuilding: [SQL] {
        guard let source, content != .external else { return [command("rebuild")] }
        let clear: SQL = content == .own ? "DELETE FROM main.\(name: name)" : command("delete-all")
        return [
            clear,
            """
            INSERT INTO main.\(name: name)(rowid, \(names)) \
            SELECT \(name: rowID), \(names) FROM main.\(name: source)
            """,
        ]
    }

    /// Returns `INSERT INTO main."notes_search"("notes_search") VALUES('optimize')`
    package func command(_ command: String) -> SQL {
        "INSERT INTO main.\(name: name)(\(name: name)) VALUES('\(raw: command)')"
    }
}
