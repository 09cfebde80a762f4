/// The planned changes of a table, before the file is touched.
struct TableDraft {
    private let old: TableDefinition
    private var rebuild: TableRebuild
    /// The added columns, as long as every change is a column that SQLite can add.
    private(set) var addedAlone: [ColumnDefinition]? = []
    /// The dropped columns, as long as every change is a column that SQLite may be able to drop.
    private(set) var droppedAlone: [ColumnDefinition]? = []
    private var droppedColumns: [String] = []

    init(_ table: TableDefinition, aliases: [(name: Identifier, column: Identifier)]) {
        old = table
        rebuild = TableRebuild(old: table, new: table, aliases: aliases)
    }

    /// The table after the changes so far.
    var table: TableDefinition { rebuild.new }

    private func index(of column: String) throws -> Int {
        if let index = rebuild.new.columns.firstIndex(where: { $0.name.isSameName(as: column) }) {
            return index
        }
        throw SchemaError.notFound("column \"\(old.name)\".\"\(column)\"")
    }

    mutating func apply(_ alteration: TableAlteration) throws {
        if case .add = alteration {} else { addedAlone = nil }
        if case .drop = alteration {} else { droppedAlone = nil }
        switch alteration {
        case .add(let column, let filling): try add(column, filling)
        case .change(let change):
            let index = try index(of: change.column.name)
            let name = rebuild.new.columns[index].name
            rebuild.new.columns[index] = change.applied(to: rebuild.new.columns[index])
            rebuild.new.foldKeys()
            if let filling = change.filling { rebuild.fillings[Identifier(name)] = filling }
            if change.dropped.contains(.primaryKey) { dropTableKey(of: name) }
        case .rename: break
        case .drop(let name): try drop(name)
        case .addConstraint(let constraint): rebuild.new.constraints.append(constraint)
        case .dropConstraint(let name):
            let what = "constraint \"\(name)\" of \"\(old.name)\""
            try dropConstraint {
                $0.name?.isSameName(as: name) == true
            } or: {
                $0.name?.isSameName(as: name) == true
            } what: {
                what
            }
        case .dropClause(let clause):
            let wanted = clause.normalized
            let what = "constraint \(clause.text) of \"\(old.name)\""
            try dropConstraint {
                $0.sql.normalized == wanted || $0.unnamed.sql.normalized == wanted
            } or: {
                $0.sql.normalized == wanted || ColumnDefinition.Check(condition: $0.condition).sql.normalized == wanted
            } what: {
                what
            }
        case .dropAllConstraints: rebuild.new.constraints = []
        case .options(let isStrict, let isWithoutRowID):
            rebuild.new.isStrict = isStrict ?? rebuild.new.isStrict
            rebuild.new.isWithoutRowID = isWithoutRowID ?? rebuild.new.isWithoutRowID
        case .replace(let table, let droppedIndexes):
            droppedAlone = nil
            let names = Set(old.columns.map { Identifier($0.name) })
            rebuild.new = table
            rebuild.new.name = old.name
            rebuild.added = Set(table.columns.map { Identifier($0.name) }).subtracting(names)
            rebuild.droppedIndexes.formUnion(droppedIndexes)
            droppedColumns += old.columns.map(\.name).filter { table.column($0) == nil }
        }
    }

    private mutating func add(_ column: ColumnDefinition, _ filling: SQL?) throws {
        guard rebuild.new.column(column.name) == nil else {
            throw SchemaError.alreadyExists("the column \"\(old.name)\".\"\(column.name)\"")
        }
        rebuild.new.columns.append(column)
        rebuild.new.foldKeys()
        rebuild.added.insert(Identifier(column.name))
        if let filling { rebuild.fillings[Identifier(column.name)] = filling }
        if filling == nil && column.canBeAdded { addedAlone?.append(column) } else { addedAlone = nil }
    }

    private mutating func drop(_ name: String) throws {
        let column = rebuild.new.columns.remove(at: try index(of: name))
        rebuild.fillings[Identifier(column.name)] = nil
        if rebuild.added.remove(Identifier(column.name)) != nil { return }
        droppedColumns.append(column.name)
        if column.canBeDropped { droppedAlone?.append(column) } else { droppedAlone = nil }
    }

