extension TableDefinition {
    /// The table without what makes no difference: case, space, and whether a constraint stands with its column or with the
    /// table. Two tables with equal canonical forms do the same.
    var canonical: TableDefinition {
        var table = TableDefinition(name: name.lowercased(), isStrict: isStrict, isWithoutRowID: isWithoutRowID)
        table.columns = columns.map(\.canonical)
        for constraint in constraints {
            guard !table.fold(constraint) else { continue }
            table.constraints.append(TableConstraint(constraint.kind.canonical))
        }
        for index in table.columns.indices {
            table.constraints += table.columns[index].checks.map { TableConstraint(.check($0.condition)) }
            table.columns[index].checks = []
        }
        let keys = Set(table.primaryKey)
        for index in table.columns.indices where keys.contains(table.columns[index].name) {
            // SQLite has no NULL in these, whatever is declared.
            let isNeverNull = isWithoutRowID || table.rowIDColumn == table.columns[index].name
            if isNeverNull { table.columns[index].notNull = nil }
        }
        table.constraints.sort { $0.sql.text < $1.sql.text }
        return table
    }

    /// Puts a constraint of the table that is about one column alone to that column.
    private mutating func fold(_ constraint: TableConstraint) -> Bool {
        func index(of column: String) -> Int? { columns.firstIndex { $0.name == column.lowercased() } }
        switch constraint.kind {
        case .primaryKey(let list, let conflict):
            guard list.count == 1, let term = list.first, term.isPlain, let index = index(of: term.columnName ?? "")
            else { return false }
            columns[index].primaryKey = .init(conflict: conflict)
        case .unique(let list, let conflict):
            guard list.count == 1, let term = list.first, term.isPlain, let index = index(of: term.columnName ?? "")
            else { return false }
            columns[index].unique = .init(conflict: conflict)
        case .foreignKey(let names, let reference):
            guard names.count == 1, let index = index(of: names.first ?? "") else { return false }
            columns[index].references.append(reference.canonical)
            columns[index].references.sort { $0.sql.text < $1.sql.text }
        case .check: return false
        }
        return true
    }
}

extension IndexedColumn {
    fileprivate var isPlain: Bool { columnName != nil && collation == nil && order != .descending }

    fileprivate var canonical: IndexedColumn {
        let term: Term =
            switch self.term {
            case .column(let name): .column(name.lowercased())
            case .expression(let sql): .expression(SQL(raw: sql.normalized))
            }
        let collation = self.collation?.uppercased()
        return IndexedColumn(
            term, collation: collation == "BINARY" ? nil : collation, order: order == .ascending ? nil : order
        )
    }
}

extension ColumnDefinition {
    fileprivate var canonical: ColumnDefinition {
        var column = self
        column.name = name.lowercased()
        column.type = SQL(raw: type).normalized
        if column.primaryKey?.order == .ascending { column.primaryKey?.order = nil }
        column.defaultValue = defaultValue.map { SQL(raw: $0.normalized) }
        if column.defaultValue == "NULL" { column.defaultValue = nil }
        column.checks = checks.map { Check(condition: SQL(raw: $0.condition.normalized)) }
        column.collation = collation?.uppercased()
        if column.collation == "BINARY" { column.collation = nil }
        column.references = references.map(\.canonical).sorted { $0.sql.text < $1.sql.text }
        column.generated?.expression = SQL(raw: generated?.expression.normalized ?? "")
        return column
    }
}

extension ForeignKeyReference {
    fileprivate var canonical: ForeignKeyReference {
        ForeignKeyReference(
            table: table.lowercased(), columns: columns.map { $0.lowercased() },
            onDelete: onDelete == .noAction ? nil : onDelete, onUpdate: onUpdate == .noAction ? nil : onUpdate,
            deferral: deferral == .initiallyDeferred ? deferral : nil
        )
    }
}

extension TableConstraint.Kind {
    fileprivate var canonical: Self {
        switch self {
        case .primaryKey(let columns, let conflict): .primaryKey(columns.map(\.canonical), onConflict: conflict)
        case .unique(let columns, let conflict): .unique(columns.map(\.canonical), onConflict: conflict)
        case .check(let condition): .check(SQL(raw: condition.normalized))
        case .foreignKey(let columns, let reference): .foreignKey(columns.map { $0.lowercased() }, reference.canonical)
        }
    }
}

extension TableConstraint {
    var canonical: TableConstraint { TableConstraint(kind.canonical) }
}

extension IndexDefinition {
    var canonical: IndexDefinition {
        IndexDefinition(
            name: name.lowercased(), table: table.lowercased(), columns: columns.map(\.canonical), isUnique: isUnique,
            condition: condition.map { SQL(raw: $0.normalized) }
        )
    }
}
