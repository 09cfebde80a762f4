extension TableDefinition {
    /// Creates the definition of a declared table.
    init(_ name: String, _ columns: [ColumnDefinition], _ options: [TableOption]) {
        self.init(name: name, columns: columns)
        for option in options { option.apply(&self) }
        foldKeys()
        for index in self.columns.indices where isStrict && self.columns[index].type.isEmpty {
            self.columns[index].type = SQLType.strictAny
        }
        // SQLite allows NULL in every key except the rowid, where it assigns a value instead.
        let names = Set(primaryKey.map { Identifier($0) }).subtracting(
            [rowIDColumn.map { Identifier($0) }].compactMap(\.self))
        for index in self.columns.indices where names.contains(Identifier(self.columns[index].name)) {
            self.columns[index].notNull = self.columns[index].notNull ?? .init()
        }
        writeValues()
    }

    /// Merges several columns that are each declared as primary key into one key: `PRIMARY KEY ("x", "y")`.
    mutating func foldKeys() {
        let keys = columns.indices.filter { columns[$0].primaryKey != nil }
        guard keys.count > 1 else { return }
        let list = keys.map { IndexedColumn(columns[$0].name, order: columns[$0].primaryKey?.order) }
        let conflict = keys.compactMap { columns[$0].primaryKey?.conflict }.first
        for index in keys { columns[index].primaryKey = nil }
        constraints.insert(TableConstraint(.primaryKey(list, onConflict: conflict)), at: 0)
    }

    /// Writes all values as literals, so that the definition equals the one that is read back from the file.
    private mutating func writeValues() {
        columns = columns.map { $0.mapExpressions(\.withLiterals) }
        for index in constraints.indices {
            guard case .check(let condition) = constraints[index].kind else { continue }
            constraints[index].kind = .check(condition.withLiterals)
        }
        for index in indexes.indices { indexes[index].condition = indexes[index].condition?.withLiterals }
    }

    /// Throws for a definition that SQLite refuses. Also throws for a text that contains more than its part of the
    /// definition, which SQLite may accept.
    func check() throws {
        if columns.isEmpty { throw SQLiteError(TableProblem.noColumns, of: .table(name)) }
        var names: Set<Identifier> = []
        for column in columns where !names.insert(Identifier(column.name)).inserted {
            throw SQLiteError(TableProblem.repeatedColumn(column.name), of: .table(name))
        }
        if let failure = sql.failure { throw failure }
        for index in indexes {
            if let failure = index.sql.failure { throw failure }
        }
        if let fault = triggers.lazy.compactMap(\.fault).first { throw SchemaError.invalid([fault]) }
    }
}
