import Squall

/// A change that a statement has made to the names of a schema, or to the columns of a table.
enum SchemaChange: Hashable, Sendable {
    case created(Identifier)
    case renamedTable(Identifier, to: Identifier)
    case addedColumn(table: Identifier)
    case renamedColumn(table: Identifier, Identifier, to: Identifier)
    case droppedColumn(table: Identifier, Identifier)
    case droppedTable(Identifier)
    case droppedView(Identifier)

    /// Reads the change that a statement makes; `nil` for one that does not change names.
    ///
    /// - Parameter subject: The object that the statement is about, as SQLite reports it.
    init?(_ subject: SchemaGuard.Subject?, _ statement: SourceText.Excerpt) {
        switch subject {
        case .createdTable(let name), .createdView(let name): self = .created(name)
        case .droppedTable(let name): self = .droppedTable(name)
        case .droppedView(let name): self = .droppedView(name)
        case .alteredTable(let table):
            var parser = Parser(SQLTokenizer.tokens(of: statement.text))
            guard let change = try? parser.alteration(of: table) else { return nil }
            self = change
        case nil: return nil
        }
    }

    /// The table or the view to which declarations inside or above the statement belong.
    var declaredTable: Identifier? {
        switch self {
        case .created(let name), .addedColumn(let name): name
        default: nil
        }
    }
}

extension Parser {
    /// Reads an `ALTER TABLE` that SQLite has accepted.
    fileprivate mutating func alteration(of table: Identifier) throws -> SchemaChange? {
        try expect("ALTER")
        try expect("TABLE")
        _ = try name()
        if accept(".") { _ = try name() }
        if accept("RENAME") {
            if accept("TO") { return .renamedTable(table, to: try name()) }
            _ = accept("COLUMN")
            let old = try name()
            try expect("TO")
            return .renamedColumn(table: table, old, to: try name())
        }
        if accept("DROP") {
            _ = accept("COLUMN")
            return .droppedColumn(table: table, try name())
        }
        return accept("ADD") ? .addedColumn(table: table) : nil
    }
}
