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
                option("content", rows(of: source))
                option("content_rowid", rowID)
            }
        }
        for name in Self.optionNames { options[name].map { option(name, $0) } }
        arguments += otherOptions.map { SQL(raw: $0) }
        let table: SQL = "CREATE VIRTUAL TABLE \(raw: ifNotExists ? "IF NOT EXISTS " : "")\(name: name)"
        return "\(table) USING fts5(\(arguments.joined(separator: ", ")))"
    }

    /// The name of the view that has the rows of the source which meet the condition.
    package var viewName: String { "\(name)_rows" }

    /// The table or the view whose rows the index has.
    func rows(of source: String) -> String { condition == nil ? source : viewName }

    /// `CREATE VIEW main."notes_search_rows" AS SELECT … FROM "notes" WHERE …`; `nil` without a condition
    package func view(ifNotExists: Bool = false) -> SQL? {
        viewDefinition.map { "CREATE VIEW \(raw: ifNotExists ? "IF NOT EXISTS " : "")main.\($0)" }
    }

    /// The view after `CREATE VIEW`, as SQLite stores it.
    var viewDefinition: SQL? {
        guard let source, let condition else { return nil }
        let key = columns.contains { $0.name.isSameName(as: rowID) } ? [] : [rowID]
        let list = (key + columns.map(\.name)).map { "\(name: $0) AS \(name: $0)" as SQL }.joined(separator: ", ")
        let rows = condition.expression(named: "the condition of the search table \"\(name)\"")
        return "\(name: viewName) AS SELECT \(list) FROM \(name: source) WHERE \(rows)"
    }

    /// The condition in a form that is equal for conditions that differ in spaces, letter case, and the name of the table before columns.
    package var canonicalCondition: String? { condition?.unqualified(by: source ?? "").normalized }

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
    ///
    /// SQLite runs the newest trigger first, so a trigger of the program may already have written the row again when these run. With a
    /// condition, that may have indexed the row: it is removed before it is added.
    var triggerActions: [SQL] {
        guard let source else { return [] }
        guard condition != nil else { return plainTriggerActions }
        let (table, old, new): (SQL, SQL, SQL) = ("\(name: source)", "old.\(name: rowID)", "new.\(name: rowID)")
        let both: SQL = "IN (\(old), \(new))"
        return [
            "AFTER INSERT ON \(table) BEGIN \(removalOfNewRow); \(insertion("= \(new)")); END",
            "AFTER DELETE ON \(table) BEGIN \(removal); \(insertion("= \(old)")); END",
            "AFTER UPDATE ON \(table) WHEN \(isChanged) BEGIN \(removal); \(removalOfNewRow); \(insertion(both)); END",
        ]
    }

    /// The triggers that consider no other trigger: those of a table without a condition. One with a condition had them once: they are
    /// dropped as Squall's.
    var plainTriggerActions: [SQL] {
        guard let source else { return [] }
        let table: SQL = "\(name: source)"
        return [
            "AFTER INSERT ON \(table) BEGIN \(insertion); END",
            "AFTER DELETE ON \(table) BEGIN \(removal); END",
            "AFTER UPDATE ON \(table) WHEN \(isChanged) BEGIN \(removal); \(insertion); END",
        ]
    }

    /// Whether an UPDATE changes the row of the index.
    private var isChanged: SQL {
        // Not UPDATE OF: it does not fire for a generated column, nor for the name `rowid`. As bytes: a collation could compare texts
        // as equal whose tokens differ.
        let changes = columns.map { column -> SQL in
            "CAST(old.\(name: column.name) AS BLOB) IS NOT CAST(new.\(name: column.name) AS BLOB)"
        }
        let key: SQL = "old.\(name: rowID) IS NOT new.\(name: rowID)"
        let moves: [SQL] =
            condition == nil ? [] : ["\(isIndexed("old")) IS NOT EXISTS (\(rows("= new.\(name: rowID)")))"]
        return ([key] + changes + moves).joinedAsTree(by: " OR ")
    }

    /// The statement of a trigger that adds the new row.
    var insertion: SQL {
        guard condition == nil else { return insertion("= new.\(name: rowID)") }
        return "INSERT INTO \(name: name)(rowid, \(names)) VALUES(new.\(name: rowID), \(values(of: "new")))"
    }

    /// The statement of a trigger that adds the rows with these keys that meet the condition.
    private func insertion(_ keys: SQL) -> SQL { "INSERT INTO \(name: name)(rowid, \(names)) \(rows(keys))" }

    /// The rows with these keys that meet the condition.
    private func rows(_ keys: SQL) -> SQL {
        "SELECT \(name: rowID), \(names) FROM \(name: viewName) WHERE \(name: rowID) \(keys)"
    }

    /// Whether the index has the old or the new row, which may have met the condition only by rows of other tables.
    private func isIndexed(_ row: String) -> SQL {
        "EXISTS (SELECT 1 FROM \(name: "\(name)_docsize") WHERE id = \(raw: row).\(name: rowID))"
    }

    /// The statement of a trigger that removes the old row. FTS5 needs the text that it has indexed, which the source no longer has.
    var removal: SQL {
        if content == .own { return "DELETE FROM \(name: name) WHERE rowid = old.\(name: rowID)" }
        let row: SQL = "'delete', old.\(name: rowID), \(values(of: "old"))"
        let removed: SQL = condition == nil ? "VALUES(\(row))" : "SELECT \(row) WHERE \(isIndexed("old"))"
        return "INSERT INTO \(name: name)(\(name: name), rowid, \(names)) \(removed)"
    }

    /// The statement of a trigger that removes the new row, which another trigger has indexed.
    private var removalOfNewRow: SQL {
        if content == .own { return "DELETE FROM \(name: name) WHERE rowid = new.\(name: rowID)" }
        return """
            INSERT INTO \(name: name)(\(name: name), rowid, \(names)) SELECT 'delete', \(name: rowID), \(names) \
            FROM \(name: viewName) WHERE \(name: rowID) = new.\(name: rowID) AND \(isIndexed("new"))
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
            SELECT \(name: rowID), \(names) FROM main.\(name: rows(of: source))
            """,
        ]
    }

    /// The statements that drop the table that was read from a file, with Squall's triggers and the view of its condition.
    package var dropping: [SQL] {
        ownTriggers.map { "DROP TRIGGER main.\(name: $0)" } + ["DROP TABLE main.\(name: name)"]
            + (condition == nil ? [] : ["DROP VIEW main.\(name: viewName)"])
    }

    /// Returns `INSERT INTO main."notes_search"("notes_search") VALUES('optimize')`
    package func command(_ command: String) -> SQL {
        "INSERT INTO main.\(name: name)(\(name: name)) VALUES('\(raw: command)')"
    }
}
