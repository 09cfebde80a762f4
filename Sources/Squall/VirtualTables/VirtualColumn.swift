/// A column of a virtual table, or a parameter: a hidden column whose value a statement gives, as an argument of the table.
///
///     [
///         VirtualColumn("name", \.name),
///         VirtualColumn("size", collation: "NOCASE") { try size(of: $0) },
///         .parameter("folder"),
///     ]
public struct VirtualColumn<Row> {
    @usableFromInline
    enum Role {
        case value(FieldBinder)
        case parameter(isRequired: Bool)
    }

    /// The name in SQL.
    public let name: String
    /// The declared type, such as `TEXT`, which decides the affinity of the column; empty for none.
    public let type: String
    /// The collation by which SQLite compares the column; `nil` for `BINARY`.
    public let collation: String?
    let role: Role

    @usableFromInline
    init(_ name: String, type: String, collation: String?, role: Role) {
        self.name = name
        self.type = type
        self.collation = collation
        self.role = role
    }

    /// A column whose values a function returns.
    ///
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - type: The declared type. The default is the one that a table of SQLite has for the Swift type.
    ///   - collation: The collation by which SQLite compares the column.
    ///   - value: Returns the value of a row. SQLite calls it only for rows and columns that the statement reads.
    @inlinable
    public init<Value: StatementParameter>(
        _ name: String, type: String? = nil, collation: String? = nil, _ value: @escaping (Row) throws -> Value
    ) {
        // The table and its columns are those of one connection.
        nonisolated(unsafe) let value = value
        let binder = FieldBinder.computed { row, destination in
            try value(row.assumingMemoryBound(to: Row.self).pointee).bindOrNull(to: destination)
        }
        self.init(name, type: type ?? Value.declaredColumnType, collation: collation, role: .value(binder))
    }

    /// A column that is a property of the rows.
    ///
    /// - Parameters: As those of ``init(_:type:collation:_:)-(_,_,_,(Row)->Value)``.
    public init<Value: StatementParameter>(
        _ name: String, type: String? = nil, collation: String? = nil, _ property: any KeyPath<Row, Value> & Sendable
    ) {
        self.init(
            name, type: type ?? Value.declaredColumnType, collation: collation, role: .value(FieldBinder(property)))
    }

    /// A parameter of the table: `FROM log('/var/log')`, or `FROM log WHERE folder = '/var/log'`. ``VirtualTableScan/parameter(_:as:)`` returns its
    /// value.
    ///
    /// SQLite gives the arguments to the parameters in their order. A statement that gives a parameter no value fails if it is required.
    public static func parameter(_ name: String, isRequired: Bool = true) -> VirtualColumn {
        VirtualColumn(name, type: "", collation: nil, role: .parameter(isRequired: isRequired))
    }
}
