extension SchemaEditor {
    /// Performs one step of a version.
    package func perform(_ action: SchemaAction) throws {
        switch action {
        case .createTable(let table):
            try table.check()
            try run(table.sql)
            for index in table.indexes { try create(index.name, by: index.sql) }
        case .dropTable(let name): try dropTable(name)
        case .renameTable(let name, let newName): try renameTable(name, to: newName)
        case .createIndex(let index):
            try checkColumns(of: index)
            try create(index.name, by: index.sql)
        case .dropIndex(let name): try drop(.index, name)
        case .renameIndex(let name, let newName): try renameIndex(name, to: newName)
        case .alterTable(let name, let alterations): try alter(name, alterations)
        case .createView(let name, let select): try run("CREATE VIEW main.\(name: name) AS \(select.withLiterals)")
        case .dropView(let name):
            hasRemoved = true
            try drop(.view, name)
        case .createTrigger(let name, let clause):
            try run("CREATE TRIGGER main.\(name: name) \(clause.withLiterals)")
            try renewSearchTriggers()
        case .dropTrigger(let name): try drop(.trigger, name)
        case .annex(let step): try step.perform(with: self)
        case .sql(let sql): try execute(sql, action)
        case .script(let text, _): try execute(SQL(raw: text), action)
        case .closure(let body):
            note("Execute { … }")
            try insideTransaction { try body(connection) }
        }
    }

    private func execute(_ sql: SQL, _ action: SchemaAction) throws {
        if action.needsForeignKeysOff { hasRemoved = true }
        add(toLog: sql.withLiterals)
        try insideTransaction { try connection.execute(sql, locatingFailures: action.isScript) }
    }

    private func drop(_ kind: SchemaCatalog.Entry.Kind, _ name: String) throws {
        guard try connection.catalog().has(kind, named: name) else {
            throw SchemaError.notFound("\(kind.rawValue) \"\(name)\"")
        }
        try run("DROP \(raw: kind.rawValue.uppercased()) main.\(name: name)")
    }

    /// Runs the SQL or the closure of a step, which must neither end the surrounding transaction nor begin one. After a
    /// `COMMIT`, one half of a version would be kept and the other half lost.
    private func insideTransaction(_ body: () throws -> Void) throws {
        var refused: String?
        var hasTrigger = false
        let guarding = connection.addAuthorizer { action, statement, _, _, _ in
            if action == .createTrigger { hasTrigger = true }
            guard action == .transaction else { return .ok }
            refused = statement
            return .deny
        }
        defer { guarding.cancel() }
        do {
            try body()
        } catch let error as SQLiteError where error.resultCode == .authorizationDenied {
            guard let refused else { throw error }
            throw SchemaError.invalid([
                "\(refused) in a step: a version is one transaction, which the library begins and ends (use savepoint)"
            ])
        }
        if hasTrigger { try renewSearchTriggers() }
    }

    /// Throws for an index on a missing column. With double-quoted strings on, SQLite treats the name as text and creates
    /// the index.
    private func checkColumns(of index: IndexDefinition) throws {
        let table = try table(index.table)
        for case let name? in index.columns.map(\.columnName) where table.column(name) == nil {
            if name.isRowIDName { continue }
            throw SchemaError.notFound("column \"\(index.table)\".\"\(name)\"")
        }
    }

    /// Renames an index. SQLite cannot do that, so the index is dropped and created from its SQL with the new name.
    private func renameIndex(_ name: String, to newName: String) throws {
        guard let sql = try connection.catalog().entry(.index, named: name)?.sql else {
            throw SchemaError.notFound("index \"\(name)\"")
        }
        let tokens = SQLTokenizer.tokens(of: sql)
        guard let on = tokens.firstIndex(where: { $0.is("ON") }), on > 0 else {
            throw SchemaError.invalid(["the SQL of the index \"\(name)\" is not understood: \(sql)"])
        }
        let range = tokens[on - 1].range
        let head = String(decoding: Array(sql.utf8)[..<range.lowerBound], as: UTF8.self)
        let tail = String(decoding: Array(sql.utf8)[range.upperBound...], as: UTF8.self)
        try run("DROP INDEX main.\(name: name)")
        try create(newName, by: "\(raw: head)\(name: newName)\(raw: tail)")
    }

    /// Drops all tables, views and triggers. Virtual tables come first, because they drop the tables that store their rows.
    func reset() throws {
        hasRemoved = true
        try dropAll(.trigger)
        try dropAll(.view)
        for table in try connection.catalog().entries(.table, by: .creation) where table.isVirtual {
            try run("DROP TABLE main.\(name: table.name)")
        }
        try dropAll(.table)
    }

    private func dropAll(_ kind: SchemaCatalog.Entry.Kind) throws {
        for name in try connection.catalog().names(of: kind, by: .creation) {
            try run("DROP \(raw: kind.rawValue.uppercased()) main.\(name: name)")
        }
    }
}