    private mutating func dropTableKey(of column: String) {
        rebuild.new.constraints.removeAll { constraint in
            guard case .primaryKey(let columns, _) = constraint.kind else { return false }
            return columns.contains { $0.columnName?.isSameName(as: column) == true }
        }
    }

    private mutating func dropConstraint(
        _ isWanted: (TableConstraint) -> Bool, or isWantedCheck: (ColumnDefinition.Check) -> Bool, what: () -> String
    ) throws {
        let count = rebuild.new.constraints.count
        rebuild.new.constraints.removeAll(where: isWanted)
        var isFound = rebuild.new.constraints.count < count
        for index in rebuild.new.columns.indices {
            let count = rebuild.new.columns[index].checks.count
            rebuild.new.columns[index].checks.removeAll(where: isWantedCheck)
            isFound = isFound || rebuild.new.columns[index].checks.count < count
        }
        guard isFound else { throw SchemaError.notFound(what()) }
    }

    /// Returns the rebuild that makes all the changes together.
    ///
    /// - Throws: ``SchemaError/inUse(_:)`` if a constraint or an index names a dropped column. SQLite would not always
    ///   notice: with double-quoted strings on, it treats an unknown name as text.
    func finish() throws -> TableRebuild {
        var result = rebuild
        guard !result.new.columns.isEmpty else {
            throw SchemaError.invalid(["no column of the table \"\(old.name)\" would be left: drop the table"])
        }
        let gone = Set(droppedColumns.map { Identifier($0) })
            .subtracting(result.new.columns.map { Identifier($0.name) })
        guard !gone.isEmpty else { return result }
        for constraint in result.new.constraints {
            let owner = "a constraint of \"\(old.name)\""
            switch constraint.kind {
            case .check(let condition): try refuse(gone, in: condition, of: owner)
            case .primaryKey(let list, _), .unique(let list, _):
                try refuse(gone, in: SQL("\(names: list.compactMap(\.columnName))"), of: owner)
            case .foreignKey(let columns, _): try refuse(gone, in: SQL("\(names: columns)"), of: owner)
            }
        }
        for column in result.new.columns {
            for (sql, owner) in column.constraints.compactMap({ $0.rowExpression(ofColumn: column.name) }) {
                try refuse(gone, in: sql, of: owner)
            }
        }
        for index in old.indexes where !result.droppedIndexes.contains(Identifier(index.name)) {
            let names = index.columns.compactMap { $0.columnName.map { Identifier($0) } }
            if !gone.isDisjoint(with: names) {
                // An index without one of its columns would be a different index.
                result.droppedIndexes.insert(Identifier(index.name))
                continue
            }
            for column in index.columns {
                guard case .expression(let sql) = column.term else { continue }
                try refuse(gone, in: sql, of: "the index \"\(index.name)\"")
            }
            if let condition = index.condition { try refuse(gone, in: condition, of: "the index \"\(index.name)\"") }
        }
        return result
    }

    private func refuse(_ columns: Set<Identifier>, in sql: SQL, of what: String) throws {
        let tokens = SQLTokenizer.tokens(of: sql.withLiterals.text)
        for (index, token) in tokens.enumerated() where columns.contains(Identifier(token.text)) {
            guard tokens.isColumn(at: index) else { continue }
            throw SchemaError.inUse("the column \"\(old.name)\".\"\(token.text)\" is used by \(what): drop that first")
        }
    }
}

extension TableConstraint {
    var unnamed: TableConstraint { TableConstraint(kind) }
}

extension [Token] {
    /// Returns whether the token can name a column. A quoted name can. So can a word where an expression may begin, unless
    /// it is a keyword, a function, a type or a collation.
    fileprivate func isColumn(at index: Int) -> Bool {
        let token = self[index]
        guard token.kind == .word else { return token.kind == .name }
        if !token.canBeName || index + 1 < count && self[index + 1].is("(") { return false }
        guard index > 0 else { return true }
        let before = self[index - 1]
        // After `NOT`, `LIKE` is an operator if an operand precedes both.
        let operand = before.is("NOT") && index > 1 ? self[index - 2] : before
        return !operand.endsOperand && !before.is("AS") && !before.is("COLLATE")
    }
}

extension Token {
    /// Whether an operator can follow the token.
    fileprivate var endsOperand: Bool {
        switch kind {
        case .word: canBeName || self.is("NULL") || self.is("ISNULL") || self.is("NOTNULL")
        case .sign: self.is(")")
        default: true
        }
    }
}
