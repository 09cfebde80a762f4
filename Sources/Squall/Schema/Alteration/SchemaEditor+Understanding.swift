extension SchemaEditor {
    /// Throws unless the definition read from the SQL of a table is complete: a table created from it must look the same to
    /// SQLite. A part that was not understood would be lost silently.
    func checkUnderstanding(of table: TableDefinition) throws {
        guard let entry = try connection.catalog().entry(.table, named: table.name), let sql = entry.sql else {
            throw SchemaError.notFound("table \"\(table.name)\"")
        }
        guard !entry.isVirtual else {
            throw SchemaError.invalid(["\"\(table.name)\" is a virtual table, which cannot be altered"])
        }
        let copy = try connection.catalog().freeName("squall_copy_\(table.name)")
        let isSame = try connection.undoing("squall_copy") {
            try connection.runSingle(table.sql(named: copy))
            return try traits(of: table.name) == traits(of: copy)
        }
        let hasAll = ColumnDefinition.Constraint.Key.allCases.flatMap(\.unreportedWords).allSatisfy { word in
            let counts = [sql, table.sql.text].map { SQLTokenizer.tokens(of: $0).filter { $0.is(word) }.count }
            return counts[0] == counts[1]
        }
        guard isSame && hasAll else {
            throw SchemaError.invalid(["the SQL of the table \"\(table.name)\" is not understood: \(sql)"])
        }
    }

    /// Returns everything that SQLite reports about a table's columns, foreign keys and constraints.
    private func traits(of table: String) throws -> [String] {
        let queries: [SQL] = [
            """
            SELECT name, replace(type, ' ', ''), "notnull", replace(dflt_value, ' ', ''), pk, hidden \
            FROM pragma_table_xinfo(\(table), 'main')
            """,
            """
            SELECT id, seq, lower("table"), "from", "to", on_update, on_delete \
            FROM pragma_foreign_key_list(\(table), 'main')
            """,
            """
            SELECT l."unique", l.origin, x.seqno, x.name, x."desc", x.coll \
            FROM pragma_index_list(\(table), 'main') l, pragma_index_xinfo(l.name, 'main') x \
            WHERE l.origin <> 'c' ORDER BY 1, 2, 3, 4, 5, 6
            """,
        ]
        return try queries.flatMap { try connection.query($0) { "\($0)" } as [String] }
    }
}

extension Connection {
    /// Runs a closure in a savepoint, and always rolls the savepoint back.
    ///
    /// - Parameter name: The name of the savepoint, an identifier that needs no quotes.
    func undoing<Result>(_ name: StaticString, _ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT \(raw: "\(name)")")
        defer { cleanUp("ROLLBACK TO \(name); RELEASE \(name)") }
        return try body()
    }
}
