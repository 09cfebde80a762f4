/// A column of a virtual table, or a parameter: a hidden column whose value a statement gives, as an argument of the table.
///
///     [
///         VirtualColumn("name", \.name),
///         VirtualColumn("size", collation: "NOCASE") { try size(of: $0) },
///         .parameter("folder"),
///     ]
public struct VirtualColumn<Row> {
    enum Role {
        case value((Row, BindingDestination) throws -> Void)
        case parameter(isRequired: Bool)
    }

    /// The name in SQL.
    public let name: String
    /// The declared type, such as `TEXT`, which decides the affinity of the column; empty for none.
    public let type: String
    /// The collation by which SQLite compares the column; `nil` for `BINARY`.
    public let collation: String?
    let role: Role

    init(_ name: String, type: String, collation: String?, role: Role) {
        self.name = name
        self.type = type
        self.collation = collation
        self.role = role
    }

    /// A column whose values a function or a key path returns.
    ///
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - type: The declared type. The default is the one that a table of SQLite has for the Swift type.
    ///   - collation: The collation by which SQLite compares the column.
    ///   - value: Returns the value of a row. SQLite calls it only for rows and columns that the statement reads.
    public init<Value: StatementParameter>(
        _ name: String, type: String? = nil, collation: String? = nil, _ value: @escaping (Row) throws -> Value
    ) {
        self.init(name, type: type ?? Value.declaredColumnType, collation: collation) { row, destination in
            try value(row).bindOrNull(to: destination)
        }
    }

    init(
        _ name: String, type: String, collation: String? = nil,
        write: @escaping (Row, BindingDestination) throws -> Void
    ) {
        self.init(name, type: type, collation: collation, role: .value(write))
    }

    /// A parameter of the table: `FROM log('/var/log')`, or `FROM log WHERE folder = '/var/log'`. ``Scan/parameter(_:as:)`` returns its
    /// value.
    ///
    /// SQLite gives the arguments to the parameters in their order. A statement that gives a parameter no value fails if it is required.
    public static func parameter(_ name: String, isRequired: Bool = true) -> VirtualColumn {
        VirtualColumn(name, type: "", collation: nil, role: .parameter(isRequired: isRequired))
    }
}
