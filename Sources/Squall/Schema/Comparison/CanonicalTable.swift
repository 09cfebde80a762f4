/// A table without insignificant differences: case, whitespace, the order of columns, constraint names, and whether a
/// constraint is declared with its column or with the table. Two tables with equal forms behave alike.
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
            // SQLite stores no NULL in these columns, however they are declared.
            if form.isRowID || isWithoutRowID && keys.contains(name) { form.traits[.notNull] = nil }
            columns[name] = form
            constraints.formUnion(column.tableConstraints.map { CanonicalConstraint($0, of: table) })
        }
        constraints.formUnion(table.constraints.map { CanonicalConstraint($0.kind, of: table) })
    }
}

/// A column without the constraints that can also be declared with the table.
struct CanonicalColumn: Equatable {
    enum Trait: Hashable {
        case autoincrement
        case notNull(ConflictResolution?)
        case defaultValue(String)
        case collation(Identifier)
        case generated(String, isStored: Bool)

        /// Returns the default; `nil` for `DEFAULT NULL`, which makes no difference.
        static func defaultValue(of sql: SQL) -> Self? {
            let text = sql.defaultExpression.withoutParentheses.normalized
            return text == "NULL" ? nil : .defaultValue(text)
        }
    }

    private let type: String
    fileprivate(set) var traits: [ColumnDefinition.Constraint.Key: Trait] = [:]
    fileprivate(set) var isRowID = false

    init(_ column: ColumnDefinition) {
        type = SQL(raw: column.type).normalized
        for constraint in column.constraints {
            switch constraint.canonical(ofColumn: column.name) {
            case .ofColumn(let trait), .key(_, let trait): traits[constraint.key] = trait
            case .ofTable: break
            }
        }
    }
}

/// A constraint, whether it is declared with a column or with the table.
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
    /// The constraints of the column that can also be declared with the table, in the form of table constraints.
    var tableConstraints: [TableConstraint.Kind] { ownConstraints + checks.map { .check($0.condition) } }

    /// The table constraints that can be removed only by redeclaring the column.
    var ownConstraints: [TableConstraint.Kind] {
        constraints.filter { $0.key != .check }.compactMap { constraint in
            switch constraint.canonical(ofColumn: name) {
            case .ofTable(let kind), .key(let kind, _): kind
            case .ofColumn: nil
            }
        }
    }
}

extension SQL {
    /// The default without enclosing parentheses, which make no difference.
    fileprivate var withoutParentheses: SQL {
        var text = text
        while true {
            let tokens = SQLTokenizer.tokens(of: text)[...]
            let inside = tokens.dropFirst().dropLast()
            guard tokens.isGroup, let first = inside.first, let last = inside.last else { return SQL(raw: text) }
            let range = first.range.lowerBound..<last.range.upperBound
            text = String(decoding: Array(text.utf8)[range], as: UTF8.self)
        }
    }
}

/// An index without insignificant differences.
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
