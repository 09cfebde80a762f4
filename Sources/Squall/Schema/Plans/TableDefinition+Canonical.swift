/// A table without what makes no difference: case, space, the order of columns, names of constraints, and whether a constraint
/// stands with its column or with the table. Two tables with equal forms do the same.
struct CanonicalTable: Equatable {
    private(set) var columns: [Identifier: CanonicalColumn] = [:]
    private(set) var constraints: Set<CanonicalConstraint> = []
    private let isStrict: Bool
    private let isWithoutRowID: Bool

    init(_ table: TableDefinition) {
        isStrict = table.isStrict
        isWithoutRowID = table.isWithoutRowID
        let keys = Set(table.primaryKey.map { Identifier($0) })
        let rowID = table.rowIDColumn.map { Identifier($0) }
        for column in table.columns {
            let name = Identifier(column.name)
            var form = CanonicalColumn(column)
            form.isRowID = name == rowID
            // SQLite has no NULL in these, whatever is declared.
            if form.isRowID || isWithoutRowID && keys.contains(name) { form.notNull = nil }
            columns[name] = form
            constraints.formUnion(column.tableConstraints.map { CanonicalConstraint($0, of: table) })
        }
        constraints.formUnion(table.constraints.map { CanonicalConstraint($0.kind, of: table) })
    }
}

/// A column without its constraints.
struct CanonicalColumn: Equatable {
    private let type: String
    fileprivate(set) var notNull: ColumnDefinition.NotNull?
    private let defaultValue: String?
    private let collation: Identifier?
    private let generated: String?
    private let isStored: Bool
    private let isAutoincrement: Bool
    fileprivate(set) var isRowID = false

    init(_ column: ColumnDefinition) {
        type = SQL(raw: column.type).normalized
        notNull = column.notNull
        let defaultValue = column.defaultValue?.withoutParentheses.normalized
        self.defaultValue = defaultValue == "NULL" ? nil : defaultValue
        collation = column.collation.flatMap { $0.isSameName(as: "BINARY") ? nil : Identifier($0) }
        generated = column.generated?.expression.normalized
        isStored = column.generated?.isStored == true
        isAutoincrement = column.primaryKey?.isAutoincrement == true
    }
}

/// A constraint, wherever it stands.
enum CanonicalConstraint: Hashable {
    case primaryKey([Term], ConflictResolution?)
    case unique([Term], ConflictResolution?)
    case check(String)
    case foreignKey([Identifier], Parent)

    struct Term: Hashable {
        /// The column or expression, with its collation.
        let text: String
        let isDescending: Bool
    }

    struct Parent: Hashable {
        let table: Identifier
        let columns: [Identifier]
        let onDelete: ForeignKeyReference.Action
        let onUpdate: ForeignKeyReference.Action
        let isDeferred: Bool
    }

    init(_ constraint: TableConstraint.Kind, of table: TableDefinition) {
        switch constraint {
        case .primaryKey(let list, let conflict):
            // The rowid has neither an order nor a collation.
            let isRowID = table.rowIDColumn != nil
            let plain = isRowID ? list.map { IndexedColumn($0.term) } : list
            self = .primaryKey(plain.map { Term($0, of: table) }, conflict)
        case .unique(let list, let conflict): self = .unique(list.map { Term($0, of: table) }, conflict)
        case .check(let condition): self = .check(condition.unqualified(by: table.name).normalized)
        case .foreignKey(let columns, let parent): self = .foreignKey(columns.map { Identifier($0) }, Parent(parent))
        }
    }
}

extension CanonicalConstraint.Term {
    init(_ column: IndexedColumn, of table: TableDefinition) {
        let collation = column.collation.flatMap {
            $0.isSameName(as: "BINARY") ? nil : " COLLATE \(SQL("\(name: $0)").text)"
        }
        let term: SQL =
            switch column.term {
            case .column(let name): "\(name: name)"
            case .expression(let sql): sql.unqualified(by: table.name)
            }
        text = (term + SQL(raw: collation ?? "")).normalized
        isDescending = column.order == .descending
    }
}

extension CanonicalConstraint.Parent {
    init(_ reference: ForeignKeyReference) {
        table = Identifier(reference.table)
        columns = reference.columns.map { Identifier($0) }
        onDelete = reference.onDelete ?? .noAction
        onUpdate = reference.onUpdate ?? .noAction
        isDeferred = reference.deferral == .initiallyDeferred
    }
}

extension ColumnDefinition {
    /// The constraints of the column, as they would stand with the table.
    var tableConstraints: [TableConstraint.Kind] {
        var result = ownConstraints
        result += checks.map { .check($0.condition) }
        return result
    }

    /// Those of the constraints that only another definition of the column can take away.
    var ownConstraints: [TableConstraint.Kind] {
        var result: [TableConstraint.Kind] = []
        if let primaryKey {
            result.append(.primaryKey([IndexedColumn(name, order: primaryKey.order)], onConflict: primaryKey.conflict))
        }
        if let unique { result.append(.unique([IndexedColumn(name)], onConflict: unique.conflict)) }
        return result + references.map { .foreignKey([name], $0) }
    }
}

extension SQL {
    /// The default without the parentheses around it, which make no difference.
    fileprivate var withoutParentheses: SQL {
        var text = withLiterals.text
        while true {
            let tokens = SQLTokenizer.tokens(of: text)[...]
            let inside = tokens.dropFirst().dropLast()
            guard tokens.isGroup, let first = inside.first, let last = inside.last else { return SQL(raw: text) }
            let range = first.range.lowerBound..<last.range.upperBound
            text = String(decoding: Array(text.utf8)[range], as: UTF8.self)
        }
    }
}

/// An index without what makes no difference.
struct CanonicalIndex: Equatable {
    private let table: Identifier
    private let columns: [CanonicalConstraint.Term]
    private let isUnique: Bool
    private let condition: String?

    init(_ index: IndexDefinition) {
        let owner = TableDefinition(name: index.table)
        table = Identifier(index.table)
        columns = index.columns.map { CanonicalConstraint.Term($0, of: owner) }
        isUnique = index.isUnique
        condition = index.condition?.unqualified(by: index.table).normalized
    }
}
