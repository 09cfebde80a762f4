/// The names that generated code uses, and that it therefore does not declare.
enum ReservedNames {
    /// The members of ``Connection`` and ``Database`` that generated functions call, the locals of these functions, and the
    /// names that cannot be called.
    static let functions: Set<String> = [
        "body", "changes", "close", "execute", "forEach", "init", "interrupt", "isInTransaction", "prepare", "query",
        "read", "require", "run", "savepoint", "self", "serialize", "sql", "statements", "transaction", "vacuum",
        "write",
    ]

    /// The properties that a struct cannot have, or that its conformances declare.
    static let properties: Set<String> = ["self", "init", "hash", "hashValue"]

    /// The types that generated code refers to, and those that every program uses.
    static let types: Set<String> = [
        "Any", "Array", "Bool", "Connection", "ConversionError", "Data", "Database", "Date", "Decimal", "Double",
        "Error",
        "ExpectedSchema", "ExpressibleByRow", "Foundation", "Hashable", "Int", "Int64", "JSONBinding", "JulianDay",
        "NullableValue", "Optional", "Protocol", "RequiredValue", "Row", "SQL", "SQLSchema", "SchemaMismatch",
        "SQLiteError", "Self",
        "Sendable", "Squall",
        "String", "Swift", "Type", "UUID", "UnixMilliseconds", "UnixTime", "Void",
    ]
}
